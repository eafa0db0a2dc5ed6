"""A graph with a dynamic dimension, at a size that was stated: `x:0=8` makes `tensor<?x64xf16>` `tensor<8x64xf16>`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp

from ...dialects.dynamic import shape_of
from ...dialects.graph.arguments import argument_names
from ...passes.support.dynamic_size import close
from ..text.diagnostics import did_you_mean


def state_sizes(functions: Sequence[FuncOp], sizes: Mapping[str, int]) -> None:
    """Give the dynamic dimension of graphs its size. `sizes` are by `INPUT:AXIS`; all `?` of one graph are one number.

    Raises ValueError where no graph has such a dimension, where it has another size, or two sizes are stated for one
    graph; LocatedError at an op that cannot be at that size."""
    known = [(function, _extents(function)) for function in functions]
    for key in sizes:
        if not any(key in extents for _, extents in known):
            raise ValueError(f"no graph has a dimension '{key}'{_what_there_is(key, known)}")
    for function, extents in known:
        stated = {key: size for key, size in sizes.items() if key in extents}
        for key, size in stated.items():
            if extents[key] not in (size, -1):
                there = f"dimension '{key}' is {extents[key]} in the graph, not {size}"
                raise ValueError(f"{there}; only one that is ? takes other sizes")
        found = {key: size for key, size in stated.items() if extents[key] < 0}
        if len(set(found.values())) > 1:
            raise ValueError(
                f"all ? of a graph are one size, not {' and '.join(f'{k}={n}' for k, n in found.items())}"
            )
        if found:
            close(function, next(iter(found.values())))


def _extents(function: FuncOp) -> dict[str, int]:
    """The extents of a graph's inputs by `INPUT:AXIS`, -1 those that are `?`."""
    named = zip(argument_names(function), function.body.block.args, strict=True)
    return {
        f"{name}:{axis}": max(extent, -1)
        for name, argument in named
        for axis, extent in enumerate(shape_of(argument.type))
    }


def _what_there_is(key: str, known: Sequence[tuple[FuncOp, Mapping[str, int]]]) -> str:
    """What could have been meant instead, in words."""
    open_ones = list(dict.fromkeys(k for _, extents in known for k, extent in extents.items() if extent < 0))
    if not open_ones:
        names = " and ".join(f"@{function.sym_name.data}" for function, _ in known)
        return f": none of {names} is dynamic (?)" if names else ": the module is past the graph level"
    return did_you_mean(key, open_ones) or f": dynamic (?) is {', '.join(open_ones)}"


__all__ = ["state_sizes"]
