"""Sliding windows over images, one tap after the other on the Vector unit: pooling, depthwise convolution.

The operand of a window is a tile with its halo; a tap is the view of it at one window position. Channels are not mixed,
so they may lie in the lanes, and a tap is a shifted read (`b.window`).
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..records import dataclass
from ..tiling import Along, Iteration, OperandMap, TilingRule, Unit, VectorBuilder
from .base import BOOL, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .elementwise import MulOp
from .rules import shape_of
from .structure import ConstantOp

MOST_NARROW = 25
"""Up to so many taps are summed in the storage type, more in f32: each sum in f16 rounds once."""

SUMS, LEAST_OF_SUMS = 2, 6
"""Sums of which each takes every so-manieth tap, where there are so many taps: the Vector unit does not wait for the
result of one instruction before the next one starts."""

IMAGES = {2: "[N, C, H, W]", 3: "[N, C, D, H, W]"}
"""How the operand of a window lies, by the window's dimensions."""

Taps = Callable[[Any, VectorBuilder, Sequence[SSAValue], Sequence[tuple[int, ...]]], SSAValue]
"""`f(op, b, operands, positions)`: one tile of the result; a position has an index for each image dimension."""


@dataclass(frozen=True)
class Windowed(TilingRule):
    """A function of the taps of a window over the image dimensions, those after the channels."""

    space: Callable[[Any], Iteration]
    taps: Taps
    engine: str = "vector"

    def iteration(self, op: Operation, /) -> Iteration:
        return self.space(op)

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return self.taps(op, b, operands, window_positions(self.iteration(op).operands[0]))


def window_positions(maps: OperandMap) -> list[tuple[int, ...]]:
    """All positions of the window of an operand [N, C, H, W], row by row."""
    rows, columns = (e.window if isinstance(e, Along) else 1 for e in maps[2:])
    return [(i, j) for i in range(rows) for j in range(columns)]


def at_tap(
    op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], index: int, position: tuple[int, ...]
) -> SSAValue:
    """Operand `index` at a window position over its last two dimensions."""
    entries = cast(Any, op).tiling.iteration(op).operands[index][2:]
    moved = [p for e, p in zip(entries, position, strict=True) if isinstance(e, Along) and e.is_windowed]
    return b.window(operands[index], moved)


def image_maps(
    kernel: Sequence[int], strides: Sequence[int], pads: Sequence[int], dilations: Sequence[int]
) -> tuple[Along, Along]:
    """How rows and columns of a result follow those of the image."""
    rows, columns = (Along(2 + d, strides[d], kernel[d], dilations[d], pads[d]) for d in range(2))
    return rows, columns


def check_window(cls: type[GraphOp], attributes: Values, rank: int = 2) -> None:
    """Numbers and least values of what describes a window of `rank` dimensions."""
    for name, sides, least in (("kernel", 1, 1), ("strides", 1, 1), ("pads", 2, 0), ("dilations", 1, 1)):
        length = sides * rank
        values = attributes.get(name, (1,) * rank)
        if len(values) != length or min(values) < least:
            cls.fail(f"{name} needs {length} values of {least} or more, got {list(values)}")


def output_sizes(
    cls: type[GraphOp], image: Sequence[int], kernel: Sequence[int], attributes: Values
) -> list[int]:
    """Sizes of the result along an image's dimensions: floor((size + pads - span) / stride) + 1, where span = dilation
    (kernel - 1) + 1. With `ceil_mode` the last window may go past the padding, unless it starts behind the image."""
    sizes: list[int] = []
    for d, size in enumerate(image):
        before, after = attributes["pads"][d], attributes["pads"][d + len(image)]
        pad = before + after
        stride, dilation = attributes["strides"][d], attributes["dilations"][d]
        if min(size, kernel[d]) < 0:
            sizes.append(-1)
            continue
        span = dilation * (kernel[d] - 1) + 1
        if size == 0:
            cls.fail(f"the image has no pixels along dimension {d}")
        if kernel[d] < 1 or size + pad < span:
            window = f"a kernel of {kernel[d]} with dilation {dilation} spans {span}"
            cls.fail(f"{window}, the padded input has only {size} + {pad}")
        count = (size + pad - span) // stride + 1
        if attributes.get("ceil_mode") and (size + pad - span) % stride and count * stride < size + before:
            count += 1
        sizes.append(count)
    return sizes


def pool_type(cls: type[GraphOp], types: Types, attributes: Values, rank: int = 2) -> AnyTensor:
    """The result of a pool over the last `rank` dimensions."""
    (x,) = types
    check_window(cls, attributes, rank)
    if len(x.get_shape()) != rank + 2:
        cls.fail(f"x must be {IMAGES[rank]}, got {dims(x)}")
    kernel, pads = attributes["kernel"], attributes["pads"]
    for d in range(rank):
        span = attributes["dilations"][d] * (kernel[d] - 1) + 1
        if max(pads[d], pads[d + rank]) >= span:
            cls.fail(f"pads {list(pads)} leave windows of {span} with nothing but padding")
    batch, channels, *image = x.get_shape()
    return TensorType(x.element_type, (batch, channels, *output_sizes(cls, image, kernel, attributes)))


def _pool_iteration(op: Any, fill: float) -> Iteration:
    values = op.attribute_values()
    window = image_maps(values["kernel"], values["strides"], values["pads"], values["dilations"])
    extents = shape_of(op.result)
    return Iteration(extents, len(extents), ((Along(0), Along(1), *window),), (fill,))


def _one_by_one(op: Any) -> tuple[int, ...]:
    """The order in which a pool's window slides along rows (0) and columns (1), one after the other, where that takes
    fewer instructions on large tiles than all taps at once; else nothing.

    5 x 5 taps are 25; along columns first, on a tile that still has the halo of rows, and then along rows they are 10.
    With strides that halo is larger: a stride of s makes s taps of one."""
    sides = [e for e in op.tiling.iteration(op).operands[0][2:] if isinstance(e, Along)]
    if len(sides) < 2 or any(not e.is_windowed for e in sides):
        return ()
    rows, columns = sides
    first = {
        (1, 0): columns.window * rows.stride + rows.window,
        (0, 0): rows.window * columns.stride + columns.window,
    }
    best = min(first, key=first.__getitem__)
    return best if first[best] < rows.window * columns.window else ()


def _slid(b: VectorBuilder, x: SSAValue, kind: str, order: Sequence[int]) -> SSAValue:
    for at in order:
        x = b.slide(x, kind, at)
    return x


def _maximum(
    op: Any, b: VectorBuilder, operands: Sequence[SSAValue], positions: Sequence[tuple[int, ...]]
) -> SSAValue:
    order = _one_by_one(op) if b.slides else ()
    if order:
        return _slid(b, operands[0], "max", order)
    largest, *rest = (at_tap(op, b, operands, 0, p) for p in positions)
    for tap in rest:
        largest = b.max(largest, tap)
    return largest


@irdl_op_definition
class MaxPool2dOp(GraphOp):
    """Maximum of each window of x [N, C, H, W]; padding is never the maximum.

    `pads` are top, left, bottom, right. With `ceil_mode` sizes are rounded up: the last window may go past the padding,
    unless it would start behind the image.

    %y = graph.max_pool2d %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x16x8x8xf16>) -> tensor<1x16x4x4xf16>
    """

    name = "graph.max_pool2d"
    TILING: ClassVar = Windowed(lambda op: _pool_iteration(op, float("-inf")), _maximum)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0, 0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (pool_type(cls, types, attributes),)


def _mean(
    op: Any, b: VectorBuilder, operands: Sequence[SSAValue], positions: Sequence[tuple[int, ...]]
) -> SSAValue:
    (x,) = operands
    storage, wide = b.dtype(x), len(positions) > MOST_NARROW
    source = [b.cast(x, "f32") if wide and storage != "f32" else x]
    order = _one_by_one(op) if b.slides else ()
    if order:
        total = _slid(b, source[0], "add", order)
    else:
        total, *rest = (at_tap(op, b, source, 0, p) for p in positions)
        for tap in rest:
            total = b.add(total, tap)
    mean = b.mul(total, 1.0 / len(positions))
    return mean if b.dtype(mean) == storage else b.cast(mean, storage)


@irdl_op_definition
class AvgPool2dOp(GraphOp):
    """Mean of each window of x [N, C, H, W].

    `pads` are top, left, bottom, right, zeros that count where `count_include_pad` is true. With `ceil_mode` sizes are
    rounded up: the last window may go past the padding, unless it would start behind the image; what lies past the
    padding never counts.

    %y = graph.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
        : (tensor<1x16x8x8xf16>) -> tensor<1x16x4x4xf16>
    """

    name = "graph.avg_pool2d"
    TILING: ClassVar = Windowed(lambda op: _pool_iteration(op, 0.0), _mean)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    kernel = prop_def(INTS)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0, 0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    ceil_mode = prop_def(BOOL, default_value=to_attribute("bool", False))
    count_include_pad = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (pool_type(cls, types, attributes),)


def split_counts(op: AvgPool2dOp) -> list[Operation]:
    """The mean as one over windows that all lie inside the padding, times [1, 1, Ho, Wo] factors that say how many
    elements count at each position. Nothing where all of them count everywhere."""
    values = op.attribute_values()
    shape, image = shape_of(op.result), shape_of(op.x)[2:]
    kernel, pads = values["kernel"], list(values["pads"])
    counts: list[list[int]] = []
    for d, (size, positions) in enumerate(zip(image, shape[2:], strict=True)):
        stride, dilation = values["strides"][d], values["dilations"][d]
        low = -pads[d] if values["count_include_pad"] else 0
        high = size + pads[d + 2] if values["count_include_pad"] else size
        starts = [i * stride - pads[d] for i in range(positions)]
        taps = range(0, dilation * kernel[d], dilation)
        counts.append([sum(low <= start + tap < high for tap in taps) for start in starts])
        pads[d + 2] = max(pads[d + 2], starts[-1] + dilation * (kernel[d] - 1) + 1 - size)
    if all(count == kernel[d] for d in range(2) for count in counts[d]):
        return []
    elements = [kernel[0] * kernel[1] / (rows * columns) for rows in counts[0] for columns in counts[1]]
    element = cast(AnyTensor, op.x.type).element_type
    table = DenseIntOrFPElementsAttr.from_list(TensorType(cast(Any, element), [1, 1, *shape[2:]]), elements)
    inside = {"pads": pads, "ceil_mode": False, "count_include_pad": True}
    mean = AvgPool2dOp(op.x, **{**values, **inside})
    factors = ConstantOp(value=table)
    return [mean, factors, MulOp(mean.result, factors.result)]


def _depthwise_iteration(op: Any) -> Iteration:
    values = op.attribute_values()
    kernel = shape_of(op.w)[2:]
    multiplier = shape_of(op.w)[0] // shape_of(op.x)[1]
    window = image_maps(kernel, values["strides"], values["pads"], values["dilations"])
    taps = tuple(Along(2 + d, stride=0, window=kernel[d]) for d in range(2))
    maps: tuple[OperandMap, ...] = (
        (Along(0), Along(1, repeat=multiplier), *window),
        (Along(1), Unit(), *taps),
    )
    extents = shape_of(op.result)
    return Iteration(extents, len(extents), maps, (0.0, None))


def _multiply_add(
    op: Any, b: VectorBuilder, operands: Sequence[SSAValue], positions: Sequence[tuple[int, ...]]
) -> SSAValue:
    storage = b.dtype(operands[0])
    if len(positions) > MOST_NARROW and storage != "f32":
        operands = [b.cast(operand, "f32") for operand in operands]
    values = op.attribute_values()
    pads, dilations = values["pads"], values["dilations"]

    def outside(position: tuple[int, ...]) -> tuple[int, ...]:
        """How far from the image a tap lies for the first element, along lines before rows."""
        return tuple(abs(i * n - pad) for i, n, pad in zip(position, dilations, pads, strict=False))[::-1]

    # the taps that lie inside the image for most elements come first: they give all of the sums
    ordered = sorted(positions, key=outside)
    starts = ordered[: SUMS if len(positions) >= LEAST_OF_SUMS else 1]
    sums: list[SSAValue] = []
    for p in starts:
        sums.append(b.mul(at_tap(op, b, operands, 0, p), at_tap(op, b, operands, 1, p)))
    for i, p in enumerate(p for p in positions if p not in starts):
        turn = i % len(sums)
        sums[turn] = b.multiply_add(at_tap(op, b, operands, 0, p), at_tap(op, b, operands, 1, p), sums[turn])
    total, *rest = sums
    for one in rest:
        total = b.add(total, one)
    return total if b.dtype(total) == storage else b.cast(total, storage)


DEPTHWISE = Windowed(_depthwise_iteration, _multiply_add)
"""A convolution each of whose filters reads one channel: x [N, C, H, W], w [C multiplier, 1, kh, kw]."""
