"""What `ascend-run --compare` prints: totals of both, the kernels that changed, and why those are slower that are.

why slower:
  kernel 0 @mlp_0_aic (/mlp/Gemm): 24.4 µs -> 31.0 µs
    turns, aic MTE2: l1 buffer 'operand' has 1 slot, 2 before (MTE2 and MTE1): pipes take turns: aic MTE2 is busy …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isinf
from typing import Any

from ...dialects.graph.base import bare_names
from ...runtime.profile.profile import Profile
from .advice_report import held_text
from .comparison import Compared, Comparison, counts
from .slower_causes import Cause, whole
from .text_table import bytes_text, cut, predicted_text, share_text, table, time_text

MOST_KERNELS, MOST_CAUSES, MOST_EXPLAINED = 20, 3, 5
"""Kernels that are listed, and causes of each of so many of them."""
MOST_NAMED = 4
OPS = 44
HEAD = ("before", "after", "ops", "time", "was", "more", "DMA", "was", "HBM", "was", "limited by", "was")
OTHER_CHIP = "note: {} has other numbers in the later one, so what changed may be the chip"
BUILT = ("tiles", "cores", "instructions", "slots", "waits")
"""Of what changed, that which is shown of a slower kernel."""


def comparison_text(one: Comparison, rows: int | None = None) -> str:
    """The report; `rows`: how many kernels are listed."""
    lines = [headline(one), ""]
    lines += table(list(_totals(one)))
    if one.same_target is False:
        lines += ["", OTHER_CHIP.format(one.after.target)]
    if one.equal:
        return "\n".join(lines) + "\n"
    changed = sorted((k for k in one.kernels if not k.same), key=lambda k: -abs(k.more_us))
    if changed:
        most = rows or MOST_KERNELS
        lines += ["", "kernels that are different, what changes the time most first:"]
        lines += table([HEAD, *(_row(k) for k in changed[:most])], left=3, remarks=True)
        lines += [f"  … and {len(changed) - most} more"] * (len(changed) > most)
    worst = one.worst[: rows or MOST_EXPLAINED]
    if worst:
        lines += ["", "why they are slower:"]
        lines += [line for kernel in worst for line in _why(kernel)]
    return "\n".join(lines) + "\n"


def headline(one: Comparison) -> str:
    """How the two compare, in a line."""
    names = f"{one.titles[0]} -> {one.titles[1]} on {one.after.target}"
    if one.equal:
        count = len(one.after.kernels)
        alike = f"all {count} kernels take" if count != 1 else "the kernel takes"
        return f"{names}: equal, {time_text(one.after.total_us)}; {alike} the same way in the same time"
    times = f"{time_text(one.before.total_us)} -> {time_text(one.after.total_us)}"
    found = counts(one.kernels)
    kinds = ", ".join(f"{found[kind]} {kind}" for kind in _KINDS if found[kind])
    return f"{names}: {times}, {change_text(one.slower)}; kernels: {kinds}"


_KINDS = ("slower", "faster", "changed", "new", "gone", "same")


def change_text(share: float) -> str:
    """A change of time in words."""
    if abs(share) < 5e-6:
        return "as fast"
    if isinf(share):
        return "slower"
    digits = 1 if abs(share) >= 5e-4 else 4
    return f"{100 * abs(share):.{digits}f} % {'slower' if share > 0 else 'faster'}"


def failure_text(one: Comparison, allowed: float) -> str:
    """What `--fail-if-slower` says, in a line: how much slower, and why the kernel that adds most is."""
    worst = one.worst[0]
    main = f": {_cause(worst.causes[0])}" if worst.causes else ""
    return (
        f"{one.titles[1]} is {change_text(one.slower)} than {one.titles[0]} ({time_text(one.after.total_us)}, "
        f"{time_text(one.before.total_us)} before), more than {100 * allowed:g} %; most of it is {worst.title}, "
        f"{_times(worst)}{main}"
    )


def _totals(one: Comparison) -> Iterator[Sequence[str]]:
    profiles = (one.before, one.after)

    def row(label: str, cells: Iterator[str]) -> Sequence[str]:
        return [label, *cells]

    yield ["", *(cut(title, 40) for title in one.titles)]
    yield row("kernels", (str(len(p.kernels)) for p in profiles))
    yield row("predicted time", (predicted_text(p.total_us, p.interval_us) for p in profiles))
    yield row("  of it launches", (time_text(sum(k.launch_us for k in p.kernels)) for p in profiles))
    yield row("bytes moved by DMA", (bytes_text(p.dma_read_bytes + p.dma_write_bytes) for p in profiles))
    yield row("bytes moved by HBM", (bytes_text(p.hbm_read_bytes + p.hbm_write_bytes) for p in profiles))
    yield row("L2 hit rate", (share_text(p.l2_hit_rate) for p in profiles))
    for unit, pipe in (("Cube", "M"), ("Vector", "V")):
        yield row(f"busy {unit}", (share_text(_busy(p, pipe)) for p in profiles))


def _busy(profile: Profile, pipe: str) -> float:
    """Share of the time in which a pipe is busy, mean over the cores in use."""
    time = profile.total_us or 1.0
    return sum(p.busy_us for k in profile.kernels for n, p in k.pipes.items() if n.split()[-1] == pipe) / time


def _row(one: Compared) -> Sequence[str]:
    sides = one.after, one.before
    numbers = [",".join(map(str, found)) or "-" for found in (one.numbers.before, one.numbers.after)]
    more = f"{'+' if one.more_us > 0 else '-'}{time_text(abs(one.more_us))}" if one.more_us else "0"
    times = [time_text(whole(k)) if k else "-" for k in sides]
    dma = [bytes_text(k.dma_read_bytes + k.dma_write_bytes) if k else "-" for k in sides]
    hbm = [bytes_text(k.hbm_read_bytes + k.hbm_write_bytes) if k else "-" for k in sides]
    held = [held_text(k.bottleneck) if k else "-" for k in sides]
    return (*numbers, cut(one.ops, OPS), *times, more, *dma, *hbm, *held)


def _why(one: Compared) -> Iterator[str]:
    yield f"  {one.title}, {bare_names(one.after.ops) if one.after else ''}: {_times(one)}"
    if one.before is None:
        yield "    it is new: no launch of the earlier profile computes these ops"
    for cause in one.causes[:MOST_CAUSES]:
        yield f"    {_cause(cause)}"
    grouped = len(one.numbers.before) != len(one.numbers.after)
    shown = () if grouped else BUILT
    built = [_built(name, *one.changes[name]) for name in shown if name in one.changes]
    if built:
        yield f"    changed: {'; '.join(built)}"
    for advice in one.advice:
        yield f"    helps ({advice.rule}): {advice.help}"


def _cause(cause: Cause) -> str:
    pipe = f", {cause.pipe}" if cause.pipe else ""
    return f"{cause.rule}{pipe}, +{time_text(cause.us)}: {cause.evidence}"


def _times(one: Compared) -> str:
    was, now = (time_text(whole(k)) if k is not None else "-" for k in (one.before, one.after))
    return f"{was} -> {now}"


def _built(name: str, was: Any, now: Any) -> str:
    if name == "tiles":
        return f"tiles {'x'.join(map(str, was))} -> {'x'.join(map(str, now))}"
    if name in ("slots", "waits"):
        return f"{name} {_of_names(was, now)}"
    return f"{name} {was} -> {now}"


def _of_names(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What changed by name."""
    different = [key for key in {**was, **now} if was.get(key) != now.get(key)]
    parts = [f"{key} {_shown(was.get(key))} -> {_shown(now.get(key))}" for key in different[:MOST_NAMED]]
    more = f" and {len(different) - MOST_NAMED} more" * (len(different) > MOST_NAMED)
    return f"{', '.join(parts)}{more}"


def _shown(value: Sequence[int] | int | None) -> str:
    if value is None:
        return "none"
    return str(value) if isinstance(value, int) else "+".join(map(str, value))


__all__ = ["change_text", "comparison_text", "failure_text", "headline"]
