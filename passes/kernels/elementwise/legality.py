"""Which tiles of a kernel without a product are legal: what they take beside their elements, whether they may be
stored, and how many cores may work on them."""

from math import prod

from xdsl.ir import Operation

from ....dialects.element_types import BLOCK_BYTES, bytes_of, lanes_of
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ...cost.rearrangement import rearrangement, staging_bytes
from ...lowering.transfers.columns_of_one import lanes_room, without_ones
from ...lowering.transfers.pack_rows import span_scratch, store_scratch
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import apart, share, spannable, store_unit
from ...support.errors import LocatedError
from ...support.values import element_type_of, held_type_of


class NoTileError(LocatedError):
    """No tile size is legal: not even the smallest fits on chip."""

    def __init__(self, op: Operation, message: str):
        super().__init__(op, f"{op.name}: {message}")


def beside_bytes(regions: Regions, tiles: tuple[int, ...], target: Target) -> int:
    """Bytes that a tile takes beside its elements: the halo of its operands, and what a store of ragged rows needs."""
    total = 0
    for load in regions.loads:
        along = {e.dim: e for e in regions.kernel_map(load.maps) if isinstance(e, Along)}
        total += staging_bytes(regions, load, tiles)
        if any(e.is_windowed for e in along.values()):
            needed = prod(along[d].held(t) if d in along else 1 for d, t in enumerate(tiles))
            total += 2 * bytes_of(held_type_of(load.value)) * max(needed - prod(tiles), 0)
    return total + _store_bytes(regions, tiles, target)


def _store_bytes(regions: Regions, tiles: tuple[int, ...], target: Target) -> int:
    """Bytes that the store of a tile takes beside it: of columns of one element, which leave the lanes, and of ragged
    rows."""
    stored = bytes_of(element_type_of(regions.result))
    held, packed, copied = held_type_of(regions.result), 0, 0
    extents = regions.opened(regions.result_shape)
    written = tuple(map(min, tiles, extents))
    shared = in_spans(regions, tiles, target) and not apart(extents, written, BLOCK_BYTES // stored)
    rows = without_ones(extents)
    if rows is not None:
        tiles = tuple(map(min, tiles[:rows], extents))
        copied = lanes_room(tiles)
    if len(tiles) > 1 and tiles[-1] % store_unit(target, stored) != 0:
        packed = store_scratch(prod(tiles[:-1]), tiles[-1], max(BLOCK, BLOCK_BYTES // stored))
    if shared:
        packed += span_scratch(max(BLOCK, BLOCK_BYTES // stored))
    turned = 2 * copied // BLOCK * lanes_of(held)  # is stored, so it has two slots
    return (turned + max(copied, packed)) * bytes_of(held)


def storable(extents: tuple[int, ...], tiles: tuple[int, ...], unit: int, factor: int = 0) -> bool:
    """Whether every tile is whole 32 B blocks, or starts on one and ends where the next one starts. A last tile along a
    dynamic dimension, `factor` times the run-time size, cannot start early: it is smaller, so its rows are blocks. Nor
    can one of several runs of less than a block, which would begin in the one before."""
    if _is_short_runs(extents, tiles, unit):
        return False
    smaller = factor % tiles[0] != 0
    blocks = prod(tiles) if not smaller else tiles[-1] if len(tiles) > 1 else 1
    return apart(extents, tiles, unit) or blocks % unit == 0


def _is_short_runs(extents: tuple[int, ...], tiles: tuple[int, ...], unit: int) -> bool:
    """Whether a tile is several runs of fewer elements than `unit` that lie apart in the tensor."""
    whole = len(tiles)
    while whole > 0 and tiles[whole - 1] == extents[whole - 1]:
        whole -= 1
    return prod(tiles[: max(whole - 1, 0)]) > 1 and prod(tiles[max(whole - 1, 0) :]) < unit


def in_spans(regions: Regions, tiles: tuple[int, ...], target: Target) -> bool:
    """Whether cores that take tiles in spans may share blocks of the result (`selection.store_grain`)."""
    dtype = element_type_of(regions.result)
    unit = store_unit(target, bytes_of(dtype))
    if unit == 1 or regions.factor or dtype != held_type_of(regions.result):
        return False
    stored = regions.result_shape or (1,)
    return spannable(stored, tuple(map(min, tiles, stored)), 2 * max(BLOCK, unit))


def with_cores(regions: Regions, tiles: tuple[int, ...], target: Target, spans: bool = True) -> VectorTiling:
    """As many cores as there are tiles; where neighbouring tiles meet in 32 B blocks, as many as own whole blocks.
    Tiles that start anywhere are written whole: the last one starts early. `spans`: all cores may share tiles that lie
    end to end."""
    extents, stored = regions.kernel_extents or (1,), regions.opened(regions.result_shape or (1,))
    points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
    unit = store_unit(target, bytes_of(element_type_of(regions.result)))
    written = tuple(map(min, tiles, stored))
    if apart(stored, written, unit):
        return VectorTiling(tiles, min(points, target.vector_units), _tails(regions, tiles))
    cores, serial = share(stored, written, unit, target.vector_units)
    most = min(points, target.vector_units)
    if spans and cores < most and in_spans(regions, tiles, target):
        return VectorTiling(tiles, most, spans=True)
    smaller = regions.factor % tiles[0] != 0
    tails = (
        ",".join("clip" if smaller and d == 0 else "shift" for d in range(len(tiles))) if smaller else "shift"
    )
    return VectorTiling(tiles, min(points, cores), tails, serial)


def _tails(regions: Regions, tiles: tuple[int, ...]) -> str:
    """How the dimensions of tiles that start anywhere end. Rows of loads that are staged have their full number, so
    that few instructions move them: what varies is walked in loops. Lanes begin on blocks, so they do not start early.
    """
    if regions.factor or all(rearrangement(regions, load, tiles) is None for load in regions.loads):
        return "clip"
    extents = regions.kernel_extents or (1,)
    last = max((d for d, n in enumerate(regions.result_shape) if n > 1), default=0)  # lanes of what is stored
    tails = ["shift" if d < last and extents[d] % tiles[d] else "clip" for d in range(len(tiles))]
    return ",".join(tails) if "shift" in tails else "clip"
