"""The grid points of a tile kernel, in the order in which they are dealt to the cores."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from numpy.typing import NDArray

from ...dialects import tile

Array = NDArray[Any]


def points(kernel: tile.KernelOp) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Index and coordinates of every grid point, in the order in which they are dealt to the cores."""
    grid = kernel.grid
    walked = kernel.walked
    wide = [d for d in range(len(grid)) if grid[d] > 1 and d not in walked]
    swizzle = kernel.schedule.swizzle
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


def _own(kernel: tile.KernelOp, d: int, i: int) -> tuple[int, int]:
    """Where tile `i` along dimension `d` begins and ends in the result, without rows that the next one owns."""
    size, extent, first = kernel.tile_sizes[d], kernel.extent_list[d], 0
    if kernel.rows is not None and d == kernel.rows.dim:
        size, first = size - kernel.rows.halo, -kernel.rows.lead
    return max(first + i * size, 0), min(first + (i + 1) * size, extent)


def first_point(kernel: tile.KernelOp, wrong: Array) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The first grid point with a wrong element in its part of the result, and that part."""
    for index, at in points(kernel):
        cell = tuple(_own(kernel, d, i) for d, i in enumerate(at))
        if wrong[tuple(slice(start, end) for start, end in cell)].any():
            return index, cell
    return None
