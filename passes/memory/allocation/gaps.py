"""What can rest on the bottom of a gap.

Placed pieces form a skyline. A gap is a run of sections of one height between higher ones (or ends of the problem). A
piece that next covers a section of the gap rests on its bottom, or the bottom is wasted there up to some height. Both
are edges of a graph on the points between the sections: a piece leads from its first point to its last, waste leads
over one section where that has slack for it. Only edges on a way from the left end of the gap to the right end can be
part of a layout. Where they are few, the search has little to choose; where there are none, the gap cannot be filled.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from .pieces import Pieces

FAR = 1 << 60
"""The height of what bounds the problem in time."""


class Gap(NamedTuple):
    """Sections up to `right` at `height`; the lower wall ends at `wall`, the left one at `left_wall`, the right one
    at `right_wall`. Section `section` has `choices` ways to go on: the pieces `fitting`, or to waste `waste` units of
    it where `wasteful`. `empty`: no piece left is alive in the gap alone."""

    right: int
    height: int
    wall: int
    left_wall: int
    right_wall: int
    choices: int
    section: int
    fitting: tuple[int, ...]
    waste: int
    wasteful: bool
    empty: bool


class Unplaced(Protocol):
    """What is left to place: the pieces `free`, what each section may still waste, and the sections `wasted` whose top
    is waste (bits)."""

    @property
    def free(self) -> int: ...

    @property
    def slack(self) -> Sequence[int]: ...

    @property
    def wasted(self) -> int: ...


class GapReader:
    """Finds the choices of gaps. `weight` says how often each section failed: where choices are equally few, one that
    failed often comes first. `limit[p]` is the highest offset of each piece."""

    def __init__(self, pieces: Pieces, limit: Sequence[int], weight: list[float]):
        self.weight = weight
        self.limit = limit
        self._pieces = pieces
        self._low = [p.low for p in pieces.pieces]
        self._high = [p.high for p in pieces.pieces]
        self._size = [p.size for p in pieces.pieces]
        self._align = [p.align for p in pieces.pieces]
        self._sibling = _siblings(pieces, limit)

    def read(
        self,
        left: int,
        right: int,
        height: int,
        walls: tuple[int, int],
        left_over: Unplaced,
    ) -> Gap | None:
        """The gap [left, right), for what is left over; None if it cannot be filled."""
        free, slack, wasted = left_over.free, left_over.slack, left_over.wasted
        wall = min(walls)
        need = wall - height
        inside = free & self._pieces.starts_from[left] & self._pieces.ends_by[right]
        if not inside:
            return Gap(right, height, wall, *walls, 1, left, (), need, True, True)
        count = right - left
        edges, change, ending, starting = self._edges(left, count, height, inside, slack, wasted)
        support = [FAR] * (count + 1)  # the least piece that begins right of a section
        least = FAR
        for t in range(count - 1, -1, -1):
            support[t] = least
            if starting[t] < least:
                least = starting[t]
        high = self._high
        forth = [False] * (count + 1)
        forth[0] = True
        waste = [0] * count
        alive, least = 0, FAR
        for t in range(count):
            alive += change[t]
            if ending[t] < least:
                least = ending[t]
            room = slack[left + t]
            if wall < FAR and need - alive > room:
                return None  # all that may lie below the walls does not reach them
            step = support[t] if support[t] < least else least
            if alive == 0 or step > need:
                step = need
            waste[t] = step
            if forth[t]:
                for p in edges[t]:
                    forth[high[p] - left] = True
                if room >= step:
                    forth[t + 1] = True
        if not forth[count]:
            return None
        return self._choices(left, right, height, walls, slack, edges, forth, waste)

    def _edges(
        self, left: int, count: int, height: int, inside: int, slack: Sequence[int], wasted: int
    ) -> tuple[list[list[int]], list[int], list[int], list[int]]:
        """Pieces that can rest on the bottom by first point; the units alive inside as changes from section to
        section;
        the least size of pieces that end and that begin at each point."""
        low, high, size, align = self._low, self._high, self._size, self._align
        span, single, sibling, limit = self._pieces.span, self._pieces.single, self._sibling, self.limit
        edges: list[list[int]] = [[] for _ in range(count)]
        change, ending, starting = [0] * (count + 1), [FAR] * (count + 1), [FAR] * (count + 1)
        last = -1
        while inside:
            bit = inside & -inside
            p = bit.bit_length() - 1
            inside ^= bit
            x, y, units = low[p] - left, high[p] - left, size[p]
            if single[p]:
                change[x] += units
                change[y] -= units
                if units < starting[x]:
                    starting[x] = units
                if units < ending[y]:
                    ending[y] = units
            if (sibling[p] >= 0 and sibling[p] == last) or wasted & span[p] == span[p]:
                continue  # as good as the one before; or it rests on nothing, so it could lie lower
            at = height
            if align[p] > 1 and height % align[p]:
                at += align[p] - height % align[p]
                if min(slack[low[p] : high[p]]) < at - height:
                    continue
            if at <= limit[p]:
                last = sibling[p]
                edges[x].append(p)
        return edges, change, ending, starting

    def _choices(
        self,
        left: int,
        right: int,
        height: int,
        walls: tuple[int, int],
        slack: Sequence[int],
        edges: Sequence[Sequence[int]],
        forth: Sequence[bool],
        waste: Sequence[int],
    ) -> Gap | None:
        """Go back from the right end, keep the edges on a way through, take the section with the fewest."""
        low, high, weight = self._low, self._high, self.weight
        count = right - left
        back = [False] * (count + 1)
        back[count] = True
        ways = [0] * (count + 1)
        kept: list[int] = []
        for t in range(count - 1, -1, -1):
            reached = forth[t]
            if back[t + 1] and slack[left + t] >= waste[t]:
                back[t] = True
                if reached:
                    ways[t] += 1
                    ways[t + 1] -= 1
            for p in edges[t]:
                y = high[p] - left
                if back[y]:
                    back[t] = True
                    if reached:
                        kept.append(p)
                        ways[t] += 1
                        ways[y] -= 1
        open_ways, best, at, fewest = 0, FAR * 1.0, 0, 0
        for t in range(count):
            open_ways += ways[t]
            if open_ways <= 1:
                at, fewest = t, open_ways
                break
            score = open_ways / (1 + weight[left + t])
            if score < best:
                best, at, fewest = score, t, open_ways
        section = left + at
        fitting = tuple(p for p in kept if low[p] <= section < high[p])
        wasteful = slack[section] >= waste[at] and forth[at] and back[at + 1]
        return Gap(right, height, min(walls), *walls, fewest, section, fitting, waste[at], wasteful, False)


def _siblings(pieces: Pieces, limit: Sequence[int]) -> list[int]:
    """A number for each set of pieces that can take each other's place, -1 for the others. They are neighbours."""
    found: list[int] = []
    seen: dict[tuple[int, ...], int] = {}
    for p, piece in enumerate(pieces.pieces):
        if len(piece.items) > 1 or pieces.links[p]:
            found.append(-1)
        else:
            key = (piece.low, piece.high, piece.size, piece.align, limit[p])
            found.append(seen.setdefault(key, len(seen)))
    return found
