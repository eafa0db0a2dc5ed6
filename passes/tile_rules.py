"""Which tiles of a kernel without a product are legal: what they take beside their elements, whether they may be
stored, and how many cores may work on them."""

from math import prod

from xdsl.ir import Operation

from ..dialects.ascend.memory import BLOCK_BYTES, ELEMENT_BYTES
from ..dialects.target import Target
from ..dialects.tiling import Along
from .graph_module import LocatedError
from .grid_rules import apart, share, store_unit
from .lowering.pack_rows import store_scratch
from .moved_loads import staging_bytes
from .regions import Regions, element_type_of, held_type_of
from .tiling_plan import VectorTiling


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
            total += 2 * ELEMENT_BYTES[str(held_type_of(load.value))] * max(needed - prod(tiles), 0)
    stored = ELEMENT_BYTES[str(element_type_of(regions.result))]
    block = max(16, BLOCK_BYTES // stored)
    ragged = tiles[-1] % store_unit(target, stored) != 0
    if len(tiles) > 1 and ragged and regions.result_shape[-1] != 1:
        item = ELEMENT_BYTES[str(held_type_of(regions.result))]
        total += store_scratch(prod(tiles[:-1]), tiles[-1], block) * item
    return total


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


def with_cores(regions: Regions, tiles: tuple[int, ...], target: Target) -> VectorTiling:
    """As many cores as there are tiles; where neighbouring tiles meet in 32 B blocks, as many as own whole blocks.
    Tiles that start anywhere are written whole: the last one starts early."""
    extents, stored = regions.kernel_extents or (1,), regions.opened(regions.result_shape or (1,))
    points = prod(-(-e // t) for e, t in zip(extents, tiles, strict=True))
    unit = store_unit(target, ELEMENT_BYTES[str(element_type_of(regions.result))])
    written = tuple(map(min, tiles, stored))
    if apart(stored, written, unit):
        return VectorTiling(tiles, min(points, target.vector_units))
    cores, serial = share(stored, written, unit, target.vector_units)
    smaller = regions.factor % tiles[0] != 0
    tails = (
        ",".join("clip" if smaller and d == 0 else "shift" for d in range(len(tiles))) if smaller else "shift"
    )
    return VectorTiling(tiles, min(points, cores), tails, serial)
