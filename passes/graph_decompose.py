"""Takes ops apart that no kernel computes as they are: each becomes the ops that it is made of on the chip.

    %y = graph.tile %x {repeats = [2, 1]}      ->      %0 = graph.reshape %x
                                                       %1 = graph.broadcast %0
                                                       %y = graph.reshape %1

    %y = graph.conv2d %x, %w, %b               ->      %0 = graph.conv2d %x, %w
                                                       %y = graph.bias_add %0, %b

A slice of a slice becomes one slice, and what gives a tensor of no elements a constant. All ops that are left can be in
a kernel, or name elements anew.
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects import tile
from ..dialects.records import dataclass
from .rewrites.prepare_graph import prepare_graph
from .support.dynamic_size import check_independent, fixed_sizes, tiled_alike
from .support.module import chip_of, functions_of, kernel_ops
from .support.options import Pass


@dataclass(frozen=True)
class GraphDecompose(Pass):
    """Put the ops that composite ops are made of in their place. `LocatedError` at one of them whose results depend on
    all of a dynamic dimension."""

    name = "graph-decompose"
    keeps: ClassVar = (tile.KernelOp, tile.GroupOp)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for functions, sizes in tiled_alike(functions_of(op), ()):
            with fixed_sizes(functions, sizes):
                for function in functions:
                    prepare_graph(function, target)
                    for one in kernel_ops(function):
                        check_independent(one)
