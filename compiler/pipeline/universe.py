"""The dialects, passes and output targets that this package adds to xDSL, in one place.

xDSL loads this module for every `xdsl-opt` in the environment, so nothing but names is imported here:
the factories import on first use. Passes that time tiles do so with what is provided here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from ...passes.kernels.tuner import provide_tuner
from ...passes.support.size_clock import provide_size_clock

_PACKAGE = __name__.removesuffix(".compiler.pipeline.universe")

DIALECTS = {
    "graph": "dialects.graph:Graph",
    "tile": "dialects.tile:Tile",
    "ascend": "dialects.ascend:Ascend",
    "hivm": "dialects.hivm:Hivm",
    "hacc": "dialects.hivm:Hacc",
    "annotation": "dialects.hivm:Annotation",
    "memref_ext": "dialects.hivm:MemRefExt",
}
"""Dialect -> where it is defined, relative to the package."""

PASSES: tuple[str, ...] = (
    "graph-size-variants",
    "graph-canonicalize",
    "graph-cse",
    "graph-fold-batch-norm",
    "graph-fold-scales",
    "graph-pool-first",
    "graph-cut-products",
    "graph-join-slices",
    "graph-sink-transposes",
    "graph-group-products",
    "graph-combine-products",
    "graph-place-views",
    "graph-integer-products",
    "graph-split-products",
    "graph-sink-reshapes",
    "graph-copy-producers",
    "graph-fold-constants",
    "graph-mark-library",
    "graph-decompose",
    "graph-split-reductions",
    "graph-pad-planes",
    "tile-group",
    "tile-group-ops",
    "tile-from-groups",
    "tile-fuse",
    "tile-from-graph",
    "tile-partition",
    "tile-pipeline",
    "tile-to-ascend",
    "ascend-multi-buffer",
    "ascend-plan-memory",
    "ascend-insert-sync",
    "ascend-join-launches",
    "ascend-plan-workspace",
    "ascend-join-vectors",
    "hivm-to-ascend",
    "ascend-to-hivm",
)
"""Names of the passes; `tile-fuse` is the pass class of that name in `passes/tile_fuse.py`."""

TARGETS = {
    "graph-text": "compiler.text.graph_printer:GraphTextTarget",
}
"""Output target (`-t`) -> the class that defines it, relative to the package."""


def _factory(place: str) -> Callable[[], Any]:
    """Imports `module:name` of the package when called."""
    module, _, name = place.partition(":")
    return lambda: getattr(import_module(f"{_PACKAGE}.{module}"), name)


def _pass_factory(name: str) -> Callable[[], type[ModulePass]]:
    """Imports the module of a pass when called, and finds the pass in it by its name."""

    def find() -> type[ModulePass]:
        module = import_module(f"{_PACKAGE}.passes.{name.replace('-', '_')}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, ModulePass) and vars(value).get("name") == name:
                return value
        raise ImportError(f"{module.__name__} defines no pass named '{name}'")

    return find


def _emulator_tuner(count: int) -> Any:
    """What times `count` tilings of each kernel."""
    return _factory("compiler.pipeline.tune:EmulatorTuner")()(count)


def _emulator_clock(target: str | None) -> Any:
    """What times graphs at run-time sizes, on a chip."""
    return _factory("compiler.pipeline.size_clock:EmulatorClock")()(target)


provide_tuner(_emulator_tuner)
provide_size_clock(_emulator_clock)

UNIVERSE = Universe(
    all_dialects={name: _factory(place) for name, place in DIALECTS.items()},
    all_passes={name: _pass_factory(name) for name in PASSES},
    all_targets={name: _factory(place) for name, place in TARGETS.items()},
)
"""What the `xdsl.universe` entry point exports."""
