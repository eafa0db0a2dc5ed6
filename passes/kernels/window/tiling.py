"""Tile sizes of Vector kernels with windows: blocks of channels, rows and columns of the image, with their halo.

A tile has 16 channels, or a multiple, in the lanes; its input is a few rows more than its result. What one tile costs
is added up as the lowering emits it: DMA of channel rows, transposes, copies into the padded tile, one strided
instruction for each tap, transposes back, stores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.target_types import Target
from ....dialects.tile import layout_of
from ....dialects.tiling import Along, OperandMap
from ....runtime.machine.costs import copy_cost, gm_read_cost, transpose_cost, vec_cost
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.rule_trace import trace_group
from ...cost.vector import function_start
from ...lowering.transfers.channel_blocks import line_by_line, spilled_rows
from ...regions.lane_dim import lane_dim
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import share, store_unit
from ...support.values import element_type_of

BLOCK = 16
LANES = (16, 32, 48, 64, 96, 128, 256)
"""Channels of a tile that are tried."""
SCALAR_WORK = 4
"""Scalar instructions that go with one of Vector's: the offsets of its operands."""


@dataclass(frozen=True)
class Image:
    """What of a kernel with windows does not depend on its tiles."""

    regions: Regions
    target: Target

    @cached_property
    def lanes(self) -> int:
        return lane_dim(self.regions)

    @cached_property
    def trace(self) -> GroupTrace:
        return trace_group(self.regions, self.target)

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return self.regions.kernel_extents

    @cached_property
    def item(self) -> int:
        return ELEMENT_BYTES[str(element_type_of(self.regions.result))]

    @cached_property
    def blocked(self) -> bool:
        """Whether the result lies in GM as in UB."""
        return layout_of(self.regions.result.type) is not None

    @cached_property
    def stores(self) -> int:
        """Tiles that are stored for each point of the grid."""
        return len(self.regions.parts) or 1

    @cached_property
    def maps(self) -> list[tuple[Load, dict[int, Along]]]:
        """What each load follows of the kernel's dimensions, where it varies with the tile."""
        return [
            (
                load,
                {e.dim: e for e in self.regions.kernel_map(load.maps) if isinstance(e, Along) and e.stride},
            )
            for load in self.regions.loads
        ]


@dataclass(frozen=True)
class _Read:
    """One image that a tile reads: elements in UB with the halo, positions that are stored, whether copies put them in
    place, bytes of an element."""

    elements: int
    positions: int
    blocks: int
    copied: bool
    item: int
    line: int
    bursts: int
    direct: bool
    """Whether it lies in GM as in UB."""


def _reads(image: Image, tiles: Sequence[int]) -> Iterator[_Read]:
    lanes = image.lanes
    blocks = -(-tiles[lanes] // BLOCK)
    for load, along in image.maps:
        if lanes not in along:
            continue
        inner = [d for d in range(lanes + 1, len(tiles)) if d in along]
        shape = image.regions.kernel_shape(load)
        places = [
            (e.dim, size)
            for e, size in zip(image.regions.kernel_map(load.maps), shape, strict=True)
            if isinstance(e, Along)
        ]
        extent = dict(places)
        spans = [along[d].span(tiles[d]) for d in inner]
        stored = [min(span, extent[d]) for span, d in zip(spans, inner, strict=True)]
        whole = all(n == extent[d] for n, d in zip(stored[1:], inner[1:], strict=True))
        if stored and not whole:
            stored[-1] = ceil_to(stored[-1], BLOCK)
        padded = any(
            along[d].pad or (image.extents[d] - 1) * along[d].stride + along[d].span(1) > extent[d]
            for d in inner
        )
        beside = padded and whole and len(spans) == 2 and stored[1] < spans[1]
        direct = layout_of(load.value.type) is not None
        lined = beside and not direct and line_by_line(stored[1], spans[1])
        if beside and not lined and image.trace.only_taps:
            lined, rows = True, tiles[inner[0]] == image.extents[inner[0]]
            spilled = 0 if direct else spilled_rows(stored[1])
            spans = [stored[0] if rows else spans[0] + spilled, stored[1]]
        repeat = along[lanes].repeat
        bursts = tiles[lanes] * (1 if whole else prod(stored[:-1])) if inner else 1
        item = ELEMENT_BYTES[str(element_type_of(load.value))]
        yield _Read(
            blocks * BLOCK * prod(spans),
            prod(stored),
            blocks,
            not lined and (padded or (whole and stored[1:] != spans[1:])),
            item,
            prod(stored) if whole else stored[-1],
            bursts * (2 if repeat > 1 else 1),
            direct,
        )


def _bytes(image: Image, tiles: Sequence[int], closely: bool = False) -> int:
    """UB that a tile takes: what crosses pipes in two slots, positions on their way, temporaries. Those are all as
    large as the image with its halo, or `closely`, as they are counted where no tile fits else, those alone that
    windows see."""
    blocks = -(-tiles[image.lanes] // BLOCK)
    positions = prod(tiles[image.lanes + 1 :])
    total = widest = 0
    for read in _reads(image, tiles):
        staged = 0 if read.direct else read.blocks * BLOCK * ceil_to(read.positions, BLOCK)
        total += (staged * (3 if read.copied else 2) + read.elements) * read.item
        widest = max(widest, read.elements)
    elements = max(blocks * BLOCK * ceil_to(positions, BLOCK), 1)
    for load, along in image.maps:
        if image.lanes not in along or not load.maps:
            total += elements * ELEMENT_BYTES[str(element_type_of(load.value))]
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
        total += sum(2 * elements * image.item for _ in range(image.stores - 1))
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
                if prod(tail) > most or any(r.positions > most for r in _reads(image, tiles)):
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
    return [(_cycles(image, tiling), tiling) for tiling in tilings]


def window_time(regions: Regions, tiling: VectorTiling, target: Target) -> float:
    """Predicted cycles of a kernel with windows."""
    return _cycles(Image(regions, target), tiling)


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


def _cycles(image: Image, tiling: VectorTiling) -> float:
    """A pipeline of load, compute and store, filled once and drained once."""
    target, tiles = image.target, tiling.tiles
    extents = image.extents
    latency = target.vector.latency
    blocks = -(-tiles[image.lanes] // BLOCK)
    inner = [n for n in tiles[image.lanes + 1 :] if n > 1]
    positions = prod(inner)
    read = compute = read_latency = 0.0
    instructions = 0
    for one in _reads(image, tiles):
        dtype = "f16" if one.item == 2 else "f32"
        bytes_ = max(one.blocks * BLOCK * one.positions * one.item, 32)
        cost = gm_read_cost(target, bytes_, 0.0, "ub", tiling.cores)
        issue = target.path("gm", "ub").issue * (one.blocks if one.direct else _turns(target, one))
        read, read_latency = read + max(cost.busy, issue), max(read_latency, cost.latency)
        if one.direct:
            around = one.elements - one.blocks * BLOCK * one.positions
            if one.copied and around > 0:
                compute += flat_cycles(target, "vdup", dtype, around) + latency
            continue
        width = 32 // one.item
        compute += one.blocks * transpose_cost(target, dtype, -(-one.positions // width)).busy + latency
        instructions += one.blocks
        if one.copied:
            busy, count = strided_cycles(target, "vcopy", dtype, (one.blocks, *_two(one)))
            compute += busy + flat_cycles(target, "vdup", dtype, one.elements) + 2 * latency
            instructions += count
    compute += function_start(target)
    grown = max([1.0, *(r.elements / (blocks * BLOCK * positions) for r in _reads(image, tiles))])
    given: set[int] = set()
    windows = any(e.is_windowed for _, along in image.maps for e in along.values())
    for step in image.trace.steps:
        inner = _inner(image, step.result.region, tiles)
        positions = prod(inner)
        if not step.full:
            busy, count = vec_cost(target, step.name, step.dtype, blocks, joined=True).busy, 1
        elif step.name == "vconv":
            busy, count = (
                flat_cycles(target, step.name, step.dtype, int(blocks * BLOCK * positions * grown)),
                blocks,
            )
        elif windows and any(source.lacks or source in image.trace.loads for source in step.sources):
            busy, count = strided_cycles(target, step.name, step.dtype, (blocks, *inner))
        else:
            elements = step.elements(blocks * BLOCK * positions)
            busy, count = flat_cycles(target, step.name, step.dtype, elements), 1
        # small tiles take longer than their instructions: every wait counts as if nothing overlapped it
        waits = any(id(source) in given for source in step.sources)
        compute += busy + (target.vector.inner_latency if waits else 0.0)
        given.add(id(step.result))
        instructions += count
    dtype = "f16" if image.item == 2 else "f32"
    turns = 0 if image.blocked else blocks * BLOCK * image.item // 32
    inner = [n for n in tiles[image.lanes + 1 :] if n > 1]
    positions = prod(inner)
    compute += image.stores * (
        turns * transpose_cost(target, dtype, -(-positions // BLOCK)).busy + 2 * latency
    )
    instructions += (image.stores - 1) * turns
    compute = max(compute, instructions * SCALAR_WORK * target.scalar.issue)
    store = copy_cost(target, "ub", "gm", tiles[image.lanes], positions * image.item)
    ragged = not image.blocked and not target.dma.unaligned and positions * image.item % 32 != 0
    issue = target.path("ub", "gm").issue * (tiles[image.lanes] // 4 if ragged else 1)
    write = image.stores * max(store.busy, issue)
    # of all cores at once: about as many bytes as they write are read for the first time
    written = image.stores * positions * tiles[image.lanes] * image.item
    shared = written * tiling.cores / target.memory.hbm_chip
    points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
    rounds = -(-points // tiling.cores)
    slowest = max(read + shared, compute, write)
    return rounds * slowest + read + read_latency + compute + write + store.latency - slowest


def _inner(image: Image, region: OperandMap, tiles: Sequence[int]) -> list[int]:
    """Sizes above one behind the lanes of what a tile holds."""
    held = {e.dim: e.held(tiles[e.dim]) for e in region if isinstance(e, Along) and e.dim < len(tiles)}
    sizes = (held.get(d, 1) for d in range(image.lanes + 1, len(tiles)))
    return [n for n in sizes if n > 1]


def _two(read: _Read) -> tuple[int, int]:
    """Stored positions as rows and columns."""
    line = max(1, min(read.line, read.positions))
    rows = max(1, read.positions // line)
    return (rows, line) if rows > 1 else (max(1, int(line**0.5)), max(1, int(line**0.5)))


def _turns(target: Target, read: _Read) -> int:
    """DMA instructions: rows whose pitch in GM is no multiple of 32 B are moved in turns."""
    if target.dma.unaligned:
        return max(1, read.bursts // max(1, read.blocks * BLOCK))
    unit = 32 // read.item
    return min(read.bursts, unit // gcd(read.line, unit) * max(1, read.bursts // (read.blocks * BLOCK)))
