"""The padding of a computed tile."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType
from xdsl.ir import SSAValue
from xdsl.irdl import (
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

from ..attributes import NUMBER, fits_elements, integer_array, integers, number_attribute
from ..late_format import LateFormat
from .types import TileType, tile_type


@irdl_op_definition
class BorderOp(LateFormat):
    """A computed tile with `fill` in place of what lies outside of the value that it is a part of: the padding of a
    window that reads it. Along tile dimension `dims[i]` the tile starts at `strides[i] * offsets[i] - pads[i]` of
    `extents[i]` indices, before the first one where the tile has padding.

    %p = tile.border %t at %o {dims = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 1>,
                               extents = array<i64: 56>, fill = 0.000000e+00 : f32} : !tile.tile<…>
    """

    name = "tile.border"
    source = operand_def(TileType)
    offsets = var_operand_def(IndexType)
    dims = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)
    pads = prop_def(DenseArrayBase)
    extents = prop_def(DenseArrayBase)
    fill = prop_def(NUMBER)
    result = result_def(TileType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source `at` $offsets attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self,
        source: SSAValue,
        offsets: Sequence[SSAValue],
        dims: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        extents: Sequence[int],
        fill: float,
    ):
        super().__init__(
            operands=[source, list(offsets)],
            properties={
                "dims": integer_array(dims),
                "strides": integer_array(strides),
                "pads": integer_array(pads),
                "extents": integer_array(extents),
                "fill": number_attribute(fill, tile_type(source).element_type),
            },
            result_types=[source.type],
        )

    @property
    def sides(self) -> list[tuple[int, int, int, int]]:
        """Dimension of the tile, stride, padding and extent of each dimension that has padding."""
        columns = (integers(a) for a in (self.dims, self.strides, self.pads, self.extents))
        return list(zip(*columns, strict=True))

    def verify_(self) -> None:
        kind = tile_type(self.source)
        if self.result.type != kind or kind.space.data != "ub":
            raise VerifyException(
                f"tile.border: a tile in ub keeps its type, {kind} gives {self.result.type}"
            )
        if not fits_elements(self.fill, kind.element_type):
            raise VerifyException(f"tile.border: {self.fill} is no element of {kind}")
        lists = [integers(a) for a in (self.dims, self.strides, self.pads, self.extents)]
        if any(len(values) != len(self.offsets) for values in lists):
            raise VerifyException(
                f"tile.border: {len(self.offsets)} offsets need as many dims, strides, pads and extents"
            )
        shape = kind.get_shape()
        lanes = len(shape) - 1 if kind.blocked is None else kind.blocked
        for d, stride, _, extent in self.sides:
            if not 0 <= d < len(shape) or d == lanes:
                raise VerifyException(f"tile.border: dim {d} of {kind}, which has no padding in its lanes")
            if stride < 1 or extent < 1:
                raise VerifyException("tile.border: strides and extents are 1 or more")
