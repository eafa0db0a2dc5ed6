"""What `ascend-plan-workspace` decided: which tensor lies where in GM."""

from typing import Any

from ...dialects.records import dataclass
from .workspace_plan import WorkspacePlan


@dataclass(frozen=True)
class WorkspaceReport:
    """Which tensor lies where, for people and programs."""

    plans: tuple[WorkspacePlan, ...]
    name: str = "ascend-plan-workspace"

    def to_text(self) -> str:
        lines: list[str] = []
        for one in self.plans:
            at = "" if one.size is None else f" at size {one.size}"
            lines.append(
                f"workspace of @{one.function}{at}: peak {one.plan.peak} of {one.apart} B without reuse, "
                f"at least {one.plan.bound} B"
            )
            for buffer, (offset,) in zip(one.problem.buffers, one.plan.offsets, strict=True):
                lines.append(
                    f"    {buffer.name}: {buffer.size} B at {offset}, launches {buffer.start} to {buffer.end - 1}"
                )
        return "\n".join(lines)

    def to_json(self) -> Any:
        return [
            {
                "function": one.function,
                "peak_bytes": one.plan.peak,
                "bound_bytes": one.plan.bound,
                "bytes_without_reuse": one.apart,
                "tensors": [
                    {"name": b.name, "bytes": b.size, "offset": at, "launches": [b.start, b.end - 1]}
                    for b, (at,) in zip(one.problem.buffers, one.plan.offsets, strict=True)
                ],
            }
            for one in self.plans
        ]
