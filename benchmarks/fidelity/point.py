"""A published measurement, and what the emulator predicts for the kernel that it was taken from."""

from collections.abc import Sequence
from dataclasses import dataclass

from ascend_programs import Program

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.profile.profile import KernelProfile, Profile

CHIP = "ascend910b1"
EVENTS = (0, 1)


@dataclass(frozen=True)
class Point:
    """`published` and `predicted` in `unit`; `bar`: the largest error, as a share of what was published."""

    name: str
    published: float
    predicted: float
    unit: str
    bar: float
    note: str = ""

    @property
    def error(self) -> float:
        return self.predicted / self.published - 1


def program(cores: int, core: str, chip: str = CHIP) -> Program:
    return Program(cores=cores, target=chip, core=core)


def timed(p: Program) -> Profile:
    """One run with time only."""
    return p.emulator().time_only("main")


def launched(p: Program) -> Sequence[KernelProfile]:
    """The launches of one run with time only."""
    return timed(p).kernels


def active(profile: Profile, pipe: str) -> float:
    """µs that a pipe works, mean over the cores, with its latencies."""
    return profile.kernels[0].pipes[pipe].active_us


def task(profile: Profile, scale: float = 1.0, chip: str = CHIP) -> float:
    """µs of a process's first launch of a kernel, whose steady state is `scale` times as long."""
    return duration(profile.kernels[0], scale, chip)


def duration(kernel: KernelProfile, scale: float = 1.0, chip: str = CHIP) -> float:
    """As `task`, of one launch of a run."""
    return kernel.time_us * scale + kernel.launch_us + load_target(chip).cold_us


def cycles(us: float, chip: str = CHIP) -> float:
    return us * load_target(chip).clock_mhz
