"""Computes what depends on constants alone, once, while compiling.

    %a = graph.constant dense<2.0> : tensor<4xf16>
    %b = graph.constant dense<3.0> : tensor<4xf16>     =>    %c = graph.constant dense<5.0> : tensor<4xf16>
    %c = graph.add %a, %b : ..

Results are computed by the reference in f64 and rounded to their storage type, as if by one exact op. A
result of more than `max_bytes` stays an op, since the program's text would carry its bytes; constants in
files are read only if the result may be folded.
"""

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.graph.elements import as_array, from_array
from ..dialects.rewriting import replace_with
from ..dialects.storage_types import is_float, numpy_dtype

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

    from ..runtime.reference import evaluate_op
    from ..runtime.reference.structure import round_to

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


@dataclass(frozen=True)
class GraphFoldConstants(ModulePass):
    """Replace ops on constants by their results.

    `max_bytes` is the largest result that is folded; `overflow` says what lies past the largest finite
    number of a storage type: "inf" or "saturate".
    """

    name = "graph-fold-constants"

    max_bytes: int = 1 << 20
    overflow: str = "inf"

    def __post_init__(self) -> None:
        if self.overflow not in ("inf", "saturate"):
            raise ValueError(f"overflow is inf or saturate, not {self.overflow!r}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if not isinstance(function, FuncOp):
                continue
            for block in function.body.blocks:
                for inner in list(block.ops):
                    if isinstance(inner, graph.GraphOp) and self._folds(inner):
                        constants = folded(inner, self.overflow)
                        replace_with(inner, constants, [constant.result for constant in constants])
                for inner in reversed(list(block.ops)):
                    if isinstance(inner, graph.ConstantOp) and not inner.result.first_use:
                        block.erase_op(inner)

    def _folds(self, op: graph.GraphOp) -> bool:
        if not op.operands or not all(isinstance(v.owner, graph.ConstantOp) for v in op.operands):
            return False
        sizes = [tensor_bytes(result) for result in op.results]
        return all(size is not None and size <= self.max_bytes for size in sizes)
