"""On-chip memory planning: exact fits, reuse, refusals that help, in-place results, a validator that trusts nothing."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.ascend import BufferOp, KernelOp, SetFlagOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.ascend_insert_sync import synchronise
from ascend_opt.passes.ascend_plan_memory import apply_plan, plan_kernel
from ascend_opt.passes.memory.allocation import Plan
from ascend_opt.passes.memory.space_plan import (
    DoesNotFitError,
    Lifetime,
    MemoryProblem,
    Sharing,
    SpacePlan,
    bound_of,
    overlap,
    plan_smallest,
    plan_space,
)
from ascend_opt.passes.memory.validate import check_reuse

CAPACITY = 24 * 8192


def problem(*buffers: Lifetime, capacity: int = CAPACITY, align: int = 32) -> MemoryProblem:
    return MemoryProblem("ub", capacity, align, buffers)


def alive_together(count: int, size: int = 8192) -> MemoryProblem:
    return problem(*(Lifetime(f"b{i}", size, 0, 10) for i in range(count)))


def test_buffers_fill_a_space_to_the_last_byte():
    plan = plan_space(alive_together(24))
    assert plan.peak == plan.bound == CAPACITY == 196608
    check_reuse(alive_together(24), plan)


@pytest.mark.parametrize("reuse", ["none", "max"])
def test_one_buffer_too_many_is_refused_with_peak_live_buffers_and_remedy(reuse: str):
    with pytest.raises(DoesNotFitError) as caught:
        plan_space(alive_together(25), reuse)
    message = str(caught.value)
    assert caught.value.peak == 25 * 8192
    assert f"ub needs {25 * 8192} B, the chip has {CAPACITY} B: 8192 B too many" in message
    assert all(f"b{i}: 8192 B" in message for i in range(25))
    assert "make several buffers smaller, by 8192 B in all" in message


def test_remedies_are_tried():
    """A smaller buffer helps where nothing else is too large; one slot of each where that is enough."""
    two = [Lifetime("a", 150_016, 0, 2), Lifetime("b", 150_016, 0, 2)]
    with pytest.raises(DoesNotFitError, match="make a smaller by 103424 B"):
        plan_space(problem(*two))
    phases = [*two, Lifetime("c", 150_016, 2, 4), Lifetime("d", 150_016, 2, 4)]
    with pytest.raises(DoesNotFitError, match="make several buffers smaller, by 103424 B in all"):
        plan_space(problem(*phases))
    slots = [Lifetime("a", 90_016, 0, 2, slots=2), Lifetime("b", 90_016, 0, 2)]
    for reuse in ("none", "no-stall", "max"):
        with pytest.raises(DoesNotFitError) as caught:
            plan_space(problem(*slots), reuse)
        assert "make a smaller by 36736 B in each of 2 slots" in str(caught.value)
        assert "with one slot of each buffer it takes 180032 B, which fits" in str(caught.value)


def test_refusal_names_only_what_is_alive_at_the_peak():
    """The buffer that is dead by then is no help to whoever must make something smaller."""
    dead = Lifetime("dead", 4096, 0, 2)
    big, bigger = Lifetime("big", 100_000, 3, 8), Lifetime("bigger", 120_000, 4, 9)
    with pytest.raises(DoesNotFitError) as caught:
        plan_space(problem(dead, big, bigger))
    assert [b.name for b in caught.value.live] == ["big", "bigger"]
    assert "make bigger smaller" in str(caught.value)


def chain(count: int, size: int = 65536) -> MemoryProblem:
    """Buffers of which each is alive together with the next one only."""
    return problem(*(Lifetime(f"b{i}", size, i, i + 2) for i in range(count)))


def test_reuse_makes_room_where_nothing_else_does():
    with pytest.raises(DoesNotFitError):
        plan_space(chain(8), reuse="none")
    plan = plan_space(chain(8), reuse="max")
    assert plan.level == "max"
    assert plan.bound == 2 * 65536 <= plan.peak <= CAPACITY
    check_reuse(chain(8), plan)
    smallest = plan_smallest(chain(8))
    assert smallest.peak == plan.bound and smallest.optimal
    check_reuse(chain(8), smallest)


def test_nothing_is_shared_where_everything_fits():
    plan = plan_space(chain(3))
    assert plan.level == "none"
    assert len({slots[0] for slots in plan.offsets}) == 3
    assert plan.peak > plan.bound and not plan.optimal
    assert plan_space(alive_together(3)).optimal
    assert plan_space(alive_together(24)).level == "none"  # to the last byte


def test_bytes_of_others_come_first():
    buffers = (Lifetime("a", 100, 0, 2, slots=2), Lifetime("b", 40, 0, 2))
    asked = replace(problem(*buffers, capacity=392), taken=96)
    plan = plan_space(asked)
    assert plan.offsets == ((96, 224), (352,)) and plan.peak == 392
    check_reuse(asked, plan)
    with pytest.raises(DoesNotFitError, match="buffers of the group: 96 B"):
        plan_space(replace(asked, capacity=380))


def test_ranges_of_points_and_of_bytes_are_half_open():
    a, b, c = (Lifetime(name, 64, start, start + 2) for name, start in (("a", 0), ("b", 2), ("c", 1)))
    assert not a.meets(b) and not b.meets(a)
    assert a.meets(c) and c.meets(a) and b.meets(c) and c.meets(b)
    assert not overlap(a, (0,), b, (64, 128)) and not overlap(b, (64, 128), a, (0,))
    assert overlap(a, (0, 127), b, (64,)) and overlap(b, (64,), a, (0, 127))


def test_a_space_may_hold_no_more_than_what_is_alive():
    exact = replace(chain(8), capacity=2 * 65536)
    assert plan_smallest(exact).peak == exact.capacity
    with pytest.raises(DoesNotFitError):
        plan_smallest(replace(exact, capacity=exact.capacity - 32))


@pytest.mark.parametrize(("status", "what"), [("impossible", "exists"), ("undecided", "was found")])
def test_what_is_alive_may_fit_where_no_layout_does(status: Literal["impossible", "undecided"], what: str):
    asked = alive_together(2)
    failed = Plan(status, ((0,), (CAPACITY,)), CAPACITY + 32, CAPACITY, CAPACITY, 0, (0, 1))
    message = DoesNotFitError(asked, failed, "max").describe()
    assert f"at most {CAPACITY} B are alive at once, but no layout of less {what}" in message


def test_slots_and_alignment_count():
    plan = plan_space(problem(Lifetime("a", 100, 0, 4, slots=2), Lifetime("b", 40, 0, 4), align=64))
    assert plan.offsets == ((0, 128), (256,))
    assert plan.peak == 296


def test_bound_is_the_most_bytes_alive_at_once():
    assert bound_of(chain(5)) == 2 * 65536


@pytest.mark.parametrize("seed", range(20))
def test_random_plans_are_valid_and_near_their_bound(seed: int):
    rng = np.random.default_rng(seed)
    buffers: list[Lifetime] = []
    for i in range(30):
        start = int(rng.integers(0, 40))
        size, slots = int(rng.integers(1, 9000)), int(rng.integers(1, 3))
        buffers.append(Lifetime(f"b{i}", size, start, start + int(rng.integers(1, 12)), slots))
    bound = bound_of(problem(*buffers))
    tight = problem(*buffers, capacity=bound * 3 // 2 // 32 * 32)
    plan = plan_space(tight)
    check_reuse(tight, plan)
    assert bound <= plan.peak <= tight.capacity


@pytest.mark.parametrize(
    ("at", "what"),
    [
        (8192, "b0 and b1 are alive at once"),
        (16, "aligned"),
        (CAPACITY - 32, "behind the capacity"),
        (-32, "begins in bytes that others hold"),
    ],
)
def test_validator_catches_a_corrupted_offset(at: int, what: str):
    asked = alive_together(4)
    plan = plan_space(asked)
    corrupted = replace(plan, offsets=((at,), *plan.offsets[1:]))
    with pytest.raises(ValueError, match=what):
        check_reuse(asked, corrupted)


def test_validator_catches_slots_of_one_buffer_on_top_of_each_other():
    asked = problem(Lifetime("a", 64, 0, 2, slots=2))
    with pytest.raises(ValueError, match="share the byte at 32"):
        check_reuse(asked, SpacePlan("none", ((0, 32),), 96, 128))
    with pytest.raises(ValueError, match="1 offsets for 2 slots"):
        check_reuse(asked, SpacePlan("none", ((0,),), 64, 128))


def on(pipe: str, name: str, start: int, end: int, closes: str = "", loops: tuple[int, ...] = ()) -> Lifetime:
    """100 kB that `pipe` fills and `closes` (or itself) finishes with."""
    return Lifetime(name, 100_000, start, end, 1, frozenset({pipe}), frozenset({closes or pipe}), loops)


def test_temporaries_of_one_pipe_share_without_a_wait():
    asked = problem(*(on("V", f"t{i}", i, i + 1, loops=(0,)) for i in range(4)))
    plan = plan_space(asked)
    assert plan.level == "no-stall" and plan.peak == 100_000
    check_reuse(asked, plan)
    with pytest.raises(DoesNotFitError):
        plan_space(asked, "none")


def test_no_stall_follows_the_data_in_straight_code_and_not_around_a_loop():
    """V finishes with what MTE2 loaded and fills the next one; a loop would make MTE2 wait for MTE3."""
    straight = problem(on("MTE2", "in", 0, 2, "V"), on("V", "out", 2, 4, "MTE3"))
    assert plan_space(straight).level == "no-stall"
    looped = problem(on("MTE2", "in", 0, 2, "V", (0,)), on("V", "out", 2, 4, "MTE3", (0,)))
    assert plan_space(looped).level == "max"
    with pytest.raises(DoesNotFitError) as caught:
        plan_space(looped, "no-stall")
    assert "in: 100000 B" in str(caught.value) and "out: 100000 B" in str(caught.value)
    apart = problem(on("MTE2", "in", 0, 2, "V", (0,)), on("V", "out", 2, 4, "MTE3", (1,)))
    assert plan_space(apart).level == "no-stall"


def test_another_pipe_may_not_open_what_this_one_closed():
    asked = problem(on("MTE2", "a", 0, 2, "V"), on("MTE2", "b", 2, 4, "V"))
    assert plan_space(asked).level == "max"
    both = frozenset({"V", "MTE2"})
    mixed = problem(on("V", "a", 0, 2), Lifetime("b", 100_000, 2, 4, 1, both, frozenset({"V"})))
    assert plan_space(mixed).level == "max"
    unknown = problem(Lifetime("a", 100_000, 0, 2), Lifetime("b", 100_000, 2, 4))
    assert plan_space(unknown).level == "max"


def test_buffers_in_few_loops_share_before_those_in_more():
    """Three must wait for each other in turn; the two of the inner loop keep bytes of their own."""
    sizes = {"outer": (0,), "inner": (0, 1), "inner_too": (0, 1)}
    lives = [
        Lifetime(n, 70_000, i, i + 1, 1, frozenset({"MTE2"}), frozenset({"V"}), loops)
        for i, (n, loops) in enumerate(sizes.items())
    ]
    asked = problem(*lives)
    plan = plan_space(asked)
    check_reuse(asked, plan)
    (outer,), (inner,), (too,) = plan.offsets
    assert plan.level == "max" and inner != too and outer in (inner, too)


def test_pairs_of_one_innermost_loop_share_last():
    loops = {"first": (0, 1), "second": (0, 1), "other": (0, 2)}
    lives = [
        Lifetime(n, 70_000, i, i + 1, 1, frozenset({"MTE2"}), frozenset({"V"}), inside)
        for i, (n, inside) in enumerate(loops.items())
    ]
    (first,), (second,), (other,) = plan_space(problem(*lives)).offsets
    assert first != second and other in (first, second)


def test_depth_counts_of_the_buffer_in_fewer_loops():
    """The outer one and one of the two inner ones share, not the two, which are in different loops."""
    lives = [
        Lifetime(n, 70_000, i, i + 1, 1, frozenset({"MTE2"}), frozenset({"V"}), inside)
        for i, (n, inside) in enumerate({"x": (0, 1, 2), "y": (0, 3, 4), "outer": (0,)}.items())
    ]
    plan = plan_space(problem(*lives))
    (x,), (y,), (outer,) = plan.offsets
    assert x != y and outer in (x, y)
    assert [s.cycles for s in plan.sharings] == [2.0]


def test_waiting_costs_something_whatever_the_price():
    """Without a price of its own, a pair that stalls shares bytes at `max` alone."""
    asked = problem(on("MTE2", "a", 0, 2, "V"), on("MTE2", "b", 2, 4, "V"))
    plan = plan_space(asked, "max", lambda i, j: 0.0)
    assert (plan.level, plan.sharings) == ("max", (Sharing(0, 1, 1.0),))
    check_reuse(asked, plan)


def test_a_pair_in_place_may_have_a_price():
    asked = replace(problem(on("V", "x", 0, 3), on("V", "y", 2, 5)), in_place=((0, 1),))
    assert plan_space(asked).level == "no-stall"
    with pytest.raises(DoesNotFitError):
        plan_space(asked, "no-stall", lambda i, j: 5.0)
    plan = plan_space(asked, "max", lambda i, j: 5.0)
    assert (plan.level, plan.sharings) == ("max", (Sharing(0, 1, 5.0),))


def test_the_dearest_pairs_are_told_first():
    asked = problem(*(on("MTE2", f"b{i}", i, i + 1, "V") for i in range(4)))
    plan = plan_space(asked, "max", lambda i, j: 10.0 + i + j)
    assert [s.cycles for s in plan.sharings] == [15.0, 14.0, 13.0, 13.0, 12.0, 11.0]


def test_validator_holds_a_plan_to_its_level():
    shared = ((0,), (0,))
    asked = problem(on("MTE2", "in", 0, 2, "V", (0,)), on("V", "out", 2, 4, "MTE3", (0,)))
    check_reuse(asked, SpacePlan("max", shared, 100_000, 100_000))
    with pytest.raises(ValueError, match="a pipe would wait for another"):
        check_reuse(asked, SpacePlan("no-stall", shared, 100_000, 100_000))
    with pytest.raises(ValueError, match="the plan says no reuse"):
        check_reuse(asked, SpacePlan("none", shared, 100_000, 100_000))
    fine = problem(on("V", "a", 0, 2, loops=(0,)), on("V", "b", 2, 4, loops=(0,)))
    check_reuse(fine, SpacePlan("no-stall", shared, 100_000, 100_000))


def test_no_stall_adds_no_flag_to_a_kernel():
    """The same instructions in a UB without room for all: temporaries share bytes, and no flag more is needed."""
    text = "graph @f(%x: tensor<4096x1024xf16>) {\n  %a = gelu(%x)\n  %y = tanh(%a)\n  return %y\n}"
    module = read_module(text).module
    for one in build_passes(
        UNIVERSE.all_passes,
        parse_passes("tile-fuse,tile-partition,tile-pipeline,tile-to-ascend,ascend-multi-buffer"),
    ):
        one.apply(make_context(), module)
    flags: dict[str, int] = {}
    for share in ("all", "less"):
        copy = module.clone()
        (kernel,) = [op for op in copy.walk() if isinstance(op, KernelOp)]
        chip = load_target("ascend910")
        needed = sum(op.slot_bytes * op.slot_count for op in copy.walk() if isinstance(op, BufferOp))
        room = replace(chip.spaces["ub"], bytes=needed if share == "all" else needed - 32)
        chip = replace(chip, spaces={**chip.spaces, "ub": room})
        plan = plan_kernel(kernel, chip)
        ((_, space, _),) = plan.spaces
        assert space.level == ("none" if share == "all" else "no-stall")
        apply_plan(plan)
        synchronise(kernel, chip)
        flags[share] = sum(isinstance(op, SetFlagOp) for op in kernel.walk())
    assert flags["less"] == flags["all"] > 0


def test_epilogue_works_in_place():
    """Bias and ReLU of a product overwrite the tile that came from L0C: UB holds no copy for each op."""
    text = """
    graph @linear(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
      %p = matmul(%x, %w)
      %s = bias_add(%p, %b)
      %y = relu(%s)
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910")
    labels = [
        op.label.data for op in program.module.walk() if isinstance(op, BufferOp) and op.label is not None
    ]
    assert labels.count("result") == 1
    assert "temp" not in labels


def test_planned_buffers_are_aligned_and_inside_their_space():
    program = ascend_opt.compile("graph @f(%x: tensor<300x200xf16>) {\n  %y = gelu(%x)\n  return %y\n}")
    target = program.target
    buffers = [op for op in program.module.walk() if isinstance(op, BufferOp)]
    assert buffers
    for op in buffers:
        addresses = op.slot_addresses
        assert addresses is not None and len(addresses) == op.slot_count
        space = target.spaces["ub"]
        assert all(a % space.align == 0 and a + op.slot_bytes <= space.bytes for a in addresses)
