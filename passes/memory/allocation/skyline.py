"""Layouts from the bottom up: the lowest gap of the skyline takes the pieces that cover it best, and rises to its lower
wall when none fits between the walls.

Which pieces lie side by side on the bottom of a gap is chosen by dynamic programming over its sections. A covered
section counts the more, the less it can still waste; a piece of high value counts more for each.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from .deadline import Check, endless
from .model import Model, heights
from .pieces import Piece

EASE = 0.02
"""Slack (of all units) at which a section counts half of one without slack."""

Run = tuple[int, int, int]
"""First and last section plus one, height."""


class Skyline:
    """Runs of sections of one height, none beside one of the same height."""

    def __init__(self, sections: int, height: int):
        self._right = {0: sections}
        self._height = {0: height}
        self._left = {sections: 0}
        self._heap = [(height, 0, sections)]

    def lowest(self) -> Run:
        """Take the lowest run out, of several the first. What replaces it has to be put back."""
        while True:
            height, left, right = heappop(self._heap)
            if self._right.get(left) == right and self._height[left] == height:
                self._drop(left, right)
                return left, right, height

    def wall(self, left: int, right: int) -> int:
        """The lower one of the heights beside [left, right)."""
        beside = [self._height[self._left[left]]] if left in self._left else []
        if right in self._height:
            beside.append(self._height[right])
        return min(beside)

    def put(self, left: int, right: int, height: int) -> None:
        """Put a run where none is."""
        before = self._left.get(left)
        if before is not None and self._height[before] == height:
            self._drop(before, left)
            left = before
        if self._height.get(right) == height:
            end = self._right[right]
            self._drop(right, end)
            right = end
        self._right[left], self._height[left], self._left[right] = right, height, left
        heappush(self._heap, (height, left, right))

    def _drop(self, left: int, right: int) -> None:
        del self._right[left], self._height[left], self._left[right]


class Rows:
    """Lays out a model that has no pins and no pairs that must be apart."""

    def __init__(self, model: Model, blocks: Sequence[Piece], goal: int, check: Check = endless):
        """Every item is in one of the `blocks`. A section has slack where it needs less than `goal` bytes. `check` is
        asked for each row."""
        self._model = model
        self._check = check
        self._blocks = sorted(blocks, key=lambda block: (block.low, block.high))
        self._low = [block.low for block in self._blocks]
        self._high = [block.high for block in self._blocks]
        sections = model.sections
        starts, ends = [0] * (sections + 1), [0] * (sections + 1)
        height = (goal - model.origin) // model.unit
        for bit, block in enumerate(self._blocks):
            starts[block.low] |= 1 << bit
            ends[block.high] |= 1 << bit
        needed = heights(sections, (step for block in self._blocks for step in block.steps))
        slack = [height - model.floor - units for units in needed]
        for t in range(sections - 1, -1, -1):
            starts[t] |= starts[t + 1]
        for t in range(1, sections + 1):
            ends[t] |= ends[t - 1]
        self._starts, self._ends, self._slack = starts, ends, slack
        self._ease = max(height * EASE, 1.0)

    def fill(self, values: Sequence[float]) -> list[int]:
        """Offsets of all items; of pieces that fit equally well, those of high value (0 to 1) come first."""
        model, slack = self._model, self._slack[:]
        offsets = [0] * len(model.owner)
        factor = [1 + max(values[k] for k in block.items) for block in self._blocks]
        free = (1 << len(self._blocks)) - 1
        skyline = Skyline(model.sections, model.floor)
        while free:
            self._check()
            left, right, lowest = skyline.lowest()
            inside = free & self._starts[left] & self._ends[right]
            if not inside:
                wall = skyline.wall(left, right)
                for t in range(left, right):
                    slack[t] -= wall - lowest
                skyline.put(left, right, wall)
                continue
            end = left
            for bit in self._best_row(left, right, inside, slack, factor):
                block = self._blocks[bit]
                free ^= 1 << bit
                offset = -(-lowest // block.align) * block.align
                for k in block.items:
                    offsets[k] = offset
                if offset > lowest:
                    for t in range(block.low, block.high):
                        slack[t] -= offset - lowest
                if block.low > end:
                    skyline.put(end, block.low, lowest)
                for low, high, size in block.steps:
                    skyline.put(low, high, offset + size)
                end = block.high
            if end < right:
                skyline.put(end, right, lowest)
        return offsets

    def _best_row(
        self, left: int, right: int, inside: int, slack: Sequence[int], factor: Sequence[float]
    ) -> list[int]:
        """Pieces (bits) that lie beside each other in [left, right) and count most together."""
        low, high, ease = self._low, self._high, self._ease
        count = right - left
        worth = [0.0] * (count + 1)
        total = 0.0
        for t in range(count):
            room = slack[left + t]
            total += 1 / (room + ease) if room > 0 else 1 / ease
            worth[t + 1] = total
        ending: dict[int, list[int]] = {}
        while inside:
            lowest = inside & -inside
            bit = lowest.bit_length() - 1
            inside ^= lowest
            ending.setdefault(high[bit] - left, []).append(bit)
        best, taken = [0.0] * (count + 1), [-1] * (count + 1)
        for end in range(1, count + 1):
            most, pick = best[end - 1], -1
            for bit in ending.get(end, ()):
                start = low[bit] - left
                counts = best[start] + (worth[end] - worth[start]) * factor[bit]
                if counts > most:
                    most, pick = counts, bit
            best[end], taken[end] = most, pick
        row: list[int] = []
        end = count
        while end:
            bit = taken[end]
            if bit < 0:
                end -= 1
            else:
                row.append(bit)
                end = low[bit] - left
        return row[::-1]
