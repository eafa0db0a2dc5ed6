"""Writing what passes decided as a plan's file."""

from __future__ import annotations

from ...passes.plans.plan import Plan
from ..text.output_files import put_text
from .explain import UsageError


def save_plan(path: str | None, plan: Plan | None) -> None:
    """Write a plan, where a file is named. `UsageError` where there is none, as nothing was fused."""
    if path is None:
        return
    if plan is None:
        raise UsageError("--save-plan: nothing was fused, so there is no plan")
    put_text(path, plan.to_text())


__all__ = ["save_plan"]
