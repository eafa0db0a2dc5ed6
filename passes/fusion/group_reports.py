"""What `tile-group` reports of its plans, for who asks for reports: others import nothing of it."""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.func import FuncOp

from ...dialects import tile
from ...dialects.target_types import Target
from ..support.report import add_report, take_reports
from .model_totals import ModelTotals, model_totals
from .opportunities import Opportunity, opportunities
from .padding_report import PaddingReport
from .plan import FusionPlan
from .report import FusionReport
from .report_graph import FusionGraph, graph_of

MADE = tile.GroupOp, tile.KernelOp


class GroupReports:
    """Figures of functions, noted while their ops are in no group yet."""

    def __init__(self):
        self._plans: list[FusionPlan] = []
        self._graphs: list[FusionGraph] = []
        self._totals: list[ModelTotals] = []
        self._found: list[tuple[Opportunity, ...]] = []

    def note(self, function: FuncOp, plan: FusionPlan, target: Target) -> None:
        """Note a function, unless it is in groups or kernels already."""
        if not plan.groups and any(isinstance(op, MADE) for op in function.body.block.ops):
            return
        self._plans.append(plan)
        self._graphs.append(graph_of(plan.groups))
        self._totals.append(model_totals(function, plan, target))
        self._found.append(opportunities(plan))

    def add(self, target: Target) -> None:
        """Add the report of all functions."""
        if not self._plans:
            return
        note = f"the {target.launch_us:g} us of {target.name} are an assumption"
        figures = tuple(self._graphs), tuple(self._totals), tuple(self._found)
        add_report(FusionReport(_with_padded(self._plans), (), "", note, *figures))


def _with_padded(plans: Sequence[FusionPlan]) -> tuple[FusionPlan, ...]:
    """The plans, with what `graph-pad-planes` weighed in their functions."""
    reports = take_reports(PaddingReport)
    return tuple(
        replace(
            plan, padded=tuple(one for report in reports for one in report.records.get(plan.function, ()))
        )
        for plan in plans
    )


__all__ = ["GroupReports"]
