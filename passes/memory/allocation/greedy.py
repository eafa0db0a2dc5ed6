"""Items one after the other, each at the lowest offset that is free."""

from collections.abc import Sequence

from .model import Model


def lowest(model: Model, order: Sequence[int]) -> list[int]:
    """Offsets when items are placed in an order, each as low as it can lie among those before it and the pinned."""
    offsets: list[int | None] = list(model.pinned)
    size, align, meets, over = model.size, model.align, model.meets, model.over
    for k in order:
        if offsets[k] is not None:
            continue
        start = -(-model.floor // align[k]) * align[k]
        offsets[k] = _lowest_free(k, start, offsets, size, align[k], meets[k], over[k])
    return [at for at in offsets if at is not None]


def _lowest_free(
    k: int,
    start: int,
    offsets: Sequence[int | None],
    size: Sequence[int],
    align: int,
    meets: Sequence[int],
    over: frozenset[int],
) -> int:
    busy: list[tuple[int, int, int]] = []
    for j in meets:
        at = offsets[j]
        if at is not None:
            busy.append((at, at + size[j], j))
    busy.sort()
    if over:
        shared = _shared(k, start, busy, size, align, over)
        if shared is not None:
            return shared
    at, mine = start, size[k]
    for low, high, _ in busy:
        if at + mine <= low:
            break
        if high > at:
            at = -(-high // align) * align
    return at


def _shared(
    k: int,
    start: int,
    busy: Sequence[tuple[int, int, int]],
    size: Sequence[int],
    align: int,
    over: frozenset[int],
) -> int | None:
    """The lowest offset of an item that k may be written over, with no other item in the way."""
    for at, _, j in busy:
        if j not in over or at < start or at % align:
            continue
        if all(high <= at or low >= at + size[k] or (i in over and low == at) for low, high, i in busy):
            return at
    return None


def pins_conflict(model: Model) -> tuple[int, int] | None:
    """Two pinned items that share bytes which they may not share."""
    for k, at in enumerate(model.pinned):
        if at is None:
            continue
        for j in model.meets[k]:
            other = model.pinned[j]
            if other is None or j < k:
                continue
            if (
                at < other + model.size[j]
                and other < at + model.size[k]
                and not (at == other and j in model.over[k])
            ):
                return k, j
    return None
