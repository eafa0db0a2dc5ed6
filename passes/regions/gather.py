"""The indices by which a group's kernel picks rows: tensors of i32 that the scalar unit reads from GM.

%y = graph.gather %x, %i                =>    tile.kernel (%x, %i) { %t = tile.load %x … by %i : … }
%y = graph.embedding_bag %x, %i, %o     =>    tile.kernel (%x, %i, %o) { %t = tile.load %x … by %i : … bags %o : … }
"""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import Attribute, SSAValue

from ...dialects import tile
from ...dialects.element_types import bytes_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...dialects.tiling import Picked, bags_of, has_picked, picked_dims
from ..support.values import DTYPES, held_type_of, shape_of
from .loads import Load
from .regions import Regions

MOST_ROWS = 16
"""Rows of a bag that are loaded at once, at most."""


@dataclass(frozen=True)
class IndexTable:
    """A tensor of indices as a kernel sees it: one dimension for each of the kernel's that it follows. Those that bags
    are parts of, their offsets and weights, are lists."""

    value: SSAValue
    shape: tuple[int, ...]
    entry: Picked
    """In the dimensions of the group's space."""
    role: str = "indices"

    def picks(self, load: Load) -> bool:
        """Whether it is this table that picks what `load` reads."""
        return self.entry in load.maps


def index_tables(regions: Regions) -> list[IndexTable]:
    """The tables of a group, each once."""
    found: dict[Picked, list[IndexTable]] = {}
    for load in regions.loads:
        for entry in load.maps:
            if not isinstance(entry, Picked) or entry.by is None:
                continue
            if entry.bags is not None:
                assert entry.bags.offsets is not None
                lists = {"indices": entry.by, "bags": entry.bags.offsets, "weights": entry.bags.weights}
                found[entry] = [
                    IndexTable(value, shape_of(value), entry, role)
                    for role, value in lists.items()
                    if value is not None
                ]
                continue
            (seen,) = (e for e in regions.kernel_map(load.maps) if isinstance(e, Picked))
            found[entry] = [IndexTable(entry.by, tuple(regions.tile_extents[d] for d in seen.dims), entry)]
    return [table for tables in found.values() for table in tables]


def lookup_of(load: Load, tables: Mapping[IndexTable, SSAValue], target: Target) -> tile.Lookup | None:
    """What picks the rows of a load, by the values that its kernel has for the `tables`."""
    own = {table.role: value for table, value in tables.items() if table.picks(load)}
    bags = bags_of(load.maps)
    if not own:
        return None
    indices, cuts, weights = own["indices"], own.get("bags"), own.get("weights")
    if bags is None:
        return tile.Lookup(indices)
    return tile.Lookup(indices, cuts, weights, bags.fold, chunk_rows(load, target))


def loaded_type(load: Load, target: Target) -> Attribute:
    """Element type of what a load brings to UB: bags are summed up in f32, and the largest of their elements is found
    in a type that the Vector computes in."""
    bags, held = bags_of(load.maps), held_type_of(load.value)
    if bags is None or (bags.fold == "max" and str(held) in target.vector.compute):
        return held
    return DTYPES["f32"]


def chunk_rows(load: Load, target: Target) -> int:
    """Rows of a bag that are loaded at once, a power of two: about as many as a bag has, as far as they take no more
    than a quarter of UB."""
    rows, columns = 1, shape_of(load.value)[-1]
    while (
        rows < min(bag_rows(load), MOST_ROWS)
        and 2 * rows * _row_bytes(load, target, columns) <= target.spaces["ub"].bytes // 4
    ):
        rows *= 2
    return rows


def bag_rows(load: Load) -> float:
    """Rows of a bag, on average; 1 where each row is picked by itself."""
    entry = next((e for e in load.maps if isinstance(e, Picked)), None)
    if entry is None or entry.bags is None:
        return 1.0
    assert entry.by is not None and entry.bags.offsets is not None
    return shape_of(entry.by)[0] / max(shape_of(entry.bags.offsets)[0], 1)


def _row_bytes(load: Load, target: Target, columns: int) -> int:
    """Bytes of UB for a row of a chunk: in two slots as it is loaded, converted, and summed up."""
    held, folded = (bytes_of(t) for t in (held_type_of(load.value), loaded_type(load, target)))
    wide = folded if held != folded else 0
    bags = bags_of(load.maps)
    counts = BLOCK * folded if bags is not None and bags.fold == "mean" else 0
    if bags is not None and bags.weights is not None:
        counts += BLOCK * (2 * held + wide)
    return -(-columns // BLOCK) * BLOCK * (2 * held + wide + folded) + counts


def chunk_bytes(load: Load, target: Target, columns: int) -> int:
    """Bytes of UB beside the tile that folding bags takes, where a tile has so many columns; 0 for any other load."""
    if bags_of(load.maps) is None:
        return 0
    return chunk_rows(load, target) * _row_bytes(load, target, columns)


def picked_of(regions: Regions, load: Load) -> tuple[int, ...]:
    """The kernel's dimensions along which what a load reads is looked up."""
    return picked_dims(regions.kernel_map(load.maps))


def picked_rows(regions: Regions, tiles: Sequence[int]) -> float:
    """How many rows indices pick for one tile of a kernel without a product."""
    return sum(
        prod(tiles[d] for d in picked_of(regions, load)) * bag_rows(load)
        for load in regions.loads
        if has_picked(load.maps)
    )


__all__ = [
    "IndexTable",
    "bag_rows",
    "chunk_bytes",
    "chunk_rows",
    "index_tables",
    "loaded_type",
    "lookup_of",
    "picked_of",
    "picked_rows",
]
