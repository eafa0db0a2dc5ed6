"""Exact search for a layout within a capacity: fill the gaps of the skyline, the one with the fewest choices first.

Every layout can be pushed down until each piece rests on the bottom or on another piece, so only such layouts are
looked for. The state is a skyline. In a section of a gap, the next piece above is one of those that fit between the
walls and rest on the bottom, or the bottom is wasted there: these cases exclude each other and leave nothing out, for
any gap, so the search takes the one with the fewest (`gaps.py`). One choice alone is no choice: it is made at once.

What a section may waste is its slack: the capacity less the bytes of all that is alive there. It never grows.

- Where no piece left crosses a point of time, the two sides are independent problems.
- A gap that cannot be filled is the fault of the decisions that shaped the skyline between its walls, nobody else's.
  Every section knows those it depends on, and the search goes back to the last of them (conflict-directed
  backjumping).
- Sections that fail gain weight, and gaps with weighty sections are filled earlier, in later restarts too
  (weighted degree).
- A state that failed once, of any part of the time, is known again when another way leads there.
"""

import sys
from collections.abc import Callable, Sequence

from ....dialects.records import dataclass
from .gaps import FAR, Gap, GapReader
from .pieces import Pieces

FOUND = -1
"""What a search returns that placed all its pieces; otherwise the decisions that its failure depends on, as bits."""
MEMORY = 4_000_000
"""Numbers in all the states that are kept."""
BLAME, MOST_WEIGHT = 0.1, 100.0
"""What a failure adds to the weights of its sections; weights above the second are all made a tenth."""


class OutOfStepsError(Exception):
    """The limit ended a search."""


@dataclass(slots=True)
class State:
    """The pieces `free` are to be placed in the sections [begin, end), above the skyline `sky`. `slack` is what each
    section may still waste, `cause` the decisions (bits by depth) that its height depends on; the top of the sections
    `wasted` (bits) is waste. `gaps` are all gaps by their first section."""

    free: int
    sky: list[int]
    slack: list[int]
    cause: list[int]
    wasted: int
    begin: int
    end: int
    gaps: dict[int, Gap]

    def copy(self) -> "State":
        return State(
            self.free,
            self.sky[:],
            self.slack[:],
            self.cause[:],
            self.wasted,
            self.begin,
            self.end,
            self.gaps.copy(),
        )

    def reasons(self, left: int, right: int) -> int:
        """The decisions that the sections [left, right) and their walls depend on."""
        found = 0
        for bits in self.cause[max(left - 1, self.begin) : min(right + 1, self.end)]:
            found |= bits
        return found

    def key(self) -> tuple[int, int, tuple[int, ...]]:
        """What the future depends on."""
        part = ((1 << (self.end - self.begin)) - 1) << self.begin
        return self.free, self.wasted & part, tuple(self.sky[self.begin : self.end])


@dataclass(frozen=True)
class Guide:
    """What a run tries first: pieces of high `priority`; with `by_fit` those that end flush with walls before
    them."""

    priority: Sequence[float]
    by_fit: bool


class GapSearch:
    """Searches for offsets (units) of all pieces below `height` units, for piece p `limit[p]` at most. `weight` of
    the
    sections is kept and changed."""

    def __init__(self, pieces: Pieces, height: int, limit: Sequence[int], weight: list[float]):
        self._pieces = pieces
        self._reader = GapReader(pieces, limit, weight)
        self._weight = weight
        self._slack = [height - pieces.model.floor - units for units in pieces.need]
        self._failed: set[tuple[int, int, tuple[int, ...]]] = set()
        self._room = MEMORY // (pieces.sections + 8)
        self._guide = Guide((), False)
        self._limit = 0
        self._stop: Callable[[int], bool] | None = None
        self.steps = 0
        """Decisions of the last run."""
        self.offsets: dict[int, int] = {}
        """Of every item, after a run that found a layout."""

    def run(self, guide: Guide, limit: int, stop: Callable[[int], bool] | None = None) -> bool | None:
        """Whether there is a layout; None when `limit` decisions did not tell or `stop` (asked now and then, with the
        steps so far) said so."""
        self._guide, self._limit, self._stop, self.steps = guide, limit, stop, 0
        if min(self._slack, default=0) < 0:
            return False
        if len(self._failed) >= self._room:
            self._failed.clear()
        sections, count = self._pieces.sections, len(self._pieces.pieces)
        root = State(
            (1 << count) - 1,
            [self._pieces.model.floor] * sections,
            self._slack[:],
            [0] * sections,
            0,
            0,
            sections,
            {},
        )
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(max(depth, 4 * (count + 3 * sections) + 2000))
        try:
            return self._parts(root, 0) == FOUND
        except OutOfStepsError:
            return None
        finally:
            sys.setrecursionlimit(depth)
            if max(self._weight, default=0.0) > MOST_WEIGHT:
                self._weight[:] = [weight / 10 for weight in self._weight]

    def _parts(self, state: State, depth: int) -> int:
        """Search the independent parts of a state, the small ones first."""
        pieces = self._pieces
        parts: list[tuple[int, int, int, int]] = []
        left = state.begin
        for t in range(state.begin + 1, state.end + 1):
            if t == state.end or not state.free & pieces.crossing[t]:
                inside = state.free & pieces.starts_from[left] & pieces.ends_by[t]
                if inside:
                    parts.append((inside.bit_count(), left, t, inside))
                left = t
        parts.sort()
        for _, left, right, inside in parts:
            part = State(inside, state.sky, state.slack, state.cause, state.wasted, left, right, {})
            failed = self._read(part, left, right)
            found = self._fill(part.copy(), depth) if failed is None else failed
            if found != FOUND:
                return found
        return FOUND

    def _read(self, state: State, left: int, until: int) -> int | None:
        """Read the gaps that begin in [left, until); the reasons of the first that cannot be filled."""
        sky, begin, end = state.sky, state.begin, state.end
        while left < until:
            height = sky[left]
            right = left + 1
            while right < end and sky[right] == height:
                right += 1
            walls = (sky[left - 1] if left > begin else FAR, sky[right] if right < end else FAR)
            if walls[0] > height < walls[1]:
                gap = self._reader.read(left, right, height, walls, state)
                if gap is None:
                    for t in range(left, right):
                        self._weight[t] += BLAME / (right - left)
                    return state.reasons(left, right)
                state.gaps[left] = gap
            left = right
        return None

    def _place(self, state: State, p: int, gap: Gap, reasons: int) -> bool:
        """Put a piece on the bottom of a gap; whether all sections have the slack for it."""
        piece = self._pieces.pieces[p]
        low, high, at, slack = piece.low, piece.high, gap.height, state.slack
        state.free &= ~self._pieces.clash[p]
        state.wasted &= ~self._pieces.span[p]
        if piece.align > 1 and at % piece.align:
            lift = piece.align - at % piece.align
            at += lift
            for t in range(low, high):
                slack[t] -= lift
        if piece.heights is None:
            state.sky[low:high] = [at + piece.size] * (high - low)
        else:
            state.sky[low:high] = [at + height for height in piece.heights]
        for t in range(low, high):
            state.cause[t] |= reasons
        for k in piece.items:
            self.offsets[k] = at
        lost, links = self._pieces.loss[p], self._pieces.links[p]
        if lost is None and not links:
            return True
        if lost is not None:
            for t, units in zip(range(low, high), lost, strict=True):
                slack[t] -= units
        for other, x, y, units in links:
            if state.free & other:  # the pair cannot share bytes any more
                for t in range(x, y):
                    slack[t] -= units
        return min(slack[low:high]) >= 0

    def _waste(self, state: State, left: int, right: int, units: int, reasons: int) -> bool:
        """Leave the bottom of sections empty; whether they have the slack for it."""
        for t in range(left, right):
            state.sky[t] += units
            state.slack[t] -= units
            state.cause[t] |= reasons
            if state.slack[t] < 0:
                self._weight[t] += BLAME
                return False
        state.wasted |= ((1 << (right - left)) - 1) << left
        return True

    def _go_on(self, state: State, left: int, gap: Gap) -> int | None:
        """After a change in the gap at `left`, read it and its neighbours anew; the reasons when one cannot be
        filled.
        A gap that does not touch it stays as it was."""
        sky, begin, right = state.sky, state.begin, gap.right
        first = left
        if left > begin:
            first = left - 1
            while first > begin and sky[first - 1] == sky[left - 1]:
                first -= 1
            state.gaps.pop(first, None)
        state.gaps.pop(left, None)
        state.gaps.pop(right, None)
        return self._read(state, first, right + 1 if right < state.end else right)

    def _splits(self, state: State, p: int) -> bool:
        """Whether no free piece crosses some point that a piece just placed did."""
        piece, crossing = self._pieces.pieces[p], self._pieces.crossing
        return any(not state.free & crossing[t] for t in range(piece.low + 1, piece.high))

    def _fill(self, state: State, depth: int) -> int:
        """Do what leaves no choice, then decide. The state is changed."""
        weight, moves = self._weight, 0
        while True:
            moves += 1
            if moves % 64 == 0 and self._stop is not None and self._stop(self.steps):
                raise OutOfStepsError
            left, best = -1, FAR * 1.0
            for at, gap in state.gaps.items():
                if gap.choices <= 1:
                    left = at
                    break
                score = gap.choices / (1 + weight[gap.section])
                if score < best:
                    left, best = at, score
            gap = state.gaps[left]
            reasons = state.reasons(left, gap.right)
            if gap.choices > 1:
                return self._decide(state, left, gap, reasons, depth)
            if gap.choices == 0:
                return reasons
            if gap.fitting:
                p = gap.fitting[0]
                if not self._place(state, p, gap, reasons):
                    return reasons
                if not state.free:
                    return FOUND
                if self._splits(state, p):
                    return self._parts(state, depth)
            else:
                x, y = (left, gap.right) if gap.empty else (gap.section, gap.section + 1)
                if not self._waste(state, x, y, gap.waste, reasons):
                    return reasons
            failed = self._go_on(state, left, gap)
            if failed is not None:
                return failed

    def _decide(self, state: State, left: int, gap: Gap, reasons: int, depth: int) -> int:
        """Try the choices of a gap one after the other."""
        key = state.key()
        if key in self._failed:
            return state.reasons(state.begin, state.end)
        self.steps += 1
        if self.steps > self._limit or (
            self._stop is not None and self.steps % 64 == 0 and self._stop(self.steps)
        ):
            raise OutOfStepsError
        own = 1 << depth
        choices: list[int | None] = [*self._ordered(gap, left)]
        if gap.wasteful:
            choices.append(None)
        for p in choices:
            found = self._try(state.copy(), p, left, gap, own, depth + 1)
            if found == FOUND or not found & own:
                return found
            reasons |= found
        if len(self._failed) < self._room:
            self._failed.add(key)
        return reasons & ~own

    def _try(self, state: State, p: int | None, left: int, gap: Gap, own: int, depth: int) -> int:
        """Place piece p in the gap, or waste its bottom, and search on."""
        if p is None:
            if not self._waste(state, gap.section, gap.section + 1, gap.waste, own):
                return state.reasons(gap.section, gap.section + 1)
        else:
            if not self._place(state, p, gap, own):
                return state.reasons(left, gap.right)
            if not state.free:
                return FOUND
            if self._splits(state, p):
                return self._parts(state, depth)
        failed = self._go_on(state, left, gap)
        return self._fill(state, depth) if failed is None else failed

    def _ordered(self, gap: Gap, left: int) -> list[int]:
        priority, pieces = self._guide.priority, self._pieces.pieces
        if not self._guide.by_fit:
            return sorted(gap.fitting, key=lambda p: -priority[p])

        def rank(p: int) -> tuple[int, float]:
            piece, flush = pieces[p], 0
            top = gap.height + piece.size
            if piece.low == left:
                flush += 3 if top == gap.left_wall else 1
            if piece.high == gap.right:
                flush += 3 if top == gap.right_wall else 1
            return -flush, -priority[p]

        return sorted(gap.fitting, key=rank)
