"""One kernel per graph op: the graph as written, without fusion or algebra. The baseline that fusion is held against.

%1 = graph.bias_add %0, %b           ->   %1 = tile.kernel "f_bias_add_0"(%0, %b) {…}
%2 = graph.relu %1                        %2 = tile.kernel "f_relu_1"(%1) {…}
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects import tile
from ..dialects.records import dataclass
from .fusion.kernel_sources import add_sources
from .fusion.report import KernelRecord, UnfusedReport
from .kernels.forms import KernelFactory
from .kernels.tuner import TUNE, check_tune, tile_choice
from .rewrites.prepare_graph import prepare_graph
from .rewrites.tensor_checks import check_tensors
from .support.dynamic_size import check_independent, fixed_sizes
from .support.module import check_made_for, chip_of, functions_of, kernel_ops, set_target
from .support.report import add_report, reports_wanted
from .support.run_size import check_sizes


@dataclass(frozen=True)
class TileFromGraph(ModulePass):
    """Each graph op that computes becomes a kernel of its own; a module without graph ops is left as it is. `sizes`:
    the run-time sizes of dynamic dimensions that tiles are chosen for; `tune`: how many tilings of each kernel are
    timed, 1 for none."""

    name = "tile-from-graph"
    keeps: ClassVar = (tile.KernelOp,)
    target: str | None = None
    sizes: tuple[int, ...] = ()
    tune: int = TUNE

    def __post_init__(self) -> None:
        if self.sizes:
            check_sizes(self.sizes)
        check_tune(self.tune)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        kernels: list[tile.KernelOp] = []
        factory, functions = KernelFactory(target, self.tune), functions_of(op)
        with fixed_sizes(functions, self.sizes):
            for function in functions:
                prepare_graph(function, target)
                groups: list[tuple[str, list[Operation]]] = []
                for index, graph_op in enumerate(kernel_ops(function)):
                    check_tensors(graph_op, target)
                    check_independent(graph_op)
                    name = f"{function.sym_name.data}_{graph_op.name.removeprefix('graph.')}_{index}"
                    groups.append((name, [graph_op]))
                add_sources(function, [ops for _, ops in groups])
                kernels += factory.build(function, groups)
        set_target(op, target.name)
        if kernels and reports_wanted():
            records = tuple(KernelRecord.of(kernel, target) for kernel in kernels)
            add_report(UnfusedReport(records, tile_choice(self.tune)))
