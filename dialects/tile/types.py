"""The tile type: a part of a tensor in one on-chip memory, and how its elements lie there."""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..element_types import lanes_of
from ..record_attributes import located, parse_word

BLOCK = 16
"""Rows and columns of one fractal of the accumulator, rows of one of an operand, and what tiles in UB are walked by."""

KEPT = 4096
"""So many tile types are kept."""


class Space(StrEnum):
    """The memories that a tile may be in: L0A and L0B are for the level below."""

    L1 = "l1"
    L0C = "l0c"
    BT = "bt"
    FB = "fb"
    UB = "ub"


@irdl_attr_definition
class SpaceAttr(EnumAttribute[Space], SpacedOpaqueSyntaxAttribute):
    """A memory that a tile may be in, in the type of a tile: `l1`, `l0c`, `bt`, `fb` or `ub`."""

    name = "tile.space"


_SPACES = {space.value: SpaceAttr(space) for space in Space}


def print_blocks(printer: Printer, block: int, order: Sequence[int]) -> None:
    """Print `blocked 1 order [0, 1]`."""
    printer.print_string(f"blocked {block} order {list(order)}")


def parse_blocks(parser: AttrParser) -> tuple[int, list[int]]:
    """Parse what `print_blocks` prints: the dimension in blocks, and the order."""
    parser.parse_keyword("blocked")
    block = parser.parse_integer()
    parser.parse_keyword("order")
    return block, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)


@irdl_attr_definition
class TileType(ParametrizedAttribute, TypeAttribute):
    """`!tile.tile<1x128x8x56xf16, ub, nd>`: shape (the largest it gets), element type, space, layout.

    Layout `nd` is row-major with rows padded to 32 B. `blocked d` splits dimension `d` into blocks of 16 (in L1: of
    32 B) that lie innermost: dimensions before the blocks are those listed first in `order`, so [N, C, H, W] blocked
    at 1 is NC1HWC0, and [M, N] blocked at 1 with order (1, 0) is NZ.
    """

    name = "tile.tile"
    shape: ArrayAttr[IntAttr]
    element_type: Attribute
    space: SpaceAttr
    order: ArrayAttr[IntAttr]
    block: IntAttr

    @staticmethod
    def get(
        shape: Sequence[int], element_type: Attribute, space: str, order: Sequence[int] = (), block: int = -1
    ) -> "TileType":
        """`VerifyException` where there is no such memory, or the rest does not verify."""
        if space not in _SPACES:
            raise VerifyException(f"tile: a tile is in one of {', '.join(Space)}, not in {space!r}")
        return _tile_type(tuple(shape), element_type, space, tuple(order or range(len(shape))), block)

    def get_shape(self) -> tuple[int, ...]:
        return tuple(s.data for s in self.shape)

    def get_order(self) -> tuple[int, ...]:
        return tuple(o.data for o in self.order)

    @property
    def blocked(self) -> int | None:
        """The dimension whose blocks lie innermost; None for row-major."""
        return None if self.block.data < 0 else self.block.data

    @property
    def lanes(self) -> int:
        """Elements of a block: C0 of the Cube's operands in L1, 16 elsewhere."""
        return lanes_of(self.element_type) if self.space.data == "l1" else BLOCK

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for size in self.get_shape():
                printer.print_string(f"{size}x")
            printer.print_attribute(self.element_type)
            printer.print_string(f", {self.space.data}, ")
            if self.blocked is None:
                printer.print_string("nd")
            else:
                print_blocks(printer, self.blocked, self.get_order())

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        with parser.in_angle_brackets():
            dims, element_type = parser.parse_ranked_shape()
            parser.parse_punctuation(",")
            space = parse_word(parser, Space)
            parser.parse_punctuation(",")
            if parser.parse_optional_keyword("nd") is not None:
                order, block = list(range(len(dims))), -1
            else:
                block, order = parse_blocks(parser)
        with located(parser, start):
            return TileType.get(dims, element_type, space, order, block).parameters

    def verify(self) -> None:
        rank = len(self.shape)
        if any(size < 1 for size in self.get_shape()):
            raise VerifyException(f"tile: sizes are 1 or more, not {list(self.get_shape())}")
        if sorted(self.get_order()) != list(range(rank)):
            raise VerifyException(
                f"tile: order {list(self.get_order())} is not a permutation of {rank} dimensions"
            )
        if self.block.data >= rank:
            raise VerifyException(f"tile: blocked dimension {self.block.data} of a tile of rank {rank}")


@lru_cache(KEPT)
def _tile_type(
    shape: tuple[int, ...], element_type: Attribute, space: str, order: tuple[int, ...], block: int
) -> TileType:
    return TileType(
        ArrayAttr([IntAttr(s) for s in shape]),
        element_type,
        _SPACES[space],
        ArrayAttr([IntAttr(o) for o in order]),
        IntAttr(block),
    )


def tile_type(value: SSAValue | Attribute) -> TileType:
    """The tile type of a value or type; `VerifyException` when it is not one."""
    candidate = value.type if isinstance(value, SSAValue) else value
    if not isinstance(candidate, TileType):
        raise VerifyException(f"expected a tile, got {candidate}")
    return candidate
