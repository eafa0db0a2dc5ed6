"""The unit flags of L0C: one for each 512 B, up while the Cube has written and FixPipe has not read them.

Both walk a tile column by column of fractals, and so flags are kept by columns; where FixPipe turns a tile into rows it
needs all columns for each row.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass

from .memory import View


@dataclass(frozen=True)
class Columns:
    """Columns of fractals of a tile in L0C: the address of each, of its first row that an instruction works on, and the
    bytes from one to the next. `in_order`: whether FixPipe reads them one after the other."""

    starts: tuple[int, ...]
    pitch: int
    in_order: bool = True

    @staticmethod
    def of(tile: View, count: int, in_order: bool = True) -> "Columns":
        """The first `count` columns of a tile [columns, rows, 16]."""
        starts = tuple(tile.address + i * tile.strides[0] for i in range(count))
        return Columns(starts, max(tile.strides[0], tile.strides[1]), in_order)

    def handed(self, unread: Collection[int]) -> list[int] | None:
        """Those of the columns that the Cube handed over which these are; None unless all were."""
        given, found = sorted(unread), list[int]()
        for start in self.starts:
            at = bisect_right(given, start) - 1
            if at < 0 or start - given[at] >= self.pitch:
                return None
            found.append(given[at])
        return found

    def read(self, found: Collection[int], start: float, end: float) -> dict[int, float]:
        """When FixPipe, which works from `start` to `end`, has read each of the columns `found`."""
        if not self.in_order:
            return dict.fromkeys(found, end)
        each = (end - start) / len(found)
        return {column: start + (i + 1) * each for i, column in enumerate(found)}


NONE = Columns((), 0)


@dataclass
class UnitFlags:
    """The state of a core's unit flags at one time: `given` is when those of the columns handed over last come up, the
    first and the last of them, `began` when FixPipe last began to read, `read` when it had read a column."""

    given: tuple[float, float]
    began: float
    read: dict[int, float]
    unread: set[int]

    @staticmethod
    def down(now: float) -> "UnitFlags":
        return UnitFlags((now, now), now, {}, set())

    def hold(self, columns: Columns, cube: bool) -> bool:
        """Whether the Cube, which is to begin with `columns`, or FixPipe, which is to read them, has to wait for what
        the other has not yet begun."""
        return not self.unread.isdisjoint(columns.starts) if cube else columns.handed(self.unread) is None

    def free(self, columns: Columns) -> tuple[float, float]:
        """When a product may begin to write `columns`, and when it may end."""
        return self.began, max(self.read.get(start, self.began) for start in columns.starts)

    def hand_over(self, columns: Columns, first: float, last: float) -> None:
        """The Cube has done with `columns`: FixPipe may begin to read at `first`, and end at `last`."""
        self.unread.update(columns.starts)
        self.given = first, last

    def take(self, columns: Columns, start: float, end: float) -> None:
        """FixPipe reads `columns`."""
        found = columns.handed(self.unread)
        assert found is not None, "FixPipe waits until all of its columns are handed over"
        self.unread.difference_update(found)
        self.began, self.read = start, columns.read(found, start, end)
