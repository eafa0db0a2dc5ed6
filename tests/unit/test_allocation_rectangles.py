"""What joints and rectangles make of full memory."""

from random import Random

import pytest
from allocation_problems import cut_rectangle, known_problem

from ascend_opt.passes.memory.allocation import Buffer, Plan, Problem, allocate, validate
from ascend_opt.passes.memory.allocation.joined_search import JoinedSearch
from ascend_opt.passes.memory.allocation.joints import Joint, joints
from ascend_opt.passes.memory.allocation.model import Model, build
from ascend_opt.passes.memory.allocation.rectangles import join

Place = tuple[int, int, int]
"""Start, end and size of a buffer."""


def never(steps: int = 0) -> bool:
    return False


def model_of(*places: Place, in_place: tuple[tuple[int, int], ...] = ()) -> Model:
    return build(Problem(tuple(Buffer(str(i), *place) for i, place in enumerate(places)), in_place=in_place))


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
    model = model_of((0, 3, 6), (3, 9, 2), (3, 9, 4), (0, 5, 10), (5, 9, 10))
    joined = join(model, 40, never)
    assert joined is not None
    assert [(block.low, block.high, len(block.items)) for block in joined.blocks] == [(0, 3, 2), (0, 3, 3)]
    assert (
        joined.height
        == model.peak(joined.offsets([0, joined.blocks[0].size])) // model.unit
        == 16 // model.unit
    )


def test_a_pinwheel_becomes_one():
    joined = join(model_of((1, 4, 3), (4, 8, 8), (3, 8, 4), (1, 3, 9), (3, 4, 5), (0, 1, 12)), 40, never)
    assert joined is not None
    assert len(joined.blocks) == 1


@pytest.mark.parametrize(
    "places",
    [
        ((0, 2, 3), (2, 4, 2)),
        ((0, 2, 2), (2, 4, 3)),
        ((0, 2, 4), (2, 4, 4), (4, 5, 3), (4, 5, 2)),
    ],
    ids=["behind", "in front", "full later"],
)
def test_nothing_is_joined_where_bytes_are_spare(places: tuple[Place, ...]):
    assert join(model_of(*places), 40, never) is None


def test_a_pair_in_place_of_two_sizes_stays_as_it_is():
    """Where the second begins, what else begins has less room than what ends: these do not belong together."""
    places = ((0, 3, 4), (2, 5, 6), (0, 2, 6), (2, 5, 4), (5, 6, 5), (5, 6, 5), (6, 8, 10))
    model = model_of(*places, in_place=((0, 1),))
    joined = join(model, 40, never)
    assert joined is not None
    left = joined.pieces.model.problem
    inside = [tuple(model.owner[k] for k, _ in block.items) for block in joined.blocks]
    ((i, j),) = left.in_place
    assert {inside[i], inside[j]} == {(0,), (1,)}
    assert (left.buffers[i].size, left.buffers[j].size) == (4 // model.unit, 6 // model.unit)
    assert (2,) in inside and (3,) in inside


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


def mixed_problem(seed: int, taken: int) -> tuple[Problem, int]:
    """A full rectangle above `taken` bytes, cut to 40 pieces, each as aligned as it lies, and the least peak."""
    random = Random(seed)
    buffers = [
        Buffer(
            str(number), start, end, high - low, next(a for a in (6, 4, 3, 2, 1) if (low + taken) % a == 0)
        )
        for number, (start, end, low, high) in enumerate(cut_rectangle(40, 320, 40, random))
    ]
    random.shuffle(buffers)
    return Problem(tuple(buffers), taken=taken), 320 + taken


@pytest.mark.sweep(2)
@pytest.mark.parametrize("taken", [0, 5])
def test_alignments_and_bytes_of_others_are_kept(taken: int):
    full = 0
    for seed in range(40):
        problem, height = mixed_problem(seed, taken)
        model = build(problem)
        for offsets, _ in JoinedSearch(model).run(2000, never):
            peak = model.peak(offsets)
            validate(problem, Plan("fits", model.addresses(offsets), peak, 0, 0, 0, ()))
            full += peak == height
    assert full >= 7


def test_a_search_ends_with_the_first_full_layout_or_with_its_steps():
    search = JoinedSearch(build(known_problem(100, 1)[0]))
    assert [how for _, how in search.run(40000, never)] == ["exact search for rectangles"]
    long = JoinedSearch(build(known_problem(600, 2)[0]))
    for _ in range(2):  # each run has steps of its own
        asked: list[int] = []

        def stop(steps: int, asked: list[int] = asked) -> bool:
            asked.append(steps)
            return False

        list(long.run(900, stop))
        assert long.steps == 900
        assert 450 < max(asked) <= 901


def test_many_pieces_of_a_full_rectangle_reach_its_height():
    problem, height = known_problem(500, 1)
    plan = allocate(problem, steps=1500)
    validate(problem, plan)
    assert plan.peak == height
    assert plan.method == "exact search for rectangles"
    assert plan == allocate(problem, steps=1500)
