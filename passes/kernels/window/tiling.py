"""Tile sizes of Vector kernels with windows: blocks of channels, rows and columns of the image, with their halo.

A tile has 16 channels, or a multiple, in the lanes; its input is a few rows more than its result.
"""

from collections.abc import Iterator, Sequence
from math import gcd, prod

from ....dialects.element_types import ELEMENT_BYTES, bytes_of
from ....dialects.target_types import Target
from ...cost.group_trace import ceil_to
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import share, store_unit
from ...support.values import element_type_of
from .cycles import window_cycles
from .image import BLOCK, Image, reads

LANES = (16, 32, 48, 64, 96, 128, 256)
"""Channels of a tile that are tried."""


def _bytes(image: Image, tiles: Sequence[int], closely: bool = False) -> int:
    """UB that a tile takes: what crosses pipes in two slots, positions on their way, temporaries. Those are all as
    large as the image with its halo, or `closely`, as they are counted where no tile fits else, those alone that
    windows see."""
    blocks = -(-tiles[image.lanes] // BLOCK)
    positions = prod(tiles[image.lanes + 1 :])
    total = widest = 0
    for read in reads(image, tiles):
        staged = 0 if read.direct else read.blocks * BLOCK * ceil_to(read.positions, BLOCK)
        total += (staged * (3 if read.copied else 2) + read.elements) * read.item
        widest = max(widest, read.elements)
    elements = max(blocks * BLOCK * ceil_to(positions, BLOCK), 1)
    for load, along in image.maps:
        if image.lanes not in along or not load.maps:
            total += elements * bytes_of(element_type_of(load.value))
        elif len(along) == 1:
            total += 64 * blocks * BLOCK
    grown = max(1.0, widest / elements)
    per_element = image.trace.bytes_per_element(image.regions)
    own = sum(2 * ELEMENT_BYTES[t.type_name] for t in image.trace.loads if t.full)
    temporaries = max(per_element - own, image.item)
    wide = any(step.dtype == "f32" != t.type_name for step in image.trace.steps for t in step.sources)
    wide = wide or bool(image.regions.parts)
    if closely:
        total += int(elements * (temporaries + image.trace.image_bytes * (grown - 1.0)))
    else:
        total += int(elements * temporaries * (grown if wide else 1.0))
    if image.blocked:
        return total + elements * image.item
    if image.regions.parts:
        total += 2 * (image.stores - 1) * elements * image.item
    # the result by channels, and the ends of rows that are no whole blocks
    return total + 2 * elements * image.item + 6 * BLOCK * blocks * BLOCK * image.item


def window_tiles(image: Image) -> Iterator[tuple[int, ...]]:
    """Tiles that fit: one step outside the channels, whole blocks of them, some rows, whole lines where they fit."""
    found = False
    for tiles in _fitting_tiles(image, closely=False):
        found = True
        yield tiles
    if not found:
        yield from _fitting_tiles(image, closely=True)


def _fitting_tiles(image: Image, closely: bool) -> Iterator[tuple[int, ...]]:
    extents, lanes = image.extents, image.lanes
    unit = 1 if image.blocked else store_unit(image.target, image.item)
    capacity = image.target.spaces["ub"].bytes
    most = BLOCK * image.target.vector.max_repeat
    channels = [c for c in LANES if c < extents[lanes]]
    if ceil_to(extents[lanes], BLOCK) <= LANES[-1]:
        channels.append(extents[lanes])
    inner = list(extents[lanes + 1 :])
    if (
        lanes == 0 and image.regions.factor
    ):  # lanes that only the run-time size ends: whole blocks start on one
        each = unit // gcd(unit, prod(inner))
        channels = sorted({ceil_to(c, each) for c in channels or [extents[lanes]]})
    lines = prod(inner[1:])
    for part in _line_parts(inner):
        rows = _row_parts(inner[0], unit // gcd(unit, lines)) if len(inner) > 1 else [inner[0]]
        found = False
        for c in channels or [extents[lanes]]:
            for count in rows:
                tail = (count, *inner[1:-1], part) if len(inner) > 1 else (part,)
                tiles = (*(1 for _ in range(lanes)), c, *tail)
                if prod(tail) > most or any(r.positions > most for r in reads(image, tiles)):
                    continue
                if _bytes(image, tiles, closely) <= capacity and _stores(extents, tiles, lanes, unit):
                    found = True
                    yield tiles
        if found:
            return


def _line_parts(inner: Sequence[int]) -> Iterator[int]:
    """Sizes along the last dimension: all of it, or parts of whole blocks."""
    extent = inner[-1]
    yield extent
    size = ceil_to(-(-extent // 2), BLOCK)
    while size < extent:
        yield size
        if size == BLOCK:
            return
        size = ceil_to(size // 2, BLOCK)


def _row_parts(extent: int, whole: int) -> list[int]:
    """Numbers of rows: equal parts, and those that end on a block of GM."""
    sizes = {-(-extent // parts) for parts in range(1, extent + 1)}
    sizes |= {min(ceil_to(size, whole), extent) for size in sizes}
    return sorted(sizes)


def _stores(extents: Sequence[int], tiles: Sequence[int], lanes: int, unit: int) -> bool:
    """Whether the runs of one channel that a tile owns are a block of GM at least, or all of the channel."""
    if unit == 1:
        return True
    positions, plane = prod(tiles[lanes + 1 :]), prod(extents[lanes + 1 :])
    if tiles[-1] < extents[-1]:
        return extents[-1] % tiles[-1] >= BLOCK or extents[-1] % tiles[-1] == 0
    if positions == plane:
        return True
    last = extents[lanes + 1] % tiles[lanes + 1] * prod(extents[lanes + 2 :])
    return positions >= BLOCK and (last == 0 or last >= BLOCK)


def _tiling(image: Image, tiles: tuple[int, ...]) -> VectorTiling:
    """Tiles along the lanes go past the end, the others start early."""
    extents, lanes = image.extents, image.lanes
    covered = extents[lanes] % tiles[lanes] != 0
    tails = ",".join("cover" if d == lanes else "shift" for d in range(len(extents))) if covered else "shift"
    points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
    unit = 1 if image.blocked else store_unit(image.target, image.item)
    units = image.target.vector_units
    if unit == 1:
        return VectorTiling(tiles, min(points, units), tails, lanes=lanes)
    unit, inner = max(unit, BLOCK), len(extents) - lanes - 1
    plane = prod(extents[lanes + 1 :])
    extents = image.regions.opened(extents)
    if plane % unit == 0 or prod(tiles[lanes + 1 :]) == plane:
        cores, serial = share(extents, tiles, unit, units)
        return VectorTiling(tiles, min(points, cores), tails, serial, lanes)
    # parts of planes that are no whole blocks belong to one core
    cores, serial = share(extents[: lanes + 1], tiles[: lanes + 1], unit // gcd(plane, unit), units)
    return VectorTiling(tiles, min(points, cores), tails, serial + inner if cores > 1 else 0, lanes)


def window_tiling(regions: Regions, tiles: tuple[int, ...], target: Target) -> VectorTiling:
    """The tiling with these tiles."""
    return _tiling(Image(regions, target), tiles)


def window_tilings(regions: Regions, target: Target) -> list[tuple[float, VectorTiling]]:
    """All tilings that fit, with their predicted cycles."""
    image = Image(regions, target)
    tilings = [_tiling(image, tiles) for tiles in window_tiles(image)]
    return [(window_cycles(image, tiling), tiling) for tiling in tilings]


def window_time(regions: Regions, tiling: VectorTiling, target: Target) -> float:
    """Predicted cycles of a kernel with windows."""
    return window_cycles(Image(regions, target), tiling)


__all__ = ["window_tiling", "window_tilings", "window_time"]
