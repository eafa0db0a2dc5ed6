"""Options of a pass are of the types that it states, whether a command line gives them or Python does."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass

WORDS: dict[Any, tuple[str, str]] = {
    bool: ("True or False", "of True and False"),
    float: ("a number", "of numbers"),
    int: ("a whole number", "of whole numbers"),
    str: ("a string", "of strings"),
    NoneType: ("None", "of None"),
}
"""Of each type of options: one value, several ones."""


class Pass(ModulePass):
    """A pass whose options are checked when it is made. One with a `__post_init__` of its own calls this one first."""

    def __post_init__(self) -> None:
        for name, kind in _kinds(type(self)):
            value: object = getattr(self, name)
            if not _fits(value, kind):
                option = name.replace("_", "-")
                raise ValueError(f"{self.name}: {option} is {_words(kind)}, not {value!r}")


@cache
def _kinds(one: Any) -> tuple[tuple[str, Any], ...]:
    """The options of a pass, and their types."""
    hints = get_type_hints(one)
    return tuple((field.name, hints[field.name]) for field in fields(one))


def _parts(kind: Any) -> tuple[Any, ...]:
    """The types that a type is a choice of."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _fits(value: Any, kind: Any) -> bool:
    return any(_is_one(value, part) for part in _parts(kind))


def _is_one(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return isinstance(value, list | tuple) and all(_fits(one, inner) for one in value)  # pyright: ignore
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, Integral if kind is int else Real if kind is float else kind)


def _words(kind: Any) -> str:
    """What a type asks for. A number may be a whole one."""
    parts = [part for part in _parts(kind) if part is not int or float not in _parts(kind)]
    return " or ".join(
        f"a tuple {_several(get_args(part)[0])}" if get_origin(part) is tuple else WORDS[part][0]
        for part in parts
    )


def _several(kind: Any) -> str:
    parts: Sequence[Any] = [part for part in _parts(kind) if part is not int or float not in _parts(kind)]
    return " or ".join(WORDS[part][1] for part in parts)


__all__ = ["Pass"]
