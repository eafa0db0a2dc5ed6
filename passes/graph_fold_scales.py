"""Folds scales and shifts that depend on weights alone into the weights of the product before them.

    %0 = graph.conv2d %x, %w : ..                    %0 = graph.conv2d %x, %ws : ..      ws = w s
    %1 = graph.bias_add %0, %b : ..                  %y = graph.bias_add %0, %t : ..     t = b s + h
    %2 = graph.mul %1, %s : ..                   =>
    %y = graph.add %2, %h : ..

    %0 = graph.matmul %x, %w : ..                    %0 = graph.matmul %x, %ws : ..      ws = w c
    %1 = graph.reshape %0 : ..                   =>  %1 = graph.reshape %0 : ..
    %2 = graph.transpose %1 : ..                     %y = graph.transpose %1 : ..
    %y = graph.mul %2, %c : ..

A factor has one element for each channel of a convolution, or for each column of a product of matrices, or is one
number, which also passes reshapes and transposes. Without a product two factors or two shifts become one, and a factor
goes before a shift. The new weights are graph ops on the old ones, in f32, like those of graph-fold-batch-norm, whose
bound on the error holds here too. One number that f16 weights are multiplied by must be known, and near 1: else
weights could pass the range of f16, or lose their digits, where results do not. Ops that others read, or that state
what they are to be fused with, stay.
"""

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, Float16Type, ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.elementwise import broadcast
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import shape_of, vector_of
from ..dialects.records import dataclass
from ..dialects.rewriting import insert_before, replace_with
from .support.options import Pass
from .support.values import constant_number

NEAREST_ZERO, FARTHEST = 1 / 32, 32.0
"""One number that f16 weights are multiplied by: an attention's 1 / sqrt(depth) is between them."""
VIEWS = graph.ReshapeOp | graph.TransposeOp


@dataclass(frozen=True)
class Product:
    """A product with constant weights, the bias behind it (None: there is none), and the moves behind that; `axis` is
    the dimension of the result along which the weights' columns or filters lie."""

    product: graph.Conv2dOp | graph.MatmulOp
    bias: Operation | None
    views: tuple[Operation, ...]

    @property
    def axis(self) -> int:
        return 1 if isinstance(self.product, graph.Conv2dOp) else len(shape_of(self.product.result)) - 1

    @property
    def columns(self) -> int:
        return shape_of(self.product.result)[self.axis]


def _type(value: SSAValue) -> TensorType[Attribute]:
    return cast(TensorType[Attribute], value.type)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _is_vector(value: SSAValue) -> bool:
    return prod(shape_of(value)) == max(shape_of(value), default=1)


def _joins(first: SSAValue, second: SSAValue) -> bool:
    """Whether two vectors lie along one dimension, so that both together are no larger."""
    if not _is_vector(first) or not _is_vector(second):
        return False
    shape = broadcast(shape_of(first), shape_of(second))
    return shape is not None and prod(shape) == max(prod(shape_of(first)), prod(shape_of(second)))


def _is_safe(factor: SSAValue) -> bool:
    """Whether a factor is of the size of those that batch normalisation has, or a number near 1."""
    return prod(shape_of(factor)) > 1 or keeps_range(factor)


def keeps_range(value: SSAValue) -> bool:
    """Whether weights of f16 keep their range and digits when multiplied by a number: one that is known, and near 1."""
    if not isinstance(_type(value).element_type, Float16Type):
        return True
    number = constant_number(value)
    return number is not None and NEAREST_ZERO <= abs(number) <= FARTHEST


class _Folder:
    def __init__(self, function: FuncOp):
        self.weights = weight_values(function)
        self.ops: list[Operation] = []

    def emit(self, op: graph.GraphOp) -> SSAValue:
        self.ops.append(op)
        self.weights.add(op.results[0])
        return op.results[0]

    def taken(self) -> list[Operation]:
        """The ops made so far, which the caller inserts."""
        ops, self.ops = self.ops, []
        return ops

    def wide(self, value: SSAValue) -> SSAValue:
        return value if _type(value).element_type == f32 else self.emit(graph.CastOp(value, to=f32))

    def stored(self, value: SSAValue, like: SSAValue) -> SSAValue:
        element = _type(like).element_type
        return value if _type(value).element_type == element else self.emit(graph.CastOp(value, to=element))

    def shaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        return (
            value if shape_of(value) == tuple(shape) else self.emit(graph.ReshapeOp(value, shape=list(shape)))
        )

    # --- what there is

    def operands(self, op: Operation) -> tuple[SSAValue, SSAValue] | None:
        """What is computed, and the factor or shift, of an op on both."""
        for x, s in (op.operands, op.operands[::-1]):
            if s in self.weights and x not in self.weights and shape_of(x) == shape_of(op.results[0]):
                return x, s
        return None

    def product_of(self, value: SSAValue) -> Product | None:
        """The product whose result a value is, but for a bias and moves, if nothing else reads what lies between."""
        views: list[Operation] = []
        op = value.owner
        while isinstance(op, VIEWS) and self._alone(op):
            views.append(op)
            op = op.x.owner
        bias = None
        if isinstance(op, graph.BiasAddOp | graph.AddOp) and self._alone(op):
            bias, op = op, self._biased(op)
        if not isinstance(op, graph.Conv2dOp | graph.MatmulOp) or not self._alone(op):
            return None
        if isinstance(op, graph.Conv2dOp):
            constant = op.bias is None and op.w in self.weights
        else:
            constant = op.b in self.weights and op.a not in self.weights and len(shape_of(op.b)) == 2
        return Product(op, bias, tuple(views)) if constant else None

    def _biased(self, op: Operation) -> Operation | None:
        """What a bias is added to, along its columns or filters."""
        if isinstance(op, graph.BiasAddOp):
            found, vector = op.x, op.b
            axis = op.axis.value.data % len(shape_of(found))
        else:
            both = self.operands(op)
            if both is None:
                return None
            found, vector = both
            axis = 1 if isinstance(found.owner, graph.Conv2dOp) else len(shape_of(found)) - 1
        product = found.owner
        if not isinstance(product, graph.Conv2dOp | graph.MatmulOp) or vector not in self.weights:
            return None
        right = 1 if isinstance(product, graph.Conv2dOp) else len(shape_of(found)) - 1
        fits = isinstance(op, graph.BiasAddOp) or vector_of(vector, shape_of(found), axis)
        return product if axis == right and fits else None

    def _alone(self, op: Operation) -> bool:
        return op.results[0].has_one_use() and not is_marked(op)

    # --- what becomes of it

    def factor(self, op: Operation, x: SSAValue, s: SSAValue) -> bool:
        """Take the factor s of x into the product that gives x, or next to one before it."""
        found, one = self.product_of(x), prod(shape_of(s)) == 1
        if found is None or not (one or (not found.views and vector_of(s, shape_of(x), found.axis))):
            return self._before_a_shift(op, x, s) or self._of_two(op, x, s)
        product, weight = found.product, found.product.operands[1]
        if not _is_safe(s) or _type(product.result).element_type != _type(weight).element_type:
            return False  # weights would round what sums that are kept in f32 do not
        self._hoist(s, product)
        factor = self.flat(s)
        along = [1] * len(shape_of(weight))
        if isinstance(product, graph.Conv2dOp):
            along[0] = -1
        else:
            along[0 if product.attribute_values()["transpose_b"] else 1] = -1
        along = [prod(shape_of(factor)) if n < 0 else n for n in along]
        scaled = self.emit(graph.MulOp(self.wide(weight), self.shaped(factor, along)))
        self._set(product, 1, self.stored(scaled, weight))
        if found.bias is not None:
            self._set_bias(found, graph.MulOp(self.flat(self._bias(found)), factor))
        replace_with(op, [], [x])
        return True

    def shift(self, op: Operation, x: SSAValue, t: SSAValue) -> bool:
        """Add the shift t of x to the bias behind the product that gives x, or to a shift before it."""
        found = self.product_of(x)
        if found is None or found.bias is None or found.views or not vector_of(t, shape_of(x), found.axis):
            return self._of_two(op, x, t)
        self._hoist(t, found.bias)
        self._set_bias(found, graph.AddOp(self.flat(self._bias(found)), self.flat(t)))
        replace_with(op, [], [x])
        return True

    def flat(self, value: SSAValue) -> SSAValue:
        """A vector of weights, or one number, in f32 and with one dimension."""
        return self.shaped(self.wide(value), [prod(shape_of(value))])

    def _bias(self, found: Product) -> SSAValue:
        assert found.bias is not None
        return next(value for value in found.bias.operands if value in self.weights)

    def _set_bias(self, found: Product, vector: graph.GraphOp) -> None:
        """Let a product have the bias that an op gives: of one number, or of one for each column or filter."""
        assert found.bias is not None
        old, made = self._bias(found), self.emit(vector)
        if isinstance(found.bias, graph.AddOp):  # dimensions behind that of the columns
            behind = len(shape_of(found.product.result)) - 1 - found.axis
            made = self.shaped(made, [*shape_of(made), *[1] * behind])
        index = next(i for i, value in enumerate(found.bias.operands) if value is old)
        self._set(found.bias, index, self.stored(made, old))

    def _set(self, op: Operation, index: int, value: SSAValue) -> None:
        """Give an op another operand, which the ops made so far compute before it."""
        insert_before(op, self.taken())
        op.operands[index] = value

    def _hoist(self, value: SSAValue, place: Operation) -> None:
        """Compute a value of weights before `place`."""
        op = value.owner
        if not isinstance(op, Operation) or op.parent is not place.parent or op.is_before_in_block(place):
            return
        op.detach()
        insert_before(place, [op])
        for operand in op.operands:
            self._hoist(operand, op)

    def _before_a_shift(self, op: Operation, x: SSAValue, s: SSAValue) -> bool:
        """(x + t) s is x s + t s, where x s is one factor with what gives x."""
        shift = x.owner
        if not isinstance(shift, graph.AddOp) or not self._alone(shift):
            return False
        both = self.operands(shift)
        if both is None or not isinstance(both[0].owner, graph.MulOp) or not _joins(both[1], s):
            return False
        inner, t = both
        factor = cast(Operation, inner.owner)
        before = self.operands(factor)
        if before is None or not self._alone(factor) or not _joins(before[1], s):
            return False
        moved = self.stored(self.emit(graph.MulOp(self.wide(t), self.wide(s))), t)
        scaled = graph.MulOp(inner, s)
        replace_with(op, [*self.taken(), scaled, graph.AddOp(scaled, moved)])
        _erase(shift)
        return True

    def _of_two(self, op: Operation, x: SSAValue, s: SSAValue) -> bool:
        """Two factors, or two shifts, are one."""
        inner = x.owner
        if not isinstance(inner, Operation) or type(inner) is not type(op) or not self._alone(inner):
            return False
        both = self.operands(inner)
        if both is None:
            return False
        value, first = both
        if not _joins(first, s) or (isinstance(op, graph.MulOp) and not (_is_safe(first) and _is_safe(s))):
            return False
        kind: type[graph.GraphOp] = graph.MulOp if isinstance(op, graph.MulOp) else graph.AddOp
        one = self.stored(self.emit(kind(self.wide(first), self.wide(s))), first)
        replace_with(op, [*self.taken(), kind(value, one)])
        _erase(inner)
        return True


@dataclass(frozen=True)
class GraphFoldScales(Pass):
    """Fold scales and shifts of weights into the product before them."""

    name = "graph-fold-scales"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if not isinstance(function, FuncOp) or len(function.body.blocks) != 1:
                continue
            folder, folded = _Folder(function), True
            while folded:
                folded = sum(_fold(folder, one) for one in list(function.body.block.ops)) > 0


def _fold(folder: _Folder, op: Operation) -> bool:
    """Whether an op was folded."""
    if op.parent is None or not isinstance(op, graph.MulOp | graph.AddOp) or is_marked(op):
        return False
    kind = _type(op.results[0])
    both = folder.operands(op)
    if both is None or not isinstance(kind.element_type, AnyFloat) or is_dynamic(kind):
        return False
    return folder.factor(op, *both) if isinstance(op, graph.MulOp) else folder.shift(op, *both)


__all__ = ["GraphFoldScales"]
