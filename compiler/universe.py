"""The dialects, passes and output targets that this package adds to xDSL, in one place.

xDSL loads this module for every `xdsl-opt` in the environment, so nothing but names is imported here:
the factories import on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xdsl.universe import Universe

_PACKAGE = __package__.rpartition(".")[0]

DIALECTS = {
    "graph": "dialects.graph:Graph",
    "tile": "dialects.tile:Tile",
    "ascend": "dialects.ascend:Ascend",
}
"""Dialect name -> where it is defined, relative to the package."""

PASSES: dict[str, str] = {}
"""Pass name -> the class that defines it."""

TARGETS: dict[str, str] = {}
"""Output target (`-t`) -> the class that defines it."""


class _Place:
    """A factory that imports the module of a definition when it is called."""

    def __init__(self, place: str):
        self.module, _, self.name = place.partition(":")

    def __call__(self) -> Any:
        return getattr(import_module(f"{_PACKAGE}.{self.module}"), self.name)


UNIVERSE = Universe(
    all_dialects={name: _Place(place) for name, place in DIALECTS.items()},
    all_passes={name: _Place(place) for name, place in PASSES.items()},
    all_targets={name: _Place(place) for name, place in TARGETS.items()},
)
"""What the `xdsl.universe` entry point exports."""
