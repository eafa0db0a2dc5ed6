"""How far long work is: passes and the emulator tell whoever watches, and nobody else.

    def show(now: Progress) -> None:
        print(f"{now.task}: {now.done} of {now.total}")

    with progress(show):
        program = ascend_opt.compile("model.onnx")
        program.run(x=x)

Nobody watches unless told so. A task is told at its start and after each of its items.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from ...dialects.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is: `done` of `total` items, which are called `unit` (`op`, `kernel`, ...); `item` is the next
    one, empty at the end. `predicted_us`: the time of the program so far, in µs, where it runs on the emulator."""

    task: str
    done: int
    total: int
    unit: str
    item: str = ""
    predicted_us: float | None = None


Watcher = Callable[[Progress], None]

_watcher: ContextVar[Watcher | None] = ContextVar("ascend_opt_progress", default=None)


@contextmanager
def progress(watcher: Watcher | None) -> Generator[None]:
    """Call `watcher` with the progress of what runs while the context is open; None: with that of nothing."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def watched() -> Watcher | None:
    """Whom to tell, if anybody."""
    return _watcher.get()


def tracked(items: Sequence[T], task: str, unit: str, name: Callable[[T], str]) -> Iterator[T]:
    """The items, one after the other; whoever watches is told how many are done."""
    watcher = _watcher.get()
    if watcher is None or not items:
        yield from items
        return
    for done, item in enumerate(items):
        watcher(Progress(task, done, len(items), unit, name(item)))
        yield item
    watcher(Progress(task, len(items), len(items), unit))
