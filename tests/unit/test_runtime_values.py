"""What each Vector instruction and move computes, against numpy on whole arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ascend_programs import Program
from bf16_targets import bf16_text
from xdsl.ir import SSAValue

from ascend_opt.dialects.isa import VECTOR_INSTRUCTIONS
from ascend_opt.dialects.storage_types import largest, numpy_dtype
from ascend_opt.dialects.target_parser import parse_target
from ascend_opt.runtime.machine.memory import CoreMemory, View
from ascend_opt.runtime.values.values import bind_padded_copy
from ascend_opt.runtime.values.widening import bind_widen, scratch, widened_rows

SCALAR = 0.3
PLAIN = [n for n, v in VECTOR_INSTRUCTIONS.items() if not (v.converts or v.reduces or v.mask or v.foreign)]
"""Those whose operands all have one shape and one type."""
BF16_CHIP = parse_target(bf16_text("computes"), "computes.toml")


def expected(name: str, tensors: list[Any], dtype: Any) -> Any:
    """The exact result, rounded once (f64 holds every intermediate of f16 and f32 operands well enough)."""
    s = np.float64(dtype(SCALAR))
    x, y, z = (v.astype(np.float64) for v in tensors)
    with np.errstate(all="ignore"):
        results: dict[str, Any] = {
            "vadd": x + y, "vsub": x - y, "vmul": x * y, "vdiv": x / y, "vmax": np.maximum(x, y),
            "vmin": np.minimum(x, y), "vmadd": x * y + z, "vadds": x + s, "vmuls": x * s, "vabs": np.abs(x),
            "vmaxs": np.maximum(x, s), "vmins": np.minimum(x, s), "vlrelu": np.where(x >= 0, x, x * s),
            "vaxpy": s * x + y, "vrelu": np.maximum(x, 0), "vexp": np.exp(x), "vln": np.log(x),
            "vsqrt": np.sqrt(x),
            "vrsqrt": 1 / np.sqrt(x), "vrec": 1 / x, "vcopy": x, "vdup": np.full_like(x, s),
        }  # fmt: skip
        return results[name].astype(dtype)


@pytest.mark.parametrize("count", [1000, 3000])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("name", PLAIN)
def test_vector_instruction(name: str, dtype: str, count: int):
    kind: Any = numpy_dtype(dtype).type
    rng = np.random.default_rng(3)
    tensors = [(rng.standard_normal(count) * 4).astype(kind) for _ in range(3)]
    if name in ("vln", "vsqrt", "vrsqrt"):
        tensors[0] = np.abs(tensors[0])
    result = run_vec(name, tensors, dtype, BF16_CHIP if dtype == "bf16" else "ascend910", count)
    want = expected(name, tensors, kind)
    with np.errstate(all="ignore"):
        digits = (
            np.spacing(np.abs(want.astype(np.float32))) * 2**16
            if dtype == "bf16"
            else np.spacing(np.abs(want))
        )
        ulps = np.abs(result.astype(np.float64) - want.astype(np.float64)) / digits.astype(np.float64)
    assert np.nanmax(ulps) <= {"vexp": 2, "vln": 2, "vmadd": 1, "vaxpy": 1}.get(name, 0)


def run_vec(name: str, tensors: list[Any], dtype: str, target: Any = "ascend910", count: int = 1000) -> Any:
    item = numpy_dtype(dtype).itemsize
    size = -(-count * item // 32) * 32 // item
    p = Program(target=target)
    names = "abc"
    inputs = [p.input(n, (size,), dtype) for n in names]
    y = p.output("y", (size,), dtype)
    buffers = [p.buffer(n, "ub", (size,), i * 16384, dtype=dtype) for i, n in enumerate("abcy")]
    for source, buffer in zip(inputs, buffers[:3], strict=True):
        p.copy(source, buffer)
    p.flag("MTE2", "V")
    known = VECTOR_INSTRUCTIONS[name]
    views = [p.view(b, [count]) for b in buffers]
    p.vec("vdup", to=buffers[3], scalar=0.0)
    p.barrier("V")
    p.vec(name, *views[: known.sources], to=views[3], scalar=SCALAR if known.scalar else None)
    p.flag("V", "MTE3")
    p.copy(buffers[3], y)
    padded = [np.concatenate([t, np.ones(size - count, t.dtype)]) for t in tensors]
    return p.run(dict(zip(names, padded, strict=True))).outputs[0][:count]


@pytest.mark.parametrize("lanes", [1, 5, 8])
@pytest.mark.parametrize("blocks", [1, 3, 8])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize("name", ["vcadd", "vcmax", "vcmin"])
def test_a_reduction_gives_one_element_a_repeat(name: str, dtype: str, blocks: int, lanes: int):
    """Of the lanes that its view has, and nothing else; results lie side by side."""
    kind, width, rows = numpy_dtype(dtype), 32 // numpy_dtype(dtype).itemsize, 48
    x = np.random.default_rng(3).standard_normal((rows, 8, width)).astype(kind)
    p = Program(target="ascend910")
    source, y = p.input("a", (x.size,), dtype), p.output("y", (rows,), dtype)
    a = p.buffer("a", "ub", (x.size,), 0, dtype=dtype)
    b = p.buffer("b", "ub", (rows,), 65536, dtype=dtype)
    p.copy(source, a)
    p.flag("MTE2", "V")
    p.vec(
        name, p.view(a, (rows, blocks, lanes), (8 * width, width, 1)), to=p.view(b, (rows, 1, 1), (1, 1, 1))
    )
    p.flag("V", "MTE3")
    p.copy(b, y)
    part = x[:, :blocks, :lanes].astype(np.float64).reshape(rows, -1)
    want = {"vcadd": part.sum(1), "vcmax": part.max(1), "vcmin": part.min(1)}[name]
    error = np.abs(p.run({"a": x.reshape(-1)}).outputs[0].astype(np.float64) - want)
    digits = 8 * np.finfo(kind).eps * np.abs(part).sum(1) if name == "vcadd" else 0.0
    assert np.all(error <= digits)


def halves_summed(lanes: Sequence[Any]) -> Any:
    """The tree of docs/ascend.md: the second half of the lanes onto the first half, a lane left onto the first lane."""
    if len(lanes) == 1:
        return lanes[0]
    half = len(lanes) // 2
    total = [lanes[i] + lanes[half + i] for i in range(half)]
    if len(lanes) % 2:
        total[0] = total[0] + lanes[-1]
    return halves_summed(total)


@pytest.mark.parametrize("lanes", [5, 7, 8])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_a_sum_of_a_repeat_goes_by_halves(dtype: str, lanes: int):
    """To the last bit; neither one lane after the other nor neighbours first."""
    kind, width, rows = numpy_dtype(dtype), 32 // numpy_dtype(dtype).itemsize, 48
    x = (10.0 ** np.random.default_rng(4).uniform(-2, 2, (rows, 8, width))).astype(kind)
    p = Program(target="ascend910")
    source, y = p.input("a", (x.size,), dtype), p.output("y", (rows,), dtype)
    a, b = p.buffer("a", "ub", (x.size,), 0, dtype=dtype), p.buffer("b", "ub", (rows,), 65536, dtype=dtype)
    p.copy(source, a)
    p.flag("MTE2", "V")
    whole = p.view(a, (rows, 8, lanes), (8 * width, width, 1))
    p.vec("vcadd", whole, to=p.view(b, (rows, 1, 1), (1, 1, 1)))
    p.flag("V", "MTE3")
    p.copy(b, y)
    found = p.run({"a": x.reshape(-1)}).outputs[0]
    parts = [list(row) for row in x[:, :, :lanes].reshape(rows, -1)]
    assert np.array_equal(found, np.array([halves_summed(row) for row in parts], kind))
    neighbours = np.array([halves_summed([*row[::2], *row[1::2]]) for row in parts], kind)
    assert not np.array_equal(found, neighbours)
    one_by_one = np.array([np.add.accumulate(np.array(row, kind), dtype=kind)[-1] for row in parts], kind)
    assert not np.array_equal(found, one_by_one)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("overflow", ["inf", "saturate"])
def test_overflow_mode(overflow: str, dtype: str):
    target = BF16_CHIP.with_(overflow=overflow)
    kind = numpy_dtype(dtype)
    big = np.full(1000, 0.9 * largest(kind), kind)
    zero = np.zeros(1000, kind)
    top = run_vec("vadd", [big, big, big], dtype, target)
    low = run_vec("vsub", [-big, big, big], dtype, target)
    odd = run_vec("vdiv", [zero, zero, zero], dtype, target)
    limit = np.inf if overflow == "inf" else largest(kind)
    assert np.all(top.astype(np.float64) == limit) and np.all(low.astype(np.float64) == -limit)
    assert np.isnan(odd).all() if overflow == "inf" else np.all(odd == 0)


def converted(values: Any, source: str, destination: str) -> Any:
    """`values`, 64 of them, converted by the Vector unit."""
    p = Program(target=BF16_CHIP)
    x, y = p.input("x", (64,), source), p.output("y", (64,), destination)
    a, b = p.buffer("a", "ub", (64,), 0, dtype=source), p.buffer("b", "ub", (64,), 256, dtype=destination)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vconv", a, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p.run(x=values).outputs[0]


@pytest.mark.parametrize(("dtype", "digits"), [("f16", 11), ("bf16", 8)])
def test_conversion_rounds_to_nearest_even(dtype: str, digits: int):
    values = np.random.default_rng(4).standard_normal(64).astype(np.float32)
    values[:4] = [1 + 2.0**-digits, 1 + 3 * 2.0**-digits, 3.4e38, np.nan]
    result = converted(values, "f32", dtype)
    with np.errstate(over="ignore"):
        rounded = values.astype(numpy_dtype(dtype)).astype(np.float64)
    wide = result.astype(np.float64)
    np.testing.assert_array_equal(wide, rounded)
    assert wide[0] == 1 and wide[1] == 1 + 2.0 ** (2 - digits) and wide[2] == np.inf
    np.testing.assert_array_equal(converted(result, dtype, "f32"), result.astype(np.float32))


def test_strided_operands_and_repeated_source():
    """Blocks of one row repeated (stride 0) against blocks of a matrix, every other row."""
    p = Program()
    x, w, y = p.input("x", (8, 128)), p.input("w", (128,)), p.output("y", (8, 128))
    a, b = p.buffer("a", "ub", (8, 128), 0), p.buffer("b", "ub", (128,), 2048)
    p.copy(p.view(x, [1024]), p.view(a, [1024]))
    p.copy(w, b)
    p.flag("MTE2", "V")
    even = p.view(a, [4, 8, 16], [256, 16, 1])
    p.vec("vadd", even, p.view(b, [4, 8, 16], [0, 16, 1]), to=even)
    p.flag("V", "MTE3")
    p.copy(p.view(a, [1024]), p.view(y, [1024]))
    rng = np.random.default_rng(5)
    m, v = rng.standard_normal((8, 128)).astype(np.float16), rng.standard_normal(128).astype(np.float16)
    want = m.copy()
    want[::2] += v
    np.testing.assert_array_equal(p.run(x=m, w=v).outputs[0], want)


@pytest.mark.parametrize(("dtype", "width"), [("f16", 16), ("bf16", 16), ("f32", 8)])
def test_transpose(dtype: str, width: int):
    p = Program(target=BF16_CHIP)
    x, y = p.input("x", (4, 16, width), dtype), p.output("y", (4, width, 16), dtype)
    a, b = (
        p.buffer("a", "ub", (4, 16, width), 0, dtype=dtype),
        p.buffer("b", "ub", (4, width, 16), 4096, dtype=dtype),
    )
    size = 64 * width
    p.copy(p.view(x, [size]), p.view(a, [size]))
    p.flag("MTE2", "V")
    p.transpose(a, b)
    p.flag("V", "MTE3")
    p.copy(p.view(b, [size]), p.view(y, [size]))
    values = np.arange(size).reshape(4, 16, width).astype(numpy_dtype(dtype))
    np.testing.assert_array_equal(p.run(x=values).outputs[0], values.transpose(0, 2, 1))


@pytest.mark.parametrize("columns", [16, 17, 31, 40])
def test_nd2nz_zeroes_the_tail(columns: int):
    p = Program(target="ascend310p")
    blocks = -(-columns // 16)
    x, y = p.input("x", (8, 64)), p.output("y", (blocks, 8, 16))
    a, b = p.buffer("a", "l1", (blocks, 8, 16), 0), p.buffer("b", "ub", (blocks, 8, 16), 0)
    p.copy(p.view(x, [8, columns], [64, 1]), a, nd2nz=True)
    p.flag("MTE2", "MTE1")
    p.copy(p.view(a, [blocks * 128]), p.view(b, [blocks * 128]))
    p.flag("MTE1", "MTE3")
    p.copy(p.view(b, [blocks * 128]), p.view(y, [blocks * 128]))
    values = np.random.default_rng(6).standard_normal((8, 64)).astype(np.float16)
    want = np.zeros((8, blocks * 16), np.float16)
    want[:, :columns] = values[:, :columns]
    want = want.reshape(8, blocks, 16).transpose(1, 0, 2)
    np.testing.assert_array_equal(p.run(x=values).outputs[0], want)


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_every_two_byte_float_widens_exactly(dtype: str):
    every = np.arange(65536, dtype=np.uint16).view(numpy_dtype(dtype))
    for part in (every, every[np.isfinite(every.astype(np.float32))], every[:1024]):
        wide = np.empty(part.shape, np.float32)
        bind_widen(part, wide)()
        np.testing.assert_array_equal(wide, part.astype(np.float32))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize(("m", "n"), [(5, 16), (16, 9), (11, 3), (1, 1)])
def test_lanes_of_a_product_past_m_and_n_are_nan(m: int, n: int, steps: int):
    """Whoever takes them along sees that, hazards or not; the others are the sums."""
    p = Program(target="ascend310p")
    x, w, y = p.input("x", (16, 16)), p.input("w", (16, 16)), p.output("y", (16, 16), dtype="f32")
    memories = [(x, "l1", 0, "l0a"), (w, "l1", 4096, "l0b")]
    fractals: list[SSAValue] = []
    for tensor, space, address, to in memories:
        staged = p.buffer(f"l1 {to}", space, (256,), address)
        fractals.append(p.buffer(to, to, (1, 1, 16, 16), 0))
        p.copy(p.view(tensor, [256]), staged)
        p.flag("MTE2", "MTE1")
        p.load2d(p.view(staged, [1, 16, 16]), p.view(fractals[-1], [1, 16, 16]))
    c, out = p.buffer("c", "l0c", (1, 16, 16), 0, dtype="f32"), p.buffer("out", "ub", (256,), 0, dtype="f32")
    p.flag("MTE1", "M")
    for step in range(steps):
        p.mmad(fractals[0], fractals[1], c, m, n, 16, int(step == 0))
        p.barrier("M")
    p.flag("M", "V")
    p.copy(p.view(c, [256]), out)
    p.flag("V", "MTE3")
    p.copy(out, p.view(y, [256]))
    ones = np.ones((16, 16), np.float16)
    found = p.run_with({"hazards": False}, {"x": ones, "w": ones}).outputs[0]
    expected = np.full((16, 16), np.nan)
    expected[:m, :n] = 16 * steps
    np.testing.assert_array_equal(found, expected)


def test_padding_of_a_tensor_reads_as_nan():
    p = Program()
    x, y = p.input("x", (17,)), p.output("y", (32,))
    a = p.buffer("a", "ub", (32,), 0)
    p.copy(p.view(x, [32]), a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    result = p.run_with({"hazards": False}, {"x": np.ones(17, np.float16)}).outputs[0]
    assert np.all(result[:17] == 1)
    assert np.isnan(result[17:]).all()


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_widened_rows_are_those_of_the_fractals_given(dtype: str):
    """Results are kept: operands that begin and end alike are not taken for each other."""
    rng = np.random.default_rng(0)
    first = rng.standard_normal((4, 8, 16, 16)).astype(numpy_dtype(dtype))
    second = first.copy()
    second[2, 3, 4, 5] += 1
    tall = first.reshape(2, 16, 16, 16)
    for fractals in (first, second, first, tall, tall.copy()):
        k1, r1, *_ = fractals.shape
        expected = fractals.transpose(1, 2, 0, 3).reshape(r1 * 16, k1 * 16).astype(np.float32)
        assert np.array_equal(widened_rows("test", fractals), expected)


def test_short_bursts_from_gm_are_followed_by_zeros_up_to_a_block():
    memory = CoreMemory({"ub": 128}, 0xFF)
    tensor = np.arange(40, dtype=np.float16)
    source = View("gm", "f16", 2, 0, (2, 5), (20, 2), "x")
    bind_padded_copy(memory, tensor.view(np.uint8), source, View("ub", "f16", 2, 0, (2, 16), (64, 2), "a"))(6)
    rows = memory.spaces["ub"].view(np.float16).reshape(2, 32)
    assert np.array_equal(rows[:, :5], [tensor[3:8], tensor[13:18]])
    assert not rows[:, 5:16].any()
    assert np.isnan(rows[:, 16:]).all()


def test_work_arrays_of_one_name_are_of_the_type_that_is_asked_for():
    wide = scratch("test", 40)
    for dtype in (np.float16, np.uint64, np.int8, np.float32):
        assert scratch("test", 40, dtype).dtype == dtype
    assert np.shares_memory(wide, scratch("test", 30))
