"""Assembly formats that are read when an op of the kind is first parsed or printed.

xDSL reads the `assembly_format` of a class where the class is made. Of the kinds of a large dialect a program has few,
so that most of this would be for nothing at every start.
"""

from __future__ import annotations

from abc import ABCMeta
from functools import cache
from typing import ClassVar, Self

from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser
from xdsl.printer import Printer


class _Kind(ABCMeta):
    """Instances of a kind of ops are those that were made of it or of a kind below. Which others were registered with
    it, as xDSL's classes can have them, takes several times as long to find out, and none are."""

    __instancecheck__ = type.__instancecheck__


class LateFormat(IRDLOperation, metaclass=_Kind):
    """Base of ops whose syntax is `FORMAT`, in xDSL's language of assembly formats."""

    FORMAT: ClassVar[str]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return format_of(cls).parse(parser, cls)

    def print(self, printer: Printer) -> None:
        """Print the op; its properties in the order of their definition, whoever set them in which order."""
        found = self.properties
        if len(found) > 1:
            defined = self.get_irdl_definition().properties
            self.properties = {**{name: found[name] for name in defined if name in found}, **found}
        format_of(type(self)).print(printer, self)


@cache
def format_of(kind: type[LateFormat]) -> FormatProgram:
    """The syntax of a kind of ops. Raises xDSL's ParseError where it is wrong."""
    return FormatProgram.from_str(kind.FORMAT, kind.get_irdl_definition())
