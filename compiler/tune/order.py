"""A learned order of tilings: which are worth a trial first. It only orders, the clock decides.

Gradient boosting (scikit-learn) learns from tables of trials what the prediction misses: by how much more than
predicted a tiling is slower than its kernel's best. Without anything learned the order is that of predicted times. The
model's file is JSON, with its trees and its card; scikit-learn is needed for training alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.records import dataclass
from .features import NAMES
from .studies import MissingExtra
from .tables import SLOW, Table

VERSION = 1
"""Raised where trees mean something else."""
BOOSTING = {
    "n_estimators": 150, "max_depth": 3, "learning_rate": 0.05, "min_samples_leaf": 15, "subsample": 0.7,
    "max_features": 0.4,
}  # fmt: skip
AGAIN = 0.05
"""Loss, in logarithms to base 2, that is added for each tiling in front with the same tiles and steps."""
ALIKE = [NAMES.index(name) for name in ("cores", "tile", "last", "before", "step")]
PREDICTED = NAMES.index("predicted to the first")

Row = Sequence[float]
Column = NDArray[Any]


class OrderError(DiagnosticException):
    """A file that is no learned order, or data that none can be learned from."""


@dataclass(frozen=True)
class Order:
    """A learned order. `trees` have columns with an entry for each node: feature (-1: a leaf), limit, the nodes below
    for at most that and for more, value. `card`: what it was learned from, and how far it errs."""

    trees: Sequence[Sequence[Column]]
    card: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def losses(self, rows: Sequence[Row]) -> Column:
        """Expected losses (`Table.losses`) for rows of features, up to a constant."""
        x = np.asarray(rows, dtype=np.float32)
        at = np.arange(len(x))
        total = np.minimum(x[:, PREDICTED].astype(float), SLOW)
        for feature, limit, below, above, value in self.trees:
            node = np.zeros(len(x), dtype=int)
            while (inner := feature[node] >= 0).any():
                down = np.where(x[at, feature[node]] <= limit[node], below[node], above[node])
                node = np.where(inner, down, node)
            total += value[node]
        return total

    def ranked(self, rows: Sequence[Row]) -> list[int]:
        """Places of rows of one kernel, those to be tried first in front; equals as they were. Tilings with the same
        tiles and steps err alike: each one in front counts as `AGAIN` more loss of the next."""
        if not rows:
            return []
        alike: list[Row] = [tuple(row[column] for column in ALIKE) for row in rows]
        seen: dict[Row, int] = {}
        losses, found = self.losses(rows).round(9), list[int]()
        places: list[int] = np.argsort(losses, kind="stable").tolist()
        for place in places:
            losses[place] += AGAIN * seen.get(alike[place], 0)
            seen[alike[place]] = seen.get(alike[place], 0) + 1
            found.append(place)
        return sorted(found, key=lambda place: (losses[place], place))

    def to_text(self) -> str:
        """The model's file."""
        trees = [[column.tolist() for column in tree] for tree in self.trees]
        parts = {"order": VERSION, "card": dict(self.card), "names": NAMES, "trees": trees}
        return "{\n" + ",\n".join(f'"{name}": {json.dumps(part)}' for name, part in parts.items()) + "\n}\n"


def read_order(path: str | Path) -> Order:
    """The order in a file; `OrderError` where it is none."""
    try:
        data: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise OrderError(f"cannot read order {str(path)!r}: {error.strerror}") from None
    except ValueError:
        raise OrderError(f"{path} is neither a learned order nor a store") from None
    if not isinstance(data, dict) or "trees" not in data:
        raise OrderError(f"{path} is no learned order: it has no trees")
    known = cast("dict[str, Any]", data)
    if known.get("order") != VERSION or known.get("names") != list(NAMES):
        raise OrderError(f"{path} was learned from other features; train it again")
    kinds = (int, float, int, int, float)
    trees = [[np.array(c, dtype=k) for c, k in zip(tree, kinds, strict=True)] for tree in known["trees"]]
    return Order(trees, known.get("card", {}))


def trained(tables: Sequence[Table], rows: Sequence[Sequence[Row]], seed: int = 0) -> Order:
    """An order learned from tables, whose features are `rows`; without a card. Each table counts alike, the same tables
    and seed give the same order. `MissingExtra` without scikit-learn, `OrderError` without tables."""
    try:
        from importlib import import_module

        boosting: Any = import_module("sklearn.ensemble")
    except ImportError as error:
        raise MissingExtra(
            "learning an order needs the extra 'learn': pip install 'ascend-opt[learn]'"
        ) from error
    if not tables:
        raise OrderError("there are no trials to learn an order from: tune with --store first")
    x = np.array([row for table in rows for row in table], dtype=np.float32)
    losses = np.array([loss for table in tables for loss in table.losses()])
    weights = np.array([1 / len(table.times) for table in tables for _ in table.times])
    model = boosting.GradientBoostingRegressor(random_state=seed, **cast("dict[str, Any]", BOOSTING))
    model.fit(x, losses - np.minimum(x[:, PREDICTED], SLOW), sample_weight=weights / weights.mean())
    return Order([_tree(one.tree_) for one in model.estimators_[:, 0]])


def _tree(tree: Any) -> Sequence[Column]:
    leaf = tree.children_left < 0
    value = np.where(leaf, BOOSTING["learning_rate"] * tree.value[:, 0, 0], 0.0)
    limit = np.where(leaf, 0.0, tree.threshold)
    return np.where(leaf, -1, tree.feature), limit, tree.children_left, tree.children_right, value


__all__ = ["Order", "OrderError", "read_order", "trained"]
