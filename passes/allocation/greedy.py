"""First layouts: items one after the other, each at the lowest offset that is free, in several orders."""

from collections.abc import Callable, Sequence

from .model import Model


def lowest(model: Model, order: Sequence[int]) -> list[int] | None:
    """Offsets when items are placed in an order, each as low as it can lie among those before it and the pinned ones.
    None where pinned items rule that out among themselves."""
    offsets: list[int | None] = list(model.pinned)
    size, align, meets, over = model.size, model.align, model.meets, model.over
    for k in order:
        if offsets[k] is not None:
            continue
        offsets[k] = _lowest_free(k, offsets, size, align[k], meets[k], over[k])
    return [at for at in offsets if at is not None]


def _lowest_free(
    k: int,
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
        shared = _shared(k, busy, size, over)
        if shared is not None:
            return shared
    at, mine = 0, size[k]
    for low, high, _ in busy:
        if at + mine <= low:
            break
        if high > at:
            at = -(-high // align) * align
    return at


def _shared(
    k: int, busy: Sequence[tuple[int, int, int]], size: Sequence[int], over: frozenset[int]
) -> int | None:
    """The lowest offset of an item that k may be written over, with no other item in the way."""
    for at, _, j in busy:
        if j in over and all(
            high <= at or low >= at + size[k] or (i in over and low == at) for low, high, i in busy
        ):
            return at
    return None


Key = Callable[[Model, int], tuple[int, ...]]

ORDERS: tuple[tuple[str, Key], ...] = (
    ("size", lambda m, k: (-m.size[k], m.low[k])),
    ("area", lambda m, k: (-m.size[k] * (m.high[k] - m.low[k]), m.low[k])),
    ("lifetime", lambda m, k: (m.low[k] - m.high[k], -m.size[k])),
    ("start", lambda m, k: (m.low[k], -m.size[k])),
)


def pins_conflict(model: Model) -> tuple[int, int] | None:
    """Two pinned items that share bytes which they may not share."""
    for k, at in enumerate(model.pinned):
        for j in model.meets[k]:
            other = model.pinned[j]
            if at is None or other is None or j < k:
                continue
            if (
                at < other + model.size[j]
                and other < at + model.size[k]
                and not (at == other and j in model.over[k])
            ):
                return k, j
    return None
