"""How far a predicted time may be off: intervals that hold `SHARE` of the times that boards were measured with.

What is known of it are the residuals of published kernels (benchmarks/fidelity), by regime: `FILE`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

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


class Pipe(Protocol):
    @property
    def active_us(self) -> float: ...


class Launch(Protocol):
    """What a kernel's profile says that its interval depends on."""

    @property
    def time_us(self) -> float: ...
    @property
    def launch_us(self) -> float: ...
    @property
    def pipes(self) -> Mapping[str, Pipe]: ...
    @property
    def regime(self) -> str: ...


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


def regime_of(kernel: Launch, chip: str, time_us: float) -> str:
    """`short` (`time_us` below `SHORT_US`), `950` (a longer kernel of that chip), or what bounds it: `Cube`, `Vector`,
    `copy`."""
    active = {"Cube": 0.0, "Vector": 0.0}
    for name, pipe in kernel.pipes.items():
        unit = {"M": "Cube", "V": "Vector"}.get(name.split()[-1])
        if unit is not None:
            active[unit] = max(active[unit], pipe.active_us)
    unit = max(active, key=lambda one: active[one])
    share = active[unit] / kernel.time_us if active[unit] else 0.0
    return regime_by_share(time_us, unit, share, chip)


def regime_by_share(time_us: float, unit: str, share: float, chip: str) -> str:
    """The same of a kernel for that `share` of whose time the busier `unit` computes, `Cube` or `Vector`."""
    if time_us < SHORT_US:
        return "short"
    if chip.startswith("ascend950"):
        return "950"
    return unit if share >= HEAVY else "copy"


def interval_of(time_us: float, regime: str, chip: str) -> Interval | None:
    """Where a time of a regime lies, µs; None on a chip that is not validated."""
    if not validated(chip):
        return None
    low, high = regimes()[regime]
    return time_us * low, time_us * high


def interval_of_sum(kernels: Sequence[Launch], chip: str) -> Interval | None:
    """Where the time of launches with their launch costs lies, µs, if all of them are off to one side. None on a chip
    that is not validated."""
    ends = [interval_of(kernel.time_us + kernel.launch_us, kernel.regime, chip) for kernel in kernels]
    known = [end for end in ends if end is not None]
    if not validated(chip):
        return None
    return sum(low for low, _ in known), sum(high for _, high in known)


def alike(time_us: float, interval: Interval | None, other_us: float, other: Interval | None) -> bool:
    """Whether a prediction does not tell two times apart: one lies in the other's interval."""
    if interval is None or other is None:
        return False
    return interval[0] <= other_us <= interval[1] or other[0] <= time_us <= other[1]


def ends_text(interval: Interval | None) -> str:
    """An interval as `14.6–17.4`; what is said of a time on a chip that is not validated."""
    return NOT_VALIDATED if interval is None else "–".join(f"{end:,.1f}" for end in interval)
