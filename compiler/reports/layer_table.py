"""The kernels of a network by time: where it goes, and which nodes of the model that is.

#   from                       ops                 time   launch    share      sum     x bound   x of ops   limited by
1   /stem/{0/Conv, 1/Relu}     conv2d bias_add …   5.9 µs   1.8 µs    7.0 %    7.0 %   6.30 Cube   6.80 HBM   M 71%
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.graph.base import bare_names
from ...runtime.profile.profile import KernelProfile, Profile
from .advice_report import held_text
from .text_table import cut, share_text, table, time_text, within_text

HEAD = ("#", "from", "ops", "time", "launch", "share", "sum", "x bound", "x of ops", "limited by")
SOURCES, OPS = 56, 36
"""Columns of what a kernel was compiled from, and of its ops."""
LEGEND = (
    "#: which launch. share: of the program's time, launches included; sum: of this row and those above it.",
    "x bound: time over the least that the chip needs for what the kernel does, and what sets it; x of ops: over",
    "  that of its ops, however they are tiled.",
)


def by_time(profile: Profile) -> list[tuple[int, KernelProfile]]:
    """The launches with their numbers, the longest first."""
    numbered = enumerate(profile.kernels)
    return sorted(numbered, key=lambda one: -_whole(one[1]))


def layer_lines(profile: Profile, most: int) -> list[str]:
    """The table of the `most` longest launches, and a line for the others."""
    total = profile.total_us or 1.0
    rows: list[Sequence[str]] = [HEAD]
    longest, passed = by_time(profile), 0.0
    for number, kernel in longest[:most]:
        passed += _whole(kernel)
        cells = (within_text(kernel.time_us, kernel.interval_us), time_text(kernel.launch_us))
        shares = (share_text(_whole(kernel) / total), share_text(passed / total))
        distances = _distance(kernel), _above_ops(kernel)
        named = (together(kernel.sources, SOURCES), cut(bare_names(kernel.ops), OPS))
        rows.append((str(number), *named, *cells, *shares, *distances, held_text(kernel.bottleneck)))
    rest = longest[most:]
    if rest:
        times = (sum(k.time_us for _, k in rest), sum(k.launch_us for _, k in rest))
        shares = (share_text(sum(times) / total), share_text(1.0))
        rows.append(("", f"{len(rest)} more", "", *map(time_text, times), *shares, "", "", ""))
    return [*table(rows, left=3, remarks=True), "", *(f"  {line}" for line in LEGEND)]


def together(names: Sequence[str], width: int) -> str:
    """Several names in `width` columns; the folder or file that they share is written once."""
    if len(names) < 2:
        return cut("".join(names), width)
    shared = names[0]
    for name in names[1:]:
        while not name.startswith(shared):
            shared = shared[:-1]
    shared = shared[: max(shared.rfind("/"), shared.rfind(":")) + 1]
    rest = ", ".join(name[len(shared) :] for name in names)
    return cut(f"{shared}{{{rest}}}" if shared else rest, width)


def _whole(kernel: KernelProfile) -> float:
    return kernel.time_us + kernel.launch_us


def _distance(kernel: KernelProfile) -> str:
    return f"{kernel.time_us / kernel.bound_us:.2f} {kernel.limit}" if kernel.bound_us else ""


def _above_ops(kernel: KernelProfile) -> str:
    least = kernel.graph_bound_us
    return f"{kernel.time_us / least:.2f} {kernel.graph_limit}" if least else ""


__all__ = ["by_time", "layer_lines", "together"]
