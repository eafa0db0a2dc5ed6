"""Ops that normalise whole rows: softmax and the norms."""

from abc import ABC
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, var_operand_def

from ..graph import row_computes, row_parts
from ..tiling import Along, Iteration, OperandMap
from .base import BOOL, FLOAT, INT, GraphOp, Types, Values, dims, to_attribute
from .elementwise import AddOp, MulOp, UnaryOp
from .rules import Composite, RowWise, shape_of
from .structure import ReshapeOp


def _check_axis(op: type[GraphOp], types: Types, axis: int) -> None:
    rank = len(types[0].get_shape())
    if not -rank <= axis < rank:
        op.fail(f"axis {axis} is outside x of shape {dims(types[0])} (rank {rank})")


def _along_axis(op: Any) -> Iteration:
    """A tile holds dimension `axis` in full."""
    extents = shape_of(op.x)
    rank = len(extents)
    follow: tuple[OperandMap, ...] = (tuple(Along(d) for d in range(rank)),)
    return Iteration(extents, rank, follow, (None,), (op.axis.value.data % rank,))


def _from_axis(op: Any) -> Iteration:
    """A tile holds dimension `axis` and all after it in full; gamma and beta follow these."""
    extents = shape_of(op.x)
    rank = len(extents)
    last = tuple(range(op.axis.value.data % rank, rank))
    follow: OperandMap = tuple(Along(d) for d in range(rank))
    vectors: list[OperandMap] = [tuple(Along(d) for d in last) for _ in op.operands[1:]]
    return Iteration(extents, rank, (follow, *vectors), (None,) * len(op.operands), last)


def _image(op: Any) -> Iteration:
    """A tile holds all dimensions after the channels in full; gamma and beta are vectors of the channels."""
    extents = shape_of(op.x)
    rank = len(extents)
    follow: OperandMap = tuple(Along(d) for d in range(rank))
    vectors: list[OperandMap] = [(Along(1),) for _ in op.operands[1:]]
    return Iteration(extents, rank, (follow, *vectors), (None,) * len(op.operands), tuple(range(2, rank)))


class AlongAxisOp(UnaryOp, ABC):
    """The result has the operand's type; elements along `axis` depend on each other."""

    axis = prop_def(INT, default_value=to_attribute("int", -1))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        _check_axis(cls, types, attributes["axis"])
        return (types[0],)


@irdl_op_definition
class SoftmaxOp(AlongAxisOp):
    """exp(x) / sum of exp(x) along `axis`. A row of nothing but -inf is NaN, or with `masked` zeros: none of its
    elements counts.

    %y = graph.softmax %x {axis = 1 : i64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.softmax"
    TILING: ClassVar = RowWise(
        row_computes.softmax, _along_axis, online=row_computes.SOFTMAX_ONLINE, parts=row_parts.SOFTMAX
    )
    masked = prop_def(BOOL, default_value=to_attribute("bool", False))


@irdl_op_definition
class LogSoftmaxOp(AlongAxisOp):
    """x - ln(sum of exp(x)) along `axis`.

    %y = graph.log_softmax %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.log_softmax"
    TILING: ClassVar = RowWise(row_computes.log_softmax, _along_axis, parts=row_parts.LOG_SOFTMAX)


class AffineNormOp(GraphOp, ABC):
    """x, then gamma, then beta, either of which may be left out from the end."""

    MOST: ClassVar[int] = 2
    x = operand_def(TensorType)
    affine = var_operand_def(TensorType)
    result = result_def(TensorType)
    epsilon = prop_def(FLOAT, default_value=to_attribute("float", 1e-5))

    @classmethod
    def vector_shape(cls, shape: tuple[int, ...], attributes: Values) -> tuple[int, ...]:
        """The shape of gamma and beta."""
        raise NotImplementedError

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        if "axis" in attributes:
            _check_axis(cls, types, attributes["axis"])
        if len(types) > 1 + cls.MOST:
            cls.fail(f"takes x and at most {cls.MOST} of gamma, beta, got {len(types)} operands")
        expected = cls.vector_shape(types[0].get_shape(), attributes)
        for name, type_ in zip(("gamma", "beta"), types[1:], strict=False):
            if type_.get_shape() != expected:
                wanted = "x".join(map(str, expected))
                cls.fail(f"{name} must have shape {wanted} for x {dims(types[0])}, got {dims(type_)}")
        if attributes["epsilon"] < 0:
            cls.fail(f"epsilon must not be negative, got {attributes['epsilon']}")
        return (types[0],)


class FromAxisNormOp(AffineNormOp, ABC):
    """Normalises over dimension `axis` and all after it; gamma and beta have their shape."""

    axis = prop_def(INT, default_value=to_attribute("int", -1))

    @classmethod
    def vector_shape(cls, shape: tuple[int, ...], attributes: Values) -> tuple[int, ...]:
        return shape[attributes["axis"] % len(shape) :]


@irdl_op_definition
class LayerNormOp(FromAxisNormOp):
    """(x - mean) / sqrt(variance + epsilon) gamma + beta, over dimension `axis` and all after it.

    %y = graph.layer_norm %x, %gamma, %beta : (tensor<4x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.layer_norm"
    TILING: ClassVar = RowWise(row_computes.layer_norm, _from_axis, parts=row_parts.LAYER_NORM)


@irdl_op_definition
class RmsNormOp(FromAxisNormOp):
    """x / sqrt(mean of x^2 + epsilon) gamma, over dimension `axis` and all after it.

    %y = graph.rms_norm %x, %gamma : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.rms_norm"
    MOST: ClassVar[int] = 1
    TILING: ClassVar = RowWise(row_computes.rms_norm, _from_axis, parts=row_parts.RMS_NORM)


class ImageNormOp(AffineNormOp, ABC):
    """x [N, C, ...], gamma and beta vectors of the channels."""

    @classmethod
    def vector_shape(cls, shape: tuple[int, ...], attributes: Values) -> tuple[int, ...]:
        if len(shape) < 3:
            cls.fail(f"x needs a batch, channels and an image, got shape {'x'.join(map(str, shape))}")
        return (shape[1],)


@irdl_op_definition
class InstanceNormOp(ImageNormOp):
    """Layer normalisation of each channel's image: x [N, C, ...], gamma and beta [C].

    %y = graph.instance_norm %x, %g, %b : (tensor<2x8x4x4xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<2x8x4x4xf16>
    """

    name = "graph.instance_norm"
    TILING: ClassVar = RowWise(row_computes.layer_norm, _image, parts=row_parts.LAYER_NORM)


def _group_norm(op: Any) -> list[Operation]:
    """A layer normalisation of each group's channels and image, then gamma and beta by channel."""
    values, (n, c, *image) = op.attribute_values(), shape_of(op.x)
    groups, depth = values["groups"], c // values["groups"]
    apart = ReshapeOp(op.x, shape=[n, groups, depth, prod(image)])
    ops: list[Operation] = [apart, LayerNormOp(apart.result, axis=2, epsilon=values["epsilon"])]
    for vector, kind in zip(op.affine, (MulOp, AddOp), strict=False):
        ops.append(ReshapeOp(vector, shape=[groups, depth, 1]))
        ops.append(kind(ops[-2].results[0], ops[-1].results[0]))
    return [*ops, ReshapeOp(ops[-1].results[0], shape=[n, c, *image])]


@irdl_op_definition
class GroupNormOp(ImageNormOp):
    """Layer normalisation of each of `groups` parts of the channels: x [N, C, ...], gamma and beta [C].

    %y = graph.group_norm %x, %g, %b {groups = 2} : (tensor<2x8x4x4xf16>, tensor<8xf16>, tensor<8xf16>)
        -> tensor<2x8x4x4xf16>
    """

    name = "graph.group_norm"
    TILING: ClassVar = Composite(_group_norm)
    groups = prop_def(INT)

    @classmethod
    def vector_shape(cls, shape: tuple[int, ...], attributes: Values) -> tuple[int, ...]:
        vector = super().vector_shape(shape, attributes)
        groups = attributes["groups"]
        if groups < 1 or shape[1] % groups:
            cls.fail(f"groups = {groups} does not divide {shape[1]} channels")
        return vector
