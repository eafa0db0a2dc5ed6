"""The tiling function of a kernel whose first extent is dynamic: from the run-time size to what its launch needs.

    func.func @k.tiling(%n: index) -> (index, index, index)       extent, tiles along it, blocks to launch

The first two are arguments of the kernel, whose loops go by them. Every block that is launched has a tile.
"""

from math import prod

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FunctionType, IndexType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ...support.index_ops import index_constant

NUMBERS = ("extent", "tiles")
"""The arguments of a kernel that its tiling function gives."""


def tiling_name(kernel: str) -> str:
    """Name of the tiling function of a kernel."""
    return f"{kernel}.tiling"


def tiling_function(source: tile.KernelOp) -> FuncOp:
    """The function of one `tile.kernel`."""
    block = Block(arg_types=[IndexType()])
    builder = Builder(InsertPoint.at_end(block))
    size = block.args[0]
    size.name_hint = "n"

    def constant(value: int) -> SSAValue:
        return builder.insert(index_constant(value)).result

    extent = count = size
    if source.factor > 1:
        extent = builder.insert(arith.MuliOp(size, constant(source.factor))).result
        count = extent
    if source.tile_sizes[0] > 1:
        count = builder.insert(arith.CeilDivUIOp(extent, constant(source.tile_sizes[0]))).result
    inner = prod(source.grid[1 : len(source.grid) - source.schedule.serial])
    points = count if inner == 1 else builder.insert(arith.MuliOp(count, constant(inner))).result
    blocks = builder.insert(arith.MinUIOp(points, constant(source.schedule.cores))).result
    for value, hint in ((extent, "extent"), (count, "tiles"), (points, "points"), (blocks, "blocks")):
        value.name_hint = value.name_hint or hint
    results = [extent, count, blocks]
    builder.insert(ReturnOp(*results))
    kind = FunctionType.from_lists([IndexType()], [IndexType()] * len(results))
    function = FuncOp(tiling_name(source.kernel_name.data), kind, Region(block))
    function.location = source.location
    for op in block.ops:
        op.location = source.location
    return function
