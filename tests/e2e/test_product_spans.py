"""Products whose rows are no whole 32 B blocks, on chips whose DMA writes whole blocks: all cores share the result,
tile by tile end to end. What is written is what numpy computes by definition; runs check hazards."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target

pytestmark = pytest.mark.sweep(3)

Array = np.ndarray[Any, Any]


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


CASES: dict[str, tuple[str, tuple[int, ...], str, Callable[[Array, Array, Array], Array]]] = {
    "parts of planes": (
        "ascend910",
        (9, 50, 40, 99),
        "%0 = matmul(%x, %w)\n %1 = add(%0, %r)\n %y = relu(%1)",
        lambda x, w, r: np.maximum(x @ w + r, 0),
    ),
    "whole planes": (
        "ascend310p",
        (23, 35, 24, 33),
        "%0 = matmul(%x, %w)\n %y = relu(%0)",
        lambda x, w, r: np.maximum(x @ w, 0),
    ),
    "K in steps": (
        "ascend310p",
        (5, 70, 600, 61),
        "%y = matmul(%x, %w)",
        lambda x, w, r: x @ w,
    ),
    "whole rows behind": (
        "ascend910",
        (40, 33, 24, 35),
        "%0 = matmul(%x, %w)\n %y = softmax(%0) {axis = 2}",
        lambda x, w, r: softmax(x @ w),
    ),
    "a computed operand": (
        "ascend910",
        (9, 48, 32, 67),
        "%0 = relu(%x)\n %y = matmul(%0, %w)",
        lambda x, w, r: np.maximum(x, 0) @ w,
    ),
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", CASES)
def test_cores_share_products_of_ragged_rows(name: str):
    chip, (b, m, k, n), ops, by_definition = CASES[name]
    shapes = {"x": (b, m, k), "w": (b, k, n), "r": (b, m, n)}
    shapes = {v: s for v, s in shapes.items() if f"%{v}" in ops}
    arguments = ", ".join(f"%{v}: tensor<{'x'.join(map(str, s))}xf16>" for v, s in shapes.items())
    program = ascend_opt.compile(f"graph @g({arguments}) {{\n {ops}\n return %y\n}}", target=chip, tune=1)
    rng = np.random.default_rng(1)
    given: dict[str, Array] = {v: rng.uniform(-1, 1, s).astype(np.float16) for v, s in shapes.items()}
    result = program.run(given)
    x, w, r = (given.get(v, np.zeros(1)).astype(np.float64) for v in "xwr")
    wanted = by_definition(x, w, r)
    found = result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - wanted) <= 4e-3 * np.linalg.norm(wanted)
    (kernel,) = result.profile.kernels
    assert kernel.cores >= min(b, load_target(chip).cores * 3 // 4)
