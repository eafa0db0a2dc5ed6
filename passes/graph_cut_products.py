"""Cuts a product whose columns are taken apart again into one product for each part, where that is faster.

    %0 = matmul(%h, %r) : [4, 512]                 %0 = matmul(%h, %r[:, :256]) : [4, 256]
    %1 = add(%0, %x)                               %1 = add(%0, %x[:, :256])
    %a, %b = split(%1)                        =>   %2 = matmul(%h, %r[:, 256:]) : [4, 256]
    %2 = sigmoid(%a)                               %3 = add(%2, %x[:, 256:])
    %y = mul(%2, %b)                               %y = mul(sigmoid(%1), %3)

The gates of a recurrent cell and of a gated layer lie in columns of one product. Taken apart, elements of two tiles of
columns meet, so that what joins them is a kernel of its own. Products of one left operand are one kernel with what
joins them, tile by tile (`regions.sibling_products`). So the parts must be joined element by element, in whole blocks
of columns that do not overlap, and the right operand must be a weight, whose parts are taken before the first run.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, broadcast_maps, shape_of
from ..dialects.graph.slicing import slice_parts
from ..dialects.records import dataclass
from ..dialects.rewriting import insert_before
from ..dialects.tile import BLOCK
from .fusion.weighed_rewrite import Weigher, weighed_functions
from .rewrites.merge_slices import merge_slices
from .support.module import chip_of
from .support.options import Pass
from .support.values import rule_of

MOST_OPS = 64
"""Ops that a cut is weighed with."""
MOST_SEEN = 4 * MOST_OPS
"""Ops that depend on a product's parts and are looked at, to find those that join them."""


@dataclass(frozen=True)
class _Part:
    """Columns of the product, from `start` on, and the value that holds them."""

    start: int
    size: int
    value: SSAValue


@dataclass(frozen=True)
class _Cut:
    """A product, what follows it element by element, the ops that take parts, and their results."""

    product: graph.MatmulOp
    chain: tuple[Operation, ...]
    takes: tuple[Operation, ...]
    parts: tuple[_Part, ...]


def _follows(op: Operation, value: SSAValue) -> bool:
    """Whether an op computes each element from that of `value`, and is the same op on columns."""
    if not isinstance(op, graph.GraphOp) or is_marked(op):
        return False
    rule, shape = rule_of(op), shape_of(value)
    if len(op.results) != 1 or shape_of(op.results[0]) != shape:
        return False
    along = (
        isinstance(op, graph.BiasAddOp)
        and len(shape_of(op.b)) == 1
        and op.attribute_values()["axis"] in (-1, len(shape) - 1)
    )
    return along or (isinstance(rule, Pointwise) and rule.maps is broadcast_maps)


def _taken(op: Operation, columns: int) -> list[_Part] | None:
    """The columns that each result of an op is, where it takes parts along the last dimension alone."""
    if isinstance(op, graph.SplitOp):
        values, rank = op.attribute_values(), len(shape_of(op.x))
        if values["axis"] not in (-1, rank - 1):
            return None
        starts = [sum(values["sizes"][:i]) for i in range(len(values["sizes"]))]
        parts = [_Part(at, shape_of(part)[-1], part) for at, part in zip(starts, op.parts, strict=True)]
        return [part for part in parts if part.value.first_use]
    if isinstance(op, graph.SliceOp):
        *others, (start, size, step) = slice_parts(shape_of(op.x), op.attribute_values())
        whole = [(0, n, 1) for n in shape_of(op.x)[:-1]]
        return [_Part(start, size, op.result)] if others == whole and step == 1 and size < columns else None
    return None


def _cut_of(op: Operation, weights: AbstractSet[SSAValue]) -> _Cut | None:
    """How a product may be cut; None where it may not."""
    if not isinstance(op, graph.MatmulOp) or op.b not in weights or op.a in weights:
        return None
    if is_marked(op) or is_dynamic(op.result.type):
        return None
    chain: list[Operation] = []
    value: SSAValue = op.result
    while (user := value.get_user_of_unique_use()) is not None and _follows(user, value):
        chain.append(user)
        value = user.results[0]
    takes = list(dict.fromkeys(use.operation for use in value.uses))
    found = [_taken(take, shape_of(value)[-1]) for take in takes]
    parts = [part for one in found if one is not None for part in one]
    if None in found:
        return None
    ranges = sorted({(part.start, part.size) for part in parts})
    blocks = all(start % BLOCK == size % BLOCK == 0 and size > 0 for start, size in ranges)
    apart = all(a + n <= b for (a, n), (b, _) in pairwise(ranges))
    if not blocks or not apart or len(ranges) < 2:
        return None
    return _Cut(op, tuple(chain), tuple(takes), tuple(parts))


def _joining(cut: _Cut, order: Mapping[Operation, int]) -> set[Operation] | None:
    """The ops that follow the parts element by element, and need nothing else that depends on them; None where a part
    meets no other one."""
    known: dict[SSAValue, frozenset[int]] = {}
    for number, part in enumerate(cut.parts):
        known[part.value] = known.get(part.value, frozenset()) | {number}
    shapes = {shape_of(part.value) for part in cut.parts}
    reached: dict[Operation, frozenset[int]] = {}
    beyond: set[SSAValue] = set()
    seen: set[Operation] = set()
    waiting = [(order[use.operation], use.operation) for part in cut.parts for use in part.value.uses]
    heapify(waiting)
    while waiting and len(seen) < MOST_SEEN:
        _, op = heappop(waiting)
        if op in seen:
            continue
        seen.add(op)
        numbers = frozenset[int]().union(*(known.get(value, ()) for value in op.operands))
        follows = beyond.isdisjoint(op.operands) and any(
            value in known and shape_of(value) in shapes and _follows(op, value) for value in op.operands
        )
        if follows:
            reached[op] = known[op.results[0]] = numbers
        else:
            beyond.update(op.results)
        for result in op.results:
            for use in result.uses:
                heappush(waiting, (order[use.operation], use.operation))
    met = {number for numbers in reached.values() if len(numbers) > 1 for number in numbers}
    return set(reached) if len(met) == len(cut.parts) else None


def _weighed(cut: _Cut, joining: set[Operation], weights: AbstractSet[SSAValue]) -> set[Operation]:
    """The ops whose kernels a cut may change: with what joins the parts those that it reads, back to products and to
    what is multiplied, where nothing else reads them."""
    ops: set[Operation] = {cut.product, *cut.chain, *cut.takes, *joining}
    waiting = [value for op in ops if op is not cut.product for value in op.operands]
    while waiting:
        value = waiting.pop()
        op = value.owner
        if not isinstance(op, graph.GraphOp) or op in ops or value in weights or value is cut.product.a:
            continue
        if all(use.operation in ops for result in op.results for use in result.uses):
            ops.add(op)
            waiting += [] if rule_of(op).engine == "cube" else op.operands
    return ops


def _columns(
    value: SSAValue, axis: int, start: int, size: int, whole: int
) -> tuple[list[Operation], SSAValue]:
    """A part of a value along `axis`, and the ops that take it; the value itself where it repeats along it."""
    shape = shape_of(value)
    if not shape or shape[axis] != whole:
        return [], value
    taken = graph.SliceOp(value, starts=[start], ends=[start + size], axes=[axis % len(shape)])
    merged = merge_slices(taken)
    if merged is None:
        return [taken], taken.result
    taken.erase()
    return list(merged), merged[-1].results[0]


def _apply(cut: _Cut) -> None:
    """Put products of parts of the columns in the place of one of all."""
    product, whole = cut.product, shape_of(cut.product.result)[-1]
    across = -2 if product.attribute_values()["transpose_b"] else -1
    made: dict[tuple[int, int], SSAValue] = {}
    for start, size in sorted({(part.start, part.size) for part in cut.parts}):
        ops, right = _columns(product.b, across, start, size, whole)
        new = graph.MatmulOp(product.a, right, **product.attribute_values())
        insert_before(product, [*ops, new])
        old: SSAValue = product.result
        value: SSAValue = new.result
        for op in cut.chain:
            operands: list[SSAValue] = []
            before: list[Operation] = []
            for operand in op.operands:
                moved, taken = ([], value) if operand is old else _columns(operand, -1, start, size, whole)
                before += moved
                operands.append(taken)
            part = type(op)(*operands, **cast(graph.GraphOp, op).attribute_values())
            insert_before(op, [*before, part])
            old, value = op.results[0], part.results[0]
        made[start, size] = value
    for part in cut.parts:
        part.value.replace_all_uses_with(made[part.start, part.size])
    read = dict.fromkeys(value.owner for op in cut.chain for value in op.operands)
    for op in (*cut.takes, *reversed(cut.chain), product):
        Rewriter.erase_op(op)
    for op in read:  # a slice that is part of others now
        if isinstance(op, graph.SliceOp) and op.parent is not None and not op.result.first_use:
            Rewriter.erase_op(op)


def _rewrite(index: int, ops: Sequence[Operation]) -> None:
    product = ops[index]
    cut = _cut_of(product, {product.operands[1]})
    assert cut is not None
    _apply(cut)


def _cut_products(function: FuncOp, weigher: Weigher) -> None:
    for op in reversed(list(function.body.block.ops)):
        cut = _cut_of(op, weigher.weights)
        if cut is None:
            continue
        order = {other: i for i, other in enumerate(function.body.block.ops)}
        joining = _joining(cut, order)
        if joining is None:
            continue
        ops = sorted(_weighed(cut, joining, weigher.weights), key=order.__getitem__)
        if len(ops) <= MOST_OPS and weigher.pays(ops, partial(_rewrite, ops.index(op))):
            _apply(cut)


@dataclass(frozen=True)
class GraphCutProducts(Pass):
    """Cut products at columns that are taken apart, where their parts are predicted to be faster on `target`."""

    name = "graph-cut-products"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            _cut_products(function, weigher)


__all__ = ["GraphCutProducts"]
