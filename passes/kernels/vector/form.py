"""Groups without a product, on the Vector: tiles are contiguous, have rows in their lanes, have windows, or hold parts
of rows that are read several times."""

from collections.abc import Sequence
from math import inf, prod

from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import LayoutAttr
from ...cost.rule_trace import trace_group
from ...regions.lane_dim import lane_dim
from ...regions.loads import Load
from ...regions.recompute import computed_again
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ..common.blocked_tensors import another_order, lies_as, tensor_layout, unread, unwritten
from ..common.builder import KernelBuilder
from ..common.form import Group, Work
from ..common.stated import FREE, Stated
from ..multipass_rows.build import PartBuilder
from ..multipass_rows.tiling import read_again
from . import tiling as vector_tiling
from .stated import stated_vector_tilings


class VectorForm:
    def matches(self, regions: Regions) -> bool:
        return regions.product is None

    def tilings(self, group: Group, count: int, stated: Stated = FREE) -> Sequence[VectorTiling]:
        if stated:
            return stated_vector_tilings(group, count, stated)
        return vector_tiling.best_vector_tilings(group.regions, group.target, count)

    def fastest(self, group: Group, most: float = inf, stated: Stated = FREE) -> tuple[float, VectorTiling]:
        (tiling,) = self.tilings(group, 1, stated)
        return self.cycles(group, tiling), tiling

    def cycles(self, group: Group, tiling: VectorTiling) -> float:
        return vector_tiling.vector_time(group.regions, tiling, group.target)

    def at_all_sizes(self, group: Group, tiling: VectorTiling) -> VectorTiling:
        return vector_tiling.at_all_sizes(group.regions, tiling, group.target)

    def work(self, group: Group, tiling: VectorTiling) -> Work:
        again = read_again(group.regions, tiling) if tiling.part else 0
        live, recomputed = prod(tiling.part or tiling.tiles), computed_again(group.regions, tiling.tiles)
        each = None
        if tiling.apart:
            trace = trace_group(group.regions, group.target)
            each = trace.bytes_per_element(group.regions, apart=True)
        return Work(0, live, recomputed, again, per_element=each, in_parts=bool(tiling.part))

    def bytes_per_element(self, group: Group) -> int:
        return trace_group(group.regions, group.target).bytes_per_element(group.regions)

    def layout_of_result(self, regions: Regions) -> LayoutAttr | None:
        lanes = lane_dim(regions)
        return tensor_layout(
            regions, LayoutAttr.get(lanes, range(len(regions.merged))) if lanes >= 0 else None
        )

    def cannot_write(self, regions: Regions, layout: LayoutAttr | None) -> str:
        return unwritten(layout, regions)

    def cannot_read(self, group: Group, value: SSAValue, layout: LayoutAttr) -> str:
        regions = group.regions

        def reads(load: Load, seen: LayoutAttr) -> str:
            order = range(len(regions.merged))
            return "" if lies_as(load, seen, regions, order, lane_dim(regions)) else another_order(regions)

        return unread(regions, value, layout, reads)

    def other_orders(self, tiling: VectorTiling) -> Sequence[VectorTiling]:
        return ()

    def build(self, name: str, group: Group, anchor: Operation, tiling: VectorTiling) -> tile.KernelOp:
        context = name, group.regions, group.packable, anchor, group.target
        return PartBuilder(*context).parts(tiling) if tiling.part else KernelBuilder(*context).vector(tiling)


__all__ = ["VectorForm"]
