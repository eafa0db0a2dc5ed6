"""Bags of rows of a table: each is folded to one row.

    embedding_bag(t, i)       bags of one size, the last dimension of i        reduce(gather(t, i))
    embedding_bag(t, i, o)    bags of any sizes, which begin at the offsets o

The items of bags of any sizes are numbered by bag: that of item i is how many offsets are i or less. Where the number
of an item is that of a bag, a matrix of bags x items has a one, or the item's weight. Its product with the picked rows
gives the sums:

    n[i] = sum over b of (o[b] <= i)        S[b, i] = (n[i] == b + 1)        y = S @ gather(t, i)
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, var_operand_def

from ..dynamic import is_dynamic
from ..tiling import TilingRule
from .base import BOOL, STR, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .elementwise import F32, AddOp, CastOp, DivOp, MaximumOp, MinimumOp, MulOp
from .indexing import count_along
from .logic import CompareOp, SelectOp
from .movement import BroadcastOp
from .op_list import OpList
from .quantization import FLOATS
from .reduction import ReduceMaxOp, ReduceMeanOp, ReduceSumOp
from .rules import Composite, element_of, shape_of
from .selection import LARGEST
from .slicing import FAR, GatherOp, check_indices, check_table
from .structure import ReshapeOp, constant_of


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


def _largest(op: Any) -> list[Operation]:
    """The largest of all rows, those of other bags -inf, which is left of an empty bag."""
    do, element = OpList(), element_of(op.table)
    members = _members(do, op, _numbers(do, op))
    mine = do(ReshapeOp(members, shape=[*shape_of(members), 1]))
    none = do(constant_of(-inf, element))
    most = do(ReduceMaxOp(do(SelectOp(mine, do(GatherOp(op.table, op.indices)), none)), axes=[1]))
    do(SelectOp(do(CompareOp(most, none, direction="eq")), do(constant_of(0.0, element)), most))
    return do.made


def _largest_by_bounds(op: Any) -> list[Operation]:
    """The same of f32, which not every chip selects: no row of another bag is above the least number."""
    do = OpList()
    numbers = _numbers(do, op)
    members = do(CastOp(_members(do, op, numbers), to=F32))
    sign = do(AddOp(do(MulOp(members, do(constant_of(2.0, F32)))), do(constant_of(-1.0, F32))))
    bound = do(MulOp(do(ReshapeOp(sign, shape=[*shape_of(sign), 1])), do(constant_of(LARGEST, F32))))
    most = do(ReduceMaxOp(do(MinimumOp(do(GatherOp(op.table, op.indices)), bound)), axes=[1]))
    any_ = do(ReduceMaxOp(do(CastOp(_members(do, op, numbers), to=F32)), axes=[1], keep_dims=True))
    do(MulOp(most, any_))
    return do.made


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
    weighted, each item by its own number. Where there are offsets, picked rows are finite.

    %y = graph.embedding_bag %t, %i, %o, %w {mode = "sum"}
        : (tensor<1000x64xf16>, tensor<40xi32>, tensor<8xi32>, tensor<40xf16>) -> tensor<8x64xf16>
    """

    name = "graph.embedding_bag"
    SAME_ELEMENT_TYPE: ClassVar = False
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_of_one_size)
    MORE_TILINGS: ClassVar = (
        Composite(_by_product, without_cube=_by_sums),
        Composite(_largest),
        Composite(_largest_by_bounds),
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
        by_product, largest, by_bounds, nothing = self.MORE_TILINGS
        if self.offsets is None:
            return self.TILING
        if not shape_of(self.indices)[0]:
            return nothing
        if self.mode.data != "max":
            return by_product
        return by_bounds if element_of(self.table) == F32 else largest

    def indexed(self, index: int) -> int | None:
        return {1: shape_of(self.table)[0], 2: shape_of(self.indices)[0] + 1}.get(index)

    def ascends(self, index: int) -> bool:
        return index == 2


__all__ = ["EmbeddingBagOp"]
