"""The graph dialect: what is computed, on tensors, free of hardware."""

from collections.abc import Iterator

from xdsl.ir import Dialect, Operation

from .base import AttributeSpec, GraphOp, OperandSpec
from .channel import BatchNormOp, BiasAddOp
from .contraction import Conv2dOp, MatmulOp
from .elements import ExactElementsAttr, ExternalTensorAttr
from .elementwise import (
    AbsOp,
    AddOp,
    CastOp,
    ClipOp,
    DivOp,
    ErfOp,
    ExpOp,
    GeluOp,
    LeakyReluOp,
    MaximumOp,
    MinimumOp,
    MulOp,
    NegOp,
    PReluOp,
    ReciprocalOp,
    ReluOp,
    RsqrtOp,
    SigmoidOp,
    SiluOp,
    SqrtOp,
    SubOp,
    TanhOp,
)
from .extensions import GraphExtension, load_extensions
from .movement import (
    BroadcastOp,
    ConcatOp,
    DepthToSpaceOp,
    PadOp,
    SliceOp,
    SpaceToDepthOp,
    SplitOp,
    TileOp,
    TransposeOp,
)
from .normalization import InstanceNormOp, LayerNormOp, LogSoftmaxOp, RmsNormOp, SoftmaxOp
from .quantization import DequantizeOp, QuantizeOp
from .reduction import ReduceMaxOp, ReduceMeanOp, ReduceMinOp, ReduceSumOp
from .structure import ConstantOp, DropoutOp, ReshapeOp

OPS: tuple[type[GraphOp], ...] = (
    AbsOp,
    AddOp,
    BatchNormOp,
    BiasAddOp,
    BroadcastOp,
    CastOp,
    ClipOp,
    ConcatOp,
    ConstantOp,
    Conv2dOp,
    DepthToSpaceOp,
    DequantizeOp,
    DivOp,
    DropoutOp,
    ErfOp,
    ExpOp,
    GeluOp,
    InstanceNormOp,
    LayerNormOp,
    LeakyReluOp,
    LogSoftmaxOp,
    MatmulOp,
    MaximumOp,
    MinimumOp,
    MulOp,
    NegOp,
    PadOp,
    PReluOp,
    QuantizeOp,
    ReciprocalOp,
    ReduceMaxOp,
    ReduceMeanOp,
    ReduceMinOp,
    ReduceSumOp,
    ReluOp,
    ReshapeOp,
    RmsNormOp,
    RsqrtOp,
    SigmoidOp,
    SiluOp,
    SliceOp,
    SoftmaxOp,
    SpaceToDepthOp,
    SplitOp,
    SqrtOp,
    SubOp,
    TanhOp,
    TileOp,
    TransposeOp,
)
"""The dialect's own ops, by name."""


def graph_ops() -> dict[str, type[GraphOp]]:
    """All graph ops by short name, those of installed extensions included.

    Raises ValueError if an extension takes a name that is in use or lies outside the dialect.
    """
    ops = {op.short_name(): op for op in OPS}
    for extension in load_extensions():
        op = extension.op
        if not op.name.startswith("graph.") or op.short_name() in ops:
            reason = "is already defined" if op.name.startswith("graph.") else "must start with 'graph.'"
            raise ValueError(f"graph op extension {op.__module__}.{op.__name__}: name '{op.name}' {reason}")
        ops[op.short_name()] = op
    return ops


class GraphDialect(Dialect):
    """Looks for extensions when a context loads the dialect, not when this module is imported."""

    @property
    def operations(self) -> Iterator[type[Operation]]:
        return iter(graph_ops().values())


Graph = GraphDialect("graph", [*OPS], [ExactElementsAttr, ExternalTensorAttr])

__all__ = [
    "OPS",
    "AbsOp",
    "AddOp",
    "AttributeSpec",
    "BatchNormOp",
    "BiasAddOp",
    "BroadcastOp",
    "CastOp",
    "ClipOp",
    "ConcatOp",
    "ConstantOp",
    "Conv2dOp",
    "DepthToSpaceOp",
    "DequantizeOp",
    "DivOp",
    "DropoutOp",
    "ErfOp",
    "ExactElementsAttr",
    "ExpOp",
    "ExternalTensorAttr",
    "GeluOp",
    "Graph",
    "GraphExtension",
    "GraphOp",
    "InstanceNormOp",
    "LayerNormOp",
    "LeakyReluOp",
    "LogSoftmaxOp",
    "MatmulOp",
    "MaximumOp",
    "MinimumOp",
    "MulOp",
    "NegOp",
    "OperandSpec",
    "PReluOp",
    "PadOp",
    "QuantizeOp",
    "ReciprocalOp",
    "ReduceMaxOp",
    "ReduceMeanOp",
    "ReduceMinOp",
    "ReduceSumOp",
    "ReluOp",
    "ReshapeOp",
    "RmsNormOp",
    "RsqrtOp",
    "SigmoidOp",
    "SiluOp",
    "SliceOp",
    "SoftmaxOp",
    "SpaceToDepthOp",
    "SplitOp",
    "SqrtOp",
    "SubOp",
    "TanhOp",
    "TileOp",
    "TransposeOp",
    "graph_ops",
]
