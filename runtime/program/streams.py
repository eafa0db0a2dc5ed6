"""The instruction stream of a core as its clock takes it: runs of instructions that go to one pipe.

A core's stream depends on its block index and on the numbers that the kernel takes, not on data, unless the kernel
takes indices from a tensor. Most cores of a launch run the same instructions on other parts of the tensors, so a stream
is two things: what many of them share, and each core's own offsets in GM.

    mte2: wait_flag, copy, copy, set_flag      a run: the scalar unit issues it in one go
    mte1: wait_flag, load2d, load2d, set_flag
"""

from array import array
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from .instruction import BARRIER_ALL, GM, INDEX, LOCAL, SCALAR, STEP, TRIP, UNIT, Instruction, Trip
from .kernel_program import KernelProgram, Stream

HELD = -1
"""In the place of a run's pipe: its one instruction holds the scalar unit itself."""
_KEPT = 1 << 21
"""Instructions of streams that a kernel keeps."""
_COUNTED = (LOCAL, GM, UNIT, INDEX, STEP)

Run = tuple[int, tuple[Any, ...], tuple[float, ...], float]
"""A pipe, what goes to it, the cycles of the scalar unit until each is issued after the one before, and in all."""
Offsets = Iterator[int]
"""In order, where the GM requests of one pipe begin, in bytes of their tensors."""


@dataclass(frozen=True, slots=True, eq=False)
class StreamPlan:
    """What cores with the same instructions share. `steps` are the instructions that change bytes, `positions` where
    they are in the stream; `times`: how often each instruction is executed that takes time of its own."""

    instructions: tuple[Any, ...]
    runs: tuple[Run, ...]
    steps: tuple[Any, ...]
    positions: "array[int]"
    times: tuple[tuple[Instruction, int], ...]
    scalar: float
    """Cycles of the scalar unit."""
    crowded: frozenset[int]
    """Pipes that more is issued to than their queues hold."""

    def steps_between(self, start: int, end: int) -> Sequence[Any]:
        """Those of `steps` that are from `start` on in the stream, and before `end`."""
        if end - start == len(self.instructions):
            return self.steps
        return self.steps[bisect_left(self.positions, start) : bisect_left(self.positions, end)]


@dataclass(frozen=True, slots=True, eq=False)
class CoreStream:
    """The stream of one core: `offsets` in GM, by pipe and in the order of its requests there."""

    plan: StreamPlan
    offsets: "tuple[array[int], ...]"

    def runs(self) -> Iterator[Run]:
        """One pass over the runs."""
        return iter(self.plan.runs)

    def requests(self) -> list[Offsets]:
        """One pass over the offsets of each pipe."""
        return [iter(of_pipe) for of_pipe in self.offsets]

    @property
    def crowded(self) -> Collection[int]:
        """The pipes that more is issued to than their queues hold."""
        return self.plan.crowded

    @property
    def issued(self) -> float:
        """Cycles of the scalar unit once it is at the end."""
        return self.plan.scalar


def _ends_run(instruction: Instruction, following: Instruction, issue: float, target: Target) -> bool:
    """Whether what follows an instruction is no part of its run. It is one if the instruction keeps the pipe busy for
    as long as issuing the next one takes, `issue` cycles: that one then starts when the pipe is free, whenever it was
    issued. The scalar unit waits for its own pipe, and what the unit flag wakes goes first."""
    if following.kind >= BARRIER_ALL or following.pipe != instruction.pipe:
        return True
    if instruction.pipe == SCALAR or instruction.unit:
        return True
    if instruction.gm is not None:
        return instruction.gm.path.issue < issue
    busy = instruction.busy if instruction.kind in (LOCAL, UNIT) else target.scalar.flag
    return busy < issue


def _runs(
    instructions: tuple[Instruction, ...], issues: Sequence[float], target: Target, known: dict[Run, Run]
) -> tuple[Run, ...]:
    """The runs of a stream, `issues` the cycles of the scalar unit for each instruction; loops repeat them, so equal
    ones are one object."""
    found: list[Run] = []
    start = 0
    for end, instruction in enumerate(instructions, 1):
        held = instruction.kind >= BARRIER_ALL
        if held or end == len(instructions) or _ends_run(instruction, instructions[end], issues[end], target):
            taken = tuple(issues[start:end])
            run = HELD if held else instruction.pipe, instructions[start:end], taken, sum(taken)
            found.append(known.setdefault(run, run))
            start = end
    return tuple(found)


@dataclass(slots=True)
class Streams:
    """The streams of one kernel that are known so far, for the instructions of one resolver."""

    target: Target
    plans: dict[tuple[int, ...], StreamPlan] = field(default_factory=dict[tuple[int, ...], StreamPlan])
    _of: dict[tuple[int, tuple[int, ...]], CoreStream] = field(
        default_factory=dict[tuple[int, tuple[int, ...]], CoreStream]
    )
    """By block index and numbers."""
    _runs: dict[Run, Run] = field(default_factory=dict[Run, Run])
    _room: int = _KEPT

    def get(self, block: int, numbers: Sequence[int]) -> CoreStream | None:
        """The stream of a block, if it is kept."""
        return self._of.get((block, tuple(numbers)))

    def add(self, program: KernelProgram, block: int, numbers: Sequence[int], items: Stream) -> CoreStream:
        """Take a stream; it is kept where no indices from tensors decide what it is."""
        listed = list(items)
        signature = tuple([instruction.id for instruction, _ in listed])
        plan = self.plans.get(signature)
        if plan is None:
            plan = self._plan([instruction for instruction, _ in listed])
            instructions = plan.instructions
            if self._room > 0:
                self._room -= len(instructions)
                self.plans[signature] = plan
        offsets = tuple([_none() for _ in PIPES])
        for instruction, offset in listed:
            if instruction.kind == GM:
                pipe: int = instruction.pipe
                offsets[pipe].append(offset)
        found = CoreStream(plan, offsets)
        if program.fixed and self._room > 0:
            self._room -= sum(map(len, offsets))
            self._of[block, tuple(numbers)] = found
        return found

    def _plan(self, listed: Sequence[Instruction | Trip]) -> StreamPlan:
        before, issues = 0.0, list[float]()
        found: list[Instruction] = []
        for one in listed:
            if isinstance(one, Trip):
                before += one.issue
            else:
                issues.append(before + one.issue)
                found.append(one)
                before = 0.0
        instructions = tuple(found)
        places = [at for at, one in enumerate(instructions) if one.kind in (LOCAL, GM, UNIT, STEP)]
        times = Counter(one.id for one in instructions if one.kind in _COUNTED)
        first = {one.id: one for one in instructions}
        runs = _runs(instructions, issues, self.target, self._runs)
        issued = Counter(one.pipe for one in instructions)
        return StreamPlan(
            instructions,
            runs,
            tuple([instructions[at] for at in places]),
            array("q", places),
            tuple((first[number], count) for number, count in times.items()),
            sum(issues),
            frozenset(pipe for pipe, count in issued.items() if count > self.target.scalar.queue_depth),
        )


def _none() -> "array[int]":
    return array("q")


@dataclass(slots=True)
class Passing:
    """A stream that is taken as it comes, instruction by instruction, because it may end in a hazard. What has passed
    is counted."""

    items: Stream
    issued: float = 0.0
    """Cycles of the scalar unit."""
    crowded: Collection[int] = range(len(PIPES))
    _offsets: list[deque[int]] = field(default_factory=lambda: [deque[int]() for _ in PIPES])

    def runs(self) -> Iterator[Run]:
        """Runs of one instruction each."""
        before = 0.0
        for instruction, offset in self.items:
            kind: int = instruction.kind
            if kind == TRIP:
                before += instruction.issue
                continue
            pipe: int = instruction.pipe
            if kind in _COUNTED:
                instruction.executed += 1
            if kind == GM:
                self._offsets[pipe].append(offset)
            issue: float = before + instruction.issue
            before = 0.0
            self.issued += issue
            yield HELD if kind >= BARRIER_ALL else pipe, (instruction,), (issue,), issue

    def requests(self) -> list[Offsets]:
        """One pass over the offsets of each pipe."""
        return [_taken(waiting) for waiting in self._offsets]


def _taken(waiting: deque[int]) -> Iterator[int]:
    while True:
        yield waiting.popleft()


def count_executed(streams: Iterable[CoreStream | Passing]) -> None:
    """Count what cores that have run their streams to the end executed."""
    for plan, cores in Counter(one.plan for one in streams if isinstance(one, CoreStream)).items():
        for instruction, times in plan.times:
            instruction.executed += cores * times
