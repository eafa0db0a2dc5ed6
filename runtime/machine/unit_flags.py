"""The unit flags of L0C: one for each 512 B, up while the Cube has written and FixPipe has not read them.

Both walk a tile column by column of fractals; where FixPipe turns a tile into rows it needs all columns for each row.
What a tile lacks of its last fractal counts as written, because a product writes whole ones, and as read.
"""

from dataclasses import field

from ...dialects.records import dataclass
from .memory import View, round_up

FLAGGED = 512
"""Bytes of L0C that have one flag."""


@dataclass(frozen=True)
class Blocks:
    """Blocks of L0C with a flag each that an instruction works on: their addresses, column by column of fractals.
    `in_order`: whether FixPipe reads the columns one after the other."""

    columns: tuple[range, ...]
    in_order: bool = True
    all: frozenset[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "all", frozenset(block for column in self.columns for block in column))

    @staticmethod
    def of(tile: View, in_order: bool = True) -> "Blocks":
        """Those that have elements of a tile [columns, rows, 16], the last fractals of which are whole."""
        (columns, rows, _), fractal, found = tile.sizes, 256 * tile.itemsize, list[range]()
        for i in range(columns):
            begin = tile.address + i * tile.strides[0]
            end = round_up(begin + rows * tile.strides[1], fractal)
            found.append(range(begin // FLAGGED * FLAGGED, end, FLAGGED))
        return Blocks(tuple(found), in_order)

    def read(self, others: "Blocks", start: float, end: float) -> float:
        """When FixPipe, which works from `start` to `end`, has read those of its blocks that are among `others`;
        `start` where none is."""
        found, count = others.all, len(self.columns)
        if not self.in_order:
            return start if found.isdisjoint(self.all) else end
        for i in range(count, 0, -1):
            if not found.isdisjoint(self.columns[i - 1]):
                return start + i * ((end - start) / count)
        return start


NONE = Blocks(())
"""Of an instruction without unit flags."""


@dataclass(slots=True)
class UnitFlags:
    """The unit flags of a core at one time. `unread`: the blocks whose flags are up. `given`: when those came up that
    the Cube raised last, the first and the last of them; `began`: when FixPipe last began to read, `reads`: what it
    reads then or later, from when on and until when."""

    given: tuple[float, float]
    began: float
    reads: list[tuple[Blocks, float, float]]
    unread: set[int]

    @staticmethod
    def down(now: float) -> "UnitFlags":
        """All flags are down."""
        return UnitFlags((now, now), now, [], set())

    def hold(self, blocks: Blocks, cube: bool) -> bool:
        """Whether the Cube, which is to begin with `blocks`, waits until FixPipe begins to read what is there; or
        FixPipe, which is to read them, until the Cube has begun with the last of them."""
        return not self.unread.isdisjoint(blocks.all) if cube else not blocks.all <= self.unread

    def free(self, blocks: Blocks) -> tuple[float, float]:
        """When a product may begin to write `blocks`, and when it may end."""
        began = last = self.began
        for read, start, end in self.reads:
            over = read.read(blocks, start, end)
            if over > last:
                last = over
        return began, last

    def hand_over(self, blocks: Blocks, first: float, last: float) -> None:
        """The Cube is done with `blocks`: FixPipe may begin to read at `first`, and end at `last`."""
        self.unread |= blocks.all
        self.given = first, last

    def take(self, blocks: Blocks, start: float, end: float) -> None:
        """FixPipe reads `blocks`."""
        self.unread -= blocks.all
        self.began = start
        self.reads = [one for one in self.reads if one[2] > start]
        self.reads.append((blocks, start, end))
