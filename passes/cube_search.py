"""Tile sizes of kernels around a product: tiles of the result, K of a step in L1, K of a piece in L0, chunks in UB.

Every candidate must fit L0A, L0B and L1 with two slots, L0C with one, UB with two slots of what crosses pipes. Its time
is that of its busiest pipe, a tile's hand-over from L0C (unless L0C holds two), and the first tile's latency.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest
from math import gcd, prod

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..dialects.tiling import Along, Contraction
from ..runtime.costs import copy_cost, load2d_cost, mmad_cost, transpose_cost, vec_cost
from .grid_rules import share
from .lowering.feature_map import staging_blocks, staging_rows
from .lowering.pack_rows import store_scratch
from .regions import Regions, element_type_of, rule_of, shape_of
from .tile_search import NoTileError, ceil_to, vector_cycles
from .tiling_plan import CubeTiling, Roles, product_roles, product_spans
from .trace_rule import GroupTrace, trace_group

STEPS = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512)


@dataclass(frozen=True)
class _Problem:
    """What of the search does not depend on the tile."""

    regions: Regions
    roles: Roles
    trace: GroupTrace
    contraction: Contraction
    target: Target
    packed: bool
    item: int
    out: int
    per_element: int
    full_loads: int
    split_rows: bool = False
    """Whether rows of the result that are no multiple of 16, and of images that are not wide, may be cut."""
    slots: int = 2
    """Slots of what brings the operands to the Cube."""

    @property
    def extents(self) -> tuple[int, ...]:
        return self.regions.kernel_extents


@dataclass(frozen=True)
class _Tile:
    """Sizes of one candidate's tile of the result."""

    tiles: tuple[int, ...]
    m: int
    m16: int
    n16: int
    pixels: int
    staged: int
    image: tuple[int, int]


def search_cube(regions: Regions, packed: bool, target: Target) -> CubeTiling:
    """The legal tiling with the least predicted time; `NoTileError` when there is none."""
    return best_cube_tilings(regions, packed, target, 1)[0]


def best_cube_tilings(regions: Regions, packed: bool, target: Target, count: int) -> list[CubeTiling]:
    """The `count` legal tilings with the least predicted time, best first; `NoTileError` when there is none."""
    problem = _problem(regions, packed, target)
    for split_rows, slots in ((False, 2), (True, 2), (True, 1)):
        candidate = replace(problem, split_rows=split_rows, slots=slots)
        tilings = enumerate(cube_tilings(candidate))
        timed = [(_time(candidate, tiling, tile), i, tiling) for i, (tiling, tile) in tilings]
        if timed:
            break
    if not timed:
        need = _smallest(candidate)
        raise NoTileError(regions.ops[-1], f"no tile fits the L0, L1 and UB of {target.name}; {need}")
    return [tiling for _, _, tiling in nsmallest(count, timed)]


def cube_time(regions: Regions, tiling: CubeTiling, packed: bool, target: Target) -> float:
    """Predicted cycles of a kernel with a product."""
    problem = _problem(regions, packed, target)
    return _time(problem, tiling, _tile(problem, tiling.tiles))


def _problem(regions: Regions, packed: bool, target: Target) -> _Problem:
    assert regions.product is not None
    roles, trace = product_roles(regions), trace_group(regions)
    contraction = rule_of(regions.product).contraction(regions.product)
    item = ELEMENT_BYTES[str(element_type_of(regions.product.operands[contraction.lhs]))]
    out = ELEMENT_BYTES[str(element_type_of(regions.result))]
    loads = sum(t.full for t in trace.loads)
    return _Problem(
        regions, roles, trace, contraction, target, packed, item, out, trace.bytes_per_element(regions), loads
    )


def _tile(p: _Problem, tiles: tuple[int, ...]) -> _Tile:
    spans = product_spans(p.regions, tiles)
    m = prod(spans[d] for d in p.roles.m)
    pixels = staged = 0
    image = 0, 0
    if p.contraction.window is not None:
        product = p.regions.product
        assert product is not None
        maps = p.regions.kernel_map(p.regions.operand_map(product, p.contraction.lhs))
        shape = shape_of(product.operands[p.contraction.lhs])
        height, width = (
            min(e.span(tiles[e.dim]), size)
            for e, size in zip(maps[2:], shape[2:], strict=True)
            if isinstance(e, Along)
        )
        pixels = ceil_to(height * width, 16)
        dtype = element_type_of(product.operands[p.contraction.lhs])
        staged = ceil_to(staging_rows(p.target, height, width, dtype) * width, 16)
        image = height, width
    return _Tile(tiles, m, ceil_to(m, 16), ceil_to(spans[p.roles.n], 16), pixels, staged, image)


def _result_tiles(p: _Problem) -> Iterator[tuple[int, ...]]:
    """Tiles of the result: n in whole blocks that divide it, m in equal parts, one batch element."""
    extents, roles = p.extents, p.roles
    for n in _column_tiles(p):
        for m in _row_tiles(p):
            tiles = tuple(n if d == roles.n else m.get(d, 1) for d in range(len(extents)))
            if _storable(p, tiles):
                yield tiles


def _column_tiles(p: _Problem) -> list[int]:
    """Sizes along n. Where several rows of the result are no multiple of 16, all of it or, when that does not fit,
    tiles that leave at least a block for the last one."""
    extent = p.extents[p.roles.n]
    blocks = -(-extent // 16)
    if extent % 16 and p.roles.n == len(p.extents) - 1:
        alone = prod(p.extents) == extent
        if not p.split_rows and not alone:
            return [extent]
        parts = [16 * b for b in range(1, blocks) if alone or extent % (16 * b) >= 16]
        return [*parts, extent] if alone else parts
    return [min(b * 16, extent) for b in range(1, blocks + 1) if blocks % b == 0]


def _storable(p: _Problem, tiles: tuple[int, ...]) -> bool:
    """Whether the store can write the tile: parts of an image's plane are at least a block long, and so is the last
    part of the channels where planes are no whole blocks."""
    extents, n = p.extents, p.roles.n
    if n == len(extents) - 1:
        return True
    positions, plane = prod(tiles[n + 1 :]), prod(extents[n + 1 :])
    if positions < plane and positions < 16:
        return False
    if any(t < e for t, e in zip(tiles[n + 2 :], extents[n + 2 :], strict=True)) and tiles[-1] % 16:
        return False
    rest = extents[n] % tiles[n]
    return rest == 0 or plane % 16 == 0 or (positions == plane and rest * plane >= 16)


def _row_tiles(p: _Problem) -> Iterator[dict[int, int]]:
    """Sizes along the dimensions that give matrix rows: parts of an image's rows and columns, or rows that follow each
    other in the result."""
    extents, rows = p.extents, p.roles.m
    most = 4080
    if p.contraction.window is None:
        for i, d in enumerate(rows):
            inside = {inner: extents[inner] for inner in rows[i + 1 :]}
            parts = {extents[d]} | {-(-extents[d] // j) for j in range(1, 257)}
            sizes = {min(ceil_to(n, 16), extents[d]) for n in parts} if d == rows[-1] else parts
            for size in sorted(sizes):
                if size * prod(inside.values()) <= most:
                    yield {d: size, **inside}
        return
    outer, inner = rows[0], rows[-1]
    widths: set[int] = set()
    if extents[inner] > 512 or p.split_rows:
        parts = (ceil_to(-(-extents[inner] // j), 16) for j in range(2, 65))
        widths = {width for width in parts if width < extents[inner]}
    for width in sorted(widths or {extents[inner]}):
        heights = {-(-extents[outer] // j) for j in range(1, extents[outer] + 1)}
        for height in sorted(heights):
            if height * width <= most:
                yield {outer: height, inner: width}


def cube_tilings(p: _Problem) -> Iterator[tuple[CubeTiling, _Tile]]:
    """Every legal tiling."""
    target, roles = p.target, p.roles
    l0c, l0a, l0b = (target.spaces[s].bytes for s in ("l0c", "l0a", "l0b"))
    for tiles in _result_tiles(p):
        tile = _tile(p, tiles)
        if tile.m16 * tile.n16 * 4 > l0c or tile.m > target.cube.max_extent:
            continue
        deepest = min(l0a // p.slots // (tile.m16 * p.item), l0b // p.slots // (tile.n16 * p.item)) // 16 * 16
        if deepest < 16:
            continue
        cores, serial = _cores(p, tiles)
        depth = ceil_to(roles.k, 16)
        steps = (
            {min(s, depth) for s in STEPS}
            if roles.unit == 16
            else {min(roles.unit * i, roles.k) for i in (1, 2, 4, 8, 16)}
        )
        for step in sorted(steps):
            swizzle = 1 if serial else _swizzle(p, tiles, cores)
            l0_k = _piece(min(step, deepest), step)
            chunk = _chunk(p, tile, step)
            if chunk is None or _l1_of_operands(p, tile, step) > target.spaces["l1"].bytes:
                continue
            yield CubeTiling(tiles, cores, step, l0_k, chunk, swizzle, serial), tile


def _cores(p: _Problem, tiles: tuple[int, ...]) -> tuple[int, int]:
    """How many cores share the grid, and how many trailing dimensions each walks alone. Parts of planes that are no
    whole blocks belong to one core."""
    extents, n = p.extents, p.roles.n
    plane = prod(extents[n + 1 :])
    if plane % 16 == 0 or prod(tiles[n + 1 :]) == plane:
        return share(extents, tiles, 16, p.target.cores)
    cores, serial = share(extents[: n + 1], tiles[: n + 1], 16 // gcd(plane, 16), p.target.cores)
    return (cores, serial + len(extents) - n - 1) if cores > 1 else (1, 0)


def _piece(deepest: int, step: int) -> int:
    """K of one product: the largest multiple of 16 up to `deepest` that divides the step well."""
    whole = [k for k in range(16, deepest + 1, 16) if step % k == 0]
    best = max(whole, default=16)
    return best if best * 2 > deepest else deepest


def _ub_of_operands(p: _Problem, tile: _Tile, step: int) -> int:
    """UB bytes that staging the operands takes."""
    elements = 0
    if p.contraction.window is not None:
        elements += 2 * 16 * tile.staged * _staged_blocks(p, tile, step)
    elif not p.target.dma.nd2nz or tile.m % 16 or p.contraction.transpose_lhs:
        elements += 2 * tile.m16 * ceil_to(step, 16)
    if not p.packed and p.contraction.window is not None:
        elements += 3 * 16 * p.roles.unit
    elif not p.packed:
        elements += 2 * tile.n16 * ceil_to(step, 16)
    return p.slots * elements * p.item


def _staged_blocks(p: _Problem, tile: _Tile, step: int) -> int:
    """Blocks of channels of a feature map that pass through UB together."""
    product = p.regions.product
    assert product is not None
    dtype = element_type_of(product.operands[p.contraction.lhs])
    return staging_blocks(p.target, *tile.image, step // p.roles.unit, dtype)


def _chunk(p: _Problem, tile: _Tile, step: int) -> int | None:
    """The largest chunk of the result that UB holds beside the operands' staging."""
    roles = p.roles
    # the result and its rows in two slots, and staging for every full operand
    per = p.per_element + 4 * p.full_loads
    free = p.target.spaces["ub"].bytes - _ub_of_operands(p, tile, step) - 16 * tile.n16 - 1024
    last = roles.n == len(p.extents) - 1
    if roles.chunk_dim == roles.n:
        options = [c for c in range(16, tile.n16 + 1, 16) if tile.n16 % c == 0]
        if p.extents[roles.n] % 16 and (last or prod(p.extents[roles.n + 1 :]) % 16):
            options = [tile.n16]
        sizes = {c: (c, tile.m16) for c in options}
    else:
        span = product_spans(p.regions, tile.tiles)[roles.chunk_dim]
        options = [c for c in range(16, span + 1, 16) if span % c == 0] + [span]
        if p.extents[roles.n] < 16 and tile.m > span:  # rows shorter than a block are stored only end to end
            options = [span]
        sizes = {c: (tile.n16, ceil_to(c, 16) * (tile.m // span)) for c in options}
    rows = {c: (m, tile.tiles[roles.n]) if last else (n, tile.m) for c, (n, m) in sizes.items()}
    scratch = {c: store_scratch(*r) * p.out if r[1] % 16 or not last else 0 for c, r in rows.items()}
    return max((c for c, (n, m) in sizes.items() if n * m * per + scratch[c] <= free), default=None)


def _l1_of_operands(p: _Problem, tile: _Tile, step: int) -> int:
    """L1 bytes of both operands."""
    depth = ceil_to(step, 16)
    lhs = tile.m16 * depth if p.contraction.window is None else tile.pixels * (step // p.roles.unit) * 16
    return p.slots * (lhs + tile.n16 * depth) * p.item


def _smallest(p: _Problem) -> str:
    """What the smallest tiles need, in words."""
    tiles = [_tile(p, tiles) for tiles in _result_tiles(p)]
    step = min(p.roles.unit, ceil_to(p.roles.k, 16))
    l1 = min((_l1_of_operands(p, tile, step) for tile in tiles), default=0)
    ub = min((_ub_of_operands(p, tile, step) for tile in tiles), default=0)
    spaces = p.target.spaces
    return (
        f"operands need {l1} B of L1 ({spaces['l1'].bytes}) and {ub} B of UB ({spaces['ub'].bytes}) at least"
    )


def _swizzle(p: _Problem, tiles: tuple[int, ...], cores: int) -> int:
    """Rows of the grid that cores at work together span: about as many operand rows as columns."""
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    wide = [d for d, g in enumerate(grid) if g > 1]
    if len(wide) < 2:
        return 1
    row, column = wide[-2], wide[-1]
    options = [s for s in range(1, grid[row] + 1) if grid[row] % s == 0 and s <= cores]

    def traffic(s: int) -> float:
        across = min(grid[column], max(1, cores // s))
        return (
            s * tiles[row]
            + across * tiles[column]
            + abs(cores - s * across) * (tiles[row] + tiles[column]) / cores
        )

    return min(options, key=traffic)


def _time(p: _Problem, tiling: CubeTiling, tile: _Tile) -> float:
    """Predicted cycles."""
    target, roles = p.target, p.roles
    points = prod(-(-e // t) for e, t in zip(p.extents, tiling.tiles, strict=True))
    rounds = -(-points // tiling.cores)
    steps = -(-roles.k // tiling.step)
    pieces = -(-tiling.step // tiling.l0_k)
    product = p.regions.product
    assert product is not None
    dtype = str(element_type_of(product.operands[0]))
    k1 = tiling.l0_k // 16
    mmad = mmad_cost(target, dtype, tile.m, tile.n16, tiling.l0_k)
    fractals_a, fractals_b = tile.m16 // 16 * k1, k1 * tile.n16 // 16
    mte1 = max(load2d_cost(target, "l0a", fractals_a).busy, 2.0 * k1)
    mte1 += (
        load2d_cost(target, "l0b", fractals_b).busy
        if p.packed
        else max(load2d_cost(target, "l0b", fractals_b).busy, 2.0 * k1)
    )
    depth = ceil_to(tiling.step, 16)
    lhs_bytes, lhs_v, lhs_mte3, lhs_dmas = _lhs_step(p, tile, tiling)
    rhs_bytes = depth * tile.n16 * p.item
    rhs_v = rhs_mte3 = 0.0
    if not p.packed:
        rhs_v = (
            depth // 16 * vec_cost(target, "vcopy", "f16", -(-tile.n16 // 8)).busy + 2 * target.vector.latency
        )
        rhs_mte3 = copy_cost(target, "ub", "l1", 1, rhs_bytes).busy
    mte2 = _read(p, tiling, lhs_bytes, rhs_bytes) + target.path("gm", "ub").issue * (lhs_dmas + 1)
    elements = tile.m16 * tile.n16
    chunk_size = product_spans(p.regions, tiling.tiles)[roles.chunk_dim]
    chunks = max(1, -(-ceil_to(chunk_size, 16) // ceil_to(tiling.chunk, 16)))
    drain = copy_cost(target, "l0c", "ub", 1, elements * 4).busy + chunks * target.vector.latency
    epilogue = chunks * vector_cycles(p.trace, elements // chunks, target)
    rearrange = (
        elements * p.out / target.vector.bytes_per_repeat * (2.0 if roles.chunk_dim == roles.n else 1.0)
    )
    out = (
        copy_cost(target, "ub", "gm", 1, elements * p.out).busy
        + p.full_loads * elements * p.out / target.memory.hbm_read
    )
    cube = steps * pieces * mmad.busy
    vector_in, mte3_in = steps * (lhs_v + rhs_v), steps * (lhs_mte3 + rhs_mte3)
    vector_out = drain + epilogue + rearrange + 3 * chunks * target.vector.latency
    busiest = max(cube, steps * pieces * mte1, steps * mte2, vector_in + vector_out, mte3_in + out)
    reach = target.path("gm", "ub").latency + target.memory.miss_latency
    chain = mte2 + reach + lhs_v + lhs_mte3 + (4 * target.vector.latency if lhs_v else 0.0) + 60
    # the scalar unit runs ahead of the Cube by as many instructions as the queue of MTE1 holds; what of the next
    # tile's loads does not fit in that time is seen in part, because the epilogue overlaps it
    entries = (k1 if p.contraction.window is not None else min(k1, tile.m16 // 16)) + 4
    ahead = target.scalar.queue_depth / entries * max(mmad.busy, mte1)
    stall = 0.25 * max(0.0, chain - ahead)
    double = 2 * elements * 4 <= target.spaces["l0c"].bytes
    per_tile = busiest + stall if double else max(busiest, max(cube, steps * mte2, vector_in) + drain) + stall
    tail = max(vector_out, out) + min(vector_out, out) / chunks + target.path("ub", "gm").latency
    return rounds * per_tile + chain + tail


def _lhs_step(p: _Problem, tile: _Tile, tiling: CubeTiling) -> tuple[float, float, float, float]:
    """For one step: bytes of lhs from GM, Vector and MTE3 cycles to bring them to L1, number of DMA instructions."""
    target = p.target
    depth = ceil_to(tiling.step, 16)
    product = p.regions.product
    assert product is not None
    if p.contraction.window is not None:
        blocks = tiling.step // p.roles.unit
        channels = min(16, p.regions.extents[p.regions.rank])
        vector = blocks * (transpose_cost(target, "f16", tile.pixels // 16).busy + 2 * target.vector.latency)
        mte3 = blocks * copy_cost(target, "ub", "l1", 1, tile.pixels * 32).busy
        turns = 16 // gcd(prod(shape_of(product.operands[p.contraction.lhs])[2:]), 16)
        dmas = blocks // _staged_blocks(p, tile, tiling.step) * turns
        return blocks * channels * tile.pixels * p.item, vector, mte3, dmas
    bytes_ = tile.m16 * depth * p.item
    if target.dma.nd2nz and tile.m % 16 == 0:
        return bytes_, 0.0, 0.0, 1
    vector = (
        depth // 16 * vec_cost(target, "vcopy", "f16", -(-tile.m16 // 8)).busy + 2 * target.vector.latency
    )
    rows = min(tile.m, 16 // gcd(p.roles.k, 16))
    return bytes_, vector, copy_cost(target, "ub", "l1", 1, int(bytes_)).busy, rows


def _read(p: _Problem, tiling: CubeTiling, lhs: float, rhs: float) -> float:
    """MTE2 cycles of one step: cores at work together share operands in L2, the first to ask pays HBM."""
    memory = p.target.memory
    grid = [-(-e // t) for e, t in zip(p.extents, tiling.tiles, strict=True)]
    columns = grid[p.roles.n]
    rows = max(1, prod(grid) // columns)
    swizzle = max(1, tiling.swizzle)
    together_columns = (
        min(columns, max(1, tiling.cores // swizzle)) if swizzle > 1 else min(columns, tiling.cores)
    )
    together_rows = min(rows, max(1, tiling.cores // together_columns))
    time = 0.0
    for bytes_, sharing in ((lhs, together_columns), (rhs, together_rows)):
        missed = bytes_ / sharing
        hbm = min(memory.hbm_read, memory.hbm_chip / tiling.cores)
        time += missed / hbm + (bytes_ - missed) / memory.l2_read
    return time
