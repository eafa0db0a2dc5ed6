"""What joints and rectangles make of full memory."""

import pytest
from allocation_problems import known_problem

from ascend_opt.passes.allocation import Buffer, Plan, Problem, allocate, validate
from ascend_opt.passes.allocation.joined_search import JoinedSearch
from ascend_opt.passes.allocation.joints import Joint, joints
from ascend_opt.passes.allocation.model import build
from ascend_opt.passes.allocation.rectangles import join


def never(steps: int = 0) -> bool:
    return False


def test_one_block_on_a_side_is_a_certain_joint():
    assert joints([(1, 5)], [(2, 2), (3, 3)], 40) == [Joint((1,), (2, 3), True)]
    assert joints([(1, 2), (2, 3)], [(3, 5)], 0) == [Joint((1, 2), (3,), True)]


def test_sides_that_cannot_be_split_are_a_certain_joint():
    assert joints([(1, 4), (2, 6)], [(3, 3), (4, 7)], 40) == [Joint((1, 2), (3, 4), True)]


def test_equal_sums_are_split_as_finely_as_possible():
    found = joints([(1, 5), (2, 7), (3, 20)], [(4, 20), (5, 3), (6, 4), (7, 5)], 40)
    assert found == [Joint((3,), (4,), False), Joint((1,), (7,), False), Joint((2,), (5, 6), False)]


def test_what_can_be_split_in_two_ways_is_left():
    assert joints([(1, 5), (2, 5), (3, 4)], [(4, 5), (5, 5), (6, 4)], 40) == []
    assert joints([(1, 5), (2, 7)], [(3, 5), (4, 7)], 3) == []  # more pairs than are looked at


def test_pieces_one_after_the_other_and_stacks_become_one():
    buffers = (
        Buffer("a", 0, 3, 6),
        Buffer("b", 3, 9, 2),
        Buffer("c", 3, 9, 4),
        Buffer("d", 0, 5, 10),
        Buffer("e", 5, 9, 10),
    )
    model = build(Problem(buffers))
    joined = join(model, 40, never)
    assert joined is not None
    assert [(block.low, block.high, len(block.items)) for block in joined.blocks] == [(0, 3, 2), (0, 3, 3)]
    assert (
        joined.height
        == model.peak(joined.offsets([0, joined.blocks[0].size])) // model.unit
        == 16 // model.unit
    )


def test_a_pinwheel_becomes_one():
    pinwheel = (
        Buffer("under", 1, 4, 3),
        Buffer("right", 4, 8, 8),
        Buffer("over", 3, 8, 4),
        Buffer("left", 1, 3, 9),
        Buffer("middle", 3, 4, 5),
    )
    model = build(Problem((*pinwheel, Buffer("before", 0, 1, 12))))
    joined = join(model, 40, never)
    assert joined is not None
    assert len(joined.blocks) == 1


def test_nothing_is_joined_where_bytes_are_spare():
    assert join(build(Problem((Buffer("a", 0, 2, 3), Buffer("b", 2, 4, 2)))), 40, never) is None


def test_a_pair_in_place_of_two_sizes_stays_as_it_is():
    buffers = (
        Buffer("a", 0, 3, 4),
        Buffer("over", 2, 5, 6),
        Buffer("b", 0, 2, 6),
        Buffer("c", 2, 5, 4),
        Buffer("d", 5, 6, 5),
        Buffer("e", 5, 6, 5),
        Buffer("f", 6, 8, 10),
    )
    problem = Problem(buffers, in_place=((0, 1),))
    model = build(problem)
    joined = join(model, 40, never)
    assert joined is not None
    left = joined.pieces.model.problem
    inside = [tuple(model.owner[k] for k, _ in block.items) for block in joined.blocks]
    ((i, j),) = left.in_place
    assert {inside[i], inside[j]} == {(0,), (1,)}
    assert (left.buffers[i].size, left.buffers[j].size) == (4 // model.unit, 6 // model.unit)


@pytest.mark.parametrize(("align", "share"), [(1, 0.0), (32, 0.2)])
def test_layouts_of_joined_problems_are_valid_and_full(align: int, share: float):
    problem, height = known_problem(400, 3, align, share)
    model = build(problem)
    search = JoinedSearch(model)
    found = list(search.run(40000, never))
    assert found
    for offsets, _ in found:
        peak = model.peak(offsets)
        validate(problem, Plan("fits", model.addresses(offsets), peak, 0, 0, 0, ()))
    assert model.peak(found[-1][0]) <= height


def test_many_pieces_of_a_full_rectangle_reach_its_height():
    problem, height = known_problem(500, 1)
    plan = allocate(problem, steps=1500)
    validate(problem, plan)
    assert plan.peak == height
    assert plan.method == "exact search for rectangles"
    assert plan == allocate(problem, steps=1500)
