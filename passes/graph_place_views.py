"""Puts transposes next to the products whose addresses they can be, with reshapes, which cost nothing, around them.

    %1 = transpose(%x) {perm = [0, 2, 3, 1]}           %1 = transpose(%x) {perm = [0, 2, 1, 3]}
    %y = matmul(%q, %1)                           =>   %y = matmul(%q, %1) {transpose_b = true}

    %1 = reshape(%x) : [64, 2, 32]                     %1 = reshape(%x) : [64, 2, 1, 32]
    %2 = transpose(%1) {perm = [1, 0, 2]}              %2 = transpose(%1) {perm = [1, 2, 0, 3]}
    %3 = reshape(%2) : [2, 1, 64, 32]             =>   %y = matmul(%q, %2)
    %y = matmul(%q, %3)

    %0 = matmul(%a, %b) : [2, 4, 64, 32]               %0 = matmul(%a, %b)
    %1 = reshape(%0) : [8, 64, 32]                =>   %1 = transpose(%0) {perm = [2, 0, 1, 3]}
    %2 = transpose(%1) {perm = [1, 0, 2]}              %2 = reshape(%1) : [64, 8, 32]
    %3 = reshape(%2) : [64, 256]                       %3 = reshape(%2) : [64, 256]

A transpose and a reshape change places where the reshape splits or merges dimensions that stay neighbours in their
order. Ops that state what they are to be fused with stay as they are.
"""

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialects import graph
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import shape_of
from ..dialects.graph.structure import reshaped
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .rewrites.reshaped_groups import common_groups
from .support.options import Pass


def _perm(op: graph.TransposeOp) -> list[int]:
    return list(op.attribute_values()["perm"])


def _sorted(places: Sequence[Sequence[int]]) -> list[int] | None:
    """Groups in the order of their places, those without a place behind the one before them; None where a group is
    torn apart."""
    if any(list(dims) != list(range(dims[0], dims[0] + len(dims))) for dims in places if dims):
        return None
    keys: list[int] = []
    for dims in places:
        keys.append(dims[0] if dims else keys[-1] if keys else -1)
    return sorted(range(len(places)), key=keys.__getitem__)


def reshape_first(
    shape: Sequence[int], perm: Sequence[int], result: Sequence[int]
) -> tuple[list[int], list[int]] | None:
    """For `reshape(transpose(x))` the shape and the order of `transpose(reshape(x))`; None where there are none."""
    groups = common_groups([shape[d] for d in perm], result)
    order = None if groups is None else _sorted([[perm[d] for d in mine] for mine, _ in groups])
    if groups is None or order is None:
        return None
    laid = [d for g in order for d in groups[g][1]]
    return [result[d] for d in laid], [laid.index(d) for d in range(len(result))]


def transpose_first(
    shape: Sequence[int], middle: Sequence[int], perm: Sequence[int]
) -> tuple[list[int], list[int]] | None:
    """For `transpose(reshape(y))`, where y has `shape` and the reshape gives `middle`, the order and the shape of
    `reshape(transpose(y))`; None where there are none."""
    groups = common_groups(shape, middle)
    order = None if groups is None else _sorted([[perm.index(d) for d in theirs] for _, theirs in groups])
    if groups is None or order is None:
        return None
    return [d for g in order for d in groups[g][0]], [middle[d] for d in perm]


def _turned_operand(op: graph.MatmulOp) -> list[Operation] | None:
    """Take a transpose of the last two dimensions of an operand into the product."""
    for index, flag in enumerate(("transpose_a", "transpose_b")):
        inner = op.operands[index].owner
        if not isinstance(inner, graph.TransposeOp) or is_marked(op, inner):
            continue
        perm = _perm(inner)
        rest = [*perm[:-2], *perm[-2:][::-1]]
        plain = rest == sorted(rest)
        if perm[-2] != len(perm) - 1 or not (plain or inner.result.get_user_of_unique_use() is op):
            continue
        values = op.attribute_values()
        values[flag] = not values[flag]
        moved = [] if plain else [graph.TransposeOp(inner.x, perm=rest)]
        operand = moved[0].result if moved else inner.x
        operands = [operand if i == index else value for i, value in enumerate(op.operands)]
        return [*moved, graph.MatmulOp(*operands, **values)]
    return None


def _view_before(op: Operation) -> tuple[SSAValue, list[int], list[int]] | None:
    """Of a reshape behind a transpose that feeds a product if the reshape goes before it: what the reshape then takes,
    its shape, and the order of the transpose."""
    inner = op.x.owner if isinstance(op, graph.ReshapeOp) else None
    if not isinstance(inner, graph.TransposeOp) or not isinstance(
        op.results[0].get_user_of_unique_use(), graph.MatmulOp
    ):
        return None
    viewed = inner.x.owner
    if not isinstance(inner.x, BlockArgument) and not isinstance(viewed, graph.ReshapeOp):
        return None
    if inner.result.get_user_of_unique_use() is not op or is_marked(inner):
        return None
    found = reshape_first(shape_of(inner.x), _perm(inner), shape_of(op.results[0]))
    source = viewed.x if isinstance(viewed, graph.ReshapeOp) else inner.x
    return None if found is None else (source, *found)


def _to_its_product(op: graph.ReshapeOp) -> list[Operation] | None:
    """A reshape behind a transpose goes before it, so that the transpose feeds a product."""
    found = _view_before(op)
    if found is None:
        return None
    source, shape, perm = found
    view = graph.ReshapeOp(source, shape=shape)
    return [view, graph.TransposeOp(view.result, perm=perm)]


def _behind_its_product(op: graph.TransposeOp) -> list[Operation] | None:
    """A transpose behind a reshape of what an op computes goes before it, so that it follows that op, which stores rows
    where they belong."""
    inner, user = op.x.owner, op.result.get_user_of_unique_use()
    if not isinstance(inner, graph.ReshapeOp) or isinstance(inner.x, BlockArgument) or is_marked(op):
        return None
    if not isinstance(user, graph.ReshapeOp | ReturnOp) or inner.result.get_user_of_unique_use() is not op:
        return None
    if _view_before(user) is not None:
        return None
    found = transpose_first(shape_of(inner.x), shape_of(op.x), _perm(op))
    if found is None or found[0][-1] != len(found[0]) - 1 or inner.x.get_user_of_unique_use() is not inner:
        return None
    turned = graph.TransposeOp(inner.x, perm=found[0])
    return [turned, graph.ReshapeOp(turned.result, shape=found[1])]


RULES: dict[type[Operation], Callable[[Any], list[Operation] | None]] = {
    graph.MatmulOp: _turned_operand,
    graph.ReshapeOp: _to_its_product,
    graph.TransposeOp: _behind_its_product,
}
"""For each op, the ops that take its place, or None."""


def _place(block: Block) -> None:
    waiting = list(block.ops)[::-1]
    while waiting:
        op = waiting.pop()
        rule = RULES.get(type(op))
        new_ops = rule(op) if rule is not None else None
        if new_ops is not None:
            replace_with(op, new_ops)
            waiting += new_ops[::-1]
    for op in list(block.ops):
        inner = op.operands[0].owner if isinstance(op, graph.ReshapeOp) else None
        if isinstance(op, graph.ReshapeOp) and isinstance(inner, graph.ReshapeOp):
            same = shape_of(inner.x) == shape_of(op.result)
            replace_with(
                op, [] if same else [reshaped(inner.x, shape_of(op.result))], [inner.x] if same else None
            )
        elif isinstance(op, graph.ReshapeOp) and op.x.type == op.result.type:
            replace_with(op, [], [op.x])
    for op in reversed(list(block.ops)):
        if isinstance(op, graph.ReshapeOp | graph.TransposeOp) and not op.results[0].first_use:
            block.erase_op(op)


@dataclass(frozen=True)
class GraphPlaceViews(Pass):
    """Put transposes beside products, and reshapes around both."""

    name = "graph-place-views"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                for block in function.body.blocks:
                    _place(block)
