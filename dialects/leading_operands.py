"""Names of operands that are always at the same place.

Where the sizes of an op's variadic operands are a property, xDSL reads that property for every operand by name. In
front of the first variadic operand the place is known.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, VarOperandDef
from xdsl.irdl.operations import BaseAttrAccessor


class _Leading:
    """The operand at one place."""

    def __init__(self, place: int):
        self._place = place

    def __get__(self, op: IRDLOperation, kind: type[IRDLOperation] | None = None) -> SSAValue:
        return op.operands[self._place]


def name_by_place(kinds: Iterable[type[Operation]]) -> None:
    """Let the operands in front of the first variadic one of each kind be read by their places."""
    for kind in kinds:
        assert issubclass(kind, IRDLOperation)
        for place, (name, operand) in enumerate(kind.get_irdl_definition().operands):
            if isinstance(operand, VarOperandDef):
                break
            if isinstance(kind.__dict__.get(name), BaseAttrAccessor):
                setattr(kind, name, _Leading(place))


__all__ = ["name_by_place"]
