"""Who chooses among the tilings of a kernel: the prediction alone, or what can time them.

Passes know no emulator. What times kernels is provided from above (`compiler/pipeline/universe.py`, with the passes
themselves) and asked by passes whose option `tune` is above 1. Nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...dialects.target_types import Target
    from .common.form import Tiling

TUNE = 1
"""How many tilings of each kernel are tried where nobody says: the default of the passes, the tools and the Python
API. 1: none is timed, the one predicted to be fastest is taken."""

TUNE_HELP = f"tilings to time for each kernel (default {TUNE}; 1: none, predict)"


class Tuner(Protocol):
    """Chooses among tilings: `count` of them are wanted, best predicted first; `choose` gives the index of one.

    `alone` is a module whose only function computes the group and nothing else.
    """

    count: int

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int: ...


_provided: list[Callable[[int], Tuner]] = []
"""What makes a tuner for a count; the last one counts."""


def provide_tuner(make: Callable[[int], Tuner]) -> None:
    """Let passes with `tune` above 1 ask the tuner that `make` gives for that count."""
    _provided.append(make)


@contextmanager
def tuned_by(make: Callable[[int], Tuner]) -> Generator[None]:
    """The same while the context is open."""
    _provided.append(make)
    try:
        yield
    finally:
        _provided.remove(make)


def tuner_of(count: int) -> Tuner | None:
    """The tuner that chooses among `count` tilings, None where the prediction does."""
    if count == 1:
        return None
    if not _provided:
        raise ValueError(f"tune={count}: what times kernels comes with ascend_opt.compiler.pipeline.universe")
    return _provided[-1](count)


def check_tune(count: int) -> None:
    """`ValueError` unless `count` is a number of tilings."""
    if isinstance(count, bool) or count < 1:
        raise ValueError(f"tune is 1 or more, not {count}")


def tile_choice(count: int, plan: str = "", store: str | None = None) -> str:
    """How the tile sizes of kernels are chosen, in words. `plan` and `store` are the files that say some."""
    ways = [f"as {plan} says"] * bool(plan) + [f"fastest of those in {store}"] * (store is not None)
    ways.append("predicted fastest" if count == 1 else f"fastest of up to {count} that were timed")
    return ", else ".join(ways)


__all__ = [
    "TUNE",
    "TUNE_HELP",
    "Tuner",
    "check_tune",
    "provide_tuner",
    "tile_choice",
    "tuned_by",
    "tuner_of",
]
