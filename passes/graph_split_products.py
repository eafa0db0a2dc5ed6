"""Splits the sums of a product with few tiles into parts that more cores share, where that is faster (split-K).

    %0 = matmul(%x, %w) : [64, 256], K 16384       %1 = transpose(reshape(%x)) : [16, 64, 1024]      addresses
    %y = gelu(%0)                             =>   %2 = reshape(%w) : [16, 1024, 256]
                                                   %3 = matmul(%1, %2) {out = f32} : [16, 64, 256]
                                                   %4 = reduce_sum(%3) {axes = [0]}
                                                   %y = gelu(cast(%4))

The parts of K are a dimension of the batch, their sums stay f32, and a second kernel adds them up and goes on. Both
forms are planned on the chip, with what feeds the product and what follows it element by element. Parts are equal and
whole blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.element_types import name_of
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, shape_of
from ..dialects.rewriting import replace_with
from ..dialects.target_types import Target
from ..dialects.tile import BLOCK
from .fusion.weighed_rewrite import Weigher, weighed_functions
from .rewrites.prepare_graph import expanded
from .support.module import chip_of
from .support.values import INTEGERS, element_type_of, rule_of

MOST_OPS = 8
"""Ops on each side of a product that a split is weighed with."""
LEAST_DEPTH = 256
"""K of a part at least: a shorter one is a few steps, and the sums would be much of what moves."""
ROWS, COLUMNS = 128, 256
"""A large tile of a product: those that have as many of them as there are cores are not split."""
MOST_PARTS, MOST_TRIED = 32, 4
"""The largest number of parts, and how many numbers are tried."""


def _numbers(batch: int, rows: int, columns: int, depth: int, target: Target) -> list[int]:
    """The numbers of parts that are worth a look, those first that keep cores busy."""
    tiles = batch * -(-rows // ROWS) * -(-columns // COLUMNS)
    if tiles >= target.cores:
        return []
    found = [n for n in range(2, MOST_PARTS + 1) if depth % (n * BLOCK) == 0 and depth // n >= LEAST_DEPTH]

    def idle(n: int) -> float:
        """How many times as many tiles as there are the cores could compute, in as many rounds."""
        return -(-n * tiles // target.cores) * target.cores / (n * tiles)

    return sorted(found, key=lambda n: (idle(n), n))[:MOST_TRIED]


def _parts(op: Operation, target: Target) -> list[int]:
    """The numbers of parts of a product, or of that with the values of one query, that are worth a look."""
    if not isinstance(op, graph.MatmulOp | graph.AttentionOp):
        return []
    if is_marked(op) or is_dynamic(op.result.type) or name_of(element_type_of(op.result)) in INTEGERS:
        return []
    if isinstance(op, graph.AttentionOp):
        (*outer, rows, _), (*others, depth, columns) = shape_of(op.q), shape_of(op.v)
        each = prod(outer) // max(1, prod(others))
        return [] if rows > 1 else _numbers(prod(others), each, columns, depth, target)
    a, b = shape_of(op.a), shape_of(op.b)
    if op.attribute_values()["transpose_a"] or (len(b) > 2 and a[:-2] != b[:-2]):
        return []
    *batch, rows, columns = shape_of(op.result)
    if len(b) == 2:
        batch, rows = [], prod([*batch, rows])
    return _numbers(prod(batch), rows, columns, a[-1], target)


def _split(op: Operation, parts: int, target: Target) -> None:
    """Put the sum of products of `parts` parts of K in the place of a product: of attention that with the values."""
    if isinstance(op, graph.AttentionOp):
        op = [one for one in expanded(op, target) if isinstance(one, graph.MatmulOp)][-1]
    assert isinstance(op, graph.MatmulOp)
    values, ops = op.attribute_values(), list[Operation]()

    def add(new: graph.GraphOp) -> SSAValue:
        ops.append(new)
        return new.results[0]

    a, b, result = shape_of(op.a), shape_of(op.b), shape_of(op.result)
    depth = a[-1] // parts
    outer = [] if len(b) == 2 else [*a[:-2]]
    rows, last = prod(a[len(outer) : -1]), len(outer)
    left = add(graph.ReshapeOp(op.a, shape=[*outer, rows, parts, depth]))
    left = add(graph.TransposeOp(left, perm=[*range(last), last + 1, last, last + 2]))
    if values["transpose_b"]:
        right = add(graph.ReshapeOp(op.b, shape=[*outer, b[-2], parts, depth]))
        right = add(graph.TransposeOp(right, perm=[*range(last), last + 1, last, last + 2]))
    else:
        right = add(graph.ReshapeOp(op.b, shape=[*outer, parts, depth, b[-1]]))
    sums = add(graph.MatmulOp(left, right, transpose_b=values["transpose_b"], out=f32))
    total = add(graph.ReduceSumOp(sums, axes=[last]))
    if element_type_of(op.result) != f32:
        total = add(graph.CastOp(total, to=element_type_of(op.result)))
    if shape_of(total) != result:
        add(graph.ReshapeOp(total, shape=result))
    replace_with(op, ops)


def _beside(op: Operation) -> Iterator[Operation]:
    """What feeds a product alone, and what follows it element by element."""
    value: SSAValue = op.results[0]
    for _ in range(MOST_OPS):
        user = value.get_user_of_unique_use()
        if not isinstance(user, graph.GraphOp) or is_marked(user):
            break
        if not isinstance(rule_of(user), Pointwise) or shape_of(user.results[0]) != shape_of(value):
            break
        yield user
        value = user.results[0]
    value = op.operands[0]
    for _ in range(MOST_OPS):
        owner = value.owner
        if not isinstance(owner, graph.GraphOp) or value.get_user_of_unique_use() is None:
            break
        if is_marked(owner) or rule_of(owner).engine == "cube" or not owner.operands:
            break
        yield owner
        value = owner.operands[0]


def _rewrite(index: int, parts: int, target: Target, ops: Sequence[Operation]) -> None:
    _split(ops[index], parts, target)


def _split_products(function: FuncOp, weigher: Weigher) -> None:
    order = {op: i for i, op in enumerate(function.body.block.ops)}
    for op in list(order):
        numbers = _parts(op, weigher.target)
        if not numbers:
            continue
        ops = sorted({op, *_beside(op)}, key=lambda one: order.get(one, 0))
        if any(one not in order for one in ops):
            continue
        best = weigher.fastest(ops, [partial(_rewrite, ops.index(op), n, weigher.target) for n in numbers])
        if best is not None:
            _split(op, numbers[best], weigher.target)
            weigher.rewritten()


@dataclass(frozen=True)
class GraphSplitProducts(ModulePass):
    """Split sums of products that few cores share, where their parts are predicted to be faster on `target`."""

    name = "graph-split-products"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            _split_products(function, weigher)


__all__ = ["GraphSplitProducts"]
