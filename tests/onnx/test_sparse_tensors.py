"""Sparse initializers and constants, written out, against onnxruntime or what they say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt

pytest.importorskip("onnx_ir")
models: Any = pytest.importorskip("onnx_models")
model, node, expected, onnx = models.model, models.node, models.expected, models.onnx
CHIPS = ("ascend910b", "ascend310p")


def sparse(name: str, dense: Any, flat: bool) -> Any:
    """A sparse tensor with one index for each element, or one for each of its dimensions."""
    places = np.flatnonzero(dense) if flat else np.argwhere(dense)
    parts = (dense[dense != 0], name), (places.astype(np.int64), "")
    return onnx.helper.make_sparse_tensor(*(onnx.numpy_helper.from_array(*one) for one in parts), dense.shape)


def few(shape: tuple[int, ...], dtype: Any) -> Any:
    """A tensor most of whose elements are 0."""
    rng = np.random.default_rng(0)
    return (rng.standard_normal(shape) * 4 * (rng.random(shape) < 0.2)).astype(dtype)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("ending", ["onnx", "textproto", ""])
def test_an_initializer(ending: str, flat: bool, chip: str, tmp_path: Path):
    """Of a file, large enough to be read past protobuf next to a dense one, or of a model in memory."""
    dense, x = few((47, 33), np.float32), np.random.default_rng(1).standard_normal((5, 47)).astype(np.float32)
    nodes = [node("MatMul", "x w", "z"), node("Add", "z b", "y")]
    given: Any = model(nodes, {"x": x}, ["y"], b=np.arange(165, dtype=np.float32).reshape(5, 33) * 4)
    given.graph.sparse_initializer.append(sparse("w", dense, flat))
    before = given.SerializeToString()
    if ending:
        onnx.save(given, tmp_path / f"m.{ending}")
    source = tmp_path / f"m.{ending}" if ending else given
    imported = ascend_opt.from_onnx(source, precision="f16")
    (found,) = ascend_opt.compile(imported, chip, tune=1).run(x=x).outputs.values()
    np.testing.assert_allclose(found, expected(given, {"x": x})[0], rtol=2e-3, atol=2e-2)
    assert given.SerializeToString() == before


@pytest.mark.parametrize("dtype", [np.int64, np.bool_, np.float16])
def test_a_constant(dtype: Any):
    dense = few((3, 5), dtype)
    made = onnx.helper.make_node("Constant", [], ["w"], sparse_value=sparse("", dense, True))
    given = model(
        [made, node("Cast", "w", "v", to=1), node("Mul", "x v", "y")], {"x": np.ones((3, 5), "f4")}, ["y"]
    )
    (found,) = ascend_opt.compile(given, tune=1).run(x=np.ones((3, 5))).outputs.values()
    np.testing.assert_allclose(found, dense.astype(np.float32), rtol=1e-3)


def test_one_of_a_graph_inside():
    dense, x = few((3, 5), np.float32), np.ones((3, 5), np.float32)
    info = onnx.helper.make_tensor_value_info
    inner, other = (
        onnx.helper.make_graph([node(kind, inputs, name)], name, [], [info(name, models.FLOAT, (3, 5))])
        for kind, inputs, name in (("Add", "x s", "yes"), ("Neg", "x", "no"))
    )
    inner.sparse_initializer.append(sparse("s", dense, False))
    given = model(
        [node("If", "c", "y", then_branch=inner, else_branch=other)], {"x": x}, ["y"], c=np.array(True)
    )
    (found,) = ascend_opt.compile(given, tune=1).run(x=x).outputs.values()
    np.testing.assert_allclose(found, 1 + dense, rtol=2e-3, atol=1e-3)
