"""Programs that need more event ids than there are: flags that stand for two, and ids that are taken again."""

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr

from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.passes.analysis.dependences import find_requirements
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.ascend_insert_sync import synchronise
from ascend_opt.passes.sync.clock import SyncClock
from ascend_opt.passes.sync.flags import Barrier
from ascend_opt.passes.sync.plan import plan_sync

CHIP = load_target("ascend910")
V, MTE3 = PIPES.index("V"), PIPES.index("MTE3")


def stores(count: int, alternate: bool) -> Program:
    """One load, `count` results of it and their stores: in turn, or all results first."""
    p = Program()
    x = p.input("x", (128,))
    a = p.view(p.buffer("a", "ub", (128,), 0), [128])
    p.copy(p.view(x, [128]), a)
    ready = [p.view(p.buffer(f"b{i}", "ub", (128,), 256 * (i + 1)), [128]) for i in range(count)]
    outputs = [p.view(p.output(f"y{i}", (128,)), [128]) for i in range(count)]
    if not alternate:
        for i, b in enumerate(ready):
            p.vec("vadds", a, to=b, scalar=float(i))
    for i, (b, y) in enumerate(zip(ready, outputs, strict=True)):
        if alternate:
            p.vec("vadds", a, to=b, scalar=float(i))
        p.copy(b, y)
    p.module()
    return p


def used(program: Program) -> set[int]:
    """The event ids that flags are set with."""
    numbers = (op.event.owner for op in program.kernel.walk() if isinstance(op, ascend.SetFlagOp))
    return {
        n.value.value.data
        for n in numbers
        if isinstance(n, arith.ConstantOp) and isinstance(n.value, IntegerAttr)
    }


@pytest.mark.parametrize("alternate", [True, False], ids=["in turn", "results first"])
@pytest.mark.parametrize(("count", "events"), [(4, 2), (6, 3), (5, 4)])
def test_few_ids_do_without_barriers_of_every_pipe(count: int, events: int, alternate: bool):
    program = stores(count, alternate)
    done = synchronise(program.kernel, CHIP.with_(sync={"events": events}))
    assert not done.barred and done.barriers == {}
    assert max(used(program)) < events
    found = program.run(x=np.ones(128, np.float16)).outputs
    assert [float(np.asarray(y)[0]) for y in found] == [1.0 + i for i in range(count)]


def test_results_that_are_all_there_share_a_flag():
    program = stores(5, alternate=False)
    flags = synchronise(program.kernel, CHIP).plan.flags
    assert len([f for f in flags if (f.source, f.destination) == (V, MTE3)]) == 4
    assert not any((f.source, f.destination) == (MTE3, V) for f in flags)


def test_an_id_is_taken_again_once_its_wait_is_known_to_be_over():
    program = stores(5, alternate=True)
    flags = synchronise(program.kernel, CHIP).plan.flags
    assert len([f for f in flags if (f.source, f.destination) == (V, MTE3)]) == 5
    (back,) = [f for f in flags if (f.source, f.destination) == (MTE3, V)]
    assert back.ahead and isinstance(back.after, ascend.CopyOp)


def test_the_clock_sees_a_barrier_of_every_pipe():
    program = stores(4, alternate=True)
    trace = Tracer(program.kernel, CHIP).walk()
    find_requirements(trace)
    plan, clock = plan_sync([trace]), SyncClock([trace])
    last = trace.instances[-2].op
    assert clock.cycles(plan.flags, [Barrier(len(PIPES), last)]) > clock.cycles(plan.flags, ())
    assert clock.cycles((), ()) < clock.cycles(plan.flags, ())
