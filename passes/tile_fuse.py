"""Fusion: groups of graph ops become one `tile.kernel` each.

    %1 = graph.conv2d %x, %w             ->   %3 = tile.kernel "f_0"(%x, %packed, %b) {…
    %2 = graph.bias_add %1, %b                  %acc = tile.contract …
    %3 = graph.leaky_relu %2                    … tile.vec "vadd" … tile.vec "vlrelu" … tile.store

What joins what is decided in `fusion_plan`; the report says why, with bytes and time before and after.
"""

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..dialects.target import load_target
from .fusion_plan import MIN_GAIN, Candidate, FusionPlan, plan_fusion
from .graph_module import check_dtypes, kernel_ops, prepare_graph, set_target, target_of
from .kernels import build_kernel
from .report import add_report


@dataclass(frozen=True)
class FusionReport:
    """Every decision of `tile-fuse`, for people and programs."""

    plans: tuple[FusionPlan, ...]
    name: str = "tile-fuse"

    def to_text(self) -> str:
        lines: list[str] = []
        for plan in self.plans:
            before = sum(len(g) for g in plan.groups)
            lines.append(f"fusion of @{plan.function}: {before} ops -> {len(plan.groups)} kernels")
            for group, cost in zip(plan.groups, plan.costs, strict=True):
                names = " + ".join(op.name.removeprefix("graph.") for op in group)
                numbers = f": {cost.bytes} B of GM, {cost.time_us:.1f} us predicted" if cost else ""
                lines.append(f"  kernel {names}{numbers}")
            for c in plan.candidates:
                lines.extend(_candidate_lines(c))
        return "\n".join(lines)

    def to_json(self) -> Any:
        return [
            {
                "function": plan.function,
                "kernels": [
                    {
                        "ops": [op.name for op in group],
                        "bytes": cost.bytes if cost else None,
                        "time_us": cost.time_us if cost else None,
                    }
                    for group, cost in zip(plan.groups, plan.costs, strict=True)
                ],
                "candidates": [
                    {
                        "producer": list(c.producer),
                        "consumer": list(c.consumer),
                        "location": c.location,
                        "taken": c.taken,
                        "reason": c.reason,
                        "bytes_before": c.bytes_before,
                        "bytes_after": c.bytes_after,
                        "time_us_before": c.time_before,
                        "time_us_after": c.time_after,
                        "gain": c.gain,
                        "arithmetic_intensity": c.intensity,
                        "occupancy": c.occupancy,
                        "complexity": c.complexity,
                        "occurrences": c.occurrences,
                        "quadrant": c.quadrant,
                    }
                    for c in plan.candidates
                ],
            }
            for plan in self.plans
        ]


def _candidate_lines(c: Candidate) -> list[str]:
    joined = " + ".join(n.removeprefix("graph.") for n in c.producer)
    into = " + ".join(n.removeprefix("graph.") for n in c.consumer)
    lines = [f"  {'taken' if c.taken else 'refused'}: {joined} into {into}: {c.reason}"]
    if c.bytes_before:
        lines.append(
            f"    bytes {c.bytes_before} -> {c.bytes_after} ({c.gain:.0%} saved), time {c.time_before:.1f} -> "
            f"{c.time_after:.1f} us, {c.intensity:.1f} op/B, UB {c.occupancy:.0%}, "
            f"complexity {c.complexity}, occurs {c.occurrences} x: {c.quadrant}"
        )
    return lines


@dataclass(frozen=True)
class TileFuse(ModulePass):
    """Group graph ops and build their kernels. `min_gain`: the share of bytes that pays without a gain in time."""

    name = "tile-fuse"
    target: str | None = None
    min_gain: float = MIN_GAIN

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = load_target(target_of(op, self.target))
        plans: list[FusionPlan] = []
        for function in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            prepare_graph(function)
            for graph_op in kernel_ops(function):
                check_dtypes(graph_op, target)
            plan = plan_fusion(function, target, self.min_gain)
            plans.append(plan)
        add_report(FusionReport(tuple(plans)))
        for plan in plans:
            for index, group in enumerate(plan.groups):
                build_kernel(f"{plan.function}_{index}", group, target)
        set_target(op, target.name)
