"""What of the chip is in use: over a program, and over time in `BINS` bins of equal length.

    ai_core   cores that are at work, of all cores, Cube and Vector (of a split chip each counts)
    cube      Cube units that are busy, of all          vector   Vector units, likewise
    hbm       bytes that HBM moves, of what it could    l2       bytes between cores and L2, both directions

The time of launches is in it, in which nothing is at work but HBM, perhaps. What was noted of a launch (`LaunchUsage`)
are sums up to equally spaced moments, `STEPS` of them, so that launches of any number take little room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ..machine.limits import port_rates
from ..support.late import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...dialects.target_types import Target

BINS = 200
STEPS = 256
"""Moments of a launch at which sums are known: more than bins, as none is longer than its program."""
CORES, BYTES = ("ai_core", "cube", "vector"), ("hbm", "l2")
TITLES = {
    "ai_core": "AI cores",
    "cube": "Cube",
    "vector": "Vector",
    "hbm": "HBM bandwidth",
    "l2": "L2 bandwidth",
}
Interval = tuple[float, float, float]
"""From, to, and how much was used evenly between."""


@dataclass(frozen=True)
class Used:
    """How much of something was used from a moment on: `sums` up to equally spaced moments, the last one after
    `length` cycles."""

    length: float
    sums: NDArray[Any]

    def until(self, moments: NDArray[Any]) -> NDArray[Any]:
        """How much up to some moments."""
        steps = np.linspace(0.0, self.length, len(self.sums))
        return np.interp(moments, steps, self.sums)


LaunchUsage = Mapping[str, Used]


@dataclass(frozen=True)
class Utilisation:
    """Shares of what the chip has, by name (`TITLES`): `mean` over the program, `curves` in bins of `bin_us` µs.
    `peaks`: what a share of 1 is, cores or bytes/µs. `left_bytes`: what HBM moves after the end of the program, which
    is in no bin. A share times its peak and the length of its bin, summed, is what the profile counts."""

    bin_us: float
    mean: Mapping[str, float]
    curves: Mapping[str, tuple[float, ...]]
    peaks: Mapping[str, float]
    left_bytes: float = 0.0


def used_over_time(intervals: Sequence[Interval], start: float) -> Used:
    """Sums of what intervals use, from `start` to the end of the last one."""
    if not intervals:
        return Used(0.0, np.zeros(2))
    begun, ended, much = np.asarray(intervals, np.float64).T
    begun, ended = begun - start, ended - start
    length = float(ended.max())
    moments = np.linspace(0.0, length, STEPS + 1)
    lasting = ended > begun
    rates = much[lasting] / (ended[lasting] - begun[lasting])
    times = np.concatenate([begun[lasting], ended[lasting]])
    changes = np.concatenate([rates, -rates])
    order = np.argsort(times, kind="stable")
    times, changes = times[order], changes[order]
    rate = np.concatenate([[0.0], np.cumsum(changes)])
    past = np.concatenate([[0.0], np.cumsum(changes * times)])
    place = np.searchsorted(times, moments, side="right")
    sums = rate[place] * moments - past[place]
    points, order = begun[~lasting], np.argsort(begun[~lasting])
    at_once = np.concatenate([[0.0], np.cumsum(much[~lasting][order])])
    sums += at_once[np.searchsorted(points[order], moments, side="right")]
    sums[-1] = much.sum()
    return Used(length, np.maximum.accumulate(sums))  # rounding lets none fall


def peaks(target: Target) -> dict[str, float]:
    """The most that the chip has of everything: cores, or bytes/µs."""
    kinds = ("aic", "aiv") if target.split else ("aicore",)
    return {
        "ai_core": float(sum(target.cores_of(kind) for kind in kinds)),
        "cube": float(target.cores_of(kinds[0])),
        "vector": float(target.cores_of(kinds[-1])),
        "hbm": target.memory.hbm_chip * target.clock_mhz,
        "l2": sum(port_rates(target, kinds)) * target.clock_mhz,
    }


def utilisation(
    target: Target, launches: Sequence[tuple[float, LaunchUsage]], total_us: float
) -> Utilisation:
    """The curves of a program of so many µs, from when its launches began, in cycles, and what was noted of them."""
    cycles = total_us * target.clock_mhz
    edges = np.linspace(0.0, cycles, BINS + 1)
    most, start = peaks(target), launches[0][0] if launches else 0.0
    sums = {name: np.zeros(BINS + 1) for name in most}
    whole = dict.fromkeys(most, 0.0)
    for begun, usage in launches:
        for name, used in usage.items():
            sums[name] += used.until(edges - (begun - start))
            whole[name] += float(used.sums[-1])
    scale = {name: 1.0 if name in BYTES else 1 / target.clock_mhz for name in most}
    curves: dict[str, tuple[float, ...]] = {}
    mean: dict[str, float] = {}
    for name, until in sums.items():
        share = np.diff(until) * scale[name] / (most[name] * total_us / BINS) if total_us else np.zeros(BINS)
        curves[name] = tuple(float(one) for one in share)
        mean[name] = float(share.mean())
    left = whole["hbm"] - float(sums["hbm"][-1])
    return Utilisation(total_us / BINS, mean, curves, most, max(left, 0.0))


__all__ = [
    "BINS",
    "BYTES",
    "TITLES",
    "Interval",
    "LaunchUsage",
    "Used",
    "Utilisation",
    "peaks",
    "used_over_time",
    "utilisation",
]
