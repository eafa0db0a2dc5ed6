"""Plans that ran as whole programs, maybe for several sizes of one dimension, and those of them that no other beats."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.records import dataclass
from ...passes.plans.plan import Plan
from .held import Held


@dataclass(frozen=True)
class TimedPlan:
    """A plan, µs and bytes of the whole program; `size` of the dimension that is swept, None where none is."""

    plan: Plan
    us: float
    held: Held
    size: int | None = None

    @property
    def us_each(self) -> float:
        """µs for each item along the dimension: the less, the more items a second."""
        return self.us / (self.size or 1)

    def figures(self, kinds: Sequence[str]) -> tuple[float, ...]:
        """What it is judged by, less is better: µs, µs for each item, bytes of the `kinds` of memory."""
        return self.us, self.us_each, *self.held.kinds(kinds)


def front_of(plans: Sequence[TimedPlan], kinds: Sequence[str]) -> list[TimedPlan]:
    """Those that no other beats in time, items a second and each of the `kinds` of memory, the fastest first; one of
    equals."""
    kept: list[TimedPlan] = []
    for one in sorted(plans, key=lambda plan: plan.figures(kinds)):
        figures = one.figures(kinds)
        beaten = (all(a <= b for a, b in zip(other.figures(kinds), figures, strict=True)) for other in kept)
        if not any(beaten):
            kept.append(one)
    return kept


__all__ = ["TimedPlan", "front_of"]
