"""Operands of ops, looked up for less. Of ops that have several optional ones a property says which are there, which is
read once for all ops that have as many.

    @quick_operands
    @irdl_op_definition
    class ViewOp(IRDLOperation): …          view.slot takes a third of the time
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from struct import unpack
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.irdl.operations import (
    AfterVariadicSingleAccessor,
    BaseAccessor,
    BaseAttrAccessor,
    BeforeVariadicSingleAccessor,
    OptionalAttrAccessor,
    SingleAttrAccessor,
    UniqueVariadicAccessor,
    VariadicAttrAccessor,
    VarIRConstruct,
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


_at: Callable[[tuple[SSAValue, ...], int], SSAValue] = cast(Any, tuple).__getitem__
"""One of the values of an op. `op.operands` makes a sequence, and its `[]` asks what it is given."""


class _Operand:
    """Looks up one of the operands, as the accessor in whose place it is."""

    def __init__(self, accessor: BaseAccessor | BaseAttrAccessor):
        self._accessor = accessor
        self._index: int = accessor.idx

    def __set__(self, op: Operation, value: object) -> None:
        cast(Any, self._accessor).__set__(op, value)


class _Single(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> SSAValue:
        sizes: Any = op.properties[SEGMENTS]
        return _at(op._operands, _ends(sizes.data.data)[self._index])


class _Optional(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> SSAValue | None:
        sizes: Any = op.properties[SEGMENTS]
        ends, index = _ends(sizes.data.data), self._index
        begin = ends[index]
        return _at(op._operands, begin) if begin < ends[index + 1] else None


class _Several(_Operand):
    def __get__(self, op: Operation, kind: object = None) -> Sequence[SSAValue]:
        sizes: Any = op.properties[SEGMENTS]
        ends, index = _ends(sizes.data.data), self._index
        return op._operands[ends[index] : ends[index + 1]]


class _First(_Operand):
    """One that stands before all that there may be several of."""

    def __get__(self, op: Operation, kind: object = None) -> SSAValue:
        return _at(op._operands, self._index)


class _Last(_Operand):
    """One that stands behind them."""

    def __init__(self, accessor: AfterVariadicSingleAccessor):
        super().__init__(accessor)
        self._index -= accessor.num_defs

    def __get__(self, op: Operation, kind: object = None) -> SSAValue:
        return _at(op._operands, self._index)


class _Only(_Operand):
    """Those that there may be several of, where they are the only ones."""

    def __init__(self, accessor: UniqueVariadicAccessor):
        super().__init__(accessor)
        self._behind = accessor.idx + 1 - accessor.num_defs

    def __get__(self, op: Operation, kind: object = None) -> Sequence[SSAValue]:
        values = op._operands
        return values[self._index : len(values) + self._behind]


_QUICK: dict[type[BaseAccessor | BaseAttrAccessor], Callable[[Any], _Operand]] = {
    SingleAttrAccessor: _Single,
    OptionalAttrAccessor: _Optional,
    VariadicAttrAccessor: _Several,
    BeforeVariadicSingleAccessor: _First,
    AfterVariadicSingleAccessor: _Last,
    UniqueVariadicAccessor: _Only,
}


def quick_operands(kind: type[OpT]) -> type[OpT]:
    """The op's class, whose operands are looked up for less."""
    for name, accessor in list(vars(kind).items()):
        if isinstance(accessor, BaseAttrAccessor):
            if not isinstance(accessor.option, AttrSizedOperandSegments):
                continue
            assert accessor.option.as_property
        elif not isinstance(accessor, BaseAccessor) or accessor.construct != VarIRConstruct.OPERAND:
            continue
        if type(accessor) in _QUICK:
            setattr(kind, name, _QUICK[type(accessor)](accessor))
    return kind


__all__ = ["SEGMENTS", "quick_operands", "segments"]
