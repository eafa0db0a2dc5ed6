"""Fused kernels that take longer than the kernels of a baseline that compute the same: what fusion cost, on the clock.

The parts ran in their own program: there L2 holds what they hand each other. Both programs began alike, so what HBM
read for the parts and for the kernel is said beside their times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...runtime.profile.profile import Profile, launch_title
from ..checks.parts_apart import part_name
from .matched_kernels import has_kinds, matched, merged
from .run_gain import LEAST_SHARE
from .slower_causes import whole
from .text_table import bytes_text, share_text, time_text


@dataclass(frozen=True)
class FusionLoss:
    """Launches of the fused program that take longer than their parts in the one called `baseline`: `title` and `ops`
    name them, `parts` are the nodes or lines of each part. Times in µs, launches included. Bytes are those read from
    HBM. `without_us`: what the program takes with the parts as kernels of their own (None: not tried)."""

    numbers: tuple[int, ...]
    title: str
    ops: str
    baseline: str
    parts: tuple[tuple[str, ...], ...]
    time_us: float
    parts_us: float
    hbm_bytes: int
    parts_hbm_bytes: int
    l2_hit_rate: float
    parts_l2_hit_rate: float
    total_us: float
    without_us: float | None = None

    @property
    def marks(self) -> str:
        """What sets the parts apart, in the words of graphs."""
        return "; ".join(
            f'{{nofuse = "{part_name(self.numbers[0], i)}"}} at {", ".join(sources)}'
            for i, sources in enumerate(self.parts)
            if sources
        )

    def lines(self, warm: bool) -> Iterator[str]:
        """The loss in words; `warm`: L2 was, at the start of both."""
        ran = "runs" if len(self.numbers) == 1 else f"and {len(self.numbers) - 1} more run"
        start = "warm" if warm else "cold"
        yield (
            f"{self.title}, {self.ops}: {ran} {time_text(self.time_us)}, its {len(self.parts)} parts, {self.baseline}, "
            f"{time_text(self.parts_us)}, launches included"
        )
        yield (
            f"  of HBM it reads {bytes_text(self.hbm_bytes)} (L2 hit rate {share_text(self.l2_hit_rate)}), the parts "
            f"{bytes_text(self.parts_hbm_bytes)} ({share_text(self.parts_l2_hit_rate)}): L2 was {start} when both "
            "programs began, and holds what parts hand each other"
        )
        if self.without_us is not None:
            yield (
                f"  the program with the parts apart (--save-plan-apart) takes {time_text(self.without_us)}, as it is "
                f"{time_text(self.total_us)}"
            )
        yield f"  apart by marks: {self.marks}"


def fusion_losses(fused: Profile, baselines: Sequence[tuple[str, Profile]]) -> list[FusionLoss]:
    """What is slower fused than in one of the `baselines`, each with its name; of several the fastest one counts. The
    largest loss first."""
    found: dict[tuple[int, ...], FusionLoss] = {}
    for title, baseline in baselines:
        for loss in _losses(fused, baseline, title):
            known = found.get(loss.numbers)
            if known is None or loss.parts_us < known.parts_us:
                found[loss.numbers] = loss
    return sorted(found.values(), key=lambda one: one.parts_us - one.time_us)


def _losses(fused: Profile, baseline: Profile, title: str) -> Iterator[FusionLoss]:
    split = has_kinds(fused, baseline)
    for one in matched(baseline.kernels, fused.kernels, sourced=True):
        parts, kernel = merged(baseline, one.before, split), merged(fused, one.after, split)
        if parts is None or kernel is None or len(one.before) <= len(one.after):
            continue
        if any(fused.kernels[i].parts for i in one.after):  # what one of its kernels takes is not known
            continue
        if whole(kernel) <= (1 + LEAST_SHARE) * whole(parts):
            continue
        yield FusionLoss(
            one.after,
            launch_title(one.after[0], fused.kernels[one.after[0]]),
            bare_names(kernel.ops),
            title,
            tuple(baseline.kernels[i].sources for i in one.before),
            whole(kernel),
            whole(parts),
            kernel.hbm_read_bytes,
            parts.hbm_read_bytes,
            kernel.l2_hit_rate,
            parts.l2_hit_rate,
            fused.total_us,
        )


def loss_lines(losses: Sequence[FusionLoss], warm: bool) -> list[str]:
    """What the report says of them."""
    if not losses:
        return []
    return ["", "slower than their parts:", *(f"  {line}" for one in losses for line in one.lines(warm))]


def losses_json(losses: Sequence[FusionLoss]) -> list[dict[str, Any]]:
    """The same as dictionaries."""
    return [{**asdict(one), "marks": one.marks} for one in losses]


__all__ = ["FusionLoss", "fusion_losses", "loss_lines", "losses_json"]
