"""The run-time size of a graph while it is tiled: what stands in for it, and the sizes that tiles are chosen for."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from ...dialects.dynamic import STAND_IN
from ...dialects.records import dataclass

DEFAULT_SIZES = (1, 8, 32)
"""Run-time sizes that tiles are chosen for, unless others are stated."""

OPEN = 1_000_003
"""A run-time size that is larger than any tile, and a prime."""


@dataclass(frozen=True)
class Fixed:
    """`stand_in` is what `?` is for now, `sizes` are the sizes to tile for."""

    stand_in: int
    sizes: tuple[int, ...]

    @property
    def typical(self) -> int:
        """The middle one of the sizes, in increasing order."""
        return typical(self.sizes)

    def factor(self, extent: int) -> int:
        """How many times the run-time size an extent is; 0: it does not depend on it."""
        return 0 if extent % self.stand_in else extent // self.stand_in


_fixed: ContextVar[Fixed | None] = ContextVar("ascend_opt_fixed_size", default=None)
_priced: ContextVar[int | None] = ContextVar("ascend_opt_priced_size", default=None)


def typical(sizes: Sequence[int]) -> int:
    """The size that reports and decisions about fusion go by: the middle one."""
    return sorted(sizes)[len(sizes) // 2]


def fixed() -> Fixed | None:
    """The stand-in for the run-time size; None where all shapes are static."""
    return _fixed.get()


@contextmanager
def standing_in(state: Fixed) -> Generator[None]:
    """Let `state` be what stands in for the run-time size."""
    token, number = _fixed.set(state), STAND_IN.set(state.stand_in)
    try:
        yield
    finally:
        _fixed.reset(token)
        STAND_IN.reset(number)


@contextmanager
def priced_at(size: int) -> Generator[None]:
    """Let tensors have the shape that they have at run-time size `size`."""
    token = _priced.set(size)
    try:
        yield
    finally:
        _priced.reset(token)


def priced_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a tensor at the size that is priced at the moment."""
    now, size = _fixed.get(), _priced.get()
    if now is None or size is None or not shape or not now.factor(shape[0]):
        return shape
    return (now.factor(shape[0]) * size, *shape[1:])


def check_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Sizes in increasing order; ValueError when there is none, or one below 1."""
    if not sizes or min(sizes) < 1:
        raise ValueError(f"dynamic sizes are 1 or more, not {', '.join(map(str, sizes)) or 'none'}")
    return tuple(sorted(set(sizes)))
