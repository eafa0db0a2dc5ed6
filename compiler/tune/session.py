"""One search for a better plan of a program: launches first, then groups, then the whole program.

1. Tilings of the launches of the default plan are timed, each launch alone, those that take most of the time first.
   What one launch runs is timed together.
2. Changes of groups are tried: what their launches take together, with the tilings that are predicted best.
3. The plan with what was found is compiled, and runs on the clock as a whole. Kernels that are slower there than by
   default go back to what they were. The result is never slower than the default.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import field, replace
from math import ceil, inf, prod

from ...dialects.records import dataclass
from ...passes.plans.plan import FunctionPlan, KernelPlan, Plan
from ...passes.plans.store import Store, StoreError
from ..workers.lanes import WorkersLost
from ..workers.pool import Workers
from .beside import Beside, as_planned, improved, planned
from .budget import Budget, State, Stopped, Watch
from .features import FeatureTask, features_of
from .held import Held
from .kernel_trials import SpaceTask, Timed, TimeTask
from .launch_trials import tilings_of_launch, time_launch
from .launches import Fields, Kernel, Launch, has_several
from .moves import Move, moves_of
from .order import Order
from .problem import Prepared
from .studies import BATCH, SPACE, KernelStudy, choose_changes

FIRST = 2
"""Tilings of a kernel that other groups would make, which are timed before the groups are chosen."""
LEAST_SHARE = 0.002
"""Share of the program's time from which on a kernel is worth trials."""
LEAST_GAIN = 0.001
"""Share of the time below which two plans are alike."""
ROUNDS = 3
"""How often groups are changed again."""


@dataclass
class Session:
    """The search for one program on one chip. `order`: which tilings of a kernel are tried first; None: those that are
    predicted best."""

    prepared: Prepared
    default: Plan
    pool: Workers
    budget: Budget
    seed: int = 0
    store: Store | None = None
    watch: Watch = lambda state: None
    order: Order | None = None
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext
    """What else is done while workers time the default plan's kernels."""
    lost: str = ""
    """Why the search ended before its time, where workers or the store were lost."""
    interrupted: bool = False
    """Whether ctrl-C ended it."""
    portion: float = 1.0
    """Share of the budget that may be spent now."""
    trials: int = 0
    studies: dict[str, KernelStudy] = field(default_factory=dict[str, KernelStudy])
    spaces: dict[str, list[Fields]] = field(default_factory=dict[str, "list[Fields]"])
    known: dict[str, dict[str, Timed]] = field(default_factory=dict[str, "dict[str, Timed]"])
    _beside: Beside = field(default_factory=Beside)
    _start: float = field(default_factory=time.monotonic)
    _default_us: float = 0.0
    _best_us: float = inf
    _doing: str = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def kernels(self, plan: Plan) -> Sequence[Kernel]:
        return self.prepared.kernels(plan)

    def launches(self, plan: Plan) -> Sequence[Launch]:
        return self._beside.meet(self.prepared.launches(plan))

    def function(self, plan: Plan) -> FunctionPlan:
        return plan.functions[self.prepared.name]

    def with_function(self, plan: Plan, function: FunctionPlan) -> Plan:
        return replace(plan, functions={**plan.functions, self.prepared.name: function})

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be tried, however much of the budget is left."""
        return self.interrupted or bool(self.lost)

    @contextmanager
    def ending(self) -> Generator[None]:
        """Note what ends a part of the search early: a spent budget, ctrl-C, lost workers."""
        try:
            yield
        except Stopped:
            pass
        except KeyboardInterrupt:
            self.interrupted = True
        except (WorkersLost, StoreError) as error:
            self.lost = str(error)

    # --- trials ---

    def _spent(self) -> bool:
        spent = (self.budget.trials, self.trials), (self.budget.seconds, self.seconds)
        return any(limit is not None and used >= limit * self.portion for limit, used in spent)

    def time_all(self, wanted: Sequence[tuple[str, Fields | None]]) -> None:
        """Time tilings of launches, given by their texts, that are not known yet. `Stopped` where the budget ends."""
        new = {(text, _key(tiling)): tiling for text, tiling in wanted}
        tasks = [
            TimeTask(text, self.prepared.target, tiling)
            for (text, key), tiling in new.items()
            if tiling is None or key not in self.known.get(text, {})
        ]
        tasks, left = self._longest_first(tasks), len(tasks)

        def budgeted() -> Iterator[TimeTask]:
            for task in tasks:
                if self._spent():
                    return
                self.trials += 1
                yield task

        for index, timed in self.pool.results(time_launch, budgeted()):
            left -= 1
            task = tasks[index]
            self._keep(task.text, timed or Timed(task.tiling or {}, inf))
            self.watch(State(self.trials, self.seconds, self._best_us, self._default_us, self._doing))
        if left:
            raise Stopped

    def _longest_first(self, tasks: Sequence[TimeTask]) -> list[TimeTask]:
        """Tasks so that workers end at about the same time: those first that should run most instructions. Which ones
        the budget has trials for stays; where it is in seconds the order does."""
        if self.budget.seconds is not None:
            return list(tasks)
        trials = self.budget.trials
        count = len(tasks) if trials is None else max(0, ceil(trials * self.portion) - self.trials)
        return [*sorted(tasks[:count], key=lambda task: -self._instructions(task)), *tasks[count:]]

    def _instructions(self, task: TimeTask) -> float:
        """About how many instructions a kernel runs: those of a tiling that is known, by how much larger its tiles
        are. 0 where none is."""
        known = next((one for one in self.known.get(task.text, {}).values() if one.instructions), None)
        if known is None or task.tiling is None:
            return 0.0
        return known.instructions * _tile(known.tiling) / _tile(task.tiling)

    def _keep(self, text: str, timed: Timed) -> None:
        if timed.tiling:
            self.known.setdefault(text, {})[_key(timed.tiling)] = timed
        else:
            self.known.setdefault(text, {})
        if self.store is not None and timed.tiling:
            held = timed.held
            self.store.add(text, timed.tiling, timed.time_us, (held.workspace, held.on_chip, held.weights))

    def remember(self, texts: Sequence[str]) -> None:
        """Take over from the store what is known of launches."""
        for text in texts if self.store is not None else ():
            if text not in self.known:
                assert self.store is not None
                trials = self.store.trials(text)
                if trials:
                    timed = (Timed(tiling, us, held=Held(*held)) for tiling, us, held in trials)
                    self.known[text] = {_key(one.tiling): one for one in timed}

    def best_of(self, text: str) -> Timed | None:
        """The fastest known tiling of a launch."""
        return min(
            self.known.get(text, {}).values(), key=lambda one: (one.time_us, _key(one.tiling)), default=None
        )

    def total(self, launches: Sequence[Launch]) -> float:
        """µs of launches alone with their best tilings, added up; infinite where one has none."""
        best = [self.best_of(launch.text) for launch in launches]
        return sum(inf if one is None else one.time_us for one in best)

    # --- launches ---

    def begin(self) -> float:
        """Time the default plan's launches; what they take."""
        launches = self.launches(self.default)
        self._doing = "the default plan"
        self.remember([launch.text for launch in launches])
        stated = {one.name: one for one in self.function(self.default).kernels}
        tilings = [as_planned(launch, stated) for launch in launches]
        with self.meanwhile():
            self.time_all([(one.text, tiling) for one, tiling in zip(launches, tilings, strict=True)])
        times = zip(launches, tilings, strict=True)
        self._default_us = sum(self.known[one.text][_key(tiling or {})].time_us for one, tiling in times)
        self._best_us = self.total(launches)
        return self._default_us

    def tune_launches(self, launches: Sequence[Launch]) -> None:
        """Time tilings of launches, those first that take most of the program's time, until nothing more is found."""
        counts: dict[str, int] = {}
        for launch in launches:
            counts[launch.text] = counts.get(launch.text, 0) + 1
        total = self.total(launches)
        share = {text: count * self._time(text) / total for text, count in counts.items()}
        order = sorted((t for t in share if share[t] >= LEAST_SHARE), key=lambda text: (-share[text], text))
        self._open([text for text in order if text not in self.spaces])
        while active := [text for text in order if not self.studies[text].ended]:
            wanted: list[tuple[str, Fields | None]] = []
            for text in active:
                indices = self.studies[text].ask(BATCH, range(BATCH))
                wanted += [(text, self.spaces[text][i]) for i in indices]
            self.time_all(wanted)
            self._tell(active)
            self._open([text for text in active if self.studies[text].ended and self._goes_on(text)])
            self._best_us = min(self._best_us, self.total(launches))
        for launch in launches:
            self._beside.keep(launch, self.best_of(launch.text))

    def _goes_on(self, text: str) -> bool:
        """Whether a launch of several kernels became faster than the one that its tilings were listed around."""
        best, space = self.best_of(text), self.spaces[text]
        if not has_several(text) or best is None or not space:
            return False
        base = self.known[text].get(_key(space[0]))
        return base is not None and best.time_us < base.time_us * (1 - LEAST_GAIN)

    def _open(self, texts: Sequence[str]) -> None:
        """List the tilings of launches; those of several kernels around the best that is known."""
        best = {text: self.best_of(text) for text in texts if has_several(text)}
        base = {text: one.tiling for text, one in best.items() if one is not None and one.time_us < inf}
        tasks = [SpaceTask(text, self.prepared.target, SPACE, base.get(text)) for text in texts]
        self._doing = "listing tilings"
        spaces = self.pool.map(tilings_of_launch, tasks)
        again = [text for text in texts if text in self.spaces]
        for text, space in zip(texts, self._ordered(texts, spaces), strict=True):
            self.spaces[text] = self._with_improved(text, space) if text in again else space
            self.studies[text] = KernelStudy(len(space), self.seed, self.budget.patience)
        self._doing = "tilings"
        self._tell(texts)
        for text in again:
            self.studies[text].stale = 0

    def _with_improved(self, text: str, space: list[Fields]) -> list[Fields]:
        """Tilings of a launch, behind the first the one with all that made it faster before."""
        both = improved(self.known[text][_key(self.spaces[text][0])], self.known[text].values())
        return space if both in space else [*space[:1], both, *space[1:]]

    def _ordered(self, texts: Sequence[str], spaces: list[list[Fields]]) -> list[list[Fields]]:
        """Tilings of launches in the learned order, if there is one; those of several kernels stay as they are."""
        if self.order is None:
            return spaces
        alone = [i for i, text in enumerate(texts) if not has_several(text)]
        tasks = [FeatureTask(texts[i], self.prepared.target, spaces[i]) for i in alone]
        places = (self.order.ranked(rows) for rows in self.pool.map(features_of, tasks))
        ordered = {i: [spaces[i][at] for at in one] for i, one in zip(alone, places, strict=True)}
        return [ordered.get(i, space) for i, space in enumerate(spaces)]

    def _tell(self, texts: Sequence[str]) -> None:
        for text in texts:
            study = self.studies[text]
            for i, tiling in enumerate(self.spaces[text]):
                timed = self.known.get(text, {}).get(_key(tiling))
                if timed is not None and i not in study.times:
                    study.tell(i, timed.time_us)

    def _time(self, text: str) -> float:
        best = self.best_of(text)
        return 0.0 if best is None or best.time_us == inf else best.time_us

    def widen(self, launches: Sequence[Launch], kind: str = "workspace") -> None:
        """Time every listed tiling of the launches that hold bytes of a kind, those with the most first: what is slower
        may hold less. Weights are the same with all tilings. `Stopped` where the budget ends."""
        best = {launch.text: self.best_of(launch.text) for launch in launches}
        held = {text: one.held.kind(kind) for text, one in best.items() if one is not None}
        held = {text: count for text, count in held.items() if count and kind != "weights"}
        order = sorted(held, key=lambda text: (-held[text], text))
        self._open([text for text in order if text not in self.spaces])
        self._doing = kind
        for text in order:
            self.time_all([(text, tiling) for tiling in self.spaces[text]])

    # --- groups ---

    def changed(self, plan: Plan, moves: Sequence[Move]) -> Plan:
        """The plan with some changes of its groups."""
        function = self.function(plan)
        for move in moves:
            function = move.applied(function)
        return self.with_function(plan, function)

    def tried(self, plan: Plan) -> Sequence[Launch] | None:
        """The launches of a plan; None where it states what cannot be."""
        found = self.prepared.tried(plan)
        return None if found is None else self._beside.meet(found)

    def possible(self, plan: Plan) -> list[tuple[Move, float]]:
        """Changes of a plan's groups that can be, with what each saves."""
        self._doing = "groups"
        found: list[tuple[Move, Sequence[Launch]]] = []
        moves = moves_of(self.kernels(plan), self.function(plan), self.prepared.uses)
        changed = [self.changed(plan, [move]) for move in moves]
        self.prepared.look_up(changed, self.pool)
        for move, one in zip(moves, changed, strict=True):
            made = self.tried(one)
            if made is not None:
                found.append((move, made))
        with suppress(Stopped):  # what is not known by then is not possible
            self.try_([launch.text for _, made in found for launch in made])
        now = self.total(self.launches(plan))
        saved = ((move, now - self.total(made)) for move, made in found)
        return [(move, saves) for move, saves in saved if saves > -inf]

    def try_(self, texts: Sequence[str]) -> None:
        """Time the tilings predicted best of launches that are not known, several kernels also as in the best plan."""
        self.remember(texts)
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        tasks = [SpaceTask(text, self.prepared.target, FIRST) for text in new]
        wanted: list[tuple[str, Fields | None]] = []
        for text, space in zip(new, self.pool.map(tilings_of_launch, tasks), strict=True):
            wanted += [(text, tiling) for tiling in (*space, *self._beside.as_before(text, space))]
            if not space:
                self.known[text] = {}
        self.time_all(wanted)

    def regroup(self, plan: Plan) -> Plan:
        """The plan with other groups, where these are faster as launches alone."""
        for _ in range(ROUNDS):
            possible = self.possible(plan)
            gains = [move for move, saved in possible if saved > LEAST_GAIN * self._best_us]
            if not gains:
                return plan
            chosen = self._choose(plan, gains)
            after = self.total(self.launches(chosen))
            if after >= self.total(self.launches(plan)) * (1 - LEAST_GAIN):
                return plan
            plan = chosen
            self._best_us = min(self._best_us, after)
            self.tune_launches(self.launches(plan))
        return plan

    def _choose(self, plan: Plan, gains: Sequence[Move]) -> Plan:
        """The best of what some changes give together."""

        def objective(chosen: frozenset[int]) -> tuple[float, ...] | None:
            launches = self.tried(self.changed(plan, [gains[i] for i in sorted(chosen)]))
            if launches is None:
                return None
            self.try_([launch.text for launch in launches])
            return (self.total(launches),)

        everything = frozenset(range(len(gains)))
        first = [frozenset[int](), *(frozenset([i]) for i in range(len(gains))), everything]
        trials = min(20, 2 ** len(gains))
        known = dict(choose_changes(len(gains), objective, first, trials, self.seed))
        best = min(known, key=lambda chosen: (known[chosen], len(chosen), sorted(chosen)))
        return self.changed(plan, [gains[i] for i in sorted(best)])

    # --- plans ---

    def tiled(self, plan: Plan, wanted: Mapping[str, Timed] | None = None) -> Plan:
        """The plan with the best known tilings of its launches, or those that are `wanted` of them, by texts."""
        function, found = self.function(plan), dict[str, KernelPlan]()
        stated = {one.name: one for one in function.kernels}
        for launch in self.launches(plan):
            best = (wanted or {}).get(launch.text) or self.best_of(launch.text)
            kernels = planned([stated[kernel.name] for kernel in launch.kernels], best)
            found.update((one.name, one) for one in kernels)
        kernels = tuple(found[one.name] for one in function.kernels)
        return self.with_function(plan, replace(function, kernels=kernels))

    def search(self) -> Plan:
        """The best plan that was found, with its tilings; as far as the budget goes."""
        plan = self.default
        with self.ending():
            self.begin()
            self.tune_launches(self.launches(plan))
            plan = self.regroup(plan)
        self._doing = "the whole program"
        return self.tiled(plan)


def _tile(tiling: Fields) -> int:
    """Elements of a tile."""
    return max(1, prod(tiling.get("tiles", ())))


def _key(tiling: Fields | None) -> str:
    """A tiling as a text that can be compared."""
    return "" if tiling is None else json.dumps(dict(tiling), sort_keys=True)


__all__ = ["Budget", "Session", "State", "Stopped"]
