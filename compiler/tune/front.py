"""Plans of which no other one is better in both, time and memory.

Groups and layouts are changed as in the search for time, with two goals. Of each grouping on the front, kernels then
take tilings with less workspace: for every peak that can be, each kernel has the fastest one that stays below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf

from ...passes.plans.plan import Plan
from .kernel_trials import Timed
from .memory import live_bytes, peak_bytes
from .session import Session, Stopped
from .studies import choose_changes

Point = tuple[Plan, float, int]
"""A plan, µs of its kernels alone, bytes in GM at once."""


def front(session: Session, plan: Plan) -> list[Point]:
    """Plans none of which beats another in both, the fastest first."""
    session.portion = 1.0
    uses = session.prepared.uses
    moves = [move for move, _ in session.possible(plan)]

    def objective(chosen: frozenset[int]) -> tuple[float, ...] | None:
        kernels = session.tried(session.changed(plan, [moves[i] for i in sorted(chosen)]))
        if kernels is None:
            return None
        session.try_([kernel.text for kernel in kernels])
        best = {kernel.text: session.best_of(kernel.text) for kernel in kernels}
        own = {text: one.workspace for text, one in best.items() if one is not None}
        return session.total(kernels), float(peak_bytes(kernels, uses, own))

    first = [frozenset[int](), *(frozenset([i]) for i in range(len(moves)))]
    first.append(frozenset(i for i, move in enumerate(moves) if move.kind == "join"))
    known: dict[frozenset[int], tuple[float, ...]] = {}
    with suppress(Stopped, KeyboardInterrupt):
        known.update(choose_changes(len(moves), objective, first, 4 * len(moves), session.seed, goals=2))
    found = [(chosen, us, int(held)) for chosen, (us, held) in known.items() if us < inf]
    groupings = [one[0] for one in found if not any(_beats(other[1:], one[1:]) for other in found)]
    with suppress(Stopped, KeyboardInterrupt):
        for chosen in groupings or [frozenset[int]()]:
            session.widen(session.kernels(session.changed(plan, [moves[i] for i in sorted(chosen)])))
    points = [
        point
        for chosen in groupings or [frozenset[int]()]
        for point in _narrowed(session, session.changed(plan, [moves[i] for i in sorted(chosen)]))
    ]
    kept = [one for one in points if not any(_beats(other[1:], one[1:]) for other in points)]
    return sorted(kept, key=lambda one: one[1:])


def _narrowed(session: Session, plan: Plan) -> Iterator[Point]:
    """A plan's kernels with less and less workspace."""
    kernels = session.kernels(plan)
    live: dict[str, int] = {}
    for kernel, held in zip(kernels, live_bytes(kernels, session.prepared.uses), strict=True):
        live[kernel.text] = max(live.get(kernel.text, 0), held)
    tilings = {text: _front_of_kernel(session, text) for text in live}
    peaks = {live[text] + one.workspace for text, steps in tilings.items() for one in steps}
    for most in sorted(peaks, reverse=True):
        wanted: dict[str, Timed] = {}
        for text, steps in tilings.items():
            fits = next((one for one in steps if live[text] + one.workspace <= most), None)
            if fits is None:
                return
            wanted[text] = fits
        us = sum(wanted[kernel.text].time_us for kernel in kernels)
        yield session.tiled(plan, wanted), us, max(live[t] + one.workspace for t, one in wanted.items())


def _front_of_kernel(session: Session, text: str) -> list[Timed]:
    """The known tilings of a kernel that no other one beats in time and workspace, the fastest first."""
    timed = sorted(session.known.get(text, {}).values(), key=lambda one: (one.time_us, one.workspace))
    kept: list[Timed] = []
    for one in timed:
        if one.time_us < inf and (not kept or one.workspace < kept[-1].workspace):
            kept.append(one)
    return kept


def _beats(one: tuple[float, int], other: tuple[float, int]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one != other


__all__ = ["front"]
