"""Checked values of target files: each key is known, has the type that its field states, and is not too small."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from math import isfinite
from typing import Any, TypeVar, cast, get_type_hints

from .near_names import nearest

T = TypeVar("T")

POSITIVE = {
    *("align", "granule", "bytes", "max_blocks", "max_block_len", "k0", "cycles", "max_extent"),
    *("bytes_per_repeat", "max_repeat", "queue_depth", "events", "cores", "clock_mhz"),
    *("l2_bytes", "l2_line", "l2_read", "l2_write", "hbm_read", "hbm_chip"),
    *("groups", "row", "span"),
}
"""Numbers that something is divided by, or that nothing works without."""

CHOICES = {"kind": ("coupled", "split"), "overflow": ("inf", "saturate"), "key": ("pair", "source")}
WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}


class TargetError(ValueError):
    """A target that does not exist or whose file is malformed; the message is for users."""


def checked(name: str, kind: type, value: Any, where: str) -> Any:
    """`value` of the field `name` as `kind` (int, float, bool or str); `TargetError` when it is none."""
    accepted: tuple[type, ...] = (int, float) if kind is float else (kind,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
        raise TargetError(f"{where}: {name} is {WORDS[kind]}, not {value!r}")
    if kind in (int, float) and (value < 0 or (value == 0 and name in POSITIVE)):
        raise TargetError(
            f"{where}: {name} is {'more than 0' if name in POSITIVE else '0 or more'}, not {value}"
        )
    if kind is float and not isfinite(value):
        raise TargetError(f"{where}: {name} is a finite number, not {value}")
    if name in CHOICES and value not in CHOICES[name]:
        raise TargetError(f"{where}: {name} is {' or '.join(CHOICES[name])}, not {value!r}")
    return value


def table(value: Any, where: str) -> dict[str, Any]:
    """`value` as a table of a TOML file."""
    if not isinstance(value, dict):
        raise TargetError(f"{where} is a table, not {value!r}")
    return cast(dict[str, Any], value)


def check_keys(given: Iterable[str], known: Sequence[str], where: str, what: str = "key") -> None:
    """`TargetError` at the first of `given` that is not `known`, with the nearest one that is."""
    for key in given:
        if key not in known:
            near = nearest(key, known)
            hint = f"did you mean {near!r}?" if near else f"it takes {', '.join(known)}"
            raise TargetError(f"{where}: unknown {what} {key!r}; {hint}")


def section(cls: type[T], value: Any, where: str, **given: Any) -> T:
    """An instance of the dataclass `cls` from a table; `given` fields are ready. `TargetError` names a key that is
    missing, unknown or wrong."""
    row = table(value, where)
    hints = get_type_hints(cls)
    known = {f.name: f for f in fields(cast(Any, cls)) if f.name not in given}
    check_keys(row, tuple(known), where)
    found: dict[str, Any] = {}
    for name, field in known.items():
        if name in row:
            found[name] = checked(name, hints[name], row[name], where)
        elif field.default is MISSING:
            raise TargetError(f"{where}: missing key {name!r}")
    return cls(**found, **given)


def required(data: Mapping[str, Any], key: str, where: str) -> Any:
    """`data[key]`; `TargetError` when there is none."""
    if key not in data:
        raise TargetError(f"{where}: missing key {key!r}")
    return data[key]
