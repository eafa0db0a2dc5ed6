"""Blocks that fill a rectangle of bytes and time together become one block, as long as that goes on.

A full rectangle comes from cuts; this undoes them. It starts from the joints (`joints.py`): blocks of one lifetime that
make up one side of a joint are stacked, and a few blocks that joints tie together, with no joint open inside their
lifetime, are laid out as a rectangle by the exact search. What is left is a problem with far fewer, larger buffers. It
may have no layout where the first one has (a joint that is not certain may be wrong, and what could be one rectangle
need not be), so a failure proves nothing.
"""

from collections.abc import Callable, Iterable, Sequence

from ....dialects.records import dataclass
from .deadline import Check, endless
from .joints import Joint, joints
from .model import Model, build, heights
from .pieces import Pieces, blocks, make_pieces
from .problem import Buffer, Problem
from .restarts import Restarts

MOST_BLOCKS = 20
"""Blocks of a rectangle that are laid out together."""
STEPS = 100
"""Of the search for a layout of a rectangle."""


@dataclass(frozen=True)
class Block:
    """A rectangle of `size` units in the sections [low, high); `items` are items with their offsets in it."""

    low: int
    high: int
    size: int
    align: int
    items: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Joined:
    """What is left: block i is buffer i of the problem of `pieces`, in units; all are to lie within `height` units."""

    pieces: Pieces
    height: int
    blocks: tuple[Block, ...]

    def offsets(self, found: Sequence[int]) -> list[int]:
        """Offsets of all items of the first problem for a layout of this one."""
        at = [places[0] for places in self.pieces.model.addresses(found)]
        places = [
            (k, offset + inner)
            for block, offset in zip(self.blocks, at, strict=True)
            for k, inner in block.items
        ]
        return [offset for _, offset in sorted(places)]


def join(model: Model, most: int, stop: Callable[[], bool], check: Check = endless) -> Joined | None:
    """What is left of a model without pins and pairs apart, to be laid out within the most bytes alive; None where
    nothing can be joined. `most` as for `joints`."""
    joiner = _Joiner(model, most, stop, check)
    joiner.run()
    return joiner.joined() if len(joiner.live) < joiner.first else None


class _Joiner:
    """Blocks by number, and what joins them."""

    def __init__(self, model: Model, most: int, stop: Callable[[], bool], check: Check):
        self._model, self._most, self._stop, self._check = model, most, stop, check
        pieces = blocks(model)
        self.live: dict[int, Block] = {}
        self._fixed: list[Block] = []
        closed: set[int] = set()
        need = heights(model.sections, (step for piece in pieces for step in piece.steps))
        for piece in sorted(pieces, key=lambda p: (p.low, p.high, p.size, p.items)):
            if len(piece.steps) == 1:
                size = piece.steps[0][2]
                items = tuple((k, 0) for k in piece.items)
                self.live[len(self.live)] = Block(piece.low, piece.high, size, piece.align, items)
            else:
                closed.update(t for low, high, _ in piece.steps for t in (low, high))
                self._fixed += [
                    Block(model.low[k], model.high[k], model.size[k], model.align[k], ((k, 0),))
                    for k in piece.items
                ]
        self._height = max(need, default=0)
        full = [units == self._height for units in need]
        self._open = [t for t in range(1, model.sections) if full[t - 1] and full[t] and t not in closed]
        self.first = self._next = len(self.live)

    def run(self) -> None:
        """Join what certain joints join, then others, until nothing is left to do."""
        certain = True
        while not self._stop():
            found = [j for j in self._joints() if j.certain or not certain]
            done = self._stack(found) + self._close(found)
            if not done and not certain:
                return
            certain = done > 0

    def joined(self) -> Joined:
        left = (*self.live.values(), *self._fixed)
        number = {k: i for i, block in enumerate(left) for k, _ in block.items if len(block.items) == 1}
        over = [
            (number[k], number[j])
            for k, others in enumerate(self._model.over)
            for j in others
            if j > k and k in number and j in number
        ]
        height = self._model.floor + self._height
        pieces = _pieces(left, height, self._model.floor, over, self._check)
        return Joined(pieces, height, left)

    def _joints(self) -> list[Joint]:
        """All joints of the blocks that are left."""
        ending: dict[int, list[tuple[int, int]]] = {}
        beginning: dict[int, list[tuple[int, int]]] = {}
        for number, block in self.live.items():
            ending.setdefault(block.high, []).append((number, block.size))
            beginning.setdefault(block.low, []).append((number, block.size))
        return [
            joint
            for t in self._open
            if t in ending
            for joint in joints(ending[t], beginning[t], self._most, self._check)
        ]

    def _stack(self, found: Iterable[Joint]) -> int:
        """Stack blocks of one lifetime that are one side of a joint; how often."""
        done = 0
        for side in (side for joint in found for side in joint[:2]):
            self._check()
            if len(side) < 2 or not all(number in self.live for number in side):
                continue
            inside = sorted((self.live[number] for number in side), key=lambda block: -block.align)
            low, high = inside[0].low, inside[0].high
            if any((block.low, block.high) != (low, high) for block in inside):
                continue
            done += self._replace(side, _stacked(inside))
        return done

    def _close(self, found: Sequence[Joint]) -> int:
        """Join blocks that joints tie to a rectangle; how often."""
        ends = {number: joint for joint in found for number in joint.ending}
        begins = {number: joint for joint in found for number in joint.beginning}
        done = 0
        for joint in sorted(found, key=lambda joint: len(joint.ending) + len(joint.beginning)):
            group = self._closure({*joint.ending, *joint.beginning}, begins, ends)
            if group is not None:
                numbers = sorted(group)
                done += self._replace(numbers, _rectangle([self.live[number] for number in numbers]))
            if self._stop():
                break
        return done

    def _closure(self, group: set[int], begins: dict[int, Joint], ends: dict[int, Joint]) -> set[int] | None:
        """The blocks that the joints inside the lifetime of a group tie to it; None for too many or where there is no
        joint."""
        while len(group) <= MOST_BLOCKS and all(number in self.live for number in group):
            low = min(self.live[number].low for number in group)
            high = max(self.live[number].high for number in group)
            inside = [begins.get(number) for number in group if self.live[number].low > low]
            inside += [ends.get(number) for number in group if self.live[number].high < high]
            tied = group.copy()
            for joint in inside:
                if joint is None:
                    return None
                tied.update(joint.ending, joint.beginning)
            if tied == group:
                return group
            group = tied
        return None

    def _replace(self, numbers: Sequence[int], block: Block | None) -> int:
        if block is None:
            return 0
        for number in numbers:
            del self.live[number]
        self.live[self._next] = block
        self._next += 1
        return 1


def _stacked(inside: Sequence[Block]) -> Block | None:
    """Blocks of one lifetime on top of each other, the most aligned one first; None where alignments leave bytes
    between them."""
    height, items, align = 0, list[tuple[int, int]](), inside[0].align
    for block in inside:
        if height % block.align or align % block.align:
            return None
        items += [(k, height + at) for k, at in block.items]
        height += block.size
    return Block(inside[0].low, inside[0].high, height, align, tuple(items))


def _rectangle(inside: Sequence[Block]) -> Block | None:
    """Blocks laid out as one rectangle; None where that is not found."""
    low, high = min(block.low for block in inside), max(block.high for block in inside)
    height = sum(block.size for block in inside if block.low == low)
    align = max(block.align for block in inside)
    if any(align % block.align for block in inside):
        return None
    pieces = _pieces(inside, height, 0, ())
    found = Restarts(pieces, height, [0.0] * pieces.sections).run(STEPS)
    if not isinstance(found, list):
        return None
    at = [places[0] for places in pieces.model.addresses(found)]
    items = (
        (k, offset + inner) for block, offset in zip(inside, at, strict=True) for k, inner in block.items
    )
    return Block(low, high, height, align, tuple(items))


def _pieces(
    inside: Sequence[Block],
    height: int,
    floor: int,
    over: Iterable[tuple[int, int]],
    check: Check = endless,
) -> Pieces:
    buffers = tuple(Buffer(str(i), b.low, b.high, b.size, b.align) for i, b in enumerate(inside))
    return make_pieces(build(Problem(buffers, height, floor, in_place=tuple(over))), check)
