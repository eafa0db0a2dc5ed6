"""Products whose K is split among cores, and attention of one query row: values by numpy, hazards on, and what it is
worth on the emulator's clock. ASCEND_OPT_ALL=1 runs every chip."""

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import Program

CHIPS = ["ascend910b", "ascend910", "ascend950", "ascend310p"]
Array = np.ndarray


def kernel_us(program: Program) -> float:
    """Time of the kernels, without launches."""
    return sum(kernel.time_us for kernel in program.time().kernels)


def near(found: Array, wanted: Array) -> None:
    assert found.shape == wanted.shape
    assert np.linalg.norm(found.astype(np.float64) - wanted) <= 1e-3 * np.linalg.norm(wanted)


@pytest.mark.parametrize("chip", CHIPS if ALL else CHIPS[:2])
@pytest.mark.parametrize("shape", [(64, 256, 16384), (1, 1000, 4096), (33, 80, 6144)])
@pytest.mark.parametrize("transposed", [False, True])
def test_values(shape: tuple[int, int, int], transposed: bool, chip: str) -> None:
    m, n, k = shape
    rng = np.random.default_rng(1)
    x = rng.standard_normal((m, k)).astype(np.float16)
    w = (rng.standard_normal((n, k) if transposed else (k, n)) / np.sqrt(k)).astype(np.float16)
    b = rng.standard_normal(n).astype(np.float16)
    stated = " {transpose_b = true}" if transposed else ""
    rows = "x".join(map(str, w.shape))
    text = f"""graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{rows}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}) {{
      %0 = matmul(%x, %w){stated}
      %1 = bias_add(%0, %b)
      %y = relu(%1)
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    (found,) = program.run(x=x, w=w, b=b).outputs.values()
    right = (w.T if transposed else w).astype(np.float64)
    near(found, np.maximum(x.astype(np.float64) @ right + b, 0))


def test_a_long_sum_over_few_columns() -> None:
    """Cores each read part of the weights once, where all of them read all rows of x."""
    text = """graph @f(%x: tensor<64x16384xf16>, %w: tensor<16384x256xf16>{}) {{
      %y = matmul(%x, %w)
      return %y
    }}"""
    for mark, most in (
        (" {weight}", 1.4 * 6.85),
        ("", 12.5),
    ):  # 6.85 is the bound; 16.0 and 50.0 as one kernel
        program = ascend_opt.compile(text.format(mark), target="ascend910b", tune=1)
        assert len(program.time().kernels) == 2
        assert kernel_us(program) <= most


def test_sums_that_f16_does_not_hold() -> None:
    """Parts of K sum to more than f16 has, all of K to little: partial sums are f32."""
    k = 16384
    x = np.full((16, k), 4.0, np.float16)
    w = np.full((k, 16), 8.0, np.float16)
    w[k // 2 :] = -8.0
    w[-1] = -7.0
    text = f"""graph @f(%x: tensor<16x{k}xf16>, %w: tensor<{k}x16xf16>) {{
      %y = matmul(%x, %w)
      return %y
    }}"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert len(program.time().kernels) == 2
    (found,) = program.run(x=x, w=w).outputs.values()
    assert (found == 4.0).all()


def attention(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    """By definition, in f64; heads of q share those of k and v."""
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    k, v = (np.repeat(a, q.shape[1] // a.shape[1], axis=1) for a in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask.astype(np.float64)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


MASKS = {"none": None, "keys": (1, 1, 1, 1024), "heads": (2, 8, 1, 1024), "one": (1, 1024)}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("mask", list(MASKS) if ALL else ["heads", "none"])
def test_one_query(mask: str, chip: str) -> None:
    rng = np.random.default_rng(2)
    q = rng.standard_normal((2, 8, 1, 64)).astype(np.float16)
    k, v = (rng.standard_normal((2, 2, 1024, 64)).astype(np.float16) for _ in range(2))
    shape = MASKS[mask]
    given = {"q": q, "k": k, "v": v}
    more = ""
    if shape is not None:
        given["m"] = (3 * rng.standard_normal(shape)).astype(np.float16)
        more = f", %m: tensor<{'x'.join(map(str, shape))}xf16>"
    text = f"""graph @f(%q: tensor<2x8x1x64xf16>, %k: tensor<2x2x1024x64xf16>, %v: tensor<2x2x1024x64xf16>{more}) {{
      %y = attention(%q, %k, %v{", %m" if more else ""})
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    (found,) = program.run(given).outputs.values()
    wanted = attention(q, k, v, given.get("m"))
    assert np.linalg.norm(found.astype(np.float64) - wanted) <= 3e-3 * np.linalg.norm(wanted)


@pytest.mark.parametrize(("chip", "most"), [("ascend910b", 22.4), ("ascend910", 27.0), ("ascend950", 21.2)])
def test_a_step_of_decoding(chip: str, most: float) -> None:
    """32 heads, 8 of 4096 keys: at most twice as long as keys and values take across HBM, launches included."""
    text = """graph @f(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>) {
      %y = attention(%q, %k, %v)
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    profile = program.time()
    assert sum(kernel.time_us + kernel.launch_us for kernel in profile.kernels) <= most
