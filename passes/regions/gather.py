"""The indices by which a group's kernel picks rows: tensors of i32 that the scalar unit reads from GM.

%y = graph.gather %x, %i    =>    tile.kernel (%x, %i) { %t = tile.load %x … by %i : … }
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from ...dialects.tiling import Picked, has_picked, picked_dims
from .loads import Load
from .regions import Regions


@dataclass(frozen=True)
class IndexTable:
    """A tensor of indices as a kernel sees it: one dimension for each of the kernel's that it follows."""

    value: SSAValue
    dims: tuple[int, ...]
    shape: tuple[int, ...]
    entry: Picked
    """In the dimensions of the group's space."""

    def picks(self, load: Load) -> bool:
        """Whether it is this table that picks what `load` reads."""
        return self.entry in load.maps


def index_tables(regions: Regions) -> list[IndexTable]:
    """The tables of a group, each once."""
    found: dict[Picked, IndexTable] = {}
    for load in regions.loads:
        for entry in load.maps:
            if isinstance(entry, Picked) and entry.by is not None:
                (seen,) = (e for e in regions.kernel_map(load.maps) if isinstance(e, Picked))
                shape = tuple(regions.tile_extents[d] for d in seen.dims)
                found[entry] = IndexTable(entry.by, seen.dims, shape, entry)
    return list(found.values())


def picked_rows(regions: Regions, tiles: Sequence[int]) -> int:
    """How many rows indices pick for one tile of a kernel without a product."""
    picked = (picked_dims(regions.kernel_map(load.maps)) for load in regions.loads)
    return sum(
        prod(tiles[d] for d in dims)
        for load, dims in zip(regions.loads, picked, strict=True)
        if has_picked(load.maps)
    )


__all__ = ["IndexTable", "index_tables", "picked_rows"]
