"""What the parts of a kernel around a product cost under one tiling: cycles of every pipe, from `runtime/costs.py`."""

from dataclasses import dataclass, replace
from itertools import permutations
from math import gcd, inf, prod

from xdsl.ir import SSAValue

from ..dialects.ascend.memory import lanes_of
from ..dialects.target import Target
from ..dialects.tile import BLOCK, layout_of
from ..runtime.costs import Cost, copy_cost, hit_cycles, load2d_cost, mmad_cost, transpose_cost, vec_cost
from .cube_problem import (
    Problem,
    Tile,
    ceil_to,
    channel_groups,
    chunk_shape,
    computed_part,
    held_elements,
    image_of,
    lands,
    operand_bytes,
    operand_elements,
    staged_groups_of,
    takes_vector,
)
from .lowering.pack_rows import packs, rows_a_lane
from .lowering.store_blocks import skews
from .regions import shape_of
from .tiling_plan import CubeTiling, product_spans
from .trace_rule import GroupTrace
from .vector_cycles import vector_cycles


@dataclass(frozen=True)
class LoadCosts:
    """One operand of one step, in `passages` equal parts: of a part the bytes, the DMA instructions and the cycles of
    V and MTE3 (no MTE3: the DMA brings it to L1). `sharing` of the cores at work together read the same bytes; the
    tensor has `whole` bytes. `requests` of a part go to L2, where the target models them; `cut` of them end
    inside a sector, so that L2 does not keep their line. `rows`: those that become NZ on the way. `entries`: Vector
    instructions of a part, which fill the queue in front of the unit."""

    passages: int
    size: float
    dmas: int
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
    points = prod(-(-e // t) for e, t in zip(p.extents, tiling.tiles, strict=True))
    steps = -(-p.roles.k // tiling.step)
    pieces = -(-p.roles.k // tiling.l0_k)
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
        computed = _computed(p, p.prologue, tiling, tile, 1)
        parts = -(-p.roles.k // (tiling.resident or tiling.step))
        vector = max(computed.vector, computed.mte3) * computed.passages * parts / columns_of(p, tiling)
    return -(-points // tiling.cores) * max(products, operands, read, drain, vector) + chain


def columns_of(p: Problem, tiling: CubeTiling) -> int:
    """Tiles of columns that share a left operand in L1."""
    return -(-p.extents[p.roles.n] // tiling.tiles[p.roles.n]) if tiling.resident else 1


def fixpipe_cost(p: Problem, tile: Tile) -> Cost:
    """A tile on its way out of L0C: to GM, or a share of it to the UB of each Vector core, all at once."""
    size = tile.m16 * tile.n16 * p.out
    if p.feeds:
        return copy_cost(p.target, "l0c", "l1", 1, size)
    if lands(p):
        return copy_cost(p.target, "l0c", "ub", 1, size // p.target.vectors_beside)
    return copy_cost(p.target, "l0c", "gm", 1, size)


class KernelCosts:
    """Times in cycles, rates in bytes a cycle."""

    def __init__(self, p: Problem, tiling: CubeTiling, tile: Tile):
        target = p.target
        memory, path = target.memory, target.path
        self.depth = target.scalar.queue_depth
        self.target, self.hbm, self.memory = target, memory.hbm_chip, memory
        self.reader = path("gm", "l1" if target.split else "ub")
        self.l2_read = self.reader.rate or memory.l2_read
        self.dma_issue, self.dma_latency = path("gm", "ub").issue, path("gm", "ub").latency
        self.miss_latency, self.vector_latency = memory.miss_latency, target.vector.latency
        shaped = path("gm", "l1") if target.split else path("ub", "l1")
        self.shape_latency, self.store_latency = shaped.latency, path("ub", "gm").latency
        self.mte1_latency, self.mmad_latency = path("l1", "l0a").latency, target.cube.latency
        rows, columns = together(p, tiling.tiles, tiling.cores, tiling.swizzle)
        if tiling.resident:
            rows, columns = min(rows * columns, tiling.cores), 1
        self.loads = _lhs(p, tiling, tile, columns), _rhs(p, tiling, tile, rows)
        written = prod(p.extents) * p.stored
        self.stays = sum(load.whole for load in self.loads) + written <= memory.l2_bytes
        """Whether L2 holds all tensors: every byte is then read from HBM once."""
        self._products(p, tiling, tile)
        self._chunks(p, tiling, tile)

    def port(self, load: LoadCosts, missed: float) -> float:
        """Cycles of a core's port to GM for one part of an operand, `missed` bytes of which L2 lacks."""
        memory = self.memory
        if not memory.sector:
            return load.size / self.l2_read
        absent = missed / load.size * (load.requests - load.cut) + load.cut
        moved = min(load.size, missed + load.cut * memory.l2_line / 2)
        if load.rows and self.reader.row:
            moved = absent * memory.l2_line
        hit = hit_cycles(self.target, self.reader, load.rows, load.size, load.requests)
        cycles = hit * (1 - absent / load.requests) + absent * memory.request_port
        return cycles + moved / (self.reader.miss_rate or memory.hbm_read)

    def _products(self, p: Problem, tiling: CubeTiling, tile: Tile) -> None:
        """One piece of K: MTE1 and M."""
        target = p.target
        self.pieces = -(-tiling.step // tiling.l0_k)
        m1, n1, k1 = tile.m16 // 16, tile.n16 // 16, ceil_to(tiling.step, p.grain) / p.k0 / self.pieces
        ideal = mmad_cost(target, p.dtype, tile.m, tile.n16, tiling.step).ideal
        self.mmad = ideal / self.pieces + target.cube.issue
        if m1 * n1 < target.cube.accumulate_overlap:
            self.mmad += target.cube.latency
        turned = p.k0 < 16 and not p.window  # by one load of all fractals
        left = k1 if p.window else 1 if turned and p.contraction.transpose_lhs else min(k1, m1)
        one = p.packed or p.window or (turned and not p.contraction.transpose_rhs)
        right = 1 if one else min(k1, n1)
        self.mte1 = max(load2d_cost(target, "l0a", 1).ideal * m1 * k1, target.path("l1", "l0a").issue * left)
        self.mte1 += max(
            load2d_cost(target, "l0b", 1).ideal * n1 * k1, target.path("l1", "l0b").issue * right
        )
        self.mte1_entries = left + right + 4
        turn = self.mte1 + self.mte1_latency + self.mmad + self.mmad_latency
        self.pace = max(self.mmad, self.mte1, turn / 2)
        self.two_accumulators = 2 * tile.m16 * tile.n16 * 4 <= target.spaces["l0c"].bytes

    def _chunks(self, p: Problem, tiling: CubeTiling, tile: Tile) -> None:
        """One chunk of the epilogue: V, what it reads, MTE3."""
        target = p.target
        self.chunk_missed: float = 0.0
        """Bytes that HBM sends all cores again, because L2 keeps no line that was asked for in part."""
        if target.split:
            self._drain(p, tiling, tile)
            return
        latency = target.vector.latency
        span = product_spans(p.regions, tiling.tiles)[p.roles.chunk_dim]
        self.chunks = -(-ceil_to(span, 16) // ceil_to(tiling.chunk, 16))
        n, m = chunk_shape(p, tile, tiling.chunk)
        elements = n * m
        moved = elements * p.out / target.vector.bytes_per_repeat
        self.chunk_vector = copy_cost(target, "l0c", "ub", 1, elements * 4).busy + latency
        self.chunk_vector += _epilogue_cycles(p, tiling, tile, elements)
        # what is not contiguous on all sides takes an instruction for eight rows, or for one block of columns
        groups, blocks = -(-m // 8), n // 16
        least = target.vector.issue
        strided = groups if groups * max(least, blocks) < blocks * max(least, groups) else blocks
        repeated = sum(step.full and not all(x.full for x in step.sources) for step in p.trace.steps)
        self.chunk_entries = 6 + 2 * len(p.trace.steps) + repeated * (strided - 1)
        if p.feeds:
            self.chunk_store = copy_cost(target, "ub", "l1", 1, elements * p.out).busy
            self.chunk_written = self.chunk_read = 0.0
            self.beside = len(p.trace.loads)
            return
        if p.result_blocked:
            rows, columns, pitch = n // 16, m * 16, prod(p.extents) // p.extents[p.roles.n] * 16
        elif p.rows_last:
            rows, columns, pitch = m, tiling.tiles[p.roles.n], p.extents[p.roles.n]
            if columns > 16:
                self.chunk_vector += moved + latency
                self.chunk_entries += 1 + strided
        else:
            rows, columns, pitch = n, tile.m, prod(p.extents[p.roles.n + 1 :])
            self.chunk_vector += n // 16 * turned(target, p.result_dtype, BLOCK * m) + latency
            self.chunk_entries += n // 16
        written = min(rows * columns, elements) * p.stored
        points = prod(-(-e // t) for e, t in zip(p.extents, tiling.tiles, strict=True))
        self.chunk_written = prod(p.extents) * p.stored / points / self.chunks * tiling.cores
        """Bytes that all cores write."""
        turns = min(rows, p.block // gcd(pitch, p.block))
        issue = target.path("ub", "gm").issue
        self.chunk_store = max(copy_cost(target, "ub", "gm", 1, int(written)).busy, issue * turns)
        if tile.lead:
            self._blocks(p, tile, m)
        elif columns % p.block:
            if packs(columns) and columns == pitch:
                padded = ceil_to(rows, 16 * rows_a_lane(columns)) * ceil_to(columns, 16)
                self.chunk_vector += 4 * padded * p.out / target.vector.bytes_per_repeat + 6 * latency
            else:
                self.chunk_vector += 6 * latency
                self.chunk_store += 2 * self.store_latency + issue * turns
        full = p.full_loads
        self.chunk_read = full * (elements * p.out / self.l2_read)
        self.chunk_vector += p.staged_loads * (moved + latency)
        self.beside = len(p.trace.loads) - full

    def _drain(self, p: Problem, tiling: CubeTiling, tile: Tile) -> None:
        """The tile through FixPipe, then, if the Vector cores beside have work, their half of it each: it overlaps the
        products of the tiles that follow."""
        target = p.target
        self.chunks = 1
        elements = tile.m16 * tile.n16
        drain = fixpipe_cost(p, tile)
        self.chunk_vector = drain.busy + drain.latency
        self.chunk_entries = 2
        self.chunk_written = elements * p.out * tiling.cores
        self.chunk_read = 0.0
        self.beside = 0
        shared = elements // target.vectors_beside
        if p.feeds:
            self.chunk_written = self.chunk_store = 0.0
            return
        beside = takes_vector(p)
        load = 0.0 if lands(p) else shared * p.out / self.l2_read
        if p.full_loads:
            requests, cut = _beside(p, tile)
            load += p.full_loads * requests / target.vectors_beside * self.memory.l2_line / self.l2_read
            self.chunk_missed = p.full_loads * cut * self.memory.l2_line * tiling.cores
        store = copy_cost(target, "ub", "gm", 1, shared * p.stored).busy
        work = _epilogue_cycles(p, tiling, tile, shared) if p.trace.steps else 0.0
        if not (p.rows_last or p.result_blocked):  # its rows are those of the matrix: blocks are turned over
            work += (1 + p.staged_loads) * turned(target, p.result_dtype, shared)
        self.chunk_store = max(load, work, store) if beside else 0.0

    def _blocks(self, p: Problem, tile: Tile, rows: int) -> None:
        """What a store of whole 32 B blocks of parts of rows adds: both transposes of each turn (`store_blocks`)."""
        target, turns = p.target, skews(p.extents[p.roles.n])
        groups = -(-rows // (16 * turns))
        once = turned(target, p.result_dtype, BLOCK * tile.n16) + target.vector.latency
        shifted = min(turns, rows) - 1
        self.chunk_vector += 2 * shifted * groups * once
        self.chunk_entries += 4 * shifted * groups + 2 * shifted


def _epilogue_cycles(p: Problem, tiling: CubeTiling, tile: Tile, elements: int) -> float:
    """Vector cycles of the epilogue of so many elements of a tile, where whole rows are cut part by part."""
    if not tiling.part:
        return vector_cycles(p.trace, elements // p.several, p.target)
    part = tile.n16 * tiling.part
    return elements / part * vector_cycles(p.trace, part, p.target)


def turned(target: Target, dtype: str, elements: int) -> float:
    """Vector cycles in which so many elements are transposed: 16 rows of 32 B at a time."""
    return transpose_cost(target, dtype, -(-elements // (BLOCK * lanes_of(dtype)))).busy


def together(p: Problem, tiles: tuple[int, ...], cores: int, swizzle: int) -> tuple[int, int]:
    """Of the cores at work together, how many rows and columns of the grid they span."""
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    columns = grid[p.roles.n]
    rows = max(1, prod(grid) // columns)
    if swizzle > 1:
        across = min(columns, max(1, cores // swizzle))
    elif p.rows_last:
        across = min(columns, cores)
    else:  # rows of the matrix vary faster
        down = prod(grid[p.roles.n + 1 :])
        across = min(columns, max(1, cores // down))
    return min(rows, max(1, cores // across)), across


def _lhs(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    target = p.target
    if p.prologue is not None:
        return _computed(p, p.prologue, tiling, tile, sharing)
    whole = prod(shape_of(p.lhs)) * p.item
    if p.lhs_blocked:
        return _blocks(p, tiling, tile, sharing, whole)
    if not p.window:
        return _matrix(p, p.lhs, tile.m, tiling.step, p.contraction.transpose_lhs, sharing, whole)
    blocks, staged = channel_groups(p, tiling.step), staged_groups_of(p, tile, tiling.step)
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
    beside = target.vectors_beside if target.split else 1
    size, (*_, rows, columns) = staged * channels * positions * p.item, shape_of(p.lhs)
    if width >= columns:  # rows follow each other, channels a plane apart
        run = -(-height // groups) * columns * p.item
        asked = _requests(p, staged * channels, run, rows * columns * p.item)
    else:
        bursts = staged * channels * -(-height // groups)
        asked = _requests(p, bursts, width * p.item, columns * p.item)
    return LoadCosts(passages, size, turns, vector / beside, mte3 / beside, sharing, whole, *asked)


def _blocks(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int, whole: float) -> LoadCosts:
    """The left operand where it lies in GM as in L1."""
    if p.window:
        planes, run = channel_groups(p, tiling.step), tile.image[0] * tile.image[1] * BLOCK * p.item
        pitch = prod(shape_of(p.lhs)[2:]) * BLOCK * p.item
    else:
        planes, run = -(-tiling.step // BLOCK), tile.m * BLOCK * p.item
        pitch = shape_of(p.lhs)[-2] * BLOCK * p.item
    cut = p.window and tile.tiles[p.roles.m[-1]] < p.extents[p.roles.m[-1]]
    dmas = planes if cut else 1
    return LoadCosts(1, planes * run, dmas, 0.0, 0.0, sharing, whole, *_requests(p, planes, run, pitch))


def _computed(p: Problem, prologue: GroupTrace, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    """The left operand where the Vector computes it: what it reads, its instructions, blocks of columns or channels
    that are gathered first, the move to L1 or the workspace. On split chips the Vector cores take steps in turns."""
    step = tiling.resident or tiling.step
    parts = tile.m
    tile = computed_part(p, tile, tiling.rows)
    parts = parts // tile.m
    target, elements = p.target, operand_elements(p, tile, step)
    size = operand_bytes(p, tile, step)
    whole = sum(prod(load.shape) * load.item for load in p.operand_loads)
    loads = [load for load in p.operand_loads if load.full]
    vector = _operand_cycles(p, prologue, tile, step)
    latency = target.vector.latency
    dmas = len(p.operand_loads) - len(loads)

    def copied(count: int) -> float:
        repeats = -(-count * p.item // target.vector.bytes_per_repeat)
        return vec_cost(target, "vcopy", p.dtype, repeats).busy + latency

    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        if layout_of(load.load.value.type) is not None:
            dmas += ceil_to(step, BLOCK) // BLOCK
        elif image := image_of(p, load, tile):
            blocks, turns = ceil_to(step, BLOCK) // BLOCK, 16 // gcd(prod(load.shape[-2:]), 16)
            vector += transpose_cost(target, p.dtype, staged // 256).busy + latency
            if image.lines:  # what is beside them is filled, and seldom a row above or below
                vector += vec_cost(target, "vdup", p.dtype, blocks * image.rows).busy
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
    if tile.m % 16 and not tiling.rows and target.split:
        vector += copied(elements)
    to = "gm" if target.split and ("ub", "l1") not in target.paths else "l1"
    mte3 = copy_cost(target, "ub", to, 1, elements * p.item).busy
    beside = target.vectors_beside if target.split else 1
    requests = size / target.memory.l2_line
    return LoadCosts(
        parts, size, dmas, vector / beside, mte3 / beside, sharing, whole, requests,
        entries=_entries(p, prologue, tile, step),
    )  # fmt: skip


def _operand_cycles(p: Problem, prologue: GroupTrace, tile: Tile, step: int) -> float:
    """Vector cycles of a step's left operand. What reads a window of a tile with its halo has one dimension as repeats
    and one as blocks of a repeat, of which there may be fewer than 8."""
    target = p.target
    elements = tile.m * ceil_to(step // p.taps, 16) if p.window else operand_elements(p, tile, step)
    total = vector_cycles(prologue, elements, target)
    halo = any(load.full and held_elements(p, load, tile, step)[0] > elements for load in p.operand_loads)
    if not p.window or not halo:
        return total
    vector = target.vector
    h, w = (tile.tiles[d] for d in p.roles.m[-2:])
    sizes = ceil_to(step, 16) // 16, h, w
    for one in prologue.steps:
        if not any(source in prologue.loads and source.full for source in one.sources):
            continue
        flat = -(-elements * p.item // vector.bytes_per_repeat)
        best = inf
        for repeat, blocks in permutations(range(3), 2):
            count = -(-sizes[blocks] // 8) * prod(sizes) // (sizes[repeat] * sizes[blocks])
            best = min(best, count * (vec_cost(target, one.name, one.dtype, sizes[repeat]).busy + 1) - count)
        total += best - vec_cost(target, one.name, one.dtype, flat).busy
    return total


def _entries(p: Problem, prologue: GroupTrace, tile: Tile, step: int) -> int:
    """Vector instructions that compute a step's left operand: of a window one dimension gives the repeats, another one
    the blocks of a repeat, at most 8, and the third one is walked."""
    c1, each = ceil_to(step, 16) // 16, 1
    if p.window:
        h, w = (tile.tiles[d] for d in p.roles.m[-2:])
        each = min(c1 * -(-w // 8), c1 * -(-h // 8), h * -(-c1 // 8), w * -(-c1 // 8))
    return len(prologue.steps) * each + (2 * c1 + each if p.window else 2)


def _rhs(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    """Right operands of one step, each of them a passage of its own."""
    if p.several == 1:
        return _right(p, tiling, tile, sharing)
    one = _right(p, tiling, replace(tile, n16=tile.n16 // p.several), sharing)
    return replace(one, passages=one.passages * p.several, whole=one.whole * p.several)


def _right(p: Problem, tiling: CubeTiling, tile: Tile, sharing: int) -> LoadCosts:
    target = p.target
    depth = ceil_to(tiling.step, p.grain)
    size = depth * tile.n16 * p.item
    whole = prod(shape_of(p.rhs)) * p.item
    if p.packed:
        run = tile.n16 * p.k0 * p.item
        pitch = ceil_to(p.extents[p.roles.n], tile.n16) * p.k0 * p.item
        return LoadCosts(1, size, 1, 0.0, 0.0, sharing, whole, *_requests(p, depth // p.k0, run, pitch))
    if not p.window:
        if p.contraction.transpose_rhs:
            return _matrix(p, p.rhs, tile.n16, tiling.step, False, sharing, whole)
        return _matrix(p, p.rhs, tiling.step, tile.tiles[p.roles.n] + tile.lead, False, sharing, whole)
    if target.split:
        return LoadCosts(1, size, 1, 0.0, 0.0, sharing, whole, size / target.memory.l2_line)
    taps = p.taps
    passages = channel_groups(p, tiling.step) * (tile.n16 // 16)
    vector = 2 * turned(target, p.dtype, taps * BLOCK * BLOCK) + 2 * target.vector.latency
    mte3 = copy_cost(target, "ub", "l1", 1, taps * BLOCK * BLOCK * p.item).busy
    return LoadCosts(passages, size / passages, 1, vector, mte3, sharing, whole)


def _beside(p: Problem, tile: Tile) -> tuple[float, float]:
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


def _requests(p: Problem, bursts: int, run: int, pitch: int) -> tuple[float, float]:
    """How many lines of L2 `bursts` bursts of `run` bytes, `pitch` bytes apart, touch on average: each is a request.
    And how many of them end inside a sector."""
    line, sector = p.target.memory.l2_line, p.target.memory.sector
    if run >= pitch:
        bursts, run = 1, bursts * run
    requests = bursts * (run + line - gcd(run, pitch, line)) / line
    inside = 1 - gcd(run, pitch, sector) / sector if sector else 0.0
    return requests, min(requests, 2 * bursts * inside)


def _matrix(
    p: Problem, value: SSAValue, rows: int, columns: int, transposed: bool, sharing: int, whole: float
) -> LoadCosts:
    """Rows and columns of the matrix `value` to NZ in L1."""
    target = p.target
    if transposed:
        rows, columns = columns, rows
    size = rows * ceil_to(columns, 16) * p.item
    if target.split or (target.dma.nd2nz and rows % 16 == 0):
        requests = _requests(p, rows, columns * p.item, p.pitch(value) * p.item)
        return LoadCosts(1, size, 1, 0.0, 0.0, sharing, whole, *requests, rows)
    groups, blocks = -(-rows // 8), -(-columns // 16)
    copies = vec_cost(target, "vcopy", p.dtype, groups).busy * blocks
    copies = min(copies, vec_cost(target, "vcopy", p.dtype, blocks).busy * groups)
    pitch = p.roles.k if rows != p.roles.k else p.extents[p.roles.n]
    turns = min(rows, 16 // gcd(pitch, 16))
    mte3 = copy_cost(target, "ub", "l1", 1, size).busy
    return LoadCosts(1, size, turns, copies + target.vector.latency, mte3, sharing, whole)
