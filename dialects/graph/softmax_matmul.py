"""A product with the softmax of rows, which keeps what joins it with those of other parts of the rows.

a = softmax_matmul(s[.., :T], v[:T])     b = softmax_matmul(s[.., T:], v[T:])
softmax(s) v = (exp(la) ya + exp(lb) yb) / (exp(la) + exp(lb))         of a = [ya, la], b = [yb, lb]
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, TensorType, f32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from ..records import dataclass
from ..tiling import Along, Contraction, Iteration, TilingRule, VectorBuilder
from .base import GraphOp, Types, Values, dims
from .contraction import MatmulOp
from .elements import from_array
from .elementwise import AddOp, MaximumOp, SubOp
from .movement import BroadcastOp, ConcatOp
from .normalization import SoftmaxOp
from .reduction import ReduceMaxOp, ReduceSumOp
from .row_computes import LEAST_F32, SOFTMAX_ONLINE, Online, Rows, State
from .rules import Composite, Contracted, broadcast_map, element_of, shape_of
from .structure import ConstantOp
from .unary import ExpOp, LogOp


@dataclass(frozen=True)
class WeighedRows(Contracted):
    """A product whose left operand's rows become weights part by part, in `online`, on their way to the Cube."""

    online: Online = SOFTMAX_ONLINE

    def update(
        self, op: Operation, b: VectorBuilder, state: State, operands: Sequence[SSAValue]
    ) -> tuple[State, SSAValue, SSAValue]:
        """`Online.update`, on one part of the rows."""
        iteration = self.iteration(op)
        rows = Rows((iteration.parallel,), iteration.extents[-1])
        return self.online.update(b, rows, state, operands[0], axis=-1, masked=True)

    def factor(self, op: Operation, b: VectorBuilder, state: State) -> SSAValue:
        """`Online.factor`, once all rows were met."""
        return self.online.factor(b, state, axis=-1, masked=True)

    def logarithm(self, b: VectorBuilder, state: State) -> SSAValue:
        """ln of what the weights of all rows would be divided by were they not less by their largest exponent."""
        most, total = state
        return b.add(most, b.ln(total))


def _iteration(op: "SoftmaxMatmulOp") -> Iteration:
    s, result = shape_of(op.s), shape_of(op.result)
    rank = len(result)
    m, n, k = rank - 2, rank - 1, rank
    batch = tuple(Along(d) for d in range(m))
    maps = (
        (*batch, Along(m), Along(k)),
        (*broadcast_map(shape_of(op.v)[:-2], result[:m]), Along(k), Along(n)),
    )
    return Iteration((*result, s[-1]), rank, maps, (None, None))


def _contraction(op: "SoftmaxMatmulOp") -> Contraction:
    rank = len(shape_of(op.result))
    return Contraction(tuple(range(rank - 2)), (rank - 2,), rank - 1, rank)


def _expand(op: "SoftmaxMatmulOp") -> list[Operation]:
    """The same of ops of their own: blocks of f32 do not come from rows that the Vector computed."""
    import numpy as np

    ops: list[Operation] = []

    def add(new: GraphOp) -> SSAValue:
        ops.append(new)
        return new.results[0]

    sums = add(MatmulOp(add(SoftmaxOp(op.s, masked=True)), op.v, out=f32))
    least = add(ConstantOp(value=from_array(np.array(LEAST_F32), f32)))
    most = add(MaximumOp(add(ReduceMaxOp(op.s, axes=[-1], keep_dims=True)), least))
    total = add(ReduceSumOp(add(ExpOp(add(SubOp(op.s, most)))), axes=[-1], keep_dims=True))
    logs = add(AddOp(most, add(LogOp(total))))
    beside = add(BroadcastOp(logs, shape=shape_of(sums)))
    add(ConcatOp([sums, beside], axis=len(shape_of(sums)) - 1))
    return ops


@irdl_op_definition
class SoftmaxMatmulOp(GraphOp):
    """[softmax(s) v, l] of rows s [.., M, K] and v [.., K, N]: f32 [.., M, 2 N], of which the last N columns all have
    l = ln(sum of exp(s)), so that results of parts of longer rows can be joined. N is a multiple of 16. A row of s of
    nothing but -inf gives zeros and -inf.

    %y = graph.softmax_matmul %s, %v : (tensor<2x4x8xf16>, tensor<2x8x16xf16>) -> tensor<2x4x32xf32>
    """

    name = "graph.softmax_matmul"
    TILING: ClassVar = WeighedRows(_iteration, _contraction)
    MORE_TILINGS: ClassVar = (Composite(_expand),)
    s = operand_def(TensorType)
    v = operand_def(TensorType)
    result = result_def(TensorType)

    @property
    def tiling(self) -> TilingRule:
        return self.MORE_TILINGS[0] if element_of(self.s) == f32 else self.TILING

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        s, v = types
        shapes = f"s {dims(s)} and v {dims(v)}"
        if not isinstance(s.element_type, Float16Type | BFloat16Type | Float32Type):
            cls.fail(f"s must be of floating-point numbers, got {s.element_type}")
        (*batch, rows, depth), (*others, inner, columns) = _matrix(cls, s, shapes), _matrix(cls, v, shapes)
        fits = len(batch) == len(others) and all(n in (1, m) for m, n in zip(batch, others, strict=True))
        if inner != depth or not fits:
            cls.fail(f"{shapes} differ: v is [.., K, N] for s [.., M, K]")
        if columns % 16:
            cls.fail(f"the columns of v are whole blocks of 16, got {shapes}")
        return (TensorType(f32, (*batch, rows, 2 * columns)),)


def _matrix(cls: type[GraphOp], kind: TensorType, shapes: str) -> tuple[int, ...]:  # pyright: ignore
    shape: tuple[int, ...] = kind.get_shape()
    if len(shape) < 2 or min(shape) < 1:
        cls.fail(f"operands need rank 2 or more and static sizes, got {shapes}")
    return shape


__all__ = ["SoftmaxMatmulOp", "WeighedRows"]
