"""What somebody states of a kernel's tiling, in the graph, on a group, or in a plan: some of its fields, or all.

    {tile = [1, 128, 4, 56], cores = 24} on an op      two fields; the search chooses the rest
    a kernel of a plan                                 every field: one tiling

Statements are honoured or refused: nothing else than what the search takes for legal is built.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    NoneAttr,
    NoneType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation

from ....dialects.graph.fusion_marks import CORES, TILE, TILING, tile_sizes
from ....dialects.records import dataclass
from ...support.errors import LocatedError

GROUP_TILING = "tile.tiling"
"""The attribute of a `tile.group` that states fields of its tiling."""

PLANNED_IN = "tile.plan"
"""The attribute of a `tile.group` that names the plan which states its tiling."""

Plain = bool | int | str | None | list["Plain"] | dict[str, "Plain"]
"""A value of JSON, without floats."""


@dataclass(frozen=True)
class Stated:
    """Fields of a tiling by name, as JSON values; no fields: any tiling will do."""

    fields: tuple[tuple[str, Any], ...] = ()

    @staticmethod
    def of(values: Mapping[str, Plain]) -> Stated:
        """The statement of some fields."""
        return Stated(tuple(sorted((name, _frozen(value)) for name, value in values.items())))

    @staticmethod
    def of_attribute(attribute: Attribute) -> Stated:
        """The statement that a dictionary of fields makes; ValueError for another attribute."""
        values = from_attribute(attribute)
        if not isinstance(values, dict):
            raise ValueError(f"a tiling is a dictionary of its fields, not {attribute}")
        return Stated.of(values)

    def __bool__(self) -> bool:
        return bool(self.fields)

    def get(self, name: str) -> Any:
        """What is stated of a field; None where nothing is."""
        return dict(self.fields).get(name)

    def sizes(self, name: str) -> tuple[int, ...] | None:
        """The whole numbers that are stated of a field; None where nothing is, or something else."""
        value = self.get(name)
        return cast(tuple[int, ...], value) if is_sizes(value) else None

    def states(self, name: str) -> bool:
        """Whether a field is stated."""
        return any(name == one for one, _ in self.fields)

    def over(self, other: Stated) -> Stated:
        """This statement, and what `other` says of the fields that it leaves open."""
        return Stated(tuple(sorted({**dict(other.fields), **dict(self.fields)}.items())))

    def without(self, names: Collection[str]) -> Stated:
        """What is stated of other fields than these."""
        return Stated(tuple(one for one in self.fields if one[0] not in names))

    def allows(self, tiling: object) -> bool:
        """Whether a tiling has all that is stated."""
        return all(_frozen(plain(getattr(tiling, name, _MISSING))) == value for name, value in self.fields)

    def unknown(self, tiling: object) -> list[str]:
        """Stated fields that a tiling of this form does not have."""
        known = {field.name for field in fields(cast(Any, tiling))}
        return [name for name, _ in self.fields if name not in known]

    @property
    def text(self) -> str:
        """The statement in words."""
        return ", ".join(f"{name} {shown(value)}" for name, value in self.fields)


FREE = Stated()
_MISSING = "\0missing"


def is_sizes(value: object) -> bool:
    """Whether a value is a tuple of whole numbers."""
    return isinstance(value, tuple) and all(type(one) is int for one in cast(tuple[Any, ...], value))


def shown(value: Any) -> str:
    """A value as messages have it."""
    if isinstance(value, tuple):
        items = cast(tuple[Any, ...], value)
        return (
            "x".join(map(str, items)) if items and all(isinstance(one, int) for one in items) else str(items)
        )
    return str(value).lower() if isinstance(value, bool) else str(value)


def _frozen(value: Any) -> Any:
    """A JSON value that can be compared and hashed."""
    if isinstance(value, Mapping):
        named = cast(dict[str, Any], value)
        return tuple(sorted((name, _frozen(named[name])) for name in named))
    if isinstance(value, list | tuple):
        items = cast(list[Any], value)
        return tuple(_frozen(one) for one in items)
    return value


def plain(value: Any) -> Any:
    """A tiling, or a field of one, as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [plain(one) for one in cast(tuple[Any, ...], value)]
    return value


def to_attribute(value: Plain) -> Attribute:
    """A JSON value as an attribute."""
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, 64)
        case str():
            return StringAttr(value)
        case None:
            return NoneAttr()
        case list():
            return ArrayAttr([to_attribute(one) for one in value])
        case dict():
            return DictionaryAttr({name: to_attribute(one) for name, one in sorted(value.items())})


def from_attribute(attribute: Attribute) -> Plain:
    """The JSON value that an attribute stands for; ValueError for one of another kind."""
    match attribute:
        case IntegerAttr():
            number = cast(IntegerAttr[Any], attribute)
            return bool(number.value.data) if number.type.bitwidth == 1 else number.value.data
        case StringAttr():
            return attribute.data
        case NoneAttr() | NoneType():  # as text both are `none`
            return None
        case ArrayAttr():
            return [from_attribute(one) for one in attribute]
        case DictionaryAttr():
            return {name: from_attribute(one) for name, one in attribute.data.items()}
        case _:
            raise ValueError(f"a tiling has whole numbers, words and lists, not {attribute}")


def read_fields(text: str) -> dict[str, Plain]:
    """The fields of `step=256, drain=false, l0_k=64x32`; ValueError where the text is no such list."""
    found: dict[str, Plain] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not (name and equals and value):
            raise ValueError(f"a tiling is stated as 'step=256, drain=false', not '{part}'")
        found[name] = _read_value(value)
    return found


def _read_value(text: str) -> Plain:
    words: dict[str, Plain] = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    parts = text.split("x")
    if all(part.lstrip("-").isdigit() for part in parts):
        return [int(part) for part in parts] if len(parts) > 1 else int(text)
    return text


def stated_of(ops: Iterable[Operation]) -> Stated:
    """What marks on ops say of the tiling of the kernel that they are in: that of a later op goes before others."""
    found: dict[str, Plain] = {}
    for op in ops:
        if (text := op.attributes.get(TILING)) is not None:
            try:
                found |= read_fields(cast(StringAttr, text).data)
            except ValueError as error:
                raise LocatedError(op, f"{op.name}: {error}") from None
        if (tile := op.attributes.get(TILE)) is not None:
            found["tiles"] = list(tile_sizes(tile))
        if (cores := op.attributes.get(CORES)) is not None:
            found["cores"] = from_attribute(cores)
    return Stated.of(found)


__all__ = [
    "FREE",
    "GROUP_TILING",
    "Stated",
    "from_attribute",
    "is_sizes",
    "plain",
    "read_fields",
    "shown",
    "stated_of",
    "to_attribute",
]
