"""Fusion: which graph ops share a kernel. Each group of ops becomes a `tile.group`.

    %1 = graph.conv2d %x, %w             ->   %3 = tile.group "f_0"(%x1 = %x, %w1 = %w, %b1 = %b) : … predicted 4.1 us {
    %2 = graph.bias_add %1, %b                  %1 = graph.conv2d %x1, %w1
    %3 = graph.leaky_relu %2                    %2 = graph.bias_add %1, %b1 … tile.yield %3

What joins what is decided in `fusion.plan`; the report says why, with bytes and time before and after. The types of
tensors between groups say how these lie. Between the groups, concatenations that move nothing become `tile.concat`, and
slices that are a part of what they read `tile.slice`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import tile
from ..dialects.graph.arguments import weight_values
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from .fusion.alike import Alike
from .fusion.candidates import MAX_OCCUPANCY, MIN_GAIN, JoinRecord, LayoutRecord
from .fusion.cost_model import CostModel
from .fusion.duplicate_moves import plan_with_copies
from .fusion.group_cost import GroupCost
from .fusion.groups import free_names, groups_of, make_groups
from .fusion.interface_layouts import fold_views, unfold
from .fusion.join_tensors import join_tensors
from .fusion.kernel_sources import add_fusable
from .fusion.known_costs import known_costs
from .fusion.layouts import LayoutPlan, apply_layouts, check_layouts, plan_layouts
from .fusion.plan import FusionPlan
from .fusion.planned_groups import number_new
from .fusion.regroup import regroup
from .fusion.stated_plan import StatedPlan
from .fusion.weigh import Limits
from .kernels.common.stated import GROUP_TILING, Stated, plain, stated_of, to_attribute
from .launches.share_cores import share_cores
from .plans.places import forget_places, number_ops
from .regions.signature import group_signature
from .rewrites.prepare_graph import check_decomposed
from .rewrites.tensor_checks import check_tensors
from .support.dynamic_size import check_independent, fixed_sizes, tiled_alike
from .support.module import check_made_for, chip_of, functions_of, kernel_ops, set_target
from .support.options import Pass
from .support.report import reports_wanted
from .support.run_size import check_sizes, fixed

if TYPE_CHECKING:
    from .fusion.group_reports import GroupReports


@dataclass(frozen=True)
class TileGroup(Pass):
    """Group graph ops where that pays. `min_gain`: the share of bytes that pays without a gain in time;
    `max_occupancy`: the share of UB that added temporaries may take; `sizes`: the run-time sizes of dynamic dimensions
    that times are predicted for; `layouts`: whether tensors between kernels may lie in blocks; `plan`: a file that says
    all of this (`passes/plans/plan.py`); `share_cores`: kernels that one launch will run take few cores each, and their
    groups state their tiling. What is in a group or a kernel already stays."""

    name = "tile-group"
    keeps: ClassVar = (tile.KernelOp, tile.GroupOp)
    target: str | None = None
    min_gain: float | int = MIN_GAIN
    max_occupancy: float | int = MAX_OCCUPANCY
    sizes: tuple[int, ...] = ()
    layouts: bool = True
    plan: str | None = None
    share_cores: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, share in (("min-gain", self.min_gain), ("max-occupancy", self.max_occupancy)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {share:g}")
        if self.sizes:
            check_sizes(self.sizes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        limits = Limits(self.min_gain, self.max_occupancy)
        reports = _group_reports() if reports_wanted() else None
        stated = StatedPlan.read(self.plan, target, functions_of(op))
        for functions, sizes in tiled_alike(functions_of(op), self.sizes):
            with fixed_sizes(functions, sizes):
                alike = known_costs(functions, target)
                for function in functions:
                    _check(function, target)
                    plan = stated.groups(function, self._stated_limits)
                    if plan is None:
                        number_ops(kernel_ops(function))
                        with alike.with_peers():
                            plan = self._plan(function, target, limits, alike)
                        plan = replace(plan, names=_names(op, plan))
                        if self.share_cores:
                            plan = _with_shared_cores(function, plan, target, alike)
                    if reports is not None:
                        reports.note(function, plan, target)
                    add_fusable(plan.function, plan.groups, plan.names, plan.possible)
                    tilings = stated.tilings(function, plan, target)
                    stated.record(function, plan)
                    make_groups(plan.groups, plan.names, stated.predicted(plan))
                    stated.put_tilings(groups_of(function), tilings)
                    _put_shared(groups_of(function), plan)
                    forget_places(function)
        stated.report()
        set_target(op, target.name)
        if reports is not None:
            reports.add(target)

    @property
    def _stated_limits(self) -> list[str]:
        """The options that say otherwise than by default what pays."""
        usual = {"min-gain": MIN_GAIN, "max-occupancy": MAX_OCCUPANCY, "layouts": True}
        return [name for name, value in usual.items() if getattr(self, name.replace("-", "_")) != value]

    def _plan(self, function: FuncOp, target: Target, limits: Limits, alike: Alike) -> FusionPlan:
        """The groups, and how tensors around them lie, which is put on their types. What the graph takes or gives in
        blocks stays so where all kernels around it can."""
        views, converted, joins = fold_views(function), tuple[LayoutRecord, ...](), tuple[JoinRecord, ...]()
        number, unfolded = {view.value: i for i, view in enumerate(views)}, tuple[int, ...]()
        model: CostModel | None = None

        def grouped() -> FusionPlan:
            nonlocal model
            plan, model = plan_with_copies(function, target, limits, views, alike, reports_wanted())
            joined = [op for op in function.body.block.ops if isinstance(op, tile.ConcatOp)]
            return regroup(plan, model, lambda one: laid_out(one, joined).time_us)

        def laid_out(plan: FusionPlan, joins: Sequence[tile.ConcatOp]) -> LayoutPlan:
            assert model is not None
            return plan_layouts(plan, model, views, self.layouts, joins)

        while True:
            planned = join_tensors(
                function, grouped, laid_out, [view.value for view in views], not target.dma.unaligned
            )
            plan, layouts = planned.plan, planned.layouts
            joins += plan.joins
            if not layouts.unmet:
                check_layouts(plan.groups, layouts.choices)
                apply_layouts(layouts)
                costs = _as_stated(plan, layouts.costs, model)
                records = converted + layouts.records
                return replace(plan, costs=costs, layouts=records, joins=joins, unfolded=unfolded)
            converted += layouts.records_of(layouts.unmet)
            for view in layouts.unmet:
                unfolded += (number[view.value],)
                unfold(view)
                number_new(function)
            views = [view for view in views if view not in layouts.unmet]


def _group_reports() -> "GroupReports":
    from .fusion.group_reports import GroupReports  # half a dozen modules, of reports alone

    return GroupReports()


def _as_stated(
    plan: FusionPlan, costs: Sequence[GroupCost | None], model: CostModel | None
) -> tuple[GroupCost | None, ...]:
    """The costs of the groups, of which those with stated tiles cost what these do. Which ops share a kernel does not
    depend on that."""
    assert model is not None
    return tuple(
        model.as_stated(group) if stated_of(group) else cost
        for group, cost in zip(plan.groups, costs, strict=True)
    )


def _with_shared_cores(function: FuncOp, plan: FusionPlan, target: Target, alike: Alike) -> FusionPlan:
    """The plan, in which kernels that one launch will run take few cores each where that pays."""
    if fixed() is not None:
        return plan
    packable = frozenset(weight_values(function))
    free = [None if stated_of(group) else cost for group, cost in zip(plan.groups, plan.costs, strict=True)]
    shared = share_cores(function.body.block, plan.groups, free, packable, target)
    for number, cost in shared.items():
        key = group_signature(plan.groups[number], packable), Stated.of(plain(cost.tiling))
        alike.tilings[key] = cost.tiling
    costs = tuple(shared.get(i, cost) for i, cost in enumerate(plan.costs))
    return replace(plan, costs=costs, shared=frozenset(shared))


def _put_shared(groups: Sequence[tile.GroupOp], plan: FusionPlan) -> None:
    """State the tilings of groups that leave cores to others."""
    shared = {plan.names[number]: plan.costs[number] for number in plan.shared}
    for group in groups:
        if (cost := shared.get(group.group_name.data)) is not None:
            group.attributes[GROUP_TILING] = to_attribute(plain(cost.tiling))


def _check(function: FuncOp, target: Target) -> None:
    """`LocatedError` at an op that no kernel computes."""
    for op in kernel_ops(function):
        check_decomposed(op)
        check_tensors(op, target)
        check_independent(op)


def _names(module: ModuleOp, plan: FusionPlan) -> tuple[str, ...]:
    """What the groups of a function are called."""
    return tuple(free_names(module, (f"{plan.function}_{i}" for i in range(len(plan.groups)))))
