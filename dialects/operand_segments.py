"""Operands of ops that have several optional ones: which are there says a property, which is read once for all ops that
have as many.

    @quick_operands
    @irdl_op_definition
    class ViewOp(IRDLOperation): …          view.slot takes a third of the time
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import unpack
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.irdl.operations import (
    BaseAttrAccessor,
    OptionalAttrAccessor,
    SingleAttrAccessor,
    VariadicAttrAccessor,
)

OpT = TypeVar("OpT", bound=IRDLOperation)
SEGMENTS = AttrSizedOperandSegments.attribute_name


@lru_cache(maxsize=1024)
def _ends(data: bytes) -> tuple[int, ...]:
    """0, and where each operand of an op ends, by the bytes of how many values each has."""
    ends = [0]
    for size in unpack(f"<{len(data) // 4}i", data):
        ends.append(ends[-1] + size)
    return tuple(ends)


@lru_cache(maxsize=1024)
def segments(*sizes: int) -> DenseArrayBase[Any]:
    """The property of an op whose operands have so many values each."""
    return DenseArrayBase.from_list(i32, sizes)


class _Operand:
    """Looks up one of the operands, as the accessor in whose place it is."""

    def __init__(self, accessor: BaseAttrAccessor):
        self._accessor, self._index = accessor, accessor.idx

    def _span(self, op: Operation) -> tuple[int, int]:
        ends = _ends(cast(Any, op.properties[SEGMENTS]).data.data)
        return ends[self._index], ends[self._index + 1]

    def __set__(self, op: Operation, value: object) -> None:
        cast(Any, self._accessor).__set__(op, value)


class _Single(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> SSAValue:
        return op.operands[self._span(op)[0]]


class _Optional(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> SSAValue | None:
        begin, end = self._span(op)
        return op.operands[begin] if begin < end else None


class _Several(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> Sequence[SSAValue]:
        begin, end = self._span(op)
        return op.operands[begin:end]


_QUICK: dict[type[BaseAttrAccessor], type[_Operand]] = {
    SingleAttrAccessor: _Single,
    OptionalAttrAccessor: _Optional,
    VariadicAttrAccessor: _Several,
}


def quick_operands(kind: type[OpT]) -> type[OpT]:
    """The op's class, whose operands are looked up for less."""
    for name, accessor in list(vars(kind).items()):
        if isinstance(accessor, BaseAttrAccessor) and isinstance(accessor.option, AttrSizedOperandSegments):
            assert accessor.option.as_property
            setattr(kind, name, _QUICK[type(accessor)](accessor))
    return kind


__all__ = ["SEGMENTS", "quick_operands", "segments"]
