"""What the search places: items, and items written in place over each other as one piece.

A piece has one offset. It is alive in a range of sections; where its items begin and end inside that range, its top
has steps. Sets of pieces are bit masks, numbered by the first section, then the last.
"""

from collections.abc import Sequence
from math import lcm

from ....dialects.records import dataclass
from .deadline import Check, endless
from .model import Model, heights

MOST_ITEMS = 8
"""Items of one piece."""
MOST_PIECES = 4096


@dataclass(frozen=True)
class Piece:
    """Items `items` in the sections [low, high). `size` is the height of a piece of one item, the least height of any
    item otherwise; `heights` has one number for each section where they differ."""

    items: tuple[int, ...]
    low: int
    high: int
    size: int
    align: int
    heights: tuple[int, ...] | None = None

    @property
    def steps(self) -> list[tuple[int, int, int]]:
        """Ranges of sections with the height there."""
        if self.heights is None:
            return [(self.low, self.high, self.size)]
        found: list[tuple[int, int, int]] = []
        for t, height in zip(range(self.low, self.high), self.heights, strict=True):
            if found and found[-1][2] == height:
                found[-1] = found[-1][0], t + 1, height
            else:
                found.append((t, t + 1, height))
        return found


@dataclass(frozen=True)
class Pieces:
    """All pieces of a model, with what the search asks again and again.

    `span[p]` are the sections of a piece as bits, `clash[p]` the pieces with an item of p (p too), `single[p]`
    whether it has one item, `starts_from[t]` the pieces that begin at section t or later, `ends_by[t]` those that end
    at t or earlier, `crossing[t]` those alive on both sides of the point before section t.

    `loss[p]` are units that placing p costs its sections beyond what `need` counts for its items. `links[p]` holds
    (item pieces, from, to, units): pairs with items outside p that can no longer share bytes.
    `need[t]` is a lower bound of the units of section t. `complete` says whether no piece was left out.
    """

    model: Model
    pieces: tuple[Piece, ...]
    sections: int
    span: tuple[int, ...]
    clash: tuple[int, ...]
    single: tuple[bool, ...]
    starts_from: tuple[int, ...]
    ends_by: tuple[int, ...]
    crossing: tuple[int, ...]
    loss: tuple[tuple[int, ...] | None, ...]
    links: tuple[tuple[tuple[int, int, int, int], ...], ...]
    need: tuple[int, ...]
    complete: bool


def _all(model: Model) -> tuple[list[Piece], bool]:
    """The pieces of one item, then the others, and whether these are all."""
    single = [
        Piece((k,), model.low[k], model.high[k], model.size[k], model.align[k])
        for k in range(len(model.owner))
    ]
    groups, complete = _groups(model)
    return [*single, *(_joined(model, group) for group in groups)], complete


def make_pieces(model: Model, check: Check = endless) -> Pieces:
    """The pieces of a model. `check` is asked for each of them."""
    pieces, complete = _all(model)
    pieces.sort(key=lambda p: (p.low, p.high, -p.size, p.align, p.items))
    count, sections = len(pieces), model.sections
    with_item = [0] * len(model.owner)
    alone = [0] * len(model.owner)
    for number, piece in enumerate(pieces):
        for k in piece.items:
            with_item[k] |= 1 << number
        if len(piece.items) == 1:
            alone[piece.items[0]] = 1 << number
    starts, ends, crossing = [0] * (sections + 1), [0] * (sections + 1), [0] * (sections + 1)
    for number, piece in enumerate(pieces):
        starts[piece.low] |= 1 << number
        ends[piece.high] |= 1 << number
        check()
        for t in range(piece.low + 1, piece.high):
            crossing[t] |= 1 << number
    for t in range(sections - 1, -1, -1):
        starts[t] |= starts[t + 1]
    for t in range(1, sections + 1):
        ends[t] |= ends[t - 1]
    clash = [0] * count
    for number, piece in enumerate(pieces):
        for k in piece.items:
            clash[number] |= with_item[k]
    return Pieces(
        model,
        tuple(pieces),
        sections,
        tuple(((1 << (p.high - p.low)) - 1) << p.low for p in pieces),
        tuple(clash),
        tuple(len(p.items) == 1 for p in pieces),
        tuple(starts),
        tuple(ends),
        tuple(crossing),
        tuple(_loss(model, p) for p in pieces),
        tuple(_links(model, p, alone) for p in pieces),
        tuple(_need(model)),
        complete,
    )


def blocks(model: Model) -> list[Piece]:
    """Pieces that hold every item once, those of many items first."""
    found: list[Piece] = []
    taken: set[int] = set()
    for piece in sorted(_all(model)[0], key=lambda p: -len(p.items)):
        if taken.isdisjoint(piece.items):
            found.append(piece)
            taken.update(piece.items)
    return found


def _need(model: Model) -> list[int]:
    need = heights(model.sections, zip(model.low, model.high, model.size, strict=True))
    for k, (low, high, size) in enumerate(zip(model.low, model.high, model.size, strict=True)):
        for j in model.over[k]:
            if j > k:
                for t in range(max(low, model.low[j]), min(high, model.high[j])):
                    need[t] -= min(size, model.size[j])
    return need


def _groups(model: Model) -> tuple[list[tuple[int, ...]], bool]:
    """Sets of two and more items that may lie at one offset: connected by pairs, with a pair for all that meet."""
    found: dict[tuple[int, ...], None] = {}
    rank = [(k,) for k in range(len(model.owner)) if model.over[k]]
    complete = True
    while rank:
        wider: dict[tuple[int, ...], None] = {}
        for group in rank:
            inside = set(group)
            for k in sorted({j for i in group for j in model.over[i]} - inside):
                if all(i in model.over[k] or i not in model.meets[k] for i in group):
                    wider[tuple(sorted((*group, k)))] = None
        if wider and (len(next(iter(wider))) > MOST_ITEMS or len(found) + len(wider) > MOST_PIECES):
            complete = False
            break
        found |= wider
        rank = list(wider)
    return list(found), complete


def _joined(model: Model, group: Sequence[int]) -> Piece:
    low, high = min(model.low[k] for k in group), max(model.high[k] for k in group)
    heights = tuple(
        max(model.size[k] for k in group if model.low[k] <= t < model.high[k]) for t in range(low, high)
    )
    align = lcm(*(model.align[k] for k in group))
    return Piece(tuple(group), low, high, min(model.size[k] for k in group), align, heights)


def _loss(model: Model, piece: Piece) -> tuple[int, ...] | None:
    """What a section loses when the piece takes more of it than `_need` counts for its items."""
    if piece.heights is None:
        return None
    lost: list[int] = []
    for t, height in zip(range(piece.low, piece.high), piece.heights, strict=True):
        here = [k for k in piece.items if model.low[k] <= t < model.high[k]]
        counted = sum(model.size[k] for k in here)
        counted -= sum(
            min(model.size[k], model.size[j]) for k in here for j in here if j > k and j in model.over[k]
        )
        lost.append(height - counted)
    return tuple(lost) if any(lost) else None


def _links(model: Model, piece: Piece, alone: Sequence[int]) -> tuple[tuple[int, int, int, int], ...]:
    return tuple(
        (
            alone[j],
            max(model.low[k], model.low[j]),
            min(model.high[k], model.high[j]),
            min(model.size[k], model.size[j]),
        )
        for k in piece.items
        for j in sorted(model.over[k])
        if j not in piece.items
    )
