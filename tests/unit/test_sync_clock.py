"""The clock of traces under flags and barriers: pipes in order, waits behind sets, barriers behind what is done."""

import pytest
from ascend_programs import Program
from xdsl.ir import Operation

from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.passes.analysis.dependences import find_requirements
from ascend_opt.passes.analysis.timeline import instance_cost, timeline
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.sync.clock import SyncClock
from ascend_opt.passes.sync.flags import ALL, Barrier, Flag
from ascend_opt.passes.sync.plan import plan_sync
from ascend_opt.runtime.machine.costs import Cost

CHIP = load_target("ascend910")
V, MTE2, MTE3 = (PIPES.index(pipe) for pipe in ("V", "MTE2", "MTE3"))


def flag(
    source: int,
    destination: int,
    after: Operation,
    before: Operation,
    behind: bool = False,
    ahead: bool = False,
) -> Flag:
    return Flag(source, destination, after, before, None, None, 1, behind=behind, ahead=ahead)


def straight() -> tuple[Tracer, list[Operation], list[Cost]]:
    """Two Vector instructions, two stores and a short Vector instruction that have nothing to do with each other: the
    trace, ops and costs."""
    p = Program()
    sizes = (512, 19456, 16384, 128, 128)
    a, b, c, d, e = (p.view(p.buffer(str(i), "ub", (n,), i * 1024), [n]) for i, n in enumerate(sizes))
    p.vec("vrelu", a, to=a)
    p.vec("vexp", b, to=b)
    for i, (source, size) in enumerate(((c, 16384), (d, 128))):
        p.copy(source, p.view(p.output(f"y{i}", (size,)), [size]))
    p.vec("vrelu", e, to=e)
    p.module()
    trace = Tracer(p.kernel, CHIP).walk()
    return trace, [i.op for i in trace.instances], [instance_cost(i, CHIP, 1) for i in trace.instances]


def test_pipes_run_beside_each_other_and_instructions_of_one_overlap():
    trace, _, (first, second, long, short, last) = straight()
    clock = SyncClock([trace])
    assert first.total > first.busy > 0 < long.busy < long.total
    vector = max(first.busy + second.total, first.busy + second.busy + last.total)
    assert vector > max(long.total, long.busy + short.total)
    assert clock.cycles((), ()) == vector
    assert SyncClock([trace, trace]).cycles((), ()) == 2 * vector


def test_a_barrier_waits_for_what_its_pipe_or_every_pipe_has_done():
    trace, (_, later, store, _, _), (first, second, long, short, last) = straight()
    clock = SyncClock([trace])
    rest = max(second.total, second.busy + last.total)
    assert clock.cycles((), [Barrier(V, later)]) == first.total + rest
    through = first.busy + second.total
    assert clock.cycles((), [Barrier(ALL, store)]) == through + max(long.total, long.busy + short.total)


def test_a_flag_makes_one_pipe_wait_for_another():
    trace, (start, later, store, end, _), (first, second, long, short, _) = straight()
    clock = SyncClock([trace])
    stores = max(long.total, long.busy + short.total)
    vector, through = clock.cycles((), ()), first.busy + second.total
    assert first.total + stores > vector
    assert clock.cycles([flag(V, MTE3, later, store)], ()) == through + stores
    assert clock.cycles([flag(V, MTE3, start, store)], ()) == first.total + stores
    assert clock.cycles([flag(V, MTE3, later, store, ahead=True)], ()) == first.total + stores
    assert clock.cycles([flag(V, MTE3, later, store, behind=True)], ()) == through + short.total
    # the pipe is longer at work than what it waits for
    assert first.total < long.busy
    assert clock.cycles([flag(V, MTE3, start, end)], ()) == vector


def test_what_stands_before_a_loop_is_met_once():
    p = Program()
    a, b = (p.view(p.buffer(n, "ub", (16384,), at), [16384]) for n, at in (("a", 0), ("b", 32768)))
    with p.loop(2):
        p.vec("vrelu", a, to=a)
    p.copy(b, p.view(p.output("y", (16384,)), [16384]))
    p.module()
    trace = Tracer(p.kernel, CHIP).walk()
    loop = next(step.op for step in trace.steps if step.kind == "enter")
    clock = SyncClock([trace])
    assert clock.cycles((), [Barrier(ALL, loop)]) == clock.cycles((), ())


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_slots_of_a_loop_are_told_apart(slots: int):
    """Under the flags of a plan, which order what must be in order and no more, the clock is that of dependences."""
    p = Program()
    x, y = p.input("x", (64 * 128,)), p.output("y", (64 * 128,))
    a, b = (
        p.buffer(n, "ub", (1024,), *range(at, at + 2048 * slots, 2048)) for n, at in (("a", 0), ("b", 8192))
    )
    with p.loop(8) as i:
        at = p.times(i, 1024)
        one, other = (p.add(ascend.NextSlotOp(buffer)) for buffer in (a, b))
        here, there = p.view(a, [1024], slot=one), p.view(b, [1024], slot=other)
        p.copy(p.view(x, [1024], offset=at), here)
        p.vec("vexp", here, to=there)
        p.copy(there, p.view(y, [1024], offset=at))
    p.module()
    trace = Tracer(p.kernel, CHIP, trips=8).walk()
    find_requirements(trace)
    plan = plan_sync([trace])
    assert not plan.barriers and {f.count for f in plan.flags} == {slots}
    expected = max(span.visible for span in timeline(trace))
    assert SyncClock([trace]).cycles(plan.flags, plan.barriers) == expected
