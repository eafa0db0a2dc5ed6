"""Groups around one product on the Cube, or several of one left operand: a prologue in front, an epilogue behind."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation

from ....dialects import tile
from ...regions.recompute import computed_again
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, product_roles
from ...support.values import shape_of
from ..common.form import Group, Work
from ..common.pack_weights import packs_rhs
from ..product import tiling as search
from .build import ProductBuilder
from .problem import problem_of, takes_vector


class ProductForm:
    name = "product"

    def matches(self, regions: Regions) -> bool:
        return regions.product is not None and regions.stream is None and regions.back_to_back is None

    def tilings(self, group: Group, count: int) -> Sequence[ProductTiling]:
        return search.best_product_tilings(group.regions, _packed(group), group.target, count)

    def fastest(self, group: Group) -> tuple[float, ProductTiling]:
        (tiling,) = self.tilings(group, 1)
        return self.cycles(group, tiling), tiling

    def cycles(self, group: Group, tiling: ProductTiling) -> float:
        return search.product_time(group.regions, tiling, _packed(group), group.target)

    def at_all_sizes(self, group: Group, tiling: ProductTiling) -> ProductTiling:
        return search.at_all_sizes(group.regions, tiling, _packed(group), group.target)

    def work(self, group: Group, tiling: ProductTiling) -> Work:
        regions = group.regions
        assert regions.product is not None
        deep = len(regions.products) * prod(regions.extents[regions.rank :])
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
        )

    def build(self, name: str, group: Group, anchor: Operation, tiling: ProductTiling) -> tile.KernelOp:
        return ProductBuilder(name, group.regions, group.packable, anchor, group.target).cube(tiling)


def _packed(group: Group) -> bool:
    return packs_rhs(group.regions, group.packable)


__all__ = ["ProductForm"]
