"""The text of a target file that needs no other file: what a saved program takes along."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, cast

from .target_files import text_of_target
from .target_parser import read_toml, whole_target
from .target_types import Launch, Target


def standalone_text(name: str) -> str:
    """The text of the target called `name`, or of the TOML file `name`.

    A file that `extends` another is written out with all that it takes from there, without comments; any other is
    given as it is.
    """
    text = text_of_target(name)
    if "extends" not in read_toml(text, name):
        return text
    return "\n".join(_table(whole_target(text, name), ())) + "\n"


def text_of(target: Target) -> str:
    """The text of a file that states `target`, which may come from none: `parse_target` of it gives an equal one."""
    launch = Launch(target.launch_us, target.launch_assumed, target.cold_us, target.block_us, target.head_us)
    elsewhere = ("launch_us", "launch_assumed", "cold_us", "block_us", "head_us", "origin")
    table = {key: value for key, value in _fields(target).items() if key not in elsewhere}
    return "\n".join(_table({**table, "launch": _fields(launch)}, ())) + "\n"


def canonical_text(target: Target) -> str:
    """A text that targets have in common which are equal, in whatever order a file states them, as `1` or as `1.0`."""
    return json.dumps(_canonical(read_toml(text_of(target), target.name)), sort_keys=True)


def _canonical(value: Any) -> Any:
    """A value of a file, all numbers as floats."""
    if isinstance(value, dict):
        return {key: _canonical(one) for key, one in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_canonical(one) for one in cast(list[Any], value)]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _fields(one: Any) -> dict[str, Any]:
    """The fields of a dataclass as a table, without those that are what they are where a file does not state them."""
    stated = ((field, getattr(one, field.name)) for field in fields(one))
    return {field.name: _plain(value) for field, value in stated if value != field.default}


def _plain(value: Any) -> Any:
    """A value of a field as a file states it."""
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        rows = cast(Mapping[str | tuple[str, str], Any], value).items()
        return {key if isinstance(key, str) else "->".join(key): _plain(row) for key, row in rows}
    return list(cast(tuple[Any, ...], value)) if isinstance(value, tuple) else value


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Lines of a table, its values before the tables in it."""
    inner = {key: cast(Mapping[str, Any], value) for key, value in table.items() if isinstance(value, dict)}
    for key, value in table.items():
        if key not in inner:
            yield f"{_string(key)} = {_value(value)}"
    for key, value in inner.items():
        yield f"\n[{'.'.join(map(_string, (*path, key)))}]"
        yield from _table(value, (*path, key))


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, cast(list[Any], value)))}]"
    return repr(value)  # a number; Python writes them as TOML does


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
