"""How far a predicted time may be off: intervals that hold `SHARE` of the times that boards were measured with.

What is known of it are the residuals of published kernels (benchmarks/fidelity), by regime: `FILE`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .profile import KernelProfile

FILE = Path(__file__).with_suffix(".toml")
SHARE = 0.8
"""Of the times published for kernels that the clock was not made from, what an interval holds."""
SHORT_US = 25.0
HEAVY = 0.6
"""Share of a kernel's time from which on the unit that computes bounds it."""
REGIMES = ("copy", "Cube", "Vector", "short", "950")
NOT_VALIDATED = "not validated"
"""Said of times on a chip that no kernel was measured on."""
Interval = tuple[float, float]


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text())


def validated(chip: str) -> bool:
    """Whether kernels were measured on the chip, or on one that differs from it in counts and clocks alone."""
    return chip in _data()["chips"]


@cache
def regimes() -> Mapping[str, Interval]:
    """The quantiles of published over predicted time by regime."""
    return {name: (row["low"], row["high"]) for name, row in _data()["regimes"].items()}


def regime_of(kernel: "KernelProfile", chip: str, time_us: float) -> str:
    """`short` (`time_us` below `SHORT_US`), `950` (a longer kernel of that chip), or what bounds it: `Cube`, `Vector`,
    `copy`."""
    if time_us < SHORT_US:
        return "short"
    if chip.startswith("ascend950"):
        return "950"
    active = {"Cube": 0.0, "Vector": 0.0}
    for name, pipe in kernel.pipes.items():
        unit = {"M": "Cube", "V": "Vector"}.get(name.split()[-1])
        if unit is not None:
            active[unit] = max(active[unit], pipe.active_us)
    unit = max(active, key=lambda one: active[one])
    return unit if active[unit] >= HEAVY * kernel.time_us else "copy"


def interval_of_quantiles(time_us: float, quantiles: Interval) -> Interval:
    low, high = quantiles
    return time_us * low, time_us * high


def interval_of(kernels: "Sequence[KernelProfile]", chip: str) -> Interval | None:
    """Where the time of launches with their launch costs lies, µs: all of them may be off to one side. None on a chip
    that is not validated."""
    if not validated(chip):
        return None
    low = high = 0.0
    for kernel in kernels:
        time = kernel.time_us + kernel.launch_us
        one = interval_of_quantiles(time, regimes()[regime_of(kernel, chip, time)])
        low, high = low + one[0], high + one[1]
    return low, high
