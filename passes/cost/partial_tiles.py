"""UB that tiles take which lack a dimension of which a tile holds any part.

Of a kernel of [rows, columns, 16], whose last dimension only the result has, [rows, columns, 1] takes as much: its
columns are blocks. How many bytes that is depends on the tile, so the bytes of an element (`cost.rule_trace`) leave it
out.
"""

from collections.abc import Callable
from math import ceil, prod

from .group_trace import GroupTrace, TraceTile, ceil_to, room_of


def partial_bytes(trace: GroupTrace, extents: tuple[int, ...]) -> Callable[[tuple[int, ...]], int]:
    """For tiles of given sizes: the bytes of those that come from outside, in two slots or, where all tiles of the
    kernel have the same, in one, and what those that are alive at once take beyond `bytes_per_element`."""
    loads = [t for t in trace.loads if _is_partial(t)]
    last = {id(source): i for i, step in enumerate(trace.steps) for source in step.sources}
    given = set(map(id, trace.loads))
    made = [step.result for step in trace.steps]
    dying = [[id(s) for s in step.sources if last[id(s)] == i] for i, step in enumerate(trace.steps)]

    def slots(tile: TraceTile, tiles: tuple[int, ...]) -> int:
        return 1 if all(tiles[d] >= e for d, e in enumerate(extents) if d not in tile.lacks) else 2

    def found(tiles: tuple[int, ...]) -> int:
        total = sum(slots(t, tiles) * _bytes(t, tiles) for t in loads)
        elements = prod(tiles[:-1]) * ceil_to(tiles[-1], 16)
        partial, whole = dict[int, int](), dict[int, float]()
        most, counted = 0.0, 0.0
        for result, ended in zip(made, dying, strict=True):
            if id(result) not in given:
                if _is_partial(result):
                    partial[id(result)] = _bytes(result, tiles)
                else:
                    share = 1.0 if result.full else result.share
                    whole[id(result)] = room_of(result.type_name) * share * elements
            taken = max((whole.get(source, 0.0) for source in ended if source in whole), default=0.0)
            now = sum(whole.values()) - min(taken, whole.get(id(result), 0.0))
            counted, most = max(counted, now), max(most, now + sum(partial.values()))
            for source in ended:
                partial.pop(source, None)
                whole.pop(source, None)
        return total + ceil(most - counted)

    return found if loads or any(map(_is_partial, made)) else lambda _: 0


def _is_partial(tile: TraceTile) -> bool:
    return not tile.full and not tile.share


def _bytes(tile: TraceTile, tiles: tuple[int, ...]) -> int:
    sizes = [1 if d in tile.lacks else n for d, n in enumerate(tiles)]
    return room_of(tile.type_name) * prod(sizes[:-1]) * ceil_to(sizes[-1], 16)
