"""Brings a graph into the form that the later passes expect, without changing any result.

An op that computes nothing would cost a kernel and two trips through global memory: it vanishes here. A
convolution's bias becomes a bias_add, so that every later pass meets one form of it (the Cube's product
has no bias of its own). Last, what nobody uses is removed.

    %1 = graph.conv2d %x, %w, %b : ..                  %1 = graph.conv2d %x, %w : ..
    %2 = graph.dropout %1 : ..                     =>  %2 = graph.bias_add %1, %b : ..
    %3 = graph.mul %2, %one : ..

Rules: dropout; reshape, cast and clip that change nothing; x * 1, x / 1, x + 0, x - 0 (exact up to the sign
of a zero); maximum with -inf, minimum with +inf; -(-x); relu of relu; reshape of reshape; a cast back from
a wider type. An f16 bias_add that is not fused again rounds once more than the convolution with bias.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.graph.elements import splat_value
from ..dialects.graph.elementwise import UnaryOp
from ..dialects.graph.fusion_marks import keep_marks
from ..dialects.rewriting import replace_with

NEUTRAL: dict[type[Operation], tuple[float, bool]] = {
    graph.AddOp: (0.0, True),
    graph.SubOp: (0.0, False),
    graph.MulOp: (1.0, True),
    graph.DivOp: (1.0, False),
    graph.MaximumOp: (-math.inf, True),
    graph.MinimumOp: (math.inf, True),
}
"""The number that leaves the other operand as it is, and whether it may also stand first."""


def constant_number(value: SSAValue) -> float | None:
    """The number that fills a constant tensor, or None."""
    return splat_value(value.owner.value) if isinstance(value.owner, graph.ConstantOp) else None


def _without_neutral(op: Operation) -> SSAValue | None:
    neutral, commutes = NEUTRAL[type(op)]
    a, b = op.operands
    if constant_number(b) == neutral:
        return a
    return b if commutes and constant_number(a) == neutral else None


def _operand(op: Operation) -> SSAValue:
    return op.operands[0]


def _unlimited(op: graph.ClipOp) -> SSAValue | None:
    values = op.attribute_values()
    idle = values["min"] in (None, -math.inf) and values["max"] in (None, math.inf)
    return op.x if idle else None


def _neg_of_neg(op: UnaryOp) -> SSAValue | None:
    return op.x.owner.x if isinstance(op.x.owner, graph.NegOp) else None


def _relu_of_relu(op: UnaryOp) -> SSAValue | None:
    return op.x if isinstance(op.x.owner, graph.ReluOp) else None


def _cast_back(op: graph.CastOp) -> SSAValue | None:
    """`x`, if `op` undoes a cast of `x` to a wider float type."""
    inner = op.x.owner
    if not isinstance(inner, graph.CastOp):
        return op.x
    narrow, wide = (cast(TensorType[Attribute], v.type).element_type for v in (inner.x, op.x))
    if not isinstance(narrow, AnyFloat) or not isinstance(wide, AnyFloat) or wide.bitwidth <= narrow.bitwidth:
        return op.x
    return inner.x if inner.x.type == op.result.type else op.x


def _same_order(op: graph.TransposeOp) -> SSAValue | None:
    """`x`, or what the transpose before it turned, if its dimensions come in their order."""
    perm, inner = op.attribute_values()["perm"], op.x.owner
    if list(perm) == sorted(perm):
        return op.x
    if isinstance(inner, graph.TransposeOp):
        before = inner.attribute_values()["perm"]
        return inner.x if [before[d] for d in perm] == sorted(perm) else None
    return None


def _one_part(op: graph.ConcatOp) -> SSAValue | None:
    return op.parts[0] if len(op.parts) == 1 else None


IDENTITIES: dict[type[Operation], Callable[[Any], SSAValue | None]] = {
    **dict.fromkeys(NEUTRAL, _without_neutral),
    graph.DropoutOp: _operand,
    graph.ReshapeOp: _operand,
    graph.BroadcastOp: _operand,
    graph.ConcatOp: _one_part,
    graph.PadOp: _operand,
    graph.SliceOp: _operand,
    graph.TransposeOp: _same_order,
    graph.CastOp: _cast_back,
    graph.ClipOp: _unlimited,
    graph.NegOp: _neg_of_neg,
    graph.ReluOp: _relu_of_relu,
}
"""For each op, the value that it equals provided that the types agree, or None."""


def _split_bias(op: graph.Conv2dOp) -> list[Operation] | None:
    if op.bias is None:
        return None
    conv = graph.Conv2dOp(op.x, op.w, **op.properties)
    bias = graph.BiasAddOp(conv, op.bias)
    keep_marks(op, conv, bias)
    return [conv, bias]


def _merge_reshapes(op: graph.ReshapeOp) -> list[Operation] | None:
    inner = op.x.owner
    if not isinstance(inner, graph.ReshapeOp) or min(op.result.type.get_shape(), default=0) < 0:
        return None
    return [graph.ReshapeOp(inner.x, shape=op.result.type.get_shape())]


def _merge_transposes(op: graph.TransposeOp) -> list[Operation] | None:
    """One transpose for two, and none where only dimensions of one element move."""
    perm = op.attribute_values()["perm"]
    shape = cast(TensorType[Attribute], op.x.type).get_shape()
    inner = op.x.owner
    if isinstance(inner, graph.TransposeOp):
        before = inner.attribute_values()["perm"]
        return [graph.TransposeOp(inner.x, perm=[before[d] for d in perm])]
    moved = [d for d in perm if shape[d] != 1]
    if moved == sorted(moved) and min(shape, default=1) > 0:
        return [graph.ReshapeOp(op.x, shape=op.result.type.get_shape())]
    return None


REWRITES: dict[type[Operation], Callable[[Any], list[Operation] | None]] = {
    graph.Conv2dOp: _split_bias,
    graph.ReshapeOp: _merge_reshapes,
    graph.TransposeOp: _merge_transposes,
}
"""For each op, the ops that take its place, or None."""


def canonicalize_block(block: Block) -> None:
    """One sweep forward applies the rules, as operands are final when an op is met; one back removes what
    is unused."""
    for op in list(block.ops):
        identity = IDENTITIES.get(type(op))
        value = identity(op) if identity else None
        if value is not None and value.type == op.results[0].type:
            replace_with(op, [], [value])
            continue
        rewrite = REWRITES.get(type(op))
        new_ops = rewrite(op) if rewrite else None
        if new_ops is not None:
            replace_with(op, new_ops)
    for op in reversed(list(block.ops)):
        if isinstance(op, graph.GraphOp) and not any(result.first_use for result in op.results):
            block.erase_op(op)


@dataclass(frozen=True)
class GraphCanonicalize(ModulePass):
    """Drop ops that compute nothing and split biases off convolutions."""

    name = "graph-canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    canonicalize_block(block)
