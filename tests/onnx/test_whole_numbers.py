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


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
@pytest.mark.parametrize("fmod", [0, 1])
@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_what_a_quotient_leaves_over(dtype: Any, fmod: int, chip: str):
    """Of all signs, and of the largest numbers."""
    if dtype == np.uint8:
        x, y = np.array([250, 3, 9, 0, 255], np.uint8), np.array([7, 200, 3, 1, 255], np.uint8)
    else:
        ends = [2**31 - 1, -(2**31), 2**31 - 1, -(2**31) + 1, -1, 1]
        over = [2, 3, 2**31 - 1, 2**31 - 1, 2**31 - 1, -(2**31)]
        x = np.array([-7, 7, -7, 7, -1, 0, 8, -9, -9, *ends])
        y = np.array([3, -3, -3, 3, 3, 5, -8, 9, -4, *over])
    given = model([node("Mod", "x z", "y", fmod=fmod)], {"x": x, "z": y}, ["y"])
    (found,) = ascend_opt.compile(given, chip, tune=1).run(x=x, z=y).outputs.values()
    want = models.expected(given, {"x": x, "z": y})[0]
    np.testing.assert_array_equal(found, want)
    assert dtype == np.uint8 or (found == (np.fmod(x, y) if fmod else np.mod(x, y))).all()


def scattered(kind: str, reduction: str, indices: Any, x: Any, u: Any) -> Any:
    """A model on numbers of the type of x; `-` for the default reduction."""
    more = {} if reduction == "-" else {"reduction": reduction}
    made = model([node(kind, "x i u", "y", **more)], {"x": x, "u": u}, ["y"], opset=18, i=np.array(indices))
    code = models.onnx.helper.np_dtype_to_tensor_dtype(x.dtype)
    for value in (*made.graph.input, *made.graph.output):
        value.type.tensor_type.elem_type = code
    return made


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("reduction", ["-", "add", "mul", "max", "min"])
def test_rows_of_whole_numbers_are_put_in_place(reduction: str, dtype: Any, chip: str):
    rng = np.random.default_rng(0)
    x, u = (rng.integers(-30000, 30000, shape).astype(dtype) for shape in ((7, 5), (4, 5)))
    given = scattered("ScatterND", reduction, [[1], [1], [-7], [6]], x, u)
    (found,) = ascend_opt.compile(given, chip, tune=1).run(x=x, u=u).outputs.values()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, models.expected(given, {"x": x, "u": u})[0])


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int16, np.int64])
@pytest.mark.parametrize("kind", ["ScatterND", "ScatterElements"])
def test_single_elements_of_any_width_are_put_in_place(kind: str, dtype: Any, chip: str):
    rng = np.random.default_rng(1)
    indices: Any = [[0, 1], [2, -1]]
    x, u = (
        rng.integers(0, 2 if dtype == np.bool_ else 100, shape).astype(dtype)
        for shape in ((3, 5), (2,) if kind == "ScatterND" else (2, 2))
    )
    given = scattered(kind, "-", indices, x, u)
    (found,) = ascend_opt.compile(given, chip, tune=1).run(x=x, u=u).outputs.values()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, models.expected(given, {"x": x, "u": u})[0])
