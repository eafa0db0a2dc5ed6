"""The grid points of a tile kernel, in the order in which they are dealt to the cores."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from numpy.typing import NDArray

from ..dialects import tile

Array = NDArray[Any]


def points(kernel: tile.KernelOp) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Index and coordinates of every grid point, in the order in which they are dealt to the cores."""
    grid = kernel.grid
    walked = kernel.walked
    wide = [d for d in range(len(grid)) if grid[d] > 1 and d not in walked]
    swizzle = kernel.swizzle.value.data
    banded = len(wide) >= 2 and swizzle > 1 and grid[wide[-2]] % swizzle == 0
    for index in range(kernel.shared_points):
        at = [0] * len(grid)
        rest, plain = index, wide
        if banded:
            row, column = wide[-2], wide[-1]
            rest, plane = divmod(rest, grid[row] * grid[column])
            band, within = divmod(plane, swizzle * grid[column])
            at[row], at[column] = band * swizzle + within % swizzle, within // swizzle
            plain = wide[:-2]
        for d in reversed(plain):
            rest, at[d] = divmod(rest, grid[d])
        inner = prod(grid[d] for d in walked)
        for step in range(inner):
            left = step
            for d in reversed(walked):
                left, at[d] = divmod(left, grid[d])
            yield index * inner + step, tuple(at)


def first_point(kernel: tile.KernelOp, wrong: Array) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The first grid point with a wrong element in its part of the result, and that part."""
    for index, at in points(kernel):
        cell = tuple(
            (i * size, min((i + 1) * size, extent))
            for i, size, extent in zip(at, kernel.tile_sizes, kernel.extent_list, strict=True)
        )
        if wrong[tuple(slice(start, end) for start, end in cell)].any():
            return index, cell
    return None
