"""Parts of tensors: slices, whose steps may be negative, and splits.

%y = graph.slice %x {starts = [7], ends = [-9], steps = [-1]}    =>    %i = graph.constant dense<[7, 6, …, 0]>
                                                                       %y = graph.gather %x, %i
"""

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, var_result_def

from ..dynamic import depends_on_size
from ..records import dataclass
from ..tiling import Along, Iteration, OperandMap, Picked, TilingRule, VectorBuilder
from .base import INT, INTS, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .movement import BroadcastOp, TransposeOp, single_axis
from .quantization import FLOATS
from .rules import Composite, Moved, shape_of
from .structure import ReshapeOp, constant_of


def slice_parts(shape: Sequence[int], attributes: Values) -> list[tuple[int, int, int]]:
    """For each dimension of an operand of `shape` the first index that a slice takes, how many it takes and their step.

    Starts and ends count from the end where they are negative and are held to the dimension, as in ONNX: to places
    where an element may begin or end in the direction of the step. Raises ValueError where the attributes do not fit or
    name a dimension twice.
    """
    rank = len(shape)
    starts, ends = attributes["starts"], attributes["ends"]
    axes = tuple(range(len(starts))) if attributes["axes"] is None else attributes["axes"]
    steps: Sequence[int] = (1,) * len(starts) if attributes["steps"] is None else attributes["steps"]
    lengths = {"starts": len(starts), "ends": len(ends), "axes": len(axes), "steps": len(steps)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{n} {name}" for name, n in lengths.items())
        raise ValueError(f"starts, ends, axes and steps must be of one length, got {found}")
    named = [axis % rank for axis in axes if -rank <= axis < rank]
    if len(named) < len(axes) or len(set(named)) < len(named):
        raise ValueError(f"axes {list(axes)} must name dimensions in [{-rank}, {rank}), each once")
    parts = [(0, size, 1) for size in shape]
    for axis, start, end, step in zip(named, starts, ends, steps, strict=True):
        size = shape[axis]
        if step == 0:
            raise ValueError(f"step 0 along axis {axis} must be positive or negative")
        if size < 0:  # all of it, in either direction
            parts[axis] = (0, size, 1) if step > 0 else (-1, size, -1)
            continue
        first, last = (at + size if at < 0 else at for at in (start, end))
        if step > 0:
            first, last = min(max(first, 0), size), min(max(last, 0), size)
        else:
            first, last = min(max(first, 0), size - 1), min(max(last, -1), size - 1)
        count = max(-((first - last) // step), 0)
        parts[axis] = (first, count, step if step > 0 or count > 1 else 1)
    return parts


def _slice_maps(op: Any) -> tuple[OperandMap, ...]:
    parts = slice_parts(shape_of(op.x), op.attribute_values())
    return (
        tuple(Along(d, stride=step, pad=-start, thin=step > 1) for d, (start, _, step) in enumerate(parts)),
    )


def _backwards(op: Any) -> list[Operation]:
    """A slice forwards along the other axes, then a gather for each one along which steps are negative."""
    import numpy as np

    parts = slice_parts(shape_of(op.x), op.attribute_values())
    turned = [(d, part) for d, part in enumerate(parts) if part[2] < 0]
    forwards = [(d, part) for d, part in enumerate(parts) if part[2] > 0 and shape_of(op.x)[d] > 0]
    cut = SliceOp(
        op.x,
        starts=[first for _, (first, _, _) in forwards],
        ends=[first + (count - 1) * step + 1 for _, (first, count, step) in forwards],
        axes=[d for d, _ in forwards],
        steps=[step for _, (_, _, step) in forwards],
    )
    ops: list[Operation] = [] if cut.result.type == op.x.type else [cut]
    x = op.x if not ops else cut.result
    for d, (first, count, step) in turned:
        places = constant_of(first + step * np.arange(count), I32)
        taken = GatherOp(x, places.result, axis=d)
        ops += [places, taken]
        x = taken.result
    return ops


@irdl_op_definition
class SliceOp(GraphOp):
    """The elements starts, starts + steps, ... before ends along `axes` (default: the first ones); with a negative step
    those from starts back to the one after ends. Negative starts and ends count from the end, and both are held to the
    dimension, as in ONNX.

    %y = graph.slice %x {starts = array<i64: 1>, ends = array<i64: 9223372036854775807>, axes = array<i64: -1>,
      steps = array<i64: 2>} : (tensor<2x6xf16>) -> tensor<2x3xf16>
    """

    name = "graph.slice"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Moved(_slice_maps)
    MORE_TILINGS: ClassVar = (Composite(_backwards),)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    starts = prop_def(INTS)
    ends = prop_def(INTS)
    axes = opt_prop_def(INTS)
    steps = opt_prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        try:
            parts = slice_parts(types[0].get_shape(), attributes)
        except ValueError as error:
            cls.fail(f"{error}: x is {dims(types[0])}")
        return (TensorType(types[0].element_type, [count for _, count, _ in parts]),)

    @property
    def tiling(self) -> TilingRule:
        parts = slice_parts(shape_of(self.x), self.attribute_values())
        return self.MORE_TILINGS[0] if any(step < 0 for _, _, step in parts) else self.TILING


def _split_into_slices(op: Any) -> list[Operation]:
    values = op.attribute_values()
    axis: int = values["axis"] % len(shape_of(op.x))
    start = 0
    slices: list[Operation] = []
    sizes: tuple[int, ...] = values["sizes"]
    for size in sizes:
        slices.append(SliceOp(op.x, starts=[start], ends=[start + size], axes=[axis]))
        start += size
    return slices


@irdl_op_definition
class SplitOp(GraphOp):
    """Parts of x of the given sizes along `axis`, one after the other.

    %y, %z = graph.split %x {axis = 1, sizes = array<i64: 2, 4>} : (tensor<3x6xf16>) -> (tensor<3x2xf16>,
      tensor<3x4xf16>)
    """

    name = "graph.split"
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_split_into_slices)
    x = operand_def(TensorType)
    parts = var_result_def(TensorType)
    axis = prop_def(INT)
    sizes = prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape, sizes = types[0].get_shape(), attributes["sizes"]
        axis = single_axis(cls, attributes["axis"], len(shape))
        if min(sizes, default=-1) < 0 or (0 <= shape[axis] != sum(sizes)):
            cls.fail(
                f"sizes {list(sizes)} must be 0 or more and add up to the {shape[axis]} elements of axis {axis}"
            )
        return tuple(TensorType(types[0].element_type, [*shape[:axis], n, *shape[axis + 1 :]]) for n in sizes)


I32 = IntegerType(32)


FAR = 2.0**23
"""What is added to an index that does not count; sums of both are whole numbers of f32."""


LANES = 16
"""Elements that a row of one element is repeated to, so that it fills a block of a tile."""


def check_indices(cls: type[GraphOp], name: str, type_: AnyTensor) -> None:
    if type_.element_type != I32:
        cls.fail(f"{name} must be i32, got {type_.element_type}")


def check_table(cls: type[GraphOp], size: int, indices: AnyTensor) -> None:
    """The op's VerifyException where there are indices into a dimension of no elements."""
    if size == 0 and 0 not in indices.get_shape():
        cls.fail(f"indices {dims(indices)} into a dimension of size 0")


@dataclass(frozen=True)
class Gathered(TilingRule):
    """The result's rows are those of operand 0 that the indices in operand 1 pick along the op's `axis`."""

    engine: str = "vector"
    indices: tuple[int, ...] = (1,)

    def iteration(self, op: Operation, /) -> Iteration:
        given: Any = op
        axis, extents = given.axis.value.data % len(shape_of(given.x)), shape_of(given.result)
        picked = tuple(range(axis, axis + len(shape_of(given.indices))))
        behind = range(axis + len(picked), len(extents))
        rows: OperandMap = (*map(Along, range(axis)), Picked(given.indices, picked), *map(Along, behind))
        return Iteration(extents, len(extents), (rows, tuple(map(Along, picked))), (None, None))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return operands[0]


def _gather_elements(op: Any) -> list[Operation]:
    """Single elements as rows: of several along the axis, the axis is first turned before them, behind the first
    dimension where it is dynamic or enough others are left for whole rows; of one alone, each is first repeated to a
    row."""
    shape = shape_of(op.x)
    axis: int = op.axis.value.data % len(shape)
    count, result = shape[axis], shape_of(op.result)
    flat = ReshapeOp(op.indices, shape=[prod(shape_of(op.indices))])
    dynamic = axis > 0 and depends_on_size(shape[0])
    lead = list(shape[:1]) if dynamic or prod(shape[1:axis]) >= LANES else []
    if prod(shape[len(lead) : axis]) == 1:
        column = ReshapeOp(op.x, shape=[*lead, count, 1])
        rows = BroadcastOp(column.result, shape=[*lead, count, LANES])
        picked = GatherOp(rows.result, flat.result, axis=len(lead))
        first = SliceOp(picked.result, starts=[0], ends=[1], axes=[len(lead) + 1])
        return [flat, column, rows, picked, first, ReshapeOp(first.result, shape=result)]
    matrix = ReshapeOp(op.x, shape=[*lead, prod(shape[len(lead) : axis]), count])
    perm = [1, 0] if not lead else [0, 2, 1]
    turned = TransposeOp(matrix.result, perm=perm)
    picked = GatherOp(turned.result, flat.result, axis=len(lead))
    back = TransposeOp(picked.result, perm=perm)
    return [flat, matrix, turned, picked, back, ReshapeOp(back.result, shape=result)]


@irdl_op_definition
class GatherOp(GraphOp):
    """The parts of x at `indices` (i32) along `axis`: x[:axis] + indices + x[axis + 1:]. An embedding is a gather from
    its table.

    %y = graph.gather %x, %i {axis = 0} : (tensor<1000x64xf16>, tensor<2x7xi32>) -> tensor<2x7x64xf16>
    """

    name = "graph.gather"
    SAME_ELEMENT_TYPE: ClassVar = False
    TAKES_I32: ClassVar = True
    TAKES_I1: ClassVar = True
    TILING: ClassVar = Gathered()
    MORE_TILINGS: ClassVar = (Composite(_gather_elements),)
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INT, default_value=to_attribute("int", 0))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, indices = types
        check_indices(cls, "indices", indices)
        if x.element_type not in (*FLOATS, IntegerType(1), I32):
            cls.fail(f"x must be f16, bf16, f32, i1 or i32, got {x.element_type}")
        shape = x.get_shape()
        axis = single_axis(cls, attributes["axis"], len(shape))
        check_table(cls, shape[axis], indices)
        return (TensorType(x.element_type, [*shape[:axis], *indices.get_shape(), *shape[axis + 1 :]]),)

    @property
    def tiling(self) -> TilingRule:
        shape = shape_of(self.x)
        behind = prod(shape[self.axis.value.data % len(shape) + 1 :])
        return self.MORE_TILINGS[0] if behind == 1 else self.TILING

    def indexed(self, index: int) -> int | None:
        shape = shape_of(self.x)
        return shape[self.axis.value.data % len(shape)] if index == 1 else None
