"""Products of what was dequantised multiply the whole numbers themselves, where that is faster.

    %0 = dequantize(%a) {scale = 0.02, zero_point = 3}        %0 = matmul(%a, %b) : i32
    %1 = dequantize(%b) {scale = 0.01}                   =>   %1 = add(%0, %z)             z = -3 (sum of b along K)
    %y = matmul(%0, %1)                                       %y = dequantize(%1) {scale = 0.0002}

The sums are exact, so that only the scale rounds. The right operand has zero point 0 and one scale, or one for each
column, which weights may also have as a factor; the left one has one scale. A zero point of it needs weights, whose
sums are taken before the first run. So does a right operand that the Cube would have to turn over.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, f16, f32, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import graph
from ..dialects.ascend.cube import F32_DIGITS, SCALE_DIGITS
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, element_of, shape_of, vector_of
from ..dialects.graph.structure import constant_of
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from ..dialects.target_types import Target
from .fusion.weighed_rewrite import Weigher, weighed_functions
from .rewrites.tensor_checks import multiplies, turned_operand
from .support.module import chip_of
from .support.options import Pass
from .support.values import constant_number, rule_of

DEEPEST = 1 << 16
"""The most K whose sums i32 holds, whatever the zero point: none of the products is more than 255 x 128."""
MOST_BEHIND = 8
"""Ops behind a product that a rewrite is weighed with."""
DIGITS = 2.0 ** (F32_DIGITS - SCALE_DIGITS) + 1
"""A number of f32 less what its product with this one takes from itself has as many digits as FixPipe reads."""


@dataclass(frozen=True)
class _Steps:
    """An operand as i8: so many steps of `scale` from `zero`; `rows` are factors of its columns beside that, and `ops`
    what it was computed by."""

    value: SSAValue
    scale: float
    zero: int = 0
    rows: tuple[SSAValue, ...] = ()
    ops: tuple[Operation, ...] = ()


@dataclass(frozen=True)
class _Plan:
    """The operands of a product of whole numbers, and the factor of its sums."""

    left: _Steps
    right: _Steps

    @property
    def scale(self) -> float:
        return self.left.scale * self.right.scale


def _dequantised(op: Operation) -> _Steps | None:
    """What an op gives, if that was i8."""
    if not isinstance(op, graph.DequantizeOp) or str(element_of(op.x)) != "i8" or is_marked(op):
        return None
    values = op.attribute_values()
    return _Steps(op.x, values["scale"], values["zero_point"], (), (op,))


def _left(value: SSAValue) -> _Steps | None:
    """The left operand as i8; reshapes of it are those of its bytes."""
    views: list[Operation] = []
    while isinstance(value.owner, graph.ReshapeOp):
        views.append(value.owner)
        value = value.owner.x
    found = _dequantised(value.owner) if isinstance(value.owner, Operation) else None
    if found is None or len(found.ops[0].operands) > 1:
        return None
    return replace(found, ops=(*views, *found.ops))


def _right(value: SSAValue, columns: int, weights: AbstractSet[SSAValue]) -> _Steps | None:
    """The right operand as i8, whose columns lie along dimension `columns`: casts and factors of columns are behind a
    dequantisation of weights."""
    shape, ops, rows, scale = shape_of(value), list[Operation](), list[SSAValue](), 1.0
    while value in weights:
        inner = value.owner
        if isinstance(inner, graph.MulOp):
            factor = next((s for s in inner.operands if vector_of(s, shape, columns)), None)
            if factor is None:
                return None
            number = constant_number(factor)
            rows += [factor] if number is None else []
            scale *= 1.0 if number is None else number
            value = next(x for x in inner.operands if x is not factor)
        elif isinstance(inner, graph.CastOp) and isinstance(element_of(inner.x), AnyFloat):
            value = inner.x
        else:
            break
        ops.append(inner)
    found = _dequantised(value.owner) if isinstance(value.owner, Operation) else None
    if found is None or found.zero or shape_of(value) != shape:
        return None
    op = found.ops[0]
    assert isinstance(op, graph.DequantizeOp)
    if op.scales is not None:
        if op.scales not in weights or op.axis.value.data % len(shape) != columns:
            return None
        rows.append(op.scales)
    if any(prod(shape_of(row)) != shape[columns] for row in rows):
        return None
    return replace(found, scale=found.scale * scale, rows=tuple(rows), ops=(*ops, op))


def _plan_of(op: Operation, weights: AbstractSet[SSAValue]) -> _Plan | None:
    """How a product is one of whole numbers; None where it is not."""
    if not isinstance(op, graph.MatmulOp) or is_marked(op) or op.result in weights:
        return None
    depth, rank = shape_of(op.a)[-1], len(shape_of(op.b))
    if turned_operand(op, op.b in weights) or depth > DEEPEST:
        return None
    left, right = _left(op.a), _right(op.b, rank - 2 if op.transpose_b.value.data else rank - 1, weights)
    if left is None or right is None or (left.zero and (rank > 2 or op.b not in weights)):
        return None
    plan = _Plan(left, right)
    return plan if 2.0**-126 <= plan.scale <= 2.0**126 else None


def _apply(op: graph.MatmulOp, plan: _Plan, digits: bool) -> None:
    """Put a product of whole numbers in the place of `op`; with `digits` factors of columns have as many as FixPipe
    reads."""
    ops: list[Operation] = []

    def emit(new: graph.GraphOp) -> SSAValue:
        ops.append(new)
        return new.results[0]

    left, right, turned = plan.left, plan.right, op.transpose_b.value.data
    a = left.value
    if shape_of(a) != shape_of(op.a):
        a = emit(graph.ReshapeOp(a, shape=list(shape_of(op.a))))
    sums = emit(graph.MatmulOp(a, right.value, transpose_b=bool(turned)))
    if left.zero:
        wide = emit(graph.CastOp(right.value, to=i32))
        columns = emit(graph.ReduceSumOp(wide, axes=[1 if turned else 0]))
        number = emit(constant_of(-left.zero, i32))
        sums = emit(graph.AddOp(sums, emit(graph.MulOp(columns, number))))
    scale, row = plan.scale, None
    for vector in right.rows:
        flat = vector if element_of(vector) == f32 else emit(graph.CastOp(vector, to=f32))
        size = [prod(shape_of(vector))]
        flat = flat if shape_of(flat) == tuple(size) else emit(graph.ReshapeOp(flat, shape=size))
        row = flat if row is None else emit(graph.MulOp(row, flat))
    if row is not None:
        number = emit(constant_of(scale, f32))
        row, scale = emit(graph.MulOp(row, number)), 1.0
        if digits and element_of(op.result) == f16:  # others go through the Vector cores
            many = emit(constant_of(DIGITS, f32))
            more = emit(graph.MulOp(row, many))
            row = emit(graph.SubOp(more, emit(graph.SubOp(more, row))))
    emit(graph.DequantizeOp(sums, row, scale=scale, to=element_of(op.result)))
    replace_with(op, ops, [ops[-1].results[0]])
    for old in (*left.ops, *right.ops):
        if old.parent is not None and not old.results[0].first_use:
            old.detach()
            old.erase()


def _rewrite(index: int, digits: bool, ops: Sequence[Operation]) -> None:
    product = ops[index]
    function = product.parent_op()
    assert isinstance(product, graph.MatmulOp) and isinstance(function, FuncOp)
    plan = _plan_of(product, weight_values(function))
    assert plan is not None
    _apply(product, plan, digits)


def _behind(op: Operation) -> list[Operation]:
    """The ops behind a product that take it element by element, one after the other."""
    found: list[Operation] = []
    while len(found) < MOST_BEHIND:
        user = op.results[0].get_user_of_unique_use()
        if not isinstance(user, graph.GraphOp) or not isinstance(rule_of(user), Pointwise):
            break
        op = user
        found.append(op)
    return found


def _multiply_integers(function: FuncOp, target: Target, weigher: Weigher) -> None:
    digits = ("l0c", "gm") in target.paths
    for op in list(function.body.block.ops):
        plan = _plan_of(op, weigher.weights)
        if plan is None:
            continue
        order = {other: i for i, other in enumerate(function.body.block.ops)}
        together = {op, *plan.left.ops, *plan.right.ops, *_behind(op)}
        ops = sorted(together, key=order.__getitem__)
        if weigher.pays(ops, partial(_rewrite, ops.index(op), digits)):
            assert isinstance(op, graph.MatmulOp)
            _apply(op, plan, digits)
            weigher.rewritten()


@dataclass(frozen=True)
class GraphIntegerProducts(Pass):
    """Multiply what was dequantised as i8, where that is predicted to be faster on `target`."""

    name = "graph-integer-products"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        if not multiplies(target, "i8"):
            return
        for function, weigher in weighed_functions(op, target):
            _multiply_integers(function, target, weigher)


__all__ = ["GraphIntegerProducts"]
