"""Groups of two convolutions, the second of which reads what the first one gives out of L1 (`regions.back_to_back`)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, prod

from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import LayoutAttr
from ...cost.rule_trace import trace_group
from ...regions.recompute import computed_again, operations
from ...regions.regions import Regions
from ...regions.tiling import BackToBackTiling
from ..back_to_back import tiling as search
from ..common.form import Group, Work
from ..common.stated import FREE, Stated
from ..common.stated_tilings import ALL, timed_matching
from ..elementwise.legality import NoTileError
from ..product.form import ProductForm
from .build import BackToBackBuilder, halves


class BackToBackForm:
    def matches(self, regions: Regions) -> bool:
        return regions.back_to_back is not None

    def tilings(self, group: Group, count: int, stated: Stated = FREE) -> Sequence[BackToBackTiling]:
        return [tiling for _, tiling in self._timed(group, count, stated)]

    def fastest(
        self, group: Group, most: float = inf, stated: Stated = FREE
    ) -> tuple[float, BackToBackTiling]:
        (found,) = self._timed(group, 1, stated)
        return found

    def work(self, group: Group, tiling: BackToBackTiling) -> Work:
        chain, product = group.regions.back_to_back, group.regions.product
        assert chain is not None and product is not None
        live = prod(tiling.tiles) // tiling.tiles[1] * tiling.second.chunk
        flops = operations(chain.first) + operations(product)
        return Work(flops, live, computed_again(group.regions, tiling.tiles))

    def bytes_per_element(self, group: Group) -> int:
        return trace_group(group.regions, group.target).bytes_per_element(group.regions)

    def layout_of_result(self, regions: Regions) -> LayoutAttr | None:
        return ProductForm().layout_of_result(halves(regions)[1])

    def cannot_write(self, regions: Regions, layout: LayoutAttr | None) -> str:
        return ProductForm().cannot_write(regions, layout)

    def cannot_read(self, group: Group, value: SSAValue, layout: LayoutAttr) -> str:
        read = (half for half in halves(group.regions) if any(load.value is value for load in half.loads))
        reasons = (ProductForm().cannot_read(replace(group, regions=half), value, layout) for half in read)
        return next((reason for reason in reasons if reason), "")

    def other_orders(self, tiling: BackToBackTiling) -> Sequence[BackToBackTiling]:
        return ()

    def build(self, name: str, group: Group, anchor: Operation, tiling: BackToBackTiling) -> tile.KernelOp:
        return BackToBackBuilder(name, group.regions, group.packable, anchor, group.target).chain(tiling)

    def _timed(self, group: Group, count: int, stated: Stated) -> Sequence[tuple[float, BackToBackTiling]]:
        packed = search.packed_filters(group.regions, group.packable)
        if not stated:
            return search.best_back_to_back_tilings(group.regions, packed, group.target, count)
        context = group.regions, packed, group.target, ALL
        with suppress(NoTileError):
            return timed_matching(
                group, search.best_back_to_back_tilings(*context, stated.sizes("tiles")), count, stated
            )
        return timed_matching(group, search.best_back_to_back_tilings(*context), count, stated)


__all__ = ["BackToBackForm"]
