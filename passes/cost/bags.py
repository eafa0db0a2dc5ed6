"""What folding bags of rows takes on the Vector, by the instructions of `lowering/transfers/bags.py`."""

from math import ceil, log2

from ...dialects.element_types import ELEMENT_BYTES, name_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...dialects.tiling import bags_of
from ...runtime.machine.costs import vec_cost
from ..regions.gather import bag_rows, chunk_rows, loaded_type
from ..regions.loads import Load
from ..support.values import held_type_of
from .group_trace import ceil_to


@dataclass(frozen=True)
class BagCosts:
    """What one bag of average size takes: `chunks` that it is loaded in, and cycles of the Vector, `each` of them for a
    chunk."""

    chunks: int
    each: float
    cycles: float


def bag_costs(load: Load, target: Target, columns: int) -> BagCosts:
    """Of bags whose tiles have so many columns."""
    rows, most = bag_rows(load), chunk_rows(load, target)
    held, folded = name_of(held_type_of(load.value)), name_of(loaded_type(load, target))
    wide = ceil_to(columns, BLOCK)
    chunks = max(1, ceil(rows / most))

    def once(name: str, count: float) -> float:
        repeats = ceil(count * wide * ELEMENT_BYTES[folded] / target.vector.bytes_per_repeat)
        return vec_cost(target, name, folded, repeats, joined=True).busy + target.vector.inner_latency

    there = min(rows, most)
    each = once("vadd", there) + (once("vconv", there) if held != folded else 0.0)
    halves = sum(once("vadd", most >> i) for i in range(1, int(log2(most)) + 1)) or once("vcopy", 1)
    bags = bags_of(load.maps)
    if bags is not None and bags.fold == "mean":  # rows are counted in a block beside them
        each += once("vadds", there * BLOCK / wide)
        halves += once("vmaxs", BLOCK / wide) + once("vdiv", 1)
    if bags is not None and bags.weights is not None:  # repeated over blocks of lanes, converted, multiplied
        block = there * BLOCK / wide
        each += 2 * once("vconv", block) + once("vmul", there)
    return BagCosts(chunks, each, once("vdup", most) + chunks * each + halves)


__all__ = ["BagCosts", "bag_costs"]
