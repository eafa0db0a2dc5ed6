"""Sums of products, which the Cube computes: matrix product and convolution."""

from typing import ClassVar

from xdsl.dialects.builtin import TensorType, f32, i8, i32
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def, prop_def, result_def

from ..element_types import SUMS, lanes_of
from ..tiling import Along, Contraction, Image2Col, Iteration, OperandMap, TilingRule, Unit
from .base import BOOL, DTYPE, INT, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .elementwise import broadcast
from .rules import Contracted, broadcast_map, shape_of
from .windows import DEPTHWISE, IMAGES, check_window, image_maps, output_sizes

PART_UNIT = max(lanes_of(dtype) for dtype in SUMS)
"""What K of a part is a multiple of: K of the deepest fractal, which those of all types divide."""


def _matmul_iteration(op: "MatmulOp") -> Iteration:
    a, result = shape_of(op.a), shape_of(op.result)
    batch, m, n, k = len(result) - 2, len(result) - 2, len(result) - 1, len(result)
    rows: OperandMap = (Along(k), Along(m)) if op.transpose_a.value.data else (Along(m), Along(k))
    columns: OperandMap = (Along(n), Along(k)) if op.transpose_b.value.data else (Along(k), Along(n))
    maps = (
        broadcast_map(a[:-2], result[:batch]) + rows,
        broadcast_map(shape_of(op.b)[:-2], result[:batch]) + columns,
    )
    depth = _depth(op) if op.part is None else op.part.value.data
    return Iteration((*result, depth), len(result), maps, (None, None))


def _depth(op: "MatmulOp") -> int:
    """K of all parts."""
    return shape_of(op.a)[-2 if op.transpose_a.value.data else -1]


def _matmul_contraction(op: "MatmulOp") -> Contraction:
    """Batch dimensions of a that b lacks become matrix rows, so that x[B, S, K] w[K, N] is one product."""
    rank = len(shape_of(op.result))
    lhs, rhs = _matmul_iteration(op).operands
    transposed = bool(op.transpose_a.value.data)
    shared = any(isinstance(d, Along) for d in rhs[:-2])
    followed = len(lhs) == rank and not any(isinstance(d, Unit) for d in lhs)
    batch: tuple[int, ...] = tuple(range(rank - 2))
    m: tuple[int, ...] = (rank - 2,)
    part = None if op.part is None else 0
    if part is not None:
        followed = len(lhs) == rank - 1 and not any(isinstance(d, Unit) for d in lhs)
    if followed and not shared and not transposed:
        batch, m = batch[: part is not None], (*batch[part is not None :], rank - 2)
    return Contraction(
        batch,
        m,
        rank - 1,
        rank,
        transpose_lhs=transposed,
        transpose_rhs=bool(op.transpose_b.value.data),
        part=part,
        depth=_depth(op),
    )


@irdl_op_definition
class MatmulOp(GraphOp):
    """Matrix product [.., M, K] x [.., K, N] -> [.., M, N]; leading dimensions broadcast. Of i8 it is i32, exact but
    for the low 32 bits that are kept.

    `transpose_a` states that a is stored [.., K, M], `transpose_b` that b is stored [.., N, K]. With `out` = f32 the
    result is the sums as the Cube has them, not rounded to the type of the operands. With `part` it is [P, .., M, N]:
    the sums of parts of K, `part` of it each, and the last one what is left; both are multiples of 32.

    %y = graph.matmul %a, %b {transpose_b = true} : (tensor<2x4x8xf16>, tensor<9x8xf16>) -> tensor<2x4x9xf16>
    """

    name = "graph.matmul"
    TAKES_I8: ClassVar = True
    TILING: ClassVar = Contracted(_matmul_iteration, _matmul_contraction)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    transpose_a = prop_def(BOOL, default_value=to_attribute("bool", False))
    transpose_b = prop_def(BOOL, default_value=to_attribute("bool", False))
    out = opt_prop_def(DTYPE)
    part = opt_prop_def(INT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        a, b = types
        shapes = f"a {_stored(a, attributes['transpose_a'])} and b {_stored(b, attributes['transpose_b'])}"
        if min(len(a.get_shape()), len(b.get_shape())) < 2:
            cls.fail(f"operands need rank 2 or more, got {shapes}")
        m, k = a.get_shape()[-2:][:: -1 if attributes["transpose_a"] else 1]
        depth, n = b.get_shape()[-2:][:: -1 if attributes["transpose_b"] else 1]
        if k != depth and min(k, depth) >= 0:
            cls.fail(f"{shapes} differ in K: {k} and {depth}")
        batch = broadcast(a.get_shape()[:-2], b.get_shape()[:-2])
        if batch is None:
            cls.fail(f"batch dimensions of {shapes} do not broadcast")
        sums = i32 if a.element_type == i8 else a.element_type
        out = attributes.get("out")
        if out is not None:
            if out not in (f32, sums) or sums == i32 != out:
                cls.fail(f"out is f32 or the type of the operands, {sums}, got {out}")
            sums = out
        return (TensorType(sums, (*cls._parts(k, attributes.get("part")), *batch, m, n)),)

    @classmethod
    def _parts(cls, k: int, part: int | None) -> tuple[int, ...]:
        """How many parts K has, where it has several."""
        if part is None:
            return ()
        if not 0 < part < k or part % PART_UNIT or k % PART_UNIT:
            cls.fail(f"part is less than K, and both are multiples of {PART_UNIT}, got {part} of {k}")
        return (-(-k // part),)


def _stored(type_: AnyTensor, transposed: bool) -> str:
    return dims(type_) + " (transposed)" * transposed


def _conv2d_iteration(op: "Conv2dOp") -> Iteration:
    attributes = op.attribute_values()
    _, channels, *kernel = shape_of(op.w)
    spatial = image_maps(kernel, attributes["strides"], attributes["pads"], attributes["dilations"])
    maps: tuple[OperandMap, ...] = (
        (Along(0), Along(4), *spatial),
        (Along(1), Along(4), Along(5), Along(6)),
        (Along(1),),
    )
    extents = (*shape_of(op.result), channels, *kernel)
    return Iteration(extents, 4, maps[: len(op.operands)], (0.0, None, None)[: len(op.operands)])


def _conv2d_contraction(op: "Conv2dOp") -> Contraction:
    if op.bias is not None:
        raise ValueError("graph.conv2d: the Cube's product has no bias; split it off with graph-canonicalize")
    values = op.attribute_values()
    kernel_h, kernel_w = shape_of(op.w)[2:]
    window = Image2Col((kernel_h, kernel_w), values["strides"], values["dilations"], values["pads"])
    return Contraction((0,), (2, 3), 1, 4, window=window, groups=values["groups"])


def convolved_type(cls: type[GraphOp], types: Types, attributes: Values, rank: int = 2) -> AnyTensor:
    """The result of a convolution over the last `rank` dimensions."""
    x, w = types[0], types[1]
    shapes = f"x {dims(x)} and w {dims(w)}"
    if len(x.get_shape()) != rank + 2 or len(w.get_shape()) != rank + 2:
        filters = "[O, C, kh, kw]" if rank == 2 else "[O, C, kd, kh, kw]"
        cls.fail(f"x must be {IMAGES[rank]} and w {filters}, got {shapes}")
    check_window(cls, attributes, rank)
    groups = attributes["groups"]
    batch, channels, *image = x.get_shape()
    filters, depth, *kernel = w.get_shape()
    if groups < 1 or any(size % groups for size in (channels, filters) if size >= 0):
        cls.fail(f"groups = {groups} does not divide the channels and filters of {shapes}")
    if channels != depth * groups and min(channels, depth) >= 0:
        among = f" / {groups} groups" if groups > 1 else ""
        cls.fail(f"{shapes} differ in channels: {channels}{among} and {depth}")
    if len(types) > 2 and types[2].get_shape() != (filters,):
        cls.fail(f"bias must have shape {filters} (the filters of w {dims(w)}), got {dims(types[2])}")
    return TensorType(x.element_type, (batch, filters, *output_sizes(cls, image, kernel, attributes)))


@irdl_op_definition
class Conv2dOp(GraphOp):
    """2-D convolution of x [N, C, H, W] with w [O, C / groups, kh, kw] and an optional bias [O] -> [N, O, Ho, Wo].

    `pads` are top, left, bottom, right; Ho = floor((H + top + bottom - dh (kh - 1) - 1) / sh) + 1. The filters of a
    group, O / groups of them, read the group's C / groups channels. With as many groups as channels (depthwise) it is
    the Vector unit that computes it, tap by tap.

    %y = graph.conv2d %x, %w {pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x16x8x8xf16>, tensor<32x16x3x3xf16>) -> tensor<1x32x8x8xf16>
    """

    name = "graph.conv2d"
    TILING: ClassVar = Contracted(_conv2d_iteration, _conv2d_contraction)
    MORE_TILINGS: ClassVar = (DEPTHWISE,)
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    result = result_def(TensorType)
    strides = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    pads = prop_def(INTS, default_value=to_attribute("ints", (0, 0, 0, 0)))
    dilations = prop_def(INTS, default_value=to_attribute("ints", (1, 1)))
    groups = prop_def(INT, default_value=to_attribute("int", 1))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (convolved_type(cls, types, attributes),)

    @property
    def tiling(self) -> TilingRule:
        depthwise = self.groups.value.data > 1 == shape_of(self.w)[1]
        return DEPTHWISE if depthwise else self.TILING
