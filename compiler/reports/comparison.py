"""Two profiles kernel by kernel: what changed, and why what is slower is.

compare(before, after)   ->   Comparison(sets of launches that compute the same, each with its causes)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field
from math import inf, isfinite
from typing import Any, cast

from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...runtime.profile.advice_numbers import busiest
from ...runtime.profile.findings import Advice
from ...runtime.profile.profile import KernelProfile, Profile, launch_title
from ...runtime.profile.read_profile import ProfileError
from .matched_kernels import Matched, has_kinds, matched, merged
from .slower_causes import Cause, causes, whole
from .text_table import bytes_text, time_text

ALIKE = 1e-9
"""Share by which numbers may differ that are the same: those of one emulator are, to the last bit, but for sums."""
MEASURED = (
    *("ops", "cores", "time_us", "launch_us", "dma_read_bytes", "dma_write_bytes", "hbm_read_bytes"),
    *("hbm_write_bytes", "l2_hit_rate", "instructions", "pipes", "hbm_busy_us", "hbm_wait_us", "core_us"),
    *("scalar_us", "cross_wait_us"),
)
"""What two launches have in common that took the same way."""


@dataclass(frozen=True)
class Compared:
    """Launches that compute the same ops. `before`, `after`: all of them as one (`merged`), None where a profile has
    none; `title` names the longest of the later ones."""

    numbers: Matched
    title: str
    before: KernelProfile | None
    after: KernelProfile | None
    causes: Sequence[Cause] = ()
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict[str, tuple[Any, Any]])
    """What is different of how they are built and of what they do, by name: before, after."""

    @property
    def more_us(self) -> float:
        """Microseconds that are added, launches included."""
        return sum(whole(one) for one in (self.after,) if one) - sum(
            whole(one) for one in (self.before,) if one
        )

    @property
    def same(self) -> bool:
        """Whether nothing that was measured is different."""
        return self.before is not None and self.after is not None and not self.changes

    @property
    def ops(self) -> str:
        kernel = self.after or self.before
        return bare_names(kernel.ops) if kernel is not None else ""

    @property
    def advice(self) -> Sequence[Advice]:
        """What `advice` says of the later kernel about its causes."""
        rules = {cause.rule for cause in self.causes}
        return [one for one in (self.after.advice if self.after else ()) if one.rule in rules]


@dataclass(frozen=True)
class Comparison:
    """Two profiles on one chip; `titles`: what they are called."""

    titles: tuple[str, str]
    before: Profile
    after: Profile
    kernels: Sequence[Compared]

    @property
    def slower(self) -> float:
        """The share of its time by which the program is slower; below 0 it is faster. Infinite where it took none."""
        if not self.before.total_us:
            return inf if self.after.total_us else 0.0
        return self.after.total_us / self.before.total_us - 1

    @property
    def equal(self) -> bool:
        """Whether every launch took the same way in the same time."""
        return all(one.same for one in self.kernels) and abs(self.slower) <= ALIKE

    @property
    def same_target(self) -> bool | None:
        """Whether the chip has the same numbers in both; None where one of them does not say."""
        digests = [profile.target_digest for profile in (self.before, self.after)]
        return digests[0] == digests[1] if all(digests) else None

    @property
    def other_ops(self) -> str:
        """Kinds of ops that only one of the programs has, in words; empty where there are none. Passes rewrite some,
        so programs of one model may have others, too."""
        kinds = [{op for k in profile.kernels for op in k.ops} for profile in (self.before, self.after)]
        lacking = zip(self.titles, (kinds[1] - kinds[0], kinds[0] - kinds[1]), strict=True)
        said = [f"'{title}' has no {bare_names(sorted(ops), ', ')}" for title, ops in lacking if ops]
        return f"they may not compute the same: {', and '.join(said)}" if said else ""

    @property
    def worst(self) -> Sequence[Compared]:
        """What adds time, the most first."""
        slower = [one for one in self.kernels if one.more_us > ALIKE * self.before.total_us]
        return sorted(slower, key=lambda one: -one.more_us)

    def to_json(self) -> dict[str, Any]:
        """The same as dictionaries, lists, numbers and strings."""
        sides = zip(("before", "after"), self.titles, (self.before, self.after), strict=True)
        return {
            **{side: {"title": title, **_totals(profile)} for side, title, profile in sides},
            "target": self.after.target,
            "same_target": self.same_target,
            "slower": self.slower if isfinite(self.slower) else None,
            "equal": self.equal,
            "kernels": [_json(one) for one in self.kernels],
        }


def _totals(profile: Profile) -> dict[str, Any]:
    names = (
        *("total_us", "dma_read_bytes", "dma_write_bytes", "hbm_read_bytes", "hbm_write_bytes"),
        *("l2_hit_rate", "warm", "interval_us"),
    )
    return {"kernels": len(profile.kernels), **{name: getattr(profile, name) for name in names}}


def _json(one: Compared) -> dict[str, Any]:
    return {
        "title": one.title,
        "before": list(one.numbers.before),
        "after": list(one.numbers.after),
        "ops": one.ops.split(),
        "before_us": whole(one.before) if one.before else None,
        "after_us": whole(one.after) if one.after else None,
        "more_us": one.more_us,
        "same": one.same,
        "changes": {name: {"before": was, "after": now} for name, (was, now) in one.changes.items()},
        "causes": [asdict(cause) for cause in one.causes],
    }


def compare(before: Profile, after: Profile, titles: tuple[str, str]) -> Comparison:
    """Hold a profile against an earlier one; ProfileError where they are of other chips or of other run-time
    sizes, or one of them is warm."""
    if before.target != after.target:
        raise ProfileError(
            f"'{titles[0]}' was run on {before.target}, '{titles[1]}' on {after.target}: times of one chip are compared"
        )
    if before.warm != after.warm:
        starts = ["warm" if one.warm else "cold" for one in (before, after)]
        raise ProfileError(
            f"L2 was {starts[0]} at the start of '{titles[0]}', and {starts[1]} at that of '{titles[1]}': give --warm "
            "to both or to none"
        )
    if None not in (before.size, after.size) and before.size != after.size:
        raise ProfileError(
            f"the dynamic dimension is {before.size} in '{titles[0]}', and {after.size} in '{titles[1]}': give "
            f"--size {before.size} to what is timed"
        )
    split = has_kinds(before, after)
    sets = matched(before.kernels, after.kernels)
    return Comparison(titles, before, after, [_compared(before, after, one, split) for one in sets])


def _compared(before: Profile, after: Profile, numbers: Matched, split: bool) -> Compared:
    old, new = merged(before, numbers.before, split), merged(after, numbers.after, split)
    profile, those = (after, numbers.after) if numbers.after else (before, numbers.before)
    longest = max(those, key=lambda i: profile.kernels[i].time_us)
    title = launch_title(longest, profile.kernels[longest])
    if old is None or new is None:
        return Compared(numbers, title, old, new)
    grouped = len(numbers.before) != len(numbers.after)
    found = list(_regrouped(old, new, numbers)) if grouped else causes(old, new)
    return Compared(numbers, title, old, new, found, dict(_changes(old, new, grouped)))


def _regrouped(before: KernelProfile, after: KernelProfile, numbers: Matched) -> Iterator[Cause]:
    """The cause where ops are spread over another number of kernels, and take longer."""
    if whole(after) <= whole(before):
        return
    was, now = len(numbers.before), len(numbers.after)
    moved = [k.dma_read_bytes + k.dma_write_bytes for k in (before, after)]
    text = (
        f"{was} kernel{'s' * (was > 1)} became {now}: launches take {time_text(after.launch_us)}, "
        f"{time_text(before.launch_us)} before, kernels {time_text(after.time_us)}, {time_text(before.time_us)} "
        f"before, and DMA moves {bytes_text(moved[1])}, {bytes_text(moved[0])} before"
    )
    pipe, _ = busiest(after)
    yield Cause("fusion", pipe, whole(after) - whole(before), text, {"before": was, "after": now})


def _changes(
    before: KernelProfile, after: KernelProfile, grouped: bool
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """What is different, by name: how the kernel is built, unless other kernels are `grouped` to one, then what it
    did."""
    pairs: dict[str, tuple[Any, Any]] = {
        "tiles": (list(before.tiles), list(after.tiles)),
        "slots": (_slots(before), _slots(after)),
        "waits": (dict(before.waits), dict(after.waits)),
    }
    if grouped or not (before.tiles and after.tiles):
        del pairs["tiles"]
    if grouped or not (before.buffers and after.buffers):  # a profile of version 1 has none
        del pairs["slots"], pairs["waits"]
    pairs |= {name: (getattr(before, name), getattr(after, name)) for name in MEASURED}
    for name, (was, now) in pairs.items():
        if name == "pipes":
            yield from _of_pipes(was, now)
        elif not _same(was, now):
            yield name, (was, now)


def _slots(kernel: KernelProfile) -> dict[str, list[int]]:
    """Slots of the buffers of each name."""
    found: dict[str, list[int]] = {}
    for one in kernel.buffers:
        found.setdefault(f"{one.space} {one.name}", []).append(one.slots)
    return {name: sorted(slots) for name, slots in sorted(found.items())}


def _of_pipes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for name in dict.fromkeys((*before, *after)):
        was, now = (asdict(pipes[name]) if name in pipes else None for pipes in (before, after))
        if was is None or now is None:
            yield name, (was, now)
            continue
        for key, number in was.items():
            if not _same(number, now[key]):
                yield f"{name} {key}", (number, now[key])


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, Mapping):
        first, second = cast("Mapping[str, Any]", was), cast("Mapping[str, Any]", now)
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    if isinstance(was, float):
        return abs(was - now) <= ALIKE * max(abs(was), abs(now))
    return was == now


def counts(found: Sequence[Compared]) -> Counter[str]:
    """How many sets of launches are `same`, `slower`, `faster`, `changed`, `new` and `gone`."""
    kinds: Counter[str] = Counter()
    for one in found:
        if one.before is None or one.after is None:
            kinds["new" if one.before is None else "gone"] += 1
        elif one.same:
            kinds["same"] += 1
        else:
            more, least = one.more_us, ALIKE * whole(one.before)
            kinds["slower" if more > least else "faster" if more < -least else "changed"] += 1
    return kinds


__all__ = ["Compared", "Comparison", "compare", "counts"]
