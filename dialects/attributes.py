"""Reading and writing builtin attributes and types with static types."""

from collections.abc import Iterable
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa


def integers(attribute: DenseArrayBase[Any]) -> tuple[int, ...]:
    """The numbers of `array<i64: …>`."""
    return tuple(int(v) for v in attribute.iter_values())


def integer_array(values: Iterable[int]) -> DenseArrayBase[IntegerType]:
    """`array<i64: …>` of the numbers."""
    return DenseArrayBase.from_list(i64, list(values))


def tensor_type(value: SSAValue | Attribute) -> TensorType[Attribute]:
    """The tensor type of a value or type; `VerifyException` when it is not one."""
    candidate = value.type if isinstance(value, SSAValue) else value
    if not isa(candidate, TensorType):
        raise VerifyException(f"expected a tensor, got {candidate}")
    return candidate
