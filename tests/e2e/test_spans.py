"""Results whose tiles meet in 32 B blocks, on chips whose DMA writes whole blocks: all cores share them, each block is
written by one core, and what is written is what numpy computes by definition. Runs check hazards."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target

pytestmark = pytest.mark.sweep(3)

Array = np.ndarray[Any, Any]
COUPLED = ("ascend910", "ascend310p")


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def normed(x: Array) -> Array:
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)


OPS: dict[str, tuple[tuple[int, ...], str, Callable[[Array], Array]]] = {
    "softmax of rows": ((300, 1001), "softmax(%x) {axis = 1}", softmax),
    "log_softmax of long rows": ((70, 4099), "log_softmax(%x) {axis = 1}", lambda x: np.log(softmax(x))),
    "softmax of rows that no tile holds": ((9, 40003), "softmax(%x) {axis = 1}", softmax),
    "instance_norm": (
        (4, 33, 37, 37),
        "instance_norm(%x, %g, %b)",
        lambda x: normed(x.reshape(132, -1)).reshape(x.shape),
    ),
    "part of images": (
        (3, 33, 40, 40),
        "slice(%x) {starts = [0, 0, 3, 3], ends = [3, 33, 36, 36]}",
        lambda x: x[:, :, 3:36, 3:36],
    ),
    "part of many images": (
        (8, 64, 64, 64),
        "slice(%x) {starts = [0, 0, 3, 3], ends = [8, 64, 60, 60]}",
        lambda x: x[:, :, 3:60, 3:60],
    ),
    "part of lines": (
        (1, 22, 8, 58),
        "slice(%x) {starts = [0, 0, 1, 0], ends = [1, 22, 8, 57]}",
        lambda x: x[:, :, 1:8, :57],
    ),
    "heads": ((2, 197, 5, 33), "transpose(%x) {perm = [0, 2, 1, 3]}", lambda x: x.transpose(0, 2, 1, 3)),
    "sums of columns": ((3, 7, 1111), "reduce_sum(%x) {axes = [1]}", lambda x: x.sum(1)),
    "planes with a channel's bias": ((2, 33, 37, 37), "bias_add(%x, %g)", lambda x: x + np.float64(1)),
}


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("name", OPS)
def test_cores_share_ragged_results(name: str, chip: str):
    shape, op, by_definition = OPS[name]
    check(shape, op, by_definition, chip, "f16", 4e-3)


@pytest.mark.parametrize("name", ["softmax of rows", "part of images", "part of lines"])
def test_cores_share_ragged_results_of_f32(name: str):
    shape, op, by_definition = OPS[name]
    check(shape, op, by_definition, "ascend910", "f32", 2e-6)


def check(
    shape: tuple[int, ...],
    op: str,
    by_definition: Callable[[Array], Array],
    chip: str,
    dtype: str,
    bound: float,
) -> None:
    sizes = "x".join(map(str, shape))
    scale = ", ".join(f"%{v}: tensor<{shape[1]}x{dtype}>" for v in "gb" if f"%{v}" in op)
    text = f"graph @g(%x: tensor<{sizes}x{dtype}>{', ' if scale else ''}{scale}) {{\n  %y = {op}\n  return %y\n}}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float16)
    given: dict[str, Any] = {"x": x}
    given |= {v: np.full(shape[1], float(v == "g")) for v in "gb" if f"%{v}" in op}
    result = program.run(**given)
    wanted = by_definition(x.astype(np.float64))
    found = result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - wanted) <= bound * np.linalg.norm(wanted)
    kernel = result.profile.kernels[-1]
    large = x.nbytes > 1 << 18
    assert kernel.cores >= load_target(chip).cores * 3 // 4 if large else kernel.cores > 1


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [("f16", "4096x4096"), ("f16", "4095x2049"), ("f32", "1001x4096"), ("f16", "1024x3x2999")],
)
@pytest.mark.parametrize("op", ["reduce_sum", "reduce_max", "reduce_mean"])
def test_reductions_of_long_rows_are_near_their_bound(op: str, dtype: str, shape: str):
    """One result a row: a core has rows for whole blocks of results, which it meets part by part."""
    axes = list(range(1, shape.count("x") + 1))
    text = f"graph @g(%x: tensor<{shape}x{dtype}>) {{\n  %y = {op}(%x) {{axes = {axes}}}\n  return %y\n}}"
    profile = ascend_opt.compile(text, target="ascend910", tune=1).time()
    assert profile.total_us <= 1.25 * sum(k.bound_us for k in profile.kernels) + 4
    assert min(k.cores for k in profile.kernels) == 32


@pytest.mark.parametrize("shape", [(4096, 4096), (33, 3000)])
def test_reduced_rows_have_the_values_of_their_definition(shape: tuple[int, int]):
    text = f"graph @g(%x: tensor<{shape[0]}x{shape[1]}xf16>) {{\n  %y = reduce_max(%x) {{axes = [1]}}\n  return %y\n}}"
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float16)
    result = ascend_opt.compile(text, target="ascend910", tune=1).run(x=x)
    np.testing.assert_array_equal(result.outputs["output0"], x.max(1))
