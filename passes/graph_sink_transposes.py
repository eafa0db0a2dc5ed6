"""Transposes sink below joined parts that are computed of them element by element, where that is faster.

    %t = transpose(%x) {perm = [0, 2, 3, 1]}           %a = slice(%x) {axes = [1], …}
    %a = slice(%t) {axes = [3], …}                     %b = slice(%x) {axes = [1], …}
    %b = slice(%t) {axes = [3], …}             =>      %c = exp(%a)
    %c = exp(%a)                                       %y = concat(%c, %b) {axis = 1}
    %y = concat(%c, %b) {axis = 3}                     %t = transpose(%y) {perm = [0, 2, 3, 1]}

So detectors decode boxes: columns of each cell are taken apart, computed, and joined. Columns meet inside of blocks of
16 elements, which no tile joins; before the transpose they are planes. What else is computed with must be known before
the first run: it is turned once.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.base import GraphOp
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, broadcast_maps, shape_of
from ..dialects.graph.slicing import slice_parts
from ..dialects.records import dataclass
from ..dialects.rewriting import insert_before
from .fusion.weighed_rewrite import weighed_functions
from .support.module import chip_of
from .support.options import Pass
from .support.values import is_splat, rule_of

MOST_OPS = 64
"""Ops between the transposes and what joins them."""


@dataclass(frozen=True)
class _Cone:
    """The ops that compute the parts of a concatenation of transposes of one order; the last one is the
    concatenation."""

    perm: tuple[int, ...]
    transposes: tuple[graph.TransposeOp, ...]
    ops: tuple[GraphOp, ...]


def _follows(op: Operation, rank: int) -> bool:
    """Whether an op is the same one on tensors whose dimensions come in another order."""
    if not isinstance(op, GraphOp) or len(op.results) != 1 or len(shape_of(op.results[0])) != rank:
        return False
    if isinstance(op, graph.SliceOp):
        return all(step > 0 for _, _, step in slice_parts(shape_of(op.x), op.attribute_values()))
    rule = rule_of(op)
    return isinstance(op, graph.ConcatOp) or (isinstance(rule, Pointwise) and rule.maps is broadcast_maps)


def _cone(joined: Operation, weights: AbstractSet[SSAValue]) -> _Cone | None:
    """The ops between a concatenation and transposes; None where it is of anything else that is computed."""
    if not isinstance(joined, graph.ConcatOp) or is_dynamic(joined.results[0].type):
        return None
    ops: set[Operation] = {joined}
    transposes: set[Operation] = set()
    perms: set[tuple[int, ...]] = set()
    waiting = list(joined.operands)
    while waiting and len(ops) <= MOST_OPS:
        value = waiting.pop()
        op = value.owner
        if value in weights or is_splat(value) is not None or op in ops:
            continue
        if isinstance(op, graph.TransposeOp):
            transposes.add(op)
            perms.add(tuple(op.attribute_values()["perm"]))
        elif isinstance(op, Operation) and _follows(op, len(shape_of(joined.results[0]))):
            ops.add(op)
            waiting += op.operands
        else:
            return None
    inside = all(use.operation in ops for op in {*ops, *transposes} - {joined} for use in op.results[0].uses)
    block = joined.parent
    if waiting or len(perms) != 1 or not inside or block is None or is_marked(*ops, *transposes):
        return None
    ordered = [op for op in block.ops if op in ops or op in transposes]
    found = tuple(op for op in ordered if isinstance(op, GraphOp) and op in ops)
    turned = tuple(op for op in ordered if isinstance(op, graph.TransposeOp) and op in transposes)
    return _Cone(perms.pop(), turned, found)


def _turned_back(value: SSAValue, perm: Sequence[int]) -> tuple[list[Operation], SSAValue]:
    """A tensor whose dimensions, the last ones of as many as `perm` has, come as before a transpose; a single element
    as it is."""
    shape, rank = shape_of(value), len(perm)
    if all(size == 1 for size in shape):
        return [], value
    view = graph.ReshapeOp(value, shape=[1] * (rank - len(shape)) + list(shape))
    turned = graph.TransposeOp(view.result, perm=[list(perm).index(d) for d in range(rank)])
    return [view, turned], turned.result


def _attributes(op: GraphOp, perm: Sequence[int]) -> dict[str, object]:
    """The attributes of an op on tensors before a transpose."""
    values = dict(op.attribute_values())
    if isinstance(op, graph.ConcatOp):
        values["axis"] = perm[cast(int, values["axis"]) % len(perm)]
    elif isinstance(op, graph.SliceOp):
        parts = slice_parts(shape_of(op.x), op.attribute_values())
        whole = [
            (start, count, step) == (0, size, 1)
            for (start, count, step), size in zip(parts, shape_of(op.x), strict=True)
        ]
        taken = [(perm[d], *parts[d]) for d in range(len(perm)) if not whole[d]]
        values["axes"] = [d for d, *_ in taken]
        values["starts"] = [start for _, start, _, _ in taken]
        values["ends"] = [start + (count - 1) * step + 1 for _, start, count, step in taken]
        values["steps"] = [step for *_, step in taken]
    return values


def _apply(cone: _Cone) -> None:
    """Put the ops before the transposes, and one transpose behind them."""
    known: dict[SSAValue, SSAValue] = {op.result: op.x for op in cone.transposes}
    for op in cone.ops:
        operands: list[SSAValue] = []
        before: list[Operation] = []
        for value in op.operands:
            turned, found = ([], known[value]) if value in known else _turned_back(value, cone.perm)
            before += turned
            operands.append(found)
        given = [operands] if isinstance(op, graph.ConcatOp) else operands
        new = type(op)(*given, **_attributes(op, cone.perm))
        new.results[0].name_hint = op.results[0].name_hint
        insert_before(op, [*before, new])
        known[op.results[0]] = new.results[0]
    joined = cone.ops[-1]
    last = graph.TransposeOp(known[joined.results[0]], perm=list(cone.perm))
    last.result.name_hint = joined.results[0].name_hint
    insert_before(joined, [last])
    joined.results[0].replace_all_uses_with(last.result)
    for op in (*reversed(cone.ops), *cone.transposes):
        Rewriter.erase_op(op)


def _rewrite(ops: Sequence[Operation]) -> None:
    """`_apply` on ops of a function, or on copies of them."""
    function = ops[-1].parent_op()
    assert isinstance(function, FuncOp)
    cone = _cone(ops[-1], weight_values(function))
    assert cone is not None
    _apply(cone)


@dataclass(frozen=True)
class GraphSinkTransposes(Pass):
    """Transpose what is joined in place of its parts, where that is predicted to be faster on `target`."""

    name = "graph-sink-transposes"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            for joined in list(function.body.block.ops):
                cone = _cone(joined, weigher.weights)
                if cone is None:
                    continue
                inside = {*cone.transposes, *cone.ops}
                if weigher.pays([op for op in function.body.block.ops if op in inside], _rewrite):
                    _apply(cone)


__all__ = ["GraphSinkTransposes"]
