"""The allocation engine on known cases, and its validator on plans that are wrong on purpose."""

from dataclasses import replace

import pytest

from ascend_opt.passes.memory.allocation import Buffer, InvalidPlanError, Plan, Problem, allocate, validate


def checked(problem: Problem, steps: int | None = None) -> Plan:
    plan = allocate(problem, steps=steps)
    validate(problem, plan)
    return plan


def test_24_live_buffers_fill_the_space_and_a_25th_is_refused() -> None:
    buffers = tuple(Buffer(f"b{i}", 0, 10, 8192, 32) for i in range(25))
    plan = checked(Problem(buffers[:24], 196608))
    assert (plan.status, plan.peak, plan.optimal) == ("fits", 196608, True)
    refused = checked(Problem(buffers, 196608, space="ub"))
    assert refused.status == "impossible"
    assert refused.reason == "ub needs 204800 B at time 0, the capacity is 196608 B: 8192 B too many"
    assert refused.alive == tuple(range(25))


def test_two_consumers_take_the_place_of_their_producer() -> None:
    buffers = (Buffer("producer", 0, 2, 65536), Buffer("left", 2, 4, 32768), Buffer("right", 2, 4, 32768))
    plan = checked(Problem(buffers))
    assert (plan.peak, plan.optimal) == (65536, True)


def test_30_buffers_one_after_the_other_reuse_bytes() -> None:
    buffers = tuple(Buffer(f"b{i}", i, i + 1, 8192) for i in range(30))
    assert checked(Problem(buffers, 196608)).status == "fits"
    assert checked(Problem(buffers)).peak == 8192


def test_short_lived_buffers_find_the_one_slot_that_remains() -> None:
    lasting = tuple(Buffer(f"lasting{i}", 0, 40, 8192) for i in range(23))
    short = tuple(Buffer(f"short{i}", i, i + 1, 8192) for i in range(40))
    plan = checked(Problem(short[:20] + lasting + short[20:], 196608))
    assert (plan.status, plan.peak) == ("fits", 196608)


def test_a_buffer_written_in_place_takes_no_bytes_of_its_own() -> None:
    buffers = (Buffer("a", 0, 3, 64), Buffer("b", 2, 5, 64), Buffer("c", 4, 6, 64), Buffer("d", 0, 6, 64))
    assert checked(Problem(buffers)).peak == 192
    plan = checked(Problem(buffers, in_place=((0, 1), (1, 2))))
    assert (plan.peak, plan.optimal) == (128, True)


def test_pins_and_bytes_of_others_are_kept() -> None:
    buffers = (Buffer("pinned", 0, 4, 64, 32, pinned=(96,)), Buffer("free", 0, 4, 96, 32, slots=2))
    plan = checked(Problem(buffers, taken=40))
    assert plan.offsets[0] == (96,)
    assert min(plan.offsets[1]) >= 64
    clash = Problem((Buffer("a", 0, 2, 64, pinned=(0,)), Buffer("b", 1, 3, 64, pinned=(32,))))
    assert allocate(clash).reason == "a and b are pinned to the same bytes"


GOOD = Problem(
    (
        Buffer("a", 0, 4, 64, 32),
        Buffer("b", 3, 6, 64, 32),
        Buffer("c", 0, 6, 32, 32, slots=2),
        Buffer("d", 5, 8, 32, 32, pinned=(128,)),
        Buffer("e", 6, 8, 32, 32),
    ),
    capacity=224,
    taken=32,
    in_place=((0, 1),),
    apart=((0, 4),),
)


def layout(*offsets: tuple[int, ...], peak: int = 224) -> Plan:
    return Plan("fits", offsets, peak, 0, 0, 0, ())


RIGHT = ((32,), (32,), (160, 192), (128,), (96,))


def test_the_validator_lets_the_right_plan_pass() -> None:
    validate(GOOD, layout(*RIGHT))


@pytest.mark.parametrize(
    ("buffer", "offsets", "message"),
    [
        (0, (48,), "a at 48 is not aligned to 32"),
        (0, (0,), "a at 0 begins in bytes that others hold"),
        (4, (224,), "e at 224 ends at 256, behind the capacity 224"),
        (2, (160,), "c has 1 offsets for 2 slots"),
        (2, (160, 160), "two slots of c share the byte at 160"),
        (2, (64, 192), "a and c are alive at once and share the byte at 64"),
        (1, (64,), "a and b may share bytes at one offset only, they lie at 64 and 32"),
        (4, (64,), "a and e must not share bytes but share that at 64"),
        (3, (96,), "d is pinned at (128,), not at (96,)"),
    ],
)
def test_the_validator_fails_a_corrupted_plan(buffer: int, offsets: tuple[int, ...], message: str) -> None:
    wrong = [offsets if i == buffer else right for i, right in enumerate(RIGHT)]
    with pytest.raises(InvalidPlanError) as error:
        validate(GOOD, layout(*wrong))
    assert str(error.value) == message


def test_the_validator_believes_no_claim() -> None:
    right = layout(*RIGHT)
    for wrong, message in (
        (replace(right, peak=200), "the plan's peak is 224, not 200"),
        (replace(right, bound=256), "the plan's peak 224 is below its bound 256"),
        (replace(right, status="impossible"), "the plan's peak 224 fits although it says that nothing does"),
        (replace(right, offsets=RIGHT[:4]), "4 buffers have offsets, the problem has 5"),
    ):
        with pytest.raises(InvalidPlanError, match=message):
            validate(GOOD, wrong)


def test_wrong_problems_are_refused() -> None:
    for make, message in (
        (lambda: Buffer("x", 4, 3, 8), r"x: the lifetime \[4, 3\) ends before it starts"),
        (lambda: Buffer("x", 0, 3, 8, 0), "x: align is 0, must be at least 1"),
        (lambda: Buffer("x", 0, 3, 8, 16, pinned=(8,)), "x: the pinned offset 8 is not a multiple of 16"),
        (lambda: Problem((Buffer("x", 0, 1, 8),), in_place=((0, 1),)), r"in_place: \(0, 1\) is not a pair"),
    ):
        with pytest.raises(ValueError, match=message):
            make()
