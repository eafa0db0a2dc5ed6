"""Products take a right operand that is repeated for groups of matrices as it is: the group is a dimension of its own.

    %1 = broadcast(%k) : [2, 1, 32, 64] -> [2, 4, 32, 64]          %1 = reshape(%q) : [2, 4, 64, 32]
    %2 = reshape(%1) : [8, 32, 64]                                 %2 = matmul(%1, %k) : [2, 4, 64, 64]
    %3 = matmul(%q, %2) : [8, 64, 64]                        =>    %3 = softmax(%2)
    %4 = softmax(%3)                                               %4 = matmul(%3, %v) : [2, 4, 64, 32]
    %y = matmul(%4, %v8) : [8, 64, 32]                             %y = reshape(%4) : [8, 64, 32]

Exporters repeat the keys and values of grouped heads so. Leading dimensions of products broadcast, so that the repeated
tensor is never stored, and each matrix is read once for its group. What stands between two such products is done on the
groups: softmax along rows, and ops element by element.
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import graph
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, broadcast_maps, shape_of
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .rewrites.reshaped_groups import common_groups
from .support.options import Pass
from .support.values import rule_of


@dataclass(frozen=True)
class _Repeated:
    """A tensor of matrices that is repeated to leading dimensions `wide`, which are then seen as `merged`."""

    value: SSAValue
    wide: tuple[int, ...]
    merged: tuple[int, ...]
    turned: bool
    """Whether the matrices are transposed on the way."""


def _repeated(value: SSAValue) -> _Repeated | None:
    """What is repeated to give `value`, if that is so."""
    turn = value.owner
    turned = isinstance(turn, graph.TransposeOp)
    if turned:
        *outer, rows, columns = turn.attribute_values()["perm"]
        if [*outer, columns, rows] != list(range(len(outer) + 2)) or is_marked(turn):
            return None
        value = turn.x
    view = value.owner
    source = view.x if isinstance(view, graph.ReshapeOp) else value
    repeat = source.owner
    if not isinstance(repeat, graph.BroadcastOp) or is_marked(repeat):
        return None
    before, wide, merged = shape_of(repeat.x), shape_of(source), shape_of(value)
    groups = common_groups(wide, merged)
    matrices = [([len(wide) - d], [len(merged) - d]) for d in (2, 1)]
    if groups is None or len(before) < 2 or before[-2:] != wide[-2:] or groups[-2:] != matrices:
        return None
    return _Repeated(repeat.x, wide[:-2], merged[:-2], turned)


class _Grouping:
    """The ops that a product on groups needs, in order; `wide` are its leading dimensions, seen as `merged` so far."""

    def __init__(self, wide: tuple[int, ...], merged: tuple[int, ...]):
        self.wide, self.merged = wide, merged
        self.ops: list[Operation] = []

    def then(self, op: graph.GraphOp) -> SSAValue:
        self.ops.append(op)
        return op.results[0]

    def shaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        return value if shape_of(value) == tuple(shape) else self.then(graph.ReshapeOp(value, shape=shape))

    def apart(self, value: SSAValue) -> SSAValue | None:
        """A tensor that broadcasts to `merged` seen so that it broadcasts to `wide`."""
        shape, rank = shape_of(value), len(self.merged)
        leading = shape[:-2]
        if all(size == 1 for size in leading):
            return value
        groups = common_groups(self.wide, self.merged)
        if len(leading) != rank or groups is None:
            return None
        sizes = list(self.wide)
        for mine, theirs in groups:
            own = [leading[d] for d in theirs]
            if own != [self.merged[d] for d in theirs]:
                if any(size != 1 for size in own):
                    return None
                for d in mine:
                    sizes[d] = 1
        return self.shaped(value, [*sizes, *shape[-2:]])

    def lifted(self, value: SSAValue) -> SSAValue | None:
        """`value` on the groups, where ops between products compute it of what is a view of groups, and nothing else
        reads it."""
        op = value.owner
        if isinstance(op, graph.ReshapeOp) and shape_of(op.x) == (*self.wide, *shape_of(value)[-2:]):
            return op.x
        if not isinstance(op, graph.GraphOp) or is_marked(op) or not value.has_one_use() or not _by_rows(op):
            return None
        done = len(self.ops)
        lifted = [self.lifted(operand) for operand in op.operands]
        if any(lifted):
            operands = [
                self.apart(operand) if new is None else new
                for operand, new in zip(op.operands, lifted, strict=True)
            ]
            if None not in operands:
                new = type(op)(*operands, **cast(Any, op).attribute_values() | _last_axis(op))
                new.location, new.results[0].name_hint = op.location, value.name_hint
                return self.then(new)
        for new in reversed(self.ops[done:]):
            new.erase()
        del self.ops[done:]
        return None


def _by_rows(op: graph.GraphOp) -> bool:
    """Whether an op is the same on leading dimensions that are seen in another way."""
    shape = shape_of(op.results[0])
    if isinstance(op, graph.SoftmaxOp):
        return op.attribute_values()["axis"] in (-1, len(shape) - 1)
    rule = rule_of(op)
    return len(shape) > 1 and isinstance(rule, Pointwise) and rule.maps is broadcast_maps


def _last_axis(op: graph.GraphOp) -> dict[str, int]:
    return {"axis": -1} if isinstance(op, graph.SoftmaxOp) else {}


def _on_groups(op: graph.MatmulOp) -> list[Operation] | None:
    """The ops that take the place of a product whose right operand is repeated for groups; None for another one."""
    found = _repeated(op.b)
    if found is None or is_marked(op) or shape_of(op.a)[:-2] != found.merged:
        return None
    grouping = _Grouping(found.wide, found.merged)
    left = grouping.lifted(op.a)
    if left is None:
        left = grouping.shaped(op.a, [*found.wide, *shape_of(op.a)[-2:]])
    values = op.attribute_values()
    values["transpose_b"] ^= found.turned
    product = grouping.then(graph.MatmulOp(left, found.value, **values))
    grouping.shaped(product, shape_of(op.result))
    return grouping.ops


def _group(block: Block) -> None:
    changed = False
    for op in list(block.ops):
        new_ops = _on_groups(op) if isinstance(op, graph.MatmulOp) else None
        if new_ops is not None:
            replace_with(op, new_ops)
            changed = True
    for op in reversed(list(block.ops)) if changed else ():
        if isinstance(op, graph.GraphOp) and not any(result.first_use for result in op.results):
            block.erase_op(op)


@dataclass(frozen=True)
class GraphGroupProducts(Pass):
    """Products of what is repeated for groups of matrices take it as it is."""

    name = "graph-group-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    _group(block)


__all__ = ["GraphGroupProducts"]
