"""Tile sizes of a kernel whose first extent is known at run time only: one tiling for a range of sizes.

The best tilings of every size of the range are priced at all of them. What counts is how much longer a size takes than
it would with its own best tiling, added up over the sizes.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ...runtime.machine.costs import launch_us
from ..support.run_size import fixed, priced_at
from .common.form import Group, SizedForm, Tiling
from .common.stated import FREE, Stated
from .common.stated_tilings import refused
from .elementwise.legality import NoTileError

TRIED = 6
"""Tilings of each size that are weighed."""
OF_ALL_SIZES = frozenset({"cores", "serial"})
"""Fields of a tiling that do not depend on the size it was found at."""


def tilings_of_sizes(form: SizedForm, group: Group, count: int, stated: Stated = FREE) -> Sequence[Tiling]:
    """The `count` tilings of a form that suit the sizes best, best first, of those that have what is stated;
    `NoTileError` when no tile fits."""
    now = fixed()
    assert now is not None and group.regions.factor
    found: dict[Tiling, None] = {}
    against: NoTileError | None = None
    for size in now.sizes:
        with priced_at(size):
            try:
                best = form.tilings(_at(group, size), TRIED, stated.without(OF_ALL_SIZES))
            except NoTileError as error:
                if not stated.states("tiles"):
                    raise
                against = error  # this size may be too small for the tile
                continue
            found.update((_dealt(form.at_all_sizes(group, tiling), stated), None) for tiling in best)
    if against is not None and not found:
        raise against
    tilings = [tiling for tiling in found if stated.allows(tiling)]
    if not tilings:
        raise refused(group, list(found), stated)
    totals = [0.0] * len(tilings)
    for size in now.sizes:
        times = [_time(form, group, tiling, size) for tiling in tilings]
        totals = [total + time / min(times) for total, time in zip(totals, times, strict=True)]
    order = sorted(range(len(tilings)), key=lambda i: (totals[i], i))
    return [tilings[i] for i in order[:count]]


def _dealt(tiling: Any, stated: Stated) -> Any:
    """A tiling on as many cores as are stated, where these are fewer."""
    cores = stated.get("cores")
    return replace(tiling, cores=cores) if isinstance(cores, int) and 1 <= cores < tiling.cores else tiling


def _at(group: Group, size: int) -> Group:
    return replace(group, regions=group.regions.at(size))


def _time(form: SizedForm, group: Group, tiling: Any, size: int) -> float:
    """Predicted µs at a run-time size, launch included."""
    with priced_at(size):
        here = _at(group, size)
        extents = here.regions.kernel_extents
        cores = min(prod(-(-e // t) for e, t in zip(extents, tiling.tiles, strict=True)), tiling.cores)
        cycles = form.cycles(here, replace(tiling, cores=cores))
    return group.target.microseconds(cycles) + launch_us(group.target, cores)
