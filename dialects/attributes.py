"""Reading and writing builtin attributes and types with static types."""

import math
from collections.abc import Iterable
from functools import lru_cache
from struct import unpack
from typing import Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


def integers(attribute: DenseArrayBase[Any]) -> tuple[int, ...]:
    """The numbers of `array<i64: …>`."""
    if attribute.elt_type is i64 or attribute.elt_type == i64:
        data = attribute.data.data
        return unpack(f"<{len(data) // 8}q", data)
    return tuple(int(v) for v in attribute.iter_values())


def integer_array(values: Iterable[int]) -> DenseArrayBase[IntegerType]:
    """`array<i64: …>` of the numbers."""
    return _integer_array(tuple(values))


@lru_cache(maxsize=4096)
def _integer_array(values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i64, values)


NUMBER = FloatAttr | IntegerAttr
"""A number beside elements: of i64 beside these, of i32 beside other integers wider than i8, else of f32."""
WHOLE = ("i32", "i16", "i64")
"""Element types beside which a number is whole."""


def number_attribute(value: float, element_type: Attribute | str) -> FloatAttr | IntegerAttr:
    """`value` beside elements of `element_type`. A whole number is held to the range of its type, as are infinities;
    ValueError for other numbers beside integers."""
    name = str(element_type)
    if name not in WHOLE:
        return FloatAttr(float(value), f32)
    kind = i64 if name == "i64" else i32
    most = 1 << (kind.width.data - 1)
    held = min(max(value, -most), most - 1)
    if math.isnan(held) or held != int(held):
        raise ValueError(f"{value} is no whole number, beside elements of {kind}")
    return IntegerAttr(int(held), kind)


def number_of(attribute: FloatAttr | IntegerAttr) -> float | int:
    """The number that `number_attribute` holds: an int beside integers."""
    return attribute.value.data


def fits_elements(attribute: FloatAttr | IntegerAttr, element_type: Attribute | str) -> bool:
    """Whether a number has the type that stands beside elements of `element_type`."""
    name = str(element_type)
    return attribute.type == (i64 if name == "i64" else i32 if name in WHOLE else f32)


def tensor_type(value: SSAValue | Attribute) -> TensorType[Attribute]:
    """The tensor type of a value or type; `VerifyException` when it is not one."""
    candidate = value.type if isinstance(value, SSAValue) else value
    if not isa(candidate, TensorType):
        raise VerifyException(f"expected a tensor, got {candidate}")
    return candidate
