"""The results of an op on constants, computed by the reference."""

from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import FixedBitwidthType, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects import graph
from ...dialects.graph.elements import as_array, from_array
from ...dialects.storage_types import is_float, numpy_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray


def tensor_bytes(value: SSAValue) -> int | None:
    """Bytes of a tensor, None if its size is not known."""
    type_ = cast(TensorType[Attribute], value.type)
    element = type_.element_type
    if not isinstance(element, FixedBitwidthType) or any(size < 0 for size in type_.get_shape()):
        return None
    return prod(type_.get_shape()) * element.size


def _elements(value: SSAValue) -> "NDArray[Any]":
    """The elements of a constant, or of any tensor that has none."""
    import numpy as np

    type_ = cast(TensorType[Attribute], value.type)
    if 0 in type_.get_shape():
        return np.empty(type_.get_shape(), numpy_dtype(type_.element_type))
    return as_array(cast(graph.ConstantOp, value.owner).value)


def _empty(type_: TensorType[Attribute]) -> graph.ConstantOp:
    import numpy as np

    return graph.ConstantOp(value=from_array(np.empty(type_.get_shape()), type_.element_type))


def folded(op: graph.GraphOp, overflow: str = "inf") -> list[graph.ConstantOp]:
    """Constants with the results of an op: its operands are constants or have no elements, or its results have none."""
    import numpy as np

    from ...runtime.reference import evaluate_op
    from ...runtime.reference.structure import round_to

    if all(0 in type_.get_shape() for type_ in op.result_types if isinstance(type_, TensorType)):
        return [_empty(cast(TensorType[Attribute], type_)) for type_ in op.result_types]
    operands = [_elements(operand) for operand in op.operands]
    wide = [a.astype(np.float64) if is_float(a.dtype) else a for a in operands]
    constants: list[graph.ConstantOp] = []
    for result, array in zip(op.results, evaluate_op(op, wide), strict=True):
        if array.dtype.kind == "f":
            array = np.where(np.isnan(array), np.nan, array)  # one NaN on every machine
        element = cast(TensorType[Attribute], result.type).element_type
        stored = round_to(array, element, overflow)
        constants.append(graph.ConstantOp(value=from_array(stored, element)))
    return constants
