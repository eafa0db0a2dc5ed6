"""What fusion gains over a baseline: times with and without launches, the part that launches have in it, HBM bytes."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.records import dataclass
from ...runtime.machine.error_bars import alike
from ...runtime.profile.profile import Profile

LEAST_SHARE = 0.0005
"""Share of the time or the bytes below which two programs are alike: what prints as 0.0 %."""


@dataclass(frozen=True)
class Gain:
    """A program against a baseline. Times in µs; `kernels_us`: without launches. `hbm_saved` is the share of the
    baseline's HBM bytes that the program does not move (negative: it moves more), `dma_saved` likewise of what DMA and
    FixPipe move to and from GM. `alike`: the difference of the times lies inside what the prediction may be off."""

    time_us: float
    baseline_us: float
    kernels_us: float
    baseline_kernels_us: float
    hbm_saved: float
    dma_saved: float
    alike: bool = False

    @property
    def times(self) -> float:
        """How many times as fast."""
        return self.baseline_us / self.time_us

    @property
    def launch_share(self) -> float | None:
        """The part of the gain that comes from launches, None where nothing is gained."""
        gain = self.baseline_us - self.time_us
        if gain <= LEAST_SHARE * self.baseline_us:
            return None
        return (gain - (self.baseline_kernels_us - self.kernels_us)) / gain


def gain_over(profile: Profile, baseline: Profile) -> Gain:
    """What a program gains over a baseline, both run alike."""
    return Gain(
        profile.total_us,
        baseline.total_us,
        _kernels_us(profile),
        _kernels_us(baseline),
        _saved(_hbm(profile), _hbm(baseline)),
        _saved(_dma(profile), _dma(baseline)),
        alike(profile.total_us, profile.interval_us, baseline.total_us, baseline.interval_us),
    )


def _kernels_us(profile: Profile) -> float:
    return profile.total_us - sum(kernel.launch_us for kernel in profile.kernels)


def _hbm(profile: Profile) -> int:
    return profile.hbm_read_bytes + profile.hbm_write_bytes


def _dma(profile: Profile) -> int:
    return profile.dma_read_bytes + profile.dma_write_bytes


def _saved(after: int, before: int) -> float:
    return 1 - after / before if before else 0.0


GAIN_HEAD = ("fused against", "times as fast", "without launches", "gain by launches", "HBM bytes")


def gain_rows(titles: Sequence[str], gains: Sequence[Gain]) -> list[Sequence[str]]:
    """The cells of a table with a row for each baseline, its head first; `titles` are their names."""
    rows = ((title, *_cells(gain)) for title, gain in zip(titles, gains, strict=True))
    return [GAIN_HEAD, *rows]


def alike_lines(title: str, baselines: Sequence[str], gains: Sequence[Gain]) -> list[str]:
    """What is said of baselines that a program's predicted time does not tell it apart from."""
    near = [name for name, gain in zip(baselines, gains, strict=True) if gain.alike]
    if not near:
        return []
    return [
        "",
        f"  {title} against {' and '.join(near)}: the difference lies inside the interval of the prediction",
    ]


def _cells(gain: Gain) -> Sequence[str]:
    alone = gain.baseline_kernels_us / gain.kernels_us if gain.kernels_us > 0 else 0.0
    share = gain.launch_share
    launches = "no gain" if share is None else "all" if share >= 1 else f"{100 * share:.0f} %"
    return f"{gain.times:.2f}", f"{alone:.2f}" if alone else "", launches, _bytes(gain)


def _bytes(gain: Gain) -> str:
    if abs(gain.hbm_saved) >= LEAST_SHARE:
        return f"{100 * abs(gain.hbm_saved):.1f} % {'fewer' if gain.hbm_saved > 0 else 'more'}"
    return "the same: L2 holds the rest" if gain.dma_saved >= LEAST_SHARE else "the same"
