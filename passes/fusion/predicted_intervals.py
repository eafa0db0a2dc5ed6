"""Intervals of times that were predicted before there is a profile: by each kernel's operations at their peak."""

from collections.abc import Sequence

from ...runtime.machine.error_bars import Interval, alike, interval_of, regime_by_share, validated
from .kernel_record import Intervals
from .model_totals import KernelTime, ModelTotals
from .plan import FusionPlan

INSIDE = "the difference lies inside the interval of the prediction"


def interval_of_kernel(kernel: KernelTime, chip: str) -> Interval | None:
    """Where a kernel's time lies, µs; None on a chip that is not validated."""
    share = kernel.unit_us / kernel.time_us if kernel.time_us else 0.0
    return interval_of(kernel.time_us, regime_by_share(kernel.time_us, kernel.unit, share, chip), chip)


def interval_of_kernels(kernels: Sequence[KernelTime], chip: str) -> Interval | None:
    """Where the time of all of them lies, µs, if all are off to one side; None on a chip that is not validated."""
    if not validated(chip):
        return None
    known = [end for kernel in kernels if (end := interval_of_kernel(kernel, chip)) is not None]
    return sum(low for low, _ in known), sum(high for _, high in known)


def plan_intervals(plan: FusionPlan, totals: ModelTotals | None) -> Intervals:
    """Where the time of each kernel of a plan lies, µs, by its name; nothing where one of them has no time."""
    if totals is None or totals.after is None:
        return {}
    found = (interval_of_kernel(kernel, totals.chip) for kernel in totals.after.times)
    return dict(zip(plan.names, found, strict=True))


def lies_inside(apart_us: float, fused_us: float, chip: str) -> bool:
    """Whether a prediction does not tell fused from unfused: one time lies in the interval of the other, that of
    a kernel bound by copies. Never on a chip that is not validated."""
    apart, fused = (
        interval_of(us, regime_by_share(us, "Vector", 0.0, chip), chip) for us in (apart_us, fused_us)
    )
    return alike(apart_us, apart, fused_us, fused)


__all__ = ["INSIDE", "interval_of_kernel", "interval_of_kernels", "lies_inside", "plan_intervals"]
