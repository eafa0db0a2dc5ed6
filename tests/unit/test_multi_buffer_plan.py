"""Slots: who gets them, as far as there is room, and a validator that trusts no plan."""

from dataclasses import replace

import pytest
from xdsl.dialects.builtin import ModuleOp

from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.ascend_multi_buffer import slot_problem
from ascend_opt.passes.memory.slot_plan import (
    MultiBufferPlan,
    MultiBufferProblem,
    Slotted,
    plan_slots,
    validate,
)

CHIP = load_target("ascend910")


def problem(*buffers: Slotted, ub: int = 1000, slots: int = 2) -> MultiBufferProblem:
    return MultiBufferProblem(buffers, {"ub": ub, "l1": 1000}, slots)


def shared(name: str, size: int, depth: int = 1, space: str = "ub") -> Slotted:
    return Slotted(name, space, size, wants=True, depth=depth)


def slots_of(asked: MultiBufferProblem) -> list[int]:
    plan = plan_slots(asked)
    validate(asked, plan)
    return list(plan.slots)


def test_inner_loops_come_first_then_small_buffers():
    assert slots_of(problem(shared("outer", 300, 1), shared("inner", 300, 2), ub=900)) == [1, 2]
    assert slots_of(problem(shared("large", 400), shared("small", 200), ub=800)) == [1, 2]


def test_every_buffer_has_one_slot_before_any_has_two():
    own = Slotted("temporary", "ub", 600, wants=False)
    assert slots_of(problem(shared("a", 200), own)) == [2, 1]
    assert slots_of(problem(shared("a", 201), own)) == [1, 1]


def test_spaces_have_room_of_their_own():
    assert slots_of(problem(shared("a", 600), shared("b", 500, space="l1"))) == [1, 2]


def test_slots_are_as_many_as_asked():
    assert slots_of(problem(shared("a", 300), slots=3)) == [3]
    assert slots_of(problem(shared("a", 400), slots=3)) == [1]
    assert slots_of(problem(shared("a", 300), slots=1)) == [1]


def test_more_slots_come_behind_the_second_ones_of_all():
    four = replace(shared("a", 200), most=4)
    assert slots_of(problem(four)) == [4]
    assert slots_of(problem(four, shared("b", 100))) == [4, 2]
    assert slots_of(problem(four, shared("b", 150))) == [3, 2]
    assert slots_of(problem(four, shared("b", 250))) == [2, 2]
    assert slots_of(problem(four, slots=1)) == [1]
    assert slots_of(problem(replace(four, wants=False))) == [1]


def test_too_much_for_one_slot_each_is_left_to_reuse():
    assert slots_of(problem(shared("a", 700), shared("b", 700))) == [1, 1]


@pytest.mark.parametrize(
    ("slots", "what"),
    [
        ((2, 1, 1), "slots take 1250 B of ub, which has 1000 B"),
        ((1, 2, 1), "slots take 1250 B"),
        ((1, 1, 2), "hands nothing"),
        ((0, 1, 1), "a has 0 slots"),
        ((3, 1, 1), "a has 3 slots, neither 1 nor 2"),
        ((1, 1), "2 numbers of slots for 3 buffers"),
    ],
)
def test_validator_catches_a_wrong_plan(slots: tuple[int, ...], what: str):
    asked = problem(shared("a", 400), shared("b", 400, depth=2), Slotted("own", "ub", 50, wants=False))
    validate(asked, MultiBufferPlan((1, 1, 1)))
    with pytest.raises(ValueError, match=what):
        validate(asked, MultiBufferPlan(slots))


def before_slots(text: str) -> ModuleOp:
    module = read_module(text).module
    for one in build_passes(
        UNIVERSE.all_passes, parse_passes("tile-from-graph,tile-partition,tile-pipeline,tile-to-ascend")
    ):
        one.apply(make_context(), module)
    return module


def test_slots_go_to_what_two_pipes_share_in_a_loop():
    module = before_slots("graph @f(%x: tensor<4096x4096xf16>) {\n  %y = relu(%x)\n  return %y\n}")
    (kernel,) = [op for op in module.walk() if isinstance(op, KernelOp)]
    buffers, asked = slot_problem(kernel, CHIP)
    assert slots_of(asked) == [2] * len(buffers)
    ub = replace(CHIP.spaces["ub"], bytes=sum(buffer.slot_bytes for buffer in buffers))
    _, tight = slot_problem(kernel, replace(CHIP, spaces={**CHIP.spaces, "ub": ub}))
    assert slots_of(tight) == [1] * len(buffers)
