"""Races of a core checked on its instruction stream, before it runs: once for all cores with the same stream.

Whether two accesses are ordered depends on flags and barriers alone, not on the clock, so program order will do as well
as the order of execution, as long as every flag is set before it is waited for. Cores of one launch mostly run the same
instructions on other parts of the tensors; what remains for each of them is GM (`gm_races`), for which the check leaves
what every GM access knew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..dialects.target import PIPES
from .hazard import HazardError
from .instruction import BARRIER, BARRIER_ALL, GM, INDEX, LOCAL, SCALAR, SET, UNIT, WAIT
from .memory import Array
from .races import CoreRaces, flag_text

Items = Sequence[tuple[Any, int]]
"""A stream: instructions, and the offset in GM of those that have one."""
Known = tuple[int, list[int], Array | None]
"""Of a GM access: its number on its pipe, how far the pipe knows every pipe to be complete, and which of the bytes that
it stores nothing wrote (`Written.holes`)."""


@dataclass(frozen=True)
class CheckedStream:
    """What each pipe's GM accesses knew, in order; a hazard that counts once the core has finished, if any."""

    gm: tuple[tuple[Known, ...], ...]
    late: HazardError | None

    def accesses(self) -> list[Iterator[Known]]:
        """One pass over the GM accesses of each pipe."""
        return [iter(known) for known in self.gm]


def signature(items: Items) -> tuple[int, ...]:
    """Equal for streams of the same instructions."""
    return tuple([item[0].id for item in items])


def check_stream(items: Items, races: CoreRaces) -> CheckedStream | None:
    """Check a stream in program order; `HazardError` on a race, None where a flag is waited for before it is set."""
    gm = [list[Known]() for _ in PIPES]
    execute, count, known = races.execute, races.count, races.known
    for instruction, _ in items:
        kind: int = instruction.kind
        if kind == LOCAL:
            execute(instruction)
        elif kind == UNIT or instruction.unit:
            if not races.unit_flag(instruction):
                return None
            if kind == GM:
                fix: int = instruction.pipe
                gm[fix].append((count[fix], known[fix].copy(), None))
        elif kind == GM:
            execute(instruction)
            pipe: int = instruction.pipe
            gm[pipe].append((count[pipe], known[pipe].copy(), races.written.take_holes()))
        elif kind == SET:
            if instruction.flag in races.raised:
                return None
            races.set_flag(instruction)
        elif kind == WAIT:
            if instruction.flag not in races.raised:
                return None
            races.wait_flag(instruction)
            if instruction.pipe == SCALAR:
                snapshot = races.scalar_knowledge()
                for pipe in range(len(PIPES)):
                    races.join(pipe, snapshot)
        elif kind == BARRIER:
            races.barrier(instruction.pipe)
        elif kind == BARRIER_ALL:
            races.barrier_all()
        elif kind == INDEX:  # from a tensor that the kernel does not write
            continue
        else:
            return None
    return CheckedStream(tuple(map(tuple, gm)), late_hazard(races))


def late_hazard(races: CoreRaces) -> HazardError | None:
    """What is wrong once a core has finished: bytes read that nothing wrote, a flag left up."""
    if races.written.unwritten is not None:
        return races.written.unwritten
    left = races.left_set()
    if left is None:
        return None
    key, instruction = left
    return HazardError(
        "flag-left-set",
        f"the kernel ends with flag {flag_text(key)} up",
        instructions=(instruction.site.reference(),),
    )
