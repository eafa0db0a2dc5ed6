"""Resizing of images: the shares that the operand's pixels have in each pixel of the result, along both dimensions.

Where shares are one pixel each, evenly apart, the result is a slice or repeats pixels; else it is a product with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def

from ..records import dataclass
from .base import BOOL, FLOAT, FLOATS, INTS, STR, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .movement import BroadcastOp
from .rules import Composite, element_of, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp, constant_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Axis:
    """One dimension of an image: how many pixels there are and will be, and which times `over` / `by` those are further
    apart. Places are exact: rounding up a number that lies beside a whole one would give the next pixel."""

    size: int
    sizes: int
    over: int
    by: Fraction | int

    @property
    def scale(self) -> Fraction:
        return Fraction(self.by) / self.over

    @property
    def is_whole(self) -> bool:
        return self.size == self.sizes and self.by == self.over


def _half_pixel(i: int, a: Axis) -> Fraction:
    return (i + HALF) / a.scale - HALF


def _symmetric(i: int, a: Axis) -> Fraction:
    """About the middle of the image, which rounding the size down would move."""
    return a.size * HALF - a.sizes / (2 * a.scale) + _half_pixel(i, a)


COORDINATES: dict[str, Callable[[int, Axis], Fraction]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _symmetric,
    "pytorch_half_pixel": lambda i, a: _half_pixel(i, a) if a.sizes > 1 else Fraction(0),
    "align_corners": lambda i, a: Fraction(i * (a.size - 1), max(a.sizes - 1, 1)),
    "asymmetric": lambda i, a: i / a.scale,
}
"""Where result pixel i lies among the operand's pixels (ONNX Resize)."""
ROUNDING: dict[str, Callable[[Fraction], int]] = {
    "floor": floor,
    "ceil": lambda x: -floor(-x),
    "round_prefer_floor": lambda x: -floor(HALF - x),
    "round_prefer_ceil": lambda x: floor(x + HALF),
}
"""Which pixel is nearest to a place between two."""
HALF = Fraction(1, 2)
LARGEST_DENOMINATOR = 1000
"""Of the fraction that a scale is taken for."""
MOST = 2.0**16
"""The largest scale."""
REACH = {"bilinear": 1, "cubic": 2}
"""Pixels on either side of a place that have a share."""


def _as_f32(x: float) -> float:
    """The nearest number of f32, in which ONNX has scales: 100 x 0.29 is 29."""
    return unpack("f", pack("f", x))[0]


def _fraction(scale: float) -> Fraction:
    """What a scale stands for: 2.3, which no float is, is 23/10."""
    near = Fraction(scale).limit_denominator(LARGEST_DENOMINATOR)
    return near if _as_f32(float(near)) == _as_f32(scale) else Fraction(scale)


def axes_of(shape: tuple[int, ...], attributes: Values) -> tuple[Axis, Axis]:
    """Height and width of an image [.., H, W]. Raises ValueError where sizes and scales do not tell them."""
    sizes: Sequence[int] | None = attributes["sizes"]
    scales: Sequence[float] | None = attributes["scales"]
    if sizes is None and scales is None:
        raise ValueError("needs sizes or scales")
    if sizes is not None and (len(sizes) != 2 or min(sizes) < 1):
        raise ValueError(f"sizes {list(sizes)} must be a height and a width of 1 or more")
    if scales is None:
        h, w = (Axis(n, m, n, m) for n, m in zip(shape[2:], sizes or (), strict=True))
        return h, w
    if len(scales) != 2 or not all(0 < s <= MOST for s in scales):
        raise ValueError(f"scales {list(scales)} must be two numbers above 0, of height and width")
    scaled = [n * s for n, s in zip(shape[2:], scales, strict=True)]
    if sizes is None:
        counts = [floor(_as_f32(size)) for size in scaled]
        if min(counts) < 1:
            raise ValueError(f"scales {list(scales)} leave nothing of {shape[2]}x{shape[3]} pixels")
    else:
        counts = list(sizes)
        if any(abs(m - size) > 1 for m, size in zip(counts, scaled, strict=True)):
            raise ValueError(
                f"sizes {counts} are not {shape[2]}x{shape[3]} pixels times scales {list(scales)}"
            )
    h, w = (Axis(n, m, 1, _fraction(s)) for n, m, s in zip(shape[2:], counts, scales, strict=True))
    return h, w


def nearest_pixels(axis: Axis, coordinates: str, rounding: str) -> list[int]:
    """The operand's pixel that each result pixel is."""
    places = (COORDINATES[coordinates](i, axis) for i in range(axis.sizes))
    return [min(max(ROUNDING[rounding](place), 0), axis.size - 1) for place in places]


def _share(mode: str, x: float, a: float) -> float:
    """What a pixel counts that is x apart; of a cubic, by its coefficient a (Keys, 1981)."""
    x = abs(x)
    if mode == "bilinear":
        return max(1 - x, 0.0)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0.0


def _weights(axis: Axis, op: Any) -> NDArray[Any]:
    """[sizes, size]: the share of each of the operand's pixels in each of the result's. Beyond the border stands its
    last pixel, or nothing with `exclude_outside`."""
    import numpy as np

    values = op.attribute_values()
    mode, matrix = values["mode"], np.zeros((axis.sizes, axis.size))
    if mode == "nearest":
        pixels = nearest_pixels(axis, values["coordinates"], values["rounding"])
        matrix[range(axis.sizes), pixels] = 1
        return matrix
    narrow = min(float(axis.scale), 1.0) if values["antialias"] else 1.0
    reach = REACH[mode] / narrow
    for i in range(axis.sizes):
        place = float(COORDINATES[values["coordinates"]](i, axis))
        for pixel in range(floor(place - reach), floor(place + reach) + 2):
            held = min(max(pixel, 0), axis.size - 1)
            if held == pixel or not values["exclude_outside"]:
                matrix[i, held] += _share(mode, (pixel - place) * narrow, values["cubic_a"])
    return matrix / matrix.sum(1, keepdims=True)


def _along(x: SSAValue, dim: int, axis: Axis, op: Any) -> list[Operation]:
    """x resized along dimension 2 or 3: every so many pixels where they are that far apart, else a product with the
    shares."""
    if op.mode.data == "nearest":
        pixels = nearest_pixels(axis, op.coordinates.data, op.rounding.data)
        step = pixels[1] - pixels[0] if axis.sizes > 1 else axis.size
        if step > 0 and pixels == [*range(pixels[0], pixels[0] + axis.sizes * step, step)]:
            return [SliceOp(x, starts=[pixels[0]], ends=[pixels[-1] + 1], axes=[dim], steps=[step])]
    shares = constant_of(_weights(axis, op), element_of(x))
    if dim == 3:
        return [shares, MatmulOp(x, shares.result, transpose_b=True)]
    return [shares, MatmulOp(shares.result, x)]


def _repeats(op: Any, axes: tuple[Axis, Axis]) -> list[int]:
    """How often each pixel stands in the result along both dimensions; 0 where it is not so often for each."""
    found: list[int] = []
    for axis in axes:
        times = axis.sizes // axis.size
        pixels = nearest_pixels(axis, op.coordinates.data, op.rounding.data)
        found.append(times if times and pixels == [i // times for i in range(axis.sizes)] else 0)
    return found


def _resize(op: Any) -> list[Operation]:
    axes = axes_of(shape_of(op.x), op.attribute_values())
    if op.mode.data == "nearest" and all(times := _repeats(op, axes)):
        n, c, h, w = shape_of(op.x)
        apart = ReshapeOp(op.x, shape=[n, c, h, 1, w, 1])
        repeated = BroadcastOp(apart.result, shape=[n, c, h, times[0], w, times[1]])
        return [apart, repeated, ReshapeOp(repeated.result, shape=shape_of(op.result))]
    ops: list[Operation] = []
    x = op.x
    for dim, axis in ((3, axes[1]), (2, axes[0])):
        if not axis.is_whole:
            ops += _along(x, dim, axis, op)
            x = ops[-1].results[0]
    return ops or [ReshapeOp(x, shape=shape_of(x))]


@irdl_op_definition
class ResizeOp(GraphOp):
    """x [N, C, H, W] with an image of `sizes` (height, width), or `scales` times as large, rounded down: the nearest
    pixels, a mean of the two around each place along both dimensions (bilinear), or of four with shares from a cubic
    of coefficient `cubic_a`, as in ONNX. With both, `sizes` say how large the image is and `scales` how far its pixels
    are apart. `coordinates` says where a pixel of the result lies in x, `rounding` which one
    is nearest to a place between two. With `antialias` means reach as far as pixels of the result are apart. Beyond the
    border stands its last pixel, or nothing with `exclude_outside`. A factor that is no whole number is a product:
    pixels are finite.

    %y = graph.resize %x {scales = array<f64: 2.0, 2.0>, mode = "nearest", coordinates = "asymmetric",
      rounding = "floor"} : (tensor<1x3x4x3xf16>) -> tensor<1x3x8x6xf16>
    """

    name = "graph.resize"
    TILING: ClassVar = Composite(_resize)
    CHOICES: ClassVar = {
        "mode": ("nearest", *REACH), "coordinates": tuple(COORDINATES), "rounding": tuple(ROUNDING)
    }  # fmt: skip
    x = operand_def(TensorType)
    result = result_def(TensorType)
    sizes = opt_prop_def(INTS)
    scales = opt_prop_def(FLOATS)
    mode = prop_def(STR, default_value=to_attribute("str", "nearest"))
    coordinates = prop_def(STR, default_value=to_attribute("str", "half_pixel"))
    rounding = prop_def(STR, default_value=to_attribute("str", "round_prefer_floor"))
    antialias = prop_def(BOOL, default_value=to_attribute("bool", False))
    cubic_a = prop_def(FLOAT, default_value=to_attribute("float", -0.75))
    exclude_outside = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape = types[0].get_shape()
        if len(shape) != 4 or min(shape[2:]) < 1:
            cls.fail(f"x must be [N, C, H, W] with a static image, got {dims(types[0])}")
        for name in ("antialias", "exclude_outside"):
            if attributes[name] and attributes["mode"] == "nearest":
                cls.fail(f"{name} is for bilinear and cubic means, not for the nearest pixel")
        try:
            h, w = axes_of(shape, attributes)
        except ValueError as error:
            cls.fail(str(error))
        return (TensorType(types[0].element_type, [*shape[:2], h.sizes, w.sizes]),)
