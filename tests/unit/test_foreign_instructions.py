"""Instructions, pads and fills that only programs of other compilers have, against numpy by their definitions."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program, memory

from ascend_opt.dialects.ascend import BitcastOp, FillOp
from ascend_opt.dialects.storage_types import numpy_dtype
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.support.hazard import HazardError

CHIP = "ascend910b"
RNG = np.random.default_rng(5)


def run_one(name, sources, dtypes, shapes, out, scalar=None, views=None):
    """One instruction on whole buffers; `out`: shape and type of the result; `views`: sizes and strides of operands."""
    p = Program(target=CHIP, core="aiv")
    named = {f"x{i}": s for i, s in enumerate(sources)}
    tensors = [p.input(n, s.shape, d) for (n, s), d in zip(named.items(), dtypes, strict=True)]
    y = p.output("y", out[0], out[1])
    at = [
        p.buffer(n, "ub", s, 32768 * i, dtype=d)
        for i, (n, s, d) in enumerate(zip(named, shapes, dtypes, strict=True))
    ]
    to = p.buffer("y", "ub", out[0], 160000, dtype=out[1])
    for tensor, buffer in zip(tensors, at, strict=True):
        p.copy(tensor, buffer)
    p.flag("MTE2", "V")
    operands = [*at, to]
    if views is not None:
        operands = [p.view(buffer, *view) for buffer, view in zip(operands, views, strict=True)]
    p.vec(name, *operands[:-1], to=operands[-1], scalar=scalar)
    p.flag("V", "MTE3")
    p.copy(to, y)
    return p.run(named).outputs[0]


def ints(count, dtype="i32", low=-1000, high=1000):
    return RNG.integers(low, high, count).astype(numpy_dtype(dtype))


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32"])
@pytest.mark.parametrize(
    ("name", "of"), [("vnot", np.invert), ("vand", np.bitwise_and), ("vor", np.bitwise_or)]
)
def test_bits(name, of, dtype):
    limits = np.iinfo(numpy_dtype(dtype))
    sources = [ints(320, dtype, limits.min, limits.max) for _ in range(of.nin)]
    found = run_one(name, sources, [dtype] * of.nin, [(320,)] * of.nin, ((320,), dtype))
    np.testing.assert_array_equal(found, of(*sources))


@pytest.mark.parametrize("dtype", ["i16", "i32"])
def test_shifts_keep_the_sign_to_the_right(dtype):
    x = ints(64, dtype)
    right = run_one("vshrs", [x], [dtype], [(64,)], ((64,), dtype), scalar=3)
    left = run_one("vshls", [x], [dtype], [(64,)], ((64,), dtype), scalar=3)
    np.testing.assert_array_equal(right, np.floor(x / 8).astype(x.dtype))
    np.testing.assert_array_equal(left, (x.astype(np.int64) * 8).astype(x.dtype))


@pytest.mark.parametrize("way", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons_of_i32(way):
    x, y = ints(512, low=-3, high=3), ints(512, low=-3, high=3)
    want = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[way]
    found = run_one(f"vcmpv_{way}", [x, y], ["i32"] * 2, [(512,)] * 2, ((64,), "i8"))
    np.testing.assert_array_equal(np.unpackbits(found.view(np.uint8), bitorder="little"), want)
    found = run_one(f"vcmpvs_{way}", [x], ["i32"], [(512,)], ((64,), "i8"), scalar=1)
    one = {"eq": x == 1, "ne": x != 1, "lt": x < 1, "le": x <= 1, "gt": x > 1, "ge": x >= 1}[way]
    np.testing.assert_array_equal(np.unpackbits(found.view(np.uint8), bitorder="little"), one)


@pytest.mark.parametrize("dtype", ["f16", "f32", "i32"])
def test_selection_from_a_scalar(dtype):
    x, bits = ints(512, dtype), RNG.random(512) < 0.5
    mask = np.packbits(bits, bitorder="little").view(np.int8)
    found = run_one("vsels", [mask, x], ["i8", dtype], [(64,), (512,)], ((512,), dtype), scalar=-7)
    np.testing.assert_array_equal(found, np.where(bits, x, np.array(-7, x.dtype)))


@pytest.mark.parametrize("dtype", ["f16", "f32", "i32"])
def test_counting_from_a_scalar(dtype):
    found = run_one("vci", [], [], [], ((96,), dtype), scalar=-5)
    np.testing.assert_array_equal(found, np.arange(-5, 91).astype(numpy_dtype(dtype)))


@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_each_element_fills_a_block(dtype):
    lanes = 32 // numpy_dtype(dtype).itemsize
    x = RNG.standard_normal(48).astype(numpy_dtype(dtype))
    views = [((6, 8, 1), (8, 1, 1)), ((6, 8, lanes), (8 * lanes, lanes, 1))]
    found = run_one("vbrcb", [x], [dtype], [(48,)], ((48 * lanes,), dtype), views=views)
    np.testing.assert_array_equal(found, x.repeat(lanes))


@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize(("name", "of"), [("vcmax_at", np.argmax), ("vcmin_at", np.argmin)])
def test_where_the_first_extreme_element_is(name, of, dtype):
    x = ints(7 * 32, dtype, -4, 4)
    lanes = 32 // x.itemsize
    views = [((7, 32 // lanes, lanes), (32, lanes, 1)), ((7, 1, 1), (1, 1, 1))]
    found = run_one(name, [x], [dtype], [(224,)], ((7,), "i32"), views=views)
    np.testing.assert_array_equal(found, of(x.reshape(7, 32), axis=1))
    found = run_one(name, [x], [dtype], [(224,)], ((1,), "i32"))
    np.testing.assert_array_equal(found, [of(x)])


def test_words_are_turned_in_tiles_of_eight_rows_too():
    x = RNG.standard_normal(8 * 48).astype(np.float32)
    p = Program(target=CHIP, core="aiv")
    tensor, y = p.input("x", (384,), "f32"), p.output("y", (384,), "f32")
    source, to = (p.buffer(n, "ub", (384,), at, dtype="f32") for n, at in (("a", 0), ("b", 4096)))
    p.copy(tensor, source)
    p.flag("MTE2", "V")
    sizes = (3, 2, 8, 8)
    p.transpose(p.view(source, sizes, (16, 8, 48, 1)), p.view(to, sizes, (128, 64, 8, 1)))
    p.flag("V", "MTE3")
    p.copy(to, y)
    found = p.run({"x": x}).outputs[0]
    np.testing.assert_array_equal(found.reshape(48, 8), x.reshape(8, 48).T)


@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_gather_takes_bytes(dtype):
    x, index = RNG.standard_normal(256).astype(numpy_dtype(dtype)), ints(80, low=0, high=256)
    item = x.itemsize
    found = run_one("vgather", [x, index * item], [dtype, "i32"], [(256,), (80,)], ((80,), dtype))
    np.testing.assert_array_equal(found, x[index])
    with pytest.raises(HazardError) as info:
        run_one("vgather", [x, index * item + 256 * item], [dtype, "i32"], [(256,), (80,)], ((80,), dtype))
    assert info.value.kind == "out-of-bounds"


def away(x):
    return np.where(x >= 0, np.floor(x + 0.5), np.ceil(x - 0.5))


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("vconv_z", np.trunc),
        ("vconv_f", np.floor),
        ("vconv_c", np.ceil),
        ("vconv_a", away),
        ("vconv", np.round),
    ],
)
def test_ways_to_round(name, of):
    x = np.concatenate([np.arange(-4, 4, 0.25), RNG.standard_normal(32) * 10]).astype(np.float32)
    found = run_one(name, [x], ["f32"], [(64,)], ((64,), "i32"))
    np.testing.assert_array_equal(found, of(x.astype(np.float64)).astype(np.int32))


@pytest.mark.parametrize("name", ["vconv_z", "vconv_f", "vconv_c", "vconv_a"])
def test_ways_to_round_the_last_digit(name):
    """Of a narrower type: the neighbour on the side that the way says, by exact distances."""
    x = np.concatenate([RNG.standard_normal(31) * 4, [2049.0], 1 + np.arange(32) / 4096]).astype(np.float32)
    found = run_one(name, [x], ["f32"], [(64,)], ((64,), "f16"))
    below, above = (np.nextafter(x.astype(np.float16), np.float16(s * np.inf)) for s in (-1, 1))
    near = np.stack([below, x.astype(np.float16), above]).astype(np.float64)
    low = np.where(near <= x, near, -np.inf).max(axis=0)
    high = np.where(near >= x, near, np.inf).min(axis=0)
    middle = np.where(np.abs(x - low) < np.abs(high - x), low, high)
    tie = (np.abs(x - low) == np.abs(high - x)) & (low != high)
    far = np.where(x > 0, high, low)
    want = {"z": np.where(x > 0, low, high), "f": low, "c": high, "a": np.where(tie, far, middle)}[name[-1]]
    np.testing.assert_array_equal(found.astype(np.float64), want)


def test_whole_numbers_of_one_type():
    x = (RNG.standard_normal(64) * 3).astype(np.float32)
    found = run_one("vconv_f", [x], ["f32"], [(64,)], ((64,), "f32"))
    np.testing.assert_array_equal(found, np.floor(x))


def test_quotients_of_i32_are_rounded_to_zero():
    x, y = ints(64), np.where(ints(64) < 0, -7, 9).astype(np.int32)
    found = run_one("vdiv", [x, y], ["i32"] * 2, [(64,)] * 2, ((64,), "i32"))
    np.testing.assert_array_equal(found, [int(int(a) / int(b)) for a, b in zip(x, y, strict=True)])


def test_bytes_of_a_buffer_under_another_type():
    x = ints(64, "i8", -128, 127)
    p = Program(target=CHIP, core="aiv")
    tensor, y = p.input("x", (64,), "i8"), p.output("y", (64,), "i8")
    a = p.buffer("a", "ub", (64,), 0, dtype="i8")
    halves = p.add(BitcastOp(a, memory((32,), "i16", "ub")))
    p.copy(tensor, a)
    p.flag("MTE2", "V")
    p.vec("vnot", p.view(halves, [16]), to=p.view(halves, [16]))
    p.flag("V", "MTE3")
    p.copy(a, y)
    np.testing.assert_array_equal(p.run(x=x).outputs[0], np.where(np.arange(64) < 32, ~x, x))


@pytest.mark.parametrize("pad", [-np.inf, 2.5])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_bursts_are_filled_up_with_a_number(pad, dtype):
    x, lanes = RNG.standard_normal((3, 21)).astype(numpy_dtype(dtype)), 32
    p = Program(target=CHIP, core="aiv")
    tensor, y = p.input("x", (3, 21), dtype), p.output("y", (3, 24 if dtype == "f32" else 32), dtype)
    width = 24 if dtype == "f32" else 32
    a = p.buffer("a", "ub", (3, lanes), 0, dtype=dtype)
    p.copy(tensor, p.view(a, [3, 21], [lanes, 1]), pad=pad)
    p.flag("MTE2", "MTE3")
    p.copy(p.view(a, [3, width], [lanes, 1]), y)
    found = p.run(x=x).outputs[0]
    np.testing.assert_array_equal(found, np.pad(x, ((0, 0), (0, width - 21)), constant_values=pad))


@pytest.mark.parametrize("left", [0, 3, 8])
def test_what_is_in_front_of_bursts_is_filled_too(left: int):
    x = RNG.standard_normal((5, 9)).astype(np.float32)
    p = Program(target=CHIP, core="aiv")
    tensor, y = p.input("x", (5, 9), "f32"), p.output("y", (5, 24), "f32")
    buffer = p.buffer("a", "ub", (120,), 0, dtype="f32")
    p.copy(tensor, p.view(buffer, (5, left + 9), (24, 1)), pad=-2.0, left=True)
    p.flag("MTE2", "MTE3")
    end = -(-(left + 9) // 8) * 8
    p.copy(p.view(buffer, (5, end), (24, 1)), p.view(y, (5, end), (24, 1)))
    p.barrier("MTE3")
    p.copy(p.view(buffer, (5, 8), (24, 1)), p.view(y, (5, 8), (24, 1), offset=16))
    found = p.run({"x": x}).outputs[0]
    want = np.full((5, 24), -2, np.float32)
    want[:, left : left + 9] = x
    np.testing.assert_array_equal(found[:, :16], want[:, :16])


@pytest.mark.parametrize("left", [-1, 9])
def test_there_is_no_more_in_front_of_bursts_than_a_block(left: int):
    p = Program(target=CHIP, core="aiv")
    tensor, buffer = p.input("x", (16,), "f32"), p.buffer("a", "ub", (64,), 0, dtype="f32")
    p.copy(tensor, p.view(buffer, (16 + left,)), left=True)
    p.output("y", (8,), "f32")
    with pytest.raises(HazardError, match="in front of a burst") as info:
        p.run({"x": np.zeros(16, np.float32)})
    assert info.value.kind == "limit"


def test_what_fills_up_is_defined():
    """Its labels are those of a number, though its bits are not zero."""
    assert not np.isnan(_row_maximum(21).run(x=np.ones(21, np.float32)).outputs[0]).any()


def _row_maximum(width):
    p = Program(target=CHIP, core="aiv")
    tensor, y = p.input("x", (width,), "f32"), p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (24,), 0, dtype="f32"), p.buffer("b", "ub", (8,), 1024, dtype="f32")
    p.copy(tensor, p.view(a, [width]), pad=-np.inf)
    p.flag("MTE2", "V")
    p.vec("vdup", to=b, scalar=0.0)
    p.barrier("V")
    p.vec("vcmax", p.view(a, (1, 3, 8), (24, 8, 1)), to=p.view(b, (1, 1, 1), (1, 1, 1)))
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


def filled(order=True, value=0.0):
    """A product of a tile of L1 of which DMA loads the first half, and a fill the rest."""
    p = Program(target=CHIP, core="aic")
    x, w, y = p.input("x", (16, 16)), p.input("w", (16, 16)), p.output("y", (16, 16), "f32")
    a, b = p.buffer("a", "l1", (2, 16, 16), 0), p.buffer("b", "l1", (2, 16, 16), 4096)
    for buffer in (a, b):
        p.add(FillOp(p.view(buffer, [256], [1], offset=256), value))
    p.copy(x, p.view(a, [1, 16, 16], [256, 16, 1]), nd2nz=True)
    p.copy(w, p.view(b, [1, 16, 16], [256, 16, 1]), nd2nz=True)
    if order:
        p.flag("MTE2", "MTE1")
    left, right = p.buffer("l", "l0a", (1, 2, 16, 16), 0), p.buffer("r", "l0b", (2, 1, 16, 16), 0)
    c = p.buffer("c", "l0c", (1, 16, 16), 0, dtype="f32")
    p.load2d(a, p.view(left, [2, 16, 16], [256, 16, 1]))
    p.load2d(b, p.view(right, [2, 16, 16], [256, 16, 1]))
    p.flag("MTE1", "M")
    p.mmad(left, right, c, 16, 16, 32)
    p.flag("M", "FIX")
    p.fixpipe(c, y)
    return p


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_fill_of_l1(value):
    x, w = (RNG.standard_normal((16, 16)).astype(np.float16) for _ in range(2))
    found = filled(value=value).run(x=x, w=w).outputs[0]
    want = x.astype(np.float64) @ w.astype(np.float64).T + 16 * value * value
    other = x.astype(np.float64) @ w.astype(np.float64) + 16 * value * value
    assert min(np.abs(found - want).max(), np.abs(found - other).max()) < 1e-3


def test_fill_of_l1_is_ordered_by_flags():
    with pytest.raises(HazardError) as info:
        filled(order=False).run(x=np.ones((16, 16), np.float16), w=np.ones((16, 16), np.float16))
    assert info.value.kind == "race"


def test_our_compiler_has_none_of_them():
    vector = load_target(CHIP).vector
    assert vector.executes("vcmpv_lt", "i32") and not vector.computes("vcmpv_lt", "i32")
    assert vector.casts("i32", "i16") and not vector.converts("i32", "i16")
    assert not load_target("ascend910").vector.executes("vcmpv_lt", "i32")
