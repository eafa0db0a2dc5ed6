"""Folds batch normalisation into the convolution before it, or into one scale and one shift per channel.

A batch_norm alone reads and writes its whole tensor; folded into weights it costs nothing per run. With
a = gamma / sqrt(var + epsilon):

    %y = graph.conv2d %x, %w : ..                              %y = graph.conv2d %x, %wa : ..   wa = w a
    %z = graph.batch_norm %y, %g, %b, %m, %v : ..     =>       %z = graph.bias_add %y, %t : ..  t = b - m a

The new weights are graph ops on the old ones, in f32, so that they can be computed once before the first
run (or now, by graph-fold-constants). That needs weights and statistics that are constants or arguments
marked as weights, and a convolution nobody else reads; a bias between the two is folded too. A batch_norm
of anything else becomes x a + t with a and t of shape [1, C, 1, ..]; with statistics that are computed at
run time it stays.

Error: with storage precision u (f16: 2^-11, f32: 2^-24) the folded weights and shift carry one rounding
each, |wa' - wa| <= u |wa| + O(2^-22 |wa|), so a result differs by at most u (sum |wa| |x| + |t|) before its
own rounding: as much as the rounding of trained weights to storage, while one rounding of y is saved. The
scale and shift form adds u (|x a| + |t|), which exceeds the result's own rounding where |m| is large
against the deviation. Weights overflow f16 where |wa| passes 65504.
"""

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import graph
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.fusion_marks import keep_marks
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .support.options import Pass


@dataclass(frozen=True)
class Fold:
    """What a batch_norm folds into: a convolution and its bias (None: there is none)."""

    conv: graph.Conv2dOp
    bias: SSAValue | None


def find_fold(norm: graph.BatchNormOp, weights: set[SSAValue]) -> Fold | None:
    """The convolution whose weights can take up `norm`, or None."""
    producer, bias = norm.x.owner, None
    if isinstance(producer, graph.BiasAddOp):
        on_channels = producer.axis.value.data in (1, 1 - len(_type(producer.x).get_shape()))
        if not on_channels or producer.b not in weights or not norm.x.has_one_use():
            return None
        producer, bias = producer.x.owner, producer.b
    if not isinstance(producer, graph.Conv2dOp) or not producer.result.has_one_use():
        return None
    if producer.bias is not None:
        if bias is not None:
            return None
        bias = producer.bias
    needed = [producer.w, *norm.operands[1:], *([] if bias is None else [bias])]
    return Fold(producer, bias) if all(value in weights for value in needed) else None


def _type(value: SSAValue) -> TensorType[Attribute]:
    return cast(TensorType[Attribute], value.type)


class _Builder:
    """Emits graph ops in f32 on weights of any storage type."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []

    def emit(self, op: graph.GraphOp) -> SSAValue:
        self.ops.append(op)
        return op.results[0]

    def convert(self, value: SSAValue, to: Attribute) -> SSAValue:
        return value if _type(value).element_type == to else self.emit(graph.CastOp(value, to=to))

    def scale_and_shift(self, norm: graph.BatchNormOp, bias: SSAValue | None) -> tuple[SSAValue, SSAValue]:
        """a = scale / sqrt(var + epsilon) and bias_norm + (bias - mean) a, both [C] in f32."""
        scale, beta, mean, var = (self.convert(value, f32) for value in norm.operands[1:])
        number = DenseIntOrFPElementsAttr.from_list(TensorType(f32, []), [norm.epsilon.value.data])
        epsilon = self.emit(graph.ConstantOp(value=number))
        deviation = self.emit(graph.RsqrtOp(self.emit(graph.AddOp(var, epsilon))))
        factor = self.emit(graph.MulOp(scale, deviation))
        if bias is not None:
            mean = self.emit(graph.SubOp(mean, self.convert(bias, f32)))
        return factor, self.emit(graph.SubOp(beta, self.emit(graph.MulOp(mean, factor))))


def fold_into_conv(norm: graph.BatchNormOp, fold: Fold) -> None:
    """Replace convolution, bias and `norm` by a convolution and a bias_add with folded weights."""
    build, conv, storage = _Builder(), fold.conv, _type(norm.x).element_type
    factor, shift = build.scale_and_shift(norm, fold.bias)
    filters = _type(conv.w).get_shape()[0]
    rows = build.emit(graph.ReshapeOp(factor, shape=(filters, 1, 1, 1)))
    weights = build.convert(build.emit(graph.MulOp(build.convert(conv.w, f32), rows)), storage)
    bias = build.convert(shift, storage)
    folded = graph.Conv2dOp(conv.x, weights, **conv.properties)
    folded.location = conv.location
    folded.result.name_hint = conv.result.name_hint
    build.emit(folded)
    intermediate, shifted = cast(Operation, norm.x.owner), graph.BiasAddOp(folded, bias)
    keep_marks(conv, folded)
    keep_marks(norm, shifted)
    if intermediate is not conv:
        keep_marks(intermediate, shifted)
    replace_with(norm, [*build.ops, shifted])
    if intermediate is not conv:
        intermediate.detach()
        intermediate.erase()
    conv.detach()
    conv.erase()


def fold_into_scale(norm: graph.BatchNormOp) -> None:
    """Replace `norm` by x a + t."""
    build, type_ = _Builder(), _type(norm.x)
    shape = [1] * len(type_.get_shape())
    shape[1] = type_.get_shape()[1]
    vectors = [
        build.convert(build.emit(graph.ReshapeOp(vector, shape=shape)), type_.element_type)
        for vector in build.scale_and_shift(norm, None)
    ]
    scaled = build.emit(graph.MulOp(norm.x, vectors[0]))
    shifted = graph.AddOp(scaled, vectors[1])
    keep_marks(norm, cast(Operation, scaled.owner), shifted)
    replace_with(norm, [*build.ops, shifted])


@dataclass(frozen=True)
class GraphFoldBatchNorm(Pass):
    """Fold batch_norm into convolution weights, or into one scale and shift per channel."""

    name = "graph-fold-batch-norm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if not isinstance(function, FuncOp) or len(function.body.blocks) != 1:
                continue
            weights = weight_values(function)
            for norm in list(function.body.block.ops):
                if not isinstance(norm, graph.BatchNormOp):
                    continue
                if fold := find_fold(norm, weights):
                    fold_into_conv(norm, fold)
                elif all(value in weights for value in norm.operands[1:]):
                    fold_into_scale(norm)
