"""Reductions: one element for all those along some dimensions."""

from abc import ABC
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..tiling import Along, Iteration, OperandMap
from . import row_computes
from .base import BOOL, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .rules import RowWise, shape_of


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
    TILING: ClassVar = RowWise(row_computes.reduce_sum, reduced_iteration)


@irdl_op_definition
class ReduceMeanOp(ReduceOp):
    """The mean along `axes`.

    %y = graph.reduce_mean %x {axes = array<i64: 2, 3>} : (tensor<2x8x7x7xf16>) -> tensor<2x8xf16>
    """

    name = "graph.reduce_mean"
    TILING: ClassVar = RowWise(row_computes.reduce_mean, reduced_iteration)


@irdl_op_definition
class ReduceMaxOp(ReduceOp):
    """The largest element along `axes`.

    %y = graph.reduce_max %x {axes = array<i64: -1>} : (tensor<4x8xf16>) -> tensor<4xf16>
    """

    name = "graph.reduce_max"
    TILING: ClassVar = RowWise(row_computes.reduce_max, reduced_iteration)


@irdl_op_definition
class ReduceMinOp(ReduceOp):
    """The least element along `axes`.

    %y = graph.reduce_min %x {axes = array<i64: -1>} : (tensor<4x8xf16>) -> tensor<4xf16>
    """

    name = "graph.reduce_min"
    TILING: ClassVar = RowWise(row_computes.reduce_min, reduced_iteration)
