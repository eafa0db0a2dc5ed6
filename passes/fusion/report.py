"""What `tile-group` and `tile-group-ops` decided, and the kernels that came of it, for people and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ...dialects.records import dataclass
from ...runtime.machine.error_bars import Interval, alike, ends_text
from ..regions.loads import op_names
from ..support.words import counted
from .candidates import Candidate, JoinRecord
from .group_cost import GroupCost
from .kernel_record import Intervals, KernelRecord, at_size, joined, said_of, sizes_json
from .model_totals import ModelTotals
from .opportunities import Opportunity
from .padding_report import padding_json, padding_lines
from .plan import FusionPlan
from .predicted_intervals import INSIDE, interval_of_kernels, lies_inside, plan_intervals
from .report_graph import FusionGraph
from .search import Searched

LEAST_AGAIN = 5e-4
"""Share of a kernel's operations from which on it is said that they are computed again."""


Records = Mapping[tuple[str, str], KernelRecord]
"""What is known of the kernels of a module, by the names of function and kernel, in program order."""


@dataclass(frozen=True)
class FusionReport:
    """Every decision about which ops share a kernel. `kernels` holds what the groups of each plan became; nothing as
    long as they are groups."""

    plans: tuple[FusionPlan, ...]
    kernels: tuple[tuple[KernelRecord, ...], ...] = ()
    tile_choice: str = ""
    launch_note: str = ""
    graphs: tuple[FusionGraph, ...] = ()
    totals: tuple[ModelTotals, ...] = ()
    opportunities: tuple[tuple[Opportunity, ...], ...] = ()
    name: str = "tile-fuse"

    def with_kernels(self, records: Records, tile_choice: str) -> "FusionReport":
        """The report with the kernels of the groups that it is about, as far as these are as they were."""
        kernels = tuple(
            tuple(records[key] for name in plan.names if (key := (plan.function, name)) in records)
            for plan in self.plans
        )
        return replace(self, kernels=kernels, tile_choice=tile_choice)

    @property
    def named(self) -> set[tuple[str, str]]:
        """The names of function and group of all groups."""
        return {(plan.function, name) for plan in self.plans for name in plan.names}

    @property
    def built(self) -> list[tuple[FusionPlan, tuple[KernelRecord, ...], ModelTotals | None]]:
        """The plans, each with its kernels and what is known of the whole graph."""
        count = len(self.plans)
        return list(zip(self.plans, self.kernels or [()] * count, self.totals or [None] * count, strict=True))

    def to_text(self) -> str:
        lines: list[str] = []
        for plan, kernels, known in self.built:
            chip, within = known.chip if known else "", plan_intervals(plan, known)
            lines.append(self.headline(plan, kernels, known))
            for kernel in kernels:
                lines.extend(kernel.to_lines(within))
            lines.extend([] if self.kernels else _group_lines(plan, within))
            lines.extend(f"  {line}" for line in layout_lines(plan))
            lines.extend(f"  {line}" for line in padding_lines(plan.padded))
            lines.extend(f"  {line}" for line in (*join_lines(plan), *view_lines(plan)))
            for candidate in plan.candidates:
                lines.extend(_candidate_lines(candidate, self.launch_note, chip))
            lines.extend(f"  {line}" for line in searched_lines(plan, chip))
        return "\n".join(lines)

    def headline(self, plan: FusionPlan, kernels: Sequence[KernelRecord], known: ModelTotals | None) -> str:
        """What fusion did to one function, in a line."""
        chosen = f"; tile sizes {self.tile_choice}" if self.kernels else ""
        return f"{_headline(plan, kernels if self.kernels else None, known)}{chosen}"

    def to_json(self) -> Any:
        return [_plan_json(plan, kernels, known, self.tile_choice) for plan, kernels, known in self.built]


@dataclass(frozen=True)
class UnfusedReport:
    """Kernels that no prediction grouped: those of `tile-group-ops`, or of groups that came as such. `named`: the names
    of function and group of those that it is about."""

    kernels: tuple[KernelRecord, ...] = ()
    tile_choice: str = ""
    name: str = "tile-from-graph"
    title: str = "unfused"
    named: frozenset[tuple[str, str]] = frozenset()

    def with_kernels(self, records: Records, tile_choice: str) -> "UnfusedReport":
        """The report with the kernels that it is about."""
        kernels = tuple(record for key, record in records.items() if key in self.named)
        return replace(self, kernels=kernels, tile_choice=tile_choice)

    @staticmethod
    def stated(records: Records, tile_choice: str) -> "UnfusedReport":
        """The report of kernels whose groups came as such."""
        return UnfusedReport(tuple(records.values()), tile_choice, "tile-from-groups", "groups as stated")

    def to_text(self) -> str:
        lines = [self.headline]
        for kernel in self.kernels:
            lines.extend(kernel.to_lines())
        return "\n".join(lines)

    @property
    def headline(self) -> str:
        """How many kernels there are, in a line."""
        if not self.kernels:
            return f"{self.title}: {counted(len(self.named), 'group')}"
        count = counted(len(self.kernels), "kernel")
        return f"{self.title}{at_size(self.kernels)}: {count}; tile sizes {self.tile_choice}"

    def to_json(self) -> Any:
        return [{**kernel.to_json(), **sizes_json([kernel])} for kernel in self.kernels]


def _plan_json(
    plan: FusionPlan, kernels: Sequence[KernelRecord], known: ModelTotals | None, tile_choice: str
) -> dict[str, Any]:
    chip, within = known.chip if known else "", plan_intervals(plan, known)
    before, after = _intervals(known)
    return {
        "function": plan.function,
        **sizes_json(kernels),
        "ops": len(plan.before),
        "tile_choice": tile_choice,
        "bytes_before": _total(plan.before, "bytes"),
        "bytes_after": _total(plan.costs, "bytes"),
        "time_us_before": _total(plan.before, "time_us"),
        "interval_us_before": before,
        "time_us_after": _total(plan.costs, "time_us"),
        "interval_us_after": after,
        "inside_interval": _is_inside(plan, known),
        "kernels": [kernel.to_json(within.get(kernel.name)) for kernel in kernels],
        "layouts": [asdict(layout) for layout in plan.layouts],
        "padded": padding_json(plan.padded),
        "joins": [{"joined": one.joined, **asdict(one)} for one in plan.joins],
        "views": [asdict(one) for one in plan.views],
        "candidates": [_candidate_json(c, chip) for c in plan.candidates],
        "searched": [
            {**asdict(one), "inside_interval": lies_inside(one.time_before, one.time_after, chip)}
            for one in plan.searched
        ],
    }


def _intervals(known: ModelTotals | None) -> tuple[Interval | None, Interval | None]:
    """Where the times of all kernels lie, before fusion and after."""
    before, after = (known.before, known.after) if known else (None, None)
    chip = known.chip if known else ""
    return (
        before and interval_of_kernels(before.times, chip),
        after and interval_of_kernels(after.times, chip),
    )


def _is_inside(plan: FusionPlan, known: ModelTotals | None) -> bool:
    """Whether a prediction does not tell the kernels of a plan that fuses from one for each op."""
    if known is None or known.before is None or known.after is None or len(plan.groups) == len(plan.before):
        return False
    before, after = _intervals(known)
    return alike(known.before.time_us, before, known.after.time_us, after)


def _total(costs: Sequence[GroupCost | None], what: str) -> float | None:
    """The sum over all kernels; None where one of them is unknown."""
    return None if None in costs else sum(getattr(cost, what) for cost in costs)


def _headline(plan: FusionPlan, records: Sequence[KernelRecord] | None, known: ModelTotals | None) -> str:
    """What fusion did; `records` of the kernels, None where there are groups so far."""
    ops, kernels = (
        counted(len(plan.before), "op"),
        counted(len(plan.groups), "group" if records is None else "kernel"),
    )
    line = f"fusion of @{plan.function}{at_size(records or ())}: {ops} -> {kernels}"
    before, after = _total(plan.before, "bytes"), _total(plan.costs, "bytes")
    if before and after is not None:
        once = after - (_total(plan.costs, "again") or 0)
        same = records is None or not any(record.traffic.packed for record in records)
        same = same or once == sum(record.traffic.once for record in records or ())
        given = "" if same else ", weights as given"
        line += f", {before} -> {after} B of GM ({1 - after / before:.0%} saved{given}), "
        line += f"{_total(plan.before, 'time_us'):.1f} -> {_total(plan.costs, 'time_us'):.1f} us predicted"
        if known is not None:
            line += f" ({ends_text(_intervals(known)[1])})"
            line += f", {INSIDE}" if _is_inside(plan, known) else ""
    return line


def _group_lines(plan: FusionPlan, within: Intervals) -> list[str]:
    """The groups of a plan whose kernels are still to be built."""
    return [
        f"  group {joined(op_names(group))}: {_group_costs(cost)}{said_of(name, within)}"
        for name, group, cost in zip(plan.names, plan.groups, plan.costs, strict=True)
    ]


def _group_costs(cost: GroupCost | None) -> str:
    if cost is None:
        return "there is no kernel of it"
    return f"{cost.bytes} B of GM, {cost.intensity:.1f} op/B, {cost.time_us:.1f} us predicted"


def _candidate_lines(c: Candidate, launch_note: str, chip: str) -> list[str]:
    verdict = "taken" if c.taken else "refused"
    lines = [f"  {verdict}: {joined(c.producer)} into {joined(c.consumer)}: {c.reason}"]
    if c.bytes_before:
        lines.append(
            f"    kernels {c.kernels} -> 1, bytes {c.bytes_before} -> {c.bytes_after} ({c.gain:.0%} saved), "
            f"time {c.time_before:.1f} -> {c.time_after:.1f} us, {c.intensity:.1f} op/B"
        )
    lines += [f"    {note}" for note in candidate_notes(c, chip)]
    if c.warning:
        lines.append(f"    warning: {c.warning}")
    seen = [check for check in c.checks if check.passed is not None]
    lines += [f"    [{'x' if check.passed else ' '}] {check.name}: {check.note}" for check in seen]
    return [*lines, *(f"    {note}" for note in flip_notes(c, launch_note))]


def candidate_notes(c: Candidate, chip: str) -> list[str]:
    """What the fused kernel is like, where it was weighed."""
    if not c.bytes_before:
        return []
    again = f"{c.again:.1%} of its operations are computed again by neighbouring tiles"
    return [
        f"{c.quadrant}: complexity {c.complexity}",
        *([again] if c.again >= LEAST_AGAIN else []),
        *([INSIDE] if lies_inside(c.time_before, c.time_after, chip) else []),
    ]


def flip_notes(c: Candidate, launch_note: str) -> list[str]:
    """At which cost of a launch the decision would be the other one."""
    if not c.flips:
        return []
    costs = " or ".join(f"{cost:g}" for cost in c.flips)
    other = "refused" if c.taken else "taken"
    return [f"would be {other} if a launch took {costs} us: {launch_note}"]


def layout_lines(plan: FusionPlan) -> list[str]:
    """How tensors between kernels lie, and why."""
    return [f"layout: {layout}" for layout in plan.layouts]


def join_lines(plan: FusionPlan) -> list[str]:
    """Which concatenations are no kernels, and why the others are."""
    return [_join_line(one) for one in plan.joins]


def _join_line(one: JoinRecord) -> str:
    shape = "x".join(map(str, one.shape))
    if one.joined:
        return f"joined: the kernels of its {one.parts} parts write into %{one.name} ({shape})"
    return f"not joined: concat to %{one.name} ({shape}) is a kernel: {one.reason}"


def view_lines(plan: FusionPlan) -> list[str]:
    """Which slices are no kernels."""
    return [
        f"view: %{one.name} ({'x'.join(map(str, one.shape))}) is a part of %{one.source}"
        for one in plan.views
    ]


def searched_lines(plan: FusionPlan, chip: str) -> list[str]:
    """Groups that the search took apart or put together after the candidates were decided."""
    return [_searched_line(change, chip) for change in plan.searched]


def _searched_line(s: Searched, chip: str) -> str:
    how = "every grouping weighed" if s.exact else "the best few followed"
    before, after = (" | ".join(joined(group) for group in groups) for groups in (s.before, s.after))
    return (
        f"searched ({how}): {before} -> {after}: time {s.time_before:.1f} -> {s.time_after:.1f} us, "
        f"bytes {s.bytes_before} -> {s.bytes_after}"
        f"{f'; {INSIDE}' if lies_inside(s.time_before, s.time_after, chip) else ''}"
    )


def _candidate_json(c: Candidate, chip: str) -> dict[str, Any]:
    return {
        "producer": list(c.producer),
        "consumer": list(c.consumer),
        "location": c.location,
        "sources": list(c.sources),
        "taken": c.taken,
        "reason": c.reason,
        "warning": c.warning,
        "kernels": c.kernels,
        "bytes_before": c.bytes_before,
        "bytes_after": c.bytes_after,
        "time_us_before": c.time_before,
        "time_us_after": c.time_after,
        "inside_interval": c.bytes_before > 0 and lies_inside(c.time_before, c.time_after, chip),
        "gain": c.gain,
        "arithmetic_intensity": c.intensity,
        "computed_again": c.again,
        "added_occupancy": c.occupancy,
        "occupancy": c.ub,
        "complexity": {"total": c.complexity.total, **asdict(c.complexity)},
        "occurrences": c.occurrences,
        "quadrant": c.quadrant,
        "checklist": [{"item": k.name, "passed": k.passed, "note": k.note} for k in c.checks],
        "flips_at_launch_us": list(c.flips),
    }
