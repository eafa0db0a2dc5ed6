"""Splits the sums of a product with few tiles into parts that more cores share, where that is faster (split-K).

    %0 = matmul(%x, %w) : [64, 256], K 16384       %1 = matmul(%x, %w) {part = 704, out = f32} : [24, 64, 256]
    %y = gelu(%0)                             =>   %2 = reduce_sum(%1) {axes = [0]}
                                                   %y = gelu(cast(%2))

The parts of K are a dimension of the batch, their sums stay f32, and a second kernel adds them up and goes on. Both
forms are planned on the chip, with what feeds the product and what follows it element by element. Parts begin where
sectors of a row do, and the last one may be shorter.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.element_types import name_of
from ..dialects.graph.contraction import PART_UNIT
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, shape_of
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from ..dialects.target_types import Target
from .fusion.weighed_rewrite import Weigher, weighed_functions
from .rewrites.prepare_graph import expanded
from .rewrites.split_keys import numbers_of_parts, split_keys
from .support.module import chip_of
from .support.options import Pass
from .support.values import INTEGERS, element_type_of, rule_of

Way = Callable[[Operation], None]
"""Puts parts in the place of an op."""
MOST_OPS = 8
"""Ops on each side of a product that a split is weighed with."""
LEAST_DEPTH = 256
"""K of a part at least: a shorter one is a few steps, and the sums would be much of what moves."""
ROWS, COLUMNS = 128, 256
"""A large tile of a product: those that have as many of them as there are cores are not split."""
MOST_PARTS, MOST_TRIED = 32, 4
"""The largest number of parts, and how many numbers are tried."""
UNITS = 64, 128, 256
"""What K of a part is a multiple of, so that parts of a row begin where sectors do: longer steps divide larger ones."""
NO_SLOWER = 1.0
"""Products whose parts take more than so many times as long are not weighed with the ops around them."""
GRADES = 16
"""What cores have to do is told apart by so many parts of what they would have if all had the same."""


def _sizes(batch: int, rows: int, columns: int, depth: int, target: Target) -> list[int]:
    """K of a part that is worth a look, those first that keep cores busy."""
    tiles = batch * -(-rows // ROWS) * -(-columns // COLUMNS)
    if tiles >= target.cores or depth % PART_UNIT:
        return []
    found = {-(-depth // (n * unit)) * unit for n in range(2, MOST_PARTS + 1) for unit in UNITS}

    def busiest(part: int) -> float:
        """What the busiest core sums up, over what each would if all had the same."""
        return -(-(-(-depth // part) * tiles) // target.cores) * part * target.cores / (tiles * depth)

    fitting = [part for part in found if LEAST_DEPTH <= part < depth]
    return sorted(fitting, key=lambda part: (round(busiest(part) * GRADES), -part))[:MOST_TRIED]


def _parts(op: Operation, target: Target) -> list[int]:
    """K of the parts that are worth a look, of a product or of that with the values of one query."""
    if not isinstance(op, graph.MatmulOp | graph.AttentionOp):
        return []
    if is_marked(op) or is_dynamic(op.result.type) or name_of(element_type_of(op.operands[0])) in INTEGERS:
        return []
    if isinstance(op, graph.AttentionOp):
        (*outer, rows, _), (*others, depth, columns) = shape_of(op.q), shape_of(op.v)
        each = prod(outer) // max(1, prod(others))
        return [] if rows > 1 else _sizes(prod(others), each, columns, depth, target)
    a, b = shape_of(op.a), shape_of(op.b)
    if op.part is not None or op.attribute_values()["transpose_a"] or (len(b) > 2 and a[:-2] != b[:-2]):
        return []
    *batch, rows, columns = shape_of(op.result)
    if len(b) == 2:
        batch, rows = [], prod([*batch, rows])
    return _sizes(prod(batch), rows, columns, a[-1], target)


def _split(op: Operation, part: int, target: Target) -> None:
    """Put the sum of the sums of parts of K in the place of a product: of attention that with the values."""
    if isinstance(op, graph.AttentionOp):
        op = [one for one in expanded(op, target) if isinstance(one, graph.MatmulOp)][-1]
    assert isinstance(op, graph.MatmulOp)
    transposed = op.attribute_values()["transpose_b"]
    sums = graph.MatmulOp(op.a, op.b, transpose_b=transposed, out=f32, part=part)
    ops: list[Operation] = [sums, total := graph.ReduceSumOp(sums.result, axes=[0])]
    if element_type_of(op.result) != f32:
        ops.append(graph.CastOp(total.result, to=element_type_of(op.result)))
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


def _ways(op: Operation, target: Target) -> list[Way]:
    """The ways to split an op that are worth a look."""
    ways: list[Way] = [partial(_split, part=part, target=target) for part in _parts(op, target)]
    if isinstance(op, graph.AttentionOp) and not is_marked(op) and not is_dynamic(op.result.type):
        ways += [partial(_split_keys, parts=parts) for parts in numbers_of_parts(op, target)]
    return ways


def _split_keys(op: Operation, parts: int) -> None:
    assert isinstance(op, graph.AttentionOp)
    split_keys(op, parts)


def _rewrite(index: int, way: Way, ops: Sequence[Operation]) -> None:
    way(ops[index])


def _may_pay(op: Operation, ops: Sequence[Operation], ways: Sequence[Way], weigher: Weigher) -> bool:
    """Whether some way is not slower for a product with what its kernel surely does to its result. What takes longer,
    and what feeds the product, seldom turns that round, and takes far longer to weigh."""
    if not isinstance(op, graph.MatmulOp):
        return True
    unit: list[Operation] = [op]
    for follower in ops[ops.index(op) + 1 :]:
        if unit[-1].results[0] not in follower.operands or not weigher.is_light(follower):
            break
        unit.append(follower)
    rewrites = [partial(_rewrite, 0, way) for way in ways]
    return weigher.fastest(unit, rewrites, NO_SLOWER) is not None


def _split_products(function: FuncOp, weigher: Weigher) -> None:
    order = {op: i for i, op in enumerate(function.body.block.ops)}
    for op in list(order):
        ways = _ways(op, weigher.target)
        if not ways:
            continue
        ops = sorted({op, *_beside(op)}, key=lambda one: order.get(one, 0))
        if any(one not in order for one in ops):
            continue
        if not _may_pay(op, ops, ways, weigher):
            continue
        best = weigher.fastest(ops, [partial(_rewrite, ops.index(op), way) for way in ways])
        if best is not None:
            ways[best](op)
            weigher.rewritten()


@dataclass(frozen=True)
class GraphSplitProducts(Pass):
    """Split sums of products that few cores share, where their parts are predicted to be faster on `target`."""

    name = "graph-split-products"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            _split_products(function, weigher)


__all__ = ["GraphSplitProducts"]
