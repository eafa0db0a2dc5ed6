"""Nodes whose inputs are all known, computed by the reference implementation of the `onnx` package."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from .unsupported import Unsupported

if TYPE_CHECKING:
    import onnx_ir as ir
    from numpy.typing import NDArray

    Array = NDArray[Any]

FIRST = {"DequantizeLinear": 19, "QuantizeLinear": 19}
"""The first versions that the reference has of operators whose later versions compute the same, and more."""
MOST = 1 << 22
"""Elements of a tensor that is repeated; a larger one is made by the program."""
RANDOM = frozenset(
    ("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli")
)
"""Operators whose results are never known."""
SEQUENCES = frozenset(("SequenceEmpty", "SequenceConstruct"))
"""Operators that give sequences, which are no arrays."""


def folds(node: ir.Node, inputs: Sequence[Array | None]) -> bool:
    """Whether a node whose inputs are known has a value that is known too, and no larger than need be."""
    if node.domain or node.op_type in RANDOM | SEQUENCES:
        return False
    if inputs and _is_factor(node, inputs[0]):
        return False
    if node.op_type not in ("Expand", "Tile") or inputs[0] is None or inputs[1] is None:
        return True
    sizes = [int(n) for n in inputs[1].reshape(-1)]
    grown = prod(sizes) if node.op_type == "Expand" else inputs[0].size * prod(sizes)
    return grown <= MOST


def _is_factor(node: ir.Node, array: Array | None) -> bool:
    """Whether a node makes numbers of whole ones for products of matrices alone, which may multiply these as they
    are."""
    if node.op_type != "DequantizeLinear" or array is None or array.size == 1:
        return False
    users = [user.op_type for user, _ in node.outputs[0].uses()]
    kinds = ("int8", "uint8") if array.ndim > 1 else ("int32",)
    return array.dtype.name in kinds and all(user in ("MatMul", "Gemm") for user in users)


def folded(node: ir.Node, version: int, inputs: Sequence[Array | None]) -> list[Array]:
    """The results of a node. Raises Unsupported where the reference cannot compute them."""
    import numpy as np
    import onnx
    import onnx_ir as ir

    if node.op_type == "GatherElements" and inputs[0] is not None and inputs[1] is not None:
        return [_gathered(node, inputs[0], inputs[1])]
    if node.op_type == "Gather" and inputs[0] is not None and inputs[1] is not None:
        return [_taken(node, inputs[0], inputs[1])]

    from onnx.reference import ReferenceEvaluator  # imports all of its operators

    try:
        proto = ir.serde.serialize_node(node)
        names = [f"i{k}" if array is not None else "" for k, array in enumerate(inputs)]
        del proto.input[:]
        proto.input.extend(names)
        outputs = [f"o{k}" for k in range(len(node.outputs))]
        del proto.output[:]
        proto.output.extend(outputs)
        given = {name: array for name, array in zip(names, inputs, strict=True) if array is not None}
        graph = onnx.helper.make_graph(
            [proto],
            "folded",
            [
                onnx.helper.make_tensor_value_info(n, onnx.helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
                for n, a in given.items()
            ],
            [onnx.ValueInfoProto(name=name) for name in outputs],
        )
        version = max(version, FIRST.get(node.op_type, version))
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", version)])
        with np.errstate(all="ignore"):
            evaluator: Any = ReferenceEvaluator(model)
            results = evaluator.run(None, given)
    except Exception as error:  # the reference raises whatever numpy does
        raise Unsupported(f"its value could not be computed: {error}") from None
    return [np.asarray(result) for result in results]


def _taken(node: ir.Node, data: Array, indices: Array) -> Array:
    """Gather: parts of the data along an axis."""
    import numpy as np

    axis = node.attributes["axis"].as_int() if "axis" in node.attributes else 0
    try:
        return np.asarray(np.take(data, indices, axis))
    except (IndexError, ValueError) as error:
        raise Unsupported(f"its value could not be computed: {error}") from None


def _gathered(node: ir.Node, data: Array, indices: Array) -> Array:
    """GatherElements of indices that cover part of the data, which the reference does not take."""
    import numpy as np

    axis = node.attributes["axis"].as_int() % data.ndim if "axis" in node.attributes else 0
    places: list[Any] = list(np.indices(indices.shape))
    places[axis] = np.where(indices < 0, indices + data.shape[axis], indices)
    return data[tuple(places)]


__all__ = ["RANDOM", "folded", "folds"]
