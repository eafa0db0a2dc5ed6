"""Buffers start where the operands of Vector instructions do not meet in the banks of UB."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from ascend_programs import Program
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes import ascend_plan_memory
from ascend_opt.passes.analysis.live_ranges import buffer_usages
from ascend_opt.passes.memory import bank_phases as phases_module
from ascend_opt.passes.memory.bank_phases import bank_phases, bank_turn, collisions
from ascend_opt.passes.memory.space_plan import DoesNotFitError, Lifetime, MemoryProblem, bound_of, plan_space
from ascend_opt.passes.memory.validate import check_reuse
from ascend_opt.runtime.machine.banks import conflict_cycles
from ascend_opt.runtime.machine.costs import vec_cost
from ascend_opt.runtime.machine.memory import View

CHIP = load_target("ascend910b")
SIZE = 4096


def phases(p: Program, pairs: tuple[tuple[str, str], ...] = (), chip: Target = CHIP) -> dict[str, int]:
    usages = buffer_usages(p.kernel, chip)
    number = {u.label: i for i, u in enumerate(usages)}
    found = bank_phases(p.kernel, usages, [(number[a], number[b]) for a, b in pairs], chip)
    return dict(zip(number, found, strict=False))


def program(*names: str) -> tuple[Program, list[SSAValue]]:
    p = Program()
    return p, [p.view(p.buffer(name, "ub", (SIZE,), 0), [SIZE]) for name in names]


def test_two_sources_of_an_instruction_start_half_a_turn_apart():
    p, (a, b, c) = program("a", "b", "c")
    p.vec("vadd", a, b, to=c)
    found = phases(p)
    assert bank_turn(CHIP) == 512
    assert {found["a"], found["b"]} == {0, 256}


def test_the_instruction_that_runs_more_often_decides():
    """Of three buffers, all read together, two have one phase: those that meet least often."""
    p, (a, b, c, d) = program("a", "b", "c", "d")
    p.vec("vadd", a, b, to=d)
    with p.loop(10):
        p.vec("vadd", b, c, to=d)
    with p.loop(20):
        p.vec("vadd", a, c, to=d)
    found = phases(p)
    assert found["a"] != found["c"] != found["b"]


@pytest.mark.parametrize("trips", [1, 40])
def test_equal_instructions_and_trips_are_added(trips: int):
    """Three of one kind weigh more than two trips of another, unless a loop is around them."""
    p, (a, b, c, d) = program("a", "b", "c", "d")
    for first in (b, c):
        for _ in range(3):
            p.vec("vadd", a, first, to=d)
    with p.loop(2), p.loop(trips):
        p.vec("vadd", b, c, to=d)
    found = phases(p)
    assert (found["b"] == found["c"]) == (trips == 1)


def test_a_phase_is_changed_again_where_that_helps_later():
    """The first buffer gives way to the second, which then gives way to the third, that it meets more often."""
    p, (a, b, c, d) = program("a", "b", "c", "d")
    p.vec("vadd", a, b, to=d)
    with p.loop(10):
        p.vec("vadd", b, c, to=d)
    found = phases(p)
    assert found["a"] != found["b"] != found["c"]


def test_a_pair_in_place_has_one_phase():
    p, (a, b, c) = program("a", "b", "c")
    p.vec("vadd", a, b, to=c)
    found = phases(p, (("b", "c"),))
    assert found["b"] == found["c"] != found["a"]
    assert phases(p, (("b", "c"), ("c", "b"))) == found


def test_a_result_that_may_lie_over_either_source_leaves_them_apart():
    p, (a, b, c) = program("a", "b", "c")
    p.vec("vadd", a, b, to=c)
    found = phases(p, (("a", "c"), ("b", "c")))
    assert found["a"] == found["c"] != found["b"]


def test_what_has_another_phase_is_not_written_over():
    both = (Lifetime("a", 1000, 0, 2), Lifetime("b", 1000, 2, 4))
    for phases, over in (((0, 256), ()), ((256, 256), ((0, 1),))):
        spread = MemoryProblem("ub", 4096, 32, both, in_place=((0, 1),), phases=phases, turn=512).spread()
        assert spread.in_place == over


@pytest.mark.parametrize(("steps", "differ"), [((0, 16), True), ((256, 32), False)])
def test_views_with_strides_count_by_them(steps: tuple[int, int], differ: bool):
    """Repeats of the second read the first half of a turn. Those of the first do too, or read every other row."""
    p = Program()
    a, b, c = (p.buffer(name, "ub", (SIZE,), 0) for name in "abc")
    each = [8, 8, 16]
    p.vec(
        "vadd",
        p.view(a, each, strides=[*steps, 1]),
        p.view(b, each, strides=[256, 16, 1]),
        to=p.view(c, each),
    )
    assert (phases(p)["a"] != phases(p)["b"]) == differ


@pytest.mark.parametrize(("offset", "together"), [(128, True), (256, False)])
def test_a_view_inside_a_buffer_counts_from_there(offset: int, together: bool):
    """128 f16 are half a turn."""
    p, (a, c) = program("a", "c")
    whole = p.buffer("b", "ub", (SIZE + offset,), 0)
    p.vec("vadd", a, p.view(whole, [SIZE], offset=offset), to=c)
    assert (phases(p)["a"] == phases(p)["b"]) == together


def test_chips_whose_banks_do_not_matter_have_no_phases():
    p, (a, b, c) = program("a", "b", "c")
    p.vec("vadd", a, b, to=c)
    for chip in ("ascend910", "ascend310p", "ascend950"):
        assert phases(p, chip=load_target(chip)) == {}
    usages = buffer_usages(p.kernel, CHIP)
    assert collisions(p.kernel, usages, [(0,), (8192,), (16384,)], load_target("ascend910")) == 0
    together = collisions(p.kernel, usages, [(0,), (8192,), (16384,)], CHIP)
    assert together > collisions(p.kernel, usages, [(0,), (8192 + 256,), (16384 + 512,)], CHIP) == 0
    assert together == collisions(p.kernel, usages, [(0, 256), (8192,), (16384,)], CHIP)
    views = [View("ub", "f16", 2, at, (SIZE,), (1,), "v") for at in (0, 8192, 16384)]
    found = conflict_cycles(CHIP, views[:2], views[2])
    assert together == vec_cost(CHIP, "vadd", "f16", SIZE // 128, found).conflict


def problem(capacity: int) -> MemoryProblem:
    """Two buffers at a time: the second two after the first two."""
    v = frozenset(("V",))
    buffers = (
        Lifetime("a", 1000, 0, 2, 2, opens=v, closes=v),
        Lifetime("b", 1000, 0, 2, opens=v, closes=v),
        Lifetime("c", 1000, 2, 4, opens=v, closes=v),
        Lifetime("d", 1000, 2, 4, opens=v, closes=v),
    )
    return MemoryProblem("ub", capacity, 32, buffers, phases=(0, 256, 0, 256), turn=512)


@pytest.mark.parametrize(("capacity", "level"), [(1 << 16, "none"), (4096, "no-stall"), (3800, "max")])
def test_phases_are_kept_at_every_level(capacity: int, level: str):
    tight = problem(capacity)

    def price(i: int, j: int) -> float:
        return float(capacity < 4096)

    plan = plan_space(tight, "max", price, lambda offsets: 1000.0 * (offsets[1][0] % 512 != 256))
    check_reuse(tight, plan)
    assert plan.level == level
    assert [{at % 512 for at in slots} for slots in plan.offsets] == [{0}, {256}, {0}, {256}]
    assert plan.peak == max(at + 1000 for slots in plan.offsets for at in slots)
    assert plan.bound == bound_of(tight) and plan.optimal == (plan.peak == plan.bound)


@pytest.mark.parametrize(("waits", "level"), [(1.0, "max"), (1200.0, "none")])
def test_waits_are_weighed_against_collisions(waits: float, level: str):
    """Side by side the buffers fit without their phases; with them some must share bytes. `no-stall` never does."""
    tight = problem(5100)

    def collide(offsets: Sequence[Sequence[int]]) -> float:
        return 1000.0 * (offsets[1][0] % 512 != 256)

    plan = plan_space(tight, "max", lambda i, j: waits, collide)
    check_reuse(tight, plan)
    assert plan.level == level
    assert plan_space(tight, "no-stall", lambda i, j: waits, collide).level == "none"


def test_where_phases_do_not_fit_the_cheaper_plan_is_taken():
    """3100 bytes hold the buffers side by side two at a time, not at multiples of 512."""
    tight = problem(3100)
    plan = plan_space(tight, "max", lambda i, j: 0.0, lambda offsets: 1.0)
    check_reuse(tight, plan)
    assert plan.level == "no-stall"
    with pytest.raises(DoesNotFitError) as caught:  # sharing at this level makes nothing slower
        plan_space(tight, "no-stall", lambda i, j: 0.0, lambda offsets: 1.0)
    assert caught.value.peak > tight.capacity
    plain = replace(tight, phases=(), turn=0)
    assert plan_space(plain, "no-stall", lambda i, j: 0.0).level == "no-stall"
    side_by_side = problem(5 * 1024)
    assert (
        plan_space(side_by_side, "none").offsets
        == plan_space(replace(side_by_side, phases=()), "none").offsets
    )


TEXT = """graph @f(%x: tensor<64x4096xf16>, %y: tensor<64x4096xf16>) {
  %a = mul(%x, %y)
  %b = tanh(%a)
  %c = add(%b, %y)
  return %c
}"""


def test_a_kernel_is_faster_for_it(monkeypatch: pytest.MonkeyPatch):
    fast = ascend_opt.compile(TEXT, target="ascend910b").time().total_us

    def nowhere(*_: object) -> tuple[int, ...]:
        return ()

    monkeypatch.setattr(ascend_plan_memory, "bank_phases", nowhere)
    assert fast < 0.97 * ascend_opt.compile(TEXT, target="ascend910b").time().total_us


def test_a_row_starts_behind_those_that_are_read_in_every_second_place():
    """Half blocks at a pitch of two rows take every second group in each repeat; what is read beside them takes another
    one."""
    p = Program()
    x, row = p.buffer("x", "ub", (SIZE,), 0, dtype="f32"), p.buffer("row", "ub", (16,), 0, dtype="f32")
    wide = p.view(x, [32, 8, 8], [128, 16, 1])
    p.vec("vsub", wide, p.view(row, [32, 8, 8], [0, 0, 1]), to=wide)
    found = phases(p)
    assert (found["row"] - found["x"]) // 32 % 2 == 1


def test_runs_whose_length_is_computed_meet_as_whole_tiles_do():
    """The last tile has fewer rows, so that all runs have a size that the program computes."""
    text = """graph @chain(%x: tensor<1000x1000xf16>, %z: tensor<1000x1000xf16>) {
  %0 = mul(%x, %z)
  %1 = sub(%0, %x)
  %y = maximum(%1, %x)
  return %y
}"""
    (kernel,) = ascend_opt.compile(text, target="ascend910b", tune=1).time().kernels
    assert kernel.pipes["V"].conflict_us < 0.1 * kernel.pipes["V"].busy_us


POOLED = """graph @f(%x5: tensor<1x52x7x7x16xf16>, %w: tensor<128x832x1x1xf16> {weight}, %b: tensor<128xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [1, 832, 7, 7]}
  %0 = max_pool2d(%x) {kernel = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1]}
  %1 = conv2d(%0, %w)
  %2 = bias_add(%1, %b)
  %y = relu(%2)
  return %y
}"""
MOST_SUMS = 5000


def test_phases_that_are_alike_do_not_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this pool before a product two phases seem better than each other, by the rounding of their sums."""
    total, sums = phases_module._total, 0  # pyright: ignore[reportPrivateUsage]

    def counted(*args: object) -> float:
        nonlocal sums
        sums += 1
        assert sums < MOST_SUMS, "phases are changed without end"
        return total(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(phases_module, "_total", counted)
    ascend_opt.compile(POOLED, target="ascend910b", tune=1)
    assert sums > 0
