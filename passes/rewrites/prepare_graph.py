"""A graph as kernels are built of it: composite ops as the ops that they are made of, no op on empty tensors."""

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...dialects.graph import AvgPool2dOp, BiasAddOp, Conv2dOp, SliceOp
from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import keep_marks
from ...dialects.graph.rules import Composite, element_of
from ...dialects.graph.windows import split_counts
from ...dialects.rewriting import replace_with
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from ..support.values import rule_of
from .empty_tensors import settle_empty
from .expansions import add_expansion
from .merge_slices import merge_slices
from .tensor_checks import check_takes, multiplies


def expanded(op: GraphOp, target: Target) -> list[Operation]:
    """Put the ops that a composite op is made of on a chip in its place."""
    rule = rule_of(op)
    assert isinstance(rule, Composite)
    for operand in op.operands:
        check_takes(op, str(element_of(operand)))
    expand = rule.expand
    if rule.without_cube is not None and not multiplies(target, str(element_of(op.operands[0]))):
        expand = rule.without_cube
    ops = expand(op)
    _put(op, ops)
    return ops


def _put(op: GraphOp, ops: list[Operation]) -> None:
    add_expansion(op, ops)
    keep_marks(op, *(part for part in ops if rule_of(part).engine != "view"))
    replace_with(op, ops, [new.results[0] for new in ops[-len(op.results) :]])


def taken_apart(op: GraphOp) -> list[Operation]:
    """Put an op for each result in the place of a composite one, where it is made of these alone, on any chip; none
    where it is not, and stays."""
    rule = rule_of(op)
    if not isinstance(rule, Composite) or rule.without_cube is not None:
        return []
    ops = rule.expand(op)
    if [[result.type for result in one.results] for one in ops] == [[result.type] for result in op.results]:
        _put(op, ops)
        return ops
    for one in reversed(ops):
        one.erase()
    return []


def check_decomposed(op: Operation) -> None:
    """`LocatedError` at an op that is made of others, which `prepare_graph` puts in its place."""
    biased = isinstance(op, Conv2dOp) and op.bias is not None
    if biased or isinstance(rule_of(op), Composite):
        of = "a product and its bias" if biased else "others"
        raise LocatedError(op, f"{op.name}: it is made of {of}; run graph-decompose first")


def prepare_graph(function: FuncOp, target: Target) -> None:
    """Split what no instruction computes at once: a convolution's bias becomes a `bias_add`, a composite op the ops
    that it is made of on the chip. Of these a part of a part is a part of the whole."""
    waiting = list(function.body.block.ops)[::-1]
    while waiting:
        op = waiting.pop()
        if isinstance(op, GraphOp) and settle_empty(op):
            continue
        if isinstance(op, GraphOp) and isinstance(rule_of(op), Composite):
            waiting += expanded(op, target)[::-1]
            continue
        if isinstance(op, SliceOp) and (merged := merge_slices(op)):
            inner = op.x.owner
            replace_with(op, merged)
            if isinstance(inner, SliceOp) and not inner.result.first_use:
                Rewriter.erase_op(inner)
            continue
        if isinstance(op, AvgPool2dOp) and (new_ops := split_counts(op)):
            replace_with(op, new_ops)
        if isinstance(op, Conv2dOp) and op.bias is not None:
            product = Conv2dOp(op.x, op.w, **op.attribute_values())
            biased = BiasAddOp(product.result, op.bias)
            keep_marks(op, product, biased)
            replace_with(op, [product, biased])
            settle_empty(product)
