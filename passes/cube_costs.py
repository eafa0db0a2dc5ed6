"""What a product's operands cost under one tiling, and what a kernel around it takes at least: `runtime/costs.py`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import gcd, prod

from xdsl.ir import SSAValue

from ..dialects.ascend.memory import lanes_of
from ..dialects.target import Target
from ..dialects.tile import BLOCK, layout_of
from ..dialects.tiling import Along
from ..runtime.costs import Cost, copy_cost, load2d_cost, mmad_cost, transpose_cost, vec_cost
from .circular_rows import piece_costs
from .cube_operands import (
    channel_groups,
    computed_part,
    held_elements,
    image_of,
    operand_bytes,
    operand_elements,
    staged_groups_of,
)
from .cube_problem import OperandLoad, Problem, Tile, ceil_to, lands, last_columns, remembered
from .group_trace import GroupTrace, TraceStep
from .regions import shape_of
from .tap_costs import Tap, chosen, is_image, tap_choice, taps_of
from .tiling_plan import CubeTiling, grid_of
from .vector_cycles import vector_cycles, waits
from .vector_shapes import Choice


@dataclass(frozen=True)
class LoadCosts:
    """One operand of one step, in `passages` equal parts: of a part the bytes, the DMA instructions and the cycles of
    V and MTE3 (no MTE3: the DMA brings it to L1). `sharing` of the cores at work together read the same bytes; the
    tensor has `whole` bytes. `requests` of a part go to L2, where the target models them; `cut` of them end
    inside a sector, so that L2 does not keep their line. `rows`: those that become NZ on the way. `entries`: Vector
    instructions of a part, which fill the queue in front of the unit."""

    passages: int
    size: float
    dmas: float
    vector: float
    mte3: float
    sharing: int
    whole: float
    requests: float = 0.0
    cut: float = 0.0
    rows: int = 0
    entries: int = 0


def least_cycles(p: Problem, tiling: CubeTiling, tile: Tile) -> float:
    """Cycles that the busiest pipe of some core needs at least, and from the first load to the last store on the way
    through the others: no kernel with this tiling is faster."""
    target, memory = p.target, p.target.memory
    points = prod(grid_of(p.extents, tiling.tiles, tiling.circular))
    columns = -(-p.extents[p.roles.n] // tiling.tiles[p.roles.n])
    share = 1 - (1 - last_columns(p, tile) / tile.n16) / columns
    """What of a tile's columns is computed on average."""
    steps = -(-p.roles.k // tiling.step)
    pieces = -(-p.roles.k // tiling.l0_k) * -(-tile.n16 // tiling.product_columns(tile.n16))
    m1, n1, k1 = tile.m16 // 16, tile.n16 // 16, -(-p.roles.k // p.k0)
    products = mmad_cost(target, p.dtype, tile.m, tile.n16, p.roles.k).ideal + pieces * target.cube.issue
    operands = load2d_cost(target, "l0a", m1 * k1).ideal + load2d_cost(target, "l0b", n1 * k1).ideal
    left = 0 if p.window or tiling.resident else tile.m
    read = p.roles.k * p.item * (p.several * tile.tiles[p.roles.n] + tile.lead + left)
    path = target.path("gm", "l1" if target.split else "ub")
    read = max(read / (path.rate or max(memory.l2_read, memory.hbm_read)), 2 * steps * path.issue)
    if target.split:
        drain = fixpipe_cost(p, tile).ideal
    else:
        drain = copy_cost(target, "l0c", "ub", 1, tile.m16 * tile.n16 * 4).ideal
    store = target.path("ub", "gm")
    chain = target.path("gm", "ub").latency + target.path("l1", "l0a").latency + target.cube.latency
    chain += target.vector.latency + store.issue + store.latency
    vector = 0.0
    if p.prologue is not None:
        computed = left_cost(p, tiling, tile, 1)
        parts = -(-p.roles.k // (tiling.resident or tiling.step))
        vector = max(computed.vector, computed.mte3) * computed.passages * parts / columns_of(p, tiling)
    busy = max(share * max(products, operands, read, drain), vector)
    return -(-points // tiling.cores) * busy + chain


def columns_of(p: Problem, tiling: CubeTiling) -> int:
    """Tiles of columns that share a left operand in L1."""
    return -(-p.extents[p.roles.n] // tiling.tiles[p.roles.n]) if tiling.resident else 1


@remembered
def fixpipe_cost(p: Problem, tile: Tile) -> Cost:
    """A tile on its way out of L0C: to GM, or a share of it to the UB of each Vector core, all at once."""
    size = tile.m16 * tile.n16 * p.out
    if p.feeds:
        return copy_cost(p.target, "l0c", "l1", 1, size)
    if lands(p):
        return copy_cost(p.target, "l0c", "ub", 1, size // p.target.vectors_beside)
    return copy_cost(p.target, "l0c", "gm", 1, size)


def turned(target: Target, dtype: str, elements: int) -> float:
    """Vector cycles in which so many elements are transposed: 16 rows of 32 B at a time."""
    return transpose_cost(target, dtype, -(-elements // (BLOCK * lanes_of(dtype)))).busy


@remembered
def together(
    p: Problem, tiles: tuple[int, ...], cores: int, swizzle: int, resident: int = 0
) -> tuple[int, int]:
    """Of the cores at work together, how many rows and columns of the grid they span. With a `resident` left operand
    each walks the columns of rows of its own."""
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    columns = grid[p.roles.n]
    rows = max(1, prod(grid) // columns)
    if resident:
        return min(rows, cores), 1
    if swizzle > 1:
        across = min(columns, max(1, cores // swizzle))
    elif p.rows_last:
        across = min(columns, cores)
    else:  # rows of the matrix vary faster
        down = prod(grid[p.roles.n + 1 :])
        across = min(columns, max(1, cores // down))
    return min(rows, max(1, cores // across)), across


def left_cost(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    """The left operand of one step, which so many cores read."""
    if p.prologue is not None:
        one = _computed(p, tile, tiling.step, tiling.resident, tiling.rows, tiling.cores)
    else:
        one = _read(p, tile, tiling.step, tiling.cores)
    return one if sharing == 1 else replace(one, sharing=sharing)


@remembered
def _read(p: Problem, tile: Tile, step: int, cores: int) -> LoadCosts:
    """The left operand where it is read as it is."""
    target = p.target
    whole = prod(shape_of(p.lhs)) * p.item
    if p.lhs_blocked:
        return _blocks(p, tile, step, whole)
    if not p.window:
        return _matrix(p, p.lhs, tile.m, step, p.contraction.transpose_lhs, whole)
    blocks, staged = channel_groups(p, step), staged_groups_of(p, tile, step)
    height, width = tile.image
    groups = max(1, round(tile.pixels / tile.staged)) if tile.staged < tile.pixels else 1
    passages = blocks // staged * groups
    positions = ceil_to(height * width, 16) // groups
    channels = min(16, p.regions.extents[p.regions.rank])
    vector = staged * turned(target, p.dtype, BLOCK * positions) + target.vector.latency
    if channels < 16:
        vector += (
            16 - channels
        ) * positions * p.item / target.vector.bytes_per_repeat + target.vector.latency
    to = "gm" if target.split and ("ub", "l1") not in target.paths else "l1"
    mte3 = copy_cost(target, "ub", to, 1, staged * positions * 16 * p.item).busy
    turns = 1 if target.dma.unaligned else min(channels, 16 // gcd(prod(shape_of(p.lhs)[2:]), 16))
    around = piece_costs(p, tile, cores, step)
    turns, vector = turns + around.dmas, vector + around.vector
    beside = target.vectors_beside if target.split else 1
    size, (*_, rows, columns) = staged * channels * positions * p.item, shape_of(p.lhs)
    if width >= columns:  # rows follow each other, channels a plane apart
        run = -(-height // groups) * columns * p.item
        asked = _requests(p, staged * channels, run, rows * columns * p.item)
    else:
        bursts = staged * channels * -(-height // groups)
        asked = _requests(p, bursts, width * p.item, columns * p.item)
    return LoadCosts(passages, size, turns, vector / beside, mte3 / beside, 1, whole, *asked)


def _blocks(p: Problem, tile: Tile, step: int, whole: float) -> LoadCosts:
    """The left operand where it lies in GM as in L1."""
    if p.window:
        planes, run = channel_groups(p, step), tile.image[0] * tile.image[1] * BLOCK * p.item
        pitch = prod(shape_of(p.lhs)[2:]) * BLOCK * p.item
    else:
        planes, run = -(-step // BLOCK), tile.m * BLOCK * p.item
        pitch = shape_of(p.lhs)[-2] * BLOCK * p.item
    cut = p.window and tile.tiles[p.roles.m[-1]] < p.extents[p.roles.m[-1]]
    dmas = planes if cut else 1
    return LoadCosts(1, planes * run, dmas, 0.0, 0.0, 1, whole, *_requests(p, planes, run, pitch))


@remembered
def _computed(p: Problem, tile: Tile, step: int, resident: int, rows: int, cores: int) -> LoadCosts:
    """The left operand where the Vector computes it: what it reads, its instructions, blocks of columns or channels
    that are gathered first, the move to L1 or the workspace. On split chips the Vector cores take steps in turns."""
    prologue = p.prologue
    assert prologue is not None
    step = resident or step
    parts = tile.m
    tile = computed_part(p, tile, rows)
    parts = -(-parts // tile.m)
    target, elements = p.target, operand_elements(p, tile, step)
    size = operand_bytes(p, tile, step)
    whole = sum(prod(load.shape) * load.item for load in p.operand_loads)
    loads = [load for load in p.operand_loads if load.full]
    vector = _operand_cycles(p, prologue, tile, step)
    latency = target.vector.inner_latency
    around = piece_costs(p, tile, cores, step)
    dmas, vector = len(p.operand_loads) - len(loads) + around.dmas, vector + around.vector

    def copied(count: int) -> float:
        repeats = -(-count * p.item // target.vector.bytes_per_repeat)
        return vec_cost(target, "vcopy", p.dtype, repeats, joined=True).busy + latency

    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        vector += _edge_cycles(p, load, tile, cores, ceil_to(step, BLOCK) // BLOCK)
        if layout_of(load.load.value.type) is not None:
            dmas += 1 if _end_to_end(p, load, tile, held > staged) else ceil_to(step, BLOCK) // BLOCK
            if held > staged and image_of(p, load, tile) is None:  # what is around is set
                vector += copied(held - staged)
        elif image := image_of(p, load, tile):
            blocks, turns = ceil_to(step, BLOCK) // BLOCK, 16 // gcd(prod(load.shape[-2:]), 16)
            vector += transpose_cost(target, p.dtype, staged // 256).busy + latency
            if image.lines:  # what is beside them is filled, and seldom a row above or below
                vector += vec_cost(target, "vdup", p.dtype, blocks * image.rows, joined=True).busy
            dmas += 1 if target.dma.unaligned else min(step, turns)
        elif p.window:
            plane = prod(shape_of(load.load.value)[2:])
            vector += turned(target, p.dtype, staged) + latency
            vector += (
                copied(held) + copied(staged) if held > staged else 0.0
            )  # filled, and what is there copied
            turns = 1 if target.dma.unaligned else 16 // gcd(plane, 16)
            dmas += min(step, turns)
        else:
            vector += copied(staged)
            dmas += 1 if target.dma.unaligned else min(tile.m, 16 // gcd(p.roles.k, 16))
    if tile.m % 16 and not rows and target.split:
        vector += copied(elements)
    to = "gm" if target.split and ("ub", "l1") not in target.paths else "l1"
    mte3 = copy_cost(target, "ub", to, 1, elements * p.item).busy
    beside = target.vectors_beside if target.split else 1
    return LoadCosts(
        parts, size, dmas, vector / beside, mte3 / beside, 1, whole, *_lines_read(p, tile, step, size),
        entries=_entries(p, prologue, tile, step),
    )  # fmt: skip


def _lines_read(p: Problem, tile: Tile, step: int, size: float) -> tuple[float, float]:
    """Lines of L2 that a left operand of `size` bytes, which is computed, is read with, and those that end inside a
    sector."""
    line = p.target.memory.l2_line
    if not p.window:
        return size / line, 0.0
    requests = cut = 0.0
    for load in (load for load in p.operand_loads if load.full):
        (rows, columns), (height, width) = load.maps[-2:], load.shape[-2:]
        if not isinstance(rows, Along) or not isinstance(columns, Along):
            continue
        high, wide = (min(e.span(tile.tiles[e.dim]), n) for e, n in ((rows, height), (columns, width)))
        lanes = BLOCK if layout_of(load.load.value.type) is not None else 1
        planes, each = -(-step // p.taps // lanes), lanes * load.item
        bursts = (planes, high * width * each, height * width * each)
        start = gcd(rows.stride * tile.tiles[rows.dim], rows.pad) * width * each if high < height else 0
        if wide < width:
            bursts = planes * high, wide * each, width * each
            start = gcd(start, columns.stride * tile.tiles[columns.dim] * each, columns.pad * each)
        asked, ends = _requests(p, *bursts, start)
        number, run, pitch = bursts
        # HBM gives a line that bursts share once
        once = ((number - 1) * min(pitch, line) + run + line) / line
        requests, cut = requests + asked, cut + min(ends, once)
        size -= planes * high * wide * each
    return requests + max(size, 0.0) / line, cut


def _end_to_end(p: Problem, load: OperandLoad, tile: Tile, padded: bool) -> bool:
    """Whether a tile has what it reads of a block of channels in one piece, as GM has it: one DMA then brings all
    blocks."""
    if not p.window:
        return True
    image, line = image_of(p, load, tile), load.maps[-1]
    if padded and (image is None or image.lines):
        return False
    return isinstance(line, Along) and tile.tiles[line.dim] == p.extents[line.dim]


def _edge_cycles(p: Problem, load: OperandLoad, tile: Tile, cores: int, blocks: int) -> float:
    """Vector cycles in which a tile of an image that has no padding beside its lines gets the rows outside, on average:
    those at the edges lack them, and where each core has one tile the kernel waits for these."""
    image = image_of(p, load, tile)
    if image is None or image.lines or image.rows == load.shape[-2]:
        return 0.0
    rows = load.maps[-2]
    assert isinstance(rows, Along)
    parts = -(-p.extents[rows.dim] // tile.tiles[rows.dim])
    points = prod(grid_of(p.extents, tile.tiles, tile.circular))
    share = 1.0 if points <= cores else min(1.0, 2 / parts)
    repeats = -(-blocks * image.width * BLOCK * p.item // p.target.vector.bytes_per_repeat)
    cost = vec_cost(p.target, "vdup", p.dtype, repeats, joined=True)
    return share * (rows.pad * cost.busy + p.target.vector.inner_latency)


def _operand_cycles(p: Problem, prologue: GroupTrace, tile: Tile, step: int) -> float:
    """Vector cycles of a step's left operand. What reads a window of a tile with its halo has one dimension as repeats
    and one as blocks of a repeat, of which there may be fewer than 8."""
    target = p.target
    elements = tile.m * ceil_to(step // p.taps, 16) if p.window else operand_elements(p, tile, step)
    total = vector_cycles(prologue, elements, target)
    halo = any(load.full and held_elements(p, load, tile, step)[0] > elements for load in p.operand_loads)
    if not p.window or not halo:
        return total
    flat = -(-elements * p.item // target.vector.bytes_per_repeat)
    for one, choice in tap_choices(p, prologue, tile, step):
        total += choice.cycles - vec_cost(target, one.name, one.dtype, flat, joined=True).busy
    return total


def tap_choices(
    p: Problem, prologue: GroupTrace, tile: Tile, step: int
) -> Iterator[tuple[TraceStep, Choice]]:
    """The instructions that read a window of a tile, and how each of them is issued."""
    reads = [one for one in prologue.steps if any(s in prologue.loads and s.full for s in one.sources)]
    blocks, width = ceil_to(step, BLOCK) // BLOCK, tile.tiles[p.roles.m[-1]]
    found = [tap for load in p.operand_loads if is_image(p, load) for tap in taps_of(p, load, tile)]
    if not found:  # laid out otherwise: as if the lines of the result were those of the image
        found = [Tap.dense(*(tile.tiles[d] for d in p.roles.m[-2:]))]
    for i, one in enumerate(reads):
        yield one, tap_choice(p.target, one, prologue, found[i % len(found)], blocks, width)


def _entries(p: Problem, prologue: GroupTrace, tile: Tile, step: int) -> int:
    """What is in the Vector unit's queue for a step's left operand: instructions, and barriers between them."""
    c1 = ceil_to(step, BLOCK) // BLOCK
    if not p.window:
        return len(prologue.steps) + 2 + waits(prologue)
    taps = {id(one): choice.instructions for one, choice in tap_choices(p, prologue, tile, step)}
    positions = prod(tile.tiles[d] for d in p.roles.m[-2:])
    over = (c1, positions), [(positions, 1)]
    return (
        2 * c1
        + waits(prologue)
        + sum(
            taps.get(id(one)) or chosen(p.target, one.name, one.dtype, *over, (0,)).instructions
            for one in prologue.steps
        )
    )


def right_cost(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    """Right operands of one step, each of them a passage of its own."""
    one = _right(p, tile, tiling.step)
    return one if sharing == 1 else replace(one, sharing=sharing)


@remembered
def _right(p: Problem, tile: Tile, step: int) -> LoadCosts:
    """Those of one step, where each core reads its own."""
    if p.several == 1:
        return _right_of_one(p, tile, step)
    one = _right_of_one(p, replace(tile, n16=tile.n16 // p.several), step)
    return replace(one, passages=one.passages * p.several, whole=one.whole * p.several)


def _right_of_one(p: Problem, tile: Tile, step: int) -> LoadCosts:
    target = p.target
    depth = ceil_to(step, p.grain)
    size = depth * tile.n16 * p.item
    whole = prod(shape_of(p.rhs)) * p.item
    if p.packed:
        run = tile.n16 * p.k0 * p.item
        pitch = ceil_to(p.extents[p.roles.n], tile.n16) * p.k0 * p.item
        return LoadCosts(1, size, 1, 0.0, 0.0, 1, whole, *_requests(p, depth // p.k0, run, pitch))
    if not p.window:
        if p.contraction.transpose_rhs:
            return _matrix(p, p.rhs, tile.n16, step, False, whole)
        return _matrix(p, p.rhs, step, tile.tiles[p.roles.n] + tile.lead, False, whole)
    if target.split:
        return LoadCosts(1, size, 1, 0.0, 0.0, 1, whole, size / target.memory.l2_line)
    taps = p.taps
    passages = channel_groups(p, step) * (tile.n16 // 16)
    vector = 2 * turned(target, p.dtype, taps * BLOCK * BLOCK) + 2 * target.vector.latency
    mte3 = copy_cost(target, "ub", "l1", 1, taps * BLOCK * BLOCK * p.item).busy
    return LoadCosts(passages, size / passages, 1, vector, mte3, 1, whole)


def requests_beside(p: Problem, tile: Tile) -> tuple[float, float]:
    """Requests of a tensor that is read beside a tile of the result, and those that end inside a sector."""
    n, item = p.roles.n, p.stored
    inner, extents = tile.tiles[n + 1 :], p.extents[n + 1 :]
    if p.result_blocked:  # 16 channels or columns innermost
        rows = prod(p.extents[d] for d in p.roles.m)
        return _requests(p, tile.n16 // BLOCK, tile.m * BLOCK * item, rows * BLOCK * item)
    if p.rows_last:
        return _requests(p, tile.m, tile.tiles[n] * item, p.extents[n] * item)
    if inner[1:] == extents[1:]:  # rows follow each other, channels a plane apart
        return _requests(p, tile.n16, prod(inner) * item, prod(extents) * item)
    return _requests(p, tile.n16 * prod(inner[:-1]), inner[-1] * item, extents[-1] * item)


def _requests(p: Problem, bursts: int, run: int, pitch: int, start: int = 0) -> tuple[float, float]:
    """How many lines of L2 `bursts` bursts of `run` bytes, `pitch` bytes apart, touch on average: each is a request.
    And how many of them end inside a sector. The first begins on a multiple of `start` bytes, as runs do."""
    line, sector = p.target.memory.l2_line, p.target.memory.sector
    if run >= pitch:
        bursts, run = 1, bursts * run
    near = gcd(run, pitch, start)
    requests = bursts * (run + line - gcd(near, line)) / line
    inside = 1 - gcd(near, sector) / sector if sector else 0.0
    return requests, min(requests, 2 * bursts * inside)


def _matrix(
    p: Problem, value: SSAValue, rows: int, columns: int, transposed: bool, whole: float
) -> LoadCosts:
    """Rows and columns of the matrix `value` to NZ in L1."""
    target = p.target
    if transposed:
        rows, columns = columns, rows
    size = rows * ceil_to(columns, max(BLOCK, p.k0)) * p.item
    if target.split or (target.dma.nd2nz and rows % 16 == 0):
        requests = _requests(p, rows, columns * p.item, p.pitch(value) * p.item)
        return LoadCosts(1, size, 1, 0.0, 0.0, 1, whole, *requests, rows)
    groups, blocks = -(-rows // 8), -(-columns // 16)
    copies = vec_cost(target, "vcopy", p.dtype, groups).busy * blocks
    copies = min(copies, vec_cost(target, "vcopy", p.dtype, blocks).busy * groups)
    pitch = p.roles.k if rows != p.roles.k else p.extents[p.roles.n]
    turns = min(rows, 16 // gcd(pitch, 16))
    mte3 = copy_cost(target, "ub", "l1", 1, size).busy
    return LoadCosts(1, size, turns, copies + target.vector.latency, mte3, 1, whole)
