"""How well the search predicts times: some 400 kernels of eleven categories, predicted against emulated.

    python benchmarks/predicted_times.py                                   all chips, two processes
    python benchmarks/predicted_times.py --target ascend910b --every 5     a sample

Tile sizes are as predicted (`tune=1`), times cold and with launches. A graph of several kernels counts as one: what a
kernel finds in L2 that the one before left there is not predicted, so such a graph may be faster. Printed for each chip
are how many are within 10 %, the geometric mean and the worst of the factors, and the worst graphs by name. Exit code 1
where fewer than 90 % are within 10 %, or a factor is above 1.5.
"""

# pyright: basic

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log

from kernel_list import Kernel
from kernel_runs import over_kernels

NEAR, SHARE, WORST = 1.10, 0.90, 1.5
SHOWN = 12


@dataclass(frozen=True)
class Found:
    """Predicted and emulated µs, or why there are none."""

    category: str
    name: str
    predicted: float = 0.0
    emulated: float = 0.0
    kernels: int = 0
    error: str = ""

    @property
    def factor(self) -> float:
        return self.predicted / self.emulated

    @property
    def off(self) -> float:
        return max(self.factor, 1 / self.factor)


def measure(kernel: Kernel, chip: str) -> Found:
    import ascend_opt
    from ascend_opt.passes.fusion.report import FusionReport

    try:
        program = ascend_opt.compile(kernel.text, target=chip, tune=1)
    except ascend_opt.CompileError as error:
        return Found(kernel.category, kernel.name, error=str(error).splitlines()[0])
    profile = program.time()
    plans = [
        plan for report in program.reports if isinstance(report, FusionReport) for plan in report.to_json()
    ]
    predicted = sum(plan["time_us_after"] for plan in plans)
    return Found(kernel.category, kernel.name, predicted, profile.total_us, len(profile.kernels))


def _measure(work: tuple[Kernel, str]) -> Found:
    return measure(*work)


def summary(chip: str, found: Sequence[Found]) -> bool:
    """Print what was found on a chip; whether it meets the bars."""
    known = [one for one in found if not one.error]
    near = sum(one.off <= NEAR for one in known)
    worst = sorted(known, key=lambda one: -one.off)
    mean = exp(sum(log(one.off) for one in known) / max(1, len(known)))
    met = near >= SHARE * len(known) and worst[0].off <= WORST
    print(
        f"{chip}: {near} of {len(known)} within {NEAR - 1:.0%} ({near / len(known):.1%}; bar {SHARE:.0%}), mean factor "
        f"{mean:.3f}, worst {worst[0].off:.2f} (bar {WORST}): {'met' if met else 'MISSED'}"
    )
    for category in dict.fromkeys(one.category for one in known):
        own = [one for one in known if one.category == category]
        inside = sum(one.off <= NEAR for one in own)
        print(f"    {category:22}{inside:4} of {len(own):3}, worst {max(one.off for one in own):.2f}")
    for one in worst[:SHOWN]:
        print(
            f"        {one.factor:5.2f}  {one.predicted:9.1f} {one.emulated:9.1f} us  {one.kernels} kernels  "
            f"{one.category}: {one.name}"
        )
    for one in found:
        if one.error:
            print(f"        no kernel  {one.category}: {one.name}: {one.error}")
    return met


def main(arguments: Iterable[str] | None = None) -> int:
    return over_kernels(__doc__ or "", 1, _measure, summary, arguments)


if __name__ == "__main__":
    sys.exit(main())
