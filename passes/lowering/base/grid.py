"""Where in the grid of a kernel a core is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ....dialects import tile
from ...support.indices import Idx
from .emitter import Emitter

if TYPE_CHECKING:
    from .context import LoweringContext


def coordinates_of(
    emit: Emitter, source: tile.KernelOp, grid: Sequence[Idx], point: Idx, fixed: Mapping[int, Idx]
) -> list[Idx]:
    """Coordinates of the tile at linear index `point` of `grid`, walking `swizzle` rows at a time; those of the
    dimensions in `fixed` are known. Of a number of rows that is not, the last band may have fewer."""
    swizzle = source.schedule.swizzle
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


def enter_grid_point(k: LoweringContext, point: Idx, fixed: Mapping[int, Idx]) -> None:
    """Offsets and sizes of the tile at linear grid index `point`, walking `swizzle` rows at a time."""
    emit, source = k.emit, k.source
    tiles, extents, circular = source.tile_sizes, k.extents, source.rows
    coordinates = coordinates_of(emit, source, k.grid, point, fixed)
    k.coordinates = tuple(coordinates)
    offsets: list[Idx] = []
    sizes: list[Idx] = []
    firsts: list[Idx | None] = []
    for d, (at, size, extent, tail) in enumerate(zip(coordinates, tiles, extents, k.tails, strict=True)):
        if circular is not None and d == circular.dim:
            offsets.append(emit.sub(emit.mul(at, size - circular.halo), circular.lead))
            sizes.append(size)
            firsts.append(None)
            continue
        first = emit.mul(at, size)
        early = max(extent - size, 0) if isinstance(extent, int) else 0
        shifted = tail == "shift" and source.ragged(d)
        offsets.append(emit.min(first, early) if shifted else first)
        shared = d not in fixed and k.kernel.core_count > 1 and d not in k.left_to_last
        firsts.append(first if shifted and early > 0 and shared else None)
        clipped = tail == "clip" and source.ragged(d)
        sizes.append(emit.min(size, emit.sub(extent, first)) if clipped else size)
        if clipped and isinstance(extent, int):
            emit.bound(sizes[-1], extent % size, size)
    block = source.body.block
    grid_args = block.args[len(k.tensors) :]
    for argument, value in zip(grid_args, [*offsets, *sizes], strict=True):
        k.index[argument] = value
    k.firsts = tuple(firsts)
    k.inside = tuple(_inside(k, d, sizes[d], offsets[d]) for d in range(len(sizes)))
    if k.chained:  # where the tile in L1 begins follows from the grid point
        for op in block.ops:
            if op.dialect_name() == "arith":
                k.operation(op)


def _inside(k: LoweringContext, d: int, size: Idx, offset: Idx) -> Idx:
    """How much of the current tile is inside the result along dimension `d` and not left to the last tile."""
    emit, extent = k.emit, k.extents[d]
    if d in k.covered:
        return emit.max(emit.min(size, emit.sub(extent, offset)), 0)
    if d not in k.left_to_last:
        return size
    assert isinstance(extent, int), "tiles that start early are those of a known size"
    tile = k.source.tile_sizes[d]
    first, shift = emit.mul(k.coordinates[d], tile), tile - extent % tile

    def starts_early(at: Idx) -> Idx:
        return emit.max(emit.sub(at, extent - tile), 0)

    following = emit.min(starts_early(emit.add(first, tile)), shift)
    return emit.sub(size, emit.sub(following, starts_early(first)))
