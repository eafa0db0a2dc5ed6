"""The Vector instructions of one tile of a group, in order, and what UB they take: recorded by `cost.rule_trace`."""

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from math import ceil

from ...dialects.element_types import ELEMENT_BYTES, HELD_AS, bytes_of
from ...dialects.records import dataclass
from ...dialects.tiling import OperandMap
from ..lowering.vector.window import TAPS
from ..regions.regions import Regions
from ..support.values import held_type_of


def ceil_to(value: int, unit: int) -> int:
    """The least multiple of `unit` from `value` on."""
    return -(-value // unit) * unit


@dataclass(eq=False)
class TraceTile:
    """A value that a rule sees: its element type, whether it is as large as the largest tiles or made from one that
    is, the dimensions that it lacks, and its elements over those of the largest tiles, where a tile holds what it lacks
    in full (else 0: few)."""

    type_name: str
    full: bool
    lacks: frozenset[int]
    share: float = 0.0
    buffer: int = -1
    uses: int = 0
    seen: bool = False
    """Whether windows see it."""
    border: float | None = None
    """What it holds outside of the value that it is a part of, where that was put there."""
    region: OperandMap = ()
    """What a tile holds of the value, in kernel dimensions."""
    stored: bool = False
    """Whether it is stored as a part of the result."""


@dataclass(frozen=True)
class Halves:
    """A fold along the lanes, in blocks of 16 of a row: of `left` ones those from `near` on are combined with the first
    ones. Rows lie `pitch` apart in the source, `into` in the result."""

    near: int
    left: int
    pitch: int
    into: int


@dataclass(frozen=True)
class TraceStep:
    """One vector instruction: name, the wider element type, whether a source is as large as the whole tile, over what
    share of the whole tile's elements it runs (0: few), how many times as long it takes for banks of UB, and whether it
    `folds` rows: combines two parts of its source, of whole rows each, or `halves` of each row."""

    name: str
    dtype: str
    full: bool
    sources: tuple[TraceTile, ...]
    result: TraceTile
    share: float = 1.0
    times: float = 1.0
    folds: bool = False
    halves: Halves | None = None

    def elements(self, whole: int) -> int:
        """Elements that it runs over, of a tile of `whole` elements."""
        return max(16, ceil(whole * self.share))

    @property
    def whole(self) -> bool:
        """Whether it gives a whole tile; sources that lack different dimensions do too."""
        return not self.result.lacks


def held_share(tile: TraceTile) -> float:
    """Elements of a tile over those of the largest ones."""
    return 1.0 if tile.full else tile.share


def _place_of(result: TraceTile, dying: Sequence[TraceTile]) -> TraceTile | None:
    """The source that dies where a result takes its place: one that is as large."""
    kind = result.type_name, held_share(result)
    return next((tile for tile in dying if (tile.type_name, held_share(tile)) == kind), None)


@dataclass
class GroupTrace:
    """Instructions of one tile, in order, and the tiles that come from outside."""

    steps: list[TraceStep] = field(default_factory=list[TraceStep])
    loads: list[TraceTile] = field(default_factory=list[TraceTile])

    def bytes_per_element(self, regions: Regions, slots: int = 2, apart: bool = False) -> int:
        """UB bytes that one element of the result's tile costs: loads and the result in `slots` slots, and the
        intermediate tiles at the instruction where most bytes of them are alive, because those that only the Vector
        touches share memory at no cost. A result takes the place of a source that dies where it may; `apart`: but what
        is stored."""
        last: dict[int, int] = {}
        for i, step in enumerate(self.steps):
            for source in step.sources:
                last[id(source)] = i
        total = sum(slots * room_of(t.type_name) * held_share(t) for t in self.loads)
        held: dict[int, float] = {}
        """Bytes of the tiles alive, but those in buffers of loads or of a chunk of a product, which count apart."""
        most = 0.0
        for i, step in enumerate(self.steps):
            result = step.result
            size = room_of(result.type_name) * held_share(result)
            dying = [s for s in step.sources if last[id(s)] == i and s is not result]
            taken = _place_of(result, dying)
            if i == len(self.steps) - 1 or result.stored:
                over = taken is not None and id(taken) not in held
                total += 0 if over and not apart else slots * size
            elif taken is None:
                held[id(result)] = size
            elif id(taken) in held:
                held[id(result)] = held.pop(id(taken))
            most = max(most, sum(held.values()))
            for source in dying:
                held.pop(id(source), None)
        if regions.product is not None:
            total += 2 * slots * bytes_of(held_type_of(regions.result))
        return max(ceil(total + most), 2)

    def over_load(self, regions: Regions) -> bool:
        """Whether a result is written over what comes from outside: buffers of its own take more."""
        return self.bytes_per_element(regions, apart=True) > self.bytes_per_element(regions)

    @cached_property
    def most_bytes(self) -> float:
        """Bytes of UB for one element of a whole tile, at the instruction where most are alive, everything in one slot.
        What comes from outside is alive from the start."""
        last: dict[int, int] = {}
        alive: dict[int, float] = {id(t): room_of(t.type_name) * held_share(t) for t in self.loads}
        for i, step in enumerate(self.steps):
            for source in step.sources:
                last[id(source)] = i
                if all(step.result is not source for step in self.steps):
                    alive[id(source)] = room_of(source.type_name) * held_share(source)
        most = sum(alive.values())
        for i, step in enumerate(self.steps):
            result = step.result
            size = room_of(result.type_name) * held_share(result)
            dying = [s for s in step.sources if last[id(s)] == i and s is not result]
            taken = _place_of(result, dying)
            if taken is not None:
                alive.pop(id(taken), None)
            alive[id(result)] = size
            most = max(most, sum(alive.values()))
            for source in dying:
                alive.pop(id(source), None)
        return most

    def images(self) -> set[int]:
        """The tiles (by identity) that windows see, and those that they are computed from."""
        images: set[int] = set()
        for step in reversed(self.steps):
            images |= {id(source) for source in step.sources if source.seen}
            if step.result.seen or id(step.result) in images:
                images |= {id(step.result), *map(id, step.sources)}
        return images

    @property
    def image_bytes(self) -> float:
        """UB bytes of one element of the images that windows see, where most of them are alive: tiles that are seen,
        and those that they are computed from, but what comes from outside."""
        images = self.images()
        last = {id(source): i for i, step in enumerate(self.steps) for source in step.sources}
        held: dict[int, float] = {}
        most = 0.0
        for i, step in enumerate(self.steps):
            if id(step.result) in images:
                held[id(step.result)] = room_of(step.result.type_name) * held_share(step.result)
            most = max(most, sum(held.values()))
            for source in step.sources:
                if last[id(source)] == i:
                    held.pop(id(source), None)
        return most

    @cached_property
    def waits(self) -> int:
        """How often an instruction waits, at a barrier, because it needs a result that is under way."""
        under_way, found = set[int](), 0
        for step in self.steps:
            if any(id(source) in under_way for source in step.sources):
                under_way.clear()
                found += 1
            under_way.add(id(step.result))
        return found

    @cached_property
    def only_taps(self) -> bool:
        """Whether the largest tiles from outside are only multiplied and added up, so that zeros around them need not
        be there."""
        return all(
            step.name in TAPS and all(step.sources[i] not in self.loads for i in range(2, len(step.sources)))
            for step in self.steps
            if any(source.full and source in self.loads for source in step.sources)
        )

    @property
    def in_place(self) -> bool:
        """Whether every result takes the place of a source, so that there are no tiles but those from outside."""
        return all(self.taken(i) for i in range(len(self.steps)))

    @cached_property
    def ends_in_place(self) -> bool:
        """Whether the last result takes the place of a tile that an instruction before it gives."""
        given = {id(step.result) for step in self.steps}
        return bool(self.steps) and any(id(s) in given for s in self.taken(len(self.steps) - 1))

    def taken(self, i: int) -> list[TraceTile]:
        """The sources of an instruction whose place its result may take."""
        step, later = self.steps[i], {id(s) for step in self.steps[i + 1 :] for s in step.sources}
        same = [
            s
            for s in step.sources
            if s.type_name == step.result.type_name and held_share(s) == held_share(step.result)
        ]
        return [s for s in same if id(s) not in later]

    @property
    def full_loads(self) -> int:
        """Tiles from outside that are as large as the largest."""
        return sum(load.full for load in self.loads)

    def most_alive(self) -> int:
        """The most tiles that hold a value at once; a result takes the place of a source that dies where it may."""
        last: dict[int, int] = {}
        for i, step in enumerate(self.steps):
            for source in step.sources:
                last[id(source)] = i
        first = {id(step.result): i for i, step in enumerate(self.steps)}
        held, begin, end = 0, [0] * (len(self.steps) + 1), [0] * (len(self.steps) + 1)
        for tile, latest in last.items():
            begin[first.get(tile, -1) + 1] += 1
            end[latest + 1] += 1
        most = 0
        for i, step in enumerate(self.steps):
            held += begin[i] - end[i]
            in_place = any(last[id(s)] == i and s.type_name == step.result.type_name for s in step.sources)
            most = max(most, held + (not in_place))
        return most


def room_of(dtype: str) -> int:
    """Bytes that an element takes in UB: rows of i8 may take as much as their rows of f16
    (`lowering/transfers/narrow_types.py`)."""
    return ELEMENT_BYTES[HELD_AS.get(dtype, dtype)]


__all__ = ["GroupTrace", "Halves", "TraceStep", "TraceTile", "ceil_to", "held_share", "room_of"]
