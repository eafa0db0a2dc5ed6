"""Reductions: one element for all those along some dimensions."""

from abc import ABC
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..graph import row_computes, row_parts
from ..tiling import Along, Iteration, OperandMap, TilingRule
from .base import BOOL, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .elementwise import F32, CastOp
from .movement import BroadcastOp, PadOp, TransposeOp
from .rules import Composite, RowWise, element_of, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp

BLOCK = 16
"""Lanes of a block of a tile."""


def axes_of(axes: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The dimensions that `axes` name, in order; none means all of `rank`. ValueError if there is no such dimension,
    or one is named twice."""
    if any(not -rank <= axis < rank for axis in axes):
        raise ValueError(f"axes {list(axes)} must lie in [{-rank}, {rank})")
    named = sorted({axis % rank for axis in axes})
    if len(named) != len(axes):
        raise ValueError(f"axes {list(axes)} name a dimension twice")
    return tuple(named) or tuple(range(rank))


def reduced_iteration(op: Any) -> Iteration:
    """The result's dimensions, then the reduced ones."""
    shape, result = shape_of(op.x), shape_of(op.result)
    values = op.attribute_values()
    axes, keep = axes_of(values["axes"], len(shape)), values["keep_dims"]
    maps: list[Along] = []
    position = 0
    for d in range(len(shape)):
        if d in axes:
            maps.append(Along(len(result) + axes.index(d)))
            position += keep
        else:
            maps.append(Along(position))
            position += 1
    kept = tuple(axis if keep else None for axis in axes)
    extents = (*result, *(shape[axis] for axis in axes))
    operands: tuple[OperandMap, ...] = (tuple(maps),)
    return Iteration(extents, len(result), operands, (None,), (), kept)


class ReduceOp(GraphOp, ABC):
    """Reduces dimensions `axes` (default: all) of x; with `keep_dims` they stay, with size one."""

    x = operand_def(TensorType)
    result = result_def(TensorType)
    axes = prop_def(INTS, default_value=to_attribute("ints", ()))
    keep_dims = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape = types[0].get_shape()
        try:
            axes = axes_of(attributes["axes"], len(shape))
        except ValueError as error:
            cls.fail(f"{error}: x is {dims(types[0])}")
        keep = attributes["keep_dims"]
        sizes = [1 if d in axes else n for d, n in enumerate(shape) if keep or d not in axes]
        result: AnyTensor = TensorType(types[0].element_type, sizes)
        return (result,)


@irdl_op_definition
class ReduceSumOp(ReduceOp):
    """The sum along `axes`.

    %y = graph.reduce_sum %x {axes = array<i64: -1>, keep_dims = true} : (tensor<4x8xf16>) -> tensor<4x1xf16>
    """

    name = "graph.reduce_sum"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = RowWise(row_computes.reduce_sum, reduced_iteration, parts=row_parts.SUM)


@irdl_op_definition
class ReduceMeanOp(ReduceOp):
    """The mean along `axes`.

    %y = graph.reduce_mean %x {axes = array<i64: 2, 3>} : (tensor<2x8x7x7xf16>) -> tensor<2x8xf16>
    """

    name = "graph.reduce_mean"
    TILING: ClassVar = RowWise(row_computes.reduce_mean, reduced_iteration, parts=row_parts.MEAN)


@irdl_op_definition
class ReduceMaxOp(ReduceOp):
    """The largest element along `axes`.

    %y = graph.reduce_max %x {axes = array<i64: -1>} : (tensor<4x8xf16>) -> tensor<4xf16>
    """

    name = "graph.reduce_max"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = RowWise(row_computes.reduce_max, reduced_iteration, parts=row_parts.LARGEST)


@irdl_op_definition
class ReduceMinOp(ReduceOp):
    """The least element along `axes`.

    %y = graph.reduce_min %x {axes = array<i64: -1>} : (tensor<4x8xf16>) -> tensor<4xf16>
    """

    name = "graph.reduce_min"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = RowWise(row_computes.reduce_min, reduced_iteration, parts=row_parts.LEAST)


def _columns_first(op: Any) -> list[Operation]:
    """The reduced dimensions in front of the others, whose elements are then the lanes. Where no other is left, the
    lanes are 16 parts, whose products are repeated along the lanes for one more product."""
    shape, values = shape_of(op.x), op.attribute_values()
    axes = axes_of(values["axes"], len(shape))
    kept = [d for d in range(len(shape)) if d not in axes]
    result = shape_of(op.result)
    if prod(shape[d] for d in kept) > 1:
        turned = TransposeOp(op.x, perm=[*axes, *kept])
        product = ReduceProdOp(turned.result, axes=list(range(len(axes))))
        return [turned, product, ReshapeOp(product.result, shape=result)]
    count = prod(shape)
    rows = -(-count // BLOCK)
    storage = element_of(op.x)
    sums: Attribute = F32 if str(storage) != "i32" else storage
    wide = CastOp(op.x, to=sums)  # what is put together from parts is rounded once
    flat = ReshapeOp(wide.result, shape=[count])
    padded = PadOp(flat.result, pads=[0, rows * BLOCK - count], value=1.0)
    lanes = ReshapeOp(padded.result, shape=[rows, BLOCK])
    parts = ReduceProdOp(lanes.result, axes=[0])
    column = ReshapeOp(parts.result, shape=[BLOCK, 1])
    square = BroadcastOp(column.result, shape=[BLOCK, BLOCK])
    product = ReduceProdOp(square.result, axes=[0])
    first = SliceOp(product.result, starts=[0], ends=[1])
    back = CastOp(first.result, to=storage)
    shaped = ReshapeOp(back.result, shape=result)
    return [wide, flat, padded, lanes, parts, column, square, product, first, back, shaped]


@irdl_op_definition
class ReduceProdOp(ReduceOp):
    """The product along `axes`.

    %y = graph.reduce_prod %x {axes = array<i64: 0>} : (tensor<4x8xf16>) -> tensor<8xf16>
    """

    name = "graph.reduce_prod"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = RowWise(
        row_computes.reduce_prod, reduced_iteration, parts=row_parts.PRODUCT, in_lanes=False
    )
    MORE_TILINGS: ClassVar = (Composite(_columns_first),)

    @property
    def tiling(self) -> TilingRule:
        shape = shape_of(self.x)
        axes = axes_of(self.attribute_values()["axes"], len(shape))
        lanes = max((d for d, n in enumerate(shape) if n > 1), default=0)
        return self.MORE_TILINGS[0] if lanes in axes and shape[lanes] > 1 else self.TILING
