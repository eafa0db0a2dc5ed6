"""Plans of what passes decide, for whoever runs them.

with collect_plans() as plans:
    pipeline.apply(ctx, module)
plans["f"].kernels
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .plan import FunctionPlan

_collected: ContextVar[dict[str, FunctionPlan] | None] = ContextVar("ascend_opt_plans", default=None)


@contextmanager
def collect_plans() -> Generator[dict[str, FunctionPlan]]:
    """Collect the plans of functions that passes group while the context is open."""
    found: dict[str, FunctionPlan] = {}
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def plans_wanted() -> bool:
    """Whether anybody collects plans."""
    return _collected.get() is not None


def add_plan(function: str, plan: FunctionPlan) -> None:
    """Say how the ops of a function are grouped, if anybody collects that."""
    collected = _collected.get()
    if collected is not None:
        collected[function] = plan


def add_tilings(function: str, tilings: Mapping[str, Mapping[str, Any]]) -> None:
    """Say how the kernels of a function are tiled, by their names."""
    collected = _collected.get()
    if collected is not None and function in collected:
        collected[function] = collected[function].with_tilings(tilings)


__all__ = ["add_plan", "add_tilings", "collect_plans", "plans_wanted"]
