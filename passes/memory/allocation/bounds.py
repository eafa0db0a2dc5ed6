"""What no layout can do without: bytes alive at once."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from ....dialects.records import dataclass
from .model import Model, heights, section_items


@dataclass(frozen=True)
class Bound:
    """No peak is below `least` bytes. `alive_bytes` is the most alive at once, those of others included, in section
    `section` with the buffers `alive`."""

    least: int
    alive_bytes: int
    point: int
    alive: tuple[int, ...]


def needed(model: Model, items: Sequence[int]) -> int:
    """Units that items alive together need: those of a pair written in place count as the larger one."""
    total = sum(model.size[k] for k in items)
    if not any(model.over[k] for k in items):
        return total
    here = set(items)
    for k in items:
        total -= sum(min(model.size[k], model.size[j]) for j in model.over[k] if j in here and j > k)
    return max(total, max((model.size[k] for k in items), default=0))


def live_bound(model: Model) -> Bound:
    """The bound by live bytes. In units, the last item of a section needs its own bytes only."""
    problem = model.problem
    best = Bound(problem.taken, problem.taken, 0, ())
    for section, items in _crowded(model):
        inside = [k for k in items if (pin := model.pinned[k]) is None or pin >= model.floor]
        if not inside:
            continue
        spare = max(_padding(model, k) for k in inside)
        least = model.origin + (model.floor + needed(model, inside)) * model.unit - spare
        if least > best.least:
            exact = sum(problem.buffers[model.owner[k]].size for k in inside)
            exact -= sum(
                min(problem.buffers[model.owner[k]].size, problem.buffers[model.owner[j]].size)
                for k in inside
                for j in model.over[k]
                if j > k and j in inside
            )
            alive = tuple(dict.fromkeys(model.owner[k] for k in items))
            best = Bound(least, problem.taken + exact, model.times[section], alive)
    ends = [
        (pin * model.unit + model.origin if pin is not None else model.origin) + problem.buffers[i].size
        for pin, i in zip(model.pinned, model.owner, strict=True)
    ]
    return Bound(max([best.least, *ends]), best.alive_bytes, best.point, best.alive)


def _crowded(model: Model) -> Iterator[tuple[int, Sequence[int]]]:
    """The sections that the bound may come from, with the items alive there: the first of those that need most, or all
    where items share bytes or are pinned."""
    if not model.plain or any(model.over) or not model.owner:
        yield from enumerate(section_items(model))
        return
    units = heights(model.sections, zip(model.low, model.high, model.size, strict=True))
    order = sorted(range(len(model.owner)), key=lambda k: model.low[k], reverse=True)
    alive: list[tuple[int, int]] = []  # the items alive, and some that have ended: the most padded one first
    most, best = -1, 0
    for section, needed_units in enumerate(units):
        while order and model.low[order[-1]] <= section:
            k = order.pop()
            heappush(alive, (-_padding(model, k), model.high[k]))
        while alive and alive[0][1] <= section:
            heappop(alive)
        least = needed_units * model.unit + (alive[0][0] if alive else 0)
        if least > most:
            most, best = least, section
    yield best, [k for k, low in enumerate(model.low) if low <= best < model.high[k]]


def _padding(model: Model, k: int) -> int:
    return model.size[k] * model.unit - model.problem.buffers[model.owner[k]].size
