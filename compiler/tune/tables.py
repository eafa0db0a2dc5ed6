"""Tables of trials: what tilings of a kernel take, for orders to be learned from and tried on.

Tables come from stores, or from a file that has them with the network that each is of. A replay asks a study for
tilings as a search does, and looks their times up: no clock runs.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from math import inf, isfinite, log2
from pathlib import Path
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...passes.plans.plan import digest_of
from ...passes.plans.store import Store
from .features import FeatureTask, features_of
from .kernel_trials import SpaceTask, tilings_of
from .launches import Fields, has_several
from .studies import BATCH, SPACE, KernelStudy

SLOW = 1.0
"""Tilings that take more than 2 to this times as long as the best are alike: none is worth a trial."""
NEAR = 1.01
"""Times of the best that are as good."""
FEWEST = 4
"""Trials of a kernel from which something can be learned."""


@dataclass(frozen=True)
class Table:
    """Trials of one kernel on one chip: its tilings, best predicted first, and µs of each; infinite where it cannot be
    built. `network` is where it comes from."""

    network: str
    chip: str
    text: str
    tilings: Sequence[Fields]
    times: Sequence[float]

    @property
    def best(self) -> float:
        """µs of the fastest."""
        return min(self.times)

    @property
    def begins_near(self) -> bool:
        """Whether the tiling that is predicted best is as good as any."""
        return self.times[0] <= NEAR * self.best

    def features(self) -> list[list[float]]:
        """A row of `features.NAMES` for each tiling."""
        return features_of(FeatureTask(self.text, self.chip, self.tilings))

    def losses(self) -> list[float]:
        """Logarithms to base 2 of times over the best, at most `SLOW`."""
        return [min(log2(time / self.best), SLOW) if isfinite(time) else SLOW for time in self.times]


def tables_of(path: str | Path, chips: Iterable[str], network: str = "") -> list[Table]:
    """What a store has of some chips, without launches of several kernels, and kernels with few trials. Tilings that
    the search does not list by itself come last. `StoreError` where the file is no store."""
    found: list[Table] = []
    for chip in chips:
        store = Store(path, digest_of(load_target(chip)), read=True)
        trials: dict[str, dict[str, tuple[Fields, float]]] = {}
        for _, text, tiling, time in store.all_trials():
            if has_several(text):
                continue
            trials.setdefault(text, {})[json.dumps(tiling, sort_keys=True)] = tiling, time
        store.close()
        for text, known in trials.items():
            listed = [json.dumps(one, sort_keys=True) for one in tilings_of(SpaceTask(text, chip, SPACE))]
            keys = [key for key in listed if key in known]
            keys += [key for key in known if key not in set(keys)]
            table = Table(network, chip, text, [known[k][0] for k in keys], [known[k][1] for k in keys])
            if len(keys) >= FEWEST and isfinite(table.best):
                found.append(table)
    return found


def write_tables(path: str | Path, tables: Iterable[Table]) -> None:
    """Write tables as compressed JSON; the same bytes for the same tables."""
    rows = [
        {"network": t.network, "chip": t.chip, "text": t.text, "tilings": t.tilings,
         "times": [time if isfinite(time) else None for time in t.times]}
        for t in tables
    ]  # fmt: skip
    Path(path).write_bytes(gzip.compress(json.dumps(rows, separators=(",", ":")).encode(), mtime=0))


def read_tables(path: str | Path) -> list[Table]:
    """The tables of `write_tables`."""
    rows: list[dict[str, Any]] = json.loads(gzip.decompress(Path(path).read_bytes()))
    return [
        Table(
            row["network"], row["chip"], row["text"], row["tilings"],
            [inf if time is None else time for time in row["times"]],
        )
        for row in rows
    ]  # fmt: skip


def trials_needed(tables: Sequence[Table], orders: Sequence[Sequence[int]], seed: int) -> int:
    """Trials until kernels together take at most `NEAR` times as long as with the best tiling of each. As in a search,
    the defaults' tilings are timed first, which are not counted; then studies, each given a kernel's tilings in the
    order of `orders`, ask in turns."""
    studies = [KernelStudy(len(order), seed, len(order)) for order in orders]
    taken = [table.times[0] for table in tables]
    wanted = NEAR * sum(table.best for table in tables)
    for study, order, us in zip(studies, orders, taken, strict=True):
        study.tell(order.index(0), us)
    count = 0
    while sum(taken) > wanted:
        asked = [(k, place) for k, study in enumerate(studies) for place in study.ask(BATCH, range(BATCH))]
        for k, place in asked:
            us = tables[k].times[orders[k][place]]
            studies[k].tell(place, us)
            taken[k] = min(taken[k], us)
            count += 1
            if sum(taken) <= wanted:
                break
    return count


__all__ = ["NEAR", "Table", "read_tables", "tables_of", "trials_needed", "write_tables"]
