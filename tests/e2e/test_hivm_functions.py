"""What Triton functions with strides, transposed blocks, numbers read from rows and integers without a sign become."""

# pyright: basic

import ml_dtypes
import numpy as np
import pytest
from hivm_launches import DATA, launched
from triton_sources import INSTALLED

from ascend_opt import CompileError, hivm

RNG = np.random.default_rng(3)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def test_the_larger_one_of_two_numbers_is_chosen_by_masks_of_one_element():
    x = normal(50)
    total, most = x.astype(np.float64).sum(), x.max()
    found = launched("larger", (1,), x=x, out=np.zeros(2, np.float32), n=50)
    np.testing.assert_allclose(found, [max(total, most), min(total, most)], rtol=1e-5)


STRIDES = {
    "by rows": lambda rows, columns: ((rows, columns), columns, 1),
    "by columns": lambda rows, columns: ((columns, rows), 1, rows),
    "every third": lambda rows, columns: ((rows, 3 * columns), 3 * columns, 3),
}


def part(x: np.ndarray, how: str) -> np.ndarray:
    return {"by rows": x, "by columns": x.T, "every third": x[:, ::3]}[how]


@pytest.mark.parametrize("how", STRIDES)
@pytest.mark.parametrize(("rows", "columns"), [(16, 32), (20, 70), (5, 1), (1, 5)])
def test_elements_that_lie_apart(how: str, rows: int, columns: int):
    shape, down, along = STRIDES[how](rows, columns)
    grid = (-(-rows // 16), -(-columns // 32))
    sizes = {"rows": rows, "columns": columns, "down": down, "along": along}
    x = normal(*shape)
    found = launched("by_strides", grid, x=x, out=np.zeros((rows, columns), np.float32), **sizes)
    np.testing.assert_array_equal(found, 2 * part(x, how))
    x = normal(rows, columns)
    found = launched("to_strides", grid, x=x, out=np.zeros(shape, np.float32), **sizes)
    np.testing.assert_array_equal(part(found, how), 2 * x)


@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 32), (40, 33, 50), (3, 1, 17)])
def test_a_block_that_is_turned_over_comes_by_the_scalar_unit(m: int, n: int, k: int):
    a, b = (RNG.standard_normal((rows, k)).astype(np.float16) for rows in (m, n))
    found = launched(
        "turned_product",
        (-(-m // 32), -(-n // 32)),
        a=a,
        b=b,
        out=np.zeros((m, n), np.float32),
        M=m,
        N=n,
        K=k,
    )
    np.testing.assert_allclose(found, a.astype(np.float64) @ b.T.astype(np.float64), rtol=1e-4, atol=1e-4)


def test_integers_without_a_sign_wrap_around():
    x, y = RNG.integers(0, 1 << 32, (2, 100), dtype=np.uint32)
    found = launched("without_sign", (2,), x=x, y=y, out=np.zeros(100, np.uint32), n=100)
    np.testing.assert_array_equal(found.view(np.uint32), x + y)


WAYS = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint}


@pytest.mark.parametrize("way", [*WAYS, "round"])
def test_numbers_are_rounded_to_whole_ones_of_their_type(way: str):
    """The function's `floor` is stored; other texts have another way in its place."""
    x = np.concatenate([normal(95) * 9, [0.5, 1.5, 2.5, -0.5, -2.5]]).astype(np.float32)
    text = (DATA / "whole_numbers.mlir").read_text().replace("round_mode<floor>", f"round_mode<{way}>")
    given = {"x": x, "out": np.zeros_like(x), "n": 100}
    found = hivm.load(text).launch(2, given, names=tuple(given)).outputs["out"]
    below = WAYS.get(way, lambda a: np.trunc(a + np.copysign(0.5, a)))(x.astype(np.float64))
    np.testing.assert_array_equal(found, 10 * below + np.ceil(x.astype(np.float64)))


def test_whole_numbers_lose_their_high_bits():
    x = RNG.integers(-(1 << 31), 1 << 31, 100, dtype=np.int32)
    found = launched("low_bits", (2,), x=x, out=np.zeros(100, np.int8), n=100)
    np.testing.assert_array_equal(found, (x + np.int32(3)).astype(np.int8))


@pytest.mark.parametrize(("way", "into"), [("odd", "f32"), ("truncwithoverflow", "f32")])
def test_other_ways_to_round_are_refused(way: str, into: str):
    text = (DATA / "whole_numbers.mlir").read_text().replace("round_mode<floor>", f"round_mode<{way}>")
    x = normal(40)
    given = {"x": x, "out": np.zeros_like(x), "n": 40}
    with pytest.raises(CompileError, match=f"rounding {way} to {into} is not taken"):
        hivm.load(text).launch(1, given, names=tuple(given))


def test_conversions_without_a_sign_are_refused():
    text = (DATA.parent / "hivm" / "vector_add_bf16.mlir").read_text().replace("cast_signed", "cast_unsigned")
    x = np.zeros(40, ml_dtypes.bfloat16)
    given = {"x": x, "y": x, "out": x, "n": 40}
    with pytest.raises(CompileError, match="integers without a sign is not taken"):
        hivm.load(text).launch(1, given, names=tuple(given))


def test_a_buffer_that_the_plan_left_out_is_no_text_from_before_it():
    text = (DATA / "without_sign.mlir").read_text()
    place = next(line for line in text.splitlines() if "hivm.hir.pointer_cast" in line)
    kind = place.rpartition("-> ")[2]
    alloc = f'    %left_out = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> {kind}'
    text = text.replace(place, f"{alloc}\n{place}")
    with pytest.raises(CompileError, match="gave other buffers addresses, and this one none"):
        hivm.load(text)


needs_triton = pytest.mark.skipif(not INSTALLED, reason="the extra triton is not installed")


@needs_triton
def test_outputs_without_a_sign_are_written_as_they_are():
    from triton_functions import without_sign

    from ascend_opt.triton import emulate

    x, y = RNG.integers(0, 1 << 32, (2, 100), dtype=np.uint32)
    out = np.zeros_like(x)
    emulate(without_sign)[2](x, y, out, 100, BLOCK=64)
    np.testing.assert_array_equal(out, x + y)


@needs_triton
def test_bits_without_a_sign_are_ones_and_zeros():
    from triton_functions import marked

    from ascend_opt.triton import emulate

    x = RNG.integers(0, 8, (8, 32), dtype=np.int32)
    out = np.zeros(x.shape, np.float32)
    emulate(marked)[1](x, out, ROWS=8, BLOCK=32)
    np.testing.assert_array_equal(out, x == np.arange(8)[:, None])


@needs_triton
def test_what_tritons_library_does_is_told_at_the_line_that_calls_it():
    from triton_functions import odd_bits

    from ascend_opt.triton import emulate

    with pytest.raises(CompileError, match=r"triton_functions\.py:\d+:\d+: error: .*xori over") as found:
        emulate(odd_bits)[1](np.zeros((8, 32), np.int32), np.zeros(8, np.int32), BLOCK=32, ROWS=8)
    assert "tl.xor_sum(" in str(found.value)
