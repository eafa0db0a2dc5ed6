"""Operand maps as attributes: how a region of a kernel's result becomes a region of a tensor it loads."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers
from ..tiling import Along, DimMap, OperandMap, Picked, Unit, Whole

_KINDS = {Along: 0, Whole: 1, Unit: 2}
_THIN = 3
_PICKED = 4


def encode_map(maps: OperandMap) -> ArrayAttr[DenseArrayBase]:
    """One array a dimension: [kind, dim, stride, window, dilation, pad], and the repeat if it is not one; kind 0 along,
    1 whole, 2 unit, 3 along and thin. Of a dimension that indices pick: 4, then the dimensions that these follow."""

    def row(entry: DimMap) -> list[int]:
        if isinstance(entry, Along):
            fields = [
                _THIN if entry.thin else 0,
                entry.dim,
                entry.stride,
                entry.window,
                entry.dilation,
                entry.pad,
            ]
            return fields if entry.repeat == 1 else [*fields, entry.repeat]
        if isinstance(entry, Picked):
            return [_PICKED, *entry.dims]
        return [_KINDS[type(entry)]]

    return ArrayAttr([integer_array(row(entry)) for entry in maps])


def decode_map(attribute: ArrayAttr[DenseArrayBase]) -> OperandMap:
    """Inverse of `encode_map`."""

    def entry(row: DenseArrayBase) -> DimMap:
        kind, *fields = integers(row)
        if kind in (0, _THIN):
            dim, stride, window, dilation, pad, repeat = (*fields, 1)[:6]
            return Along(dim, stride, window, dilation, pad, repeat, thin=kind == _THIN)
        return Picked(None, tuple(fields)) if kind == _PICKED else (Whole(), Unit())[kind - 1]

    return tuple(entry(row) for row in attribute)


def verify_row(name: str, row: Sequence[int], count: int) -> None:
    """`VerifyException` of the op `name` where a row of a map (`encode_map`) that picks nothing maps no dimension, or
    follows none of `count`."""
    if not (row in ((1,), (2,)) or (len(row) in (6, 7) and row[0] in (0, _THIN))):
        raise VerifyException(f"{name}: {list(row)} maps no dimension")
    if row[0] in (0, _THIN) and not (0 <= row[1] < count and row[2] >= 0 and min((*row[3:5], *row[6:])) >= 1):
        raise VerifyException(
            f"{name}: {list(row)} follows none of {count} dimensions with a stride of 0 or more "
            "and a window, dilation and repeat of 1 or more"
        )
    if row[0] == _THIN and not (row[2] > 1 and (*row[3:5], *row[6:]) == (1, 1)):
        raise VerifyException(
            f"{name}: {list(row)} is thin: it needs a stride above 1, and no window or repeat"
        )
