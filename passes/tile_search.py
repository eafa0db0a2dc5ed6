"""Tile sizes: a search over the legal ones with the cost functions that the emulator charges."""

from collections.abc import Iterator
from math import prod

from ..dialects.target import Target
from .regions import Regions, element_type_of
from .tiling_plan import CubeTiling, Roles, VectorTiling, product_roles, product_spans
from .trace_rule import trace_group


def ceil_to(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def search_vector(regions: Regions, target: Target) -> VectorTiling:
    extents = regions.kernel_extents or (1,)
    bytes_per_element = trace_group(regions).bytes_per_element(regions)
    budget = target.spaces["ub"].bytes
    total = prod(extents)
    unit = 16
    row = 1
    for e in extents[1:]:
        row *= e
    # contiguous tiles: one partial dimension, whole ones inside, single steps outside
    best = None
    for d in range(len(extents)):
        inner = prod(extents[d + 1 :])
        width = ceil_to(extents[-1], 16) if d + 1 < len(extents) else 1
        padded = prod(extents[d + 1 : -1]) * width if d + 1 < len(extents) else 1
        most = budget * 9 // 10 // bytes_per_element // max(padded, 1)
        if most < 1:
            continue
        if d == len(extents) - 1:
            most = min(most // 128 * 128, 32640 // 2)
            share = ceil_to(-(-total // target.cores), 128) if d == 0 else extents[d]
        else:
            share = max(1, -(-extents[d] // max(1, target.cores // max(1, prod(extents[:d])))))
            if inner % unit:
                share, most = ceil_to(share, unit), max(most // unit * unit, 1)
            most = min(most, 255)
        size = max(1, min(most, share, extents[d]))
        tiles = (*(1 for _ in range(d)), size, *extents[d + 1 :])
        points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
        best = VectorTiling(tiles, min(points, target.cores))
        break
    assert best is not None
    return best


def cube_candidates(regions: Regions, roles: Roles, target: Target) -> Iterator[tuple[int, ...]]:
    extents = regions.kernel_extents
    n_blocks = -(-extents[roles.n] // 16)
    ragged = extents[roles.n] % 16 != 0 and roles.n == len(extents) - 1
    for nb in [n_blocks] if ragged else [b for b in range(1, n_blocks + 1) if n_blocks % b == 0]:
        n = extents[roles.n] if nb == n_blocks else nb * 16
        inner = roles.m[-1]
        if len(roles.m) == 1:
            options = {min(extents[inner], 16 * 2**i) for i in range(8)}
            for m in sorted(options):
                yield tuple(n if d == roles.n else m if d == inner else 1 for d in range(len(extents)))
        else:
            rows = roles.m[0]
            for th in range(1, extents[rows] + 1):
                if th * extents[inner] <= 1024:
                    yield tuple(
                        n if d == roles.n else extents[d] if d == inner else th if d == rows else 1
                        for d in range(len(extents))
                    )


def search_cube(regions: Regions, packed: bool, target: Target) -> CubeTiling:
    roles = product_roles(regions)
    extents = regions.kernel_extents
    trace = trace_group(regions)
    best: tuple[float, CubeTiling] | None = None
    for tiles in cube_candidates(regions, roles, target):
        spans = product_spans(regions, tiles)
        m = prod(spans[d] for d in roles.m)
        n = ceil_to(spans[roles.n], 16)
        m16 = ceil_to(m, 16)
        if m16 * n * 4 > target.spaces["l0c"].bytes:
            continue
        a = target.spaces["l0a"].bytes // 2 // (m16 * 2)
        b = target.spaces["l0b"].bytes // 2 // (n * 2)
        l0_k = min(a, b) // 16 * 16
        if l0_k < 16 or m > 4095:
            continue
        l0_k = min(l0_k, ceil_to(roles.k, 16))
        if roles.unit == 16:
            step = min(max(l0_k // 16 * 16, 16), 64 if not target.dma.nd2nz else 256)
            l0_k = min(l0_k, step)
        else:
            step = roles.unit
            l0_k = min(l0_k, 64)
        chunk = 16
        padded = ceil_to(spans[roles.n], 16)
        if roles.chunk_dim == roles.n:
            per = m16 * trace.bytes_per_element(regions)
            if per * 16 > target.spaces["ub"].bytes // 2:
                continue
            chunk = max(c for c in range(16, padded + 1, 16) if padded % c == 0 and (c == 16 or per * c <= target.spaces["ub"].bytes // 3))
        else:
            span = spans[roles.chunk_dim]
            per = padded * trace.bytes_per_element(regions)
            options = [c for c in range(1, span + 1) if span % c == 0 and (c % 16 == 0 or c == span)]
            fits = [c for c in options if per * ceil_to(c, 16) <= target.spaces["ub"].bytes // 3]
            if not fits:
                continue
            chunk = max(fits)
        points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
        rounds = -(-points // target.cores)
        cost = rounds * (m16 * n * (ceil_to(roles.k, 16) / 4096) * (1 + 3 / max(1, l0_k / 16 * n / 16 * m16 / 16)) + (m16 + n) * roles.k * 2 / 80 + 500)
        tiling = CubeTiling(tiles, min(points, target.cores), step, l0_k, chunk, 1)
        if best is None or cost < best[0]:
            best = (cost, tiling)
    if best is None:
        raise ValueError("no legal tile")
    return best[1]


__all__ = ["element_type_of", "search_cube", "search_vector"]
