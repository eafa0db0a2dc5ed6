"""Ops of the tile level."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    f32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..ascend.isa import VECTOR_INSTRUCTIONS
from ..attributes import integer_array, integers
from ..tiling import OperandMap
from .maps import decode_map, encode_map
from .types import TileType, tile_type

TAILS = ("shift", "clip", "cover")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The operand tiles of one step of a contraction.  `tile.yield %a, %b : …`"""

    name = "tile.yield"
    values = var_operand_def(TileType)
    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[list(values)])


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One fused kernel. The grid has `ceil(extent / tile)` points along each dimension of its result.

    Block arguments: the inputs, the results (written by `tile.store`), then for every dimension of the
    iteration space the offset and the size of this point's tile. With `tails = "shift"` the last tile of a
    dimension starts early so that every tile has its full size; with `"clip"` it is smaller; with `"cover"` it has
    its full size and what lies past the end is neither read nor written. A list, `"shift,cover"`, says it for each.
    Points are dealt to `cores` cores in turn, `swizzle` rows of the grid at a time (its last two dimensions with
    more than one point), so that cores at work together share operands in L2. `serial` counts trailing dimensions
    of the grid that one core walks on its own.

        %y = tile.kernel "k"(%x) {cores = 2 : i64, extents = array<i64: 64>, tiles = array<i64: 32>, tails = "clip", …}
             {^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index): …}
             : (tensor<64xf16>) -> tensor<64xf16>
    """

    name = "tile.kernel"
    kernel_name = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    cores = prop_def(IntegerAttr)
    extents = prop_def(DenseArrayBase)
    tiles = prop_def(DenseArrayBase)
    tails = prop_def(StringAttr)
    swizzle = prop_def(IntegerAttr)
    serial = prop_def(IntegerAttr)
    ops = prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kernel_name `(` $inputs `)` attr-dict-with-keyword $body "
        "`:` `(` type($inputs) `)` `->` `(` type($outputs) `)`"
    )

    def __init__(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        argument_types: Sequence[Attribute],
        result_types: Sequence[Attribute],
        *,
        cores: int,
        extents: Sequence[int],
        tiles: Sequence[int],
        tails: str,
        swizzle: int = 1,
        serial: int = 0,
        ops: Sequence[str] = (),
    ):
        block = Block(arg_types=[*argument_types, *[IndexType()] * (2 * len(extents))])
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(result_types)],
            properties={
                "kernel_name": StringAttr(name),
                "cores": IntegerAttr(cores, i64),
                "extents": integer_array(extents),
                "tiles": integer_array(tiles),
                "tails": StringAttr(tails),
                "swizzle": IntegerAttr(swizzle, i64),
                "serial": IntegerAttr(serial, i64),
                "ops": ArrayAttr([StringAttr(o) for o in ops]),
            },
            regions=[Region(block)],
        )

    @property
    def extent_list(self) -> tuple[int, ...]:
        return integers(self.extents)

    @property
    def tile_sizes(self) -> tuple[int, ...]:
        return integers(self.tiles)

    @property
    def tail_list(self) -> tuple[str, ...]:
        """How each dimension ends."""
        stated = tuple(self.tails.data.split(","))
        return stated * len(self.extent_list) if len(stated) == 1 else stated

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of points along each dimension."""
        return tuple(-(-e // t) for e, t in zip(self.extent_list, self.tile_sizes, strict=True))

    def verify_(self) -> None:
        rank = len(self.extent_list)
        if len(self.tile_sizes) != rank or any(t < 1 for t in self.tile_sizes):
            raise VerifyException(
                f"tile.kernel: tiles {self.tile_sizes} do not fit extents {self.extent_list}"
            )
        if len(self.tail_list) != rank or any(tail not in TAILS for tail in self.tail_list):
            raise VerifyException(
                f"tile.kernel: tails is one of {', '.join(TAILS)} or a list of them, one a dimension, "
                f"not {self.tails.data!r}"
            )
        expected = len(self.inputs) + len(self.outputs) + 2 * rank
        if len(self.body.block.args) != expected:
            raise VerifyException(
                f"tile.kernel: {len(self.body.block.args)} block arguments, expected {expected}"
            )
        for outer, inner in zip([*self.inputs, *self.outputs], self.body.block.args, strict=False):
            if not isinstance(outer.type, TensorType) or not isinstance(inner.type, TensorType):
                raise VerifyException("tile.kernel: inputs and results are tensors")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The part of a tensor that a result region needs, by an operand map (halo, stride, broadcast); outside the tensor
    it holds `fill`. `offsets` and `sizes` are those of the region, one pair for each dimension of the map's space.

        %t = tile.load %x at %o0, %o1 size %s0, %s1 {map = […]} : tensor<64x64xf16> -> !tile.tile<32x64xf16, "ub", nd>
    """

    name = "tile.load"
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    map = prop_def(ArrayAttr[DenseArrayBase])
    fill = opt_prop_def(FloatAttr)
    packed = opt_prop_def(StringAttr)
    result = result_def(TileType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Pure())
    assembly_format = (
        "$tensor (`at` $offsets^)? (`size` $sizes^)? attr-dict `:` type($tensor) `->` type($result)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
        maps: OperandMap,
        result_type: TileType,
        fill: float | None = None,
        packed: str | None = None,
    ):
        super().__init__(
            operands=[tensor, list(offsets), list(sizes)],
            properties={
                "map": encode_map(maps),
                "fill": None if fill is None else FloatAttr(fill, f32),
                "packed": None if packed is None else StringAttr(packed),
            },
            result_types=[result_type],
        )

    @property
    def maps(self) -> OperandMap:
        return decode_map(self.map)


@irdl_op_definition
class ContractOp(IRDLOperation):
    """Sum over K of the products of two tiles, on the Cube, in an accumulator in L0C.

    The body computes the operand tiles of one step; its arguments are the step's offset and size along K.
    `m`, `n`, `k` are the matrix sizes of one tile and of K in all, `step` is K of one step in L1, `l0_k` of one
    product in L0. `window` = [kh, kw, strides, pads (t, l, b, r), dilations] reads lhs as image-to-column: K is
    (C1, kh, kw, 16), `m_shape` the result rows and columns that `m` flattens.
    """

    name = "tile.contract"
    m = prop_def(IntegerAttr)
    n = prop_def(IntegerAttr)
    k = prop_def(IntegerAttr)
    step = prop_def(IntegerAttr)
    l0_k = prop_def(IntegerAttr)
    transpose_lhs = prop_def(IntegerAttr)
    transpose_rhs = prop_def(IntegerAttr)
    window = opt_prop_def(DenseArrayBase)
    m_shape = prop_def(DenseArrayBase)
    result = result_def(TileType)
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict-with-keyword $body `->` type($result)"

    def __init__(
        self,
        result_type: TileType,
        *,
        m: int,
        n: int,
        k: int,
        step: int,
        l0_k: int,
        transpose_lhs: bool = False,
        transpose_rhs: bool = False,
        window: Sequence[int] | None = None,
        m_shape: Sequence[int] = (),
    ):
        super().__init__(
            properties={
                "m": IntegerAttr(m, i64),
                "n": IntegerAttr(n, i64),
                "k": IntegerAttr(k, i64),
                "step": IntegerAttr(step, i64),
                "l0_k": IntegerAttr(l0_k, i64),
                "transpose_lhs": IntegerAttr(int(transpose_lhs), i64),
                "transpose_rhs": IntegerAttr(int(transpose_rhs), i64),
                "window": None if window is None else integer_array(window),
                "m_shape": integer_array(m_shape),
            },
            result_types=[result_type],
            regions=[Region(Block(arg_types=[IndexType(), IndexType()]))],
        )

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or len(last.values) != 2:
            raise VerifyException("tile.contract: the body yields the two operand tiles")
        if tile_type(self.result).space.data != "l0c":
            raise VerifyException("tile.contract: the accumulator is in l0c")


@irdl_op_definition
class ChunksOp(IRDLOperation):
    """Walk dimension `dim` of an accumulator in steps that fit UB; the body's argument is the offset in the tile.

    tile.chunks {dim = 1 : i64, size = 128 : i64, step = 64 : i64} {^bb0(%o: index): …}
    """

    name = "tile.chunks"
    dim = prop_def(IntegerAttr)
    size = prop_def(IntegerAttr)
    step = prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict-with-keyword $body"

    def __init__(self, dim: int, size: int, step: int):
        super().__init__(
            properties={
                "dim": IntegerAttr(dim, i64),
                "size": IntegerAttr(size, i64),
                "step": IntegerAttr(step, i64),
            },
            regions=[Region(Block(arg_types=[IndexType()]))],
        )

    def verify_(self) -> None:
        if self.step.value.data < 1 or self.size.value.data % self.step.value.data:
            raise VerifyException(
                f"tile.chunks: step {self.step.value.data} does not divide {self.size.value.data}"
            )


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """A chunk of an accumulator, moved to UB and rounded to the result's element type.

    %t = tile.extract %acc at %o {dim = 1 : i64} : !tile.tile<…, "l0c", …> -> !tile.tile<…, "ub", …>
    """

    name = "tile.extract"
    source = operand_def(TileType)
    offset = operand_def(IndexType)
    dim = prop_def(IntegerAttr)
    result = result_def(TileType)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `at` $offset attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, offset: SSAValue, dim: int, result_type: TileType):
        super().__init__(
            operands=[source, offset], properties={"dim": IntegerAttr(dim, i64)}, result_types=[result_type]
        )


@irdl_op_definition
class VecOp(IRDLOperation):
    """One vector instruction on whole tiles; a source dimension of size one repeats along the result.

    %y = tile.vec "vadd"(%a, %b) : (!tile.tile<…>, !tile.tile<…>) -> !tile.tile<…>
    """

    name = "tile.vec"
    instruction = prop_def(StringAttr)
    sources = var_operand_def(TileType)
    scalar = opt_prop_def(FloatAttr)
    result = result_def(TileType)
    traits = traits_def(Pure())
    assembly_format = (
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
        super().__init__(
            operands=[list(sources)],
            properties={
                "instruction": StringAttr(instruction),
                "scalar": None if scalar is None else FloatAttr(scalar, f32),
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        known = VECTOR_INSTRUCTIONS.get(self.instruction.data)
        if known is None:
            raise VerifyException(f"tile.vec: unknown instruction {self.instruction.data!r}")
        if len(self.sources) != known.sources:
            raise VerifyException(
                f"tile.vec: {known.name} takes {known.sources} sources, got {len(self.sources)}"
            )
        shape = tile_type(self.result).get_shape()
        for source in self.sources:
            sizes = tile_type(source).get_shape()
            if len(sizes) != len(shape) or any(s not in (1, r) for s, r in zip(sizes, shape, strict=True)):
                raise VerifyException(f"tile.vec: {source.type} does not broadcast to {self.result.type}")


@irdl_op_definition
class WindowOp(IRDLOperation):
    """The part of a tile at one window position: element `i` of dimension `d` is `starts[d] + i * strides[d]`.

    %v = tile.window %x {starts = array<i64: 0, 1>, strides = array<i64: 1, 1>} : !tile.tile<…> -> !tile.tile<…>
    """

    name = "tile.window"
    source = operand_def(TileType)
    starts = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self, source: SSAValue, starts: Sequence[int], strides: Sequence[int], result_type: TileType
    ):
        super().__init__(
            operands=[source],
            properties={"starts": integer_array(starts), "strides": integer_array(strides)},
            result_types=[result_type],
        )


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write a tile of the result to its tensor at the grid point's offsets.

    tile.store %t, %y at %o0, %o1 size %s0, %s1 : !tile.tile<…>, tensor<…>
    """

    name = "tile.store"
    tile = operand_def(TileType)
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$tile `,` $tensor (`at` $offsets^)? (`size` $sizes^)? attr-dict `:` type($tile) `,` type($tensor)"
    )

    def __init__(
        self, tile: SSAValue, tensor: SSAValue, offsets: Sequence[SSAValue], sizes: Sequence[SSAValue]
    ):
        super().__init__(operands=[tile, tensor, list(offsets), list(sizes)])
