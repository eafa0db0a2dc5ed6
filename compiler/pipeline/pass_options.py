"""Whether what is given for an option of a pass is of its type, in the words of who writes it."""

from __future__ import annotations

import re
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from xdsl.utils.arg_spec import ParameterListType, ParameterType
from xdsl.utils.hints import isa

_POWER = re.compile(r"[0-9]+[eE]-?[0-9]+")
"""Numbers that xDSL reads as words."""

_ONE = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
_MANY = {bool: "true or false", int: "whole numbers", float: "numbers", str: "texts"}


def with_numbers(value: ParameterListType, hint: Any) -> ParameterListType:
    """The value, with `1e-3` a number where the type has fractions."""
    if float not in _leaves(hint):
        return value
    return tuple(float(x) if isinstance(x, str) and _POWER.fullmatch(x) else x for x in value)


def misfit_of_option(value: ParameterListType, hint: Any) -> str | None:
    """What is wrong with a value for an option of a type: `takes a number, not foo`; None where it fits."""
    leaves = _leaves(hint)
    mixed = bool not in leaves and any(isinstance(x, bool) for x in value)
    if not value:
        fits = NoneType in leaves or isa(value, hint)
    else:
        fits = not mixed and ((len(value) == 1 and isa(value[0], hint)) or isa(value, hint))
    if fits:
        return None
    wanted = _named(hint)
    if not value:
        return f"needs a value: {wanted}"
    quoted = (
        " in quotes" if wanted in ("a text", "texts") and not any(isinstance(x, str) for x in value) else ""
    )
    return f"takes {wanted}{quoted}, not {', '.join(map(_shown, value))}"


def _shown(value: ParameterType) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _leaves(hint: Any) -> set[Any]:
    """The types that elements of a value may have."""
    found: set[Any] = set()
    for one in _alternatives(hint):
        if get_origin(one) is tuple:
            found |= {leaf for part in get_args(one) if part is not ... for leaf in _leaves(part)}
        elif get_origin(one) is Literal:
            found |= {type(choice) for choice in get_args(one)}
        else:
            found.add(one)
    return found


def _named(hint: Any) -> str:
    """A type in words; of whole numbers and fractions, the fractions alone."""
    words: list[str] = []
    for one in _alternatives(hint):
        if one is NoneType or (one is int and float in _alternatives(hint)):
            continue
        if get_origin(one) is Literal:
            words += map(_shown, get_args(one))
        elif get_origin(one) is tuple:
            words.append(_several(get_args(one)))
        else:
            words.append(_ONE.get(one, str(one)))
    return " or ".join(dict.fromkeys(words))


def _several(parts: tuple[Any, ...]) -> str:
    """A tuple of types in words."""
    if len(parts) == 2 and parts[1] is ...:
        kinds = _leaves(parts[0])
        return _MANY.get(float if float in kinds else next(iter(kinds)), str(parts[0]))
    return ", ".join(map(_named, parts))


__all__ = ["misfit_of_option", "with_numbers"]
