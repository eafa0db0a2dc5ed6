"""Vector instructions on whole tiles."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes import NUMBER, fits_elements, integer_array, integers, number_attribute
from ..isa import VECTOR_INSTRUCTIONS, VectorInstruction
from ..late_format import LateFormat
from .types import TileType, tile_type


@irdl_op_definition
class VecOp(LateFormat):
    """One vector instruction on whole tiles; a source dimension of size one repeats along the result.

    The result may be written over a source that nothing reads later; with `apart` it is not.

    A tile of i1 in UB is a bit mask: what comparisons give and the first source of `vsel`; their operands have the
    result's shape. A scalar beside tiles of i32 is an i32, else an f32.

    %y = tile.vec "vadd"(%a, %b) : (!tile.tile<…>, !tile.tile<…>) -> !tile.tile<…>
    """

    name = "tile.vec"
    instruction = prop_def(StringAttr)
    sources = var_operand_def(TileType)
    scalar = opt_prop_def(NUMBER)
    apart = opt_prop_def(UnitAttr)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = (
        "$instruction `(` $sources `)` (`scalar` $scalar^)? attr-dict "
        "`:` `(` type($sources) `)` `->` type($result)"
    )

    def __init__(
        self,
        instruction: str,
        sources: Sequence[SSAValue],
        result_type: TileType,
        scalar: float | None = None,
    ):
        beside = tile_type(sources[0]) if sources else result_type
        super().__init__(
            operands=[list(sources)],
            properties={
                "instruction": StringAttr(instruction),
                "scalar": None if scalar is None else number_attribute(scalar, beside.element_type),
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        known = VECTOR_INSTRUCTIONS.get(self.instruction.data)
        if known is None or known.foreign:
            raise VerifyException(f"tile.vec: unknown instruction {self.instruction.data!r}")
        if len(self.sources) != known.sources:
            raise VerifyException(
                f"tile.vec: {known.name} takes {known.sources} sources, got {len(self.sources)}"
            )
        shape = tile_type(self.result).get_shape()
        if known.mask:
            mask = self.result if known.mask == "result" else self.sources[0]
            if str(tile_type(mask).element_type) != "i1":
                raise VerifyException(f"tile.vec: the mask of {known.name} is a tile of i1, got {mask.type}")
            if any(tile_type(source).get_shape() != shape for source in self.sources):
                raise VerifyException(f"tile.vec: operands of {known.name} have the result's shape")
        for source in self.sources:
            sizes = tile_type(source).get_shape()
            if len(sizes) != len(shape) or any(s not in (1, r) for s, r in zip(sizes, shape, strict=True)):
                raise VerifyException(f"tile.vec: {source.type} does not broadcast to {self.result.type}")
        self._verify_alike(known)

    def _verify_alike(self, known: VectorInstruction) -> None:
        """Operands are in UB and lie as the result does; but for masks and what converts they have one type."""
        result = tile_type(self.result)
        beside = (tile_type(self.sources[0]) if self.sources else result).element_type
        if self.scalar is not None and not fits_elements(self.scalar, beside):
            raise VerifyException(f"tile.vec: the scalar beside {beside} is not {self.scalar}")
        numbers = [tile_type(source) for source in self.sources][known.mask == "first" :]
        if known.mask != "result":
            numbers.append(result)
        for kind in (result, *(tile_type(source) for source in self.sources)):
            if kind.space.data != "ub":
                raise VerifyException(f"tile.vec: the Vector works in ub, not on {kind}")
            if (kind.blocked, kind.get_order()) != (result.blocked, result.get_order()):
                raise VerifyException(f"tile.vec: {kind} does not lie as {result}")
        if not known.converts and len({kind.element_type for kind in numbers}) > 1:
            types = ", ".join(str(kind.element_type) for kind in numbers)
            raise VerifyException(f"tile.vec: operands of {known.name} have one element type, not {types}")


REDUCTIONS = ("add", "max", "min", "mul")


@irdl_op_definition
class ReduceOp(LateFormat):
    """The sum, the largest or the least element or the product of a tile along `dims`, which have size one in the
    result. No instruction multiplies lanes: `"mul"` takes other dimensions alone.

    %s = tile.reduce "add"(%x) {dims = array<i64: 1>} : (!tile.tile<…>) -> !tile.tile<…>
    """

    name = "tile.reduce"
    kind = prop_def(StringAttr)
    source = operand_def(TileType)
    dims = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$kind `(` $source `)` attr-dict `:` `(` type($source) `)` `->` type($result)"

    def __init__(self, kind: str, source: SSAValue, dims: Sequence[int], result_type: TileType):
        super().__init__(
            operands=[source],
            properties={"kind": StringAttr(kind), "dims": integer_array(dims)},
            result_types=[result_type],
        )

    @property
    def dim_list(self) -> tuple[int, ...]:
        return integers(self.dims)

    def verify_(self) -> None:
        if self.kind.data not in REDUCTIONS:
            raise VerifyException(
                f"tile.reduce: unknown reduction {self.kind.data!r}; one of {', '.join(REDUCTIONS)}"
            )
        source, result = tile_type(self.source), tile_type(self.result)
        if source.space.data != "ub" or result.space.data != "ub":
            raise VerifyException(f"tile.reduce: from ub to ub, not {source} to {result}")
        dims = self.dim_list
        if not all(0 <= d < len(source.get_shape()) for d in dims):
            raise VerifyException(
                f"tile.reduce: dims {list(dims)} of a tile of rank {len(source.get_shape())}"
            )
        expected = tuple(1 if d in dims else n for d, n in enumerate(source.get_shape()))
        if result.get_shape() != expected or result.element_type != source.element_type:
            raise VerifyException(
                f"tile.reduce: {self.source.type} along {list(dims)} does not give {result}"
            )


@irdl_op_definition
class ScanOp(LateFormat):
    """The sum of all elements of a tile up to each one along dimension `dim`, which the tile holds in full; from each
    one on with `reverse`. No instruction sums lanes up: `dim` is another dimension.

    %s = tile.scan %x {dim = 0 : i64} : !tile.tile<…>
    """

    name = "tile.scan"
    T: ClassVar = VarConstraint("T", base(TileType))
    source = operand_def(T)
    dim = prop_def(IntegerAttr)
    reverse = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($result)"

    def __init__(self, source: SSAValue, dim: int, reverse: bool):
        super().__init__(
            operands=[source],
            properties={"dim": IntegerAttr(dim, i64), "reverse": UnitAttr() if reverse else None},
            result_types=[source.type],
        )

    def verify_(self) -> None:
        kind, dim = tile_type(self.source), self.dim.value.data
        if kind.space.data != "ub":
            raise VerifyException(f"tile.scan: the Vector works in ub, not on {kind}")
        if not 0 <= dim < len(kind.get_shape()):
            raise VerifyException(f"tile.scan: dim {dim} of a tile of rank {len(kind.get_shape())}")
        if dim == (len(kind.get_shape()) - 1 if kind.blocked is None else kind.blocked):
            raise VerifyException(
                f"tile.scan: dim {dim} has the lanes of {kind}, which no instruction sums up"
            )


@irdl_op_definition
class JoinOp(LateFormat):
    """Parts of tiles put together along dimension `dim`: of tile `j` the indices from `starts[j]` to the next start, in
    the grid's count; `at` is where in it the tiles begin. What a tile holds elsewhere is not used.

    %y = tile.join %a, %b at %o {dim = 1 : i64, starts = array<i64: 0, 32>} : (!tile.tile<…>, …) -> !tile.tile<…>
    """

    name = "tile.join"
    sources = var_operand_def(TileType)
    at = operand_def(IndexType)
    dim = prop_def(IntegerAttr)
    starts = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$sources `at` $at attr-dict `:` `(` type($sources) `)` `->` type($result)"

    def __init__(
        self,
        sources: Sequence[SSAValue],
        at: SSAValue,
        dim: int,
        starts: Sequence[int],
        result_type: TileType,
    ):
        super().__init__(
            operands=[sources, at],
            properties={"dim": IntegerAttr(dim, i64), "starts": integer_array(starts)},
            result_types=[result_type],
        )

    @property
    def start_list(self) -> tuple[int, ...]:
        return integers(self.starts)

    def verify_(self) -> None:
        starts, shape = self.start_list, tile_type(self.result).get_shape()
        if len(starts) != len(self.sources) or not starts or list(starts) != sorted(starts):
            raise VerifyException(
                f"tile.join: {list(starts)} are not where {len(self.sources)} tiles start, in order"
            )
        if not 0 <= self.dim.value.data < len(shape):
            raise VerifyException(f"tile.join: dim {self.dim.value.data} of a tile of rank {len(shape)}")
        if any(source.type != self.result.type for source in self.sources):
            raise VerifyException(f"tile.join: all tiles have the type of the result, {self.result.type}")
        if tile_type(self.result).space.data != "ub":
            raise VerifyException(f"tile.join: tiles are put together in ub, not {self.result.type}")


@irdl_op_definition
class MoveOp(LateFormat):
    """A tile that was computed in UB as an operand of a product in L1: dimension `i` of the operand is dimension
    `dims[i]` of the tile, which is blocked as the operand is, or has the operand's blocks in rows.

    %a = tile.move %t {dims = array<i64: 0, 2>} : !tile.tile<64x1x32xf16, ub, …> -> !tile.tile<64x32xf16, l1, …>
    """

    name = "tile.move"
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
        source, result = tile_type(self.source), tile_type(self.result)
        spaces = source.space.data, result.space.data
        if spaces != ("ub", "l1") or source.element_type != result.element_type:
            raise VerifyException(f"tile.move: from ub to l1 in one element type, not {source} to {result}")
        dims, shape = self.dim_list, source.get_shape()
        if len(dims) != len(result.get_shape()) or not all(0 <= d < len(shape) for d in dims):
            raise VerifyException(f"tile.move: dims {list(dims)} of a tile of rank {len(shape)}")
        if tuple(shape[d] for d in dims) != result.get_shape():
            raise VerifyException(f"tile.move: dims {list(dims)} of {source} are not {result}")


@irdl_op_definition
class WindowOp(LateFormat):
    """The part of a tile at one window position: element `i` of dimension `d` is `starts[d] + i * strides[d]`. A stride
    of 0 leaves one element, which repeats along the result.

    %v = tile.window %x {starts = array<i64: 0, 1>, strides = array<i64: 1, 1>} : !tile.tile<…> -> !tile.tile<…>
    """

    name = "tile.window"
    source = operand_def(TileType)
    starts = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self, source: SSAValue, starts: Sequence[int], strides: Sequence[int], result_type: TileType
    ):
        super().__init__(
            operands=[source],
            properties={"starts": integer_array(starts), "strides": integer_array(strides)},
            result_types=[result_type],
        )

    @property
    def start_list(self) -> tuple[int, ...]:
        """The first element along each dimension."""
        return integers(self.starts)

    @property
    def stride_list(self) -> tuple[int, ...]:
        """From one element to the next; 0: there is one."""
        return integers(self.strides)

    def verify_(self) -> None:
        rank = len(tile_type(self.source).get_shape())
        starts, strides = self.start_list, self.stride_list
        if not len(starts) == len(strides) == len(tile_type(self.result).get_shape()) == rank:
            raise VerifyException(f"tile.window: starts and strides of a tile of rank {rank}")
        sizes = tile_type(self.result).get_shape()
        steps = [stride for stride, size in zip(strides, sizes, strict=True) if stride != 0 or size > 1]
        if min(starts, default=0) < 0 or min(steps, default=1) < 1:
            raise VerifyException(
                "tile.window: starts are 0 or more, strides 1 or more, or 0 where one element is left"
            )
        source, result = tile_type(self.source), tile_type(self.result)
        alike = source.space == result.space and source.element_type == result.element_type
        lasts = (start + (n - 1) * stride for start, stride, n in zip(starts, strides, sizes, strict=True))
        if not alike or any(last >= n for last, n in zip(lasts, source.get_shape(), strict=True)):
            raise VerifyException(
                f"tile.window: {list(starts)} by {list(strides)} of {source} is no {result}"
            )
