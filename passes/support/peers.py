"""Processes that run the same pass on the same module at once, and tell each other what they have found out.

All take the same decisions, as these depend on what is found out alone, and not on who found it. Where it is clear what
will be asked (`share`), they find it out from different ends. What makes peers is provided from above
(`compiler/workers/session.py`): passes start no processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from typing import Protocol, TypeVar, cast

T = TypeVar("T")
P = TypeVar("P")

PATIENCE, PAUSE = 1.0, 0.0005
"""Seconds until a process does itself what another one has begun that may be gone, and between looks at whether it is
done."""


class Peers(Protocol):
    """The others, as one of `count` processes sees them; it has the `number`, from 0 on."""

    number: int
    count: int

    def tell(self, found: object) -> None:
        """Let the others know what can be pickled."""

    def heard(self) -> Iterable[object]:
        """What the others have told since this was asked last."""
        ...

    def claims(self, count: int) -> Claim:
        """Of the next `count` pieces of work, which are the same for all."""
        ...

    def lost(self) -> bool:
        """Whether somebody may be gone who has begun something."""
        ...


Claim = Callable[[int], bool]
"""Whether a piece of work, by its number, is left to who asks, as nobody has asked before. Two that ask at once may
both get it."""


Makes = Callable[[], AbstractContextManager[Peers | None]]
"""Gives a context in which processes hear what others tell in the same one."""

_makes: ContextVar[Makes | None] = ContextVar("ascend_opt_peers", default=None)


@contextmanager
def peers_made_by(makes: Makes | None) -> Generator[None]:
    """Let passes have peers while the context is open; None: no longer."""
    token = _makes.set(makes)
    try:
        yield
    finally:
        _makes.reset(token)


def peers() -> AbstractContextManager[Peers | None]:
    """Peers for as long as the context is open; None where there are none."""
    makes = _makes.get()
    return nullcontext() if makes is None else makes()


def share(items: Sequence[T], number: int, count: int) -> Iterator[T]:
    """All items, in an order in which processes come upon the same ones late: pairs of them walk from the ends of their
    part to each other."""
    parts = (count + 1) // 2
    start = len(items) * (number // 2) // parts
    turned = [*items[start:], *items[:start]]
    if number % 2:
        middle = len(items) * (number // 2 + 1) // parts - start
        turned = [*reversed(turned[:middle]), *reversed(turned[middle:])]
    return iter(turned)


def awaited(known: Callable[[], bool], others: Peers) -> bool:
    """Whether something that another process has begun gets known: not where patience ends as that one may be gone."""
    end = time.monotonic() + PATIENCE
    while not known():
        if time.monotonic() > end and others.lost():
            return False
        time.sleep(PAUSE)
    return True


def share_out(count: int, others: Peers, find: Callable[[int], T]) -> dict[int, T]:
    """What `find` gives for each number below `count`, by whichever process comes to it first."""
    found: dict[int, T] = {}
    claim = others.claims(count)

    def known(number: int) -> bool:
        found.update(cast(Iterable[tuple[int, T]], others.heard()))
        return number in found

    def look_at(number: int) -> None:
        with peers_made_by(None):  # others are at another number
            found[number] = find(number)
        others.tell((number, found[number]))

    for number in share(range(count), others.number, others.count):
        if claim(number):
            look_at(number)
    for number in range(count):
        if not awaited(partial(known, number), others):
            look_at(number)
    return found


def each(count: int, find: Callable[[int], T], pack: Callable[[T], P]) -> tuple[dict[int, T], dict[int, P]]:
    """What `find` gives for each number below `count`: found by this process, which all are where there are no peers,
    and as others have packed it."""
    here: dict[int, T] = {}

    def packed(number: int) -> P:
        here[number] = find(number)
        return pack(here[number])

    with peers() if count > 1 else nullcontext() as others:
        if others is None:
            return {number: find(number) for number in range(count)}, {}
        found = share_out(count, others, packed)
    return here, {number: one for number, one in found.items() if number not in here}


__all__ = ["Claim", "Makes", "Peers", "awaited", "each", "peers", "peers_made_by", "share", "share_out"]
