"""Arguments and results of a graph that already lie in blocks, as its kernels' tiles do on chip: NC1HWC0, NZ.

A graph says so by the ops that take the blocks apart, or make them:

    %t = graph.transpose %x5 {perm = [0, 1, 4, 2, 3]}       tensor<1x32x14x14x16xf16> -> tensor<1x32x16x14x14xf16>
    %x = graph.reshape %t {shape = [1, 512, 14, 14]}                                  -> tensor<1x512x14x14xf16>
  =>
    %x = tile.bitcast %x5                                    -> tensor<1x512x14x14xf16, #tile.layout<blocked 1 …>>

`fold_views` puts bitcasts in their place, between tensors that are row-major as far as planning goes; `plan_layouts`
says which of the kernels around take blocks, and `unfold` brings the ops of the others back.
"""

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.attributes import integers
from ...dialects.graph import ReshapeOp, TransposeOp
from ...dialects.graph.arguments import weight_values
from ...dialects.graph.fusion_marks import is_marked
from ...dialects.records import dataclass
from ...dialects.rewriting import replace_with
from ...dialects.tile import BLOCK, BitcastOp, LayoutAttr
from ..support.values import shape_of


@dataclass(frozen=True)
class BlockView:
    """A bitcast in the place of two ops. `value` is the tensor that lies as `layout` says: what the bitcast gives, of
    an argument, or what it takes, of a result."""

    bitcast: BitcastOp
    layout: LayoutAttr
    argument: bool

    @property
    def value(self) -> SSAValue:
        return self.bitcast.result if self.argument else self.bitcast.source


def blocks_of_argument(op: Operation) -> LayoutAttr | None:
    """The layout of what `reshape(transpose(x))` gives, x being its bytes; None where they do not take blocks of 16
    apart."""
    inner = op.x.owner if isinstance(op, ReshapeOp) else None
    if not isinstance(inner, TransposeOp):
        return None
    shape, perm = shape_of(inner.x), integers(inner.perm)
    if not shape or shape[-1] != BLOCK:
        return None
    at = perm.index(len(shape) - 1)
    if at == 0:
        return None
    outer = [d for d in perm if d != len(shape) - 1]
    seen = [shape[d] * (BLOCK if i == at - 1 else 1) for i, d in enumerate(outer)]
    if list(shape_of(op.results[0])) != seen:
        return None
    return LayoutAttr.get(at - 1, sorted(range(len(outer)), key=outer.__getitem__))


def blocks_of_result(op: Operation) -> LayoutAttr | None:
    """The layout of x, whose bytes `transpose(reshape(x))` gives; None where they do not make blocks of 16."""
    inner = op.x.owner if isinstance(op, TransposeOp) else None
    if not isinstance(op, TransposeOp) or not isinstance(inner, ReshapeOp):
        return None
    shape, parts, perm = list(shape_of(inner.x)), list(shape_of(inner.result)), integers(op.perm)
    at = perm[-1]  # the dimension of the parts that is a block
    if at == 0 or len(parts) != len(shape) + 1 or parts[at] != BLOCK:
        return None
    if [*parts[: at - 1], parts[at - 1] * BLOCK, *parts[at + 1 :]] != shape:
        return None
    return LayoutAttr.get(at - 1, [d if d < at else d - 1 for d in perm[:-1]])


def fold_views(function: FuncOp) -> list[BlockView]:
    """Put a bitcast in the place of every two ops that take the blocks of an argument apart, or make blocks of a
    result, where nobody asked for a kernel of theirs; of a tensor once."""
    block = function.body.block
    last, weights = block.last_op, weight_values(function)
    assert isinstance(last, ReturnOp)
    returned = {value.owner for value in last.operands}
    views: list[BlockView] = []
    given: set[SSAValue] = set()
    for op in list(block.ops):
        inner = op.x.owner if isinstance(op, ReshapeOp | TransposeOp) else None
        if not isinstance(op, ReshapeOp | TransposeOp) or not isinstance(inner, ReshapeOp | TransposeOp):
            continue
        argument = isinstance(inner.x, BlockArgument)
        if argument:
            layout = None if inner.x in weights else blocks_of_argument(op)
        else:
            layout = blocks_of_result(op) if op in returned else None
        if layout is None or inner.x in given:
            continue
        if is_marked(op, inner):
            continue
        if not argument:
            given.add(inner.x)
        bitcast = BitcastOp(inner.x, op.result.type)
        bitcast.result.name_hint = inner.x.name_hint if argument else op.result.name_hint
        replace_with(op, bitcast)
        if not inner.result.first_use:
            Rewriter.erase_op(inner)
        views.append(BlockView(bitcast, layout, argument))
    return views


def unfold(view: BlockView) -> None:
    """Put the ops back in the place of a bitcast."""
    bitcast, shape = view.bitcast, shape_of(view.value)
    ops = (blocks_apart if view.argument else blocks_made)(bitcast.source, view.layout, shape)
    replace_with(bitcast, ops)


def blocks_apart(source: SSAValue, layout: LayoutAttr, shape: Sequence[int]) -> list[Operation]:
    """The ops that give a tensor of `shape` from one that is its bytes in blocks."""
    at = layout.blocked
    outer = [layout.dims.index(d) for d in range(len(shape))]
    turned = TransposeOp(source, perm=[*outer[: at + 1], len(shape), *outer[at + 1 :]])
    return [turned, ReshapeOp(turned.result, shape=shape)]


def blocks_made(source: SSAValue, layout: LayoutAttr, shape: Sequence[int]) -> list[Operation]:
    """The ops that give, from a tensor of `shape`, one that is its bytes in blocks."""
    at = layout.blocked
    parted = ReshapeOp(source, shape=(*shape[:at], shape[at] // BLOCK, BLOCK, *shape[at + 1 :]))
    perm = [*(d if d <= at else d + 1 for d in layout.dims), at + 1]
    return [parted, TransposeOp(parted.result, perm=perm)]
