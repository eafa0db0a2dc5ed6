"""Every legal tiling of a product, one by one: what the search is held against."""

from collections.abc import Iterator

from ascend_opt.passes.kernels.product.problem import Problem, Tile
from ascend_opt.passes.kernels.product.tiles import tiles_of
from ascend_opt.passes.kernels.product.tiling import k_steps_of
from ascend_opt.passes.regions.tiling import ProductTiling


def product_tilings(p: Problem) -> Iterator[tuple[ProductTiling, Tile]]:
    """The tilings, each with its tile."""
    for tile in tiles_of(p):
        for k_step in k_steps_of(p, tile):
            for tiling in k_step.tilings():
                yield tiling, tile
