"""What the memory planner knows of kernels' buffers: lifetimes in loops and branches, what may lie over what."""

from collections.abc import Callable

import pytest
from ascend_programs import Program
from whole_buffers import CHIP, SIZE, Whole, ub, usages
from xdsl.dialects import scf
from xdsl.ir import SSAValue

from ascend_opt.dialects.ascend import NextSlotOp
from ascend_opt.passes.analysis.live_ranges import buffer_usages
from ascend_opt.passes.memory.allocation import allocate
from ascend_opt.passes.memory.in_place import in_place_pairs
from ascend_opt.passes.memory.space_plan import MemoryProblem
from ascend_opt.passes.memory.space_problem import loop_numbers, space_problem


def test_a_value_from_outside_a_loop_lives_to_the_loop_s_end():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    outside, early, late = ub(p, "outside", "early", "late")
    p.copy(x, outside)
    with p.loop(4):
        p.vec("vrelu", outside, to=early)
        p.vec("vabs", early, to=late)
        p.copy(late, y)
    found = usages(p)
    assert all(found["outside"].end >= found[name].end for name in ("early", "late"))
    # the use itself is the first instruction of the loop: without the loop it would be over there
    assert found["outside"].end > found["late"].start + 1


def test_a_value_from_outside_nested_loops_lives_to_the_end_of_the_outermost_one():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    outside, inner, after = ub(p, "outside", "inner", "after")
    p.copy(x, outside)
    with p.loop(4):
        with p.loop(4):
            p.vec("vrelu", outside, to=inner)
        p.vec("vabs", inner, to=after)
        p.copy(after, y)
    found = usages(p)
    assert found["outside"].end >= found["after"].end
    # the inner loop is over when `after` begins, what it read from outside both is not
    assert found["outside"].end > found["after"].start


Body = Callable[[Program, SSAValue, SSAValue], None]


def one(name: str, **scalar: float) -> Body:
    return lambda p, a, b: p.vec(name, a, to=b, **scalar)


def plain(p: Program, a: SSAValue) -> SSAValue:
    return p.view(a, [4, 8, 16], [128, 16, 1])


NEVER: dict[str, Body] = {
    "a broadcast": lambda p, a, b: p.vec("vrelu", p.view(a, [4, 8, 16], [0, 16, 1]), to=plain(p, b)),
    "a transpose by strides": lambda p, a, b: p.vec(
        "vrelu", p.view(a, [4, 8, 16], [16, 64, 1]), to=plain(p, b)
    ),
    "a part": lambda p, a, b: p.vec("vrelu", p.view(a, [256], offset=256), to=p.view(b, [256])),
    "a reduction": lambda p, a, b: p.vec("vcadd", plain(p, a), to=p.view(b, [4, 1, 1], [16, 1, 1])),
    "a transpose": lambda p, a, b: p.transpose(
        p.view(a, [2, 16, 16], [256, 16, 1]), p.view(b, [2, 16, 16], [256, 16, 1])
    ),
    "an operand that lives on": lambda p, a, b: (p.vec("vrelu", a, to=b), p.vec("vadd", a, b, to=b))[0],
    "a result that was begun before": lambda p, a, b: (
        p.vec("vdup", to=b, scalar=1.0),
        p.vec("vrelu", a, to=b),
    )[0],
}


def kernel_of(body: Body) -> Program:
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b = ub(p, "a", "b")
    p.copy(x, a)
    body(p, a, b)
    p.copy(b, y)
    return p


def names(p: Program) -> list[tuple[str, str]]:
    found = buffer_usages(p.kernel, CHIP)
    return [(found[i].label, found[j].label) for i, j in in_place_pairs(p.kernel, found)]


@pytest.mark.parametrize("body", [one("vrelu"), one("vmuls", scalar=2.0), one("vexp")])
def test_an_element_wise_result_may_lie_over_an_operand_that_dies(body: Body):
    assert names(kernel_of(body)) == [("a", "b")]


@pytest.mark.parametrize("what", NEVER)
def test_never_in_place(what: str):
    assert names(kernel_of(NEVER[what])) == []


def test_never_over_a_conversion_s_operand():
    p = Whole()
    x = p.input("x", (SIZE,))
    (a,) = ub(p, "a")
    b = p.buffer("b", "ub", (SIZE,), 0, dtype="f32")
    p.copy(x, a)
    p.vec("vconv", a, to=b)
    assert names(p) == []


def test_never_over_the_mask_of_a_select():
    p = Whole()
    x = p.input("x", (128,))
    a, b = (p.buffer(n, "ub", (128,), 0) for n in "ab")
    mask, c = p.buffer("mask", "ub", (16,), 0, dtype="i8"), p.buffer("c", "ub", (128,), 0)
    p.copy(x, a)
    p.copy(x, b)
    p.vec("vcmpv_lt", a, b, to=mask)
    p.vec("vsel", mask, a, b, to=c)
    assert names(p) == []


def problem(p: Program) -> MemoryProblem:
    found = buffer_usages(p.kernel, CHIP)
    base = space_problem(found, "ub", CHIP, loop_numbers(p.kernel))
    return MemoryProblem(
        "ub", base.capacity, base.align, base.buffers, 0, tuple(in_place_pairs(p.kernel, found))
    )


def chain(*steps: Body) -> Program:
    """Each step from one buffer to the next one."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    buffers = ub(p, *(f"b{i}" for i in range(len(steps) + 1)))
    p.copy(x, buffers[0])
    for step, a, b in zip(steps, buffers, buffers[1:], strict=False):
        step(p, a, b)
    p.copy(buffers[-1], y)
    return p


def test_a_chain_of_results_in_place_needs_one_buffer():
    asked = problem(chain(one("vrelu"), one("vabs"), one("vexp")))
    assert asked.in_place == ((0, 1), (1, 2), (2, 3))
    assert allocate(asked.allocation()).peak == 2 * SIZE


def test_a_chain_is_broken_where_one_step_is_not_element_wise():
    asked = problem(chain(one("vrelu"), NEVER["a reduction"], one("vexp")))
    assert asked.in_place == ((0, 1), (2, 3))
    plan = allocate(asked.allocation())
    assert plan.peak == 4 * SIZE
    first, second = plan.offsets[0][0], plan.offsets[2][0]
    assert first != second, "what is over the first buffer is the reduction's operand"


def test_never_in_place_at_offsets_that_may_differ():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b = ub(p, "a", "b")
    p.copy(x, a)
    here, there = p.times(p.block_idx(), 16), p.times(p.block_idx(), 32)
    p.vec("vrelu", p.view(a, [128], offset=here), to=p.view(b, [128], offset=there))
    p.copy(b, y)
    assert names(p) == []


@pytest.mark.parametrize(("slots", "begun", "pairs"), [(2, 1, [("a", "b")]), (1, 1, []), (2, 2, [])])
def test_slots_in_place_go_in_step(slots: int, begun: int, pairs: list[tuple[str, str]]):
    """As many slots on both sides, each begun once: slot i is then written over slot i."""
    p = Whole()
    x = p.input("x", (SIZE,))
    a, b = p.buffer("a", "ub", (SIZE,), 0, 2048), p.buffer("b", "ub", (SIZE,), *range(0, slots * 2048, 2048))
    *_, slot = (p.add(NextSlotOp(a)) for _ in range(begun))
    p.copy(x, p.view(a, [SIZE], slot=slot))
    p.vec("vrelu", p.view(a, [SIZE], slot=slot), to=p.view(b, [SIZE], slot=p.add(NextSlotOp(b))))
    assert names(p) == pairs


@pytest.mark.parametrize("apart", [False, True], ids=["one branch", "two branches"])
def test_what_a_branch_alone_touches_lives_there(apart: bool):
    """Slots are taken in front of the branch; with accesses in two of them the whole of both counts."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    early, late = ub(p, "early", "late")
    with p.loop(4) as i:
        first, second = (p.view(one, [SIZE], slot=p.add(NextSlotOp(one))) for one in (early, late))
        with p.when(p.compare("sgt", i, 0)):
            p.copy(x, first)
            p.copy(first, y)
            p.copy(x, second)
            if not apart:
                p.copy(second, y)
        if apart:
            with p.when(p.compare("sgt", i, 0)):
                p.copy(second, y)
    found = usages(p)
    assert (found["early"].end <= found["late"].start) != apart


def test_what_both_branches_touch_lives_in_all_of_them():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    both, here = ub(p, "both", "here")
    with p.loop(4) as i:
        first, second = (p.view(one, [SIZE], slot=p.add(NextSlotOp(one))) for one in (both, here))
        with p.when(p.compare("sgt", i, 0)):
            p.copy(x, second)
            p.copy(second, y)
            p.copy(x, first)
            p.copy(first, y)
        branch = p.block.last_op
        assert isinstance(branch, scf.IfOp)
        last = branch.true_region.block.last_op
        assert last is not None and last.prev_op is not None
        read = last.prev_op
        read.detach()
        end = branch.false_region.block.last_op
        assert end is not None
        branch.false_region.block.insert_op_before(read, end)
    found = usages(p)
    assert found["both"].start < found["here"].start and found["both"].end > found["here"].end
