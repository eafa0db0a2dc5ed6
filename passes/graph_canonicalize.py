"""Brings a graph into the form that the later passes expect, without changing any result.

An op that computes nothing would cost a kernel and two trips through global memory: it vanishes here. A
convolution's bias becomes a bias_add, so that every later pass meets one form of it (the Cube's product
has no bias of its own). Last, what nobody uses is removed.

    %1 = graph.conv2d %x, %w, %b : ..                  %1 = graph.conv2d %x, %w : ..
    %2 = graph.dropout %1 : ..                     =>  %2 = graph.bias_add %1, %b : ..
    %3 = graph.mul %2, %one : ..

Rules: dropout; reshape, cast and clip that change nothing; x * 1, x / 1, x + 0, x - 0, a bias of zeros (exact up to the
sign of a zero); maximum with -inf, minimum with +inf; -(-x); relu of relu; reshape of reshape; slice of slice; slices
that each lie in one part of a concat; casts back
from types that hold more, and tests for zero by way of them; reshapes of what is computed element by element of an
argument, which become views of the argument; zeros for the NaN of a softmax, which exporters put behind attention for
rows that are masked throughout. Tensors of no elements become constants. An f16 bias_add that is not fused again rounds
once more than the convolution with bias.
"""

import math
from collections.abc import Callable
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType, i1, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ..dialects import graph
from ..dialects.graph.elementwise import UnaryOp
from ..dialects.graph.fusion_marks import is_marked, keep_marks, kernel_marks
from ..dialects.graph.rules import Composite, Pointwise, element_of, shape_of
from ..dialects.graph.slicing import slice_parts
from ..dialects.graph.structure import reshaped
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .rewrites.empty_tensors import settle_empty
from .rewrites.merge_slices import merge_slices
from .support.dynamic_size import is_shaped
from .support.errors import LocatedError
from .support.options import Pass
from .support.values import constant_number, rule_of

NEUTRAL: dict[type[Operation], tuple[float, bool]] = {
    graph.AddOp: (0.0, True),
    graph.BiasAddOp: (0.0, False),
    graph.SubOp: (0.0, False),
    graph.MulOp: (1.0, True),
    graph.DivOp: (1.0, False),
    graph.MaximumOp: (-math.inf, True),
    graph.MinimumOp: (math.inf, True),
}
"""The number that leaves the other operand as it is, and whether it may also stand first."""


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


def _holds(narrow: Attribute, wide: Attribute) -> bool:
    """Whether each number of one element type is a number of another one."""
    floats = isinstance(narrow, AnyFloat) and isinstance(wide, AnyFloat) and wide.bitwidth > narrow.bitwidth
    return narrow == i1 or floats


def _cast_back(op: graph.CastOp) -> SSAValue | None:
    """`x`, if `op` undoes a cast of `x` to a type that holds all of its numbers."""
    inner = op.x.owner
    if not isinstance(inner, graph.CastOp) or not _holds(element_of(inner.x), element_of(op.x)):
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


def _whole_slice(op: graph.SliceOp) -> SSAValue | None:
    parts = slice_parts(shape_of(op.x), op.attribute_values())
    return op.x if all(step > 0 for _, _, step in parts) else None


def _joined_again(op: graph.ConcatOp) -> SSAValue | None:
    """The only part, or the tensor of which all parts are, one after the other. (Joined along another dimension they
    have another type.)"""
    if len(op.parts) == 1:
        return op.parts[0]
    first = op.parts[0].owner
    if isinstance(first, graph.SplitOp):
        return first.x if tuple(op.parts) == tuple(first.parts) else None
    if not isinstance(first, graph.SliceOp):
        return None
    shape, end = shape_of(first.x), 0
    axis: int = op.attribute_values()["axis"] % len(shape)
    for part in op.parts:
        one = part.owner
        if not isinstance(one, graph.SliceOp) or one.x is not first.x:
            return None
        taken = slice_parts(shape, one.attribute_values())
        whole = [(0, size, 1) for size in shape]
        whole[axis] = (end, taken[axis][1], 1)
        if taken != whole:
            return None
        end += taken[axis][1]
    return first.x


IDENTITIES: dict[type[Operation], Callable[[Any], SSAValue | None]] = {
    **dict.fromkeys(NEUTRAL, _without_neutral),
    graph.DropoutOp: _operand,
    graph.ReshapeOp: _operand,
    graph.BroadcastOp: _operand,
    graph.ConcatOp: _joined_again,
    graph.PadOp: _operand,
    graph.SliceOp: _whole_slice,
    graph.TransposeOp: _same_order,
    graph.CastOp: _cast_back,
    graph.ClipOp: _unlimited,
    graph.NegOp: _neg_of_neg,
    graph.ReluOp: _relu_of_relu,
}
"""For each op, the value that it equals provided that the types agree, or None."""


def _split_bias(op: graph.Conv2dOp) -> list[graph.GraphOp] | None:
    if op.bias is None:
        return None
    conv = graph.Conv2dOp(op.x, op.w, **op.properties)
    bias = graph.BiasAddOp(conv, op.bias)
    keep_marks(op, conv, bias)
    return [conv, bias]


def _merge_reshapes(op: graph.ReshapeOp) -> list[graph.GraphOp] | None:
    inner = op.x.owner
    return [reshaped(inner.x, op.result.type.get_shape())] if isinstance(inner, graph.ReshapeOp) else None


def _merge_transposes(op: graph.TransposeOp) -> list[graph.GraphOp] | None:
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


VIEWS = graph.ReshapeOp | graph.TransposeOp | graph.BroadcastOp


def _merge_casts(op: graph.CastOp) -> list[graph.GraphOp] | None:
    """One cast for two where the first one keeps all that the second one asks for, also with views between them that
    nothing else reads."""
    views: list[graph.GraphOp] = []
    value = op.x
    while isinstance(value.owner, VIEWS) and value.has_one_use() and not is_marked(value.owner):
        views.append(value.owner)
        value = value.owner.x
    inner = value.owner
    if not isinstance(inner, graph.CastOp):
        return None
    before, between, after = element_of(inner.x), element_of(value), element_of(op.result)
    test = after == i1 and (_holds(before, between) or (before == i32 and between != i1))
    if not test and before != i1:
        return None
    new: list[graph.GraphOp] = [] if before == after else [graph.CastOp(inner.x, to=after)]
    keep_marks(op, *new)
    for view in reversed(views):
        x = new[-1].results[0] if new else inner.x
        new.append(type(view)(x, **view.attribute_values()))
    return new or None


def _view_of_argument(op: graph.ReshapeOp) -> list[graph.GraphOp] | None:
    """What is computed element by element of an argument, on a view of the argument: no view stands between it and
    those that read it."""
    inner = op.x.owner
    if not isinstance(inner, UnaryOp | graph.CastOp) or not op.x.has_one_use():
        return None
    source = inner.x.owner.x if isinstance(inner.x.owner, graph.ReshapeOp) else inner.x
    if not isinstance(source, BlockArgument) or not isinstance(rule_of(inner), Pointwise):
        return None
    view = reshaped(inner.x, op.result.type.get_shape())
    first = type(inner)(view.result, **inner.attribute_values())
    keep_marks(inner, first)
    return [view, first]


def _first_view(op: graph.ReshapeOp) -> list[graph.GraphOp] | None:
    return _merge_reshapes(op) or _view_of_argument(op)


def _part_taken(op: Operation) -> tuple[SSAValue, list[tuple[int, int, int]]] | None:
    """The only part of a concatenation that a slice takes elements of, and what it takes of each of its dimensions."""
    joined = op.operands[0].owner if isinstance(op, graph.SliceOp) else None
    if not isinstance(op, graph.SliceOp) or not isinstance(joined, graph.ConcatOp):
        return None
    taken = slice_parts(shape_of(op.x), op.attribute_values())
    if min(min(count, step) for _, count, step in taken) < 1:
        return None
    axis = int(joined.attribute_values()["axis"]) % len(taken)
    start, count, step = taken[axis]
    for part in joined.parts:
        size = shape_of(part)[axis]
        if start >= 0 and start + (count - 1) * step < size:
            taken[axis] = start, count, step
            return part, taken
        start -= size
    return None


def _of_its_part(op: graph.SliceOp) -> list[graph.GraphOp] | None:
    """A slice of the part of a concatenation that it lies in, where nobody needs the concatenation then."""
    found = _part_taken(op)
    if found is None or not all(_part_taken(use.operation) for use in op.x.uses):
        return None
    part, taken = found
    ends = [start + (count - 1) * step + 1 for start, count, step in taken]
    starts, steps = [start for start, _, _ in taken], [step for _, _, step in taken]
    first = graph.SliceOp(part, starts=starts, ends=ends, axes=list(range(len(taken))), steps=steps)
    keep_marks(op, first)
    return [first]


def _first_slice(op: graph.SliceOp) -> list[graph.GraphOp] | None:
    return merge_slices(op) or _of_its_part(op)


def _without_guard(op: graph.SelectOp) -> list[graph.GraphOp] | None:
    """A softmax whose NaN are made zeros has rows of nothing but -inf: that is what `masked` says. Rows of NaN or inf,
    of which the guard makes zeros too, stay NaN."""
    test, softmax = op.cond.owner, op.b.owner
    if not isinstance(test, graph.IsNanOp) or not isinstance(softmax, graph.SoftmaxOp):
        return None
    if test.x != op.b or constant_number(op.a) != 0 or op.b.type != op.results[0].type:
        return None
    masked = graph.SoftmaxOp(softmax.x, **{**softmax.attribute_values(), "masked": True})
    keep_marks(softmax, masked)
    return [masked]


def _expanded(op: graph.GraphOp) -> list[graph.GraphOp]:
    """The ops that a composite op is made of."""
    rule = rule_of(op)
    assert isinstance(rule, Composite)
    parts = rule.expand(op)
    keep_marks(op, *(part for part in parts if rule_of(part).engine != "view"))
    return [part for part in parts if isinstance(part, graph.GraphOp)]


def _before_reshape(op: Any) -> list[graph.GraphOp] | None:
    """What follows an image of one row, on the image, so that it is next to what gives it."""
    reshape, lines = op.x.owner, shape_of(op.x)
    if not isinstance(reshape, graph.ReshapeOp) or not isinstance(reshape.x.owner, graph.GraphOp):
        return None
    on_channels = len(lines) > 1 and op.attribute_values().get("axis", 1) in (1, 1 - len(lines))
    if not on_channels or shape_of(reshape.x) != (*lines[:2], 1, *lines[2:]) or not op.x.has_one_use():
        return None
    values = op.attribute_values()
    first = type(op)(reshape.x, *op.operands[1:], **{n: 1 if n == "axis" else v for n, v in values.items()})
    first.results[0].name_hint = op.results[0].name_hint
    keep_marks(op, first)
    return [first, reshaped(first.results[0], lines)]


Rewrite = Callable[[Any], list[graph.GraphOp] | None]

REWRITES: dict[type[Operation], Rewrite] = {
    graph.AvgPool1dOp: _expanded,
    graph.AvgPool3dOp: _expanded,
    graph.CastOp: _merge_casts,
    graph.BatchNormOp: _before_reshape,
    graph.BiasAddOp: _before_reshape,
    graph.Conv1dOp: _expanded,
    graph.Conv2dOp: _split_bias,
    graph.Conv3dOp: _expanded,
    graph.MaxPool1dOp: _expanded,
    graph.MaxPool3dOp: _expanded,
    graph.ReshapeOp: _first_view,
    graph.SelectOp: _without_guard,
    graph.SliceOp: _first_slice,
    graph.TransposeOp: _merge_transposes,
}
"""For each op, the ops that take its place, or None."""


def canonicalize_block(block: Block) -> None:
    """Sweeps until nothing changes: what is unused hides, from the rules that ask for one user, that there is one."""
    while _sweep(block):
        pass


def _sweep(block: Block) -> bool:
    """One sweep forward applies the rules, as operands are final when an op is met; one back removes what is unused.
    Whether there was a rule to apply."""
    waiting, changed = list(block.ops)[::-1], False
    while waiting:
        op = waiting.pop()
        if isinstance(op, graph.GraphOp) and settle_empty(op):
            continue
        identity = IDENTITIES.get(type(op))
        value = identity(op) if identity else None
        if value is not None and value.type == op.results[0].type:
            _leave_marks(op, value)
            replace_with(op, [], [value])
            changed = True
            continue
        rewrite: Rewrite | None = REWRITES.get(type(op), _before_reshape if isinstance(op, UnaryOp) else None)
        new_ops = rewrite(op) if rewrite else None
        if new_ops is not None:
            replace_with(op, new_ops)
            waiting += new_ops[::-1]
            changed = True
    for op in reversed(list(block.ops)):
        if isinstance(op, graph.GraphOp) and not any(result.first_use for result in op.results):
            block.erase_op(op)
    return changed


def _leave_marks(op: Operation, value: SSAValue) -> None:
    """What an op that computes nothing says of its kernel is said by the op that gives `value`. `LocatedError` where no
    op of the graph does."""
    marks = dict(kernel_marks(op))
    if not marks:
        return
    if not isinstance(value.owner, graph.GraphOp) or isinstance(value.owner, graph.ConstantOp):
        stated = ", ".join(name.removeprefix("graph.") for name in marks)
        raise LocatedError(op, f"{op.name}: states {stated}, but computes nothing: no kernel has it")
    value.owner.attributes |= marks


@dataclass(frozen=True)
class GraphCanonicalize(Pass):
    """Drop ops that compute nothing and split biases off convolutions."""

    name = "graph-canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            # where several sizes are `?`, equal types do not say that nothing changes
            if isinstance(function, FuncOp) and not is_shaped(function):
                for block in function.body.blocks:
                    canonicalize_block(block)
