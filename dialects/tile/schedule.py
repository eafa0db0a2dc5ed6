"""How a kernel is carried out, as far as that is not in its body: the programs that it becomes, the order in which each
of them takes its tiles, and what programs hand to each other.

`tile-partition` says which programs there are and where they meet, `tile-pipeline` how each of them loops;
`tile-to-ascend` does what they say.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..record_attributes import located

CORES = ("core", "aic", "aiv")
"""Kinds of cores: one with Cube and Vector unit; where they are apart, that with the Cube and those with a Vector."""

LOOPS = {
    "serial": "one tile after the other",
    "spans": "one tile after the other, of tiles end to end",
    "overlapped": "the first loads of a tile come before what follows the product of the tile before",
    "streamed": "operands of each step are loaded during the products of the step before, across tiles",
    "resident": "the first tile of a row of tiles computes the left operand, the others find it in L1",
    "feed": "operands for the Cube core come before what follows the product of the tile before",
    "parts": "the rows of a part come before the product of the part before",
}
"""Orders in which a program takes its tiles."""

WAYS = {"result": ("gm", "ub"), "operands": ("gm", "l1"), "part": ("gm",)}
"""What programs hand over, through which memories: tiles of a product, operands of one, or what a part of a stream
gives."""


@irdl_attr_definition
class ProgramAttr(ParametrizedAttribute):
    """`#tile.program<aic streamed>`: a program for one kind of core, and in which order it takes its tiles, which
    `tile-pipeline` adds: `#tile.program<aic>` before it."""

    name = "tile.program"
    kind: StringAttr
    order: StringAttr | NoneAttr

    @staticmethod
    def get(core: str, loop: str | None = None) -> "ProgramAttr":
        return ProgramAttr(StringAttr(core), NoneAttr() if loop is None else StringAttr(loop))

    @property
    def core(self) -> str:
        """The kind of core."""
        return self.kind.data

    @property
    def loop(self) -> str | None:
        """The order in which it takes its tiles, if that is said."""
        return None if isinstance(self.order, NoneAttr) else self.order.data

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.core if self.loop is None else f"{self.core} {self.loop}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        with located(parser, start), parser.in_angle_brackets():
            return ProgramAttr.get(parser.parse_identifier(), parser.parse_optional_identifier()).parameters

    def verify(self) -> None:
        if self.core not in CORES:
            raise VerifyException(f"program: a core is one of {', '.join(CORES)}, not {self.core}")
        if self.loop is not None and self.loop not in LOOPS:
            raise VerifyException(f"program: a loop is one of {', '.join(LOOPS)}, not {self.loop}")


@irdl_attr_definition
class HandOverAttr(ParametrizedAttribute):
    """`#tile.hand_over<operands through l1 slots 3>`: what one program hands to the other, through which memory, and
    for how many steps there is room (of a result or a part: two)."""

    name = "tile.hand_over"
    handed: StringAttr
    memory: StringAttr
    room: IntAttr

    @staticmethod
    def get(what: str, through: str, slots: int = 2) -> "HandOverAttr":
        return HandOverAttr(StringAttr(what), StringAttr(through), IntAttr(slots))

    @property
    def what(self) -> str:
        """What is handed over."""
        return self.handed.data

    @property
    def through(self) -> str:
        """The memory that it goes through."""
        return self.memory.data

    @property
    def slots(self) -> int:
        """So many steps that one side may be ahead of the other."""
        return self.room.data

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.what} through {self.through} slots {self.slots}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        with located(parser, start), parser.in_angle_brackets():
            what = parser.parse_identifier()
            parser.parse_keyword("through")
            through = parser.parse_identifier()
            parser.parse_keyword("slots")
            return HandOverAttr.get(what, through, parser.parse_integer()).parameters

    def verify(self) -> None:
        if self.what not in WAYS:
            raise VerifyException(f"hand_over: what is one of {', '.join(WAYS)}, not {self.what}")
        ways = WAYS[self.what]
        if self.through not in ways:
            raise VerifyException(
                f"hand_over: a {self.what} goes through {' or '.join(ways)}, not {self.through}"
            )
        if self.slots < 1 or (self.what != "operands" and self.slots != 2):
            raise VerifyException(
                f"hand_over: operands have 1 slot or more and others two, not {self.slots} of {self.what}"
            )


Programs = ArrayAttr[ProgramAttr]
HandOvers = ArrayAttr[HandOverAttr]
