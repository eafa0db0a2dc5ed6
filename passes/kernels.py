"""From a list of graph ops to a kernel in their place."""

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ..dialects import tile
from ..dialects.graph.arguments import weight_values
from ..dialects.target import Target
from .cube_search import search_cube
from .kernel_builder import KernelBuilder, packs_rhs
from .regions import Regions, group_regions
from .tile_search import search_vector


def build_kernel(name: str, ops: Sequence[Operation], target: Target) -> tile.KernelOp:
    """Replace `ops` (program order; only the last one's result is used outside) by one kernel."""
    regions = group_regions(ops)
    anchor = ops[-1]
    function = anchor.parent_op()
    assert isinstance(function, FuncOp)
    packable = frozenset(weight_values(function))
    builder = KernelBuilder(name, regions, packable, anchor)
    if regions.product is None:
        kernel = builder.vector(search_vector(regions, target))
    else:
        kernel = builder.cube(search_cube(regions, packs_rhs(regions, packable), target))
    kernel.outputs[0].name_hint = anchor.results[0].name_hint
    Rewriter.replace_op(anchor, [], [kernel.outputs[0]])
    for op in reversed(ops[:-1]):
        Rewriter.erase_op(op)
    return kernel


__all__ = ["Regions", "build_kernel"]
