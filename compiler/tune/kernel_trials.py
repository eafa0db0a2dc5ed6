"""Trials of single kernels: tasks that any process can do, of text and numbers alone.

A kernel is the text of a module whose only function computes its group. Its time is that of a cold launch of it alone,
launch included. Equal texts are equal kernels, whatever model they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import inf
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ...passes.kernels.common.form import Group, Tiling
from ...passes.kernels.common.stated import Stated, plain
from ...passes.kernels.elementwise.legality import NoTileError
from ...passes.kernels.forms import form_of
from ...passes.regions.compose_group import group_regions
from ...passes.regions.compose_maps import NotFusableError
from ...passes.support.module import kernel_ops
from ...runtime.machine.costs import launch_us
from ..pipeline.read_module import make_context
from ..pipeline.tune import measure
from ..text.mlir_text import parse_mlir_text

DEALT, AHEAD = 3, 8
"""Of so many tilings of a product other orders of tiles are listed, behind so many with the best one."""
SWIZZLES = (1, 2, 3, 4, 6, 8, 12, 16)
"""Rows of the grid of tiles that are dealt at a time."""

Fields = Mapping[str, Any]
"""A tiling as a plan has it."""


@dataclass(frozen=True)
class TimeTask:
    """One tiling of one kernel to time; None: the one that is predicted to be fastest. `target` is a chip's name."""

    text: str
    target: str
    tiling: Fields | None = None


@dataclass(frozen=True)
class Timed:
    """A tiling, and the µs of its kernel with the launch; infinite where it cannot be built. `instructions` of all
    cores that were run."""

    tiling: Fields
    time_us: float
    instructions: int = 0


@dataclass(frozen=True)
class SpaceTask:
    """The best `count` tilings of a kernel to list, best predicted first."""

    text: str
    target: str
    count: int


def time_kernel(task: TimeTask) -> Timed | None:
    """Time a tiling; None where the ops are no kernel, or none of theirs is as stated."""
    target = load_target(task.target)
    module = module_of(task.text)
    try:
        (tiling,) = _tilings(module, target, 1, Stated.of(task.tiling or {}))
    except (NoTileError, NotFusableError):
        return None
    time, instructions = measure(module, tiling, target)
    return Timed(plain(tiling), round(time + launch_us(target, tiling.cores), 4), instructions)


def tilings_of(task: SpaceTask) -> list[Fields]:
    """The tilings of a kernel; none where its ops are no kernel. Behind the first of those that deal tiles to cores in
    an order of their own come others with other orders."""
    try:
        found = _tilings(module_of(task.text), load_target(task.target), task.count, Stated())
    except (NoTileError, NotFusableError):
        return []
    listed: list[Fields] = [plain(tiling) for tiling in found]
    others = [other for one in listed[:DEALT] for other in _dealt(one)] if task.count > DEALT else []
    first, rest = listed[:AHEAD], listed[AHEAD:]
    return [*first, *(other for other in others if other not in listed), *rest]


def _dealt(tiling: Fields) -> Iterator[Fields]:
    """A tiling of a product in other orders of tiles and steps."""
    if "swizzle" not in tiling:
        return
    ordered = tiling["serial"] or tiling["resident"] or tiling["spans"] or tiling["circular"]
    for swizzle in SWIZZLES if not ordered else (tiling["swizzle"],):
        for stagger in (tiling["stagger"], None) if tiling["stagger"] else (None,):
            if (swizzle, stagger) != (tiling["swizzle"], tiling["stagger"]):
                yield {**tiling, "swizzle": swizzle, "stagger": stagger}


def _tilings(module: ModuleOp, target: Target, count: int, stated: Stated) -> list[Tiling]:
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    regions = group_regions(kernel_ops(function))
    group = Group(regions, frozenset(weight_values(function)), target)
    return list(form_of(regions).tilings(group, count, stated))


@lru_cache(maxsize=64)
def module_of(text: str) -> ModuleOp:
    """The module of a kernel's text."""
    return parse_mlir_text(make_context(), text, "<kernel>")


NEVER = Timed({}, inf)

__all__ = ["NEVER", "Fields", "SpaceTask", "TimeTask", "Timed", "module_of", "tilings_of", "time_kernel"]
