"""What the Vector instructions of a traced group cost on one contiguous tile, whose rows are known.

Beside what all elements at once cost (`cost.vector`), it counts what depends on the rows of the tile:

- Rows that lie apart are walked: halves of rows that are folded, rows with a value each, or a row that repeats. A loop
  goes around an instruction where the last tile has fewer rows, so that no number of them is known.
- A vector function ends at a loop, at a transpose and at a flag. The next one starts anew, and what it needs it waits
  for until the one before has drained.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from ...dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...runtime.machine.costs import vec_cost
from ..memory.bank_phases import bank_turn
from ..selection.vector_shapes import Choice, Dim, Part, choose, merged, trip_cycles
from .group_trace import GroupTrace, Halves, TraceStep, TraceTile, ceil_to
from .vector import loop_cycles, loops_of, step_cycles, vector_cycles


@dataclass(frozen=True)
class TileRows:
    """A contiguous tile of a kernel: its sizes, and whether every tile of the kernel has as many rows (`whole_rows`)
    and columns (`whole_columns`)."""

    sizes: tuple[int, ...]
    whole_rows: bool
    whole_columns: bool

    @staticmethod
    def of(sizes: Sequence[int], extents: Sequence[int]) -> "TileRows":
        *rows, columns = (extent % size == 0 for size, extent in zip(sizes, extents, strict=True))
        return TileRows(tuple(sizes), all(rows), columns)

    @property
    def rows(self) -> int:
        return prod(self.sizes[:-1])

    @property
    def width(self) -> int:
        """Elements that a row takes in UB."""
        return ceil_to(self.sizes[-1], BLOCK)

    @property
    def elements(self) -> int:
        return self.rows * self.width

    def rows_of(self, one: TraceTile) -> int:
        """Rows of a tile that may lack dimensions."""
        return prod(size for d, size in enumerate(self.sizes[:-1]) if d not in one.lacks)

    def along(self, one: TraceTile) -> bool:
        """Whether it has the elements of a row."""
        return len(self.sizes) - 1 not in one.lacks


def tile_cycles(trace: GroupTrace, tile: TileRows, target: Target) -> float:
    """Cycles of a group's Vector instructions on one tile; never less than those of all its elements at once. Chips
    without vector functions pay for rows that lie apart where the last tile's rows are shorter."""
    flat = vector_cycles(trace, tile.elements, target)
    if target.vector.depth:
        walked = dict[int, Choice]() if tile.rows == 1 else _walked(trace, tile, target)
        return max(flat, _function_cycles(trace, tile, target, walked))
    if tile.rows == 1 or tile.whole_columns:
        return flat
    total = flat
    for step in trace.steps:
        if step.name == "vconv" and step.full:
            total += _by_rows(step, tile, target).cycles
        elif step.folds:
            folded = fold_by_rows(target, step, tile.elements, tile.sizes[-1])
            total += folded.cycles - step_cycles(step, tile.elements, target)
    return total


def _walked(trace: GroupTrace, tile: TileRows, target: Target) -> dict[int, Choice]:
    """How instructions walk the rows of steps, by the identity of these; what is one run of elements is not there."""
    found = dict[int, Choice]()
    for step in trace.steps:
        if step.name == "vconv" and step.full and not tile.whole_columns:
            found[id(step)] = _by_rows(step, tile, target)
        elif step.folds and not tile.whole_columns:
            found[id(step)] = fold_by_rows(target, step, tile.elements, tile.sizes[-1])
        elif step.halves is not None:
            found[id(step)] = _halves(step, step.halves, tile, target)
        elif not step.folds and step.name != "vconv" and (dims := _dims(step, tile)):
            found[id(step)] = choose(target, step.name, step.dtype, merged(dims), _starts(step, tile, target))
    return found


def _by_rows(step: TraceStep, tile: TileRows, target: Target) -> Choice:
    """A conversion of each row."""
    each = target.vector.startup + vec_cost(target, step.name, step.dtype, 1, joined=True).busy
    rows = tile.rows
    return Choice(Part(0), None, rows * max(each, trip_cycles(target)), rows * each, rows, rows)


def fold_by_rows(target: Target, step: TraceStep, elements: int, columns: int) -> Choice:
    """How a fold of so many `elements` of rows is walked in tiles of `columns` columns, of which the last tile has
    fewer: an instruction walks rows, or blocks of columns, whose number it does not know."""
    width, half = ceil_to(columns, BLOCK), bank_turn(target) // 2
    pitch = width * ELEMENT_BYTES[step.dtype]
    rows = max(1, step.elements(elements) // width)
    dims = Dim(rows, (pitch,) * 3), Dim(pitch // BLOCK_BYTES, (BLOCK_BYTES,) * 3, fixed=False)
    return choose(target, step.name, step.dtype, dims, (half, half, 0))


def _halves(step: TraceStep, halves: Halves, tile: TileRows, target: Target) -> Choice:
    """A fold of each row along its lanes. The first one reads the tile, and copies what its larger half has more; those
    behind it are in place."""
    size, rows = BLOCK * ELEMENT_BYTES[step.dtype], tile.rows_of(step.sources[0])
    pitches, far = (halves.pitch * size, halves.into * size), halves.left - halves.near
    first, half = halves.pitch != halves.into, bank_turn(target) // 2

    def walked(name: str, blocks: int, starts: tuple[int, ...]) -> Choice:
        strides = ((pitches[0],) * (len(starts) - 1)) + pitches[1:]
        lines = Dim(rows, strides, tile.whole_rows or rows == 1)
        dims = merged([lines, Dim(blocks * size // BLOCK_BYTES, (BLOCK_BYTES,) * len(starts))])
        return choose(target, name, step.dtype, dims, starts)

    start = half if first else 0
    found = walked(step.name, far, (start, start + halves.near * size, 0))
    if not first or halves.near == far:
        return found
    copied = walked("vcopy", halves.near - far, (half, 0))
    return replace(
        found,
        cycles=found.cycles + copied.cycles,
        busy=found.busy + copied.busy,
        instructions=found.instructions + copied.instructions,
        trips=found.trips + copied.trips,
    )


def _dims(step: TraceStep, tile: TileRows) -> list[Dim]:
    """The dimensions of a step whose operands lack different ones, in blocks of 32 B; none where they lack the same."""
    spread = [(tile.rows_of(one) > 1, tile.along(one)) for one in (*step.sources, step.result)]
    if len(set(spread)) == 1 or not all(spread[-1]):
        return []
    size, blocks = BLOCK * ELEMENT_BYTES[step.dtype], tile.width // BLOCK
    pitches = [((blocks if along else 1) * size * down, size * along) for down, along in spread]
    down, along = ([pitch[d] for pitch in pitches] for d in range(2))
    dims = [Dim(tile.rows, tuple(down), tile.whole_rows), Dim(blocks, tuple(along), tile.whole_columns)]
    if size > BLOCK_BYTES:
        dims.append(Dim(size // BLOCK_BYTES, (BLOCK_BYTES,) * len(pitches)))
    return dims


def _starts(step: TraceStep, tile: TileRows, target: Target) -> tuple[int, ...]:
    """Where the operands of a step start within the groups of banks: sources with all columns half a turn apart."""
    half, size = bank_turn(target) // 2, BLOCK * ELEMENT_BYTES[step.dtype]
    behind = BLOCK_BYTES if half and size > BLOCK_BYTES else 0
    long = list(dict.fromkeys(id(one) for one in step.sources if tile.along(one)))
    starts = [half * (long.index(id(one)) % 2) if tile.along(one) else half + behind for one in step.sources]
    return (*starts, 0)


def _function_cycles(
    trace: GroupTrace, tile: TileRows, target: Target, walked: Mapping[int, Choice]
) -> float:
    """Vector cycles of the functions that a tile's instructions are, with what starts and drains each of them."""
    vector, anew = target.vector, _behind_flags(trace)
    total, running, under_way = 0.0, False, set[int]()
    for loop, accesses in loops_of(trace, vector.depth, anew | walked.keys()):
        first, given = loop[0], set[int]()
        running = running and id(first) not in anew
        for step in loop:
            if under_way & ({id(source) for source in step.sources} - given):
                under_way.clear()
                total += vector.inner_latency if running else vector.latency
            given.add(id(step.result))
        under_way |= given
        choice = walked.get(id(first))
        if choice is not None and choice.trips:
            total, running = total + choice.busy, False
            continue
        ends = first.name == "vtranspose"
        total += vector.startup if ends or not running else 0.0
        total += loop_cycles(loop, accesses, tile.elements, target) if choice is None else choice.busy
        running = not ends
    return total


def _behind_flags(trace: GroupTrace) -> set[int]:
    """The steps, by identity, before which the Vector raises a flag or waits for one: tiles that were loaded have been
    read for the last time, or the result's slot is to be free."""
    found, given = set[int](), {id(step.result): i for i, step in enumerate(trace.steps)}
    loads = {id(load) for load in trace.loads if load.full}
    reads = [i for i, step in enumerate(trace.steps) if loads & {id(source) for source in step.sources}]
    if reads and reads[-1] + 1 < len(trace.steps):
        found.add(id(trace.steps[reads[-1] + 1]))
    for i, step in enumerate(trace.steps):
        if step.result.stored or i == len(trace.steps) - 1:
            while (taken := [given[id(s)] for s in trace.taken(i) if id(s) in given]) and taken[0] < i:
                i = taken[0]
            found.add(id(trace.steps[i]))
    return found


__all__ = ["TileRows", "fold_by_rows", "tile_cycles"]
