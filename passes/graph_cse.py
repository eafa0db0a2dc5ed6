"""Common subexpressions: ops that compute the same from the same operands are computed once.

    %1 = graph.exp %x : ..                       %1 = graph.exp %x : ..
    %2 = graph.exp %x : ..                  =>
    %3 = graph.add %1, %2 : ..                   %3 = graph.add %1, %1 : ..

Ops are the same if their names, operands, properties, attributes and result types are: an op that states another
kernel (`fuse`, `nofuse`) stays. The first one keeps its place, its location and its results' names.
"""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.transforms.common_subexpression_elimination import KnownOps

from ..dialects import graph
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .support.options import Pass


def share_block(block: Block) -> None:
    """Replace each graph op of a block by an equal one before it, if there is one."""
    known = KnownOps()
    for op in list(block.ops):
        if not isinstance(op, graph.GraphOp):
            continue
        first = known.get(op)
        if first is None:
            known[op] = op
        else:
            replace_with(op, [], first.results)


@dataclass(frozen=True)
class GraphCse(Pass):
    """Compute equal ops once."""

    name = "graph-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    share_block(block)
