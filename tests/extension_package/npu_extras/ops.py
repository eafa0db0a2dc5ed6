"""Two graph ops: one element by element, one that reads a window of rows.

Each is a definition (operands, attributes, result type), a reference in numpy and a tiling rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ascend_opt.dialects.graph.base import FLOAT, GraphOp, Types, Values, to_attribute
from ascend_opt.dialects.graph.extensions import GraphExtension
from ascend_opt.dialects.graph.rules import pointwise, shape_of
from ascend_opt.dialects.tiling import Along, Iteration, TilingRule, VectorBuilder


def _hard_swish_tile(b: VectorBuilder, x: SSAValue, slope: float) -> SSAValue:
    gate = b.min(b.max(b.add(b.mul(x, slope), 0.5), 0.0), 1.0)
    return b.mul(x, gate)


@irdl_op_definition
class HardSwishLikeOp(GraphOp):
    """x * clip(slope * x + 0.5, 0, 1).

    %y = graph.hard_swish_like %x {slope = 0.25 : f64} : (tensor<2x3xf16>) -> tensor<2x3xf16>
    """

    name = "graph.hard_swish_like"
    TILING: ClassVar = pointwise(_hard_swish_tile)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    slope = prop_def(FLOAT, default_value=to_attribute("float", 0.25))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return types


def hard_swish_like(x: NDArray[Any], slope: float) -> NDArray[Any]:
    return x * np.clip(slope * x + 0.5, 0, 1)


@dataclass(frozen=True)
class RowWindow(TilingRule):
    """Result row i is the sum of operand rows i, i + 1, i + 2; rows are the last dimension but one."""

    engine: str = "vector"

    def iteration(self, op: Operation, /) -> Iteration:
        extents = shape_of(op.results[0])
        rows = len(extents) - 2
        maps = tuple(Along(d, window=3 if d == rows else 1) for d in range(len(extents)))
        return Iteration(extents, len(extents), (maps,), (None,))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        (x,) = operands
        return b.add(b.add(b.window(x, [0]), b.window(x, [1])), b.window(x, [2]))


@irdl_op_definition
class Box3Op(GraphOp):
    """Sum of three neighbouring rows; the result has two rows less.

    %y = graph.box3 %x : (tensor<5x4xf16>) -> tensor<3x4xf16>
    """

    name = "graph.box3"
    TILING: ClassVar = RowWindow()
    x = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        (x,) = types
        shape = x.get_shape()
        if len(shape) < 2 or shape[-2] < 3:
            cls.fail(f"needs three rows or more, got a tensor of shape {list(shape)}")
        return (TensorType(x.element_type, (*shape[:-2], shape[-2] - 2, shape[-1])),)


def box3(x: NDArray[Any]) -> NDArray[Any]:
    return x[..., :-2, :] + x[..., 1:-1, :] + x[..., 2:, :]


HARD_SWISH_LIKE = GraphExtension(HardSwishLikeOp, hard_swish_like)
BOX3 = GraphExtension(Box3Op, box3)
