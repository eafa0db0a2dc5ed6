"""The text of a target file that needs no other file: what a saved program takes along."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from .target_files import text_of_target
from .target_parser import read_toml, whole_target


def standalone_text(name: str) -> str:
    """The text of the target called `name`, or of the TOML file `name`.

    A file that `extends` another is written out with all that it takes from there, without comments; any other is
    given as it is.
    """
    text = text_of_target(name)
    if "extends" not in read_toml(text, name):
        return text
    return "\n".join(_table(whole_target(text, name), ())) + "\n"


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
