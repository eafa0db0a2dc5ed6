"""What the left operand of a product costs where the Vector unit computes it."""

from math import gcd, prod
from typing import NamedTuple

from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, layout_of
from ....dialects.tiling import Along, bags_of
from ....runtime.machine.costs import copy_cost, index_cost, transpose_cost, vec_cost
from ...cost.bags import bag_costs
from ...cost.group_trace import GroupTrace, TraceStep, ceil_to
from ...cost.vector import vector_cycles
from ...selection.vector_shapes import Choice
from ...support.values import shape_of
from .circular_rows import piece_costs
from .load_costs import Asked, LoadCosts, lines_asked, turned
from .operand_load import OperandLoad
from .operands import (
    computed_part,
    fetched_rows,
    held_elements,
    image_of,
    operand_bytes,
    operand_elements,
    picked_count,
    widest_elements,
)
from .problem import Problem, Tile, remembered
from .tap_costs import Tap, chosen, is_image, tap_choice, taps_of


class Part(NamedTuple):
    """What of a left operand is computed at once: K of it, and so many rows at most (0: all). So many `cores` share
    tiles whose rows go round (0: none do); `alone`: each has one tile at most."""

    step: int
    rows: int
    cores: int
    alone: bool


@remembered
def computed_cost(p: Problem, tile: Tile, part: Part) -> LoadCosts:
    """The left operand where the Vector computes it: what it reads, its instructions, blocks of columns or channels
    that are gathered first, the move to L1 or the workspace. On split chips the Vector cores take steps in turns."""
    prologue = p.prologue
    assert prologue is not None
    step, rows, cores, alone = part
    parts = tile.m
    tile = computed_part(p, tile, rows)
    parts = -(-parts // tile.m)
    target, elements = p.target, operand_elements(p, tile, step)
    size = operand_bytes(p, tile, step)
    whole = sum(_read_once(p, load) for load in p.operand_loads)
    loads = [load for load in p.operand_loads if load.full]
    vector = _operand_cycles(p, prologue, tile, step)
    around = piece_costs(p, tile, cores, step)
    work = _Work(len(p.operand_loads) - len(loads) + around.dmas, vector + around.vector)
    fetched = sum(fetched_rows(p, load, tile) for load in p.operand_loads if load.picked)
    for load in p.operand_loads:
        if bags_of(load.maps) is not None:
            costs, count = bag_costs(load.load, target, step), picked_count(p, load, tile)
            work.vector += count * costs.cycles
            work.dmas += count * 2 * index_cost(target).busy / target.path("gm", "ub").issue
    if fetched:  # one DMA each, whose address the scalar unit reads
        each = max(1.0, (index_cost(target).busy + 2 * target.scalar.issue) / target.path("gm", "ub").issue)
        work.dmas += fetched * each
    for load in loads:
        if p.regions.by_rows:
            held, _ = held_elements(p, load, tile, step)
            work.dmas += 0 if load.picked else _row_dmas(p, tile, held // ceil_to(step, BLOCK))
        else:
            work.vector += _edge_cycles(p, load, tile, alone, ceil_to(step, BLOCK) // BLOCK)
            _bring(work, p, load, tile, step)
    if tile.m % 16 and not rows and target.split and not p.regions.by_rows:
        work.vector += _copied(p, elements)
    to = "gm" if target.split and ("ub", "l1") not in target.paths else "l1"
    mte3 = copy_cost(target, "ub", to, 1, elements * p.item).busy
    beside = target.vectors_beside if target.split else 1
    return LoadCosts(
        parts, size, work.dmas, work.vector / beside, mte3 / beside, whole, *_lines_read(p, tile, step, size),
        entries=0 if target.split else _entries(p, tile, ceil_to(step, BLOCK) // BLOCK),
    )  # fmt: skip


@dataclass
class _Work:
    """What is counted for a left operand: DMA instructions, and cycles of the Vector unit."""

    dmas: float
    vector: float


def _copied(p: Problem, count: int) -> float:
    """Vector cycles of a copy of so many elements."""
    vector = p.target.vector
    repeats = -(-count * p.item // vector.bytes_per_repeat)
    return vec_cost(p.target, "vcopy", p.dtype, repeats, joined=True).busy + vector.inner_latency


def _bring(work: _Work, p: Problem, load: OperandLoad, tile: Tile, step: int) -> None:
    """Count what brings a tensor to the blocks of columns, or of channels, that the Vector unit computes on."""
    held, staged = held_elements(p, load, tile, step)
    if layout_of(load.load.value.type) is not None:
        work.dmas += 1 if _end_to_end(p, load, tile, held > staged) else ceil_to(step, BLOCK) // BLOCK
        if held > staged and image_of(p, load, tile) is None:  # what is around is set
            work.vector += _copied(p, held - staged)
    elif p.window:
        _bring_channels(work, p, load, tile, step)
    else:
        work.vector += _copied(p, staged)
        work.dmas += _row_dmas(p, tile, tile.m)


def _bring_channels(work: _Work, p: Problem, load: OperandLoad, tile: Tile, step: int) -> None:
    """The same of images in rows of channels, whose channels a transpose puts innermost."""
    target, (held, staged) = p.target, held_elements(p, load, tile, step)
    latency = target.vector.inner_latency
    if image := image_of(p, load, tile):
        plane = prod(load.shape[-2:])
        work.vector += transpose_cost(target, p.dtype, staged // 256).busy + latency
        if image.lines:  # what is beside them is filled, and seldom a row above or below
            blocks = ceil_to(step, BLOCK) // BLOCK
            work.vector += vec_cost(target, "vdup", p.dtype, blocks * image.rows, joined=True).busy
    else:
        plane = prod(shape_of(load.load.value)[2:])
        work.vector += turned(target, p.dtype, staged) + latency
        if held > staged:  # filled, and what is there copied
            work.vector += _copied(p, held) + _copied(p, staged)
    work.dmas += 1 if target.dma.unaligned else min(step, 16 // gcd(plane, 16))


def _read_once(p: Problem, load: OperandLoad) -> int:
    """Bytes of a tensor that the left operand is computed from which are read at all: of one whose rows indices pick
    no more rows than there are indices."""
    size = prod(load.shape) * load.item
    if not load.picked:
        return size
    rows = prod(p.regions.tile_extents[d] for d in load.picked) * load.rows
    columns = prod(n for e, n in zip(load.maps, load.shape, strict=True) if isinstance(e, Along))
    return min(size, int(rows * columns * load.item))


def _row_dmas(p: Problem, tile: Tile, rows: int) -> int:
    """DMA instructions for so many rows of a tensor, of a tile of matrix rows."""
    return 1 if p.target.dma.unaligned else min(rows, 16 // gcd(p.roles.k, 16))


def _lines_read(p: Problem, tile: Tile, step: int, size: float) -> Asked:
    """What a left operand of `size` bytes, which is computed, asks L2 for."""
    line = p.target.memory.l2_line
    picked = [load for load in p.operand_loads if load.picked]
    if picked:
        count = round(sum(fetched_rows(p, load, tile) for load in picked))
        requests, cut, runs = lines_asked(p.target, count, step * p.item, 2 * step * p.item, step * p.item)
        return Asked(requests + max(size - count * step * p.item, 0.0) / line, cut, runs)
    if not p.window:
        return Asked(size / line, 0.0, 1.0)
    requests = cut = runs = 0.0
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
        asked, ends, apart = lines_asked(p.target, *bursts, start)
        number, run, pitch = bursts
        # HBM gives a line that bursts share once
        once = ((number - 1) * pitch + run + line) / line
        requests, cut, runs = requests + asked, cut + min(ends, once), runs + apart
        size -= planes * high * wide * each
    return Asked(requests + max(size, 0.0) / line, cut, max(1.0, runs))


def _end_to_end(p: Problem, load: OperandLoad, tile: Tile, padded: bool) -> bool:
    """Whether a tile has what it reads of a block of channels in one piece, as GM has it: one DMA then brings all
    blocks."""
    if not p.window:
        return True
    image, line = image_of(p, load, tile), load.maps[-1]
    if padded and (image is None or image.lines):
        return False
    return isinstance(line, Along) and tile.tiles[line.dim] == p.extents[line.dim]


def _edge_cycles(p: Problem, load: OperandLoad, tile: Tile, alone: bool, blocks: int) -> float:
    """Vector cycles in which a tile of an image that has no padding beside its lines gets the rows outside, on average:
    those at the edges lack them, and where each core has one tile the kernel waits for these."""
    image = image_of(p, load, tile)
    if image is None or image.lines or image.rows == load.shape[-2]:
        return 0.0
    rows = load.maps[-2]
    assert isinstance(rows, Along)
    parts = -(-p.extents[rows.dim] // tile.tiles[rows.dim])
    share = 1.0 if alone else min(1.0, 2 / parts)
    repeats = -(-blocks * image.width * BLOCK * p.item // p.target.vector.bytes_per_repeat)
    cost = vec_cost(p.target, "vdup", p.dtype, repeats, joined=True)
    return share * (rows.pad * cost.busy + p.target.vector.inner_latency)


def _operand_cycles(p: Problem, prologue: GroupTrace, tile: Tile, step: int) -> float:
    """Vector cycles of a step's left operand. What reads a window of a tile with its halo has one dimension as repeats
    and one as blocks of a repeat, of which there may be fewer than 8."""
    target = p.target
    elements = tile.m * ceil_to(step // p.taps, 16) if p.window else widest_elements(p, tile, step)
    total = vector_cycles(prologue, elements, target)
    halo = any(load.full and held_elements(p, load, tile, step)[0] > elements for load in p.operand_loads)
    if not p.window or not halo:
        return total
    flat = -(-elements * p.item // target.vector.bytes_per_repeat)
    for one, choice in tap_choices(p, tile, step):
        total += choice.cycles - vec_cost(target, one.name, one.dtype, flat, joined=True).busy
    return total


def tap_choices(p: Problem, tile: Tile, step: int) -> list[tuple[TraceStep, Choice]]:
    """The instructions that read a window of a tile, and how each of them is issued."""
    return _tap_choices(p, tile, ceil_to(step, BLOCK) // BLOCK)


@remembered
def _tap_choices(p: Problem, tile: Tile, blocks: int) -> list[tuple[TraceStep, Choice]]:
    """The same for so many blocks of channels."""
    prologue = p.prologue
    assert prologue is not None
    reads = [one for one in prologue.steps if any(s in prologue.loads and s.full for s in one.sources)]
    found, width = _taps(p, tile), tile.tiles[p.roles.m[-1]]
    return [
        (one, tap_choice(p.target, one, prologue, found[i % len(found)], blocks, width))
        for i, one in enumerate(reads)
    ]


@remembered
def _taps(p: Problem, tile: Tile) -> list[Tap]:
    """The pixels of a tile of images that the taps of a window read."""
    found = [tap for load in p.operand_loads if is_image(p, load) for tap in taps_of(p, load, tile)]
    # laid out otherwise: as if the lines of the result were those of the image
    return found or [Tap.dense(*(tile.tiles[d] for d in p.roles.m[-2:]))]


@remembered
def _entries(p: Problem, tile: Tile, blocks: int) -> int:
    """What is in the Vector unit's queue for so many blocks of channels of a left operand: instructions, and barriers
    between them."""
    prologue = p.prologue
    assert prologue is not None
    if not p.window:
        return len(prologue.steps) + 2 + prologue.waits
    taps = {id(one): choice.instructions for one, choice in _tap_choices(p, tile, blocks)}
    positions = prod(tile.tiles[d] for d in p.roles.m[-2:])
    over = (blocks, positions), [(positions, 1)]
    others = {(one.name, one.dtype) for one in prologue.steps if not taps.get(id(one))}
    alone = {kind: chosen(p.target, *kind, *over, (0,)).instructions for kind in others}
    count = sum(taps.get(id(one)) or alone[one.name, one.dtype] for one in prologue.steps)
    return 2 * blocks + prologue.waits + count
