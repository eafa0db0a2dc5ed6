"""Exact search for problems whose skyline is not all: pinned items, and pairs that keep apart at different times.

Pieces are placed by rising offset, each as low as those below it and the pinned items let it. Every layout can be
brought into this form, so the first piece that has to be tried next is one that could lie no lower than what is
placed already, and not so high that another piece fits below it. In each section, what is not placed has to fit above
the offset reached. Slower than the search by gaps, but nothing in it depends on lifetimes being all that keeps items
apart.
"""

from collections.abc import Callable

from .model import section_items
from .pieces import Pieces


class OrderSearch:
    """Searches for offsets of all items that end within `capacity` bytes."""

    def __init__(self, pieces: Pieces, capacity: int):
        model = pieces.model
        self._model, self._pieces = model, pieces
        self._limit = model.limit(capacity)
        self._height = -(-(capacity - model.origin) // model.unit)
        self._sections = section_items(model)
        self._at: list[int | None] = list(model.pinned)
        self._left = 0
        self._stop: Callable[[int], bool] | None = None
        self.steps = 0

    def run(self, steps: int, stop: Callable[[int], bool] | None = None) -> list[int] | bool:
        """Offsets of all items; False where there are none; True when `steps` or `stop` ended the search."""
        self.steps, self._left, self._stop = 0, steps, stop
        self._at = list(self._model.pinned)
        if any(at is not None and at > self._limit[k] for k, at in enumerate(self._at)):
            return False
        free = [p for p, piece in enumerate(self._pieces.pieces) if not self._pinned(piece.items)]
        free.sort(key=lambda p: -self._pieces.pieces[p].size * (self._span(p)))
        found = self._search(free, self._model.floor)
        if found:
            return [at for at in self._at if at is not None]
        return True if found is None else not self._pieces.complete

    def _span(self, p: int) -> int:
        return self._pieces.pieces[p].high - self._pieces.pieces[p].low

    def _pinned(self, items: tuple[int, ...]) -> bool:
        return any(self._model.pinned[k] is not None for k in items)

    def _search(self, free: list[int], reached: int) -> bool | None:
        if all(at is not None for at in self._at):
            return True
        if not self._has_room(reached):
            return False
        self.steps += 1
        if self.steps > self._left or (
            self._stop is not None and self.steps % 64 == 0 and self._stop(self.steps)
        ):
            return None
        options = [(at, p) for p in free if (at := self._lowest(p, reached)) is not None]
        if {k for _, p in options for k in self._pieces.pieces[p].items} != {
            k for k, at in enumerate(self._at) if at is None
        }:
            return False  # an item that fits nowhere any more
        size = self._pieces.pieces
        below = min(at + max(self._model.size[k] for k in size[p].items) for at, p in options)
        for at, p in sorted(options, key=lambda option: option[0]):
            if at >= below:
                break
            items = self._pieces.pieces[p].items
            for k in items:
                self._at[k] = at
            rest = [q for q in free if not self._pieces.clash[p] >> q & 1]
            found = self._search(rest, at)
            if found is not False:
                return found
            for k in items:
                self._at[k] = None
        return False

    def _has_room(self, reached: int) -> bool:
        """Whether in each section what is not placed fits beside what lies above the offset reached."""
        model = self._model
        for items in self._sections:
            need = 0
            for k in items:
                at = self._at[k]
                if at is None:
                    need += model.size[k]
                    need -= sum(
                        min(model.size[k], model.size[j])
                        for j in model.over[k]
                        if (self._at[j] is None and j > k) or self._at[j] is not None
                    )
                elif not model.over[k]:
                    need += max(at + model.size[k] - max(at, reached), 0)
            if need > self._height - reached:
                return False
        return True

    def _lowest(self, p: int, reached: int) -> int | None:
        """The lowest offset from `reached` on that a piece may have, None where there is none."""
        piece, model = self._pieces.pieces[p], self._model
        at = reached
        limit = min(self._limit[k] for k in piece.items)
        moved = True
        while moved:
            at, moved = -(-at // piece.align) * piece.align, False
            if at > limit:
                return None
            for k in piece.items:
                for j in model.meets[k]:
                    other = self._at[j]
                    if other is None or j in piece.items:
                        continue
                    if at >= other + model.size[j] or other >= at + model.size[k]:
                        continue
                    shares = j in model.over[k] and model.pinned[j] is not None
                    if shares and at <= other:
                        at, moved = other, moved or at < other
                    else:
                        at, moved = other + model.size[j], True
        return at
