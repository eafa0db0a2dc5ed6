"""What the pipes of a core do for a kernel, in the order of its program: loops around stages, and the buffers in which
stages hand on what they give.

    Schedule(Loop(4096, (
        Stage("MTE2", 300, 600, writes=("in",), hbm=280),
        Stage("V", 250, 22, reads=("in",), writes=("out",)),
        Stage("MTE3", 150, 90, reads=("out",), hbm=70),
    )), slots={"in": 2, "out": 2})

A form states its kernel's schedule, and the clock (`cost/clock.py`) says how long that takes.
"""

from collections.abc import Mapping

from ...dialects.records import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """Work of one pipe, for which it is busy so many `cycles`; others see it `latency` later. It begins when the pipe
    is free, all that it reads is there and a slot of all that it writes is free; a slot is free again when all that
    read it are through. Pipes of other cores have names of their own, and a hand-over to them is part of the latency.

    `hbm`: cycles of HBM for what all cores at work ask for at once. A stage that reads GM, and so writes a buffer,
    takes at least as long; what others write is in L2 and goes to HBM between two reads. `ahead`: so many trips of its
    loop it is issued before the rest of the body.
    """

    pipe: str
    cycles: float
    latency: float = 0.0
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    hbm: float = 0.0
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Loop:
    """A body that is run so often."""

    trips: int
    body: "tuple[Stage | Loop, ...]"


@dataclass(frozen=True, slots=True)
class Schedule:
    """A program, and in how many `slots` each buffer is, which one stage writes."""

    body: Loop
    slots: Mapping[str, int]


__all__ = ["Loop", "Schedule", "Stage"]
