"""Computes what depends on constants alone, once, while compiling.

    %a = graph.constant dense<2.0> : tensor<4xf16>
    %b = graph.constant dense<3.0> : tensor<4xf16>     =>    %c = graph.constant dense<5.0> : tensor<4xf16>
    %c = graph.add %a, %b : ..

Results are computed by the reference in f64 and rounded to their storage type, as if by one exact op. A
result of more than `max_bytes` stays an op, since the program's text would carry its bytes; constants in
files are read only if the result may be folded.
"""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import graph
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .rewrites.constant_folding import folded, tensor_bytes
from .support.options import Pass


@dataclass(frozen=True)
class GraphFoldConstants(Pass):
    """Replace ops on constants by their results.

    `max_bytes` is the largest result that is folded; `overflow` says what lies past the largest finite
    number of a storage type: "inf" or "saturate".
    """

    name = "graph-fold-constants"

    max_bytes: int = 1 << 20
    overflow: str = "inf"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.overflow not in ("inf", "saturate"):
            raise ValueError(f"overflow is inf or saturate, not {self.overflow!r}")
        if self.max_bytes < 0:
            raise ValueError(f"max-bytes is 0 or more, not {self.max_bytes}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if not isinstance(function, FuncOp):
                continue
            for block in function.body.blocks:
                for inner in list(block.ops):
                    if isinstance(inner, graph.GraphOp) and self._folds(inner):
                        constants = folded(inner, self.overflow)
                        replace_with(inner, constants, [constant.result for constant in constants])
                for inner in reversed(list(block.ops)):
                    if isinstance(inner, graph.ConstantOp) and not inner.result.first_use:
                        block.erase_op(inner)

    def _folds(self, op: graph.GraphOp) -> bool:
        if not op.operands or not all(isinstance(v.owner, graph.ConstantOp) for v in op.operands):
            return False
        sizes = [tensor_bytes(result) for result in op.results]
        return all(size is not None and size <= self.max_bytes for size in sizes)
