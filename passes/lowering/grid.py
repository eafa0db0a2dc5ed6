"""Where in the grid of a kernel a core is."""

from collections.abc import Mapping

from ...dialects import tile
from .emitter import Emitter, Idx


def coordinates_of(emit: Emitter, source: tile.KernelOp, point: Idx, fixed: Mapping[int, Idx]) -> list[Idx]:
    """Coordinates of the tile at linear grid index `point`, walking `swizzle` rows at a time; those of the dimensions
    in `fixed` are known."""
    grid, swizzle = source.grid, source.swizzle.value.data
    coordinates: list[Idx] = [fixed.get(d, 0) for d in range(len(grid))]
    wide = [d for d, count in enumerate(grid) if count > 1 and d not in fixed]
    rest = point
    if len(wide) >= 2 and swizzle > 1 and grid[wide[-2]] % swizzle == 0:
        row, column = wide[-2], wide[-1]
        inner = grid[row] * grid[column]
        plane, outer = emit.rem(rest, inner) if len(wide) > 2 else rest, emit.div(rest, inner)
        band = emit.div(plane, swizzle * grid[column])
        within = emit.rem(plane, swizzle * grid[column])
        coordinates[row] = emit.add(emit.mul(band, swizzle), emit.rem(within, swizzle))
        coordinates[column] = emit.div(within, swizzle)
        wide, rest = wide[:-2], outer
    for d in reversed(wide):
        coordinates[d] = emit.rem(rest, grid[d]) if d != wide[0] else rest
        rest = emit.div(rest, grid[d]) if d != wide[0] else rest
    return coordinates
