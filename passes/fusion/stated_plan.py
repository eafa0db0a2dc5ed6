"""What a plan's file says to `tile-group`, function by function; and what it decides, for those who collect plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp

from ...dialects import tile
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..kernels.common.stated import GROUP_TILING, PLANNED_IN, to_attribute
from ..plans.collected import add_plan, plans_wanted
from ..plans.plan import FunctionPlan, Plan, PlanError, described, plan_of_text, read_plan
from ..support.module import kernel_ops
from ..support.report import add_note, add_report
from .plan import FusionPlan
from .planned_groups import check_ops, conflict, planned_groups, recorded
from .planned_tilings import planned_tilings

Tilings = Mapping[str, Mapping[str, Any]]
"""Fields of the tilings of groups, by name."""


@dataclass(frozen=True)
class PlanReport:
    """What of a plan was not taken, as the graph says something else. `refused`: functions of which nothing was."""

    notes: tuple[str, ...]
    refused: tuple[str, ...] = ()
    name: str = "plan"

    def to_text(self) -> str:
        return "\n".join(f"plan: {note}" for note in self.notes)

    def to_json(self) -> Any:
        return list(self.notes)


@dataclass
class StatedPlan:
    """A plan's file, or none, and what was found of the function that is at hand."""

    plan: Plan | None
    where: str
    notes: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    _ops: tuple[str, ...] = ()
    _taken: FunctionPlan | None = None
    _predicted: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    """µs of kernels with what their ops state beside the plan, by name."""

    @staticmethod
    def read(path: str | None, target: Target, functions: Sequence[FuncOp]) -> StatedPlan:
        """The plan of a file, or that a text states, for a chip; `PlanError` where it is none, one for another, or says
        nothing of any of the functions."""
        if path is None:
            return StatedPlan(None, "")
        is_text = path.lstrip().startswith("{")
        plan, where = (plan_of_text(path), "the plan") if is_text else (read_plan(path), path)
        plan.check_chip(target, where)
        names = [function.sym_name.data for function in functions if kernel_ops(function)]
        if names and not any(name in plan.functions for name in names):
            here, there = (", ".join(f"@{name}" for name in some) for some in (names, plan.functions))
            raise PlanError(f"{where} is a plan of {there or 'nothing'}, not of {here}")
        return StatedPlan(plan, where)

    def groups(self, function: FuncOp, limits: Sequence[str] = ()) -> FusionPlan | None:
        """The groups of a function as the plan states them; None where nothing is stated, or where the graph itself
        states other groups. `limits`: what is said of fusion, which does not count beside the plan."""
        self._taken, self._predicted = None, {}
        name, ops = function.sym_name.data, kernel_ops(function)
        self._ops = described(function) if self.plan is not None or plans_wanted() else ()
        if self.plan is None or not ops:
            return None
        planned = self.plan.functions.get(name)
        if planned is None:
            self.notes.append(f"{self.where} says nothing of @{name}")
            return None
        check_ops(planned, self._ops, name, self.where + self._made_for())
        if reason := conflict(planned, ops):
            self.notes.append(f"groups of @{name} are not those of {self.where}: {reason}")
            self.refused.append(name)
            return None
        self._taken = planned
        self.notes += [f"{limit} has no effect: @{name} is fused as {self.where} says" for limit in limits]
        return planned_groups(function, planned, self.where)

    def _made_for(self) -> str:
        """The sizes of dimensions that tuning made the plan for, in words; empty where it says none."""
        dims: Any = {} if self.plan is None else self.plan.about.get("dims")
        sizes = cast(dict[str, Any], dims).items() if isinstance(dims, dict) else ()
        return f" (made for {', '.join(f'{name}={size}' for name, size in sizes)})" if sizes else ""

    def predicted(self, plan: FusionPlan) -> list[float | None]:
        """µs of each group, as predicted now or when the plan was made; behind `tilings`."""
        if self._taken is None:
            return [cost and cost.time_us for cost in plan.costs]
        known = {kernel.name: kernel.predicted_us for kernel in self._taken.kernels} | dict(self._predicted)
        return [known[name] for name in plan.names]

    def record(self, function: FuncOp, plan: FusionPlan) -> None:
        """Hand on what was decided of a function, to who collects it."""
        if plans_wanted():
            add_plan(function.sym_name.data, recorded(plan, self._ops, self.predicted(plan), function))

    def tilings(self, function: FuncOp, plan: FusionPlan, target: Target) -> Tilings:
        """The tilings of the groups that the plan has; of a function whose ops have their places still."""
        if self._taken is None:
            return {}
        found = planned_tilings(function, plan, self._taken, target)
        self.notes += [one.note for one in found.values() if one.note]
        self._predicted = {name: one.predicted_us for name, one in found.items()}
        return {name: one.fields for name, one in found.items() if one.fields}

    def put_tilings(self, groups: Sequence[tile.GroupOp], tilings: Tilings) -> None:
        """State the tilings of groups, by name."""
        for group in groups:
            if (tiling := tilings.get(group.group_name.data)) is not None:
                group.attributes[GROUP_TILING] = to_attribute(dict(tiling))
                group.attributes[PLANNED_IN] = StringAttr(self.where)

    def report(self) -> None:
        """Say what was not taken."""
        for note in self.notes:
            add_note(note)
        if self.notes:
            add_report(PlanReport(tuple(self.notes), tuple(self.refused)))


__all__ = ["PlanReport", "StatedPlan"]
