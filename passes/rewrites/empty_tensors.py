"""Tensors of no elements: what gives one computes nothing, and what takes one alone gives what is known.

    %0 = graph.relu %x : tensor<0x8xf16>             ->   %0 = graph.constant dense<> : tensor<0x8xf16>
    %1 = graph.matmul %a, %b : (4x0, 0x8)            ->   %1 = graph.constant dense<0.0> : tensor<4x8xf16>
    %2 = graph.concat %x, %y, %z : (0x8, 2x8, 3x8)   ->   %2 = graph.concat %y, %z : (2x8, 3x8)

So no kernel has an empty tensor.
"""

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects import graph
from ...dialects.dynamic import is_dynamic
from ...dialects.graph.rules import shape_of
from ...dialects.rewriting import replace_with
from .constant_folding import folded


def is_empty(value: SSAValue) -> bool:
    """Whether a tensor has a dimension of size 0."""
    return 0 in shape_of(value)


def _without_empty_parts(op: graph.ConcatOp) -> list[Operation] | SSAValue:
    parts = [part for part in op.parts if not is_empty(part)]
    return parts[0] if len(parts) == 1 else [graph.ConcatOp(parts, **op.attribute_values())]


def _nothing_put(op: graph.ScatterOp) -> SSAValue | None:
    return op.x if is_empty(op.indices) else None


PARTLY_EMPTY: dict[type[Operation], Callable[[Any], list[Operation] | SSAValue | None]] = {
    graph.ConcatOp: _without_empty_parts,
    graph.ScatterOp: _nothing_put,
}
"""For each op to which an empty operand adds nothing: the ops, or the value, that take its place."""


def settle_empty(op: graph.GraphOp) -> bool:
    """Replace an op that has an empty tensor where it needs no kernel; whether it was replaced."""
    tensors = (*op.operands, *op.results)
    if isinstance(op, graph.ConstantOp) or not any(map(is_empty, tensors)):
        return False
    if any(is_dynamic(value.type) for value in tensors):  # refused where tiles are chosen
        return False
    if all(map(is_empty, op.results)) or (op.operands and all(map(is_empty, op.operands))):
        constants = folded(op)
        replace_with(op, constants, [constant.result for constant in constants])
        return True
    rule = PARTLY_EMPTY.get(type(op))
    found = rule(op) if rule else None
    if found is None:
        return False
    replace_with(op, *(([], [found]) if isinstance(found, SSAValue) else (found, None)))
    return True
