"""Fusion: groups of graph ops become one `tile.kernel` each.

    %1 = graph.conv2d %x, %w             ->   %3 = tile.kernel "f_0"(%x, %packed, %b) {…
    %2 = graph.bias_add %1, %b                  %acc = tile.contract …
    %3 = graph.leaky_relu %2                    … tile.vec "vadd" … tile.vec "vlrelu" … tile.store

What joins what is decided in `fusion.plan`; the report says why, with bytes and time before and after.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..dialects import tile
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from .fusion.candidates import MAX_OCCUPANCY, MIN_GAIN, JoinRecord, LayoutRecord
from .fusion.cost_model import Alike, CostModel
from .fusion.duplicate_moves import plan_with_copies
from .fusion.interface_layouts import fold_views, unfold
from .fusion.join_tensors import join_tensors
from .fusion.kernel_sources import add_sources
from .fusion.known_costs import known_costs
from .fusion.layouts import LayoutPlan, apply_layouts, plan_layouts
from .fusion.model_totals import ModelTotals, model_totals
from .fusion.opportunities import Opportunity, opportunities
from .fusion.pad_planes import pad_planes
from .fusion.plan import FusionPlan
from .fusion.regroup_chains import regroup_chains
from .fusion.report import FusionReport, KernelRecord
from .fusion.report_graph import FusionGraph, graph_of
from .fusion.split_reductions import split_reductions
from .fusion.weigh import Limits
from .kernels.forms import KernelFactory
from .kernels.tuner import TUNE, check_tune, tile_choice
from .rewrites.prepare_graph import prepare_graph
from .rewrites.tensor_checks import check_tensors
from .support.dynamic_size import check_independent, fixed_sizes
from .support.module import check_made_for, chip_of, functions_of, kernel_ops, set_target
from .support.report import add_report, reports_wanted
from .support.run_size import check_sizes


@dataclass(frozen=True)
class TileFuse(ModulePass):
    """Group graph ops and build their kernels. `min_gain`: the share of bytes that pays without a gain in time;
    `max_occupancy`: the share of UB that added temporaries may take; `sizes`: the run-time sizes of dynamic
    dimensions that tiles are chosen for; `layouts`: whether tensors between kernels may lie in blocks; `tune`: how many
    tilings of each kernel are timed, 1 for none."""

    name = "tile-fuse"
    target: str | None = None
    min_gain: float | int = MIN_GAIN
    max_occupancy: float | int = MAX_OCCUPANCY
    sizes: tuple[int, ...] = ()
    layouts: bool = True
    tune: int = TUNE

    def __post_init__(self) -> None:
        if isinstance(self.min_gain, bool) or isinstance(self.max_occupancy, bool):
            raise ValueError("min-gain and max-occupancy are numbers")
        if not 0 <= self.max_occupancy <= 1:
            raise ValueError(f"max-occupancy is a share from 0 to 1, not {self.max_occupancy:g}")
        if self.sizes:
            check_sizes(self.sizes)
        check_tune(self.tune)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        limits = Limits(self.min_gain, self.max_occupancy)
        plans: list[FusionPlan] = []
        functions, built = functions_of(op), list[list[tile.KernelOp]]()
        graphs: tuple[FusionGraph, ...] = ()
        alike = known_costs(op, target)
        totals: tuple[ModelTotals, ...] = ()
        found: tuple[tuple[Opportunity, ...], ...] = ()
        with fixed_sizes(functions, self.sizes):
            for function in functions:
                prepare_graph(function, target)
                split_reductions(function, target)
                padded = pad_planes(function, target)
                for graph_op in kernel_ops(function):
                    check_tensors(graph_op, target)
                    check_independent(graph_op)
                plan = replace(self._plan(function, target, limits, alike), padded=padded)
                graphs += (graph_of(plan.groups),)
                if reports_wanted():
                    totals += (model_totals(function, plan, target),)
                    found += (opportunities(plan),)
                plans.append(plan)
            factory = KernelFactory(target, self.tune)
            for function, plan in zip(functions, plans, strict=True):
                named = ((f"{plan.function}_{i}", group) for i, group in enumerate(plan.groups))
                predicted = [cost and cost.tiling for cost in plan.costs]
                add_sources(function, plan.groups, plan.possible)
                built.append(factory.build(function, named, predicted))
        set_target(op, target.name)
        if reports_wanted():
            records = tuple(
                tuple(
                    KernelRecord.of(kernel, target, cost)
                    for kernel, cost in zip(kernels, plan.costs, strict=True)
                )
                for plan, kernels in zip(plans, built, strict=True)
            )
            note = f"the {target.launch_us:g} us of {target.name} are an assumption"
            chosen = tile_choice(self.tune)
            add_report(FusionReport(tuple(plans), records, chosen, note, graphs, totals, found))

    def _plan(self, function: FuncOp, target: Target, limits: Limits, alike: Alike) -> FusionPlan:
        """The groups, and how tensors around them lie, which is put on their types. What the graph takes or gives in
        blocks stays so where all kernels around it can."""
        views, converted, joins = fold_views(function), tuple[LayoutRecord, ...](), tuple[JoinRecord, ...]()
        model: CostModel | None = None

        def grouped() -> FusionPlan:
            nonlocal model
            plan, model = plan_with_copies(function, target, limits, views, alike, reports_wanted())
            joined = [op for op in function.body.block.ops if isinstance(op, tile.ConcatOp)]
            return regroup_chains(plan, model, lambda one: laid_out(one, joined).time_us)

        def laid_out(plan: FusionPlan, joins: Sequence[tile.ConcatOp]) -> LayoutPlan:
            assert model is not None
            return plan_layouts(plan, model, views, self.layouts, joins)

        while True:
            planned = join_tensors(function, grouped, laid_out, [view.value for view in views])
            plan, layouts = planned.plan, planned.layouts
            joins += plan.joins
            if not layouts.unmet:
                apply_layouts(layouts)
                return replace(plan, costs=layouts.costs, layouts=converted + layouts.records, joins=joins)
            converted += layouts.records_of(layouts.unmet)
            for view in layouts.unmet:
                unfold(view)
            views = [view for view in views if view not in layouts.unmet]
