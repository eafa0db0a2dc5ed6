"""A program again with the ops of some kernels in kernels of their own: what `{nofuse}` marks in its graph make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import FUSE, NOFUSE, drop_kernel_marks
from ...dialects.locations import places_of
from ..api import compile
from ..programs.program import Program

Parts = Sequence[Sequence[str]]
"""Nodes or lines of each part."""


def part_name(launch: int, part: int) -> str:
    """The `nofuse` name of a part of a launch."""
    return f"part{launch}.{part}"


def parts_apart(program: Program, kernels: Mapping[int, Parts]) -> Program | None:
    """The program compiled with the parts of some launches apart, by number; None where it came without its graph, or
    was compiled by a plan, which says what is one kernel."""
    if program.graph_module is None or "plan" in program.fusion:
        return None
    module = program.graph_module.clone()
    _mark(module, kernels)
    limits = {name.replace("-", "_"): value for name, value in program.fusion.items()}
    return compile(
        module,
        program.target_name or program.target,
        program.fused,
        tune=program.tune,
        dynamic_sizes=program.sizes,
        **limits,  # pyright: ignore[reportArgumentType]
    )


def _mark(module: ModuleOp, kernels: Mapping[int, Parts]) -> None:
    """Give the ops of each part a `nofuse` name, in place of the marks that they have: those of tiles and layouts are
    of the kernel that they were in together."""
    names = {
        source: part_name(launch, i)
        for launch, parts in kernels.items()
        for i, sources in reversed(list(enumerate(parts)))
        for source in sources
    }
    for op in module.walk():
        name = next((names[str(p)] for p in places_of(op.location) if str(p) in names), None)
        if isinstance(op, GraphOp) and name is not None:
            op.attributes.pop(FUSE, None)
            drop_kernel_marks(op)
            op.attributes[NOFUSE] = StringAttr(name)


__all__ = ["part_name", "parts_apart"]
