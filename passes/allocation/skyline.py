"""Layouts from the bottom up: the lowest gap of the skyline takes the first piece of an order that fits between its
walls, and rises to the lower wall when none does.

With the items numbered by their place in the order, the first that fits is the lowest bit of a mask.
"""

from collections.abc import Sequence

from .model import Model


def fill(model: Model, order: Sequence[int]) -> list[int]:
    """Offsets of all items. The model has no pins, no pairs that must be apart; pairs in place share nothing here."""
    sections = model.sections
    starts, ends = [0] * (sections + 1), [0] * (sections + 1)
    for rank, k in enumerate(order):
        starts[model.low[k]] |= 1 << rank
        ends[model.high[k]] |= 1 << rank
    for t in range(sections - 1, -1, -1):
        starts[t] |= starts[t + 1]
    for t in range(1, sections + 1):
        ends[t] |= ends[t - 1]
    offsets = [0] * len(order)
    free = (1 << len(order)) - 1
    left, right, height = [0], [sections], [model.floor]  # runs of one height
    while free:
        lowest = min(height)
        run = height.index(lowest)
        inside = free & starts[left[run]] & ends[right[run]]
        if not inside:
            walls = height[max(run - 1, 0) : run] + height[run + 1 : run + 2]
            height[run] = min(walls)
            _merge(left, right, height, run)
            continue
        bit = inside & -inside
        free ^= bit
        k = order[bit.bit_length() - 1]
        at = -(-lowest // model.align[k]) * model.align[k]
        offsets[k] = at
        low, high, first, last = model.low[k], model.high[k], left[run], right[run]
        pieces = [(first, low, lowest), (low, high, at + model.size[k]), (high, last, lowest)]
        pieces = [piece for piece in pieces if piece[0] < piece[1]]
        left[run : run + 1] = [piece[0] for piece in pieces]
        right[run : run + 1] = [piece[1] for piece in pieces]
        height[run : run + 1] = [piece[2] for piece in pieces]
        _merge(left, right, height, run + (first < low))
    return offsets


def _merge(left: list[int], right: list[int], height: list[int], run: int) -> None:
    """Join a run with neighbours of its height."""
    if run + 1 < len(height) and height[run + 1] == height[run]:
        right[run] = right[run + 1]
        del left[run + 1], right[run + 1], height[run + 1]
    if run and height[run - 1] == height[run]:
        right[run - 1] = right[run]
        del left[run], right[run], height[run]
