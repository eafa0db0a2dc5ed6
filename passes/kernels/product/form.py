"""Groups around one product on the Cube, or several of one left operand: a prologue in front, an epilogue behind."""

from collections.abc import Sequence
from math import inf, prod

from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import LayoutAttr
from ....dialects.tiling import Along
from ...regions.loads import Load
from ...regions.recompute import computed_again
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, product_roles
from ...support.values import rule_of, shape_of
from ..common.blocked_tensors import (
    IMAGE,
    another_order,
    lies_as,
    rows_inside,
    tensor_layout,
    unread,
    unwritten,
)
from ..common.form import Group, Work
from ..common.pack_weights import packs_rhs
from ..common.stated import FREE, Stated
from ..product import search
from .build import ProductBuilder
from .contract import load_of
from .problem import problem_of, takes_vector
from .stated import other_orders, stated_product_tilings
from .tiling import at_all_sizes


class ProductForm:
    def matches(self, regions: Regions) -> bool:
        return regions.product is not None and regions.stream is None and regions.back_to_back is None

    def tilings(self, group: Group, count: int, stated: Stated = FREE) -> Sequence[ProductTiling]:
        if stated:
            return stated_product_tilings(group, _packed(group), count, stated)
        return search.best_product_tilings(group.regions, _packed(group), group.target, count)

    def fastest(self, group: Group, most: float = inf, stated: Stated = FREE) -> tuple[float, ProductTiling]:
        if stated:
            (tiling,) = self.tilings(group, 1, stated)
        else:
            (tiling,) = search.best_product_tilings(group.regions, _packed(group), group.target, 1, most)
        return self.cycles(group, tiling), tiling

    def cycles(self, group: Group, tiling: ProductTiling) -> float:
        return search.product_time(group.regions, tiling, _packed(group), group.target)

    def at_all_sizes(self, group: Group, tiling: ProductTiling) -> ProductTiling:
        return at_all_sizes(group.regions, tiling, _packed(group), group.target)

    def work(self, group: Group, tiling: ProductTiling) -> Work:
        regions = group.regions
        assert regions.product is not None
        deep = len(regions.products) * prod(regions.depths)
        problem = problem_of(regions, _packed(group), group.target, tiling.drain)
        dim = product_roles(regions).chunk_dim
        return Work(
            2 * prod(shape_of(regions.product.results[0])) * deep,
            prod(tiling.tiles) // tiling.tiles[dim] * tiling.chunk,
            computed_again(
                regions, tiling.tiles, tiling.circular, regions.prologue if tiling.resident else ()
            ),
            steps=len(problem.trace.steps),
            per_element=problem.per_element if takes_vector(problem) else 0,
            drained=() if problem.drain is None else problem.drain.ops,
            goes_round=tiling.circular is not None,
        )

    def bytes_per_element(self, group: Group) -> int:
        problem = problem_of(group.regions, _packed(group), group.target)
        return problem.per_element if takes_vector(problem) else 0

    def layout_of_result(self, regions: Regions) -> LayoutAttr | None:
        roles = product_roles(regions)
        return tensor_layout(regions, LayoutAttr.get(roles.n, roles.order) if len(roles.order) > 1 else None)

    def cannot_write(self, regions: Regions, layout: LayoutAttr | None) -> str:
        product = regions.product
        assert product is not None
        grouped = rule_of(product).contraction(product).groups > 1
        return unwritten(layout, regions) or (
            f"{product.name}, which gives it, is grouped" if grouped else ""
        )

    def cannot_read(self, group: Group, value: SSAValue, layout: LayoutAttr) -> str:
        return unread(group.regions, value, layout, lambda load, seen: _reads(group, load, seen))

    def other_orders(self, tiling: ProductTiling) -> Sequence[ProductTiling]:
        return other_orders(tiling)

    def build(self, name: str, group: Group, anchor: Operation, tiling: ProductTiling) -> tile.KernelOp:
        return ProductBuilder(name, group.regions, group.packable, anchor, group.target).cube(tiling)


def _reads(group: Group, load: Load, seen: LayoutAttr) -> str:
    """Why a load is not one of a tensor that the kernel sees in blocks."""
    regions = group.regions
    product, another = regions.product, another_order(regions)
    assert product is not None
    contraction = rule_of(product).contraction(product)
    image = contraction.window is not None
    if contraction.groups > 1:
        return f"{product.name}, which reads it, is grouped"
    roles = product_roles(regions)
    if load in regions.loads_of(regions.prologue):
        depth = len(regions.merged)
        return "" if image and lies_as(load, seen, regions, regions.step_order, depth) else another
    if not regions.prologue and load == load_of(regions, product, contraction.lhs):
        if contraction.transpose_lhs or seen != (IMAGE if image else rows_inside(len(seen.dims))):
            return another
        if image and group.target.split and not _packed(group):
            return f"the filters of {product.name} are no weights"
        return ""
    along = [e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.is_identity]
    follows = along == list(range(len(regions.merged)))
    as_result = follows and regions.kernel_shape(load) == regions.kernel_extents
    return "" if as_result and seen == LayoutAttr.get(roles.n, roles.order) else another


def _packed(group: Group) -> bool:
    return packs_rhs(group.regions, group.packable)


__all__ = ["ProductForm"]
