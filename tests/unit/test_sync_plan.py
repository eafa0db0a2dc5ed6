"""Flags and barriers on small kernels: enough, and none too many."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ascend_programs import Program
from small_graphs import linear
from sync_programs import CHIP, GRAPHS, LINEAR, RELU, barriers, before_sync, kernel_of, pairs, run
from xdsl.dialects import scf

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.passes import ascend_insert_sync
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.analysis.traces import trace_kernel
from ascend_opt.passes.ascend_insert_sync import EVERY_PAIR, insert, synchronise
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync.flags import Flag, SyncPlan
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.passes.sync.plan import SyncError, assign_events, plan_sync
from ascend_opt.passes.sync.report import SyncReport
from ascend_opt.passes.sync.schedule import Schedule
from ascend_opt.runtime.execution.emulator import Emulator


def on_views(make: Callable[[Program], None]) -> Program:
    p = Program()
    make(p)
    p.module()
    return p


def test_straight_line_needs_a_flag_each_way_and_one_barrier():
    """Load, two dependent vector instructions, store: once."""

    def chain(p: Program) -> None:
        x, y = p.input("x", (128,)), p.output("y", (128,))
        a = p.view(p.buffer("a", "ub", (128,), 0), [128])
        p.copy(p.view(x, [128]), a)
        p.vec("vrelu", a, to=a)
        p.vec("vabs", a, to=a)
        p.copy(a, p.view(y, [128]))

    program = on_views(chain)
    plan = synchronise(program.kernel, CHIP).plan
    assert pairs(program.kernel) == {("MTE2", "V"): 2, ("V", "MTE3"): 2}
    assert [op.pipe.data for op in program.kernel.walk() if isinstance(op, ascend.BarrierOp)] == ["V"]
    assert all(flag.loop is None and flag.count == 1 for flag in plan.flags)
    program.run(x=np.zeros(128, np.float16))


def test_independent_instructions_need_nothing():
    def loads(p: Program) -> None:
        x, y = p.input("x", (128,)), p.input("y", (128,))
        p.copy(p.view(x, [128]), p.view(p.buffer("a", "ub", (128,), 0), [128]))
        p.copy(p.view(y, [128]), p.view(p.buffer("b", "ub", (128,), 256), [128]))

    program = on_views(loads)
    plan = synchronise(program.kernel, CHIP).plan
    assert not plan.flags and not plan.barriers and not pairs(program.kernel)


def test_buffers_that_share_bytes_are_ordered():
    """The same two loads into one address: a barrier, because both are on one pipe."""

    def loads(p: Program) -> None:
        x, y = p.input("x", (128,)), p.input("y", (128,))
        p.copy(p.view(x, [128]), p.view(p.buffer("a", "ub", (128,), 0), [128]))
        p.copy(p.view(y, [128]), p.view(p.buffer("b", "ub", (128,), 192), [128]))

    program = on_views(loads)
    plan = synchronise(program.kernel, CHIP).plan
    assert len(plan.barriers) == 1 and not plan.flags


def test_one_flag_orders_two_loads_before_their_reader():
    """In-order pipes: waiting for the second load is waiting for the first."""

    def add(p: Program) -> None:
        x, y = p.input("x", (128,)), p.input("y", (128,))
        a = p.view(p.buffer("a", "ub", (128,), 0), [128])
        b = p.view(p.buffer("b", "ub", (128,), 256), [128])
        p.copy(p.view(x, [128]), a)
        p.copy(p.view(y, [128]), b)
        p.vec("vadd", a, b, to=a)

    program = on_views(add)
    synchronise(program.kernel, CHIP)
    assert pairs(program.kernel) == {("MTE2", "V"): 2}


@pytest.mark.parametrize("name", GRAPHS)
def test_carried_flags_are_primed_before_and_drained_after_their_loop(name: str):
    module = before_sync(GRAPHS[name])
    plan = synchronise(kernel_of(module), CHIP).plan
    carried = [flag for flag in plan.flags if flag.loop is not None]
    assert carried
    kernel = kernel_of(module)
    sets = sum(isinstance(op, ascend.SetFlagOp) for op in kernel.walk())
    waits = sum(isinstance(op, ascend.WaitFlagOp) for op in kernel.walk())
    assert sets == waits == len(plan.flags) + sum(flag.count for flag in carried)
    run(module, GRAPHS[name])


def test_pipes_that_are_ordered_by_themselves_need_no_barrier():
    target = CHIP.with_(sync={"ordered_pipe": True})
    module = before_sync(LINEAR)
    synchronise(kernel_of(module), target)
    assert not barriers(kernel_of(module))
    run(module, LINEAR, target)


@pytest.mark.parametrize("name", GRAPHS)
def test_plan_is_the_same_every_time(name: str):
    first, second = before_sync(GRAPHS[name]), before_sync(GRAPHS[name])
    synchronise(kernel_of(first), CHIP)
    synchronise(kernel_of(second), CHIP)
    assert str(first) == str(second)


@pytest.mark.parametrize("name", GRAPHS)
def test_ping_pong_off_is_slower(name: str):
    times: list[float] = []
    for slots in (1, 2):
        module = before_sync(GRAPHS[name], slots)
        if slots == 1:
            assert {op.slot_count for op in module.walk() if isinstance(op, ascend.BufferOp)} == {1}
        synchronise(kernel_of(module), CHIP)
        times.append(Emulator(module, CHIP).time_only().total_us)
    assert times[0] > times[1] * 1.02


def test_report_says_which_pipes_are_serialised():
    module = before_sync(LINEAR)
    done = synchronise(kernel_of(module), CHIP.with_(sync={"events": 1}))
    report = SyncReport((done,))
    (entry,) = report.to_json()
    assert entry["pairs_with_fewer_flags"] and entry["barriers"] == dict(barriers(kernel_of(module)))
    assert sum(entry["flags"].values()) == len(done.plan.flags)
    assert "some flags" in report.to_text() and "because event ids ran out" in report.to_text()
    none = synchronise(kernel_of(before_sync(LINEAR)), CHIP.with_(sync={"events": 0}))
    assert none.short and not none.plan.flags and none.barriers["ALL"]
    pair = done.plan.flags[0].source, done.plan.flags[0].destination
    text = SyncReport((replace(none, barred=(pair,)),)).to_text()
    assert "serialised" in text and f"{PIPES[pair[0]]} -> {PIPES[pair[1]]}, event ids ran out" in text


def test_flags_of_an_inner_loop_whose_first_run_does_nothing_are_primed_once():
    """Operands are loaded a trip ahead: the products of the first trip of the loop over tiles do not happen."""
    text = """graph @f(%x: tensor<256x512xf16>, %w: tensor<512x256xf16>) {
      %p = matmul(%x, %w)
      return %p
    }"""
    chip = load_target("ascend910b")
    kernel = kernel_of(before_sync(text, target="ascend910b"))
    done = synchronise(kernel, chip)
    outer, _ = [loop for loop in kernel.body.walk() if isinstance(loop, scf.ForOp)]
    assert not done.contradiction and done.barriers == {}
    assert {flag.loop for flag in done.plan.flags} == {None, outer}
    assert "serialised" not in SyncReport((done,)).to_text()


def test_a_bias_table_is_written_again_after_a_trip_without_products():
    """Products lag a tile behind the loads: the trip that leaves them out sets the flag of the bias table without
    having used it, so the way from its wait to that set needs a flag, too."""
    program = ascend_opt.compile(linear(128, 512, 4096, "add", "gelu"), target="ascend910b", tune=1)
    (report,) = [r for r in program.reports if isinstance(r, SyncReport)]
    cube = next(k for k in report.kernels if k.kernel.endswith("aic"))
    assert not cube.contradiction and not cube.barred
    program.time()  # stops at a hazard


def test_where_inner_flags_of_all_pairs_contradict_those_of_some_are_taken():
    """The stem of ResNet-50 where Vector cores lay out feature maps: with no flag inside loops it would take barriers
    of all pipes."""
    text = (Path(__file__).parents[2] / "examples" / "conv_bn_relu.mlir").read_text()
    module = compile_until(ascend_opt.compile(text, target="ascend910b1", tune=1), "ascend")
    found = [op.pipe.data for op in module.walk() if isinstance(op, ascend.BarrierOp)]
    assert set(found) <= {"V", "FIX"}


def test_flags_of_one_slot_go_inside_loops_that_may_make_no_trip():
    """Vector cores take turns with feature maps and filters: around the loops of a core that has no turn nothing tells
    a pipe that its flags were taken."""
    text = """graph @f(%x: tensor<1x48x20x20xf16>, %w: tensor<72x48x3x3xf16>) {
      %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    (report,) = [r for r in program.reports if isinstance(r, SyncReport)]
    vector = next(k for k in report.kernels if k.kernel.endswith("aiv"))
    assert not vector.contradiction and "ALL" not in vector.barriers
    program.time()  # stops at a hazard


def test_whole_lines_of_blocks_leave_no_last_positions():
    """Tiles of an image 112 wide have a number of lines that varies, and no branch for positions that fill no block:
    in it a trace would write to the next slot."""
    text = """graph @f(%x: tensor<8x32x112x112xf16>, %w: tensor<32x1x3x3xf16> {weight}) {
      %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 32}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    (report,) = [r for r in program.reports if isinstance(r, SyncReport)]
    assert [k.contradiction for k in report.kernels] == [False]


def test_cores_that_read_their_part_of_a_whole_row_are_alike():
    text = """graph @f(%x: tensor<128x512xf16>, %w: tensor<512x768xf16> {weight}, %b: tensor<768xf16> {weight}) {
      %0 = matmul(%x, %w) {tile = [128, 32]}
      %y = bias_add(%0, %b)
      return %y
    }"""
    kernel = kernel_of(before_sync(text, target="ascend910b"))
    assert 'label = "row"' in str(kernel)
    assert len(trace_kernel(kernel, load_target("ascend910b"), 3)) < 4


@pytest.mark.parametrize(("parts", "traces"), [(1, 1), (2, 4)])
def test_cores_are_alike_where_all_of_a_buffer_is_written_at_once(parts: int, traces: int):
    """Of a buffer that comes in halves, cores 2 and 3 read what another copy brings: each core is traced."""
    p = Program(cores=4)
    x, b, c = p.input("x", (256,)), p.buffer("b", "ub", (256,), 0), p.buffer("c", "ub", (64,), 512)
    half = 256 // parts
    for i in range(parts):
        p.copy(p.view(x, (half,), offset=i * half), p.view(b, (half,), offset=i * half))
    p.vec("vrelu", p.view(b, (64,), offset=p.times(p.block_idx(), 64)), to=p.view(c, (64,)))
    p.module()
    assert len(trace_kernel(p.kernel, CHIP, 3)) == traces


def test_even_rows_of_a_plane_have_no_last_positions():
    """Tiles of 6 rows of 56 and the 2 rows that are left are whole blocks of 16 positions."""
    text = """graph @f(%x: tensor<4x64x56x56xf16>, %w: tensor<64x64x3x3xf16>) {
      %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], tile = [1, 64, 6, 56]}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    (report,) = [r for r in program.reports if isinstance(r, SyncReport)]
    assert [(k.contradiction, "ALL" in k.barriers) for k in report.kernels] == [(False, False)] * 2


def test_report_says_where_flags_contradict_each_other(monkeypatch: pytest.MonkeyPatch):
    def contradicting(
        traces: Sequence[Tracer], without: Collection[tuple[int, int]], schedule: Schedule
    ) -> SyncPlan:
        if without != EVERY_PAIR:
            raise SyncError("no")
        return plan_sync(traces, without, schedule)

    monkeypatch.setattr(ascend_insert_sync, "plan_sync", contradicting)
    report = SyncReport((synchronise(kernel_of(before_sync(LINEAR)), CHIP),))
    assert report.to_json()[0]["flags_contradict"] is True
    assert "which contradict each other" in report.to_text() and "ids ran out" not in report.to_text()


def inserted(change: Callable[[SyncPlan], SyncPlan]) -> ascend.KernelOp:
    """LINEAR with its flags as `change` makes them."""
    kernel = kernel_of(before_sync(LINEAR))
    traces = trace_kernel(kernel, CHIP, 3)
    plan = plan_sync(traces)
    events = assign_events(traces, plan, 16, False)
    assert events is not None
    insert(kernel, change(replace(plan, events=events)))
    return kernel


def test_a_program_that_lacks_a_flag_or_an_id_is_refused():
    target = CHIP.with_(sync={"events": 16})
    plans: list[SyncPlan] = []

    def noted(plan: SyncPlan) -> SyncPlan:
        plans.append(plan)
        return plan

    check_order(inserted(noted), target)
    (plan,) = plans
    assert len(plan.flags) > 3
    for index in range(len(plan.flags)):

        def less(whole: SyncPlan, index: int = index) -> SyncPlan:
            flags, events = list(whole.flags), list(whole.events)
            del flags[index], events[index]
            return replace(whole, flags=tuple(flags), events=tuple(events))

        with pytest.raises(LocatedError, match="the kernel is not in order"):
            check_order(inserted(less), target)
    with pytest.raises(LocatedError, match="event id"):
        check_order(inserted(noted), CHIP.with_(sync={"events": 1}))
    with pytest.raises(LocatedError, match="event id 16"):
        check_order(inserted(lambda whole: replace(whole, events=(16,) * len(whole.events))), target)


def test_what_drains_comes_before_sets_behind_its_loop():
    """They tell of it: the order that the plan was checked with."""
    kernel = kernel_of(before_sync(RELU))
    loop = next(op for op in kernel.walk() if isinstance(op, scf.ForOp))
    inside = [op for op in loop.body.block.ops if isinstance(op, ascend.CopyOp)]
    after = Flag(1, 2, loop, loop, None, None, 1)
    carried = Flag(2, 1, inside[-1], inside[0], loop, None, 1)
    insert(kernel, SyncPlan((carried, after), (), (0, 0)))
    sync = (ascend.SetFlagOp, ascend.WaitFlagOp)
    block = [op for op in loop.parent.ops if isinstance(op, (scf.ForOp, *sync))] if loop.parent else []
    behind = [op.name.rsplit(".", 1)[1] for op in block[block.index(loop) + 1 :]]
    assert behind == ["wait_flag", "set_flag"]
    drained = block[block.index(loop) + 1]
    assert isinstance(drained, FlagOp) and drained.source.data == PIPES[2]
