"""Writing what passes decided as a plan's file. Nothing of plans is imported where nobody wants one."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ..text.output_files import OutputError, put_text

if TYPE_CHECKING:
    from ...passes.plans.plan import FunctionPlan, Plan


@contextmanager
def plans_collected(path: str | None) -> Generator[Mapping[str, FunctionPlan]]:
    """Collect the plans of functions while the context is open, where a file is named for them."""
    if path is None:
        yield {}
        return
    from ...passes.plans.collected import collect_plans

    with collect_plans() as plans:
        yield plans


def plan_of(module: ModuleOp, target: str | None, plans: Mapping[str, FunctionPlan]) -> Plan | None:
    """The plan of a module's functions on its chip; None where there are none."""
    from ...passes.plans.plan import Plan, digest_of
    from ...passes.support.module import chip_of

    chip = chip_of(module, target)
    return Plan(chip.name, digest_of(chip), plans) if plans else None


def save_plan(path: str | None, plan: Plan | None) -> None:
    """Write a plan, where a file is named. `OutputError` where there is none, as nothing was fused."""
    if path is None:
        return
    if plan is None:
        raise OutputError("--save-plan: nothing was fused, so there is no plan")
    put_text(path, plan.to_text())


__all__ = ["plan_of", "plans_collected", "save_plan"]
