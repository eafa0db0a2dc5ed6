"""What loads that move elements (`lowering/transfers/rearrange.py`) cost a kernel on the Vector: room in UB, and
time."""

from collections.abc import Iterator
from dataclasses import replace
from math import gcd, inf, prod

from ...dialects.element_types import BLOCK_BYTES, bytes_of, lanes_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tiling import Along
from ...runtime.machine.costs import Cost, gm_read_cost, hit_cycles, miss_cycles, transpose_cost, vec_cost
from ..regions.loads import Load
from ..regions.regions import Regions
from ..selection.transfers import Run, Transfers, lead_of_steps, moved_length, transfers
from ..support.values import held_type_of


def ceil_to(value: int, unit: int) -> int:
    return -(-value // unit) * unit


@dataclass(frozen=True)
class Rearrangement:
    """How a load comes to its tile: `inner` is the kernel dimension that the tensor's last one follows. `turned`: it is
    not the tile's last. `shifted`: rows go to other lanes, at a step of `step`."""

    inner: int
    turned: bool
    shifted: bool
    step: int


def rearrangement(regions: Regions, load: Load, tiles: tuple[int, ...]) -> Rearrangement | None:
    """How a load rearranges what it reads; None where DMA puts it in place row by row."""
    last = len(tiles) - 1
    if regions.factor:
        return _rearrangement(regions, load, tiles)
    whole = tiles[last:] == regions.kernel_extents[last:]  # nothing else of the tile matters
    key = rearrangement, load.value, id(load.maps), last, whole
    found = regions.known.get(key)
    if found is None:
        # with the maps, so that nothing else gets their `id`
        found = regions.known[key] = load.maps, _rearrangement(regions, load, tiles)
    return found[1]


def _rearrangement(regions: Regions, load: Load, tiles: tuple[int, ...]) -> Rearrangement | None:
    last = len(tiles) - 1
    maps, shape = regions.kernel_map(load.maps), regions.kernel_shape(load)
    followed = [(e, n) for e, n in zip(maps, shape, strict=True) if isinstance(e, Along) and e.dim <= last]
    if last not in [e.dim for e, _ in followed] or any(e.is_windowed for e, _ in followed):
        return None
    inner, size = followed[-1]
    apart = 1  # elements of the tensor from one to the next along the last dimension that is followed
    for e, n in reversed([*zip(maps, shape, strict=True)]):
        if isinstance(e, Along):
            break
        apart *= n
    step = inner.stride * apart
    if inner.dim != last:
        return Rearrangement(inner.dim, True, False, step)
    extent = regions.kernel_extents[last]
    outside = inner.pad > 0 or (extent - 1) * inner.stride - inner.pad >= size
    in_place = tiles[last] == extent and inner.pad % 16 == 0 and size % 16 == 0
    if step > 1 or (outside and not in_place):
        return Rearrangement(last, False, True, step)
    return None


def staging_bytes(regions: Regions, load: Load, tiles: tuple[int, ...]) -> int:
    """Bytes of UB that a load takes beside its tile: rows in two slots, what the Vector alone touches in one."""
    found = rearrangement(regions, load, tiles)
    if found is None:
        return 0
    item = bytes_of(held_type_of(load.value))
    lanes, rows = ceil_to(tiles[-1], 16), prod(tiles[:-1])
    span = ceil_to((tiles[found.inner] - 1) * found.step + 1, 16)
    if found.turned:
        follows = {e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along)}
        others = prod(t for d, t in enumerate(tiles[:-1]) if d in follows and d != found.inner)
        return 3 * others * lanes * span * item
    # the tile itself holds whole groups of 16 rows
    padded = ceil_to(rows, 16)
    return (3 * span + lanes * found.step) * padded * item + 2 * (padded - rows) * lanes * item


def bursts_cost(
    target: Target, bursts: int, length: int, near: int, cores: int, distinct: float = inf
) -> Cost:
    """The DMA of one tile to UB that reads `bursts` bursts of `length` bytes, each from a multiple of `near` bytes
    on, as `cores` cores do at once. A line that two bursts share is asked for twice, by this core or by one beside it,
    and comes from HBM twice where L2 does not keep what is asked for in part. Else HBM gives a tile no more than
    `distinct` bytes, its share of the tensor."""
    memory, path, line = target.memory, target.path("gm", "ub"), int(target.memory.l2_line)
    near = gcd(near, line)
    touched = -(-length // line) if near == line else (length + line - near) / line
    plain = gm_read_cost(target, max(int(bursts * touched * line), line), 0.0, "ub", cores)
    if not memory.sector:
        once = gm_read_cost(target, max(int(min(bursts * length, distinct)), line), 0.0, "ub", cores)
        port = bursts * miss_cycles(target, path, touched, touched * line)
        return replace(plain, busy=max(once.busy, port))
    missed = touched if (near | length) % memory.sector else min(length / line, touched)
    port = bursts * hit_cycles(target, path, 0, 0, touched - missed)
    port += bursts * miss_cycles(target, path, missed, length * missed / touched)
    shared = bursts * missed * line / memory.hbm_chip * cores
    return replace(plain, busy=max(path.issue, port, shared))


@dataclass(frozen=True)
class Staging:
    """Cycles of the Vector and of the DMA for what a load stages. Where the DMA does not write all rows of a tile,
    these are set before, and nothing of it overlaps: it waits for what one pipe hands to the other. `share`: of the
    tiles that overlap nothing; `waits`: so long does a tile wait in the mean."""

    vector: float = 0.0
    dma: float = 0.0
    waits: float = 0.0
    share: float = 0.0


def staging_cycles(
    regions: Regions, load: Load, tiles: tuple[int, ...], target: Target, cores: int
) -> Staging:
    """What a load costs that is staged; nothing where it is not. The parts of a joined tile come back from columns to
    rows together."""
    found = rearrangement(regions, load, tiles)
    if found is None:
        return Staging()
    dtype = held_type_of(load.value)
    item, block = bytes_of(dtype), 16 * lanes_of(dtype)
    lanes, rows = ceil_to(tiles[-1], 16), prod(tiles[:-1])
    span = ceil_to((tiles[found.inner] - 1) * found.step + 1, 16)
    if found.turned:
        elements = rows * tiles[-1] // tiles[found.inner] * span
        outside = any(e.pad for e in regions.kernel_map(load.maps) if isinstance(e, Along))
        # set before the DMA writes its part; lanes that no tile has are set beside
        set_first = outside or bool(regions.factor) or regions.kernel_extents[-1] % tiles[-1] > 0
    else:
        elements = ceil_to(rows, 16) * (span + lanes // (len(regions.loads) if regions.joins else 1))
        reach = _reach(regions, load, tiles, found)
        whole = moved_length(target, reach, BLOCK_BYTES // item) == span
        set_first = rows % 16 > 0 or not whole or _goes_beyond(regions, load, len(tiles))
    vector = transpose_cost(target, str(dtype), -(-elements // block)).busy
    dma = _staged_dma(regions, load, tiles, target, cores, found)
    # a tile that is cut overlaps neither the one before it nor the one behind
    share = 1.0 if set_first else 0.0 if found.turned else min(1.0, 2 * _cut(regions, load, tiles))
    if share:  # set, copied, transposed, put in place
        repeats = -(-elements * item // target.vector.bytes_per_repeat)
        vector += share * vec_cost(target, "vdup", str(dtype), repeats, joined=True).busy / 2
    return Staging(2 * vector, dma.busy, share * (dma.latency + 3 * target.vector.latency), share)


def _staged_dma(
    regions: Regions, load: Load, tiles: tuple[int, ...], target: Target, cores: int, found: Rearrangement
) -> Cost:
    """The DMA of rows that are staged."""
    item, size = bytes_of(held_type_of(load.value)), regions.kernel_shape(load)[-1]
    count = prod(-(-e // t) for e, t in zip(regions.kernel_extents or (1,), tiles, strict=True))
    distinct = prod(regions.kernel_shape(load)) * item / count
    if found.shifted:
        moved = _rows_read(regions, load, tiles, target, min(_reach(regions, load, tiles, found), size))
        length = moved.elements // moved.pieces
        near = gcd(size, tiles[found.inner] * found.step) if length < size else size
        cost = bursts_cost(target, moved.pieces, length * item, near * item, cores, distinct)
        return replace(cost, busy=max(cost.busy, moved.instructions * target.path("gm", "ub").issue))
    reach, bursts = (tiles[found.inner] - 1) * found.step + 1, prod(tiles) // tiles[found.inner]
    length = min(ceil_to(reach, 16), size)
    starts = gcd(size, tiles[found.inner] * found.step)
    if reach == size:  # with those of the dimension around them they follow each other
        around = _held_around(regions, load, tiles)
        bursts, length, starts = max(1, bursts // around), length * around, starts * around
    return bursts_cost(target, bursts, length * item, starts * item, cores, distinct)


def _reach(regions: Regions, load: Load, tiles: tuple[int, ...], found: Rearrangement) -> int:
    """Elements of a row that is read for lanes which are shifted."""
    (*_, (entry, size)) = [
        (e, n)
        for e, n in zip(regions.kernel_map(load.maps), regions.kernel_shape(load), strict=True)
        if isinstance(e, Along) and e.dim < len(tiles)
    ]
    if found.step > 1 and entry.stride == found.step:
        results = regions.kernel_extents[-1]
        if lead_of_steps(found.step, entry.pad, tiles[-1], results, size) is not None:
            return tiles[-1] * found.step
    return (tiles[-1] - 1) * found.step + 1


def _rows_read(
    regions: Regions, load: Load, tiles: tuple[int, ...], target: Target, length: int
) -> Transfers:
    """The DMA instructions of rows of `length` elements that are staged one after the other."""
    sizes, pitch = regions.kernel_shape(load), ceil_to(length, 16)
    followed = [
        (e, prod(sizes[i + 1 :]))
        for i, e in enumerate(regions.kernel_map(load.maps))
        if isinstance(e, Along) and e.dim < len(tiles)
    ]
    runs = [
        Run(tiles[e.dim], step * e.stride, prod(tiles[e.dim + 1 : -1]) * pitch) for e, step in followed[:-1]
    ]
    return transfers(target, runs, length, bytes_of(held_type_of(load.value)))


def _goes_beyond(regions: Regions, load: Load, rank: int) -> bool:
    """Whether a kernel of some dimensions reads elements that the tensor has not: tiles that are cut at its end are
    others than those that are not."""
    return any(
        e.pad > 0 or (regions.kernel_extents[e.dim] - 1) * e.stride - e.pad >= size
        for e, size in zip(regions.kernel_map(load.maps), regions.kernel_shape(load), strict=True)
        if isinstance(e, Along) and e.dim < rank
    )


def _cut(regions: Regions, load: Load, tiles: tuple[int, ...]) -> float:
    """The share of tiles that the end of a tensor cuts."""
    dims = {e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.dim < len(tiles)}
    sizes = [(regions.kernel_extents[d], tiles[d]) for d in dims]
    return 1 - prod((extent // tile) / -(-extent // tile) for extent, tile in sizes)


def _held_around(regions: Regions, load: Load, tiles: tuple[int, ...]) -> int:
    """How many steps a tile has of the dimension outside the tensor's last one."""
    *outer, _ = [e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.dim < len(tiles)]
    return tiles[outer[-1]] if outer else 1


def square_tiles(regions: Regions) -> Iterator[tuple[int, ...]]:
    """Tiles of some rows and some lanes, as block transposes like them: along the dimension that lies innermost in a
    tensor which is turned, or the last rows of one whose lanes move."""
    extents = regions.kernel_extents or (1,)
    last = len(extents) - 1
    whole = regions.whole
    dims: set[int] = set()
    for load in regions.loads:
        found = rearrangement(regions, load, tuple(min(16, e) for e in extents))
        if found is not None:
            dims.add(found.inner if found.turned else last - 1)
    for d in sorted(d for d in dims if d >= 0 and d not in whole):
        base = [e if i in whole else 1 for i, e in enumerate(extents)]
        for rows in sorted({min(2**i, extents[d]) for i in range(4, 10)}):
            lanes = {min(2**i, extents[last]) for i in range(4, 13)} | {extents[last]}
            for size in sorted(lanes) if last not in whole else [extents[last]]:
                tile = list(base)
                tile[d], tile[last] = rows, size
                yield tuple(tile)


__all__ = ["Rearrangement", "Staging", "rearrangement", "square_tiles", "staging_bytes", "staging_cycles"]
