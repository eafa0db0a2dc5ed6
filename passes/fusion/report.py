"""What `tile-fuse` and `tile-from-graph` decided, for people and for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from math import prod
from typing import Any

from ...dialects import tile
from ...dialects.attributes import tensor_type
from ...dialects.element_types import bytes_of
from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import layout_of
from ..selection.store_grain import apart, store_unit
from ..support.run_size import typical
from ..support.words import counted
from .candidates import Candidate, JoinRecord, PaddingRecord
from .cost_model import GroupCost
from .model_totals import ModelTotals
from .opportunities import Opportunity
from .plan import FusionPlan
from .report_graph import FusionGraph
from .search import Searched
from .traffic import KernelTraffic, cores_of, kernel_traffic

LARGE = 1 << 18
"""Bytes of a result from which on few cores are given a reason."""
FEW = 3 / 4
"""Of a chip's cores: fewer are few."""
LEAST_AGAIN = 5e-4
"""Share of a kernel's operations from which on it is said that they are computed again."""


@dataclass(frozen=True)
class KernelRecord:
    """One kernel as it was built: its ops, what it moves, and what was predicted for it; where it is dynamic, all at
    the middle one of `sizes`."""

    name: str
    ops: tuple[str, ...]
    cores: int
    tiles: tuple[int, ...]
    traffic: KernelTraffic
    cost: GroupCost | None = None
    cores_note: str = ""
    """Why no more cores work on it; empty where there are tiles for more."""
    sizes: tuple[int, ...] = ()
    """The run-time sizes that its tiles are for; empty where it is static."""
    most_cores: int = 0
    """Cores at sizes with tiles for all of them."""

    @staticmethod
    def of(kernel: tile.KernelOp, target: Target, cost: GroupCost | None = None) -> "KernelRecord":
        ops = tuple(op.data for op in kernel.ops)
        return KernelRecord(
            kernel.kernel_name.data,
            ops,
            cores_of(kernel),
            kernel.tile_sizes,
            kernel_traffic(kernel),
            cost,
            _cores_note(kernel, target),
            kernel.size_list,
            kernel.schedule.cores,
        )

    def to_lines(self) -> list[str]:
        notes = (self.cores_line, *self.traffic_lines())
        return [f"  kernel {joined(self.ops)}: {self.bytes_line}", *(f"    {line}" for line in notes)]

    @property
    def bytes_line(self) -> str:
        """GM bytes, operations for each of them, predicted time."""
        traffic, cost = self.traffic, self.cost
        packed = (
            " (weights as packed)" if cost is not None and cost.bytes - cost.again != traffic.once else ""
        )
        numbers = f"{traffic.once} B of GM with each tensor once{packed}, {traffic.reread} B of re-reads"
        if cost is not None:
            numbers += f", {cost.intensity:.1f} op/B, {cost.time_us:.1f} us predicted"
        return numbers

    @property
    def cores_line(self) -> str:
        """Tiles, how many cores work on them, and why."""
        tiles = "x".join(str(size) for size in self.tiles)
        most = f" (at larger sizes up to {self.most_cores})" if self.most_cores > self.cores else ""
        note = self.cores_note and f": {self.cores_note}"
        return f"tiles {tiles} on {counted(self.cores, 'core')}{most}{note}"

    def traffic_lines(self) -> list[str]:
        """What is read of each operand, how often and why, and what is written."""
        lines: list[str] = []
        for o in self.traffic.operands:
            why = f" ({o.reason})" if o.reason else ""
            times = f"{round(o.read / o.part, 2):g}" if o.part else "0"
            of = f" of its {o.bytes} B" if o.part < o.bytes else ""
            lines.append(f"reads {o.name}: {times} x {o.part} B{of} = {o.read} B{why}")
        return [*lines, f"writes {self.traffic.written} B"]

    def to_json(self) -> dict[str, Any]:
        traffic, cost = self.traffic, self.cost
        return {
            "name": self.name,
            "ops": list(self.ops),
            "cores": self.cores,
            "most_cores": max(self.cores, self.most_cores),
            "cores_note": self.cores_note,
            "tiles": list(self.tiles),
            "bytes": traffic.once,
            "reread_bytes": traffic.reread,
            "read_bytes": traffic.read,
            "written_bytes": traffic.written,
            "arithmetic_intensity": cost.intensity if cost else None,
            "time_us": cost.time_us if cost else None,
            "operands": [
                {
                    "name": o.name,
                    "bytes": o.bytes,
                    "part_bytes": o.part,
                    "read_bytes": o.read,
                    "reread_bytes": o.reread,
                    "overlap": o.overlap,
                    "repeats": [{"dimension": d, "tiles": count} for d, count in o.repeats],
                }
                for o in traffic.operands
            ],
        }


@dataclass(frozen=True)
class FusionReport:
    """Every decision of `tile-fuse`; `kernels` holds what each plan became."""

    plans: tuple[FusionPlan, ...]
    kernels: tuple[tuple[KernelRecord, ...], ...]
    tile_choice: str = ""
    launch_note: str = ""
    graphs: tuple[FusionGraph, ...] = ()
    totals: tuple[ModelTotals, ...] = ()
    opportunities: tuple[tuple[Opportunity, ...], ...] = ()
    name: str = "tile-fuse"

    def to_text(self) -> str:
        lines: list[str] = []
        for plan, kernels in zip(self.plans, self.kernels, strict=True):
            lines.append(self.headline(plan, kernels))
            for kernel in kernels:
                lines.extend(kernel.to_lines())
            lines.extend(f"  {line}" for line in layout_lines(plan))
            lines.extend(f"  {line}" for line in padding_lines(plan))
            lines.extend(f"  {line}" for line in (*join_lines(plan), *view_lines(plan)))
            for candidate in plan.candidates:
                lines.extend(_candidate_lines(candidate, self.launch_note))
            lines.extend(f"  {line}" for line in searched_lines(plan))
        return "\n".join(lines)

    def headline(self, plan: FusionPlan, kernels: Sequence[KernelRecord]) -> str:
        """What fusion did to one function, in a line."""
        return f"{_headline(plan, kernels)}; tile sizes {self.tile_choice}"

    def to_json(self) -> Any:
        return [
            {
                "function": plan.function,
                **_sizes_json(kernels),
                "ops": len(plan.before),
                "tile_choice": self.tile_choice,
                "bytes_before": _total(plan.before, "bytes"),
                "bytes_after": _total(plan.costs, "bytes"),
                "time_us_before": _total(plan.before, "time_us"),
                "time_us_after": _total(plan.costs, "time_us"),
                "kernels": [kernel.to_json() for kernel in kernels],
                "layouts": [asdict(layout) for layout in plan.layouts],
                "padded": [{"taken": one.taken, **asdict(one)} for one in plan.padded],
                "joins": [{"joined": one.joined, **asdict(one)} for one in plan.joins],
                "views": [asdict(one) for one in plan.views],
                "candidates": [_candidate_json(c) for c in plan.candidates],
                "searched": [asdict(change) for change in plan.searched],
            }
            for plan, kernels in zip(self.plans, self.kernels, strict=True)
        ]


@dataclass(frozen=True)
class UnfusedReport:
    """The kernels of `tile-from-graph`."""

    kernels: tuple[KernelRecord, ...]
    tile_choice: str = ""
    name: str = "tile-from-graph"

    def to_text(self) -> str:
        lines = [self.headline]
        for kernel in self.kernels:
            lines.extend(kernel.to_lines())
        return "\n".join(lines)

    @property
    def headline(self) -> str:
        """How many kernels there are, in a line."""
        count = counted(len(self.kernels), "kernel")
        return f"unfused{_at_size(self.kernels)}: {count}; tile sizes {self.tile_choice}"

    def to_json(self) -> Any:
        return [{**kernel.to_json(), **_sizes_json([kernel])} for kernel in self.kernels]


def _at_size(kernels: Sequence[KernelRecord]) -> str:
    """The size that the numbers of some kernels are for, as the end of a title; empty where all are static."""
    sizes = next((kernel.sizes for kernel in kernels if kernel.sizes), ())
    if not sizes:
        return ""
    return f" at size {typical(sizes)} (tiles are for {', '.join(map(str, sizes))})"


def _sizes_json(kernels: Sequence[KernelRecord]) -> dict[str, Any]:
    sizes = next((kernel.sizes for kernel in kernels if kernel.sizes), ())
    return {"size": typical(sizes) if sizes else None, "sizes": list(sizes)}


def _cores_note(kernel: tile.KernelOp, target: Target) -> str:
    """Why a kernel runs on the cores that it has; empty where there are tiles for more. Of a large result that few
    cores work on: why there are no more tiles."""
    cores, points = cores_of(kernel), prod(kernel.grid)
    if cores == points:
        note = "one tile covers the result" if points == 1 else f"one for each of its {points} tiles"
        few = FEW * (target.cores if _has_product(kernel) else target.vector_units)
        large = kernel_traffic(kernel).written >= LARGE
        return f"{note}; {_least_tiles_note(kernel, target)}" if large and cores < few else note
    if kernel.schedule.inner is not None:
        return f"each core walks all tiles of dimension {kernel.schedule.inner}, which share an operand in L1"
    if cores == 1 or (kernel.walked and cores == kernel.shared_points):
        whose = "one core walks all" if cores == 1 else f"each core walks {points // cores}"
        return f"neighbours among its {points} tiles share 32 B blocks of the result, so {whose}"
    return ""


def _has_product(kernel: tile.KernelOp) -> bool:
    return any(isinstance(op, tile.ContractOp) for op in kernel.walk())


def _least_tiles_note(kernel: tile.KernelOp, target: Target) -> str:
    """What stands against smaller tiles."""
    result, stored = kernel.outputs[0], tensor_type(kernel.body.block.args[len(kernel.inputs)])
    unit = store_unit(target, bytes_of(stored.element_type))
    extents = tuple(kernel.extent_list[d] if n < 0 else n for d, n in enumerate(stored.get_shape()))
    tiles = tuple(map(min, kernel.tile_sizes, extents))
    rows = {d for op in kernel.walk() if isinstance(op, tile.ReduceOp) for d in op.dim_list}
    rows |= {op.dim.value.data for op in kernel.walk() if isinstance(op, tile.ScanOp)}
    cut = [d for d, size in enumerate(tiles) if size > 1 and d not in rows]
    if not cut:
        return "a core has whole rows"
    halves = [(*tiles[:d], -(-tiles[d] // 2), *tiles[d + 1 :]) for d in cut]
    if layout_of(result.type) is None and not any(apart(extents, half, unit) for half in halves):
        return "smaller ones would share 32 B blocks of the result"
    return "smaller ones are predicted to be no faster"


def joined(names: Sequence[str]) -> str:
    """Op names without their dialect, as a sum."""
    return bare_names(names, " + ")


def _total(costs: Sequence[GroupCost | None], what: str) -> float | None:
    """The sum over all kernels; None where one of them is unknown."""
    return None if None in costs else sum(getattr(cost, what) for cost in costs)


def _headline(plan: FusionPlan, records: Sequence[KernelRecord]) -> str:
    ops, kernels = counted(len(plan.before), "op"), counted(len(plan.groups), "kernel")
    line = f"fusion of @{plan.function}{_at_size(records)}: {ops} -> {kernels}"
    before, after = _total(plan.before, "bytes"), _total(plan.costs, "bytes")
    if before and after is not None:
        once = after - (_total(plan.costs, "again") or 0)
        given = "" if once == sum(record.traffic.once for record in records) else ", weights as given"
        line += f", {before} -> {after} B of GM ({1 - after / before:.0%} saved{given}), "
        line += f"{_total(plan.before, 'time_us'):.1f} -> {_total(plan.costs, 'time_us'):.1f} us predicted"
    return line


def _candidate_lines(c: Candidate, launch_note: str) -> list[str]:
    verdict = "taken" if c.taken else "refused"
    lines = [f"  {verdict}: {joined(c.producer)} into {joined(c.consumer)}: {c.reason}"]
    if c.bytes_before:
        lines.append(
            f"    kernels {c.kernels} -> 1, bytes {c.bytes_before} -> {c.bytes_after} ({c.gain:.0%} saved), "
            f"time {c.time_before:.1f} -> {c.time_after:.1f} us, {c.intensity:.1f} op/B"
        )
    lines += [f"    {note}" for note in candidate_notes(c)]
    if c.warning:
        lines.append(f"    warning: {c.warning}")
    seen = [check for check in c.checks if check.passed is not None]
    lines += [f"    [{'x' if check.passed else ' '}] {check.name}: {check.note}" for check in seen]
    return [*lines, *(f"    {note}" for note in flip_notes(c, launch_note))]


def candidate_notes(c: Candidate) -> list[str]:
    """What the fused kernel is like, where it was weighed."""
    if not c.bytes_before:
        return []
    again = f"{c.again:.1%} of its operations are computed again by neighbouring tiles"
    return [f"{c.quadrant}: complexity {c.complexity}", *([again] if c.again >= LEAST_AGAIN else [])]


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


def padding_lines(plan: FusionPlan) -> list[str]:
    """Results with more lines or columns than the graph's, and why."""
    return [_padding_line(one) for one in plan.padded]


def _padding_line(one: PaddingRecord) -> str:
    shape, larger = ("x".join(map(str, sizes)) for sizes in (one.shape, one.padded))
    few = f"of {shape} {counted(one.cores, 'core')} could share the 32 B blocks"
    return (
        f"{'padded' if one.taken else 'not padded'}: {joined(one.ops)} to {larger}: {few}; "
        f"{one.time_before:.1f} us as it is, {one.time_after:.1f} us with a kernel that takes the part"
    )


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


def searched_lines(plan: FusionPlan) -> list[str]:
    """Groups that the search took apart or put together after the candidates were decided."""
    return [_searched_line(change) for change in plan.searched]


def _searched_line(s: Searched) -> str:
    how = "every grouping weighed" if s.exact else "the best few followed"
    before, after = (" | ".join(joined(group) for group in groups) for groups in (s.before, s.after))
    return (
        f"searched ({how}): {before} -> {after}: time {s.time_before:.1f} -> {s.time_after:.1f} us, "
        f"bytes {s.bytes_before} -> {s.bytes_after}"
    )


def _candidate_json(c: Candidate) -> dict[str, Any]:
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
