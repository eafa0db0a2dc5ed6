"""Who says how long a graph takes at run-time sizes: what compiles and times it, provided from above.

Passes know no emulator (see `kernels.tuner`). `graph-size-variants` asks for the times of a graph that is compiled for
some sizes, at these and at others.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class SizeClock(Protocol):
    """Times graphs. `alone` is a module with one function, whose dynamic dimension, if it has one, is to be compiled
    for the sizes `tiled`; the answer has µs for each size of `at`, infinite where it cannot be compiled."""

    def times(self, alone: ModuleOp, tiled: Sequence[int], at: Sequence[int]) -> Sequence[float]: ...


_provided: list[Callable[[str | None], SizeClock]] = []
"""What makes a clock for a chip; the last one counts."""


def provide_size_clock(make: Callable[[str | None], SizeClock]) -> None:
    """Let passes ask the clock that `make` gives for the name of a chip, None for that of the module."""
    _provided.append(make)


@contextmanager
def timed_by(make: Callable[[str | None], SizeClock]) -> Generator[None]:
    """The same while the context is open."""
    _provided.append(make)
    try:
        yield
    finally:
        _provided.remove(make)


def size_clock(target: str | None) -> SizeClock:
    """The clock for a chip; ValueError where nothing provides one."""
    if not _provided:
        raise ValueError("what times graphs comes with ascend_opt.compiler.pipeline.universe")
    return _provided[-1](target)


__all__ = ["SizeClock", "provide_size_clock", "size_clock", "timed_by"]
