"""Marks a graph for the kernels that a library of operators has: each op its own, a product with its bias as one.

    %1 = graph.conv2d %x, %w : ..        %1 = graph.conv2d %x, %w {graph.nofuse = "library.0"} : ..
    %2 = graph.bias_add %1, %b : ..  =>  %2 = graph.bias_add %1, %b {graph.nofuse = "library.0"} : ..
    %3 = graph.attention %2, ..          %3 = graph.attention %2, .. {graph.nofuse} : ..

With `tile-fuse` after it this is the baseline of a well-kept library: the parts of a composite op (attention, rope,
normalisation, top-k) may join each other, a product takes its bias, the transposes of its operands and the scale of
its sums of whole numbers, and nothing else is fused. Marks that the graph states itself are dropped: a library knows
none.
"""

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects import graph
from ..dialects.graph.fusion_marks import FUSE, NOFUSE, drop_kernel_marks
from ..dialects.records import dataclass
from .support.options import Pass
from .support.values import rule_of, shape_of


def library_groups(ops: Sequence[Operation]) -> list[list[Operation]]:
    """Products, each with the transposes that only it reads, the bias that is added to it alone and the scale of sums
    of whole numbers, in program order."""
    groups: list[list[Operation]] = []
    for op in ops:
        if not isinstance(op, graph.GraphOp) or rule_of(op).engine != "cube":
            continue
        owners = dict.fromkeys(value.owner for value in op.operands)
        group: list[Operation] = [one for one in owners if isinstance(one, graph.TransposeOp)]
        group = [*(one for one in group if _only_user(one) is op), op]
        user = _only_user(op)
        if user is not None and _adds_bias(user, op):
            group.append(user)
            user = _only_user(user)
        if isinstance(user, graph.DequantizeOp):
            group.append(user)
        groups.append(group)
    return groups


def _adds_bias(op: Operation, product: Operation) -> bool:
    """Whether an op adds a vector to a product, as a library's product does itself."""
    if not isinstance(op, graph.BiasAddOp | graph.AddOp):
        return False
    others = [value for value in op.operands if value.owner is not product]
    return len(others) == 1 and sum(size != 1 for size in shape_of(others[0])) <= 1


def _only_user(op: Operation) -> Operation | None:
    """The only op that uses an op's results; None where there are none or several."""
    users = {use.operation for result in op.results for use in result.uses}
    return next(iter(users)) if len(users) == 1 else None


@dataclass(frozen=True)
class GraphMarkLibrary(Pass):
    """Mark ops so that `tile-fuse` builds one kernel for each operator of a library."""

    name = "graph-mark-library"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if not isinstance(function, FuncOp):
                continue
            for block in function.body.blocks:
                ops = [one for one in block.ops if isinstance(one, graph.GraphOp)]
                for one in ops:
                    one.attributes.pop(FUSE, None)
                    drop_kernel_marks(one)
                    one.attributes[NOFUSE] = UnitAttr()
                for i, group in enumerate(library_groups(ops)):
                    for one in group if len(group) > 1 else ():
                        one.attributes[NOFUSE] = StringAttr(f"library.{i}")
