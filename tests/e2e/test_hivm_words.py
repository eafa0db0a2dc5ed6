"""Words of 64 bits in HIVM: the scalar unit computes with them, and the Vector chooses between their halves."""

# pyright: basic

import numpy as np
import pytest
from hivm_launches import kernel_of, launched, without_flags

from ascend_opt import CompileError, HazardError, hivm

RNG = np.random.default_rng(64)
MOST = 1 << 62


def words(*shape: int) -> np.ndarray:
    return RNG.integers(-MOST, MOST, shape)


def blank(*shape: int) -> np.ndarray:
    return np.full(shape, -7)


@pytest.mark.parametrize("n", [1, 63, 64, 200])
def test_bytes_choose_between_words(n: int):
    x, y = words(2, n)
    y[::3] = x[::3] ^ 1  # that differ in one bit
    found = launched("larger_words", (-(-n // 64),), x=x, y=y, out=blank(n), n=n)
    np.testing.assert_array_equal(found, np.maximum(x, y))


def test_words_of_rows_that_are_no_whole_blocks():
    x, y = words(7), words(33)
    found = launched("larger_rows", (1,), x=x, y=y, out=blank(7, 33))
    np.testing.assert_array_equal(found, np.maximum(x[:, None], y))


@pytest.mark.parametrize("n", [1, 63, 64, 200])
def test_remainders_of_words(n: int):
    x, y = words(2, n)
    y[1::2] = RNG.integers(-9, 9, y[1::2].shape)
    found = launched("remainders", (-(-n // 64),), x=x, y=y, out=blank(n), n=n)
    np.testing.assert_array_equal(found, np.where(y == 0, -1, np.fmod(x, np.where(y == 0, 1, y))))


@pytest.mark.parametrize(("n", "blocks"), [(200, 4), (128, 2), (1, 1)])
def test_bits_choose_between_words_and_numbers_of_more_than_32_bits(n: int, blocks: int):
    x, y = words(2, n)
    y[::2] = RNG.integers(0, 10, y[::2].shape)
    least, room = (1 << 45) + 3, 64 * blocks
    found = launched("words_or_numbers", (blocks,), x=x, y=y, out=blank(room), n=n, least=least)
    a = np.concatenate([x, np.full(room - n, 1 << 40)])
    b = np.concatenate([y, np.full(room - n, 1 << 41)])
    np.testing.assert_array_equal(found, np.where(b > 5, np.where(a > b, -(1 << 42), a), least))


@pytest.mark.parametrize("name", ["larger_words", "words_or_numbers"])
@pytest.mark.parametrize(("first", "second"), [("MTE2", "S"), ("S", "V"), ("V", "MTE3")])
def test_a_hand_over_that_is_left_out_is_a_race(name: str, first: str, second: str):
    x, y = words(2, 64)
    given = {
        "x": x,
        "y": y,
        "out": blank(64),
        "n": 64,
        **({"least": 5} if name == "words_or_numbers" else {}),
    }
    with pytest.raises(HazardError, match="race"):
        hivm.load(without_flags(name, first, second)).launch(1, given, names=tuple(given))


def test_bytes_for_comparisons_of_the_vector_are_refused():
    ub = "#hivm.address_space<ub>"
    text = kernel_of(f"""
    %m = "hivm.hir.pointer_cast"(%c) : (i64) -> memref<64xi8, {ub}>
    "hivm.hir.vcmp"(%x, %y, %m) <{{compare_mode = #hivm.compare_mode<gt>, operandSegmentSizes = array<i32: 2, 1>}}>
        : (memref<64xf32, {ub}>, memref<64xf32, {ub}>, memref<64xi8, {ub}>) -> ()""")
    message = r"12:5: error: hivm\.hir\.vcmp: into bytes it is not taken: the template library writes a bit"
    with pytest.raises(CompileError, match=message):
        hivm.load(text).launch(1, {"out": np.zeros(1, np.float32)}, names=("out",))
