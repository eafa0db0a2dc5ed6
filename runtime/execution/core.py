"""One core: the scalar unit issues in program order, each pipe executes its queue in order.

`run_core` is a generator. It runs as far as it can and then waits, at a bare `yield`, until the launch
has served one of its GM requests (`serve`); the pipe that was served is sent in. A pipe is blocked while it waits
for a flag that is not up, or for its GM request. Everything else happens at once:

    start     max(issued, pipe free, flag up)
    pipe free start + busy
    complete  start + busy + latency         flags and barriers wait for this
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from heapq import heappush
from typing import Any

from ...dialects.target_types import PIPES, Target
from ..hazards.core_errors import Entry, deadlock, outside
from ..hazards.cross_core import CROSS_SERVED, Crossing
from ..hazards.gm_races import GmRaces
from ..hazards.joins import join_all
from ..hazards.races import CoreRaces
from ..hazards.stream_races import CheckedStream, late_hazard
from ..machine.memory import BOUND_LIMIT, Array, CoreMemory
from ..machine.memory_system import MemorySystem
from ..machine.ports import Ports, Served
from ..machine.unit_flags import UnitFlags
from ..poison.shadow import Activity, Tracker, track
from ..program.instruction import (
    BARRIER,
    BARRIER_ALL,
    CROSS_SET,
    CROSS_WAIT,
    GM,
    INDEX,
    JOIN,
    LOCAL,
    PIPE_INDEX,
    SCALAR,
    SET,
    UNIT,
    UNIT_KEYS,
    UNIT_SETS,
    UNIT_WAITS,
    WAIT,
    FlagKey,
    Instruction,
)
from ..program.kernel_program import Stream
from ..program.storage import Storage

CUBE = PIPE_INDEX["M"]


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One executed instruction, times in cycles."""

    core: int
    pipe: int
    start: float
    end: float
    complete: float
    instruction: Instruction


@dataclass(slots=True)
class Launch:
    """What the cores of one launch share."""

    target: Target
    kernel: str
    start: float
    system: MemorySystem
    tensors: Sequence[Storage]  # by kernel argument
    gm_races: GmRaces | None
    requests: list[tuple[float, int, int]] = field(default_factory=list[tuple[float, int, int]])
    events: list[TraceEvent] | None = None


@dataclass(slots=True)
class Core:
    """State of one core that outlives its generator; times in cycles.

    What is the same each time that an instruction runs is not summed here: `Instruction.executed` counts it.
    """

    index: int
    program: str
    """Name of the program that it runs."""
    stream: Stream
    memory: CoreMemory | None  # None: values are not computed
    races: CoreRaces | None
    checked: CheckedStream | None = None
    """Of a core whose races were checked before it runs; `races` is then None."""
    tracker: Tracker | None = None
    """Its labels, where hazards are checked."""
    crossing: Crossing | None = None
    """Flags between this core and those beside it."""
    ports: Ports | None = None
    """Its way to L2, where it shares that with the cores beside it."""
    traced: bool = False
    decoding: str = ""
    """What its memory knows the decoded program by."""
    queues: list[list[Entry]] = field(default_factory=lambda: [[] for _ in PIPES])
    blocked: list[FlagKey | bool] = field(default_factory=lambda: [False] * len(PIPES))
    """Of each pipe, what was issued and has not begun, and the flag that the first of it waits for."""
    serving: list[tuple[Instruction, int, float] | None] = field(default_factory=lambda: [None] * len(PIPES))
    """Of each pipe, the GM request that it waits for: the instruction, its offset in bytes and its start."""
    served: Served = (0.0, 0.0)
    """How the request ended that was served last."""
    end: float = 0.0
    issued: int = 0
    crossed: float = 0.0
    """Cycles that the scalar unit waited for flags of the cores beside it."""
    more_busy: list[float] = field(default_factory=lambda: [0.0] * len(PIPES))
    """Cycles that each pipe was occupied beyond what its instructions always take: by GM requests, loads that give way
    to the Cube, waiting for a unit flag."""
    active: list[float] = field(default_factory=lambda: [0.0] * len(PIPES))
    """Cycles with an instruction under way: from its start until its effect is visible."""


def run_core(core: Core, launch: Launch) -> Generator[None, int, None]:
    """Run the core's stream to its end; `HazardError` on the first hazard."""
    target, tensors = launch.target, launch.tensors
    issue_cost, depth, flag_cost = target.scalar.issue, target.scalar.queue_depth, target.scalar.flag
    memory, races, gm_races, crossing = core.memory, core.races, launch.gm_races, core.crossing
    tracker = core.tracker
    activity = Activity() if tracker is None else tracker.activity
    storages = [t.data for t in tensors]
    holes: list[Array | None] = [None] * len(PIPES)  # of the store under way on each pipe
    index, requests = core.index, launch.requests
    events = launch.events if core.traced else None
    size = len(PIPES)
    now = launch.start
    free, complete = [now] * size, [now] * size
    queues, blocked = core.queues, core.blocked
    scalar = queues[SCALAR]
    starts = [[now] * depth for _ in range(size)]  # ring of the last `depth` start times
    started, issued = [0] * size, [0] * size
    serving = core.serving
    outstanding = 0
    flags: dict[FlagKey, float] = {}
    waiting: dict[FlagKey, list[int]] = {}
    units = UnitFlags.down(now)
    arrived, handed = now, (now, now)
    """Of the FixPipe instruction under way: when its turn came, and what it waited for."""
    product = (now, now)  # when the latest product started and ended
    contention, gives_way = target.cube.contention, False
    bound: dict[int, Any] = {}  # GM requests; they hold this launch's tensors
    local: dict[int, Any] = {} if memory is None else memory.bound_by(core.decoding)
    accesses = None if core.checked is None else core.checked.accesses()
    more_busy, active = core.more_busy, core.active
    stream = core.stream
    item: tuple[Instruction, int] | None = None
    work: list[int] = []
    while True:
        if item is None:
            item = next(stream, None)
        stuck = True  # the scalar unit has nothing to issue, or must wait
        if item is not None:
            instruction = item[0]
            kind = instruction.kind
            if kind < BARRIER_ALL:
                pipe = instruction.pipe
                queue = queues[pipe]
                if len(queue) < depth and not scalar:
                    stuck = False
                    ready = starts[pipe][issued[pipe] % depth]
                    now = (ready if ready > now else now) + issue_cost
                    issued[pipe] += 1
                    queue.append((instruction, item[1], now))
                    item = None
                    if not blocked[pipe]:
                        work.append(pipe)
            elif kind == BARRIER_ALL:
                if not outstanding and not any(queues):
                    now = max(now + issue_cost, *complete) + flag_cost
                    if races is not None:
                        races.barrier_all()
                    core.issued += 1
                    item = None
                    continue
            elif kind == INDEX and not scalar:
                now += issue_cost + instruction.busy
                instruction.executed += 1
                core.issued += 1
                item = None
                continue
            elif not scalar:
                assert crossing is not None
                up = None if crossing.waiting is instruction else crossing.take(instruction)
                if up is not None:
                    now += issue_cost
                    if up > now:
                        core.crossed += up - now
                        now = up
                    now += flag_cost
                    if races is not None:
                        join_all(queues, races)
                    core.issued += 1
                    item = None
                    continue
        if stuck:
            if not outstanding:
                if item is None and not any(queues):
                    break
                if item is None or item[0].kind != CROSS_WAIT:
                    raise deadlock(core.program, index, blocked, queues)
            pipe = yield
            if pipe == CROSS_SERVED:
                continue
            served = serving[pipe]
            assert served is not None
            instruction, offset, start = served
            end, latency = core.served
            outstanding -= 1
            blocked[pipe] = False
            if instruction.unit:
                end = max(end, handed[1])
                units.take(instruction.flagged, start, end)
                start = arrived
                _wake(UNIT_KEYS[CUBE], waiting, blocked, work)
            free[pipe] = end
            more_busy[pipe] += end - start
            instruction.executed += 1
            done = end + latency
            if done > complete[pipe]:
                active[pipe] += done - (start if start > complete[pipe] else complete[pipe])
                complete[pipe] = done
            if memory is not None:
                action = bound.get(instruction.id)
                if action is None:
                    assert instruction.bind is not None
                    action = bound[instruction.id] = instruction.bind(memory, storages, 0)
                action(offset)
                if tracker is not None:
                    tracker.transfer(instruction, offset, holes[pipe])
            if events is not None:
                events.append(TraceEvent(index, pipe, start, end, end + latency, instruction))
            work.append(pipe)
        while work:
            pipe = work.pop()
            queue, ring = queues[pipe], starts[pipe]
            while queue and not blocked[pipe]:
                instruction, offset, start = queue[0]
                if free[pipe] > start:
                    start = free[pipe]
                kind = instruction.kind
                if kind == LOCAL:
                    cycles = instruction.busy
                    if instruction.contended and product[1] > start:
                        beside = min(start + cycles, product[1]) - max(start, product[0])
                        if beside > 0:
                            cycles += contention * beside
                            more_busy[pipe] += contention * beside
                    end = free[pipe] = start + cycles
                    if pipe == CUBE:
                        product = start, end
                    done = end + instruction.latency
                    if done > complete[pipe]:
                        active[pipe] += done - (start if start > complete[pipe] else complete[pipe])
                        complete[pipe] = done
                    instruction.executed += 1
                    if races is not None:
                        races.execute(instruction)
                    if activity.labels or instruction.labels:
                        track(tracker, instruction)
                    if memory is not None and instruction.bind is not None:
                        action = local.get(instruction.id)
                        if action is None:
                            if len(local) > BOUND_LIMIT:
                                local.clear()
                            action = local[instruction.id] = instruction.bind(memory, storages, 0)
                        action()
                    if events is not None:
                        events.append(TraceEvent(index, pipe, start, end, done, instruction))
                elif kind == SET:
                    key = instruction.flag
                    free[pipe] = start + flag_cost
                    fire = (start if start > complete[pipe] else complete[pipe]) + flag_cost
                    if races is not None:
                        races.set_flag(instruction)
                    if fire > flags.get(key, -1.0):
                        flags[key] = fire
                    if key in waiting:
                        if contention:  # the Cube first: how long a load of L0 takes depends on it
                            work.append(pipe)
                            gives_way = True
                        for woken in waiting.pop(key):
                            blocked[woken] = False
                            work.append(woken)
                elif kind == WAIT:
                    key = instruction.flag
                    fire = flags.pop(key, None)
                    if fire is None:
                        waiting.setdefault(key, []).append(pipe)
                        blocked[pipe] = key
                        continue
                    if fire > start:
                        start = fire
                    free[pipe] = start + flag_cost
                    if races is not None:
                        races.wait_flag(instruction)
                    if pipe == SCALAR:
                        now = max(now, free[pipe])
                        if races is not None:
                            join_all(queues, races)
                elif kind == GM:
                    if instruction.unit:
                        if units.hold(instruction.flagged, False):
                            blocked[pipe] = key = UNIT_KEYS[pipe]
                            waiting.setdefault(key, []).append(pipe)
                            continue
                        arrived, handed = start, units.given
                        start = max(start, handed[0])
                    use = instruction.gm
                    if not 0 <= offset <= use.max_offset or offset % use.align:
                        raise outside(instruction, offset)
                    if accesses is not None:
                        number, known, holes[pipe] = next(accesses[pipe])
                        if gm_races is not None:
                            gm_races.access(instruction, use, offset, index, number, known)
                    elif races is not None:
                        if instruction.unit:
                            races.unit_flag(instruction)
                        else:
                            races.execute(instruction)
                        holes[pipe] = races.written.take_holes()
                        if gm_races is not None:
                            gm_races.access(
                                instruction, use, offset, index, races.count[pipe], races.known[pipe]
                            )
                    serving[pipe] = (instruction, offset, start)
                    heappush(requests, (start, index, pipe))
                    outstanding += 1
                    blocked[pipe] = True
                elif kind == CROSS_SET:
                    assert crossing is not None
                    free[pipe] = start + flag_cost
                    crossing.set(instruction, max(start, complete[pipe]) + flag_cost)
                elif kind == BARRIER:
                    free[pipe] = max(start, complete[pipe] + instruction.latency) + flag_cost
                    if races is not None:
                        races.barrier(pipe)
                elif kind == UNIT:
                    told, flagged = instruction.unit, instruction.flagged
                    if told & UNIT_WAITS and units.hold(flagged, pipe == CUBE):
                        blocked[pipe] = key = UNIT_KEYS[pipe]
                        waiting.setdefault(key, []).append(pipe)
                        continue
                    since = first = last = start
                    if told & UNIT_WAITS:
                        first, last = units.free(flagged) if pipe == CUBE else units.given
                    start = max(start, first)
                    end = free[pipe] = max(start + instruction.busy, last)
                    if pipe == CUBE:
                        since, product = start, (start, end)
                    done = end + instruction.latency
                    if done > complete[pipe]:
                        active[pipe] += done - max(since, complete[pipe])
                        complete[pipe] = done
                    more_busy[pipe] += end - since - instruction.busy
                    instruction.executed += 1
                    if races is not None:
                        races.unit_flag(instruction)
                    if activity.labels or instruction.labels:
                        track(tracker, instruction)
                    if memory is not None and instruction.bind is not None:
                        instruction.bind(memory, storages, 0)()
                    if events is not None:
                        events.append(TraceEvent(index, pipe, start, end, done, instruction))
                    if told & UNIT_SETS:
                        if pipe == CUBE:
                            units.hand_over(flagged, start + instruction.latency, done)
                        else:
                            units.take(flagged, start + instruction.latency, done)
                        _wake(UNIT_KEYS[UNIT_KEYS[pipe][0]], waiting, blocked, work)
                else:
                    assert kind == JOIN and races is not None
                    races.join(pipe, instruction.effects)
                    del queue[0]
                    continue
                del queue[0]
                ring[started[pipe] % depth] = start
                started[pipe] += 1
                if gives_way:
                    gives_way = False
                    break
    core.end = max(now, *complete, *free)
    core.issued += sum(issued)
    late = None if core.checked is None else core.checked.late
    if races is not None:
        late = late_hazard(races)
    if late is not None:
        raise late


def _wake(
    key: FlagKey, waiting: dict[FlagKey, list[int]], blocked: list[FlagKey | bool], work: list[int]
) -> None:
    """Let the pipes go on that wait for a flag."""
    for pipe in waiting.pop(key, ()):
        blocked[pipe] = False
        work.append(pipe)
