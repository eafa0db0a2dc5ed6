"""How far a predicted time may be off, from the points of whole kernels: quantiles by regime, and their coverage.

A point that a number was taken from counts as it is predicted without it. The file that the package reads is
`runtime/machine/error_bars.toml`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median

import numpy as np

from ascend_opt.runtime.machine.error_bars import FILE, REGIMES, SHARE
from fidelity.provenance import FAMILIES

OTHERS = 3.0
"""Residuals that all other regimes together count as, in each regime."""


@dataclass(frozen=True)
class Residual:
    """The logarithm of published over predicted time of a point, and the run that it is of."""

    point: str
    run: int
    regime: str
    value: float


@dataclass(frozen=True)
class Coverage:
    """Of intervals made without the run that they are tried on: the share that holds what was published, and the median
    of half their widths, as a share of the time."""

    points: int
    held: float
    half_width: float


def quantiles(regime: str, residuals: Sequence[Residual]) -> tuple[float, float]:
    """The lower and the upper quantile of a regime, as factors of a predicted time: 1 lies between them."""
    others = sum(one.regime != regime for one in residuals)
    ordered = sorted(residuals, key=lambda one: one.value)
    weights = np.array([1.0 if one.regime == regime else OTHERS / others for one in ordered])
    places = (np.cumsum(weights) - weights / 4) / (weights.sum() + 0.5)
    tail = (1 - SHARE) / 2
    low, high = np.interp([tail, 1 - tail], places, [one.value for one in ordered])
    return exp(min(0.0, float(low))), exp(max(0.0, float(high)))


def coverage(residuals: Sequence[Residual], regime: str = "") -> Coverage:
    """Over all points, or those of one regime."""
    held, widths = 0, list[float]()
    for one in residuals:
        if regime and one.regime != regime:
            continue
        low, high = quantiles(one.regime, [other for other in residuals if other.run != one.run])
        widths.append((high - low) / 2)
        held += log(low) <= one.value <= log(high)
    return Coverage(len(widths), held / len(widths) if widths else 0.0, median(widths) if widths else 0.0)


def table(residuals: Sequence[Residual]) -> Iterator[str]:
    """The intervals of each regime as a table of Markdown."""
    yield "| regime | points | interval of 100 µs | held, on points left out |"
    yield "|---|---|---|---|"
    for regime in REGIMES:
        low, high = (100 * factor for factor in quantiles(regime, residuals))
        tried = coverage(residuals, regime)
        held = f"{100 * tried.held:.0f} %" if tried.points else ""
        yield f"| {regime} | {tried.points} | {low:.1f} to {high:.1f} µs | {held} |"


def file_text(residuals: Sequence[Residual]) -> str:
    """What `FILE` says."""
    chips = ", ".join(f'"{name}"' for names in FAMILIES.values() for name in names)
    lines = [
        "# Quantiles of published over predicted times of whole kernels, by regime, and the chips that they are of.",
        "# Made by `python benchmarks/fidelity.py --write`.",
        f"chips = [{chips}]",
    ]
    for regime in REGIMES:
        low, high = quantiles(regime, residuals)
        lines += ["", f'[regimes."{regime}"]', f"low = {low:.3f}", f"high = {high:.3f}"]
    return "\n".join(lines) + "\n"


def write(residuals: Sequence[Residual]) -> None:
    FILE.write_text(file_text(residuals))
