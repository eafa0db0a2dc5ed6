"""One group per graph op: the graph as written, without fusion or algebra. The baseline that fusion is held against.

%1 = graph.bias_add %0, %b     ->     %1 = tile.group "f_bias_add_0"(%x = %0, %c = %b) : … { graph.bias_add %x, %c … }
%2 = graph.relu %1                    %2 = tile.group "f_relu_1"(%x = %1) : … { graph.relu %x … }
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects import tile
from ..dialects.graph.fusion_marks import drop_kernel_marks
from ..dialects.records import dataclass
from .fusion.groups import free_names, make_groups
from .rewrites.prepare_graph import check_decomposed
from .rewrites.tensor_checks import check_tensors
from .support.dynamic_size import check_independent, fixed_sizes, tiled_alike
from .support.module import check_made_for, chip_of, functions_of, kernel_ops, set_target
from .support.options import Pass
from .support.report import add_report, reports_wanted


@dataclass(frozen=True)
class TileGroupOps(Pass):
    """Each graph op that computes becomes a group of its own, whatever is stated of the kernels that fusion makes. What
    is in a group or a kernel already stays."""

    name = "tile-group-ops"
    keeps: ClassVar = (tile.KernelOp, tile.GroupOp)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        named: set[tuple[str, str]] = set()
        for functions, sizes in tiled_alike(functions_of(op), ()):
            with fixed_sizes(functions, sizes):
                for function in functions:
                    ops, of = kernel_ops(function), function.sym_name.data
                    for one in ops:
                        check_decomposed(one)
                        check_tensors(one, target)
                        check_independent(one)
                        drop_kernel_marks(one)
                    wanted = (f"{of}_{one.name.removeprefix('graph.')}_{i}" for i, one in enumerate(ops))
                    names = free_names(op, wanted)
                    make_groups([[one] for one in ops], names)
                    named |= {(of, name) for name in names}
        set_target(op, target.name)
        if named and reports_wanted():
            from .fusion.report import UnfusedReport

            add_report(UnfusedReport(named=frozenset(named)))
