"""Convolution transposed, as the convolution and the moves that it is made of."""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def

from .base import INT, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .channel import BiasAddOp
from .contraction import Conv2dOp
from .movement import ConcatOp, PadOp, TransposeOp
from .rules import Composite, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp


def transposed_sizes(
    image: Sequence[int], kernel: Sequence[int], attributes: Values
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Height and width of a transposed convolution's result, before its pads are cut off and after."""
    strides, dilations, more = attributes["strides"], attributes["dilations"], attributes["output_pads"]
    top, left, bottom, right = attributes["pads"]
    whole = [
        (n - 1) * s + (k - 1) * d + 1 + o
        for n, s, k, d, o in zip(image, strides, kernel, dilations, more, strict=True)
    ]
    return (whole[0], whole[1]), (whole[0] - top - bottom, whole[1] - left - right)


def _filters(op: Any) -> list[Operation]:
    """Filters [C, O / g, kh, kw] as those of the convolution that gives all s x s phases of the result: [O s s, C / g,
    k, k], what belongs to a pixel's phase of a filter side by side, in the opposite order."""
    values = op.attribute_values()
    (c, o, *kernel), (sh, sw), groups = shape_of(op.w), values["strides"], values["groups"]
    (dh, dw) = values["dilations"]
    ops: list[Operation] = []
    w = op.w

    def do(new: Operation) -> SSAValue:
        ops.append(new)
        return new.results[0]

    for dim, (k, d) in enumerate(zip(kernel, (dh, dw), strict=True), 2):
        if d > 1 and k > 1:  # holes between the taps
            shape = shape_of(w)
            apart = do(ReshapeOp(w, shape=[*shape[: dim + 1], 1, *shape[dim + 1 :]]))
            pads = [0] * 10
            pads[5 + dim + 1] = d - 1
            spread = do(PadOp(apart, pads=pads))
            joined = do(ReshapeOp(spread, shape=[*shape[:dim], k * d, *shape[dim + 1 :]]))
            w = do(SliceOp(joined, starts=[0], ends=[(k - 1) * d + 1], axes=[dim]))
    kh, kw = shape_of(w)[2:]
    th, tw = -(-kh // sh), -(-kw // sw)
    if (th * sh, tw * sw) != (kh, kw):
        w = do(PadOp(w, pads=[0, 0, 0, 0, 0, 0, th * sh - kh, tw * sw - kw]))
    for dim, count in ((2, th), (3, tw)):
        # blocks of one stride in the opposite order
        stride = (sh, sw)[dim - 2]
        if count > 1:
            parts = [
                SliceOp(w, starts=[i * stride], ends=[(i + 1) * stride], axes=[dim])
                for i in reversed(range(count))
            ]
            ops += parts
            w = do(ConcatOp([part.result for part in parts], axis=dim))
    split = do(ReshapeOp(w, shape=[groups, c // groups, o, th, sh, tw, sw]))
    turned = do(TransposeOp(split, perm=[0, 2, 4, 6, 1, 3, 5]))
    do(ReshapeOp(turned, shape=[groups * o * sh * sw, c // groups, th, tw]))
    return ops


def _conv_transpose2d(op: Any) -> list[Operation]:
    """A convolution for each of the s x s phases of a result pixel, all in one, whose channels are then put side by
    side as pixels; what is too much around the result is cut off, what is too little has the bias alone."""
    values = op.attribute_values()
    ops = _filters(op)
    filters = ops[-1].results[0]
    th, tw = shape_of(filters)[2:]
    n, _, h, w = shape_of(op.x)
    (sh, sw), (top, left, *_) = values["strides"], values["pads"]
    whole, sizes = transposed_sizes((h, w), shape_of(op.w)[2:], values)
    conv = Conv2dOp(op.x, filters, pads=[th - 1, tw - 1, th - 1, tw - 1], groups=values["groups"])
    ops.append(conv)
    image = conv.result
    channels = shape_of(op.result)[1]
    rows, columns = (h + th - 1) * sh, (w + tw - 1) * sw
    if (sh, sw) != (1, 1):
        apart = ReshapeOp(image, shape=[n, channels, sh, sw, h + th - 1, w + tw - 1])
        turned = TransposeOp(apart.result, perm=[0, 1, 4, 2, 5, 3])
        ops += [apart, turned, ReshapeOp(turned.result, shape=[n, channels, rows, columns])]
        image = ops[-1].results[0]
    more = (max(whole[0] - rows, 0), max(whole[1] - columns, 0))
    if any(more):
        ops.append(PadOp(image, pads=[0, 0, 0, 0, 0, 0, *more]))
        image = ops[-1].results[0]
    if shape_of(image)[2:] != sizes:
        cut = SliceOp(image, starts=[top, left], ends=[top + sizes[0], left + sizes[1]], axes=[2, 3])
        ops.append(cut)
        image = cut.result
    if op.bias is not None:
        ops.append(BiasAddOp(image, op.bias))
    return ops


@irdl_op_definition
class ConvTranspose2dOp(GraphOp):
    """Transposed 2-D convolution of x [N, C, H, W] with w [C, O / groups, kh, kw] and an optional bias [O], as in ONNX:
    each pixel of x adds its multiple of the filter to the result, `strides` apart. `pads` (top, left, bottom, right)
    are cut off the result, `output_pads` added at its end: Ho = (H - 1) sh + dh (kh - 1) + 1 + more - top - bottom.

    %y = graph.conv_transpose2d %x, %w {strides = array<i64: 2, 2>}
        : (tensor<1x16x4x4xf16>, tensor<16x8x2x2xf16>) -> tensor<1x8x8x8xf16>
    """

    name = "graph.conv_transpose2d"
    TILING: ClassVar = Composite(_conv_transpose2d)
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    result = result_def(TensorType)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0, 0, 0)))
    output_pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    groups = prop_def(INT, default_value=to_attribute("int", 1))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, w = types[0], types[1]
        shapes = f"x {dims(x)} and w {dims(w)}"
        if len(x.get_shape()) != 4 or len(w.get_shape()) != 4 or min(*x.get_shape(), *w.get_shape()) < 0:
            cls.fail(f"x must be [N, C, H, W] and w [C, O / groups, kh, kw], static, got {shapes}")
        if 0 in (*x.get_shape()[2:], *w.get_shape()[2:]):
            cls.fail(f"images and kernels have one pixel or more, got {shapes}")
        for name, count, least in (
            ("strides", 2, 1),
            ("dilations", 2, 1),
            ("pads", 4, 0),
            ("output_pads", 2, 0),
        ):
            given = attributes[name]
            if len(given) != count or min(given) < least:
                cls.fail(f"{name} {list(given)} must be {count} numbers of {least} or more")
        groups = attributes["groups"]
        if groups < 1 or x.get_shape()[1] % groups or x.get_shape()[1] != w.get_shape()[0]:
            cls.fail(f"{shapes} differ in channels, or {groups} groups do not divide them")
        filters = w.get_shape()[1] * groups
        if len(types) > 2 and types[2].get_shape() != (filters,):
            cls.fail(f"bias must have shape {filters}, got {dims(types[2])}")
        _, sizes = transposed_sizes(x.get_shape()[2:], w.get_shape()[2:], attributes)
        if min(sizes) < 1:
            cls.fail(f"pads {list(attributes['pads'])} leave nothing of {shapes}")
        result: AnyTensor = TensorType(x.element_type, [x.get_shape()[0], filters, *sizes])
        return (result,)
