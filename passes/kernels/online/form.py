"""Groups whose product takes a computed left operand part by part along K, such as attention (`regions.online`)."""

from collections.abc import Sequence
from math import inf, prod

from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import LayoutAttr
from ...cost.rule_trace import trace_group
from ...regions.recompute import computed_again
from ...regions.regions import Regions
from ...regions.tiling import OnlineTiling
from ...support.values import shape_of
from ..common.blocked_tensors import unread, unwritten
from ..common.form import Group, Work
from ..common.stated import FREE, Stated
from ..common.stated_tilings import ALL, timed_matching
from ..online import search
from .build import OnlineBuilder


class OnlineForm:
    def matches(self, regions: Regions) -> bool:
        stream = regions.stream
        return stream is not None and stream.online is not regions.product

    def tilings(self, group: Group, count: int, stated: Stated = FREE) -> Sequence[OnlineTiling]:
        return [tiling for _, tiling in self._timed(group, count, inf, stated)]

    def fastest(self, group: Group, most: float = inf, stated: Stated = FREE) -> tuple[float, OnlineTiling]:
        (found,) = self._timed(group, 1, most, stated)
        return found

    def cycles(self, group: Group, tiling: OnlineTiling) -> float:
        return search.online_time(group.regions, tiling, group.target)

    def at_all_sizes(self, group: Group, tiling: OnlineTiling) -> OnlineTiling:
        return search.at_all_sizes(group.regions, tiling, group.target)

    def work(self, group: Group, tiling: OnlineTiling) -> Work:
        regions = group.regions
        assert regions.product is not None and regions.stream is not None
        outer, *deep = regions.extents[regions.rank :]
        flops = 2 * prod(shape_of(regions.product.results[0])) * outer
        flops += sum(2 * prod(shape_of(p.results[0])) * deep[0] for p in regions.stream.products)
        return Work(flops, prod(tiling.tiles), computed_again(regions, tiling.tiles))

    def bytes_per_element(self, group: Group) -> int:
        return trace_group(group.regions, group.target).bytes_per_element(group.regions)

    def layout_of_result(self, regions: Regions) -> LayoutAttr | None:
        return None

    def cannot_write(self, regions: Regions, layout: LayoutAttr | None) -> str:
        return unwritten(layout, regions, whole_rows=True)

    def cannot_read(self, group: Group, value: SSAValue, layout: LayoutAttr) -> str:
        return unread(group.regions, value, layout, lambda load, seen: "", whole_rows=True)

    def other_orders(self, tiling: OnlineTiling) -> Sequence[OnlineTiling]:
        return ()

    def build(self, name: str, group: Group, anchor: Operation, tiling: OnlineTiling) -> tile.KernelOp:
        return OnlineBuilder(name, group.regions, group.packable, anchor, group.target).stream(tiling)

    def _timed(
        self, group: Group, count: int, most: float, stated: Stated
    ) -> Sequence[tuple[float, OnlineTiling]]:
        if not stated:
            return search.best_online_tilings(group.regions, group.target, count, most)
        return timed_matching(
            group, search.best_online_tilings(group.regions, group.target, ALL), count, stated
        )


__all__ = ["OnlineForm"]
