"""Bags of rows of a table: each is folded to one row.

    embedding_bag(t, i)       bags of one size, the last dimension of i        reduce(gather(t, i))
    embedding_bag(t, i, o)    bags of any sizes, which begin at the offsets o

The rows of bags of any sizes are folded as they are loaded: the scalar unit reads where a bag begins and ends.

Few long bags would leave most cores idle: their sums are a product. The items are numbered by bag: that of item i is
how many offsets are i or less. Where the number of an item is that of a bag, a matrix of bags x items has a one, or the
item's weight. Its product with the picked rows gives the sums:

    n[i] = sum over b of (o[b] <= i)        S[b, i] = (n[i] == b + 1)        y = S @ gather(t, i)
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, var_operand_def

from ..dynamic import is_dynamic
from ..records import dataclass
from ..tiling import Along, Bags, Iteration, OperandMap, Picked, TilingRule, VectorBuilder, Whole
from .base import BOOL, STR, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .elementwise import F32, CastOp, DivOp, MaximumOp, MulOp
from .indexing import count_along
from .logic import CompareOp
from .movement import BroadcastOp
from .op_list import OpList
from .quantization import FLOATS
from .reduction import ReduceMaxOp, ReduceMeanOp, ReduceSumOp
from .rules import Composite, element_of, shape_of
from .slicing import FAR, LANES, GatherOp, SliceOp, check_indices, check_table
from .structure import ReshapeOp, constant_of

LONG = 256
"""Items of a bag, on average, from which on all cores had better share them."""


def _of_one_size(op: Any) -> list[Operation]:
    axis = len(shape_of(op.indices)) - 1
    folds: dict[str, type[Operation]] = {"mean": ReduceMeanOp, "max": ReduceMaxOp}
    reduce: Any = folds.get(op.mode.data, ReduceSumOp) if shape_of(op.indices)[axis] else ReduceSumOp
    rows = GatherOp(op.table, op.indices)
    return [rows, reduce(rows.result, axes=[axis])]


def _numbers(do: OpList, op: Any) -> SSAValue:
    """The number of each item's bag, from 1 on, [1, items] in f32; 0 before the first bag."""
    items, offsets = shape_of(op.indices)[0], shape_of(op.offsets)[0]
    starts = do(CastOp(do(ReshapeOp(op.offsets, shape=[offsets, 1])), to=F32))
    begun = do(CompareOp(do(count_along((1, items), 1)), starts, direction="ge"))
    return do(ReduceSumOp(do(CastOp(begun, to=F32)), axes=[0], keep_dims=True))


def _members(do: OpList, op: Any, numbers: SSAValue) -> SSAValue:
    """Which items lie in which bag, [bags, items] of i1: whoever needs it computes it by itself, as numbers are far
    fewer."""
    return do(CompareOp(numbers, do(count_along((shape_of(op.result)[0], 1), 0, 1.0)), direction="eq"))


def _shares(do: OpList, op: Any, numbers: SSAValue) -> SSAValue:
    """How much of each item a bag takes up, [bags, items] in the table's type."""
    shares = do(CastOp(_members(do, op, numbers), to=element_of(op.table)))
    if op.weights is None:
        return shares
    return do(MulOp(shares, do(ReshapeOp(op.weights, shape=[1, *shape_of(op.weights)]))))


def _finished(do: OpList, op: Any, numbers: SSAValue, total: SSAValue) -> list[Operation]:
    """Sums as sums or, of sums in f32, means."""
    if op.mode.data == "mean":
        own = do(CastOp(_members(do, op, numbers), to=F32))
        count = do(MaximumOp(do(ReduceSumOp(own, axes=[1], keep_dims=True)), do(constant_of(1.0, F32))))
        total = do(DivOp(total, count))
    if element_of(total) != element_of(op.table):
        do(CastOp(total, to=element_of(op.table)))
    return do.made


def _by_product(op: Any) -> list[Operation]:
    do = OpList()
    numbers = _numbers(do, op)
    out = F32 if op.mode.data == "mean" else None
    total = do(MatmulOp(_shares(do, op, numbers), do(GatherOp(op.table, op.indices)), out=out))
    return _finished(do, op, numbers, total)


def _by_sums(op: Any) -> list[Operation]:
    """The same on the Vector unit."""
    do = OpList()
    numbers = _numbers(do, op)
    shares = _shares(do, op, numbers)
    columns = do(ReshapeOp(shares, shape=[*shape_of(shares), 1]))
    weighted = do(MulOp(do(GatherOp(op.table, op.indices)), columns))
    return _finished(do, op, numbers, do(ReduceSumOp(weighted, axes=[1])))


def _of_one_column(op: Any) -> list[Operation]:
    """A table of one column as one of whole blocks, of which the first column is taken."""
    do = OpList()
    wide = do(BroadcastOp(op.table, shape=[shape_of(op.table)[0], LANES]))
    folded = do(EmbeddingBagOp(wide, op.indices, *op.bags, **op.attribute_values()))
    do(SliceOp(folded, starts=[0], ends=[1], axes=[1]))
    return do.made


@dataclass(frozen=True)
class Bagged(TilingRule):
    """The result's rows are those of operand 0 that each part of operand 1 picks, folded to one. Operand 2 cuts the
    parts, operand 3 has weights."""

    engine: str = "vector"
    indices: tuple[int, ...] = (1, 2, 3)

    def iteration(self, op: Operation, /) -> Iteration:
        given: Any = op
        bags = Bags(given.offsets, "add" if given.mode.data == "sum" else given.mode.data, given.weights)
        rows: OperandMap = (Picked(given.indices, (0,), bags), Along(1))
        lists: list[OperandMap] = [(Whole(),) for _ in op.operands[1:]]
        return Iteration(shape_of(given.result), 2, (rows, *lists), (None,) * len(op.operands))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return operands[0]


def _nothing(op: Any) -> list[Operation]:
    """Empty bags."""
    zero = constant_of([[0.0]], element_of(op.table))
    return [zero, BroadcastOp(zero.result, shape=shape_of(op.result))]


@irdl_op_definition
class EmbeddingBagOp(GraphOp):
    """The sum, the mean or the largest elements of the rows of a table that each bag of `indices` (i32) names; an empty
    bag gives 0. Without offsets the last dimension of the indices is a bag. With them the indices are one list, and bag
    b has those from offsets[b] (i32) to before offsets[b + 1]; the last bag ends with the list, or with
    `include_last_offset` at the last offset, which begins no bag. Offsets ascend from 0 or more. What is summed may be
    weighted, each item by its own number; then picked rows are finite.

    %y = graph.embedding_bag %t, %i, %o, %w {mode = "sum"}
        : (tensor<1000x64xf16>, tensor<40xi32>, tensor<8xi32>, tensor<40xf16>) -> tensor<8x64xf16>
    """

    name = "graph.embedding_bag"
    SAME_ELEMENT_TYPE: ClassVar = False
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_of_one_size)
    MORE_TILINGS: ClassVar = (
        Bagged(),
        Composite(_of_one_column),
        Composite(_by_product, without_cube=_by_sums),
        Composite(_nothing),
    )
    CHOICES: ClassVar = {"mode": ("sum", "mean", "max")}
    OPTIONAL: ClassVar = {"bags": ("offsets", "weights")}
    table = operand_def(TensorType)
    indices = operand_def(TensorType)
    bags = var_operand_def(TensorType)
    result = result_def(TensorType)
    mode = prop_def(STR, default_value=to_attribute("str", "sum"))
    include_last_offset = prop_def(BOOL, default_value=to_attribute("bool", False))

    @property
    def offsets(self) -> SSAValue | None:
        return self.bags[0] if self.bags else None

    @property
    def weights(self) -> SSAValue | None:
        return self.bags[1] if len(self.bags) > 1 else None

    @classmethod
    def infer(
        cls, operand_types: Sequence[AnyTensor], properties: Mapping[str, Attribute]
    ) -> tuple[AnyTensor, ...]:
        types = super().infer(operand_types, properties)
        if len(operand_types) > 2 and any(map(is_dynamic, operand_types[1:])):
            given = " and offsets ".join(map(dims, operand_types[1:3]))
            cls.fail(f"bags with offsets need static sizes, got indices {given}")
        return types

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        table, indices = types[:2]
        check_indices(cls, "indices", indices)
        if len(table.get_shape()) != 2 or not indices.get_shape():
            cls.fail(
                f"needs a table of rows and indices of rank 1 or more, got {dims(table)} and {dims(indices)}"
            )
        check_table(cls, table.get_shape()[0], indices)
        bags = indices.get_shape()[:-1]
        if len(types) > 2:
            bags = (cls._bags_of(types, attributes),)
        elif attributes["include_last_offset"]:
            cls.fail("include_last_offset needs offsets")
        return (TensorType(table.element_type, (*bags, table.get_shape()[1])),)

    @classmethod
    def _bags_of(cls, types: Types, attributes: Values) -> int:
        """How many bags the offsets begin."""
        table, indices, offsets = types[:3]
        check_indices(cls, "offsets", offsets)
        if len(indices.get_shape()) != 1 or len(offsets.get_shape()) != 1:
            cls.fail(
                f"bags with offsets need indices and offsets of rank 1, got {dims(indices)} and {dims(offsets)}"
            )
        if table.element_type not in FLOATS:
            cls.fail(f"bags with offsets need a table of floating-point numbers, got {table.element_type}")
        if max(*indices.get_shape(), *offsets.get_shape()) > FAR:
            cls.fail(f"takes up to 2^23 indices and offsets, got {dims(indices)} and {dims(offsets)}")
        bags = offsets.get_shape()[0] - bool(attributes["include_last_offset"])
        if bags < 0:
            cls.fail("include_last_offset needs one offset or more, got none")
        if len(types) > 3:
            weights, mode = types[3], attributes["mode"]
            if mode != "sum":
                cls.fail(f'weights go with mode = "sum", got "{mode}"')
            if weights != TensorType(table.element_type, indices.get_shape()):
                wanted = TensorType(table.element_type, indices.get_shape())
                cls.fail(f"weights must be {wanted}, one of the table's type for each index, got {weights}")
        return bags

    @property
    def tiling(self) -> TilingRule:
        folded, of_one_column, by_product, nothing = self.MORE_TILINGS
        if self.offsets is None:
            return self.TILING
        (items,), (bags, width), mode = shape_of(self.indices), shape_of(self.result), self.mode.data
        if not items:
            return nothing
        if mode != "max" and items > LONG * bags:
            return by_product
        return of_one_column if width == 1 else folded

    def indexed(self, index: int) -> int | None:
        return {1: shape_of(self.table)[0], 2: shape_of(self.indices)[0] + 1}.get(index)

    def ascends(self, index: int) -> bool:
        return index == 2


__all__ = ["EmbeddingBagOp"]
