"""Ops on images that are made of products and moves: resizing, and convolution transposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def

from .base import INT, INTS, STR, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .channel import BiasAddOp
from .contraction import Conv2dOp, MatmulOp
from .movement import BroadcastOp, ConcatOp, PadOp, SliceOp, TransposeOp
from .rules import Composite, element_of, shape_of
from .structure import ReshapeOp, constant_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

COORDINATES: dict[str, Callable[[int, int, int], float]] = {
    "half_pixel": lambda i, size, sizes: (i + 0.5) * size / sizes - 0.5,
    "pytorch_half_pixel": lambda i, size, sizes: (i + 0.5) * size / sizes - 0.5 if sizes > 1 else 0.0,
    "align_corners": lambda i, size, sizes: i * (size - 1) / (sizes - 1) if sizes > 1 else 0.0,
    "asymmetric": lambda i, size, sizes: i * size / sizes,
}
"""Where result pixel i of `sizes` lies among the operand's `size` pixels (ONNX Resize)."""
ROUNDING: dict[str, Callable[[float], int]] = {
    "floor": floor,
    "ceil": lambda x: -floor(-x),
    "round_prefer_floor": lambda x: -floor(0.5 - x),
    "round_prefer_ceil": lambda x: floor(x + 0.5),
}
"""Which pixel is nearest to a place between two."""


def nearest_pixels(size: int, sizes: int, coordinates: str, rounding: str) -> list[int]:
    """The operand's pixel that each result pixel is."""
    places = (COORDINATES[coordinates](i, size, sizes) for i in range(sizes))
    return [min(max(ROUNDING[rounding](place), 0), size - 1) for place in places]


def _weights(size: int, sizes: int, op: Any) -> NDArray[Any]:
    """[sizes, size]: the share of each of the operand's pixels in each of the result's."""
    import numpy as np

    matrix = np.zeros((sizes, size))
    mode = op.coordinates.data
    if op.mode.data == "nearest":
        matrix[range(sizes), nearest_pixels(size, sizes, mode, op.rounding.data)] = 1
        return matrix
    for i in range(sizes):
        place = min(max(COORDINATES[mode](i, size, sizes), 0.0), size - 1.0)
        low = min(floor(place), size - 1)
        matrix[i, low] += 1 - (place - low)
        matrix[i, min(low + 1, size - 1)] += place - low
    return matrix


def _along(x: SSAValue, dim: int, sizes: int, op: Any) -> list[Operation]:
    """x with `sizes` pixels along dimension 2 or 3: every so many where they are that far apart, else a product with
    the shares."""
    size = shape_of(x)[dim]
    if op.mode.data == "nearest":
        pixels = nearest_pixels(size, sizes, op.coordinates.data, op.rounding.data)
        step = pixels[1] - pixels[0] if sizes > 1 else size
        if step > 0 and pixels == [*range(pixels[0], pixels[0] + sizes * step, step)]:
            return [SliceOp(x, starts=[pixels[0]], ends=[pixels[-1] + 1], axes=[dim], steps=[step])]
    shares = constant_of(_weights(size, sizes, op), element_of(x))
    if dim == 3:
        return [shares, MatmulOp(x, shares.result, transpose_b=True)]
    return [shares, MatmulOp(shares.result, x)]


def _repeats(op: Any) -> list[int]:
    """How often each pixel stands in the result along both dimensions; 0 where it is not so often for each."""
    found: list[int] = []
    for size, sizes in zip(shape_of(op.x)[2:], op.attribute_values()["sizes"], strict=True):
        times = sizes // size
        pixels = nearest_pixels(size, sizes, op.coordinates.data, op.rounding.data)
        found.append(times if times and pixels == [i // times for i in range(sizes)] else 0)
    return found


def _resize(op: Any) -> list[Operation]:
    if op.mode.data == "nearest" and all(times := _repeats(op)):
        n, c, h, w = shape_of(op.x)
        apart = ReshapeOp(op.x, shape=[n, c, h, 1, w, 1])
        repeated = BroadcastOp(apart.result, shape=[n, c, h, times[0], w, times[1]])
        return [apart, repeated, ReshapeOp(repeated.result, shape=shape_of(op.result))]
    ops: list[Operation] = []
    x = op.x
    for dim, sizes in ((3, op.attribute_values()["sizes"][1]), (2, op.attribute_values()["sizes"][0])):
        if shape_of(x)[dim] != sizes:
            ops += _along(x, dim, sizes, op)
            x = ops[-1].results[0]
    return ops or [ReshapeOp(x, shape=shape_of(x))]


@irdl_op_definition
class ResizeOp(GraphOp):
    """x [N, C, H, W] with an image of `sizes` (height, width): the nearest pixels, or a mean of the two around each
    place along both dimensions (bilinear), as in ONNX. `coordinates` says where a pixel of the result lies in x,
    `rounding` which one is nearest to a place between two. A factor that is no whole number is a product: pixels are
    finite.

    %y = graph.resize %x {sizes = array<i64: 8, 6>, mode = "nearest", coordinates = "asymmetric", rounding = "floor"}
        : (tensor<1x3x4x3xf16>) -> tensor<1x3x8x6xf16>
    """

    name = "graph.resize"
    TILING: ClassVar = Composite(_resize)
    CHOICES: ClassVar = {
        "mode": ("nearest", "bilinear"), "coordinates": tuple(COORDINATES), "rounding": tuple(ROUNDING)
    }  # fmt: skip
    x = operand_def(TensorType)
    result = result_def(TensorType)
    sizes = prop_def(INTS)
    mode = prop_def(STR, default_value=to_attribute("str", "nearest"))
    coordinates = prop_def(STR, default_value=to_attribute("str", "half_pixel"))
    rounding = prop_def(STR, default_value=to_attribute("str", "round_prefer_floor"))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape, sizes = types[0].get_shape(), attributes["sizes"]
        if len(shape) != 4 or min(shape[2:]) < 1:
            cls.fail(f"x must be [N, C, H, W] with a static image, got {dims(types[0])}")
        if len(sizes) != 2 or min(sizes) < 1:
            cls.fail(f"sizes {list(sizes)} must be a height and a width of 1 or more")
        return (TensorType(types[0].element_type, [*shape[:2], *sizes]),)


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
        if len(x.get_shape()) != 4 or len(w.get_shape()) != 4 or min(*x.get_shape(), *w.get_shape()) < 1:
            cls.fail(f"x must be [N, C, H, W] and w [C, O / groups, kh, kw], static, got {shapes}")
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
