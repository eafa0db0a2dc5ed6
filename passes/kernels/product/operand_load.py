"""The tensors that a product's left operand is computed from."""

from collections.abc import Set

from ....dialects.element_types import bytes_of
from ....dialects.records import dataclass
from ....dialects.tiling import Along, OperandMap, picked_dims
from ...regions.gather import bag_rows
from ...regions.loads import Load
from ...regions.regions import Regions
from ...support.values import held_type_of


@dataclass(frozen=True, eq=False)
class OperandLoad:
    """A tensor that the left operand is computed from, as the kernel sees it; bytes of an element in UB (`item`);
    `full`: whether it follows the rows of the operand and K. `picked`: dimensions along which indices pick its rows,
    `rows` for each place along them: of bags as many as one has on average."""

    load: Load
    maps: OperandMap
    shape: tuple[int, ...]
    item: int
    full: bool
    picked: tuple[int, ...] = ()
    rows: float = 1.0
    deep: tuple[tuple[Along, int], ...] = ()
    """How its dimensions follow K, with their extents."""


def operand_loads(regions: Regions, dims: Set[int]) -> tuple[OperandLoad, ...]:
    """What the left operand is computed from; `dims`: those of its tiles."""
    found: list[OperandLoad] = []
    k = len(regions.merged)
    for load in regions.loads_of(regions.prologue):
        maps, item = regions.kernel_map(load.maps), bytes_of(held_type_of(load.value))
        picked = picked_dims(maps)
        follows = {e.dim for e in maps if isinstance(e, Along) and e.stride > 0} | {*picked}
        full = follows >= dims
        shape = regions.kernel_shape(load)
        deep = tuple(
            (e, n)
            for e, n in zip(maps, shape, strict=True)
            if isinstance(e, Along) and e.dim == k and k in dims
        )
        found.append(OperandLoad(load, maps, shape, item, full, picked, bag_rows(load), deep))
    return tuple(found)


__all__ = ["OperandLoad", "operand_loads"]
