"""Which launches of two profiles compute the same ops: pairs, and sets where fusion differs.

    before   conv2d bias_add relu | conv2d bias_add | add relu          0 -> 0       1, 2 -> 1
    after    conv2d bias_add relu | conv2d bias_add add relu

Launches with the same ops from the same nodes or lines are pairs, in order. Of the others those belong together that
share a node or a line; where none do, those whose ops follow each other alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from ...dialects.records import dataclass
from ...runtime.profile.profile import GmProfile, KernelProfile, PipeProfile, Profile

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Matched:
    """Launches of two profiles that compute the same, by number; one side may have none."""

    before: Numbers
    after: Numbers


def matched(
    before: Sequence[KernelProfile], after: Sequence[KernelProfile], sourced: bool | None = None
) -> list[Matched]:
    """Every launch of both in one set, in the order of the later profile; those that it lacks where they were.
    `sourced`: whether nodes and lines of both are of one model; None: whether they look like it."""
    if sourced is None:
        sourced = _of_one_model(before, after)
    same_ops = [op for k in before for op in k.ops] == [op for k in after for op in k.ops]
    pairs: list[tuple[int, int]] = []
    if sourced or not same_ops:
        keys = [_key(k, sourced) for k in before], [_key(k, sourced) for k in after]
        pairs = list(_in_order(*keys))
        pairs += _out_of_order(*keys, pairs)
    first, second = {a for a, _ in pairs}, {b for _, b in pairs}
    left = [i for i in range(len(before)) if i not in first]
    right = [i for i in range(len(after)) if i not in second]
    shared: list[tuple[int, int]] = []
    if sourced:
        shared = [(a, b) for a in left for b in right if set(before[a].sources) & set(after[b].sources)]
    joined_a, joined_b = {a for a, _ in shared}, {b for _, b in shared}
    alone = [a for a in left if a not in joined_a], [b for b in right if b not in joined_b]
    shared += _by_ops(before, after, *alone)
    found = [Matched((a,), (b,)) for a, b in pairs]
    return sorted([*found, *_components(left, right, shared)], key=_place)


def _place(one: Matched) -> tuple[int, int]:
    return (one.after or one.before)[0], len(one.after)


def _of_one_model(before: Sequence[KernelProfile], after: Sequence[KernelProfile]) -> bool:
    """Whether nodes or lines of both mean the same: most of those of the one are in the other, too, and of a text,
    whose lines move when it is edited, they are those of the same ops."""
    first, second = ({source for k in kernels for source in k.sources} for kernels in (before, after))
    if 2 * len(first & second) < min(len(first), len(second)) or not first & second:
        return False
    if not all(_LINE.search(source) for source in first):
        return True
    with_sources, without = (
        sum((Counter(_key(k, how) for k in before) & Counter(_key(k, how) for k in after)).values())
        for how in (True, False)
    )
    return 2 * with_sources >= without


_LINE = re.compile(r":\d+$")


def _key(kernel: KernelProfile, sourced: bool) -> Hashable:
    return (kernel.ops, kernel.sources) if sourced else kernel.ops


def _in_order(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Pairs that follow each other alike in both."""
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        yield from ((block.a + i, block.b + i) for i in range(block.size))


def _out_of_order(
    before: Sequence[Hashable], after: Sequence[Hashable], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pairs of the others that are alike, the first with the first."""
    first, second = {a for a, _ in pairs}, {b for _, b in pairs}
    waiting: dict[Hashable, list[int]] = {}
    for i, key in enumerate(after):
        if i not in second:
            waiting.setdefault(key, []).append(i)
    return [(i, waiting[key].pop(0)) for i, key in enumerate(before) if i not in first and waiting.get(key)]


def _by_ops(
    before: Sequence[KernelProfile],
    after: Sequence[KernelProfile],
    left: Sequence[int],
    right: Sequence[int],
) -> list[tuple[int, int]]:
    """Launches that have ops in common, one op after the other."""
    first = [(op, i) for i in left for op in before[i].ops]
    second = [(op, i) for i in right for op in after[i].ops]
    found: set[tuple[int, int]] = set()
    for a, b in _in_order([op for op, _ in first], [op for op, _ in second]):
        found.add((first[a][1], second[b][1]))
    return sorted(found)


def _components(
    left: Sequence[int], right: Sequence[int], shared: Sequence[tuple[int, int]]
) -> Iterator[Matched]:
    """Sets of launches that are joined by what they share."""
    home: dict[tuple[str, int], set[tuple[str, int]]] = {
        node: {node} for node in [*(("a", i) for i in left), *(("b", i) for i in right)]
    }
    for a, b in shared:
        one, other = home["a", a], home["b", b]
        if one is not other:
            one |= other
            home.update(dict.fromkeys(other, one))
    for group in {id(group): group for group in home.values()}.values():
        yield Matched(
            tuple(sorted(i for side, i in group if side == "a")),
            tuple(sorted(i for side, i in group if side == "b")),
        )


def merged(profile: Profile, numbers: Numbers, split: bool) -> KernelProfile | None:
    """Launches as one that does what all of them do, one after the other: times, bytes and instructions are sums; tiles
    and what held it up are those of the longest. `split`: its pipes are named with the kind of their cores. None for
    no launch."""
    kernels = [_named(profile.kernels[i], split) for i in numbers]
    if len(kernels) < 2:
        return kernels[0] if kernels else None
    longest = max(kernels, key=lambda one: one.time_us)
    read = sum(one.dma_read_bytes for one in kernels)
    hits = sum(one.l2_hit_rate * one.dma_read_bytes for one in kernels)
    sums = {name: sum(getattr(one, name) for one in kernels) for name in SUMS}
    waits = sum((Counter(one.waits) for one in kernels), Counter[str]())
    crossed = sum((Counter(one.cross_wait_us) for one in kernels), Counter[str]())
    return replace(
        longest,
        ops=tuple(op for one in kernels for op in one.ops),
        sources=tuple(dict.fromkeys(source for one in kernels for source in one.sources)),
        l2_hit_rate=hits / read if read else 0.0,
        pipes=_pipes(kernels),
        buffers=tuple(buffer for one in kernels for buffer in one.buffers),
        tensors=tuple(tensor for one in kernels for tensor in one.tensors),
        waits=dict(waits),
        cross_wait_us=dict(crossed),
        interval_us=None,
        **sums,
    )


SUMS = (
    *("time_us", "launch_us", "bound_us", "compulsory_bytes", "workspace_bytes", "dma_read_bytes"),
    *("dma_write_bytes", "hbm_read_bytes", "hbm_write_bytes", "instructions", "hbm_busy_us", "hbm_wait_us"),
    *("core_us", "scalar_us", "graph_bound_us"),
)
"""Of several launches, what is added up."""


def _named(kernel: KernelProfile, split: bool) -> KernelProfile:
    """The kernel with the kind of its cores in the names of its pipes, where it runs on one kind alone."""
    if not split or any(" " in name for name in kernel.pipes):
        return kernel
    kind = "aic" if "M" in kernel.pipes else "aiv"
    return replace(
        kernel,
        pipes={f"{kind} {name}": pipe for name, pipe in kernel.pipes.items()},
        waits={f"{kind} {wait}": count for wait, count in kernel.waits.items()},
    )


def _pipes(kernels: Sequence[KernelProfile]) -> dict[str, PipeProfile]:
    names = dict.fromkeys(name for one in kernels for name in one.pipes)
    return {name: _sum([one.pipes[name] for one in kernels if name in one.pipes]) for name in names}


def _sum(pipes: Sequence[PipeProfile]) -> PipeProfile:
    gms = [pipe.gm for pipe in pipes if pipe.gm is not None]
    counts = ("instructions", "bytes", "bursts", "lines", "cut_lines")
    gm = GmProfile(*(sum(getattr(one, name) for one in gms) for name in counts)) if gms else None
    times = ("busy_us", "active_us", "issue_us", "conflict_us")
    summed = {name: sum(getattr(one, name) for one in pipes) for name in times}
    return PipeProfile(instructions=sum(one.instructions for one in pipes), gm=gm, **summed)


def has_kinds(*profiles: Profile) -> bool:
    """Whether a kernel of the profiles runs on two kinds of cores."""
    return any(" " in name for one in profiles for kernel in one.kernels for name in kernel.pipes)


__all__ = ["Matched", "has_kinds", "matched", "merged"]
