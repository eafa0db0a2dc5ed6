"""The graph dialect: what is computed, on tensors, free of hardware."""

from collections.abc import Iterator

from xdsl.ir import Dialect, Operation

from .activations import (
    ClipOp,
    EluOp,
    GeluOp,
    HardSigmoidOp,
    HardSwishOp,
    LeakyReluOp,
    MishOp,
    PReluOp,
    ReluOp,
    SigmoidOp,
    SiluOp,
    SoftplusOp,
)
from .attention import AttentionOp, KeepWhereOp
from .bags import EmbeddingBagOp
from .base import AttributeSpec, GraphOp, OperandSpec
from .channel import BatchNormOp, BiasAddOp
from .contraction import Conv2dOp, MatmulOp
from .elements import ExactElementsAttr, ExternalTensorAttr
from .elementwise import AddOp, CastOp, DivOp, MaximumOp, MinimumOp, MulOp, PowOp, SubOp
from .extensions import GraphExtension, load_extensions
from .images import ConvTranspose2dOp
from .indexing import ArgmaxOp, OneHotOp
from .logic import CompareOp, IsNanOp, LogicalAndOp, LogicalNotOp, LogicalOrOp, LogicalXorOp, SelectOp
from .movement import BroadcastOp, ConcatOp, DepthToSpaceOp, PadOp, SpaceToDepthOp, TileOp, TransposeOp
from .normalization import GroupNormOp, InstanceNormOp, LayerNormOp, LogSoftmaxOp, RmsNormOp, SoftmaxOp
from .quantization import DequantizeOp, QuantizeOp
from .reduction import ReduceMaxOp, ReduceMeanOp, ReduceMinOp, ReduceProdOp, ReduceSumOp
from .resize import ResizeOp
from .rotary import RopeOp
from .scans import CumsumOp
from .scatter import ScatterOp
from .selection import TopkOp
from .slicing import GatherOp, SliceOp, SplitOp
from .softmax_matmul import SoftmaxMatmulOp
from .spatial import AvgPool1dOp, AvgPool3dOp, Conv1dOp, Conv3dOp, ConvTranspose1dOp, MaxPool1dOp, MaxPool3dOp
from .structure import ConstantOp, DropoutOp, ReshapeOp
from .unary import (
    AbsOp,
    CeilOp,
    CosOp,
    ErfOp,
    ExpOp,
    FloorOp,
    LogOp,
    NegOp,
    ReciprocalOp,
    RoundOp,
    RsqrtOp,
    SignOp,
    SinOp,
    SqrtOp,
    SquareOp,
    TanhOp,
)
from .windows import AvgPool2dOp, MaxPool2dOp

OPS: tuple[type[GraphOp], ...] = (
    AbsOp,
    AddOp,
    ArgmaxOp,
    AttentionOp,
    AvgPool1dOp,
    AvgPool2dOp,
    AvgPool3dOp,
    BatchNormOp,
    BiasAddOp,
    BroadcastOp,
    CastOp,
    CeilOp,
    ClipOp,
    CompareOp,
    ConcatOp,
    ConstantOp,
    Conv1dOp,
    Conv2dOp,
    Conv3dOp,
    ConvTranspose1dOp,
    ConvTranspose2dOp,
    CosOp,
    CumsumOp,
    DepthToSpaceOp,
    DequantizeOp,
    DivOp,
    DropoutOp,
    EluOp,
    EmbeddingBagOp,
    ErfOp,
    ExpOp,
    FloorOp,
    GatherOp,
    GeluOp,
    GroupNormOp,
    HardSigmoidOp,
    HardSwishOp,
    InstanceNormOp,
    IsNanOp,
    KeepWhereOp,
    LayerNormOp,
    LeakyReluOp,
    LogOp,
    LogSoftmaxOp,
    LogicalAndOp,
    LogicalNotOp,
    LogicalOrOp,
    LogicalXorOp,
    MatmulOp,
    MaxPool1dOp,
    MaxPool2dOp,
    MaxPool3dOp,
    MaximumOp,
    MinimumOp,
    MishOp,
    MulOp,
    NegOp,
    OneHotOp,
    PadOp,
    PowOp,
    PReluOp,
    QuantizeOp,
    ReciprocalOp,
    ReduceMaxOp,
    ReduceMeanOp,
    ReduceMinOp,
    ReduceProdOp,
    ReduceSumOp,
    ReluOp,
    ReshapeOp,
    ResizeOp,
    RmsNormOp,
    RopeOp,
    RoundOp,
    RsqrtOp,
    ScatterOp,
    SelectOp,
    SigmoidOp,
    SignOp,
    SiluOp,
    SinOp,
    SliceOp,
    SoftmaxOp,
    SoftmaxMatmulOp,
    SoftplusOp,
    SpaceToDepthOp,
    SplitOp,
    SqrtOp,
    SquareOp,
    SubOp,
    TanhOp,
    TileOp,
    TopkOp,
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
    "ArgmaxOp",
    "AttributeSpec",
    "AvgPool1dOp",
    "AvgPool2dOp",
    "AvgPool3dOp",
    "BatchNormOp",
    "BiasAddOp",
    "BroadcastOp",
    "CastOp",
    "CeilOp",
    "ClipOp",
    "CompareOp",
    "ConcatOp",
    "ConstantOp",
    "Conv1dOp",
    "Conv2dOp",
    "Conv3dOp",
    "ConvTranspose1dOp",
    "ConvTranspose2dOp",
    "CosOp",
    "CumsumOp",
    "DepthToSpaceOp",
    "DequantizeOp",
    "DivOp",
    "DropoutOp",
    "EluOp",
    "EmbeddingBagOp",
    "ErfOp",
    "ExactElementsAttr",
    "ExpOp",
    "ExternalTensorAttr",
    "FloorOp",
    "GatherOp",
    "GeluOp",
    "Graph",
    "GraphExtension",
    "GraphOp",
    "GroupNormOp",
    "HardSigmoidOp",
    "HardSwishOp",
    "InstanceNormOp",
    "IsNanOp",
    "LayerNormOp",
    "LeakyReluOp",
    "LogOp",
    "LogSoftmaxOp",
    "LogicalAndOp",
    "LogicalNotOp",
    "LogicalOrOp",
    "LogicalXorOp",
    "MatmulOp",
    "MaxPool1dOp",
    "MaxPool2dOp",
    "MaxPool3dOp",
    "MaximumOp",
    "MinimumOp",
    "MishOp",
    "MulOp",
    "NegOp",
    "OneHotOp",
    "OperandSpec",
    "PReluOp",
    "PadOp",
    "PowOp",
    "QuantizeOp",
    "ReciprocalOp",
    "ReduceMaxOp",
    "ReduceMeanOp",
    "ReduceMinOp",
    "ReduceProdOp",
    "ReduceSumOp",
    "ReluOp",
    "ReshapeOp",
    "ResizeOp",
    "RmsNormOp",
    "RopeOp",
    "RoundOp",
    "RsqrtOp",
    "ScatterOp",
    "SelectOp",
    "SigmoidOp",
    "SignOp",
    "SiluOp",
    "SinOp",
    "SliceOp",
    "SoftmaxMatmulOp",
    "SoftmaxOp",
    "SoftplusOp",
    "SpaceToDepthOp",
    "SplitOp",
    "SqrtOp",
    "SquareOp",
    "SubOp",
    "TanhOp",
    "TileOp",
    "TopkOp",
    "TransposeOp",
    "graph_ops",
]
