"""A kernel of the tile level, and how it reads and writes tensors."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
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
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..ascend.memory import HELD_AS, TABLES
from ..attributes import integer_array, integers, tensor_type
from ..tiling import OperandMap
from .layout import layout_of, physical_shape
from .maps import decode_map, encode_map, verify_row
from .types import TileType, tile_type

TAILS = ("shift", "clip", "cover")


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One fused kernel. The grid has `ceil(extent / tile)` points along each dimension of its result.

    Block arguments: the inputs, the results (written by `tile.store`), then for every dimension of the
    iteration space the offset and the size of this point's tile. With `tails = "shift"` the last tile of a
    dimension starts early so that every tile has its full size; with `"clip"` it is smaller; with `"cover"` it has
    its full size and what lies past the end is neither read nor written. A list, `"shift,cover"`, says it for each.
    Points are dealt to `cores` cores in turn, `swizzle` rows of the grid at a time (its last two dimensions with
    more than one point), so that cores at work together share operands in L2. `serial` counts trailing dimensions
    of the grid that one core walks on its own, and `inner` is one more that it walks, before all others.

    The first extent may be open (-1): with `dynamic = f` it is f times the graph's run-time size, and the grid has as
    many points as that gives. Its last tile is smaller or goes past the end, and so does the only one where the extent
    is less than a tile. `sizes` are the run-time sizes that the tiles were chosen for.

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
    dynamic = opt_prop_def(IntegerAttr)
    sizes = opt_prop_def(DenseArrayBase)
    inner = opt_prop_def(IntegerAttr)
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
        inner: int | None = None,
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
                "inner": None if inner is None else IntegerAttr(inner, i64),
                "ops": ArrayAttr([StringAttr(o) for o in ops]),
            },
            regions=[Region(block)],
        )

    @property
    def factor(self) -> int:
        """How many times the run-time size the first extent is; 0: it is static."""
        return 0 if self.dynamic is None else self.dynamic.value.data

    @property
    def size_list(self) -> tuple[int, ...]:
        """The run-time sizes that the tiles were chosen for, in increasing order."""
        return () if self.sizes is None else integers(self.sizes)

    def open_up(self, factor: int, sizes: Sequence[int]) -> None:
        """Make the first extent `factor` times the run-time size."""
        self.extents = integer_array([-1, *integers(self.extents)[1:]])
        self.dynamic, self.sizes = IntegerAttr(factor, i64), integer_array(sizes)

    @property
    def extent_list(self) -> tuple[int, ...]:
        """The extents; a dynamic one is that of the middle one of `sizes`."""
        stated = integers(self.extents)
        if not self.factor:
            return stated
        return (self.factor * self.size_list[len(self.size_list) // 2], *stated[1:])

    def ragged(self, d: int) -> bool:
        """Whether dimension `d` has a last tile that is not whole, or may have one."""
        return (self.factor if self.factor and d == 0 else self.extent_list[d]) % self.tile_sizes[d] != 0

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

    @property
    def walked(self) -> tuple[int, ...]:
        """The dimensions that one core walks on its own, the fastest last."""
        rank = len(self.extent_list)
        inner = () if self.inner is None else (self.inner.value.data,)
        return (*(d for d in range(rank - self.serial.value.data, rank) if d not in inner), *inner)

    @property
    def shared_points(self) -> int:
        """Points of the grid that are dealt to the cores; at each a core walks all tiles of the `walked` dimensions."""
        return prod(count for d, count in enumerate(self.grid) if d not in self.walked)

    def verify_(self) -> None:
        open_ended = integers(self.extents)[:1] == (-1,)
        if open_ended != (self.factor > 0) or open_ended != bool(self.size_list):
            raise VerifyException(
                "tile.kernel: a first extent of -1 goes with dynamic, how many times the run-time size it is, and with "
                "sizes, those that it is tiled for"
            )
        if min(self.size_list, default=1) < 1:
            raise VerifyException(f"tile.kernel: sizes are 1 or more, not {list(self.size_list)}")
        rank = len(self.extent_list)
        if len(self.tile_sizes) != rank or any(t < 1 for t in self.tile_sizes):
            raise VerifyException(
                f"tile.kernel: tiles {self.tile_sizes} do not fit extents {self.extent_list}"
            )
        if any(extent < 1 for extent in self.extent_list):
            raise VerifyException(f"tile.kernel: extents are 1 or more, not {list(self.extent_list)}")
        for name, attribute, least in (("cores", self.cores, 1), ("swizzle", self.swizzle, 1)):
            if attribute.value.data < least:
                raise VerifyException(f"tile.kernel: {name} is {least} or more, not {attribute.value.data}")
        if not 0 <= self.serial.value.data <= rank:
            raise VerifyException(
                f"tile.kernel: serial counts some of {rank} dimensions, not {self.serial.value.data}"
            )
        if self.factor and self.tail_list[:1] == ("shift",) and self.ragged(0):
            raise VerifyException(
                "tile.kernel: the last tile of a dynamic dimension cannot start early (shift)"
            )
        if self.inner is not None and not 0 <= self.inner.value.data < rank:
            raise VerifyException(
                f"tile.kernel: inner is one of {rank} dimensions, not {self.inner.value.data}"
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
            physical_shape(tensor_type(outer))
            physical_shape(tensor_type(inner))


def _held(kind: TileType, element: Attribute) -> str:
    """What elements of a tensor are in a tile of type `kind`."""
    return HELD_AS.get(str(element), str(element)) if kind.space.data == "ub" else str(element)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The part of a tensor that a result region needs, by an operand map (halo, stride, broadcast); outside the tensor
    it holds `fill`. `offsets` and `sizes` are those of the region, one pair for each dimension of the map's space.
    `packed`: the tensor was laid out before the first run, as `"zn"` fractals [K1, N1, 16, c0], or in `"blocks"`, 16
    elements of the map's first dimension last. In the tables beside the Cube (`"bt"`, `"fb"`) a row is f32 whatever
    its tensor is. In UB the numbers of an i8 tensor are f16. With `lead` the tile starts with the block of 16 columns
    before the region; before the first column of a row stands the row's last block. The index in a dimension of kind 4
    is the element of `indices` (i32) at the dimensions that its row of the map names; a negative one counts from
    the end.

        %t = tile.load %x at %o0, %o1 size %s0, %s1 {map = […]} : tensor<64x64xf16> -> !tile.tile<32x64xf16, "ub", nd>
    """

    name = "tile.load"
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    indices = opt_operand_def(TensorType)
    map = prop_def(ArrayAttr[DenseArrayBase])
    fill = opt_prop_def(FloatAttr)
    packed = opt_prop_def(StringAttr)
    lead = opt_prop_def(UnitAttr)
    result = result_def(TileType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Pure())
    assembly_format = (
        "$tensor (`at` $offsets^)? (`size` $sizes^)? (`by` $indices^ `:` type($indices))? attr-dict "
        "`:` type($tensor) `->` type($result)"
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
        lead: bool = False,
        indices: SSAValue | None = None,
    ):
        super().__init__(
            operands=[tensor, list(offsets), list(sizes), [] if indices is None else [indices]],
            properties={
                "map": encode_map(maps),
                "fill": None if fill is None else FloatAttr(fill, f32),
                "packed": None if packed is None else StringAttr(packed),
                "lead": UnitAttr() if lead else None,
            },
            result_types=[result_type],
        )

    @property
    def maps(self) -> OperandMap:
        return decode_map(self.map)

    def verify_(self) -> None:
        to, element = tile_type(self.result), tensor_type(self.tensor.type).element_type
        held, space = _held(to, element), to.space.data
        if space not in TABLES and str(to.element_type) != held:
            raise VerifyException(
                f"tile.load: elements of {element} are {held} in {space}, not {to.element_type}"
            )
        if len(self.offsets) != len(self.sizes):
            raise VerifyException(f"tile.load: {len(self.offsets)} offsets and {len(self.sizes)} sizes")
        rank = len(tensor_type(self.tensor.type).get_shape())
        blocks = self.packed is not None and self.packed.data == "blocks"
        if self.packed is not None and not blocks:
            if len(self.offsets) != 2 or rank != 4:
                raise VerifyException("tile.load: a packed tensor has 4 dimensions, its region 2")
            return
        rows = [integers(row) for row in self.map]
        self._verify_layout(to, rows)
        rank -= blocks
        if len(rows) != rank:
            raise VerifyException(f"tile.load: a map of {len(rows)} dimensions for a tensor of {rank}")
        for row in rows:
            if row[:1] == (4,):
                if self.indices is None or any(not 0 <= d < len(self.offsets) for d in row[1:]):
                    raise VerifyException(
                        f"tile.load: {list(row)} needs indices, and follows {len(self.offsets)} dimensions"
                    )
                if len(tensor_type(self.indices.type).get_shape()) != len(row) - 1:
                    raise VerifyException(
                        f"tile.load: {list(row)} follows other dimensions than {self.indices.type} has"
                    )
                continue
            verify_row(self.name, row, len(self.offsets))

    def _verify_layout(self, to: TileType, rows: Sequence[tuple[int, ...]]) -> None:
        """A tensor in blocks goes to a tile with the same blocks: of its dimensions in L1, in UB of those that they
        follow."""
        layout = layout_of(self.tensor.type)
        if layout is None:
            return
        if self.packed is not None or self.lead is not None or any(row[:1] != (0,) for row in rows):
            raise VerifyException(
                "tile.load: a tensor in blocks is read along all of its dimensions, as it is"
            )
        if len(rows) != len(layout.dims):
            raise VerifyException(f"tile.load: a map of {len(rows)} dimensions for {self.tensor.type}")
        dims = range(len(rows)) if to.space.data == "l1" else [row[1] for row in rows]
        order = tuple(d for d in to.get_order() if d in dims)
        if (to.blocked, order) != (dims[layout.blocked], tuple(dims[d] for d in layout.dims)):
            raise VerifyException(f"tile.load: {self.tensor.type} does not lie as {to}")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write a tile of the result to its tensor at the grid point's offsets. What goes to an i8 tensor is f16, rounded
    to nearest even and held to [-128, 127] on the way, or already i8 where FixPipe writes it.

    With `lead` the tile starts with a block of 16 columns more, which belong to the grid point before. Rows that are no
    multiple of 32 B are then cut where whole 32 B blocks of the tensor end, not where the tile does.

    tile.store %t, %y at %o0, %o1 size %s0, %s1 : !tile.tile<…>, tensor<…>
    """

    name = "tile.store"
    tile = operand_def(TileType)
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    lead = opt_prop_def(UnitAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$tile `,` $tensor (`at` $offsets^)? (`size` $sizes^)? attr-dict `:` type($tile) `,` type($tensor)"
    )

    def __init__(
        self,
        tile: SSAValue,
        tensor: SSAValue,
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
        lead: bool = False,
    ):
        super().__init__(
            operands=[tile, tensor, list(offsets), list(sizes)],
            properties={"lead": UnitAttr() if lead else None},
        )

    def verify_(self) -> None:
        held, element = tile_type(self.tile), tensor_type(self.tensor.type).element_type
        if str(held.element_type) not in (str(element), _held(held, element)):
            raise VerifyException(f"tile.store: a tile of {held.element_type} becomes no {element}")
        rank = len(tensor_type(self.tensor.type).get_shape())
        if not len(self.offsets) == len(self.sizes) == rank:
            raise VerifyException(
                f"tile.store: {len(self.offsets)} offsets and {len(self.sizes)} sizes for a tensor of rank {rank}"
            )
        layout = layout_of(self.tensor.type)
        if layout is not None and (held.blocked, held.get_order()) != (layout.blocked, layout.dims):
            raise VerifyException(f"tile.store: {held} does not lie as {self.tensor.type}")
        if self.lead is not None and rank != 2:
            raise VerifyException(f"tile.store: rows with a lead are those of a matrix, not of rank {rank}")
