"""Plans of which no other one is better in both, time and bytes of a kind.

Groups and layouts are changed as in the search for time, with two goals. Of each grouping on the front, kernels then
take tilings that hold less: for every limit that can be, each kernel has the fastest one that stays below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from ...passes.plans.plan import Plan
from .kernel_trials import Timed
from .launches import Launch
from .memory import held_by, live_bytes
from .moves import Move
from .session import Session
from .studies import choose_changes

Point = tuple[Plan, float, int]
"""A plan, µs of its launches alone, bytes of the kind."""


def front(session: Session, plan: Plan, kind: str = "workspace") -> list[Point]:
    """Plans none of which beats another in both, the fastest first. `kind` is one of `held.KINDS`."""
    moves: list[Move] = []
    with session.ending():
        moves = [move for move, _ in session.possible(plan)]

    def objective(chosen: frozenset[int]) -> tuple[float, ...] | None:
        launches = session.tried(session.changed(plan, [moves[i] for i in sorted(chosen)]))
        if launches is None:
            return None
        session.try_([launch.text for launch in launches])
        best = {launch.text: session.best_of(launch.text) for launch in launches}
        own = {text: one.held for text, one in best.items() if one is not None}
        return session.total(launches), float(held_by(launches, session.prepared.uses, own, kind))

    first = [frozenset[int](), *(frozenset([i]) for i in range(len(moves)))]
    first.append(frozenset(i for i, move in enumerate(moves) if move.kind == "join"))
    known: dict[frozenset[int], tuple[float, ...]] = {}
    with session.ending():
        known.update(choose_changes(len(moves), objective, first, 4 * len(moves), session.seed, goals=2))
    found = [(chosen, us, int(held)) for chosen, (us, held) in known.items() if us < inf]
    groupings = [one[0] for one in found if not any(_beats(other[1:], one[1:]) for other in found)]
    with session.ending():
        for chosen in groupings or [frozenset[int]()]:
            changed = session.changed(plan, [moves[i] for i in sorted(chosen)])
            session.widen(session.launches(changed), kind)
    points = [
        point
        for chosen in groupings or [frozenset[int]()]
        for point in _narrowed(session, session.changed(plan, [moves[i] for i in sorted(chosen)]), kind)
    ]
    kept = [one for one in points if not any(_beats(other[1:], one[1:]) for other in points)]
    return sorted(kept, key=lambda one: one[1:])


def _narrowed(session: Session, plan: Plan, kind: str) -> Iterator[Point]:
    """A plan's launches, each holding less and less. Weights are the same with all tilings."""
    launches = session.launches(plan)
    beside = _beside(session, launches, kind)
    tilings = {text: _front_of_launch(session, text, kind) for text in beside}
    limits = {beside[text] + one.held.kind(kind) for text, steps in tilings.items() for one in steps}
    for most in sorted(limits, reverse=True):
        wanted: dict[str, Timed] = {}
        for text, steps in tilings.items():
            fits = next((one for one in steps if beside[text] + one.held.kind(kind) <= most), None)
            if fits is None:
                return
            wanted[text] = fits
        us = sum(wanted[launch.text].time_us for launch in launches)
        own = {text: one.held for text, one in wanted.items()}
        yield session.tiled(plan, wanted), us, held_by(launches, session.prepared.uses, own, kind)


def _beside(session: Session, launches: Sequence[Launch], kind: str) -> dict[str, int]:
    """Bytes that are held while each launch is at work, beside its own; by texts, the most of alike ones."""
    found = dict.fromkeys((launch.text for launch in launches), 0)
    if kind == "workspace":
        for launch, held in zip(launches, live_bytes(launches, session.prepared.uses), strict=True):
            found[launch.text] = max(found[launch.text], held)
    return found


def _front_of_launch(session: Session, text: str, kind: str) -> list[Timed]:
    """The known tilings of a launch that no other one beats in time and bytes of a kind, the fastest first."""
    timed = sorted(session.known.get(text, {}).values(), key=lambda one: (one.time_us, one.held.kind(kind)))
    kept: list[Timed] = []
    for one in timed:
        if one.time_us < inf and (not kept or one.held.kind(kind) < kept[-1].held.kind(kind)):
            kept.append(one)
    return kept


def _beats(one: tuple[float, int], other: tuple[float, int]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one != other


__all__ = ["front"]
