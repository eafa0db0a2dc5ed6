"""The bounds of a program's graph: of each kernel what its ops ask of the chip, whatever the tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.ascend import numbers_before
from ...dialects.dynamic import is_dynamic
from ...dialects.target_types import Target
from ...passes.fusion.graph_work import GraphWork, graph_work, together
from ...passes.support.dynamic_size import at_run_size
from ...runtime.profile.profile import Profile
from ..pipeline.read_module import make_context
from ..text.mlir_text import parse_mlir_text
from .program_file import module_text

Kernel = tuple[FuncOp, tuple[str | int, ...]]
"""What a kernel computes as a function of graph ops, and its arguments, as a `KernelSource` has them."""


def graph_works(kernels: Sequence[Kernel], target: Target, size: int | None) -> list[GraphWork]:
    """The work of each kernel; `size`: what the dynamic dimension is."""
    return [graph_work(_at_size(function, size), target, given) for function, given in kernels]


def _at_size(function: FuncOp, size: int | None) -> FuncOp:
    if size is None or not any(is_dynamic(argument.type) for argument in function.body.block.args):
        return function
    (found,) = at_run_size(ModuleOp([function.clone()]), size).body.block.ops
    assert isinstance(found, FuncOp)
    return found


def with_graph_bounds(profile: Profile, works: Sequence[GraphWork], target: Target) -> Profile:
    """The profile with the bound of each kernel's ops. Of a cold start L2 may hold what an earlier kernel has read or
    given, of a warm one anything, but no more than it has room for."""
    numbers = numbers_before([kernel.parts for kernel in profile.kernels])
    if len(works) != sum(map(len, numbers)):
        return profile
    met: set[str | int] = set()
    kernels = list(profile.kernels)
    for i, of in enumerate(numbers):
        work = together([works[number] for number in of])
        held = sum(count for sources, count in work.read.items() if profile.warm or met.issuperset(sources))
        bound = work.bound(target, held)
        kernels[i] = replace(kernels[i], graph_bound_us=bound.us, graph_limit=bound.limit)
        met |= set(of).union(*work.read)
    return replace(profile, kernels=tuple(kernels))


def works_to_json(works: Sequence[GraphWork]) -> list[dict[str, Any]]:
    """The works as lists, numbers and strings."""
    return [{**asdict(work), "read": [[list(key), n] for key, n in work.read.items()]} for work in works]


def works_from_json(stated: Sequence[Mapping[str, Any]]) -> list[GraphWork]:
    works: list[GraphWork] = []
    for one in stated:
        fields: dict[str, Any] = {**one, "read": {tuple(key): count for key, count in one["read"]}}
        works.append(GraphWork(**fields))
    return works


def kernels_to_json(kernels: Mapping[str, Sequence[Kernel]]) -> dict[str, Any]:
    """Kernels, by the function that launches them, as texts and arguments."""
    return {
        name: [[module_text(ModuleOp([function.clone()])), list(given)] for function, given in listed]
        for name, listed in kernels.items()
    }


def kernels_from_json(stated: Sequence[Any]) -> list[Kernel]:
    """The kernels of one of these functions."""
    context = make_context()
    return [(_function(context, text), tuple(given)) for text, given in stated]


def _function(context: Context, text: str) -> FuncOp:
    (function,) = parse_mlir_text(context, text, "<kernel>").body.block.ops
    assert isinstance(function, FuncOp)
    return function


__all__ = [
    "Kernel",
    "graph_works",
    "kernels_from_json",
    "kernels_to_json",
    "with_graph_bounds",
    "works_from_json",
    "works_to_json",
]
