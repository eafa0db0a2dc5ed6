"""One core: the scalar unit issues in program order, each pipe executes its queue in order.

`run_core` is a generator. It runs as far as it can and then waits, at a bare `yield`, until the launch
has served one of its GM requests (`serve`); the pipe that was served is sent in. A pipe is blocked while it waits
for a flag that is not up, or for its GM request. Everything else happens at once, run by run of instructions that go to
one pipe (program/streams.py):

    start     max(issued, pipe free, flag up)
    pipe free start + busy
    complete  start + busy + latency         flags and barriers wait for this
"""

from collections import deque
from collections.abc import Generator
from heapq import heappush
from typing import Any

from ...dialects.target_types import PIPES
from ..hazards.core_errors import deadlock, outside
from ..hazards.cross_core import CROSS_SERVED
from ..hazards.joins import join_all
from ..hazards.stream_races import late_hazard
from ..machine.unit_flags import UnitFlags
from ..program.instruction import (
    BARRIER,
    BARRIER_ALL,
    CONTENDED,
    CROSS_SET,
    CROSS_WAIT,
    GM,
    INDEX,
    JOIN,
    LOCAL,
    PIPE_INDEX,
    PRODUCT,
    SCALAR,
    SET,
    STEP,
    UNIT,
    UNIT_KEYS,
    UNIT_SETS,
    UNIT_WAITS,
    WAIT,
    FlagKey,
    flags_of,
)
from ..program.streams import Run
from .core_state import Core, Launch, TraceEvent
from .effects import core_effects

CUBE = PIPE_INDEX["M"]


_Ahead = dict[int, deque[float]]
"""Where flags count, when those came up again that were up already."""


def _latest(up: float, fire: float, number: int, ahead: _Ahead) -> float:
    """A flag that counts comes up: when it counts as up from."""
    if up < 0.0:
        return fire if fire > up else up
    ahead.setdefault(number, deque()).append(fire)
    return up


def _following(number: int, ahead: _Ahead) -> float:
    """A flag that counts is waited for: when it came up again; below 0 where it did not."""
    sets = ahead.get(number)
    return sets.popleft() if sets else -1.0


def run_core(core: Core, launch: Launch) -> Generator[None, int, None]:
    """Run the core's stream to its end; `HazardError` on the first hazard.

    One function, because all of its state is in local names: calls and attributes for each instruction would take as
    long as the rest.
    """
    target = launch.target
    depth, flag_cost = target.scalar.queue_depth, target.scalar.flag
    races, crossing = core.races, core.crossing
    effects = core_effects(core, launch)
    execute = None if effects is None else effects.execute
    index, requests = core.index, launch.requests
    events = launch.events if core.traced else None
    size = len(PIPES)
    now: float = core.begin
    free, complete = [now] * size, [now] * size
    queues, blocked = core.queues, core.blocked
    behind = [0] * size  # instructions in the queue of each pipe
    scalar = queues[SCALAR]
    stream = core.stream
    full = [now] * depth
    starts = [deque(full, depth) if one in stream.crowded else None for one in range(size)]
    """Of each pipe whose queue can be full, the last start times, the oldest first."""
    serving = core.serving
    outstanding = 0
    flags: list[float] = [-1.0] * flags_of(target.sync.events)  # when each came up; below 0 it is down
    ahead: _Ahead | None = {} if launch.counted else None
    waiting: dict[int | FlagKey, list[int]] = {}
    units = UnitFlags.down(now)
    arrived: float = now
    handed: tuple[float, float] = now, now
    """Of the FixPipe instruction under way: when its turn came, and what it waited for."""
    product: tuple[float, float] = (now, now)  # when the latest product started and ended
    contention = target.cube.contention
    more_busy, active = core.more_busy, core.active
    runs, offsets = stream.runs(), stream.requests()
    run: Run | None = None
    pipe: int = SCALAR
    start: float = now
    ring = starts[SCALAR]
    idle: float = now
    visible: float = now
    under_way: float = 0.0
    work: list[int] = []
    next_pipe = work.pop
    while True:
        if run is None:
            run = next(runs, None)
        items: tuple[Any, ...] | None = None  # what a pipe can begin with
        stuck = True  # the scalar unit has nothing to issue, or must wait
        if run is not None and not scalar:
            pipe, issued, issues, total = run
            if pipe >= 0:
                late, count = behind[pipe], len(issued)
                if late < depth:
                    stuck, run = False, None
                    if late + count > depth:
                        count = depth - late
                        rest_of, left_of = issues[count:], issued[count:]
                        issued, issues, run = (
                            issued[:count], issues[:count], (pipe, left_of, rest_of, sum(rest_of)),
                        )  # fmt: skip
                        total = sum(issues)
                    ring = starts[pipe]
                    if ring is None or ring[-1] <= now:  # there is room in the queue by now
                        start = now + issues[0]
                        now += total
                    else:
                        start = -1.0
                        for issue in issues:
                            ready = ring[late]
                            late += 1
                            now = (ready if ready > now else now) + issue
                            if start < 0.0:
                                start = now
                        late -= count
                    if blocked[pipe]:
                        queues[pipe].append((start, issued))
                        behind[pipe] = late + count
                        continue
                    items = issued
            elif issued[0].kind == BARRIER_ALL:
                if not outstanding and not any(queues):
                    now = max(now + total, *complete) + flag_cost
                    if races is not None:
                        races.barrier_all()
                    run = None
                    continue
            elif issued[0].kind == INDEX:
                now += total + issued[0].busy
                run = None
                continue
            elif issued[0].kind == STEP:
                now += total
                if execute is not None:
                    execute(issued[0])
                run = None
                continue
            else:
                assert crossing is not None
                up = None if crossing.waiting is issued[0] else crossing.take(issued[0])
                if up is not None:
                    now += total
                    if up > now:
                        core.crossed += up - now
                        now = up
                    now += flag_cost
                    if races is not None:
                        join_all(queues, races)
                    run = None
                    continue
        if stuck:
            if not outstanding:
                if run is None and not any(queues):
                    break
                if run is None or run[1][0].kind != CROSS_WAIT:
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
            done = end + latency
            if done > complete[pipe]:
                active[pipe] += done - (start if start > complete[pipe] else complete[pipe])
                complete[pipe] = done
            if effects is not None:
                effects.transfer(instruction, offset, pipe)
            if events is not None:
                events.append(TraceEvent(index, pipe, start, end, end + latency, instruction))
            work.append(pipe)
        while True:
            if items is None:
                if not work:
                    break
                pipe = next_pipe()
                if blocked[pipe] or not queues[pipe]:
                    continue
                start, items = queues[pipe].popleft()
                behind[pipe] -= len(items)
                ring = starts[pipe]
            idle, visible, under_way = free[pipe], complete[pipe], active[pipe]
            gives_way = False
            left: tuple[Any, ...] = ()
            rest = iter(items)
            for instruction in rest:
                if idle > start:
                    start = idle
                code: int = instruction.code
                if code == WAIT:
                    number: int = instruction.number
                    fire: float = flags[number]
                    if fire < 0.0:
                        waiting.setdefault(number, []).append(pipe)
                        blocked[pipe] = instruction.flag
                        left = items if instruction is items[0] else (instruction, *rest)
                        break
                    flags[number] = -1.0 if ahead is None else _following(number, ahead)
                    if fire > start:
                        start = fire
                    idle = start + flag_cost
                    if races is not None:
                        races.wait_flag(instruction)
                    if pipe == SCALAR:
                        now = max(now, idle)
                        if races is not None:
                            join_all(queues, races)
                elif code == SET:
                    number = instruction.number
                    idle = start + flag_cost
                    fire = (start if start > visible else visible) + flag_cost
                    if races is not None:
                        races.set_flag(instruction)
                    came = flags[number]
                    if ahead is not None:
                        fire = _latest(came, fire, number, ahead)
                    elif came > fire:
                        fire = came
                    flags[number] = fire
                    if number in waiting:
                        if contention:  # the Cube first: how long a load of L0 takes depends on it
                            work.append(pipe)
                            gives_way = True
                        for woken in waiting.pop(number):
                            blocked[woken] = False
                            work.append(woken)
                        if gives_way:
                            if ring is not None:
                                ring.append(start)
                            left = tuple(rest)
                            break
                elif code == LOCAL or code >= CONTENDED:
                    cycles: float = instruction.busy
                    if code == CONTENDED and product[1] > start:
                        beside = min(start + cycles, product[1]) - max(start, product[0])
                        if beside > 0:
                            cycles += contention * beside
                            more_busy[pipe] += contention * beside
                    end = idle = start + cycles
                    if code == PRODUCT:
                        product = start, end
                    done = end + instruction.latency
                    if done > visible:
                        under_way += done - (start if start > visible else visible)
                        visible = done
                    if execute is not None:
                        execute(instruction)
                    if events is not None:
                        events.append(TraceEvent(index, pipe, start, end, done, instruction))
                elif code == GM:
                    if instruction.unit:
                        if units.hold(instruction.flagged, False):
                            blocked[pipe] = key = UNIT_KEYS[pipe]
                            waiting.setdefault(key, []).append(pipe)
                            left = instruction, *rest
                            break
                        arrived, handed = start, units.given
                        if handed[0] > start:
                            start = handed[0]
                    use, offset = instruction.gm, next(offsets[pipe])
                    if not 0 <= offset <= use.max_offset or offset % use.align:
                        raise outside(instruction, offset)
                    if effects is not None:
                        effects.request(instruction, offset, pipe)
                    serving[pipe] = (instruction, offset, start)
                    heappush(requests, (start, index, pipe))
                    outstanding += 1
                    blocked[pipe] = True
                    if ring is not None:
                        ring.append(start)
                    left = tuple(rest)
                    break
                elif code == CROSS_SET:
                    assert crossing is not None
                    idle = start + flag_cost
                    crossing.set(instruction, max(start, visible) + flag_cost)
                elif code == BARRIER:
                    idle = max(start, visible + instruction.latency) + flag_cost
                    if races is not None:
                        races.barrier(pipe)
                elif code == UNIT:
                    told, flagged = instruction.unit, instruction.flagged
                    if told & UNIT_WAITS and units.hold(flagged, pipe == CUBE):
                        blocked[pipe] = key = UNIT_KEYS[pipe]
                        waiting.setdefault(key, []).append(pipe)
                        left = instruction, *rest
                        break
                    since, first, last = start, start, start
                    if told & UNIT_WAITS:
                        first, last = units.free(flagged) if pipe == CUBE else units.given
                    if first > start:
                        start = first
                    end = idle = max(start + instruction.busy, last)
                    if pipe == CUBE:
                        since, product = start, (start, end)
                    done = end + instruction.latency
                    if done > visible:
                        under_way += done - max(since, visible)
                        visible = done
                    more_busy[pipe] += end - since - instruction.busy
                    if execute is not None:
                        execute(instruction)
                    if events is not None:
                        events.append(TraceEvent(index, pipe, start, end, done, instruction))
                    if told & UNIT_SETS:
                        if pipe == CUBE:
                            units.hand_over(flagged, start + instruction.latency, done)
                        else:
                            units.take(flagged, start + instruction.latency, done)
                        _wake(UNIT_KEYS[UNIT_KEYS[pipe][0]], waiting, blocked, work)
                else:
                    assert code == JOIN and races is not None
                    races.join(pipe, instruction.effects)
                    behind[pipe] += 1  # it was none of those that are behind
                    continue
                if ring is not None:
                    ring.append(start)
            items = None
            free[pipe], complete[pipe], active[pipe] = idle, visible, under_way
            if left:
                queues[pipe].appendleft((float(start), left))
                behind[pipe] += len(left)
            elif queues[pipe] and not gives_way:
                work.append(pipe)
    core.end, core.issued = max(now, *complete, *free), stream.issued
    late_error = None if core.checked is None else core.checked.late
    if races is not None:
        late_error = late_hazard(races)
    if late_error is not None:
        raise late_error


def _wake(
    key: FlagKey, waiting: dict[int | FlagKey, list[int]], blocked: list[FlagKey | bool], work: list[int]
) -> None:
    """Let the pipes go on that wait for a flag."""
    for pipe in waiting.pop(key, ()):
        blocked[pipe] = False
        work.append(pipe)
