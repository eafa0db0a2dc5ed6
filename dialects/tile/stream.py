"""A dimension that a kernel meets part by part, with tiles that are carried from part to part."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, i64
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers
from ..late_format import LateFormat
from .chunks import YieldOp
from .types import TileType, tile_type


@irdl_op_definition
class StreamOp(LateFormat):
    """Walk a dimension from `first` to `end` in parts of `step` indices, with tiles in UB that are carried from part to
    part. The body's arguments are the part's offset and size and the carried tiles; it yields what they become. The
    results are the carried tiles after the last part. This is how a row that is met part by part is reduced, and how
    products of its parts are summed up in UB, where what was summed before can be corrected.

        %m, %l = tile.stream from %m0, %l0 : !tile.tile<…>, !tile.tile<…>
            attributes {first = 0 : i64, end = 1024 : i64, step = 128 : i64} {
        ^bb0(%at: index, %size: index, %a: !tile.tile<…>, %b: !tile.tile<…>):
          …
          tile.yield %a1, %b1 : !tile.tile<…>, !tile.tile<…>
        } -> !tile.tile<…>, !tile.tile<…>
    """

    name = "tile.stream"
    initial = var_operand_def(TileType)
    first = prop_def(IntegerAttr)
    end = prop_def(IntegerAttr)
    step = prop_def(IntegerAttr)
    outputs = var_result_def(TileType)
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = (
        "`from` $initial `:` type($initial) attr-dict-with-keyword $body `->` type($outputs)"
    )

    def __init__(self, initial: Sequence[SSAValue], first: int, end: int, step: int):
        types = [value.type for value in initial]
        super().__init__(
            operands=[list(initial)],
            properties={
                "first": IntegerAttr(first, i64),
                "end": IntegerAttr(end, i64),
                "step": IntegerAttr(step, i64),
            },
            result_types=[types],
            regions=[Region(Block(arg_types=[IndexType(), IndexType(), *types]))],
        )

    @property
    def carried(self) -> Sequence[BlockArgument]:
        """The carried tiles as the body sees them."""
        return self.body.block.args[2:]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """What the carried tiles become."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last.values

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return (self.end.value.data - self.first.value.data) // self.step.value.data

    def verify_(self) -> None:
        first, end, step = (p.value.data for p in (self.first, self.end, self.step))
        if step < 1 or first < 0 or end <= first or (end - first) % step:
            raise VerifyException(f"tile.stream: parts of {step} do not make up [{first}, {end})")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or len(last.values) != len(self.initial):
            raise VerifyException(f"tile.stream: the body yields the {len(self.initial)} carried tiles")
        if [a.type for a in self.body.block.args[:2]] != [IndexType(), IndexType()]:
            raise VerifyException("tile.stream: the body begins with the part's offset and size")
        types = [value.type for value in self.initial]
        lists = [a.type for a in self.carried], [v.type for v in last.values], [r.type for r in self.outputs]
        if any(found != types for found in lists):
            raise VerifyException("tile.stream: a carried tile has one type before, in and after the body")
        for kind in map(tile_type, types):
            if kind.space.data != "ub":
                raise VerifyException(f"tile.stream: carried tiles are in ub, not in {kind.space.data}")
        for argument, value in zip(self.carried, last.values, strict=True):
            if isinstance(value, BlockArgument) and value.owner is self.body.block and value is not argument:
                raise VerifyException("tile.stream: a carried tile takes no other one's place")


@irdl_op_definition
class SqueezeOp(LateFormat):
    """A tile without dimensions in which it has one element: `dims` are those that stay. No bytes move.

    %y = tile.squeeze %x {dims = array<i64: 0, 1>} : !tile.tile<…> -> !tile.tile<…>
    """

    name = "tile.squeeze"
    source = operand_def(TileType)
    dims = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, dims: Sequence[int], result_type: TileType):
        super().__init__(
            operands=[source], properties={"dims": integer_array(dims)}, result_types=[result_type]
        )

    @property
    def dim_list(self) -> tuple[int, ...]:
        return integers(self.dims)

    def verify_(self) -> None:
        source, result, dims = tile_type(self.source), tile_type(self.result), self.dim_list
        shape = source.get_shape()
        if sorted(set(dims)) != list(dims) or not all(0 <= d < len(shape) for d in dims):
            raise VerifyException(f"tile.squeeze: dims {list(dims)} of a tile of rank {len(shape)}")
        if any(n != 1 for d, n in enumerate(shape) if d not in dims):
            raise VerifyException(
                f"tile.squeeze: dims {list(dims)} of {source} leave out more than one element"
            )
        same = source.space == result.space and source.element_type == result.element_type
        if not same or result.get_shape() != tuple(shape[d] for d in dims):
            raise VerifyException(f"tile.squeeze: dims {list(dims)} of {source} are not {result}")
