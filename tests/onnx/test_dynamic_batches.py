"""A batch that stays dynamic, in operators whose results depend on all of it: each size of a range has a variant."""

from typing import Any

import numpy as np
import onnx
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError

pytest.importorskip("onnx_ir")
models: Any = pytest.importorskip("onnx_models")
model, node, expected = models.model, models.node, models.expected
RNG = np.random.default_rng(0)
FAR = -(2**63) + 1


def array(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def ints(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


CASES: dict[str, Any] = {
    "Gemm of two inputs that are turned": (
        [node("Gemm", "x w b", "y", transA=1, alpha=0.5, beta=2.0)],
        {"x": (5,), "w": (7,)},
        13,
        {"b": array(7)},
    ),
    "Gemm of what is computed, both turned": (
        [node("Relu", "x", "z"), node("Transpose", "w", "v", perm=[0, 2, 1]), node("Flatten", "v", "u"),
         node("Gemm", "z u", "y", transA=1)],
        {"x": (33,), "w": (3, 5)},
        11,
        {},
    ),
    "Slice backwards": (
        [node("Slice", "x s e a t", "y")],
        {"x": (7,)},
        11,
        {"s": ints(-1), "e": ints(FAR), "a": ints(0), "t": ints(-1)},
    ),
    "Slice backwards along the columns too": (
        [node("Slice", "x s e a t", "z"), node("Slice", "z f g", "v"), node("Slice", "x f g", "w"),
         node("Sub", "v w", "y")],
        {"x": (7, 3)},
        13,
        {"s": ints(-1, 5), "e": ints(-(2**31), 0), "a": ints(0, 1), "t": ints(-1, -2),
         "f": ints(0, 1), "g": ints(2**31 - 1, 3)},
    ),
    "Softmax of all rows": ([node("Softmax", "x", "y", axis=0)], {"x": (3, 7)}, 11, {}),
    "LogSoftmax of all rows": ([node("LogSoftmax", "x", "y", axis=-3)], {"x": (3, 7)}, 12, {}),
    "Softmax of one column": ([node("Softmax", "x", "y", axis=0)], {"x": (5,)}, 13, {}),
    "ReduceSum of all rows": ([node("ReduceSum", "x", "y", axes=[0], keepdims=0)], {"x": (9,)}, 12, {}),
}  # fmt: skip


def dynamic(made: Any, batch: Any = "batch") -> Any:
    """The model, its first dimensions named."""
    for value in made.graph.input:
        value.type.tensor_type.shape.dim[0].dim_param = batch
    del made.graph.output[:]
    made.graph.output.append(onnx.helper.make_tensor_value_info("y", models.FLOAT, None))
    return made


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
def test_values_at_ten_sizes(name: str, chip: str):
    nodes, rests, opset, known = CASES[name]
    one = {key: array(1, *rest) for key, rest in rests.items()}
    given = dynamic(model(nodes, one, ["y"], opset=opset, **known))
    program = ascend_opt.compile(given, chip, tune=1, precision="f16", dynamic_range=(1, 10))
    for size in range(1, 11):
        inputs = {key: array(size, *rest) for key, rest in rests.items()}
        (want,) = expected(given, inputs)
        found = program.run(inputs).outputs["y"]
        assert found.shape == want.shape and found.dtype == want.dtype
        assert np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want), size


def test_sums_of_many_rows_are_past_f16():
    """A softmax of 90,000 equal numbers: their powers add up to more than f16 holds."""
    given = dynamic(model([node("Softmax", "x", "y", axis=0)], {"x": array(1, 300, 300)}, ["y"], opset=11))
    program = ascend_opt.compile(given, tune=1, precision="f16", dynamic_range=(1, 2))
    x = np.zeros((1, 300, 300), np.float32)
    found = program.run(x=x).outputs["y"]
    np.testing.assert_allclose(found, expected(given, {"x": x})[0], rtol=0.02)  # numbers below 2^-14


@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
@pytest.mark.parametrize("shape", [(0, -1), (0, 4, -1), (-1, 0, 4), (0, -1, 2, 3), (0, 3, 4, -1)])
def test_a_reshape_that_copies_the_batch(shape: tuple[int, ...], chip: str):
    """One program for all sizes; what is left for -1 does not depend on them."""
    given = dynamic(model([node("Reshape", "x s", "y")], {"x": array(1, 3, 4)}, ["y"], s=ints(*shape)))
    program = ascend_opt.compile(given, chip, tune=1, precision="f32")
    for size in (1, 2, 5):
        x = array(size, 3, 4)
        np.testing.assert_array_equal(program.run(x=x).outputs["y"], expected(given, {"x": x})[0])


def test_a_batch_of_one_is_not_repeated_unasked():
    """onnxruntime gives 5 rows for a batch of 1, and an error for one of 2."""
    given = dynamic(model([node("Expand", "x s", "y")], {"x": array(1, 3)}, ["y"], s=ints(5, 3)))
    with pytest.raises(
        CompileError, match="it repeats the dynamic dimension where that is 1; set dimension 0"
    ):
        ascend_opt.compile(given)
    x = array(1, 3)
    found = ascend_opt.compile(given, dims={"batch": 1}, precision="f32").run(x=x).outputs["y"]
    np.testing.assert_array_equal(found, expected(given, {"x": x})[0])


def test_without_a_range_the_error_tells_both_ways_out():
    given = dynamic(model([node("Softmax", "x", "y", axis=0)], {"x": array(1, 3)}, ["y"], opset=13))
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(given)
    assert "--dim" in str(error.value) and "--dynamic-range" in str(error.value)
