"""Positions and values of whole numbers that floats do not tell apart, against numpy."""

from typing import Any

import numpy as np
import pytest

import ascend_opt

pytest.importorskip("onnx_ir")
models: Any = pytest.importorskip("onnx_models")
model, node = models.model, models.node
LARGE = np.array(
    [[16777216, 16777217, 3], [2**30, 2**30 - 1, 2**30 + 1], [-(2**31), 2**31 - 1, 5], [4097, 4098, 4098]],
    np.int64,
)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
@pytest.mark.parametrize("last", [0, 1])
def test_positions_of_the_largest_and_the_least(chip: str, last: int):
    nodes = [
        node("ArgMax", "x", "most", axis=1, keepdims=0, select_last_index=last),
        node("ArgMin", "x", "least", axis=-1, select_last_index=last),
    ]
    program = ascend_opt.compile(model(nodes, {"x": LARGE}, ["most", "least"]), chip, tune=1)
    found = program.run(x=LARGE).outputs
    if last:
        most, least = 2 - LARGE[:, ::-1].argmax(1), 2 - LARGE[:, ::-1].argmin(1)
    else:
        most, least = LARGE.argmax(1), LARGE.argmin(1)
    assert (found["most"] == most).all() and (found["least"] == least[:, None]).all()


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_the_largest_of_numbers_past_those_of_f16(chip: str):
    """The model's floats are of f16, which has whole numbers up to 2048 alone."""
    x = np.random.default_rng(0).permutation(np.arange(90000, 90060)).reshape(4, 15)
    given = model([node("TopK", "x k", "v i")], {"x": x}, ["v", "i"], k=np.array([3]))
    found = ascend_opt.compile(given, chip, precision="f16", tune=1).run(x=x).outputs
    order = np.argsort(-x, 1)[:, :3]
    assert (found["i"] == order).all() and (found["v"] == np.take_along_axis(x, order, 1)).all()
