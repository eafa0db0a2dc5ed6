"""The searches themselves, Optuna's: over the tilings of one kernel, and over changes of a plan's groups.

Both are told what is known before they ask, in the order of what the passes predict. The same seed asks the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from math import inf
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.records import dataclass

if TYPE_CHECKING:
    import optuna

BATCH = 4
"""Tilings of a kernel that are timed before the next ones are chosen."""
SPACE = 64
"""Tilings of a kernel that are chosen among, best predicted first."""
PENALTY = 1e9
"""What a tiling that cannot be built is said to take, in µs."""
ASKED = 30
"""How often a study is asked for something new."""


class MissingExtra(DiagnosticException):
    """The library that searches is not there."""


def library() -> Any:
    """Optuna; `MissingExtra` where it is not installed."""
    try:
        import optuna
    except ImportError as error:
        raise MissingExtra("tuning needs the extra 'tune': pip install 'ascend-opt[tune]'") from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


@dataclass
class KernelStudy:
    """The search over the tilings of one kernel, by their numbers in the order of predicted times."""

    count: int
    seed: int
    patience: int
    times: dict[int, float] = field(default_factory=dict[int, float])
    stale: int = 0
    """Trials since the best time was found."""
    _study: Any = None

    def __post_init__(self) -> None:
        found = library()
        sampler = found.samplers.TPESampler(seed=self.seed, n_startup_trials=4)
        self._study = found.create_study(sampler=sampler)

    @property
    def best(self) -> int:
        """The fastest tiling; the first of equals."""
        return min(self.times, key=lambda index: (self.times[index], index))

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to try, or nothing was found for long."""
        return len(self.times) >= self.count or self.stale >= self.patience

    def ask(self, wanted: int, first: Sequence[int] = ()) -> list[int]:
        """Tilings that were not tried: those of `first`, then what the sampler says, then the next ones in order. Fewer
        where there are no more."""
        found: list[int] = []
        for index in first:
            if index < self.count and index not in self.times and index not in found and len(found) < wanted:
                found.append(index)
        for _ in range(ASKED if len(self.times) >= 4 else 0):
            if len(found) >= min(wanted, self.count - len(self.times)):
                break
            trial = self._study.ask({"tiling": self._distribution()})
            index = trial.params["tiling"]
            if index in self.times:
                self._study.tell(trial, min(self.times[index], PENALTY))
            elif index not in found:
                found.append(index)
        rest = (index for index in range(self.count) if index not in self.times and index not in found)
        while len(found) < wanted and (index := next(rest, None)) is not None:
            found.append(index)
        return found

    def tell(self, index: int, time_us: float) -> None:
        """What a tiling takes."""
        before = min(self.times.values(), default=inf)
        self.times[index] = time_us
        self.stale = 0 if time_us < before * 0.999 else self.stale + 1
        self._study.add_trial(
            library().trial.create_trial(
                params={"tiling": index},
                distributions={"tiling": self._distribution()},
                value=min(time_us, PENALTY),
            )
        )

    def _distribution(self) -> optuna.distributions.IntDistribution:
        return library().distributions.IntDistribution(0, self.count - 1)


Objective = Callable[[frozenset[int]], tuple[float, ...] | None]


def choose_changes(
    count: int,
    objective: Objective,
    first: Sequence[frozenset[int]],
    trials: int,
    seed: int,
    goals: int = 1,
) -> Iterator[tuple[frozenset[int], tuple[float, ...]]]:
    """Which of `count` changes are made: sets of their numbers, with what each set takes, as they are tried. The sets
    of `first` are tried before the sampler asks. `objective` gives None for what cannot be; `goals`: how many numbers
    it gives."""
    found = library()
    sampler = (
        found.samplers.TPESampler(
            seed=seed, n_startup_trials=0, multivariate=True, warn_independent_sampling=False
        )
        if goals == 1
        else found.samplers.NSGAIISampler(seed=seed, population_size=max(8, min(24, trials // 3)))
    )
    study = found.create_study(sampler=sampler, directions=["minimize"] * goals)
    names = [f"change{i}" for i in range(count)]
    for chosen in first:
        study.enqueue_trial({name: i in chosen for i, name in enumerate(names)})
    known: dict[frozenset[int], tuple[float, ...]] = {}
    for _ in range(len(first) + trials):
        trial = study.ask()
        chosen = frozenset(
            i for i, name in enumerate(names) if trial.suggest_categorical(name, [False, True])
        )
        if chosen not in known:
            known[chosen] = objective(chosen) or (inf,) * goals
            yield chosen, known[chosen]
        value = tuple(min(one, PENALTY) for one in known[chosen])
        study.tell(trial, value[0] if goals == 1 else value)


__all__ = ["KernelStudy", "MissingExtra", "choose_changes", "library"]
