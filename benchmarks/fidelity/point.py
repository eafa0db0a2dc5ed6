"""A published measurement, and what the emulator predicts for the kernel that it was taken from."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ascend_programs import Program

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.machine.error_bars import regime_of
from ascend_opt.runtime.profile.profile import KernelProfile, Profile

CHIP = "ascend910b1"
EVENTS = (0, 1)


@dataclass(frozen=True)
class Point:
    """`published` and `predicted` in `unit`; `bar`: the largest error, as a share of what was published. `regime`: of a
    whole kernel's time, whose error bar it counts for (`regime_of`); "" for a pipe or a single instruction. `aside`:
    why it is printed and counts for nothing; "" where it counts."""

    name: str
    published: float
    predicted: float
    unit: str
    bar: float
    note: str = ""
    regime: str = ""
    aside: str = ""

    @property
    def error(self) -> float:
        return self.predicted / self.published - 1


Case = Callable[[], Iterator[Point]]
"""Runs one program, or a few that take no time, on the chips as `chip` gives them, and yields the points of it."""


@dataclass(frozen=True)
class Long:
    """A case that takes seconds, beside which others of its family are quick."""

    case: Case

    def __call__(self) -> Iterator[Point]:
        return self.case()


_CHANGED: dict[str, Target] = {}


def chip(name: str) -> Target:
    """The chip called `name`, as programs of points run on it: with the numbers of `changed`."""
    return _CHANGED.get(name) or load_target(name)


@contextmanager
def changed(chips: Mapping[str, Target]) -> Generator[None]:
    """Points of the chips named are predicted with these in their place."""
    before = dict(_CHANGED)
    _CHANGED.update(chips)
    try:
        yield
    finally:
        _CHANGED.clear()
        _CHANGED.update(before)


def program(cores: int, core: str, name: str = CHIP, launches: int = 1) -> Program:
    return Program(cores=cores, target=chip(name), core=core, launches=launches)


_WATCHED: list[list[Profile]] = []


@contextmanager
def watched() -> Generator[list[Profile]]:
    """The profiles of all programs that are timed meanwhile."""
    found: list[Profile] = []
    _WATCHED.append(found)
    try:
        yield found
    finally:
        _WATCHED.remove(found)


def timed(p: Program) -> Profile:
    """One run with time only."""
    profile = p.emulator().time_only("main")
    for found in _WATCHED:
        found.append(profile)
    return profile


def launched(p: Program) -> Sequence[KernelProfile]:
    """The launches of one run with time only."""
    return timed(p).kernels


def active(profile: Profile, pipe: str) -> float:
    """µs that a pipe works, mean over the cores, with its latencies."""
    return profile.kernels[0].pipes[pipe].active_us


def duration(kernel: KernelProfile, scale: float = 1.0, name: str = CHIP) -> float:
    """µs of a process's first launch of a kernel, whose steady state is `scale` times as long."""
    return kernel.time_us * scale + kernel.launch_us + chip(name).cold_us


def whole(
    name: str,
    published: float,
    kernel: KernelProfile,
    bar: float,
    note: str = "",
    scale: float = 1.0,
    on: str = CHIP,
) -> Point:
    """The point of a whole kernel's first launch on a chip; see `duration`."""
    time = duration(kernel, scale, on)
    return Point(name, published, time, "us", bar, note, regime_of(kernel, on, time))


def cycles(us: float, name: str = CHIP) -> float:
    return us * chip(name).clock_mhz
