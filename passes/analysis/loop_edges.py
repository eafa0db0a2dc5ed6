"""Where the indices and conditions that a loop computes change in a new way from one trip to the next: the end of a row
of tiles, a last tile that is moved back into the tensor."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from .index_arithmetic import at_once

MOST_TRIPS = 65536
"""So many trips of a loop are searched."""
FEW = 20_000
"""So many numbers are computed one by one: to import numpy takes longer, and few loops have more."""

Calculation = tuple[Callable[[int, int], int], int, int, int]
"""A function, and by their `id` its operands and its result."""


def given_to(calculations: Sequence[Calculation], index: int) -> list[int]:
    """By their `id`, what calculations in a loop with this index take from outside."""
    inside = {index, *(result for _, _, _, result in calculations)}
    taken = (value for _, a, b, _ in calculations for value in (a, b))
    return list(dict.fromkeys(value for value in taken if value not in inside))


def edges_of(
    calculations: Sequence[Calculation], points: range, index: int, values: Mapping[int, int]
) -> list[int]:
    """The first trip after each distinct change of what is computed, and the last one; `points` are those of the loop,
    `index` its index by its `id`, and `values` what is given from outside."""
    searched = points[:MOST_TRIPS]
    few = len(searched) * len(calculations) <= FEW
    rows = (_one_by_one if few else _all_at_once)(calculations, searched, index, values)
    trips: dict[tuple[int, ...], int] = {}
    for trip, row in enumerate(rows, 1):  # mostly few: faster than a sort
        trips.setdefault(tuple(row), trip)
    return sorted({*trips.values(), len(points) - 1})


def _one_by_one(
    calculations: Sequence[Calculation], points: range, index: int, values: Mapping[int, int]
) -> list[list[int]]:
    """How much everything that follows the index grows from each trip to the next."""
    known: dict[int, Sequence[int]] = {index: points}
    fixed = dict(values)
    for compute, a, b, result in calculations:
        if a in known or b in known:
            first, second = (known[v] if v in known else [fixed[v]] * len(points) for v in (a, b))
            known[result] = [*map(compute, first, second)]
        else:
            fixed[result] = compute(fixed[a], fixed[b])
    trips = [*zip(*known.values(), strict=True)]
    return [[y - x for x, y in zip(*pair, strict=True)] for pair in pairwise(trips)]


def _all_at_once(
    calculations: Sequence[Calculation], points: range, index: int, values: Mapping[int, int]
) -> list[list[int]]:
    """The same with numpy."""
    import numpy as np
    from numpy.typing import NDArray

    known: dict[int, NDArray[np.int64]] = {index: np.array(points, np.int64)}
    fixed = dict(values)
    for compute, a, b, result in calculations:
        if a in known or b in known:
            found = at_once(compute)(known.get(a, fixed.get(a)), known.get(b, fixed.get(b)))
            known[result] = np.asarray(found, np.int64)
        else:
            fixed[result] = compute(fixed[a], fixed[b])
    return np.diff(np.stack([*known.values()], axis=1), axis=0).tolist()
