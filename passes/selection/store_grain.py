"""Which tilings of a result are safe to write: the DMA writes whole 32 B blocks, and no two cores may share one
(on chips whose DMA writes single bytes, `store_unit` is one element and all tiles are apart).

A tile is written in runs that lie end to end in the row-major result. Tiles of different cores are apart when every run
starts on a block. Where they are not, tiles of one run each are dealt in spans: a block is the core's in whose tiles it
begins, and a core computes the tile behind its own too, for what completes its last block. Of others one core walks
the inner dimensions on its own (`serial`).
"""

from collections.abc import Sequence
from math import gcd, prod

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.target_types import Target


def store_unit(target: Target, item: int) -> int:
    """Elements of `item` bytes that a store writes at least: a 32 B block, or one where the DMA writes bytes."""
    return 1 if target.dma.unaligned else BLOCK_BYTES // item


def apart(extents: Sequence[int], tiles: Sequence[int], unit: int) -> bool:
    """Whether every tile starts on a multiple of `unit` elements, so that no two of them meet in one block."""
    partial = max((d for d, (e, t) in enumerate(zip(extents, tiles, strict=True)) if t < e), default=None)
    if partial is None:
        return True
    inner = prod(extents[partial + 1 :])
    rows = prod(extents[:partial])
    return tiles[partial] * inner % unit == 0 and (rows == 1 or extents[partial] * inner % unit == 0)


def spannable(extents: Sequence[int], tiles: Sequence[int], least: int) -> bool:
    """Whether tiles lie end to end in the result, in the order of the grid, each a run of `least` elements or more
    whose rows have as many."""
    partial = max((d for d, (e, t) in enumerate(zip(extents, tiles, strict=True)) if t < e), default=None)
    if partial is None or any(t > 1 for t in tiles[:partial]):
        return False
    inner = prod(extents[partial + 1 :])
    last = extents[partial] % tiles[partial] or tiles[partial]
    rows = [e for e in extents[partial + 1 :] if e > 1]
    return last * inner >= least and (not rows or rows[-1] >= least)


def share(extents: Sequence[int], tiles: Sequence[int], unit: int, cores: int) -> tuple[int, int]:
    """How many of `cores` cores may work on a grid, and how many trailing dimensions each walks on its own."""
    grid = [-(-e // t) for e, t in zip(extents, tiles, strict=True)]
    for serial in range(len(grid)):
        shared = len(grid) - serial
        owned = (*tiles[:shared], *extents[shared:])
        points = prod(grid[:shared])
        if points == 1:
            break
        if apart(extents, owned, unit):
            return min(points, cores), serial
    return 1, 0


def share_columns(
    extents: Sequence[int], tiles: Sequence[int], columns: int, unit: int, cores: int
) -> tuple[int, int]:
    """As `share`, for the result of a product, whose dimension `columns` has planes behind it (an image's channels have
    positions): parts of planes that are no whole blocks belong to one core."""
    plane = prod(extents[columns + 1 :])
    points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
    if plane % unit == 0 or prod(tiles[columns + 1 :]) == plane:
        found, serial = share(extents, tiles, unit, cores)
        return min(points, found), serial
    found, serial = share(extents[: columns + 1], tiles[: columns + 1], unit // gcd(plane, unit), cores)
    return (min(points, found), serial + len(extents) - columns - 1) if found > 1 else (1, 0)
