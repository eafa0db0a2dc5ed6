"""What is told by names: whether a file is a model, and how tensors are called in graph text."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from ..text.diagnostics import did_you_mean

MODELS = (("onnx", "ModelProto"), ("onnx_ir", "Model"))
"""Packages and names of classes."""
SHOWN = 8
"""So many names are listed in a message."""
_OTHER = re.compile(r"[^A-Za-z0-9_$.]+")


def is_model_file(path: str | Path) -> bool:
    """Whether a path is that of a model."""
    text = str(path)
    return text.endswith(".onnx") and "\n" not in text


def is_model(source: object) -> bool:
    """Whether an object is a model of the `onnx` package or of `onnx-ir`; imports neither."""
    kind = type(source)
    return (kind.__module__.partition(".")[0], kind.__name__) in MODELS


def near(name: str, known: Collection[str]) -> str:
    """What a message adds about a name that there is not: the nearest one, else those that have it as a part, else the
    first few of all."""
    hint = did_you_mean(name, known)
    if hint:
        return hint
    parts = sorted(one for one in known if name.lower() in one.lower())
    listed = parts or sorted(known)
    more = f", ... {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return f"; {'near' if parts else 'it has'} {', '.join(listed[:SHOWN]) or 'none'}{more}"


class Names:
    """Gives each name once, of letters, digits, `_`, `$` and `.`; what graph text cannot spell becomes `_`."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, name: str) -> str:
        """`name` as graph text spells it, with a number behind it where it is taken."""
        plain = spelled(name)
        found, count = plain, 1
        while found in self._taken:
            found, count = f"{plain}.{count}", count + 1
        self._taken.add(found)
        return found


def spelled(name: str) -> str:
    """`name` with `_` for what graph text does not take; a name that starts with a digit gets a `v` before it."""
    plain = _OTHER.sub("_", name).strip("_") or "value"
    return f"v{plain}" if plain[0].isdigit() else plain


__all__ = ["Names", "is_model", "is_model_file", "near", "spelled"]
