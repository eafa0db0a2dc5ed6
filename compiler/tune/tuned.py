"""A program tuned: the search, and the whole program on the clock, which has the last word."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

from ...dialects.ascend import numbers_before
from ...dialects.records import dataclass
from ...passes.kernels.common.stated import shown
from ...passes.plans.plan import KernelPlan, Plan, ordered
from ...passes.plans.store import Store
from ...passes.sync.kept_plans import keep_plans
from ...runtime.profile.profile import Profile
from ..api import CompileError
from ..programs.program import Program
from ..workers.pool import Workers
from .front import front
from .held import KINDS, Held
from .order import Order
from .problem import Prepared
from .session import Budget, Session, State
from .timed_plan import TimedPlan, front_of

Compile = Callable[[Plan | None], Program]
"""Compiles the program with a plan, or as it is by default."""

FOR_TIME = 0.5
"""Share of the budget that a search for more than time spends on time."""
MOST_TIMED = 12
"""Plans of a front of time and one kind of memory that are timed as whole programs."""
MOST_RETURNS = 3
"""How often kernels go back to what they were, after a run of the whole program."""


@dataclass(frozen=True)
class Change:
    """Kernels of the tuned plan that are not the default's, and the default's kernels of these ops, with the µs that
    both take in the whole program. One of each, unless ops are grouped otherwise."""

    before: tuple[KernelPlan, ...]
    after: tuple[KernelPlan, ...]
    before_us: float
    after_us: float

    @property
    def name(self) -> str:
        """Of the tuned kernels."""
        return " and ".join(one.name for one in self.after)

    @property
    def reason(self) -> str:
        """What is other than by default, in words."""
        old, new = self.before, self.after
        if len(old) == len(new) == 1 and old[0].ops == new[0].ops:
            return ", ".join(_differences(old[0].tiling or {}, new[0].tiling or {}))
        shapes = (" and ".join(map(_shape, kernels)) for kernels in (old, new))
        return f"other groups: {' -> '.join(shapes)}"


@dataclass(frozen=True)
class Tuned:
    """What tuning found. Times are µs, bytes are of the whole program; `trials`: launches that were timed; `front`:
    plans that no other beats in time and in each kind of memory that is a goal."""

    plan: Plan
    default_us: float
    best_us: float
    default_held: Held
    best_held: Held
    trials: int
    seconds: float
    changes: tuple[Change, ...]
    front: tuple[TimedPlan, ...] = ()
    lost: str = ""
    """Why the search ended before its time, where workers were lost."""
    interrupted: bool = False
    """Whether ctrl-C ended it."""

    @property
    def gain(self) -> float:
        """Share of the default's time that is saved."""
        return 1 - self.best_us / self.default_us

    @property
    def in_words(self) -> str:
        """How much less time it takes, or more where that buys memory."""
        return f"{abs(self.gain):.1%} {'less' if self.gain >= 0 else 'more'}"


@dataclass(frozen=True)
class Goal:
    """What is looked for: `latency`, `memory` (fewer bytes, for at most `slower` more time), `pareto` (both). `memory`:
    kinds of `KINDS` that count; where the first one is the goal, those after it decide between equals."""

    name: str = "latency"
    slower: float = 0.10
    memory: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of memory that count: those stated, else workspace, or all of a front."""
        return self.memory or {"latency": (), "memory": KINDS[:1]}.get(self.name, KINDS)


def tune(
    compile_with: Compile,
    pool: Workers,
    budget: Budget,
    *,
    goal: Goal | None = None,
    seed: int = 0,
    store: str | Path | None = None,
    watch: Callable[[State], None] = lambda state: None,
    order: Order | None = None,
) -> Tuned:
    """Search for a plan that suits the goal better than the default one. Ctrl-C ends the search with the best so far;
    so does a budget that is spent. `store`: a file of launches that were timed. ValueError where the program has no
    graph to plan, or no kernel."""
    goal = goal or Goal()
    with keep_plans():
        program = compile_with(None)
    if program.graph_module is None or program.plan is None:
        raise ValueError("tuning needs the graph: this program came tiled or lowered")
    if not program.plan.functions[program.name].kernels:
        raise ValueError(f"nothing to tune: @{program.name} has no kernels")
    known = None if store is None else Store(store, program.plan.digest)
    join = program.fusion.get("join-launches") is not False
    chip = program.target_name or program.target.name
    prepared = Prepared(program.graph_module, program.name, chip, join)
    portion = 1.0 if goal.name == "latency" else FOR_TIME
    run = _Run(program, pool)
    session = Session(prepared, program.plan, pool, budget, seed, known, watch, order, run, portion=portion)
    plan = session.search()
    default = run.profile()
    with keep_plans():  # most kernels of the plans that are compiled are the same
        others = _timed_fronts(session, plan, compile_with, goal.kinds)
        best, profile = settled(program.plan, default, plan, compile_with, program.name, session.ending)
        if goal.name == "latency" and best != program.plan and is_slower(compile_with(best), program):
            best, profile = program.plan, default
    found = [(program.plan, default), (best, profile), *others]
    if goal.name == "memory":
        allowed = [one for one in found if one[1].total_us <= default.total_us * (1 + goal.slower)]
        best, profile = min(allowed, key=lambda one: (*Held.of(one[1]).kinds(goal.kinds), one[1].total_us))
    elif goal.name == "pareto":
        best, profile = min(found, key=lambda one: one[1].total_us)
    about = {
        "goal": goal.name, "default_us": round(default.total_us, 3), "us": round(profile.total_us, 3),
        "trials": session.trials, "seed": seed,
    }  # fmt: skip
    changes = changes_of(program.name, program.plan, default, best, profile)
    timed = [TimedPlan(one, p.total_us, Held.of(p)) for one, p in found]
    kept = front_of(timed, goal.kinds) if goal.kinds else []
    return Tuned(
        replace(best, about=about), default.total_us, profile.total_us, Held.of(default), Held.of(profile),
        session.trials, session.seconds, changes, tuple(kept), session.lost,
        session.interrupted,
    )  # fmt: skip


def is_slower(program: Program, default: Program) -> bool:
    """Whether a program takes longer than another at one of the run-time sizes that both are tiled for."""
    return any(program.time(size).total_us > default.time(size).total_us for size in default.run_sizes)


class _Run:
    """A program's run on the clock: by a thread while the context is open, in which this one waits for workers; at once
    where there are none."""

    def __init__(self, program: Program, pool: Workers):
        self._program = program
        self._profile = program.time() if pool.size == 1 else None

    @contextmanager
    def __call__(self) -> Generator[None]:
        if self._profile is not None:
            yield
            return
        with ThreadPoolExecutor(1) as thread:
            run = thread.submit(self._program.time)
            yield
        self._profile = run.result()

    def profile(self) -> Profile:
        """What it took; found now where the context was left early."""
        if self._profile is None:
            self._profile = self._program.time()
        return self._profile


def _timed_fronts(
    session: Session, plan: Plan, compile_with: Compile, kinds: Sequence[str]
) -> list[tuple[Plan, Profile]]:
    """Plans of the fronts of time and each kind of memory, as whole programs. Each has its share of the budget."""
    found: dict[str, tuple[Plan, Profile]] = {}
    tried = set[str]()
    for number, kind in enumerate(kinds, 1):
        if session.ended:
            break
        session.portion = FOR_TIME + (1 - FOR_TIME) * number / len(kinds)
        points = front(session, plan, kind)
        step = max(1.0, (len(points) - 1) / (MOST_TIMED - 1))
        for i in range(min(len(points), MOST_TIMED)):  # from end to end
            one, _, _ = points[round(i * step)]
            text = one.to_text()
            if text in tried or session.interrupted:
                continue
            tried.add(text)
            with session.ending(), suppress(CompileError):
                found[text] = one, compile_with(one).time()
    return list(found.values())


def settled(
    first: Plan,
    default: Profile,
    plan: Plan,
    compile_with: Compile,
    name: str,
    ending: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> tuple[Plan, Profile]:
    """The plan as a whole program, without what is slower there than by default; the default where nothing is left.
    `ending`: notes what ends this early, ctrl-C for one."""
    best, fastest = first, default
    for _ in range(MOST_RETURNS):
        profile: Profile | None = None
        with ending(), suppress(CompileError):  # kernels that fit alone, and not beside each other
            profile = compile_with(plan).time()
        if profile is None:
            break
        if profile.total_us < fastest.total_us:
            best, fastest = plan, profile
        plan_then = returned(first, default, plan, profile, name)
        if plan_then == plan:
            break
        plan = plan_then
    return best, fastest


def _times(plan: Plan, profile: Profile, name: str) -> Mapping[tuple[int, ...], tuple[KernelPlan, float]]:
    """µs of a plan's kernels in the whole program, launches included, by their ops: launches are in their order, and
    those that run several kernels count as much for each. Alike kernels are one in the program: names do not tell."""
    kernels = sorted(plan.functions[name].kernels, key=lambda one: one.ops[-1])
    numbers = numbers_before([launched.parts for launched in profile.kernels])
    if sum(map(len, numbers)) != len(kernels):
        return {}
    times = [launched.time_us + launched.launch_us for launched in profile.kernels]
    shares = {n: us / len(of) for of, us in zip(numbers, times, strict=True) for n in of}
    return {one.ops: (one, shares[i]) for i, one in enumerate(kernels)}


def returned(first: Plan, default: Profile, plan: Plan, profile: Profile, name: str) -> Plan:
    """The plan, in which kernels that are slower than by default have the default's tiling again."""
    before, after = _times(first, default, name), _times(plan, profile, name)
    kernels: list[KernelPlan] = []
    for one in plan.functions[name].kernels:
        known = before.get(one.ops)
        slower = known is not None and one.ops in after and after[one.ops][1] > known[1]
        if known is not None and slower:
            one = replace(one, tiling=known[0].tiling, predicted_us=known[0].predicted_us)
        kernels.append(one)
    function = replace(plan.functions[name], kernels=tuple(kernels))
    return replace(plan, functions={**plan.functions, name: function})


def changes_of(name: str, first: Plan, default: Profile, plan: Plan, profile: Profile) -> tuple[Change, ...]:
    """The kernels that are others than by default, those that save most first. What shares ops is one change."""
    before, after = _times(first, default, name), _times(plan, profile, name)
    found: list[Change] = []
    alike = [([ops], [ops]) for ops in after if ops in before]
    others = [ops for ops in before if ops not in after], [ops for ops in after if ops not in before]
    for old, new in (*alike, *_linked(*others)):
        kernels = tuple(before[ops][0] for ops in old), tuple(after[ops][0] for ops in new)
        if old == new and kernels[0][0].tiling == kernels[1][0].tiling:
            continue
        us = sum(before[ops][1] for ops in old), sum(after[ops][1] for ops in new)
        found.append(Change(*kernels, *us))
    return tuple(sorted(found, key=lambda one: one.after_us - one.before_us))


_Ops = tuple[int, ...]


def _linked(before: Sequence[_Ops], after: Sequence[_Ops]) -> list[tuple[list[_Ops], list[_Ops]]]:
    """Kernels of two plans by their ops, in parts that have no op in common."""
    parts: list[tuple[set[int], list[_Ops], list[_Ops]]] = []
    for ops, old, new in [*((ops, [ops], []) for ops in before), *((ops, [], [ops]) for ops in after)]:
        shared = [part for part in parts if not part[0].isdisjoint(ops)]
        parts = [part for part in parts if part[0].isdisjoint(ops)]
        parts.append(
            (
                {*ops}.union(*(part[0] for part in shared)),
                [*chain(*(part[1] for part in shared)), *old],
                [*chain(*(part[2] for part in shared)), *new],
            )
        )
    return [(old, new) for _, old, new in parts if old and new]


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], of: str = "") -> Iterator[str]:
    """The fields of a tiling that are others, before and after, in the order that plans have."""
    for name, value in ordered(new).items():
        before = old.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            inner = cast(dict[str, Any], before), cast(dict[str, Any], value)
            yield from _differences(*inner, f"{of}{name}.")
        elif value != before:
            yield f"{of}{name} {_shown(before)} -> {_shown(value)}"


def _shape(kernel: KernelPlan) -> str:
    tiles = (kernel.tiling or {}).get("tiles", [])
    return f"{kernel.name} of {len(kernel.ops)} ops ({'x'.join(map(str, tiles))})"


def _shown(value: Any) -> str:
    return shown(tuple(cast(list[Any], value)) if isinstance(value, list) else value)


__all__ = ["Change", "Goal", "Tuned", "changes_of", "is_slower", "returned", "settled", "tune"]
