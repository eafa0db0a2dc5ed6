"""What a Vector kernel with windows costs, added up as the lowering emits a tile.

That is DMA of channel rows, transposes, copies into the padded tile, one strided instruction for each tap, transposes
back, stores.
"""

from collections.abc import Sequence
from math import gcd, prod

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tiling import Along, OperandMap
from ....runtime.machine.costs import copy_cost, gm_read_cost, transpose_cost, vec_cost
from ...cost.clock import schedule_cycles
from ...cost.group_trace import TraceStep
from ...cost.schedule import Loop, Schedule, Stage
from ...cost.transfers import Stored
from ...cost.vector import function_start
from ...regions.tiling import VectorTiling
from .image import BLOCK, Image, Read, reads

SCALAR_WORK = 4
"""Scalar instructions that go with one of Vector's: the offsets of its operands."""


def strided_cycles(target: Target, name: str, dtype: str, sizes: Sequence[int]) -> tuple[float, int]:
    """Cycles and number of instructions of one Vector op on `sizes` blocks of 16 elements, no two dimensions of which
    are walked as one (`selection.vector_shapes` chooses alike, by what banks add too)."""
    vector = target.vector
    halves = BLOCK * ELEMENT_BYTES[dtype] // 32
    axes = [n for n in (*sizes, halves) if n > 1] or [1]
    best: tuple[float, int] | None = None
    for i, repeats in enumerate(axes):
        for j, blocks in enumerate(axes):
            rest = prod(n for k, n in enumerate(axes) if k not in (i, j))
            if i == j:
                full, tail = divmod(repeats, 8)
                each = [full] if full else []
                each += [1] if tail else []
            else:
                each = [repeats] * -(-blocks // 8)
            count = rest * sum(-(-n // vector.max_repeat) for n in each)
            busy = rest * sum(vec_cost(target, name, dtype, n, joined=True).busy for n in each)
            if best is None or busy + count < best[0] + best[1]:
                best = busy, count
    assert best is not None
    return best


def flat_cycles(target: Target, name: str, dtype: str, elements: int) -> float:
    repeats = -(-elements * ELEMENT_BYTES[dtype] // target.vector.bytes_per_repeat)
    return vec_cost(target, name, dtype, repeats, joined=True).busy


@dataclass
class _Work:
    """What is counted for a tile: cycles of the DMA of its loads, of HBM for them and their longest latency, cycles of
    the Vector unit and its instructions."""

    read: float = 0.0
    asked: float = 0.0
    read_latency: float = 0.0
    compute: float = 0.0
    instructions: int = 0


def window_cycles(image: Image, tiling: VectorTiling) -> float:
    """Predicted cycles of the kernel."""
    target, tiles = image.target, tiling.tiles
    work = _Work()
    for read in reads(image, tiles):
        _count_read(work, target, read, tiling.cores)
    work.compute += function_start(target)
    _count_steps(work, image, tiles)
    dtype = "f16" if image.item == 2 else "f32"
    turns = 0 if image.blocked else -(-tiles[image.lanes] // BLOCK) * BLOCK * image.item // 32
    positions = prod(n for n in tiles[image.lanes + 1 :] if n > 1)
    turn = transpose_cost(target, dtype, -(-positions // BLOCK)).busy
    work.compute += image.stores * (turns * turn + 2 * target.vector.latency)
    work.instructions += (image.stores - 1) * turns
    store = copy_cost(target, "ub", "gm", tiles[image.lanes], positions * image.item)
    write = image.stores * max(store.busy, target.path("ub", "gm").issue)
    if not image.blocked and not target.dma.unaligned and positions * image.item % 32 != 0:
        plane = prod(image.extents[image.lanes + 1 :])
        extents, rows = (image.extents[image.lanes], plane), (tiles[image.lanes], positions)
        way = Stored(target, extents, rows, dtype, dtype).way()
        write, work.compute = image.stores * way.busy, work.compute + image.stores * way.vector
    compute = max(work.compute, work.instructions * SCALAR_WORK * target.scalar.issue)
    # of all cores at once: about as many bytes as they write are read for the first time
    written = image.stores * positions * tiles[image.lanes] * image.item
    shared = written * tiling.cores / target.memory.hbm_chip
    filled = ("rows",) if any(read.filled for read in reads(image, tiles)) else ()
    body = (
        Stage("V", 0.0, target.vector.latency, writes=filled),
        Stage("MTE2", work.read, work.read_latency, filled, ("in",), work.asked),
        Stage("V", compute, reads=("in",), writes=("out",)),
        Stage("MTE3", write, store.latency, reads=("in", "out"), hbm=shared),
    )
    return schedule_cycles(Schedule(Loop(tiling.rounds(image.extents), body), {"in": 2, "out": 2, "rows": 1}))


def _count_read(work: _Work, target: Target, one: Read, cores: int) -> None:
    """A load: its DMA, and what makes blocks of channels of rows of them, with what is around the image."""
    dtype, latency = "f16" if one.item == 2 else "f32", target.vector.latency
    bytes_ = max(one.blocks * BLOCK * one.positions * one.item, 32)
    cost = gm_read_cost(target, bytes_, 0.0, "ub", cores)
    issue = target.path("gm", "ub").issue * (one.blocks if one.direct else _turns(target, one))
    work.read, work.read_latency = work.read + max(cost.busy, issue), max(work.read_latency, cost.latency)
    work.asked += cost.busy
    if one.direct:
        around = one.elements - one.blocks * BLOCK * one.positions
        if one.copied and around > 0:
            work.compute += flat_cycles(target, "vdup", dtype, around) + latency
        return
    width = 32 // one.item
    work.compute += one.blocks * transpose_cost(target, dtype, -(-one.positions // width)).busy + latency
    work.instructions += one.blocks
    if one.copied:
        busy, count = strided_cycles(target, "vcopy", dtype, (one.blocks, *_two(one)))
        work.compute += busy + flat_cycles(target, "vdup", dtype, one.elements) + 2 * latency
        work.instructions += count


def _count_steps(work: _Work, image: Image, tiles: tuple[int, ...]) -> None:
    """What is computed. Small tiles take longer than their instructions: every wait counts as if nothing overlapped
    it."""
    blocks = -(-tiles[image.lanes] // BLOCK)
    own = blocks * BLOCK * prod(n for n in tiles[image.lanes + 1 :] if n > 1)
    grown = max([1.0, *(read.elements / own for read in reads(image, tiles))])
    windows = any(e.is_windowed for _, along in image.maps for e in along.values())
    given: set[int] = set()
    for step in image.trace.steps:
        inner = _inner(image, step.result.region, tiles)
        windowed = any(source.lacks or source in image.trace.loads for source in step.sources)
        busy, count = _step_cycles(image.target, step, (blocks, *inner), grown, windows and windowed)
        waits = any(id(source) in given for source in step.sources)
        work.compute += busy + (image.target.vector.inner_latency if waits else 0.0)
        given.add(id(step.result))
        work.instructions += count


def _step_cycles(
    target: Target, step: TraceStep, sizes: Sequence[int], grown: float, strided: bool
) -> tuple[float, int]:
    """Cycles and number of instructions of a step on `sizes` blocks of 16 elements, of a tile that its loads are at
    most `grown` times as large as. `strided`: whether it reads part of what a tile holds."""
    blocks, elements = sizes[0], BLOCK * prod(sizes)
    if not step.full:
        return vec_cost(target, step.name, step.dtype, blocks, joined=True).busy, 1
    if step.name == "vconv":
        return flat_cycles(target, step.name, step.dtype, int(elements * grown)), blocks
    if strided:
        return strided_cycles(target, step.name, step.dtype, sizes)
    return flat_cycles(target, step.name, step.dtype, step.elements(elements)), 1


def _inner(image: Image, region: OperandMap, tiles: Sequence[int]) -> list[int]:
    """Sizes above one behind the lanes of what a tile holds."""
    held = {e.dim: e.held(tiles[e.dim]) for e in region if isinstance(e, Along) and e.dim < len(tiles)}
    sizes = (held.get(d, 1) for d in range(image.lanes + 1, len(tiles)))
    return [n for n in sizes if n > 1]


def _two(read: Read) -> tuple[int, int]:
    """Stored positions as rows and columns."""
    line = max(1, min(read.line, read.positions))
    rows = max(1, read.positions // line)
    return (rows, line) if rows > 1 else (max(1, int(line**0.5)), max(1, int(line**0.5)))


def _turns(target: Target, read: Read) -> int:
    """DMA instructions: rows whose pitch in GM is no multiple of 32 B are moved in turns."""
    if target.dma.unaligned:
        return max(1, read.bursts // max(1, read.blocks * BLOCK))
    unit = 32 // read.item
    return min(read.bursts, unit // gcd(read.line, unit) * max(1, read.bursts // (read.blocks * BLOCK)))


__all__ = ["window_cycles"]
