"""What FixPipe does to values on their way out of L0C, and what it costs."""

from typing import Any

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.utils.exceptions import VerifyException

from ascend_opt.runtime.support.hazard import HazardError

CHIP = "ascend910b1"
WIDE = 20


def _program(dtype: str, slopes: int = 0, bias: bool = False, **how: Any) -> Program:
    """y = x through the Cube (times one), then FixPipe; the table of slopes holds `slopes` of `WIDE` columns."""
    p = Program(cores=1, target=CHIP, core="aic")
    x, one = p.input("x", (16, 32)), p.input("one", (2, 2, 16, 16))
    row = p.input("row", (32,)) if slopes or bias else None
    y = p.output("y", (16, WIDE), dtype)
    la, lb = p.buffer("la", "l1", (2, 16, 16), 0), p.buffer("lb", "l1", (4, 16, 16), 4096)
    a, b = p.buffer("a", "l0a", (1, 2, 16, 16), 0), p.buffer("b", "l0b", (2, 2, 16, 16), 0)
    c = p.buffer("c", "l0c", (2, 16, 16), 0, dtype="f32")
    p.copy(x, la, nd2nz=True)
    p.copy(p.view(one, (1024,)), p.view(lb, (1024,)))
    table = None
    if row is not None:
        staged = p.buffer("row", "l1", (32,), 8192)
        p.copy(row, staged)
        table = p.buffer("table", "bt" if bias else "fb", (32,), 0, dtype="f32")
        length = 32 if bias else slopes
        p.flag("MTE2", "FIX" if slopes else "MTE1", 1)
        p.copy(p.view(staged, (length,)), p.view(table, (length,)))
        if slopes:
            p.barrier("FIX")
            table = p.view(table, (length,))
    p.flag("MTE2", "MTE1")
    p.load2d(la, p.view(a, (2, 16, 16)))
    p.load2d(lb, p.view(b, (4, 16, 16)))
    p.flag("MTE1", "M")
    p.mmad(a, b, c, 16, 32, 32, bias=table if bias else None)
    p.flag("M", "FIX")
    p.fixpipe(c, y, slopes=table if slopes else None, **how)
    return p


def _run(p: Program, x: np.ndarray, row: np.ndarray | None = None) -> np.ndarray:
    one = np.eye(32).reshape(2, 16, 2, 16).transpose(0, 2, 3, 1).astype(np.float16)
    arrays = {"x": x.astype(np.float16), "one": one} | (
        {} if row is None else {"row": row.astype(np.float16)}
    )
    return p.run(arrays).outputs[0]


@pytest.fixture
def x() -> np.ndarray:
    return (np.random.default_rng(0).standard_normal((16, 32)) * 3).astype(np.float16)


def test_converts_and_rectifies(x: np.ndarray):
    part = x[:, :WIDE]
    np.testing.assert_array_equal(_run(_program("f16"), x), part)
    np.testing.assert_array_equal(_run(_program("f32"), x), part.astype(np.float32))
    np.testing.assert_array_equal(_run(_program("f16", slope=0.0), x), np.maximum(part, 0))
    leaky = _run(_program("f16", slope=0.25), x)
    np.testing.assert_array_equal(leaky, np.where(part < 0, part / 4, part))


def test_slopes_by_column(x: np.ndarray):
    row = np.arange(32) / 16
    part, factors = x[:, :WIDE], row[:WIDE].astype(np.float16)
    np.testing.assert_array_equal(
        _run(_program("f16", slopes=32), x, row), np.where(part < 0, part * factors, part)
    )
    with pytest.raises(HazardError, match="16 slopes for 20 columns"):
        _run(_program("f16", slopes=16), x, row)


def test_a_sum_starts_from_the_bias(x: np.ndarray):
    row = np.arange(32) - 7
    np.testing.assert_array_equal(
        _run(_program("f32", bias=True), x, row), (x.astype(np.float32) + row.astype(np.float32))[:, :WIDE]
    )


def test_quantises(x: np.ndarray):
    """Half to even, and no farther than a byte goes."""
    x[0, :4] = 0.25, 0.75, 100, -100
    found = _run(_program("i8", scale=2.0), x)
    assert found.dtype == np.int8
    expected = np.clip(np.rint(x[:, :WIDE].astype(np.float64) * 2), -128, 127)
    np.testing.assert_array_equal(found, expected)
    assert found[0, :4].tolist() == [0, 2, 127, -128]
    np.testing.assert_array_equal(_run(_program("i8", scale=2.0, slope=0.0), x), np.maximum(expected, 0))


def test_adds_before_it_holds(x: np.ndarray):
    x[0, :4] = 0.25, 0.75, 100, -100
    found = _run(_program("i8", scale=2.0, offset=-100), x)
    expected = np.clip(np.rint(x[:, :WIDE].astype(np.float64) * 2) - 100, -128, 127)
    np.testing.assert_array_equal(found, expected)
    assert found[0, :4].tolist() == [-100, -98, 100, -128]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"offset": 3}, "an offset is what i8 results without relu have"),
        ({"scale": 2.0, "offset": 3, "slope": 0.0}, "an offset is what i8 results without relu have"),
        ({"scale": 2.0, "offset": 256}, "an offset has 9 bits, not 256"),
        ({"scale": 1 + 2.0**-11}, "a scale has 10 bits of mantissa, 1.00048828125 has more"),
    ],
)
def test_what_it_cannot_do(how: dict[str, Any], message: str):
    with pytest.raises(VerifyException, match=message):
        _program("i8" if "scale" in how else "f16", **how).emulator()


def test_eight_bits_leave_no_faster_than_sixteen():
    """L0C to L1 takes 64 elements a cycle, whatever they become."""
    times: list[float] = []
    for dtype, scale in (("f16", None), ("i8", 1.0)):
        p = Program(cores=1, target=CHIP, core="aic")
        c = p.buffer("c", "l0c", (16, 128, 16), 0, dtype="f32")
        p.fixpipe(c, p.buffer("y", "l1", (16, 128, 16), 0, dtype=dtype), scale=scale)
        times.append(p.emulator().time_only("main").kernels[0].time_us)
    assert times[0] == times[1]


def _bytes(dtype: str, scales: bool, **how: Any) -> Program:
    """y = x of i8 through the Cube (times one, sums of i32), then FixPipe, with a scale for each column or with one."""
    p = Program(cores=1, target=CHIP, core="aic")
    x, one, row = (
        p.input("x", (16, 32), "i8"),
        p.input("one", (1, 2, 16, 32), "i8"),
        p.input("row", (32,), "f32"),
    )
    y = p.output("y", (16, WIDE), dtype)
    la, lb = (p.buffer(name, "l1", shape, at, dtype="i8") for name, shape, at in (
        ("la", (1, 16, 32), 0), ("lb", (2, 16, 32), 4096)
    ))  # fmt: skip
    staged = p.buffer("row", "l1", (32,), 8192, dtype="f32")
    a, b = (
        p.buffer("a", "l0a", (1, 1, 16, 32), 0, dtype="i8"),
        p.buffer("b", "l0b", (1, 2, 16, 32), 0, dtype="i8"),
    )
    c, table = (
        p.buffer("c", "l0c", (2, 16, 16), 0, dtype="i32"),
        p.buffer("table", "fb", (32,), 0, dtype="f32"),
    )
    p.copy(x, la, nd2nz=True)
    p.copy(p.view(one, (1024,)), p.view(lb, (1024,)))
    p.copy(row, staged)
    p.flag("MTE2", "FIX", 1)
    p.copy(staged, table)
    p.barrier("FIX")
    p.flag("MTE2", "MTE1")
    p.load2d(la, p.view(a, (1, 16, 32)))
    p.load2d(lb, p.view(b, (2, 16, 32)))
    p.flag("MTE1", "M")
    p.mmad(a, b, c, 16, 32, 32)
    p.flag("M", "FIX")
    p.fixpipe(c, y, scales=table if scales else None, **how)
    return p


def _run_bytes(p: Program, x: np.ndarray, row: np.ndarray) -> np.ndarray:
    one = np.eye(32).reshape(1, 32, 2, 16).transpose(0, 2, 3, 1).astype(np.int8)
    return p.run({"x": x, "one": one, "row": row}).outputs[0]


def test_sums_of_i32_leave_as_they_are_or_scaled():
    rng = np.random.default_rng(0)
    x = rng.integers(-128, 128, (16, 32)).astype(np.int8)
    row = rng.uniform(0.5, 2, 32).astype(np.float32)
    cut = (row.view(np.uint32) & 0xFFFFE000).view(np.float32)[:WIDE]
    seen = x[:, :WIDE].astype(np.float32)
    np.testing.assert_array_equal(_run_bytes(_bytes("i32", False), x, row), x[:, :WIDE])
    half = _run_bytes(_bytes("f16", False, scale=0.375, slope=0.0), x, row)
    np.testing.assert_array_equal(half, np.maximum(seen * 0.375, 0).astype(np.float16))
    np.testing.assert_array_equal(_run_bytes(_bytes("f16", True), x, row), (seen * cut).astype(np.float16))
    steps = np.clip(np.rint(seen * cut) + 5, -128, 127)
    np.testing.assert_array_equal(_run_bytes(_bytes("i8", True, offset=5), x, row), steps)
    assert (cut != row[:WIDE]).any()


def test_one_scale_or_one_for_each_column():
    with pytest.raises(VerifyException, match="a scale is what i8 results have, and f16 of i32"):
        _bytes("f16", True, scale=0.5).run({})
