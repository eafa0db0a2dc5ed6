"""Arguments of a launch: by name or in order, of the types and sizes that a kernel takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from ...dialects.records import dataclass
from ...dialects.storage_types import numpy_dtype
from ...passes.hivm.numbers import Number, single
from ...passes.hivm.signature import Entry, Parameter
from ...runtime.support.hazard import ProgramError
from ..text.diagnostics import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class Arguments:
    """Tensors and numbers of a launch, by the names of the arguments."""

    arrays: Mapping[str, Array]
    numbers: Mapping[str, Number]


def named(entry: Entry, names: Sequence[str] | None) -> tuple[str, ...]:
    """The names of a kernel's arguments: those that are given, or as the text has them. ProgramError where there are
    more or fewer of them, or two are the same."""
    own = tuple(p.name for p in entry.parameters)
    if names is None:
        return own
    if len(names) != len(own) or len(set(names)) != len(names):
        raise ProgramError(
            f"@{entry.name} takes {len(own)} arguments ({_listed(entry, own)}), not those named {', '.join(names)}"
        )
    return tuple(names)


def _listed(entry: Entry, names: Sequence[str]) -> str:
    pairs = zip(entry.parameters, names, strict=True)
    return ", ".join(f"{name}: {'pointer to ' if p.pointer else ''}{p.dtype}" for p, name in pairs)


def bound(entry: Entry, names: Sequence[str], given: Mapping[str, Any] | Sequence[Any]) -> Arguments:
    """What is given for the arguments. ProgramError where something is missing, unknown or of another type."""
    takes = f"@{entry.name} takes {_listed(entry, names)}"
    if not isinstance(given, Mapping):
        if len(given) != len(names):
            raise ProgramError(f"{len(given)} arguments are given; {takes}")
        given = dict(zip(names, given, strict=True))
    for name in given:
        if name not in names:
            raise ProgramError(f"there is no argument '{name}'{did_you_mean(name, names) or f'; {takes}'}")
    missing = [name for name in names if name not in given]
    if missing:
        raise ProgramError(f"argument '{missing[0]}' is missing; {takes}")
    arrays: dict[str, Array] = {}
    numbers: dict[str, Number] = {}
    for parameter, name in zip(entry.parameters, names, strict=True):
        if parameter.pointer:
            arrays[name] = _array(parameter, name, given[name])
        else:
            numbers[name] = _number(parameter, name, given[name])
    return Arguments(arrays, numbers)


def _array(parameter: Parameter, name: str, value: Any) -> Array:
    import numpy as np

    wanted = numpy_dtype("i8" if parameter.dtype == "i1" else parameter.dtype)
    if not isinstance(value, np.ndarray):
        raise ProgramError(f"argument '{name}' is an array of {wanted.name}, not {type(value).__name__}")
    array = cast("Array", value)
    if array.dtype.kind == "u" and array.dtype.name == f"u{wanted.name}" and array.dtype.isnative:
        array = array.view(wanted)  # the pointer's type has no sign
    if array.dtype != wanted and (array.dtype.name, wanted.name) != ("bool", "int8"):
        found = array.dtype.name if array.dtype.isnative else array.dtype.str
        raise ProgramError(f"argument '{name}' is an array of {wanted.name}, not of {found}")
    if array.size == 0:
        raise ProgramError(f"argument '{name}' is an array without elements")
    return array


def _number(parameter: Parameter, name: str, value: Any) -> Number:
    if isinstance(value, str):
        value = _read(parameter, name, value)
    if getattr(value, "size", 0) == 1:  # of numpy
        value = value.item()
    if not isinstance(value, int | float):
        raise ProgramError(f"argument '{name}' is a number ({parameter.dtype}), not {type(value).__name__}")
    number: int | float = value
    if parameter.dtype.startswith(("f", "bf")):
        return single(float(number))
    bits = int(parameter.dtype[1:])
    if (
        not isfinite(number)
        or number != int(number)
        or not -(1 << (bits - 1)) <= int(number) < 1 << max(bits - 1, 1)
    ):
        raise ProgramError(f"argument '{name}' is a whole number of {bits} bits, not {number}")
    return bool(number) if bits == 1 else int(number)


def _read(parameter: Parameter, name: str, text: str) -> int | float:
    try:
        return float(text) if parameter.dtype.startswith(("f", "bf")) else int(text, 0)
    except ValueError:
        raise ProgramError(f"argument '{name}' is a number ({parameter.dtype}), not {text!r}") from None
