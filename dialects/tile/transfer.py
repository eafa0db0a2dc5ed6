"""How a kernel of the tile level reads and writes tensors."""

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..ascend.memory import TABLES
from ..attributes import NUMBER, fits_elements, integer_array, integers, number_attribute, tensor_type
from ..element_types import HELD_AS, lanes_of
from ..late_format import LateFormat
from ..op_checks import run_check
from ..operand_segments import quick_operands
from ..records import dataclass
from ..tiling import Along, OperandMap, Picked
from .layout import layout_of
from .maps import MapAttr
from .types import BLOCK, TileType, tile_type

PACKED = ("zn", "blocks")
"""How a tensor may have been laid out before the first run."""


def _held(kind: TileType, element: Attribute) -> str:
    """What elements of a tensor are in a tile of type `kind`."""
    return HELD_AS.get(str(element), str(element)) if kind.space.data == "ub" else str(element)


FOLDS = ("add", "mean", "max")
"""How the rows of a bag become one."""


@dataclass(frozen=True)
class Lookup:
    """What picks the rows that a load reads: `indices` (i32), or the parts of them that begin at `bags` (i32), each of
    which is folded to one row, `chunk` rows of it at a time, each times its number in `weights`."""

    indices: SSAValue
    bags: SSAValue | None = None
    weights: SSAValue | None = None
    fold: str | None = None
    chunk: int | None = None


@quick_operands
@irdl_op_definition
class LoadOp(LateFormat):
    """The part of a tensor that a result region needs, by an operand map (halo, stride, broadcast); outside the tensor
    it holds `fill`. `offsets` and `sizes` are those of the region, one pair for each dimension of the map's space.
    `packed`: the tensor was laid out before the first run, as `"zn"` fractals [K1, N1, 16, c0], or in `"blocks"`, 16
    elements of the map's first dimension last. In the tables beside the Cube (`"bt"`, `"fb"`) a row is f32 whatever its
    tensor is; in `"bt"` it is i32 where that is. In UB the numbers of an i8 tensor are f16. With `lead` the tile starts
    with the block of 16 columns before the region; before the first column of a row stands the row's last block. The
    index in a dimension that the map writes as `indices[…]` is an element of `indices` (i32). With `bags` it is not
    one: part `b` of the list `indices` begins at `bags[b]` and ends at the next one, or with the list, and the rows
    that it picks are folded to one, `chunk` rows at a time: their sum (`fold` "add"), their mean ("mean"), both in f32,
    or the largest ("max"); 0 where there are none. With `weights` each row is summed up times the number that these
    have for its index. With `hoisted` a load is the same for all tiles, and comes to UB once, in front of the loop over
    them; a row for a table comes whole to L1 there, and tiles take their part of it.

        %t = tile.load %x at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>}
            : tensor<64x64xf16> -> !tile.tile<32x64xf16, ub, nd>
    """

    name = "tile.load"
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    indices = opt_operand_def(TensorType)
    bags = opt_operand_def(TensorType)
    weights = opt_operand_def(TensorType)
    map = opt_prop_def(MapAttr)
    fill = opt_prop_def(NUMBER)
    packed = opt_prop_def(StringAttr)
    lead = opt_prop_def(UnitAttr)
    hoisted = opt_prop_def(UnitAttr)
    fold = opt_prop_def(StringAttr)
    chunk = opt_prop_def(IntegerAttr)
    result = result_def(TileType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = (
        "$tensor (`at` $offsets^)? (`size` $sizes^)? (`by` $indices^ `:` type($indices))? "
        "(`bags` $bags^ `:` type($bags))? (`weights` $weights^ `:` type($weights))? attr-dict "
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
        lookup: Lookup | None = None,
    ):
        indices = [] if lookup is None else [lookup.indices]
        bags = [] if lookup is None or lookup.bags is None else [lookup.bags]
        weights = [] if lookup is None or lookup.weights is None else [lookup.weights]
        fold = None if lookup is None or lookup.fold is None else StringAttr(lookup.fold)
        chunk = None if lookup is None or lookup.chunk is None else IntegerAttr(lookup.chunk, i64)
        super().__init__(
            operands=[tensor, list(offsets), list(sizes), indices, bags, weights],
            properties={
                "map": None if packed == "zn" else MapAttr.of(maps, len(offsets)),
                "fill": None if fill is None else number_attribute(fill, result_type.element_type),
                "packed": None if packed is None else StringAttr(packed),
                "lead": UnitAttr() if lead else None,
                "fold": fold,
                "chunk": chunk,
            },
            result_types=[result_type],
        )

    @property
    def maps(self) -> OperandMap:
        """What the region needs of each dimension of the tensor; of fractals nothing is said."""
        return () if self.map is None else self.map.data.entries

    def verify_(self) -> None:
        to, element = tile_type(self.result), tensor_type(self.tensor.type).element_type
        held, space = _held(to, element), to.space.data
        if self.bags is not None:
            self._verify_bags(to)
            held = "f32" if str(to.element_type) == "f32" else held
        elif self.fold is not None or self.chunk is not None or self.weights is not None:
            raise VerifyException("tile.load: a fold, a chunk and weights are those of bags")
        if space not in ("l1", "ub", *TABLES):
            raise VerifyException(f"tile.load: DMA brings nothing to {space}")
        if space not in TABLES and str(to.element_type) != held:
            raise VerifyException(
                f"tile.load: elements of {element} are {held} in {space}, not {to.element_type}"
            )
        if self.fill is not None and not fits_elements(self.fill, to.element_type):
            raise VerifyException(f"tile.load: {self.fill} is no element of {to}")
        row = "i32" if space == "bt" and str(element) == "i32" else "f32"
        if space in TABLES and str(to.element_type) != row:
            raise VerifyException(f"tile.load: a row in {space} is {row}, not {to.element_type}")
        if len(self.offsets) != len(self.sizes):
            raise VerifyException(f"tile.load: {len(self.offsets)} offsets and {len(self.sizes)} sizes")
        rank = len(tensor_type(self.tensor.type).get_shape())
        if self.packed is not None and self.packed.data not in PACKED:
            raise VerifyException(
                f"tile.load: packed is one of {', '.join(PACKED)}, not {self.packed.data!r}"
            )
        blocks = self.packed is not None and self.packed.data == "blocks"
        if self.packed is not None and not blocks:
            self._verify_fractals(to)
            return
        if self.map is None or self.map.data.rank != len(self.offsets):
            over = "no map" if self.map is None else f"a map over {self.map.data.rank} dimensions"
            raise VerifyException(f"tile.load: {over} for a region of {len(self.offsets)}")
        entries = self.maps
        self._verify_layout(to, entries)
        rank -= blocks
        if len(entries) != rank:
            raise VerifyException(f"tile.load: a map of {len(entries)} dimensions for a tensor of {rank}")
        for entry in entries:
            if isinstance(entry, Picked):
                self._verify_picked(entry)
        if not blocks:
            run_check(self)

    def _verify_picked(self, entry: Picked) -> None:
        """The indices of a dimension have the dimensions that it follows."""
        if self.indices is None:
            raise VerifyException("tile.load: a map with indices[…] needs indices")
        lookup = self.indices if self.bags is None else self.bags
        several = self.bags is None or len(entry.dims) > 0
        if several and len(tensor_type(lookup.type).get_shape()) != len(entry.dims):
            raise VerifyException(
                f"tile.load: indices[…] follows {len(entry.dims)} dimensions, and {lookup.type} has others"
            )

    def _verify_bags(self, to: TileType) -> None:
        """Parts of a list of indices are folded in UB."""
        indices, bags = self.indices, self.bags
        assert bags is not None
        lists = [indices, bags] if indices is not None else []
        if not lists or any(len(tensor_type(v.type).get_shape()) != 1 for v in lists):
            raise VerifyException("tile.load: bags are parts of a list of indices, cut by a list of offsets")
        if self.fold is None or self.fold.data not in FOLDS or self.chunk is None:
            raise VerifyException(
                f"tile.load: bags have a chunk, and a fold that is one of {', '.join(FOLDS)}"
            )
        if self.chunk.value.data < 1:
            raise VerifyException(f"tile.load: a chunk is a row or more, not {self.chunk.value.data}")
        if to.space.data != "ub" or self.packed is not None or self.fill is not None:
            raise VerifyException("tile.load: bags are folded in ub, with nothing around them")
        if self.fold.data != "max" and str(to.element_type) != "f32":
            raise VerifyException(f"tile.load: sums of bags are f32, not {to.element_type}")
        if self.weights is not None:
            self._verify_weights()
        if sum(isinstance(entry, Picked) for entry in self.maps) != 1:
            raise VerifyException("tile.load: bags pick the rows along one dimension")

    def _verify_weights(self) -> None:
        """What is summed has a number for each index, of the tensor's type."""
        assert self.weights is not None and self.indices is not None and self.fold is not None
        numbers = TensorType(
            tensor_type(self.tensor.type).element_type, tensor_type(self.indices.type).get_shape()
        )
        if self.fold.data != "add" or self.weights.type != numbers:
            raise VerifyException(f"tile.load: weights of sums are {numbers}, got {self.weights.type}")

    def _verify_fractals(self, to: TileType) -> None:
        """A tensor of fractals goes to a right operand."""
        kind = tensor_type(self.tensor.type)
        shape = kind.get_shape()
        if self.map is not None:
            raise VerifyException("tile.load: fractals have no map: they follow K and the columns")
        if len(self.offsets) != 2 or len(shape) != 4:
            raise VerifyException("tile.load: a packed tensor has 4 dimensions, its region 2")
        depth = lanes_of(kind.element_type)
        if shape[2:] != (BLOCK, depth):
            raise VerifyException(
                f"tile.load: fractals of {kind.element_type} are {BLOCK} x {depth}, not those of {kind}"
            )
        if (to.space.data, to.blocked, to.get_order()) != ("l1", 1, (0, 1)):
            raise VerifyException(
                f"tile.load: fractals go to a tile in l1, blocked 1 order [0, 1], not to {to}"
            )
        run_check(self, "fractals")

    def _verify_layout(self, to: TileType, entries: OperandMap) -> None:
        """A tensor in blocks goes to a tile with the same blocks: of its dimensions in L1, in UB of those that they
        follow."""
        layout = layout_of(self.tensor.type)
        if layout is None:
            return
        followed = [entry.dim for entry in entries if isinstance(entry, Along) and not entry.thin]
        if self.packed is not None or self.lead is not None or len(followed) < len(entries):
            raise VerifyException(
                "tile.load: a tensor in blocks is read along all of its dimensions, as it is"
            )
        if len(entries) != len(layout.dims):
            raise VerifyException(f"tile.load: a map of {len(entries)} dimensions for {self.tensor.type}")
        dims = range(len(entries)) if to.space.data == "l1" else followed
        order = tuple(d for d in to.get_order() if d in dims)
        if (to.blocked, order) != (dims[layout.blocked], tuple(dims[d] for d in layout.dims)):
            raise VerifyException(f"tile.load: {self.tensor.type} does not lie as {to}")


@quick_operands
@irdl_op_definition
class StoreOp(LateFormat):
    """Write a tile of the result to its tensor at the grid point's offsets. What goes to an i8 tensor is f16, rounded
    to nearest even and held to [-128, 127] on the way, or already i8 where FixPipe writes it.

    With `lead` the tile starts with a block of 16 columns more, which belong to the grid point before. Rows that are no
    multiple of 32 B are then cut where whole 32 B blocks of the tensor end, not where the tile does.

    With `origin` what the kernel walks is a part of the tensor, which begins there: whole 32 B blocks of it.

    tile.store %t, %y at %o0, %o1 size %s0, %s1 : !tile.tile<…>, tensor<…>
    """

    name = "tile.store"
    tile = operand_def(TileType)
    tensor = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    lead = opt_prop_def(UnitAttr)
    origin = opt_prop_def(DenseArrayBase)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$tile `,` $tensor (`at` $offsets^)? (`size` $sizes^)? attr-dict `:` type($tile) `,` type($tensor)"
    )

    def __init__(
        self,
        tile: SSAValue,
        tensor: SSAValue,
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
        lead: bool = False,
        origin: Sequence[int] = (),
    ):
        super().__init__(
            operands=[tile, tensor, list(offsets), list(sizes)],
            properties={
                "lead": UnitAttr() if lead else None,
                "origin": integer_array(origin) if origin else None,
            },
        )

    @property
    def first(self) -> tuple[int, ...]:
        """Where the part of the tensor that the kernel walks begins."""
        return (0,) * len(self.offsets) if self.origin is None else integers(self.origin)

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
        if self.origin is not None:
            self._verify_origin(rank)
        if self.lead is not None and rank != 2:
            raise VerifyException(f"tile.store: rows with a lead are those of a matrix, not of rank {rank}")
        if held.space.data != "ub" or len(held.get_shape()) != rank:
            raise VerifyException(f"tile.store: a tile in ub of rank {rank}, not {held}")
        run_check(self)

    def _verify_origin(self, rank: int) -> None:
        """A part of a tensor in rows begins with a 32 B block."""
        kind, stated = tensor_type(self.tensor.type), integers(cast(DenseArrayBase[Any], self.origin))
        shape = kind.get_shape()
        if len(stated) != rank or min(stated, default=0) < 0 or any(n < 0 for n in shape):
            raise VerifyException(
                f"tile.store: an origin is an index of 0 or more for each dimension of {kind}, not {list(stated)}"
            )
        if layout_of(kind) is not None or self.lead is not None:
            raise VerifyException(
                "tile.store: a part of a tensor that is stored lies in rows, without a lead"
            )
        at = sum(first * prod(shape[d + 1 :]) for d, first in enumerate(stated))
        if at % lanes_of(kind.element_type):
            raise VerifyException(
                f"tile.store: a part begins with a 32 B block, not at element {at} of {kind}"
            )
