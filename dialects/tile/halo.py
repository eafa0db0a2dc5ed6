"""What a region needs of a feature map that was computed."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers
from ..late_format import LateFormat
from ..operand_segments import quick_operands
from ..tiling import Along, OperandMap
from .maps import MapAttr
from .types import TileType, tile_type


@quick_operands
@irdl_op_definition
class HaloOp(LateFormat):
    """What a region needs, by an operand map, of an image [1, C, H, W] of which a part is held in L1: rows from
    `starts[0]` and columns from `starts[1]` on. The image has `extents` rows and columns; outside of it is padding,
    which the image-to-column load supplies. `offsets` and `sizes` are those of the region, as for `tile.load`. No
    bytes move.

    %a = tile.halo %held from %h, %w at %o0, %o1, %o2, %o3, %c size … {map = #tile.map<…>, extents = array<i64: 28, 28>}
        : !tile.tile<1x64x6x28xf16, l1, …> -> !tile.tile<1x16x6x30xf16, l1, …>
    """

    name = "tile.halo"
    source = operand_def(TileType)
    starts = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    map = prop_def(MapAttr)
    extents = prop_def(DenseArrayBase)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$source `from` $starts `at` $offsets `size` $sizes attr-dict `:` type($source) `->` type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        starts: Sequence[SSAValue],
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
        maps: OperandMap,
        extents: Sequence[int],
        result_type: TileType,
    ):
        super().__init__(
            operands=[source, list(starts), list(offsets), list(sizes)],
            properties={"map": MapAttr.of(maps, len(offsets)), "extents": integer_array(extents)},
            result_types=[result_type],
        )

    @property
    def maps(self) -> OperandMap:
        return self.map.data.entries

    @property
    def image(self) -> tuple[int, int]:
        """Rows and columns of the image."""
        rows, columns = integers(self.extents)
        return rows, columns

    def verify_(self) -> None:
        source, result = tile_type(self.source), tile_type(self.result)
        if (
            source.space.data != "l1"
            or result.space.data != "l1"
            or source.element_type != result.element_type
        ):
            raise VerifyException(f"tile.halo: a part of a tile in l1 is in l1, not {source} and {result}")
        for kind in (source, result):
            if kind.blocked != 1 or len(kind.get_shape()) != 4:
                raise VerifyException(
                    f"tile.halo: an image and a part of it are [1, C, H, W] blocked at 1, not {kind}"
                )
        if len(self.starts) != 2 or len(integers(self.extents)) != 2 or min(integers(self.extents)) < 1:
            raise VerifyException("tile.halo: starts and extents, 1 or more, are those of rows and columns")
        counts = len(self.offsets), len(self.sizes), self.map.data.rank
        if len({*counts}) > 1:
            raise VerifyException(
                f"tile.halo: {counts[0]} offsets, {counts[1]} sizes and a map over {counts[2]} dimensions"
            )
        if len(self.maps) != 4:
            raise VerifyException(f"tile.halo: a map of {len(self.maps)} dimensions for an image of 4")
        if any(not isinstance(entry, Along) or entry.thin for entry in self.maps[1:]):
            raise VerifyException("tile.halo: channels, rows and columns follow a dimension each")
