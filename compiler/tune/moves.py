"""Other groups and layouts than a plan's. Alike kernels change together.

join     the kernel that gives a tensor, and the one that alone reads it, become one
part     a kernel comes apart at an op inside, of which nothing but its result goes on
rows     what a kernel gives in blocks becomes row-major
blocks   what a kernel gives row-major lies in blocks
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...dialects.records import dataclass
from ...passes.plans.plan import FunctionPlan, KernelPlan
from .problem import Blocked, Kernel, Uses

Ops = tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """A change of groups, in all places alike: the op sets that there are before, and those in their place."""

    kind: str
    title: str
    changes: tuple[tuple[tuple[Ops, ...], tuple[Ops, ...]], ...] = ()
    layouts: tuple[tuple[int, Blocked | None], ...] = ()
    """How results of ops then lie; None: row-major."""

    def applied(self, plan: FunctionPlan) -> FunctionPlan:
        """The plan with the change, wherever its kernels are there; their tilings are open."""
        kernels = list(plan.kernels)
        blocked = dict(plan.blocked)
        for before, after in self.changes:
            found = [one for one in kernels if one.ops in before]
            if len(found) < len(before) or any(one.reads for one in found):
                continue
            names = _names(found, len(after))
            kernels = [one for one in kernels if one not in found]
            kernels += [KernelPlan(name, ops) for name, ops in zip(names, after, strict=True)]
            given = {ops[-1] for ops in after}
            for ops in before:
                if ops[-1] not in given:
                    blocked.pop(ops[-1], None)
        for place, layout in self.layouts:
            blocked.pop(place, None)
            if layout is not None:
                blocked[place] = layout
        kernels.sort(key=lambda one: one.ops[-1])
        return replace(plan, kernels=tuple(kernels), blocked=blocked)


def _names(found: Sequence[KernelPlan], count: int) -> list[str]:
    base = found[-1].name
    return [base] if count == 1 else [*(f"{base}_part{i}" for i in range(count - 1)), base]


def moves_of(kernels: Sequence[Kernel], plan: FunctionPlan, uses: Uses) -> list[Move]:
    """Every single change of a plan's groups, in the order of the program."""
    plain = {one.ops for one in plan.kernels if not one.reads and len(set(one.ops)) == len(one.ops)}
    times = [place for one in plan.kernels for place in one.ops]
    shared = {place for place in times if times.count(place) > 1}
    usable = [one for one in kernels if one.ops in plain and not shared & {*one.ops}]
    found: dict[tuple[object, ...], Move] = {}
    for key, kind, title, before, after in (*_joins(usable, uses), *_parts(usable, uses)):
        known = found.get(key, Move(kind, title, ()))
        taken = {ops for change, _ in known.changes for ops in change}
        if not taken & {*before}:
            found[key] = replace(known, changes=(*known.changes, (before, after)))
    for kind, kernel, layout in _layouts(kernels, plan, uses):
        known = found.get((kind, kernel.key), Move(kind, f"{kernel.name} in {kind}"))
        found[kind, kernel.key] = replace(known, layouts=(*known.layouts, (kernel.ops[-1], layout)))
    return list(found.values())


def _layouts(
    kernels: Sequence[Kernel], plan: FunctionPlan, uses: Uses
) -> Iterator[tuple[str, Kernel, Blocked | None]]:
    """The other way in which what each kernel gives may lie, where kernels alone read it."""
    for kernel in kernels:
        if kernel.ops[-1] in plan.blocked:
            yield "rows", kernel, None
        elif kernel.layout is not None and kernel.ops[-1] not in uses.outside:
            yield "blocks", kernel, kernel.layout


_Found = tuple[tuple[object, ...], str, str, tuple[Ops, ...], tuple[Ops, ...]]


def _joins(kernels: Sequence[Kernel], uses: Uses) -> Iterator[_Found]:
    home = {place: one for one in kernels for place in one.ops}
    for giver in kernels:
        last = giver.ops[-1]
        takers = {home[reader].name for reader in uses.readers[last] if reader in home}
        alone = len(takers) == 1 and all(reader in home for reader in uses.readers[last])
        if last in uses.outside or not alone:
            continue
        taker = home[min(uses.readers[last])]
        at = tuple(taker.ops.index(reader) for reader in sorted(uses.readers[last]))
        both = tuple(sorted({*giver.ops, *taker.ops}))
        yield (
            ("join", giver.key, taker.key, at), "join", f"{giver.name} + {taker.name}",
            (giver.ops, taker.ops), (both,),
        )  # fmt: skip


def _parts(kernels: Sequence[Kernel], uses: Uses) -> Iterator[_Found]:
    for kernel in kernels:
        for i, cut in enumerate(kernel.ops[:-1]):
            first = _feeding(kernel.ops, cut, uses)
            rest = tuple(place for place in kernel.ops if place not in first)
            leaving = {
                place for place in first
                if place in uses.outside or any(reader not in first for reader in uses.readers[place])
            }  # fmt: skip
            if leaving != {cut} or cut in uses.outside or not uses.readers[cut] <= {*rest}:
                continue
            yield (
                ("part", kernel.key, i),
                "part",
                f"{kernel.name} after op {cut}",
                (kernel.ops,),
                (first, rest),
            )


def _feeding(ops: Ops, cut: int, uses: Uses) -> Ops:
    """The ops of a kernel that one of them depends on, and it."""
    found = {cut}
    for place in reversed(ops[: ops.index(cut)]):
        if uses.readers[place] & found:
            found.add(place)
    return tuple(place for place in ops if place in found)


__all__ = ["Move", "moves_of"]
