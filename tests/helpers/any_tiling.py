"""Kernels with other tilings than the best: whatever the search offers must compile and give the right values."""

# pyright: basic

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from unittest import mock

from ascend_opt.compiler.pipeline.tune import EmulatorTuner
from ascend_opt.passes.kernels.common.form import Tiling

MANY = 200
"""How many tilings of a kernel are offered: `tune` of `ascend_opt.compile`."""


@contextmanager
def chosen(choose: Callable[[Sequence[Tiling]], Tiling]) -> Iterator[None]:
    """Kernels compiled meanwhile with `tune` above 1 have the tiling that `choose` takes; equal ones have the same."""

    def index(self: EmulatorTuner, alone: object, tilings: Sequence[Tiling], target: object) -> int:
        key = str(alone), str(target)
        if key not in self._known:
            self._known[key] = tilings.index(choose(tilings))
        return self._known[key]

    with mock.patch.object(EmulatorTuner, "choose", index):
        yield


def any_of(seed: int) -> Callable[[Sequence[Tiling]], Tiling]:
    """Any of them."""
    rng = Random(seed)
    return lambda tilings: rng.choice(tilings)
