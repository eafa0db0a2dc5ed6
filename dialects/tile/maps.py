"""Operand maps as attributes: how a region of a kernel's result becomes a region of a tensor it loads."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..record_attributes import located, parse_int
from ..records import dataclass
from ..tiling import Along, DimMap, OperandMap, Picked, Unit, Whole

TEXTS = 4096
"""So many maps are kept with their text."""

ValueT = TypeVar("ValueT")

WHOLE, INDICES, THIN, WINDOW, REPEAT = "whole", "indices", "thin", "window", "floordiv"


@dataclass(frozen=True)
class TileMap:
    """An operand map over `rank` dimensions of a region: of each dimension of the tensor what the region needs."""

    rank: int
    entries: OperandMap

    def verify(self) -> None:
        """`VerifyException` at an entry that follows no dimension, or has no such stride, window or repeat."""
        for entry in self.entries:
            if isinstance(entry, Along):
                self._verify_along(entry)
            elif isinstance(entry, Picked) and any(not 0 <= d < self.rank for d in entry.dims):
                raise VerifyException(f"map: {_entry_text(entry)} follows none of {self.rank} dimensions")

    def _verify_along(self, entry: Along) -> None:
        if not 0 <= entry.dim < self.rank:
            raise VerifyException(f"map: {_entry_text(entry)} follows none of {self.rank} dimensions")
        if entry.stride < 0 or min(entry.window, entry.dilation, entry.repeat) < 1:
            raise VerifyException(
                f"map: {_entry_text(entry)}: a stride is 0 or more, a window, dilation and floordiv 1 or more"
            )
        if entry.thin and not (entry.stride > 1 and entry.window == entry.repeat == 1):
            raise VerifyException(
                f"map: {_entry_text(entry)} needs a stride above 1, and no window or floordiv"
            )


@irdl_attr_definition
class MapAttr(Data[TileMap]):
    """Of each dimension of a tensor the indices that index `d0`, `d1`, … of a region needs. What lies outside the
    tensor has the value `fill` of the load.

        #tile.map<(d0, d1, d2, d3) -> (d0, whole, d2 * 2 + window(3) - 1, d3 * 2 + window(3) - 1)>

    | entry | the indices |
    |---|---|
    | `d1` | the same |
    | `d1 * 2 + window(3) * 4 - 1` | `2 d1 + 4 j - 1` for `0 <= j < 3`: stride 2, dilation 4, padding 1 |
    | `d1 + 64` | from index 64 on |
    | `d1 * 0 + window(3)` | for all results one window: the taps of depthwise weights |
    | `d1 floordiv 2` | each index serves two results in a row |
    | `thin d1 * 2` | a slice with a step: a tile in UB holds the elements that are read and none between them |
    | `whole` | all |
    | `0` | the only one, of a dimension of size one that repeats |
    | `indices[d0, d1]` | the element of `indices` of the load at `d0`, `d1`; a negative one counts from the end |
    """

    name = "tile.map"

    @staticmethod
    def of(maps: OperandMap, rank: int) -> "MapAttr":
        """The attribute of an operand map over `rank` dimensions. It does not know which dimension one of size one
        stands for, nor the tensor of indices."""
        return MapAttr(TileMap(rank, tuple(map(_plain, maps))))

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(_map_text(self.data))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TileMap:
        with parser.in_angle_brackets():
            rank = _parse_dims(parser)
            parser.parse_punctuation("->")
            return TileMap(rank, tuple(_parse_list(parser, lambda: _parse_entry(parser, rank))))

    def verify(self) -> None:
        self.data.verify()


def _plain(entry: DimMap) -> DimMap:
    """An entry without what the text does not say."""
    if isinstance(entry, Picked):
        return Picked(None, entry.dims)
    return Unit() if isinstance(entry, Unit) else entry


def _entry_text(entry: DimMap) -> str:
    if isinstance(entry, Whole):
        return WHOLE
    if isinstance(entry, Unit):
        return "0"
    if isinstance(entry, Picked):
        return f"{INDICES}[{', '.join(f'd{d}' for d in entry.dims)}]"
    text = f"{THIN} d{entry.dim}" if entry.thin else f"d{entry.dim}"
    if entry.repeat != 1:
        text += f" {REPEAT} {entry.repeat}"
    if entry.stride != 1:
        text += f" * {entry.stride}"
    if (entry.window, entry.dilation) != (1, 1):
        text += f" + {WINDOW}({entry.window})"
    if entry.dilation != 1:
        text += f" * {entry.dilation}"
    return text if not entry.pad else f"{text} {'-' if entry.pad > 0 else '+'} {abs(entry.pad)}"


@lru_cache(TEXTS)
def _map_text(maps: TileMap) -> str:
    dims = ", ".join(f"d{d}" for d in range(maps.rank))
    return f"<({dims}) -> ({', '.join(map(_entry_text, maps.entries))})>"


def _parse_list(parser: AttrParser, parse: Callable[[], ValueT]) -> list[ValueT]:
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse)


def _parse_dims(parser: AttrParser) -> int:
    """The dimensions of the region, in order: how many there are."""
    names: list[str] = []

    def parse_name() -> None:
        at = parser.pos
        names.append(parser.parse_identifier())
        if names[-1] != (expected := f"d{len(names) - 1}"):
            parser.raise_error(f"expected dimension '{expected}', not '{names[-1]}'", at, at + len(names[-1]))

    _parse_list(parser, parse_name)
    return len(names)


def _dim_of(parser: AttrParser, name: str, at: int, rank: int) -> int:
    """The number of a dimension that is called `name`."""
    number = name[1:]
    if name[:1] != "d" or not number.isdecimal() or int(number) >= rank:
        dims = ", ".join(f"d{d}" for d in range(rank)) or "none"
        parser.raise_error(f"no dimension '{name}': there are {dims}", at, at + len(name))
    return int(number)


def _parse_dim(parser: AttrParser, rank: int) -> int:
    at = parser.pos
    return _dim_of(parser, parser.parse_identifier(), at, rank)


def _parse_entry(parser: AttrParser, rank: int) -> DimMap:
    """What is needed along one dimension of the tensor."""
    start = parser.pos
    if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
        if number:
            parser.raise_error(
                f"expected 0, the only index of a dimension of size one, not {number}", start, parser.pos
            )
        return Unit()
    word = parser.parse_identifier()
    if word == WHOLE:
        return Whole()
    if word == INDICES:
        dims = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_dim(parser, rank))
        return Picked(None, tuple(dims))
    thin = word == THIN
    dim = _parse_dim(parser, rank) if thin else _dim_of(parser, word, start, rank)
    repeat = parse_int(parser) if parser.parse_optional_keyword(REPEAT) is not None else 1
    stride = _parse_factor(parser)
    window, dilation, pad = 1, 1, 0
    sign = _parse_sign(parser)
    if sign > 0 and parser.parse_optional_keyword(WINDOW) is not None:
        with parser.in_parens():
            window = parse_int(parser)
        dilation = _parse_factor(parser)
        sign = _parse_sign(parser)
    if sign:
        pad = -sign * parser.parse_integer(allow_boolean=False, allow_negative=False)
    entry = Along(dim, stride, window, dilation, pad, repeat, thin)
    with located(parser, start):
        TileMap(rank, (entry,)).verify()
    return entry


def _parse_factor(parser: AttrParser) -> int:
    return 1 if parser.parse_optional_punctuation("*") is None else parse_int(parser)


def _parse_sign(parser: AttrParser) -> int:
    """1, -1, or 0 where no sign follows."""
    if parser.parse_optional_punctuation("+") is not None:
        return 1
    return 0 if parser.parse_optional_punctuation("-") is None else -1


__all__ = ["MapAttr", "TileMap"]
