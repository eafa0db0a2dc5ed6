"""Which dimensions of a fusion group's space are one to its kernel: those that every value walks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dialects.tiling import Along, Contraction, DimMap, picked_dims
from ..support.values import rule_of, shape_of

if TYPE_CHECKING:
    from .regions import Regions


def merged_dims(regions: Regions) -> tuple[tuple[int, ...], ...]:
    """Adjacent result dimensions that every value either walks together, plainly, or repeats along together. One of
    size one joins any other."""
    values = [*regions.maps.items(), *((load.value, load.maps) for load in regions.loads)]
    everything = [maps for _, maps in values]
    fixed: set[tuple[int, int]] = set()
    if regions.product is not None:
        contraction = rule_of(regions.product).contraction(regions.product)
        fixed = _unmergeable(regions, contraction)
    single = {d for d in range(regions.rank) if regions.extents[d] == 1}
    moved = {e.dim for maps in everything for e in maps if isinstance(e, Along) and not e.is_identity}
    single -= moved
    # of a larger dimension the one element that is read
    single -= {
        e.dim
        for v, m in values
        for e, n in zip(m, shape_of(v), strict=True)
        if isinstance(e, Along) and n > 1
    }
    larger = [
        [
            (e, n)
            for e, n in zip(maps, shape_of(v), strict=True)
            if not (isinstance(e, Along) and e.dim in single)
        ]
        for v, maps in values
    ]
    merged: list[list[int]] = [[d] for d in range(regions.rank)][:1]
    for d in range(1, regions.rank):
        before = [other for other in merged[-1] if other not in single]
        if not before and d in moved:  # one of size one stays: a window leaves it for the lanes
            merged.append([d])
            continue
        free = d in single or not before
        together = free or all((before[-1] in rows) == (d in rows) for rows in regions.rows.values())
        together = free or (together and all(_alike(maps, before[-1], d, regions.extents) for maps in larger))
        if together and (d - 1, d) not in fixed:
            merged[-1].append(d)
        else:
            merged.append([d])
    return tuple(tuple(dims) for dims in merged)


def _unmergeable(regions: Regions, contraction: Contraction) -> set[tuple[int, int]]:
    """Pairs of the group's dimensions that the product needs apart: batch, rows and columns; image rows and columns."""
    assert regions.product is not None
    outer = regions.maps[regions.product.results[0]]
    place = {i: e.dim for i, e in enumerate(outer) if isinstance(e, Along)}
    role = {place[i]: "batch" for i in contraction.batch if i in place}
    role |= {place[i]: "m" for i in contraction.m if i in place}
    if contraction.n in place:
        role[place[contraction.n]] = "n"
    if contraction.window is not None or contraction.transpose_lhs:
        return {(d, d + 1) for d in range(regions.rank)}
    return {(d, d + 1) for d in range(regions.rank - 1) if role.get(d) != role.get(d + 1)}


def _alike(maps: Sequence[tuple[DimMap, int]], a: int, b: int, extents: Sequence[int]) -> bool:
    """Whether a value whose dimensions have these maps and sizes walks dimensions `a` and `b` as one."""
    at = {e.dim: (i, e, n) for i, (e, n) in enumerate(maps) if isinstance(e, Along)}
    picked = picked_dims(tuple(e for e, _ in maps))
    if a in picked or b in picked:
        return a in picked and b in picked and picked.index(b) == picked.index(a) + 1
    if a not in at and b not in at:
        return True
    if a not in at or b not in at:
        return False
    (i, first, outer), (j, second, inner) = at[a], at[b]
    whole = inner == extents[b] and (extents[a] != 1 or outer == 1)
    return j == i + 1 and first.is_identity and second.is_identity and whole
