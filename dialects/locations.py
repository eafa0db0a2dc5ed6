"""Where ops come from: places in a source text, or nodes of a model.

A kernel of several ops has their fused location, its own op's first: `loc(fused["/conv"("net.onnx":4:1), …])`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute

from .records import dataclass


@dataclass(frozen=True, order=True)
class Place:
    """A place in a file; `name` is that of the node there, where it is one of a model."""

    file: str
    line: int
    column: int
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"{PurePath(self.file).name}:{self.line}"


def file_location(location: Attribute) -> FileLineColLoc | None:
    """The first file position in a location, looking through names, fusions and call sites."""
    return next(_files(location, ""), (None, ""))[0]


def places_of(location: Attribute) -> tuple[Place, ...]:
    """All places in a location, each once, in the order of the source."""
    found = {
        Place(file.filename.data.removesuffix(f"#{name}"), file.line.data, file.column.data, name)
        for file, name in _files(location, "")
    }
    return tuple(sorted(found))


def node_location(name: str, file: str, index: int) -> NameLoc:
    """The location of a model's node: its name, and the how manieth of the file it is."""
    return NameLoc(StringAttr(name), FileLineColLoc(StringAttr(f"{file}#{name}"), IntAttr(index), IntAttr(1)))


def fused_location(locations: Iterable[LocationAttr]) -> LocationAttr:
    """The location of what several ops became, that of its own op first; that one alone where all are the same."""
    distinct = tuple(dict.fromkeys(locations))
    return distinct[0] if len(distinct) == 1 else FusedLoc(distinct, NoneAttr())


def location_of(places: Sequence[Place]) -> LocationAttr:
    """The location that has these places."""
    return fused_location(
        node_location(p.name, p.file, p.line)
        if p.name
        else FileLineColLoc(StringAttr(p.file), IntAttr(p.line), IntAttr(p.column))
        for p in places
    )


def _files(location: Attribute, name: str) -> Iterator[tuple[FileLineColLoc, str]]:
    """File positions in a location, each with the name around it."""
    match location:
        case FileLineColLoc():
            yield location, name
        case NameLoc():
            yield from _files(location.location, location.desc.data)
        case FusedLoc(locations=ArrayAttr() as parts):
            for part in parts:
                yield from _files(part, name)
        case CallSiteLoc():
            yield from _files(location.callee, name)
            yield from _files(location.caller, name)
        case _:
            return


__all__ = ["Place", "file_location", "fused_location", "location_of", "node_location", "places_of"]
