"""What the report says below the table of kernels: what held each one up, how far it is from its bound, and what
would help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...runtime.profile.findings import Bottleneck
from ...runtime.profile.profile import KernelProfile, launch_title


def advice_lines(kernels: Iterable[tuple[int, KernelProfile]], alone: bool) -> Iterator[str]:
    """Lines for some launches of a program, by number; `alone`: it has no others."""
    for number, kernel in kernels:
        title = kernel.name if alone else launch_title(number, kernel)
        yield f"  {title}: {_held_up(kernel.bottleneck)}; {_distance(kernel)}"
        for advice in kernel.advice:
            yield f"    {advice.rule}: {advice.evidence}"
            yield f"      helps: {advice.help}"


def held_text(found: Bottleneck) -> str:
    """What held a kernel up, with the share beside what was in use for it: `HBM 90%`, `waiting (V 45%)`."""
    if found.resource in ("waiting", "L2"):
        return f"{found.resource} ({found.pipe} {found.share:.0%})"
    return f"{found.resource} {found.share:.0%}"


def _held_up(found: Bottleneck) -> str:
    share = f"{found.share:.0%} of the time"
    match found.resource:
        case "waiting":
            return f"no resource is in use for most of the time, {found.pipe} the longest ({share})"
        case "launch":
            return f"limited by its launch ({share})"
        case "L2":
            return f"limited by reads from L2 ({found.pipe}, active {share})"
        case "HBM":
            return f"limited by HBM (in use {share})"
        case "scalar":
            return f"limited by the scalar unit (issues {share})"
        case resource:
            return f"limited by {resource} (active {share})"


def _distance(kernel: KernelProfile) -> str:
    return ", ".join(_times(kernel)) or "its bound is 0"


def _times(kernel: KernelProfile) -> Iterator[str]:
    """How many times its bounds a kernel takes."""
    if kernel.bound_us:
        yield f"{kernel.time_us / kernel.bound_us:.2f} x its bound ({kernel.limit})"
    if kernel.graph_bound_us:
        yield f"{kernel.time_us / kernel.graph_bound_us:.2f} x that of its ops ({kernel.graph_limit})"
