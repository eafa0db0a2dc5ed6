"""Ops with indices: where the largest element is, and what is made of indices.

Indices are tensors of i32. An index below 0 counts from the end.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from .base import BOOL, DTYPE, FLOAT, INT, GraphOp, Types, Values, to_attribute
from .elementwise import F32, AddOp, CastOp, MulOp, SubOp
from .logic import CompareOp
from .movement import single_axis
from .quantization import FLOATS
from .reduction import ReduceMaxOp, ReduceMinOp
from .rules import Composite, shape_of
from .slicing import FAR, I32, check_indices
from .structure import ConstantOp, ReshapeOp, constant_of


def count_along(shape: Sequence[int], axis: int, start: float = 0.0) -> ConstantOp:
    """The numbers start, start + 1, … along an axis, in f32; size one along the others of `shape`."""
    import numpy as np

    sizes = [n if d == axis else 1 for d, n in enumerate(shape)]
    return constant_of(np.arange(shape[axis], dtype=np.float32).reshape(sizes) + np.float32(start), F32)


def first_of(mask: SSAValue, axis: int, keep: bool, count: SSAValue | None = None) -> list[Operation]:
    """The first index along `axis` where a mask holds, in f32: the least of all, when those where it does not are FAR
    larger. `count`: the indices FAR further on, or more for those that are not to be found."""
    numbers = CastOp(mask, to=F32)
    far = constant_of(FAR, F32)
    less = MulOp(numbers.result, far.result)
    ops: list[Operation] = [numbers, far, less]
    if count is None:
        ops.append(count_along(shape_of(mask), axis, FAR))
        count = ops[-1].results[0]
    places = SubOp(count, less.result)
    return [*ops, places, ReduceMinOp(places.result, axes=[axis], keep_dims=keep)]


def _argmax(op: Any) -> list[Operation]:
    axis: int = op.axis.value.data % len(shape_of(op.x))
    largest = ReduceMaxOp(op.x, axes=[axis], keep_dims=True)
    mask = CompareOp(op.x, largest.result, direction="eq")
    first = first_of(mask.result, axis, bool(op.keep_dims.value.data))
    return [largest, mask, *first, CastOp(first[-1].results[0], to=I32)]


@irdl_op_definition
class ArgmaxOp(GraphOp):
    """The index (i32) of the largest element along `axis`, the first of several. x holds numbers, no NaN.

    %y = graph.argmax %x {axis = -1} : (tensor<4x8xf16>) -> tensor<4xi32>
    """

    name = "graph.argmax"
    TILING: ClassVar = Composite(_argmax)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INT, default_value=to_attribute("int", -1))
    keep_dims = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape = types[0].get_shape()
        axis = single_axis(cls, attributes["axis"], len(shape))
        if types[0].element_type not in FLOATS or not 1 <= abs(shape[axis]) <= FAR:
            cls.fail(f"needs up to 2^23 floating-point numbers along axis {axis}, got {types[0]}")
        kept = (1,) if attributes["keep_dims"] else ()
        return (TensorType(I32, [*shape[:axis], *kept, *shape[axis + 1 :]]),)


def from_start(indices: SSAValue, size: int) -> list[Operation]:
    """Indices into `size` elements in f32, those below 0 counted from the start."""
    number = CastOp(indices, to=F32)
    zero, all_ = constant_of(0.0, F32), constant_of(float(size), F32)
    below = CompareOp(number.result, zero.result, direction="lt")
    wrapped = CastOp(below.result, to=F32)
    more = MulOp(wrapped.result, all_.result)
    return [number, zero, all_, below, wrapped, more, AddOp(number.result, more.result)]


def _one_hot(op: Any) -> list[Operation]:
    result, depth = shape_of(op.result), op.depth.value.data
    axis = op.axis.value.data % len(result)
    ops = from_start(op.indices, depth)
    wide = ReshapeOp(ops[-1].results[0], shape=[1 if d == axis else n for d, n in enumerate(result)])
    places = count_along(result, axis)
    hit = CompareOp(wide.result, places.result, direction="eq")
    ops += [wide, places, hit, CastOp(hit.result, to=op.to)]
    on, off = op.on.value.data, op.off.value.data
    if (on, off) != (1.0, 0.0):
        span, base = constant_of(on - off, op.to), constant_of(off, op.to)
        scaled = MulOp(ops[-1].results[0], span.result)
        ops += [span, base, scaled, AddOp(scaled.result, base.result)]
    return ops


@irdl_op_definition
class OneHotOp(GraphOp):
    """`on` at each index (i32) of `depth` places along a new dimension `axis`, `off` at all others; nowhere for an
    index outside of [-depth, depth).

    %y = graph.one_hot %i {depth = 10, to = f16} : (tensor<8xi32>) -> tensor<8x10xf16>
    """

    name = "graph.one_hot"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_one_hot)
    indices = operand_def(TensorType)
    result = result_def(TensorType)
    depth = prop_def(INT)
    axis = prop_def(INT, default_value=to_attribute("int", -1))
    on = prop_def(FLOAT, default_value=to_attribute("float", 1.0))
    off = prop_def(FLOAT, default_value=to_attribute("float", 0.0))
    to = prop_def(DTYPE, default_value=F32)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        check_indices(cls, "indices", types[0])
        shape, depth, to = types[0].get_shape(), attributes["depth"], attributes["to"]
        axis = single_axis(cls, attributes["axis"], len(shape) + 1)
        if not 1 <= depth <= FAR:
            cls.fail(f"depth must be 1 to 2^23, got {depth}")
        if to not in FLOATS:
            cls.fail(f"to must be f16, bf16 or f32, got {to}")
        return (TensorType(to, [*shape[:axis], depth, *shape[axis:]]),)

    def indexed(self, index: int) -> int | None:
        return self.depth.value.data
