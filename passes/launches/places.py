"""Places of launches: what has one place runs as one launch. The same rule tells that twice: of groups, before they
have tiles, and of the launches that became of them."""

from collections.abc import Sequence
from typing import Generic, TypeVar

MOST_JOINED = 16
"""Launches that become one at most: each is a branch that all cores look at."""

T = TypeVar("T")


class Places(Generic[T]):
    """Places in the order in which they run, each with what has it."""

    def __init__(self):
        self._places: list[list[T]] = []
        self._closed = set[int]()

    def __len__(self) -> int:
        return len(self._places)

    def add(self, one: T, first: int, free: bool = True) -> int:
        """Its place: the earliest one from `first` on that has room. Without being `free` it has one of its own."""
        room = (
            i
            for i in range(first, len(self._places))
            if i not in self._closed and len(self._places[i]) < MOST_JOINED
        )
        at = next(room, len(self._places)) if free else len(self._places)
        if at == len(self._places):
            self._places.append([])
            if not free:
                self._closed.add(at)
        self._places[at].append(one)
        return at

    @property
    def all(self) -> Sequence[Sequence[T]]:
        """What has each place."""
        return self._places

    @property
    def several(self) -> Sequence[Sequence[T]]:
        """What has places with others."""
        return [place for place in self._places if len(place) > 1]


__all__ = ["Places"]
