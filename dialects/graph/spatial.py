"""Convolutions and pools along one and three spatial dimensions, made of those along two.

conv1d %x[N, C, L], %w[O, C, k]    ->   conv2d of an image of one row, %x[N, C, 1, L], %w[O, C, 1, k]
max_pool3d %x[N, C, D, H, W]       ->   max_pool2d of the images [N, C D, H, W], then of the lines [N, C, D, H W]
conv3d %x[N, C, D, H, W]           ->   conv2d of [N Do, C kd, H, W]: the planes that a filter meets as channels
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def

from ..dynamic import is_dynamic
from .base import BOOL, INT, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .contraction import Conv2dOp, convolved_type
from .images import ConvTranspose2dOp
from .movement import ConcatOp, PadOp, TransposeOp
from .rules import Composite, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp, reshaped
from .windows import AvgPool2dOp, MaxPool2dOp, pool_type

IN_FRONT: dict[str, int] = {"kernel": 1, "strides": 1, "dilations": 1, "output_pads": 0}
"""What an attribute of a line says of the one row that its image has."""


def _of_image(values: Values) -> dict[str, Any]:
    """The attributes of an op on lines as those of the op on images of one row."""
    row = {name: (IN_FRONT[name], *value) for name, value in values.items() if name in IN_FRONT}
    before, after = values["pads"]
    return {**values, **row, "pads": (0, before, 0, after)}


def _as_image(shape: Sequence[int]) -> list[int]:
    return [*shape[:2], 1, *shape[2:]]


def _by_image(op: Any) -> list[Operation]:
    """Lines as images of one row."""
    ops: list[Operation] = []
    operands: list[SSAValue] = []
    for operand in op.operands:
        if len(shape_of(operand)) == 3:
            ops.append(reshaped(operand, _as_image(shape_of(operand))))
        operands.append(ops[-1].results[0] if len(shape_of(operand)) == 3 else operand)
    image = op.IMAGE(*operands, **_of_image(op.attribute_values()))
    return [*ops, image, reshaped(image.result, shape_of(op.result))]


class _LineOp(GraphOp, ABC):
    """An op on lines [N, C, L] that `IMAGE` computes on images of one row."""

    IMAGE: ClassVar[type[GraphOp]]
    LINES: ClassVar[tuple[str, ...]] = ("x [N, C, L]",)
    """What the operands of rank 3 are."""
    TILING: ClassVar = Composite(_by_image)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        lines = types[: len(cls.LINES)]
        if any(len(type_.get_shape()) != 3 for type_ in lines):
            cls.fail(f"needs {' and '.join(cls.LINES)}, got {' and '.join(map(dims, lines))}")
        for name, value in attributes.items():
            count = 2 if name == "pads" else 1
            if (name in IN_FRONT or name == "pads") and len(value) != count:
                cls.fail(f"{name} needs {count} value{'s' * (count > 1)}, got {list(value)}")
        images: list[AnyTensor] = [
            TensorType(type_.element_type, _as_image(type_.get_shape())) for type_ in lines
        ]
        infer: Any = cls.IMAGE.infer_types
        (image,) = cast(Types, infer.__func__(cls, (*images, *types[len(lines) :]), _of_image(attributes)))
        n, c, _, length = image.get_shape()
        return (TensorType(image.element_type, (n, c, length)),)


@irdl_op_definition
class Conv1dOp(_LineOp):
    """1-D convolution of x [N, C, L] with w [O, C / groups, k] and an optional bias [O] -> [N, O, Lo]: `conv2d` of
    images of one row. `pads` are before and after.

    %y = graph.conv1d %x, %w {pads = array<i64: 1, 1>} : (tensor<1x16x8xf16>, tensor<32x16x3xf16>) -> tensor<1x32x8xf16>
    """

    name = "graph.conv1d"
    IMAGE: ClassVar = Conv2dOp
    LINES: ClassVar = ("x [N, C, L]", "w [O, C / groups, k]")
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    result = result_def(TensorType)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    groups = prop_def(INT, default_value=to_attribute("int", 1))


@irdl_op_definition
class ConvTranspose1dOp(_LineOp):
    """Transposed 1-D convolution of x [N, C, L] with w [C, O / groups, k] and an optional bias [O]: `conv_transpose2d`
    of images of one row.

    %y = graph.conv_transpose1d %x, %w {strides = array<i64: 2>}
        : (tensor<1x16x4xf16>, tensor<16x8x2xf16>) -> tensor<1x8x8xf16>
    """

    name = "graph.conv_transpose1d"
    IMAGE: ClassVar = ConvTranspose2dOp
    LINES: ClassVar = ("x [N, C, L]", "w [C, O / groups, k]")
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    result = result_def(TensorType)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0)))
    output_pads = prop_def(INTS, default_value=to_attribute("ints", (0,)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    groups = prop_def(INT, default_value=to_attribute("int", 1))


@irdl_op_definition
class MaxPool1dOp(_LineOp):
    """Maximum of each window of x [N, C, L]: `max_pool2d` of images of one row. `pads` are before and after.

    %y = graph.max_pool1d %x {kernel = array<i64: 2>, strides = array<i64: 2>}
        : (tensor<1x16x8xf16>) -> tensor<1x16x4xf16>
    """

    name = "graph.max_pool1d"
    IMAGE: ClassVar = MaxPool2dOp
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))


@irdl_op_definition
class AvgPool1dOp(_LineOp):
    """Mean of each window of x [N, C, L]: `avg_pool2d` of images of one row. `pads` are before and after.

    %y = graph.avg_pool1d %x {kernel = array<i64: 2>, strides = array<i64: 2>}
        : (tensor<1x16x8xf16>) -> tensor<1x16x4xf16>
    """

    name = "graph.avg_pool1d"
    IMAGE: ClassVar = AvgPool2dOp
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1,)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))
    count_include_pad = prop_def(BOOL, default_value=to_attribute("bool", False))


def _planes(values: Values) -> dict[str, Any]:
    """What the attributes of a window of three dimensions say of the last two."""
    _, top, left, _, bottom, right = values["pads"]
    inner = {name: value[1:] for name, value in values.items() if name in IN_FRONT}
    return {**values, **inner, "pads": (top, left, bottom, right)}


def _depth(values: Values) -> dict[str, Any]:
    """What they say of the first one, as that of images of columns."""
    front, back = values["pads"][0], values["pads"][3]
    outer = {name: (value[0], 1) for name, value in values.items() if name in IN_FRONT}
    return {**values, **outer, "pads": (front, 0, back, 0)}


def _idle(values: Mapping[str, Any]) -> bool:
    """Whether a window gives what it meets."""
    return {*values["kernel"], *values["strides"]} == {1} and not any(values["pads"])


def _pool_by_planes(op: Any) -> list[Operation]:
    """The planes first, then along the depth: a maximum of maxima, and a mean of means, as each plane of a window has
    as many elements that count."""
    n, c, d, h, w = shape_of(op.x)
    values = op.attribute_values()
    planes, depth = _planes(values), _depth(values)
    ops: list[Operation] = [reshaped(op.x, [n, c * d, h, w])]
    if not _idle(planes):
        ops.append(op.IMAGE(ops[-1].results[0], **planes))
    pixels = prod(shape_of(ops[-1].results[0])[2:])
    ops.append(reshaped(ops[-1].results[0], [n, c, d, pixels]))
    if not _idle(depth):
        ops.append(op.IMAGE(ops[-1].results[0], **depth))
    return [*ops, reshaped(ops[-1].results[0], shape_of(op.result))]


class _VolumePoolOp(GraphOp, ABC):
    """A pool over volumes [N, C, D, H, W] that `IMAGE` computes on images."""

    IMAGE: ClassVar[type[GraphOp]]
    TILING: ClassVar = Composite(_pool_by_planes)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (pool_type(cls, types, attributes, 3),)


@irdl_op_definition
class MaxPool3dOp(_VolumePoolOp):
    """Maximum of each window of x [N, C, D, H, W]; padding is never the maximum.

    `pads` are front, top, left, back, bottom, right; `ceil_mode` is that of `max_pool2d`.

    %y = graph.max_pool3d %x {kernel = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>}
        : (tensor<1x16x4x8x8xf16>) -> tensor<1x16x2x4x4xf16>
    """

    name = "graph.max_pool3d"
    IMAGE: ClassVar = MaxPool2dOp
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0,) * 6))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))


@irdl_op_definition
class AvgPool3dOp(_VolumePoolOp):
    """Mean of each window of x [N, C, D, H, W].

    `pads` are front, top, left, back, bottom, right; `ceil_mode` and `count_include_pad` are those of `avg_pool2d`.

    %y = graph.avg_pool3d %x {kernel = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>}
        : (tensor<1x16x4x8x8xf16>) -> tensor<1x16x2x4x4xf16>
    """

    name = "graph.avg_pool3d"
    IMAGE: ClassVar = AvgPool2dOp
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0,) * 6))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))
    count_include_pad = prop_def(BOOL, default_value=to_attribute("bool", False))


def _conv_by_planes(op: Any) -> list[Operation]:
    """The planes that a filter meets, side by side as channels of one image: of each group its own."""
    (n, c, d, h, w), (o, depth, taps, *kernel) = shape_of(op.x), shape_of(op.w)
    values = op.attribute_values()
    (front, _, _, back, _, _), stride, dilation = values["pads"], values["strides"][0], values["dilations"][0]
    _, _, planes, *sizes = shape_of(op.result)
    ops: list[Operation] = []

    def do(new: Operation) -> SSAValue:
        ops.append(new)
        return new.results[0]

    x = do(TransposeOp(do(ReshapeOp(op.x, shape=[n, c, d, h * w])), perm=[0, 2, 1, 3]))
    if front or back:
        x = do(PadOp(x, pads=[0, front, 0, 0, 0, back, 0, 0]))
    met: list[SSAValue] = []
    for tap in range(taps):
        first = tap * dilation
        end = first + (planes - 1) * stride + 1
        part = do(SliceOp(x, starts=[first], ends=[end], axes=[1], steps=[stride]))
        met.append(do(ReshapeOp(part, shape=[n * planes, c // depth, depth, h * w])))
    image = do(ReshapeOp(do(ConcatOp(met, axis=2)), shape=[n * planes, taps * c, h, w]))
    turned = do(TransposeOp(op.w, perm=[0, 2, 1, 3, 4]))
    filters = do(ReshapeOp(turned, shape=[o, taps * depth, *kernel]))
    y = do(Conv2dOp(image, filters, op.bias, **_planes(values)))
    apart = do(ReshapeOp(y, shape=[n, planes, o, prod(sizes)]))
    behind = do(TransposeOp(apart, perm=[0, 2, 1, 3]))
    return [*ops, ReshapeOp(behind, shape=shape_of(op.result))]


@irdl_op_definition
class Conv3dOp(GraphOp):
    """3-D convolution of x [N, C, D, H, W] with w [O, C / groups, kd, kh, kw] and an optional bias [O]: `conv2d` of the
    planes that a filter meets, as channels. `pads` are front, top, left, back, bottom, right. Sizes are static.

    %y = graph.conv3d %x, %w {pads = array<i64: 1, 1, 1, 1, 1, 1>}
        : (tensor<1x16x4x8x8xf16>, tensor<32x16x3x3x3xf16>) -> tensor<1x32x4x8x8xf16>
    """

    name = "graph.conv3d"
    TILING: ClassVar = Composite(_conv_by_planes)
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    result = result_def(TensorType)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0,) * 6))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1, 1)))
    groups = prop_def(INT, default_value=to_attribute("int", 1))

    @classmethod
    def infer(cls, operand_types: Sequence[AnyTensor], properties: Mapping[str, Attribute]) -> Types:
        if any(map(is_dynamic, operand_types)):
            cls.fail(f"needs static sizes, got {', '.join(map(dims, operand_types))}")
        return super().infer(operand_types, properties)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (convolved_type(cls, types, attributes, 3),)


__all__ = [
    "AvgPool1dOp",
    "AvgPool3dOp",
    "Conv1dOp",
    "Conv3dOp",
    "ConvTranspose1dOp",
    "MaxPool1dOp",
    "MaxPool3dOp",
]
