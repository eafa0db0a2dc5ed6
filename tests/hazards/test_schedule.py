"""When instructions start: what docs/timing-model.md says, worked out op by op, and what the emulator does.

How long an instruction takes is taken from the emulator's trace; its start follows from what is before it.
"""

from collections import defaultdict
from collections.abc import Generator, Sequence
from random import Random

import numpy as np
import pytest
from ascend_programs import Program
from random_orders import Machine, coupled, group, random_items
from sweeps import ALL
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ascend_opt.dialects.ascend import (
    BarrierOp,
    CrossSetFlagOp,
    CrossWaitFlagOp,
    KernelOp,
    SetFlagOp,
    WaitFlagOp,
)
from ascend_opt.dialects.target_types import PIPES, Target
from ascend_opt.runtime.execution.core_state import TraceEvent
from ascend_opt.runtime.execution.emulator import RunResult
from ascend_opt.runtime.profile.profile import KernelProfile

SEEDS = 25 if ALL else 10
MACHINES: dict[str, Machine] = {"one core": coupled(), "two cores": coupled(cores=2), "group": group()}


def event_of(op: SetFlagOp | WaitFlagOp | CrossSetFlagOp | CrossWaitFlagOp) -> int:
    """The constant that a flag op is given."""
    constant = op.event.owner
    assert isinstance(constant, arith.ConstantOp) and isinstance(constant.value, IntegerAttr)
    return constant.value.value.data


Crossed = dict[tuple[int, int, int], list[float]]
"""When flags between cores are seen, in order, by who sets them, who waits for them and event."""


def scheduled(
    p: Program,
    kernel: KernelOp,
    core: int,
    peers: Sequence[int],
    events: dict[Operation, TraceEvent],
    begin: float,
    crossed: Crossed,
) -> Generator[None, None, float]:
    """Compare the starts of a core's instructions; gives the cycle when it ends. Each `yield` waits for `peers`."""
    scalar = p.target.scalar
    now = begin
    free, complete = defaultdict[str, float](lambda: begin), defaultdict[str, float](lambda: begin)
    fires: dict[tuple[str, str, int], float] = {}
    starts = defaultdict[str, list[float]](list)

    def issue(pipe: str) -> float:
        nonlocal now
        queued = starts[pipe]
        ready = queued[-scalar.queue_depth] if len(queued) >= scalar.queue_depth else begin
        now = max(now, ready) + scalar.issue
        return max(now, free[pipe])

    for op in kernel.body.block.ops:
        event = events.get(op)
        if event is not None:
            pipe = PIPES[event.pipe]
            start = issue(pipe)
            assert event.start == pytest.approx(start), op
            free[pipe] = event.end
            complete[pipe] = max(complete[pipe], event.complete)
        elif isinstance(op, SetFlagOp):
            pipe = op.source.data
            start = issue(pipe)
            free[pipe] = start + scalar.flag
            fires[pipe, op.destination.data, event_of(op)] = max(start, complete[pipe]) + scalar.flag
        elif isinstance(op, WaitFlagOp):
            pipe = op.destination.data
            start = max(issue(pipe), fires.pop((op.source.data, pipe, event_of(op))))
            free[pipe] = start + scalar.flag
            if pipe == "S":
                now = max(now, free[pipe])
        elif isinstance(op, BarrierOp) and op.pipe.data == "ALL":
            now = max(now + scalar.issue, *complete.values()) + scalar.flag
            for pipe in PIPES:
                free[pipe] = max(free[pipe], now)
            continue
        elif isinstance(op, BarrierOp):
            pipe = op.pipe.data
            start = issue(pipe)
            free[pipe] = max(start, complete[pipe]) + scalar.flag
        elif isinstance(op, CrossSetFlagOp):
            assert p.target.cross is not None
            pipe = op.pipe.data
            start = issue(pipe)
            free[pipe] = start + scalar.flag
            up = max(start, complete[pipe]) + scalar.flag + p.target.cross.latency
            for peer in peers:
                crossed[core, peer, event_of(op)].append(up)
        elif isinstance(op, CrossWaitFlagOp):
            keys = [(peer, core, event_of(op)) for peer in peers]
            while not all(crossed[key] for key in keys):
                yield
            now = max(now + scalar.issue, *(crossed[key].pop(0) for key in keys)) + scalar.flag
            continue
        else:
            continue
        starts[pipe].append(start)
    return max(now, *complete.values(), *free.values())


def check_profile(kernel: KernelProfile, events: Sequence[TraceEvent], target: Target) -> None:
    """Busy and active times of pipes, as means over cores, from the trace of all cores; how long instructions take
    that take a time of their own."""
    for event in events:
        one = event.instruction
        if one.gm is None and not one.contended:
            assert event.end - event.start == pytest.approx(one.busy)
            assert event.complete - event.end == pytest.approx(one.latency)
    for name, pipe in kernel.pipes.items():
        *kind, own = name.split()
        mine = [e for e in events if PIPES[e.pipe] == own and kind in ([], ["aic" if e.core == 0 else "aiv"])]
        cores = 2 if kind == ["aiv"] else 1 if kind else kernel.cores
        active, until = 0.0, defaultdict[int, float](float)
        for event in mine:
            active += max(0.0, event.complete - max(event.start, until[event.core]))
            until[event.core] = max(until[event.core], event.complete)
        assert pipe.instructions == len(mine)
        assert pipe.busy_us == pytest.approx(target.microseconds(sum(e.end - e.start for e in mine)) / cores)
        assert pipe.active_us == pytest.approx(target.microseconds(active) / cores)


@pytest.mark.parametrize(("depth", "issue"), [(2, 1), (32, 1), (32, 25), (4, 2.5)])
@pytest.mark.parametrize("name", MACHINES)
def test_instructions_start_when_all_before_them_let_them(name: str, depth: int, issue: float):
    """Also where issuing one takes longer than it keeps its pipe busy, and no whole number of cycles."""
    machine = MACHINES[name]
    for seed in range(SEEDS):
        rng = Random(seed)
        items = random_items(machine, rng, rng.randint(6, 16), careless=0.0)
        program = machine.program(items)
        program.target = program.target.with_(scalar={"queue_depth": depth, "issue": issue})
        inputs = {
            str(t.name_hint): np.zeros(t.type.get_shape(), np.float16)
            for t in program.tensors
            if t.name_hint in program.inputs
        }
        result: RunResult = program.run_with({"traced_cores": 2, "hazards": False}, inputs)
        (trace,) = result.trace
        crossed: Crossed = defaultdict(list)
        running: list[Generator[None, None, float]] = []
        for core in trace.cores:
            events = {e.instruction.site.op: e for e in trace.events if e.core == core}
            code = program.other if program.other is not None and core else program.kernel
            running.append(
                scheduled(program, code, core, machine.peers.get(core, ()), events, trace.start, crossed)
            )
        ends: list[float] = []
        for _ in range(1000):
            for one in [*running]:
                try:
                    next(one)
                except StopIteration as stop:
                    ends.append(stop.value)
                    running.remove(one)
        assert not running
        (kernel,) = result.profile.kernels
        check_profile(kernel, trace.events, program.target)
        assert kernel.time_us == pytest.approx(program.target.microseconds(max(ends) - trace.start))
