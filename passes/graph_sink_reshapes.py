"""Reshapes of results sink below the ops on single elements behind them, which then stand next to what gives them.

    %0 = reduce_mean(%x) : [1, 1000, 1, 1]             %0 = reduce_mean(%x) : [1, 1000, 1, 1]
    %1 = reshape(%0) : [1, 1000]                =>     %1 = cast(%0) {to = f32}
    %y = cast(%1) {to = f32}                           %y = reshape(%1) : [1, 1000]
    return %y                                          return %y

A reshape is no kernel, but ends one. Only where nothing but such ops and reshapes follow up to the end of the graph:
elsewhere an op may be worth more in the kernel of what reads it.
"""

from collections.abc import Sequence
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import graph
from ..dialects.graph.base import GraphOp
from ..dialects.graph.elementwise import UnaryOp
from ..dialects.graph.fusion_marks import keep_marks
from ..dialects.graph.rules import Pointwise
from ..dialects.graph.structure import reshaped
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .support.options import Pass
from .support.values import rule_of


def _on_elements(op: Operation) -> TypeGuard[UnaryOp | graph.CastOp]:
    """Whether an op computes each element from one element of one tensor."""
    return isinstance(op, UnaryOp | graph.CastOp) and isinstance(rule_of(op), Pointwise)


def _ends_the_graph(value: SSAValue) -> bool:
    """Whether a value reaches the results of the graph alone, by ops on single elements and reshapes."""
    users = [use.operation for use in value.uses]
    return all(
        isinstance(user, ReturnOp)
        or ((isinstance(user, graph.ReshapeOp) or _on_elements(user)) and _ends_the_graph(user.results[0]))
        for user in users
    )


def _reshapes_before(op: Operation) -> list[graph.ReshapeOp]:
    """The reshapes that an op's first operand comes through, the last one first, as far as nothing else reads them."""
    found: list[graph.ReshapeOp] = []
    value = op.operands[0] if op.operands else None
    while value is not None and isinstance(value.owner, graph.ReshapeOp) and value.has_one_use():
        found.append(value.owner)
        value = value.owner.x
    return found


def _sunk(op: Operation, views: Sequence[graph.ReshapeOp]) -> list[Operation] | None:
    """An op on what reshapes give as an op on what they take, and a reshape behind it."""
    if not _on_elements(op) or not views:
        return None
    source = views[-1].x
    maker = source.owner
    if not isinstance(maker, GraphOp) or rule_of(maker).engine == "view" or not source.has_one_use():
        return None
    if not _ends_the_graph(op.result):
        return None
    first = type(op)(source, **op.attribute_values())
    keep_marks(op, first)
    return [first, reshaped(first.result, op.result.type.get_shape())]


def _sink(block: Block) -> None:
    for op in list(block.ops):
        views = _reshapes_before(op)
        new_ops = _sunk(op, views)
        if new_ops is not None:
            replace_with(op, new_ops)
            for view in views:
                block.erase_op(view)


@dataclass(frozen=True)
class GraphSinkReshapes(Pass):
    """Put ops on single elements of a result in front of the reshapes that it comes through."""

    name = "graph-sink-reshapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    _sink(block)


__all__ = ["GraphSinkReshapes"]
