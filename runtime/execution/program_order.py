"""The values of cores whose races were checked, in program order: one group after the other, on the same memories.

In a program without races the pipes' order gives the same bytes, so the clock runs first, without values, and finds
what is wrong between cores; what is left is computed here. What an instruction needs to run on a memory is then made
once for all cores, and their bytes stay in the caches of the machine.
"""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from ...dialects.records import dataclass
from ..hazards.stream_races import CheckedStream, Turn
from ..machine.memory import BOUND_LIMIT, Bytes, CoreMemory
from ..poison.shadow import Activity, Origins, Tracker
from ..program.instruction import GM
from ..program.storage import Storage
from ..program.streams import CoreStream, Offsets
from .core_pool import CoreSet


@dataclass(frozen=True, slots=True)
class OrderedCore:
    """A core: of which kind, its place among the memories of that kind, what it runs."""

    kept: CoreSet
    place: int
    decoding: str
    stream: CoreStream
    checked: CheckedStream


@dataclass(frozen=True, slots=True)
class OrderedGroup:
    """Cores that hand data to each other, and the turns that they take."""

    cores: tuple[OrderedCore, ...]
    turns: tuple[Turn, ...]


@dataclass(slots=True)
class _Seat:
    """Where the cores at one position of their groups run: the memory, its labels, what instructions bound to it."""

    memory: CoreMemory
    tracker: Tracker
    local: dict[int, Any]
    gm: dict[int, Any] = field(default_factory=dict[int, Any])


def compute_values(groups: Sequence[OrderedGroup], tensors: Sequence[Storage], origins: Origins) -> None:
    """Run the instructions of all groups on the bytes of `tensors`, labels included."""
    storages = [tensor.data for tensor in tensors]
    seats: list[_Seat] = []
    for group in groups:
        if not seats:
            seats = [_seat(core, tensors, origins) for core in group.cores]
            _join(seats)
        activity = seats[0].tracker.activity
        activity.labels, activity.state = False, 0
        for core in group.cores:
            core.kept.memory(core.place, False)
            core.kept.shadow(core.place)
        passes = [(core.stream.requests(), core.checked.accesses()) for core in group.cores]
        for position, start, end in group.turns:
            plan, (offsets, accesses) = group.cores[position].stream.plan, passes[position]
            steps = plan.steps_between(start, end)
            _run(seats[position], steps, offsets, accesses, storages, activity)


def _seat(core: OrderedCore, tensors: Sequence[Storage], origins: Origins) -> _Seat:
    memory = core.kept.memory(core.place, False)
    tracker = Tracker(core.kept.shadow(core.place), memory, tensors, origins)
    return _Seat(memory, tracker, memory.bound_by(core.decoding))


def _join(seats: Sequence[_Seat]) -> None:
    """These are the cores of one group, in order."""
    memories, trackers = [seat.memory for seat in seats], [seat.tracker for seat in seats]
    for seat in seats:
        seat.memory.group = memories
        seat.tracker.activity = trackers[0].activity
        seat.tracker.shadow.join([tracker.shadow for tracker in trackers])


def _run(
    seat: _Seat,
    steps: Sequence[Any],
    offsets: Sequence[Offsets],
    accesses: Sequence[Any],
    storages: Sequence[Bytes],
    activity: Activity,
) -> None:
    """Run instructions of one core in order. Of those on GM, by pipe: `offsets`, and `accesses`, what the check
    found."""
    memory, tracker, local, gm = seat.memory, seat.tracker, seat.local, seat.gm
    execute, transfer = tracker.execute, tracker.transfer
    for instruction in steps:
        if instruction.kind != GM:
            if activity.labels or instruction.labels:
                execute(instruction)
            if instruction.bind is None:
                continue
            action = local.get(instruction.id)
            if action is None:
                if len(local) > BOUND_LIMIT:
                    local.clear()
                action = local[instruction.id] = instruction.bind(memory, storages, 0)
            action()
        else:
            pipe: int = instruction.pipe
            offset = next(offsets[pipe])
            action = gm.get(instruction.id)
            if action is None:
                action = gm[instruction.id] = instruction.bind(memory, storages, 0)
            action(offset)
            transfer(instruction, offset, next(accesses[pipe])[2])
