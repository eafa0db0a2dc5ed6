"""How much a search may try, and how far it is."""

from __future__ import annotations

from collections.abc import Callable

from ...dialects.records import dataclass


@dataclass(frozen=True)
class Budget:
    """How much is tried: launches timed, or seconds; None: no limit of that kind. `patience`: trials of a launch
    without a gain after which it is left."""

    trials: int | None = None
    seconds: float | None = None
    patience: int = 12


@dataclass(frozen=True)
class State:
    """How far a search is: launches timed, seconds, and µs of the best plan so far and of the default one, as launches
    alone."""

    trials: int
    seconds: float
    best_us: float
    default_us: float
    doing: str


Watch = Callable[[State], None]


class Stopped(Exception):
    """The budget is spent."""


__all__ = ["Budget", "State", "Stopped", "Watch"]
