"""Ops that move elements and compute nothing: where each element of the result comes from."""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from ..tiling import Along, OperandMap
from .base import FLOAT, INT, INTS, STR, GraphOp, Types, Values, check_number, dims, to_attribute
from .rules import Composite, Joined, Moved, broadcast_maps, shape_of
from .structure import ReshapeOp


def single_axis(cls: type[GraphOp], axis: int, rank: int) -> int:
    """`axis` counted from the front; the op's VerifyException where a tensor of `rank` has no such dimension."""
    if not -rank <= axis < rank:
        cls.fail(f"axis {axis} must lie in [{-rank}, {rank})")
    return axis % rank


def _transpose_maps(op: Any) -> tuple[OperandMap, ...]:
    perm: tuple[int, ...] = op.attribute_values()["perm"]
    return (tuple(Along(perm.index(d)) for d in range(len(perm))),)


@irdl_op_definition
class TransposeOp(GraphOp):
    """The dimensions of x in another order: dimension i of the result is dimension perm[i] of x.

    %y = graph.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf16>) -> tensor<2x4x3xf16>
    """

    name = "graph.transpose"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Moved(_transpose_maps)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    perm = prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape = types[0].get_shape()
        perm: tuple[int, ...] = attributes["perm"]
        if sorted(perm) != list(range(len(shape))):
            cls.fail(f"perm {list(perm)} must name each dimension of {dims(types[0])} once")
        return (TensorType(types[0].element_type, [shape[d] for d in perm]),)


def _concat_maps(op: Any) -> tuple[OperandMap, ...]:
    axis: int = op.attribute_values()["axis"] % len(shape_of(op.result))
    maps: list[OperandMap] = []
    start = 0
    for operand in op.operands:
        shape = shape_of(operand)
        maps.append(tuple(Along(d, pad=start if d == axis else 0) for d in range(len(shape))))
        start += shape[axis]
    return tuple(maps)


@irdl_op_definition
class ConcatOp(GraphOp):
    """The operands one after the other along `axis`.

    %y = graph.concat %a, %b {axis = 1} : (tensor<2x3xf16>, tensor<2x5xf16>) -> tensor<2x8xf16>
    """

    name = "graph.concat"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Joined(_concat_maps)
    parts = var_operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        if not types:
            cls.fail("takes one operand or more")
        first = types[0].get_shape()
        axis = single_axis(cls, attributes["axis"], len(first))
        for index, type_ in enumerate(types):
            shape = type_.get_shape()
            if (*shape[:axis], *shape[axis + 1 :]) != (*first[:axis], *first[axis + 1 :]) or len(
                shape
            ) != len(first):
                cls.fail(
                    f"operand {index} is {dims(type_)}, which does not join {dims(types[0])} along axis {axis}"
                )
        sizes = [type_.get_shape()[axis] for type_ in types]
        total = -1 if min(sizes) < 0 else sum(sizes)
        return (TensorType(types[0].element_type, [*first[:axis], total, *first[axis + 1 :]]),)


def _pad_maps(op: Any) -> tuple[OperandMap, ...]:
    pads = op.attribute_values()["pads"]
    return (tuple(Along(d, pad=before) for d, before in enumerate(pads[: len(pads) // 2])),)


def _pad_value(op: Any) -> float:
    return op.attribute_values()["value"]


@irdl_op_definition
class PadOp(GraphOp):
    """x with `value` around it: `pads` are the elements before each dimension, then those after each.

    %y = graph.pad %x {pads = array<i64: 0, 1, 0, 2>, value = 0.0} : (tensor<2x3xf16>) -> tensor<2x6xf16>
    """

    name = "graph.pad"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Moved(_pad_maps, _pad_value)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    pads = prop_def(INTS)
    value = prop_def(FLOAT, default_value=to_attribute("float", 0.0))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape, pads = types[0].get_shape(), attributes["pads"]
        if len(pads) != 2 * len(shape) or min(pads, default=0) < 0:
            cls.fail(
                f"pads {list(pads)} must be two sizes of 0 or more for each dimension of {dims(types[0])}"
            )
        check_number(cls, "value", attributes["value"], types[0])
        ends = zip(shape, pads[: len(shape)], pads[len(shape) :], strict=True)
        padded = [-1 if size < 0 else before + size + after for size, before, after in ends]
        return (TensorType(types[0].element_type, padded),)


@irdl_op_definition
class BroadcastOp(GraphOp):
    """x repeated to `shape` by numpy's rules: right-aligned, dimensions of size one are repeated. A size of -1 is that
    of x.

    %y = graph.broadcast %x {shape = array<i64: 2, 4, 3>} : (tensor<4x1xf16>) -> tensor<2x4x3xf16>
    """

    name = "graph.broadcast"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Moved(broadcast_maps)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    shape = prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        given, shape = types[0].get_shape(), attributes["shape"]
        more = len(shape) - len(given)
        repeats = [(n, n if m == -1 else m) for n, m in zip(given, shape[max(more, 0) :], strict=False)]
        sizes = [*shape[: max(more, 0)], *(m for _, m in repeats)]
        if more < 0 or min(sizes, default=0) < 0 or any(n not in (1, m) for n, m in repeats):
            cls.fail(f"{dims(types[0])} does not broadcast to shape {list(shape)}")
        return (TensorType(types[0].element_type, sizes),)


def _tile_by_broadcast(op: Any) -> list[Operation]:
    """A copy for each repeat: one dimension of repeats in front of each dimension of x that is repeated."""
    sizes = list(zip(shape_of(op.x), op.attribute_values()["repeats"], strict=True))
    spread = ReshapeOp(
        op.x, shape=[n for size, count in sizes for n in ((1, size) if count > 1 else (size,))]
    )
    wide = [n for size, count in sizes for n in ((count, size) if count > 1 else (size,))]
    repeated = BroadcastOp(spread.result, shape=wide)
    return [spread, repeated, ReshapeOp(repeated.result, shape=shape_of(op.result))]


@irdl_op_definition
class TileOp(GraphOp):
    """x repeated `repeats[d]` times along each dimension d.

    %y = graph.tile %x {repeats = array<i64: 2, 1>} : (tensor<4x3xf16>) -> tensor<8x3xf16>
    """

    name = "graph.tile"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_tile_by_broadcast)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    repeats = prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape, repeats = types[0].get_shape(), attributes["repeats"]
        if len(repeats) != len(shape) or min(repeats, default=0) < 0:
            cls.fail(f"repeats {list(repeats)} must be 0 or more for each dimension of {dims(types[0])}")
        wide = [-1 if n < 0 else n * r for n, r in zip(shape, repeats, strict=True)]
        return (TensorType(types[0].element_type, wide),)


def _image(cls: type[GraphOp], types: Types, block: int) -> tuple[int, ...]:
    shape = types[0].get_shape()
    if len(shape) != 4:
        cls.fail(f"x must be [N, C, H, W], got {dims(types[0])}")
    if min(shape) < 0:
        cls.fail(f"needs static sizes, got {dims(types[0])}")
    if block < 1:
        cls.fail(f"block {block} must be 1 or more")
    return shape


def _turned(x: SSAValue, apart: Sequence[int], perm: Sequence[int], shape: Sequence[int]) -> list[Operation]:
    """x under shape `apart`, its dimensions turned, under `shape`."""
    first = ReshapeOp(x, shape=apart)
    turned = TransposeOp(first.result, perm=perm)
    return [first, turned, ReshapeOp(turned.result, shape=shape)]


def _space_to_depth(op: Any) -> list[Operation]:
    (n, c, h, w), b = shape_of(op.x), op.attribute_values()["block"]
    return _turned(op.x, (n, c, h // b, b, w // b, b), (0, 3, 5, 1, 2, 4), shape_of(op.result))


@irdl_op_definition
class SpaceToDepthOp(GraphOp):
    """[N, C, H, W] to [N, block^2 C, H/block, W/block]: pixels of a block become channels, the place in the block
    first, as in ONNX.

    %y = graph.space_to_depth %x {block = 2} : (tensor<1x3x4x6xf16>) -> tensor<1x12x2x3xf16>
    """

    name = "graph.space_to_depth"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_space_to_depth)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    block = prop_def(INT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        b = attributes["block"]
        n, c, h, w = _image(cls, types, b)
        if h % b or w % b:
            cls.fail(f"blocks of {b} x {b} do not cover an image of {h} x {w}")
        return (TensorType(types[0].element_type, [n, c * b * b, h // b, w // b]),)


def _depth_to_space(op: Any) -> list[Operation]:
    values, (n, c, h, w) = op.attribute_values(), shape_of(op.x)
    b = values["block"]
    if values["mode"] == "DCR":
        apart, perm = (n, b, b, c // (b * b), h, w), (0, 3, 4, 1, 5, 2)
    else:
        apart, perm = (n, c // (b * b), b, b, h, w), (0, 1, 4, 2, 5, 3)
    return _turned(op.x, apart, perm, shape_of(op.result))


@irdl_op_definition
class DepthToSpaceOp(GraphOp):
    """[N, C, H, W] to [N, C/block^2, block H, block W]: channels become the pixels of a block. With mode = "DCR" the
    place in the block comes first in the channels, with "CRD" (pixel shuffle) last.

    %y = graph.depth_to_space %x {block = 2, mode = "CRD"} : (tensor<1x12x2x3xf16>) -> tensor<1x3x4x6xf16>
    """

    name = "graph.depth_to_space"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_depth_to_space)
    CHOICES: ClassVar = {"mode": ("DCR", "CRD")}
    x = operand_def(TensorType)
    result = result_def(TensorType)
    block = prop_def(INT)
    mode = prop_def(STR, default_value=to_attribute("str", "DCR"))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        b = attributes["block"]
        n, c, h, w = _image(cls, types, b)
        if c % (b * b):
            cls.fail(f"{c} channels are no multiple of {b} x {b}")
        return (TensorType(types[0].element_type, [n, c // (b * b), h * b, w * b]),)


__all__ = [
    "BroadcastOp",
    "ConcatOp",
    "DepthToSpaceOp",
    "PadOp",
    "SpaceToDepthOp",
    "TileOp",
    "TransposeOp",
    "single_axis",
]
