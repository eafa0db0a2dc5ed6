"""Average pools go before the 1x1 convolutions that they follow, where that is faster.

    %1 = conv2d(%x, %w) : [1, 64, 56, 56]              %1 = avg_pool2d(%x) : [1, 128, 28, 28]
    %2 = bias_add(%1, %b)                      =>      %2 = conv2d(%1, %w) : [1, 64, 28, 28]
    %y = avg_pool2d(%2) : [1, 64, 28, 28]              %y = bias_add(%2, %b)

Both are linear, one along the channels and one along the image, so that they change places; a mean of one bias is that
bias. The convolution then has fewer pixels, and its kernel takes the pool in. Windows that reach past the image keep
their place: there a mean counts what the convolution never saw. Only on chips whose Cube and Vector are cores of their
own: on others the pool and the layout of the operand share one queue, and the clock finds it slower than predicted.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.base import GraphOp
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise, shape_of
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .fusion.weighed_rewrite import weighed_functions
from .support.module import chip_of
from .support.options import Pass
from .support.values import rule_of

LEAST_PIXELS = 128
"""Pixels behind the pool: with fewer, cores share the filters alone, and each of them computes all of the operand."""
MOST_OPS = 16
"""Ops before the convolution that a swap is weighed with."""


@dataclass(frozen=True)
class _Pooled:
    """A pool and the convolution before it, with the bias between them."""

    conv: graph.Conv2dOp
    bias: graph.BiasAddOp | None
    pool: graph.AvgPool2dOp


def _pooled(op: Operation) -> _Pooled | None:
    """The 1x1 convolution before a pool that may come after it; None where there is none."""
    if not isinstance(op, graph.AvgPool2dOp) or is_dynamic(op.x.type):
        return None
    values = op.attribute_values()
    before = op.x.owner
    bias = before if isinstance(before, graph.BiasAddOp) else None
    conv = bias.x.owner if bias is not None else before
    if any(values["pads"]) or values["ceil_mode"] or not isinstance(conv, graph.Conv2dOp):
        return None
    if bias is not None and (bias.attribute_values()["axis"] != 1 or not bias.x.has_one_use()):
        return None
    stated = conv.attribute_values()
    plain = not any(stated["pads"]) and set(stated["strides"]) == {1} and shape_of(conv.w)[2:] == (1, 1)
    few = prod(shape_of(op.result)[2:]) * shape_of(op.result)[0] < LEAST_PIXELS
    if not plain or few or conv.bias is not None or not op.x.has_one_use():
        return None
    between = () if bias is None else (bias,)
    return None if is_marked(op, conv, *between) else _Pooled(conv, bias, op)


def _weighed(found: _Pooled, weights: AbstractSet[SSAValue]) -> set[Operation]:
    """The ops whose kernels a swap may change: with the pool and the convolution what is computed element by element
    of its operand."""
    ops: set[Operation] = {found.pool, found.conv}
    if found.bias is not None:
        ops.add(found.bias)
    waiting = [found.conv.x]
    while waiting and len(ops) < MOST_OPS:
        value = waiting.pop()
        op = value.owner
        if not isinstance(op, GraphOp) or value in weights or not isinstance(rule_of(op), Pointwise):
            continue
        if all(use.operation in ops for use in op.results[0].uses):
            ops.add(op)
            waiting += op.operands
    return ops


def _rewrite(ops: Sequence[Operation]) -> None:
    found = _pooled(ops[-1])
    assert found is not None
    first = graph.AvgPool2dOp(found.conv.x, **found.pool.attribute_values())
    product = graph.Conv2dOp(first.result, found.conv.w, **found.conv.attribute_values())
    new: list[Operation] = [first, product]
    if found.bias is not None:
        new.append(graph.BiasAddOp(product.result, found.bias.b, **found.bias.attribute_values()))
    replace_with(found.pool, new)
    for old in (found.bias, found.conv):
        if old is not None:
            Rewriter.erase_op(old)


@dataclass(frozen=True)
class GraphPoolFirst(Pass):
    """Average before a 1x1 convolution what was averaged behind it, where that is predicted faster on `target`."""

    name = "graph-pool-first"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        if not target.split:
            return
        for function, weigher in weighed_functions(op, target):
            for pool in list(function.body.block.ops):
                found = _pooled(pool)
                if found is None:
                    continue
                inside = _weighed(found, weigher.weights)
                if weigher.pays([one for one in function.body.block.ops if one in inside], _rewrite):
                    _rewrite([pool])


__all__ = ["GraphPoolFirst"]
