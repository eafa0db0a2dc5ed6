"""Flags and barriers on small kernels: enough, none too many, numbered within what the chip has."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from ascend_programs import Program
from small_graphs import linear
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import choose_function, make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.programs.program_inputs import graph_inputs
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES, Target
from ascend_opt.passes import ascend_insert_sync
from ascend_opt.passes.analysis.required_slots import least_slots
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.analysis.traces import trace_kernel
from ascend_opt.passes.ascend_insert_sync import EVERY_PAIR, insert, synchronise
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync import plan as sync_plan
from ascend_opt.passes.sync.flags import Flag, SyncPlan
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.passes.sync.plan import SyncError, assign_events, plan_sync
from ascend_opt.passes.sync.report import SyncReport
from ascend_opt.passes.sync.schedule import Schedule
from ascend_opt.runtime.execution.emulator import Emulator

CHIP = load_target("ascend910")
RELU = "graph @f(%x: tensor<4096x4096xf16>) {\n  %y = relu(%x)\n  return %y\n}"
LINEAR = """
graph @f(%x: tensor<512x512xf16>, %w: tensor<512x512xf16> {weight}, %b: tensor<512xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = relu(%s)
  return %y
}"""
GRAPHS = {"relu": RELU, "linear": LINEAR}


def before_sync(text: str, slots: int = 2, target: str = "ascend910") -> ModuleOp:
    """The graph lowered as far as planned memory, with up to `slots` slots a buffer."""
    module, context = read_module(text).module, make_context()
    specs = [*stages("fuse"), *stages("lower")]
    for one in build_passes(UNIVERSE.all_passes, specs, target):
        if one.name == "ascend-insert-sync":
            break
        if one.name != "ascend-multi-buffer" or slots > 1:
            one.apply(context, module)
    return module


def kernel_of(module: ModuleOp) -> ascend.KernelOp:
    (kernel,) = [op for op in module.body.block.ops if isinstance(op, ascend.KernelOp)]
    return kernel


def pairs(kernel: ascend.KernelOp) -> Counter[tuple[str, str]]:
    """How many flag ops there are for each pair of pipes."""
    return Counter((op.source.data, op.destination.data) for op in kernel.walk() if isinstance(op, FlagOp))


def run(module: ModuleOp, text: str, target: Target = CHIP) -> None:
    function = choose_function(read_module(text).module, None)
    Emulator(module, target).run(None, seeded_inputs(graph_inputs(function), 0, function))


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


def numbered(plan: SyncPlan) -> list[tuple[int, int, int]]:
    """(source, destination, event) of every flag's events."""
    return [
        (flag.source, flag.destination, first + i)
        for flag, first in zip(plan.flags, plan.events, strict=True)
        for i in range(flag.count)
    ]


@pytest.mark.parametrize("name", GRAPHS)
def test_ping_pong_flags_have_an_event_for_each_slot(name: str):
    plan = synchronise(kernel_of(before_sync(GRAPHS[name])), CHIP).plan
    assert any(flag.count == 2 for flag in plan.flags)
    assert all((flag.count > 1) == (flag.slot is not None) for flag in plan.flags)


@pytest.mark.parametrize("key", ["pair", "source"])
@pytest.mark.parametrize("events", [0, 1, 2, 3, 4, 8])
def test_event_ids_stay_within_the_chip(events: int, key: str):
    """Few ids cost slots and time, never correctness."""
    target = CHIP.with_(sync={"events": events, "key": key})
    module = before_sync(LINEAR)
    plan = synchronise(kernel_of(module), target).plan
    assert all(event < events for _, _, event in numbered(plan))
    run(module, LINEAR, target)


def barriers(kernel: ascend.KernelOp) -> Counter[str]:
    return Counter(op.pipe.data for op in kernel.walk() if isinstance(op, ascend.BarrierOp))


@pytest.mark.parametrize("name", GRAPHS)
def test_without_event_ids_barriers_of_every_pipe_order_the_program(name: str):
    module = before_sync(GRAPHS[name])
    synchronise(kernel_of(module), CHIP.with_(sync={"events": 0}))
    assert not pairs(kernel_of(module)) and barriers(kernel_of(module))["ALL"]
    run(module, GRAPHS[name])


def test_pipes_that_are_ordered_by_themselves_need_no_barrier():
    target = CHIP.with_(sync={"ordered_pipe": True})
    module = before_sync(LINEAR)
    synchronise(kernel_of(module), target)
    assert not barriers(kernel_of(module))
    run(module, LINEAR, target)


def test_events_keyed_by_source_are_distinct_for_each_source():
    target = CHIP.with_(sync={"key": "source", "events": 8})
    module = before_sync(RELU)
    plan = synchronise(kernel_of(module), target).plan
    used = [(source, event) for source, _, event in numbered(plan)]
    assert len(used) == len(set(used))
    run(module, RELU, target)


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


STREAMED = """
graph @f(%x: tensor<256x512xf16>, %w: tensor<512x1024xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}"""


@pytest.mark.parametrize("events", [1, 2, 4])
def test_operands_loaded_ahead_keep_their_two_slots(events: int, tmp_path: Path):
    """In one slot the next step's operands would lie over those that the product still reads: wrong, and no race."""
    chip = tmp_path / "few.toml"
    text = (resources.files("ascend_opt.dialects") / "targets" / "ascend910.toml").read_text()
    text = text.replace('name = "ascend910"', 'name = "few"')
    for key, value in (("cores", 2), ("events", events)):
        text = re.sub(rf"(?m)^{key} = \d+", f"{key} = {value}", text)
    chip.write_text(text)
    program = ascend_opt.compile(STREAMED, target=str(chip), tune=1)
    assert least_slots(kernel_of(program.module))
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    found = program.run(inputs).outputs["output0"].astype(np.float32)
    expected = program.reference(inputs)["output0"]
    assert np.linalg.norm(found - expected) <= 3e-3 * np.linalg.norm(expected)


def test_ids_that_are_shared_count_as_taken(monkeypatch: pytest.MonkeyPatch):
    """The second flag shares an id with the first; the third may not take the other one unseen."""
    op = kernel_of(before_sync(RELU))
    first, second, third = (Flag(0, 1, op, op, None, None, count) for count in (2, 2, 1))

    class Graph:
        def may_share(self, firsts: Mapping[Flag, int]) -> bool:
            return second not in firsts or (third not in firsts and firsts[second] == 1)

    def graphs(_: object, flags: object, barriers: object) -> list[Graph]:
        return [Graph()]

    monkeypatch.setattr(sync_plan.Schedule, "graphs", graphs)
    events = assign_events([], SyncPlan((first, second, third), ()), 3, False)
    assert events == (0, 1, 0)


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


def test_products_in_peeled_parts_share_the_ids_of_those_in_the_loop():
    """Attention on 4 ids: those of a loop are free outside it. No barrier of every pipe is needed."""
    shape = "tensor<1x8x1024x128xf16>"
    text = f"graph @f(%q: {shape}, %k: {shape}, %v: {shape}) {{\n  %y = attention(%q, %k, %v) "
    module = before_sync(text + '{fuse = "a"}\n  return %y\n}')
    sync = synchronise(kernel_of(module), CHIP)
    assert not sync.short and not sync.barred and "ALL" not in sync.barriers
    loops = {flag.loop for flag in sync.plan.flags if flag.loop is not None}
    assert any(isinstance(loop.parent_op(), scf.ForOp) for loop in loops)
    check_order(module, CHIP)
