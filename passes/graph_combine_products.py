"""Makes one product of those that multiply one value by different weights, where that is faster.

    %0 = matmul(%x, %q) : [128, 768]               %w = concat(%q, %k, %v) {axis = 1}          before the first run
    %1 = bias_add(%0, %a)                          %b = concat(%a, %c, %d)
    %2 = reshape(%1) : [128, 12, 64]               %0 = matmul(%x, %w) : [128, 2304]
    %3 = matmul(%x, %k) : [128, 768]        =>     %1 = bias_add(%0, %b)
    …                                              %2 = reshape(%1) : [128, 36, 64]
                                                   %3 = slice(%2) {starts = [0], ends = [12], axes = [1]}
                                                   …

Queries, keys and values are such products. What reads a part reads it from the columns of the whole, so that no part is
moved. What follows all of them alike is done once: biases, and ops element by element. A reshape that takes columns
apart comes before the slices. Parts are whole blocks of columns. Both forms are planned on the chip, up to the products
with weights that read the parts, and the faster one stays. Parts of a `concat` stay apart, as they are written in
place, and so do convolutions, which often are such parts.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import graph
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, broadcast_maps, element_of, shape_of
from ..dialects.records import dataclass
from ..dialects.rewriting import insert_before, replace_with
from ..dialects.tile import BLOCK
from .fusion.weighed_rewrite import Weigher
from .rewrites.reshaped_groups import common_groups
from .support.dynamic_size import fixed_sizes, is_shaped, tiled_alike
from .support.module import chip_of
from .support.options import Pass
from .support.run_size import check_sizes
from .support.values import rule_of

MOST_OPS = 64
"""Ops that a combination is weighed with."""


@dataclass(frozen=True)
class _Combination:
    """Products of one value, and what follows each of them: as many ops, alike."""

    products: tuple[graph.MatmulOp, ...]
    chains: tuple[tuple[graph.GraphOp, ...], ...]

    @property
    def columns(self) -> list[int]:
        return [shape_of(product.result)[-1] for product in self.products]

    @property
    def results(self) -> list[SSAValue]:
        return [
            (chain or (one,))[-1].results[0] for one, chain in zip(self.products, self.chains, strict=True)
        ]


def _kind(op: Operation, weights: AbstractSet[SSAValue]) -> object:
    """What products that may be combined have in common; None for an op that may not be."""
    if not isinstance(op, graph.MatmulOp) or is_marked(op) or op.b not in weights or op.a in weights:
        return None
    if len(shape_of(op.b)) != 2 or shape_of(op.result)[-1] % BLOCK:
        return None
    return op.a, tuple(sorted(op.attribute_values().items())), element_of(op.result)


def _next(values: Sequence[SSAValue], weights: AbstractSet[SSAValue]) -> tuple[graph.GraphOp, ...] | None:
    """The ops that follow values alike, one each; None where they do not."""
    users = [value.get_user_of_unique_use() for value in values]
    first = users[0]
    if not isinstance(first, graph.GraphOp) or len(set(users)) < len(users):
        return None
    found: list[graph.GraphOp] = []
    for user, value in zip(users, values, strict=True):
        if not isinstance(user, graph.GraphOp) or type(user) is not type(first) or is_marked(user):
            return None
        same = user.attribute_values() == first.attribute_values()
        places = list(user.operands).index(value) == list(first.operands).index(values[0])
        if not same or not places or not _by_columns(user, value, weights):
            return None
        found.append(user)
    for others in zip(*(user.operands for user in found), strict=True):
        if others[0] is values[0]:
            continue
        varies = {_varies(other) for other in others}
        if len(varies) > 1 or (varies == {False} and len(set(others)) > 1):
            return None
    return tuple(found)


def _varies(operand: SSAValue) -> bool:
    """Whether what is joined with rows element by element differs along them."""
    return shape_of(operand)[-1:] not in ((), (1,))


def _by_columns(op: graph.GraphOp, value: SSAValue, weights: AbstractSet[SSAValue]) -> bool:
    """Whether an op computes each element from that of `value` and weights of its column."""
    shape = shape_of(value)
    if len(op.results) != 1 or shape_of(op.results[0]) != shape:
        return False
    others = [operand for operand in op.operands if operand is not value]
    if len(others) != len(op.operands) - 1 or any(other not in weights for other in others):
        return False
    if isinstance(op, graph.BiasAddOp):
        return len(shape_of(op.b)) == 1 and op.attribute_values()["axis"] in (-1, len(shape) - 1)
    rule = rule_of(op)
    if not isinstance(rule, Pointwise) or rule.maps is not broadcast_maps:
        return False
    aligned = [(1,) * (len(shape) - len(shape_of(other))) + tuple(shape_of(other)) for other in others]
    return all(n == 1 for own in aligned for n in own[:-1])


def _combination(products: Sequence[graph.MatmulOp], weights: AbstractSet[SSAValue]) -> _Combination:
    """The products with what follows all of them alike."""
    found = _Combination(tuple(products), tuple(() for _ in products))
    while (following := _next(found.results, weights)) is not None:
        chains = tuple((*chain, op) for chain, op in zip(found.chains, following, strict=True))
        found = _Combination(found.products, chains)
    return found


def _joined(values: Sequence[SSAValue], axis: int) -> graph.ConcatOp:
    return graph.ConcatOp(values, axis=axis % len(shape_of(values[0])))


def _apply(found: _Combination, weights: AbstractSet[SSAValue]) -> None:
    """Put one product, and slices of what follows it, in the place of several."""
    first = found.products[0]
    _hoist(found, first, weights)
    values = first.attribute_values()
    right = _joined([one.b for one in found.products], 0 if values["transpose_b"] else -1)
    product = graph.MatmulOp(first.a, right.result, **values)
    made: list[Operation] = [right, product]
    value: SSAValue = product.result
    before: Sequence[SSAValue] = [one.result for one in found.products]
    for ops in zip(*found.chains, strict=True):
        operands: list[SSAValue] = []
        for i, operand in enumerate(ops[0].operands):
            if operand is before[0]:
                operands.append(value)
            elif _varies(operand):
                made.append(_joined([op.operands[i] for op in ops], -1))
                operands.append(made[-1].results[0])
            else:
                operands.append(operand)
        made.append(type(ops[0])(*operands, **ops[0].attribute_values()))
        value, before = made[-1].results[0], [op.results[0] for op in ops]
    insert_before(first, made)
    _take_parts(found, first, value)
    for ops in (*reversed(list(zip(*found.chains, strict=True))), found.products):
        for op in ops:
            Rewriter.erase_op(op)


def _hoist(found: _Combination, first: Operation, weights: AbstractSet[SSAValue]) -> None:
    """Move what computes the weights of later products before the first one."""
    block = first.parent_block()
    assert block is not None
    waiting = [
        v for ops in (found.products, *found.chains) for op in ops for v in op.operands if v in weights
    ]
    needed: set[Operation] = set()
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation) and owner not in needed:
            needed.add(owner)
            waiting += owner.operands
    before = True
    for op in list(block.ops):
        before = before and op is not first
        if not before and op in needed:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(first))


def _take_parts(found: _Combination, first: Operation, value: SSAValue) -> None:
    """Let what reads the results of the products read slices of `value`, behind the reshapes that take columns apart
    where these do so alike."""
    views: dict[tuple[int, ...], graph.ReshapeOp] = {}
    last, start = len(shape_of(value)) - 1, 0
    for columns, result in zip(found.columns, found.results, strict=True):
        for view in [use.operation for use in result.uses]:
            seen = _seen(view, result, shape_of(value)[-1], start)
            if seen is None:
                continue
            shape, axis, scale = seen
            if shape not in views:
                views[shape] = graph.ReshapeOp(value, shape=shape)
                insert_before(first, [views[shape]])
            replace_with(view, [_slice(views[shape].result, axis, start // scale, columns // scale)])
        if result.first_use:
            part = _slice(value, last, start, columns)
            part.location, part.result.name_hint = cast(Operation, result.owner).location, result.name_hint
            insert_before(first, [part])
            result.replace_all_uses_with(part.result)
        start += columns


def _slice(value: SSAValue, axis: int, start: int, size: int) -> graph.SliceOp:
    return graph.SliceOp(value, starts=[start], ends=[start + size], axes=[axis])


def _seen(
    view: Operation, part: SSAValue, columns: int, start: int
) -> tuple[tuple[int, ...], int, int] | None:
    """The shape in which a reshape of a part sees all columns, the dimension of it that a slice then takes, and the
    columns of one element of that; None where no slice of it is the part."""
    if not isinstance(view, graph.ReshapeOp) or is_marked(view):
        return None
    before, after = shape_of(part), list(shape_of(view.result))
    groups = common_groups(before, after) or ()
    theirs = next((theirs for mine, theirs in groups if mine == [len(before) - 1]), list[int]())
    single = [theirs[0] - 1] if theirs and ([], [theirs[0] - 1]) in groups else []
    for dims in ([*single, *theirs], theirs) if theirs else ():  # one head is a dimension of one
        scale = prod(after[d] for d in dims[1:])
        if start % scale == 0 and columns % scale == 0:
            after[dims[0]] = columns // scale
            return tuple(after), dims[0], scale
    return None


def _weighed(found: _Combination, weights: AbstractSet[SSAValue]) -> set[Operation]:
    """The ops whose kernels a combination may change: what reads the parts, up to products with weights, and what
    gives the value, where nothing else reads it."""
    ops: set[Operation] = {op for ops in (found.products, *found.chains) for op in ops}
    waiting = [value for op in ops for value in op.results]
    while waiting and len(ops) <= MOST_OPS:
        for user in [use.operation for use in waiting.pop().uses]:
            if isinstance(user, graph.GraphOp) and user not in ops:
                ops.add(user)
                waiting += [] if isinstance(user, graph.MatmulOp) and user.b in weights else user.results
    source = found.products[0].a.owner
    if isinstance(source, graph.GraphOp) and rule_of(source).engine != "cube":
        alone = all(use.operation in ops for result in source.results for use in result.uses)
        ops |= {source} if alone else set()
    return ops


def _is_joined(value: SSAValue) -> bool:
    """Whether a value, or a view of it, is part of a concatenation: such parts are written in place."""
    users = [use.operation for use in value.uses]
    views = [user for user in users if isinstance(user, graph.ReshapeOp)]
    return any(isinstance(user, graph.ConcatOp) for user in users) or any(_is_joined(v.result) for v in views)


def _rewrite(indices: Sequence[int], ops: Sequence[Operation]) -> None:
    function = ops[0].parent_op()
    assert isinstance(function, FuncOp)
    weights = weight_values(function)
    _apply(_combination([cast(graph.MatmulOp, ops[i]) for i in indices], weights), weights)


def _groups(function: FuncOp, weights: AbstractSet[SSAValue]) -> Iterator[list[graph.MatmulOp]]:
    """Products of one value that may be combined, at least two."""
    found: dict[object, list[graph.MatmulOp]] = {}
    for op in function.body.block.ops:
        kind = _kind(op, weights)
        if kind is not None:
            found.setdefault(kind, []).append(cast(graph.MatmulOp, op))
    yield from (group for group in found.values() if len(group) > 1)


def _combine_products(function: FuncOp, weigher: Weigher) -> None:
    for group in list(_groups(function, weigher.weights)):
        found = _combination(group, weigher.weights)
        order: Mapping[Operation, int] = {op: i for i, op in enumerate(function.body.block.ops)}
        ops = sorted(_weighed(found, weigher.weights), key=order.__getitem__)
        if len(ops) > MOST_OPS or any(map(_is_joined, found.results)):
            continue
        if weigher.pays(ops, partial(_rewrite, [ops.index(one) for one in found.products])):
            _apply(found, weigher.weights)
            weigher.rewritten()


@dataclass(frozen=True)
class GraphCombineProducts(Pass):
    """Combine products of one value with different weights, where that is predicted to be faster on `target`. `sizes`:
    the run-time sizes of dynamic dimensions that times are predicted for."""

    name = "graph-combine-products"
    target: str | None = None
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes:
            check_sizes(self.sizes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        bodies = (f for f in op.walk() if isinstance(f, FuncOp) and len(f.body.blocks) == 1)
        functions = [function for function in bodies if not is_shaped(function)]
        for alike, sizes in tiled_alike(functions, self.sizes):
            with fixed_sizes(alike, sizes):
                for function in alike:
                    _combine_products(function, Weigher(function, target))


__all__ = ["GraphCombineProducts"]
