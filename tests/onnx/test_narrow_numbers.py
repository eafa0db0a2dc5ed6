"""Casts of whole numbers to types that do not hold them: the low bits stay, as numpy's `astype` says."""

from typing import Any

import numpy as np
import pytest

import ascend_opt

pytest.importorskip("onnx_ir")
models: Any = pytest.importorskip("declared_models")
node, onnx = models.node, models.onnx
NARROW = [np.int8, np.uint8, np.int16, np.uint16]
EDGES = [-(1 << 31), (1 << 31) - 1, -(1 << 31) + 127, (1 << 31) - 129]


def kind(dtype: Any) -> int:
    return onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def model(nodes: Any, x: Any, result: Any) -> Any:
    return models.model(nodes, [("x", kind(x.dtype), x.shape)], [("y", kind(result), x.shape)])


def numbers(dtype: Any) -> Any:
    """All that a narrow type has, and numbers around the ends of others."""
    ends = [n + step for n in (-65536, -32768, -256, -128, 0, 127, 255, 32767, 65535) for step in (-1, 0, 1)]
    if dtype in (np.int8, np.uint8):
        return np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1).astype(dtype)
    least, most = (
        (-(1 << 31), (1 << 31) - 1) if dtype == np.int64 else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    )
    inside = [n for n in (*ends, *EDGES) if least <= n <= most]
    return np.array(inside).astype(dtype)


@pytest.mark.parametrize("target", ["ascend910b", "ascend310p"])
@pytest.mark.parametrize("to", NARROW)
@pytest.mark.parametrize("source", [np.int32, np.int64, np.int16, np.uint16, np.int8, np.uint8])
def test_low_bits_stay(source: Any, to: Any, target: str) -> None:
    x = numbers(source)
    nodes = [node("Cast", "x", "c", to=kind(to)), node("Cast", "c", "y", to=kind(np.int32))]
    (found,) = ascend_opt.compile(model(nodes, x, np.int32), target, tune=1).run(x=x).outputs.values()
    np.testing.assert_array_equal(found, x.astype(to).astype(np.int32))


@pytest.mark.parametrize("to", NARROW)
def test_casts_one_after_the_other(to: Any) -> None:
    """Of numbers that are computed, through two types."""
    x = numbers(np.int32)[:-4]
    nodes = [
        node("Add", "x x", "s"),
        node("Cast", "s", "c", to=kind(to)),
        node("Cast", "c", "b", to=kind(np.uint8)),
        node("Cast", "b", "y", to=kind(np.float32)),
    ]
    (found,) = ascend_opt.compile(model(nodes, x, np.float32), tune=1).run(x=x).outputs.values()
    np.testing.assert_array_equal(found, (x + x).astype(to).astype(np.uint8).astype(np.float32))


@pytest.mark.parametrize(("source", "to"), [(np.uint8, np.int16), (np.int8, np.int16), (np.uint8, np.uint16)])
def test_what_holds_all_takes_no_work(source: Any, to: Any) -> None:
    x = numbers(source)
    nodes = [node("Cast", "x", "c", to=kind(to)), node("Add", "c c", "y")]
    imported = ascend_opt.from_onnx(model(nodes, x, to))
    assert [op.name for op in imported.module.walk() if op.name.startswith("graph.")] == ["graph.add"]
