"""Where in the grid of a kernel a core is."""

from collections.abc import Mapping, Sequence

from ...dialects import tile
from .emitter import Emitter, Idx


def coordinates_of(
    emit: Emitter, source: tile.KernelOp, grid: Sequence[Idx], point: Idx, fixed: Mapping[int, Idx]
) -> list[Idx]:
    """Coordinates of the tile at linear index `point` of `grid`, walking `swizzle` rows at a time; those of the
    dimensions in `fixed` are known. Of a number of rows that is not, the last band may have fewer."""
    swizzle = source.swizzle.value.data
    coordinates: list[Idx] = [fixed.get(d, 0) for d in range(len(grid))]
    wide = [d for d, count in enumerate(grid) if count != 1 and d not in fixed]
    rest = point
    if len(wide) >= 2 and swizzle > 1:
        row, column = wide[-2], wide[-1]
        rows, columns = grid[row], grid[column]
        assert isinstance(columns, int), "only the first dimension of a grid is dynamic"
        if not isinstance(rows, int):
            band = emit.div(rest, swizzle * columns)
            within = emit.rem(rest, swizzle * columns)
            first = emit.mul(band, swizzle)
            height = emit.max(emit.min(emit.sub(rows, first), swizzle), 1)  # also past the last point
            coordinates[row] = emit.add(first, emit.rem(within, height))
            coordinates[column] = emit.div(within, height)
            return coordinates
        if rows % swizzle == 0:
            inner = rows * columns
            plane, outer = emit.rem(rest, inner) if len(wide) > 2 else rest, emit.div(rest, inner)
            band = emit.div(plane, swizzle * columns)
            within = emit.rem(plane, swizzle * columns)
            coordinates[row] = emit.add(emit.mul(band, swizzle), emit.rem(within, swizzle))
            coordinates[column] = emit.div(within, swizzle)
            wide, rest = wide[:-2], outer
    for d in reversed(wide):
        coordinates[d] = emit.rem(rest, grid[d]) if d != wide[0] else rest
        rest = emit.div(rest, grid[d]) if d != wide[0] else rest
    return coordinates
