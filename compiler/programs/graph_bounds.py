"""The bounds of a program's graph: of each kernel what its ops ask of the chip, whatever the tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ascend import numbers_before
from ...dialects.dynamic import is_dynamic
from ...dialects.target_types import Target
from ...passes.fusion.graph_work import GraphWork, graph_work, together
from ...passes.fusion.kernel_sources import KernelSource
from ...passes.support.dynamic_size import at_run_size
from ...runtime.profile.profile import Profile


def graph_works(sources: Sequence[KernelSource], target: Target, size: int | None) -> list[GraphWork]:
    """The work of each kernel; `size`: what the dynamic dimension is."""
    return [graph_work(one.function, target, one.arguments) for one in _at_size(sources, size)]


def _at_size(sources: Sequence[KernelSource], size: int | None) -> Iterator[KernelSource]:
    for source in sources:
        dynamic = any(is_dynamic(argument.type) for argument in source.function.body.block.args)
        if dynamic and size is not None:
            (function,) = at_run_size(ModuleOp([source.function.clone()]), size).body.block.ops
            source = replace(source, function=function)
        yield source


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


__all__ = ["graph_works", "with_graph_bounds", "works_from_json", "works_to_json"]
