"""An accumulator seen in chunks, and what a body gives."""

from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, TensorType, f32, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from ..operand_segments import quick_operands
from .types import BLOCK, TileType, tile_type


@irdl_op_definition
class YieldOp(LateFormat):
    """The operand tiles of one step of a contraction, what a part of a stream carries on, or a chunk of a tile that
    stays in L1. In a group of graph ops, the tensor that it gives.

    tile.yield %a, %b : …
    """

    name = "tile.yield"
    values = var_operand_def(BaseAttr(TileType) | BaseAttr(TensorType))
    traits = traits_def(IsTerminator())
    FORMAT: ClassVar[str] = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        around = self.parent_op()
        kind = TensorType if around is not None and around.name == "tile.group" else TileType
        for value in self.values:
            if not isinstance(value.type, kind):
                raise VerifyException(
                    f"tile.yield: {value.type}; a group yields a tensor, what is in a kernel tiles"
                )


@irdl_op_definition
class ChunksOp(LateFormat):
    """Walk dimension `dim` of an accumulator in steps that fit UB; the body's argument is the offset in the tile. With
    a result the body yields what each chunk becomes, and all of them are a tile in L1, which another product reads.

    tile.chunks {dim = 1 : i64, size = 128 : i64, step = 64 : i64} {^bb0(%o: index): …}
    """

    name = "tile.chunks"
    dim = prop_def(IntegerAttr)
    size = prop_def(IntegerAttr)
    step = prop_def(IntegerAttr)
    body = region_def("single_block")
    held = opt_result_def(TileType)
    traits = traits_def(NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "attr-dict-with-keyword $body (`->` type($held)^)?"

    def __init__(self, dim: int, size: int, step: int, held: TileType | None = None):
        super().__init__(
            properties={
                "dim": IntegerAttr(dim, i64),
                "size": IntegerAttr(size, i64),
                "step": IntegerAttr(step, i64),
            },
            result_types=[held],
            regions=[Region(Block(arg_types=[IndexType()]))],
        )

    def verify_(self) -> None:
        if self.dim.value.data < 0:
            raise VerifyException(f"tile.chunks: there is no dimension {self.dim.value.data}")
        if self.step.value.data < 1 or self.size.value.data % self.step.value.data:
            raise VerifyException(
                f"tile.chunks: step {self.step.value.data} does not divide {self.size.value.data}"
            )
        last = self.body.block.last_op
        if self.held is None:
            if isinstance(last, YieldOp):
                raise VerifyException("tile.chunks: the body yields a chunk of the result, and there is none")
            self._verify_parts()
            return
        if tile_type(self.held).space.data != "l1":
            raise VerifyException(f"tile.chunks: what is held is in l1, not {self.held.type}")
        if not isinstance(last, YieldOp) or len(last.values) != 1:
            raise VerifyException("tile.chunks: the body yields one chunk of the result")
        chunk, held = tile_type(last.values[0]), tile_type(self.held)
        same = (
            chunk.element_type == held.element_type and chunk.blocked == held.blocked == self.dim.value.data
        )
        beside = (
            [n for d, n in enumerate(kind.get_shape()) if d != self.dim.value.data] for kind in (chunk, held)
        )
        if not same or chunk.get_order() != held.get_order() or len({*map(tuple, beside)}) > 1:
            raise VerifyException(f"tile.chunks: {chunk} is no chunk of {held} along {self.dim.value.data}")
        self._verify_parts()

    def _verify_parts(self) -> None:
        """What the body takes at the chunk's offset are chunks of this size along this dimension, and these are all."""
        dim, size, step = (p.value.data for p in (self.dim, self.size, self.step))
        for op in self.body.block.ops:
            if isinstance(op, ExtractOp) and op.offset is self.body.block.args[0]:
                whole, part = tile_type(op.source).get_shape(), tile_type(op.result).get_shape()
                if (
                    op.dim.value.data != dim
                    or part[dim] != step
                    or not whole[dim] <= size < whole[dim] + BLOCK
                ):
                    raise VerifyException(
                        f"tile.chunks: {size} along {dim} in steps of {step}, and the body takes {op.result.type} "
                        f"along {op.dim.value.data} of {op.source.type}"
                    )


@quick_operands
@irdl_op_definition
class ExtractOp(LateFormat):
    """A chunk of an accumulator, moved to UB and rounded to the result's element type. With `slope`, negative values
    are multiplied by it on the way (0: relu), with `slopes`, a row in fb, by that of their column, on chips with a
    FixPipe. A result of i8 is so many steps: multiplied by `scale`, rounded to nearest even, plus `zero_point`. Sums in
    i32 are multiplied by `scale` to become f16. `scales`, a row in fb, has that of each column instead. Of a tile in UB
    it is a part, to which no bytes move.

    %t = tile.extract %acc at %o {dim = 1 : i64} : !tile.tile<…, l0c, …> -> !tile.tile<…, ub, …>
    """

    name = "tile.extract"
    source = operand_def(TileType)
    offset = operand_def(IndexType)
    dim = prop_def(IntegerAttr)
    slope = opt_prop_def(FloatAttr)
    scale = opt_prop_def(FloatAttr)
    zero_point = opt_prop_def(IntegerAttr)
    slopes = opt_operand_def(TileType)
    scales = opt_operand_def(TileType)
    result = result_def(TileType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$source `at` $offset (`slopes` $slopes^ `:` type($slopes))? (`scales` $scales^ `:` type($scales))? "
        "attr-dict `:` type($source) `->` type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        offset: SSAValue,
        dim: int,
        result_type: TileType,
        slope: float | None = None,
        slopes: SSAValue | None = None,
        steps: tuple[float, int] | None = None,
        scales: SSAValue | None = None,
    ):
        """`steps`: the scale of an i8 result, or of f16 of i32, and its zero point; with `scales` that has each
        column's."""
        scale, zero_point = steps or (None, 0)
        scale = scale if scales is None else None
        super().__init__(
            operands=[source, offset, slopes, scales],
            properties={
                "dim": IntegerAttr(dim, i64),
                "slope": None if slope is None else FloatAttr(slope, f32),
                "scale": None if scale is None else FloatAttr(scale, f32),
                "zero_point": IntegerAttr(zero_point, i64) if zero_point else None,
            },
            result_types=[result_type],
        )

    @property
    def steps(self) -> tuple[float, int] | None:
        """The scale of an i8 result, or of f16 of i32, beside that of its column, and its zero point."""
        if self.scale is None and self.scales is None:
            return None
        scale = 1.0 if self.scale is None else float(self.scale.value.data)
        return scale, 0 if self.zero_point is None else self.zero_point.value.data

    def verify_(self) -> None:
        rank = len(tile_type(self.source).get_shape())
        if self.slope is not None or self.slopes is not None:
            if tile_type(self.source).space.data != "l0c":
                raise VerifyException("tile.extract: slope is for what leaves l0c")
            if self.slopes is not None and (
                self.slope is not None or tile_type(self.slopes).space.data != "fb"
            ):
                raise VerifyException("tile.extract: slopes are in fb, in place of a slope")
        pair = tuple(str(tile_type(value).element_type) for value in (self.source, self.result))
        made = tile_type(self.source).space.data == "l0c" and (pair[1] == "i8" or pair == ("i32", "f16"))
        if self.scales is not None and tile_type(self.scales).space.data != "fb":
            raise VerifyException("tile.extract: scales are in fb")
        if (self.scale is not None) + (self.scales is not None) != made:
            raise VerifyException("tile.extract: a scale is what i8 that leaves l0c has, and f16 of i32")
        if self.zero_point is not None and pair[1] != "i8":
            raise VerifyException("tile.extract: a zero point is what i8 with a scale has")
        if not 0 <= self.dim.value.data < rank or len(tile_type(self.result).get_shape()) != rank:
            raise VerifyException(f"tile.extract: dimension {self.dim.value.data} of tiles of rank {rank}")
        source, result, dim = tile_type(self.source), tile_type(self.result), self.dim.value.data
        if source.space.data not in ("l0c", "ub") or result.space.data != "ub":
            raise VerifyException(f"tile.extract: from l0c or ub to ub, not {source} to {result}")
        pairs = enumerate(zip(source.get_shape(), result.get_shape(), strict=True))
        same = source.get_order() == result.get_order() and source.blocked == result.blocked
        if not same or any(
            part >= whole + BLOCK if d == dim else part != whole for d, (whole, part) in pairs
        ):
            raise VerifyException(f"tile.extract: {result} is no part of {source} along {dim}")
