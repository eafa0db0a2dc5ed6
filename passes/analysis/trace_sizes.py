"""At which run-time sizes a kernel with a dynamic extent is traced for its synchronisation.

What matters is how often its loops turn and how large the last tile is: one tile that is not whole, one that is, cores
with one tile beside cores with two, all cores with so many that every slot is used again, and each of these with a last
tile that is as small as it can be, or as large.
"""

from math import gcd

from ...dialects import ascend
from ...dialects.index_functions import evaluate, function_named
from ...dialects.records import dataclass

MOST_SIZE = 1 << 40
"""No tile is longer than what so many of the run-time size give."""


@dataclass(frozen=True)
class AtSize:
    """What a kernel is launched with at one run-time size: its last arguments, and how many cores run it."""

    numbers: tuple[int, ...]
    blocks: int


def at_size(kernel: ascend.KernelOp, size: int) -> AtSize:
    """What the kernel's tiling function gives for `size`."""
    assert kernel.tiling is not None
    function = function_named(kernel, kernel.tiling.string_value(), kernel)
    *numbers, blocks = evaluate(function, [size])
    most = evaluate(function, [MOST_SIZE])[-1]
    return AtSize(tuple(numbers), blocks * (kernel.core_count // most))


def telling_sizes(kernel: ascend.KernelOp, trips: int, turns: int = 1) -> list[AtSize]:
    """The launches that a kernel is traced at; a static kernel has one, without numbers. Of so many cores that take
    `turns` each one has the last tile in one of them."""
    if not kernel.numbers:
        return [AtSize((), kernel.core_count)]
    cores, one = kernel.core_count, at_size(kernel, 1)
    inner = max(one.blocks // one.numbers[1], 1)  # tiles of the other dimensions, or fewer
    most = {-(-cores * (trips + 3 + turn) // inner) for turn in range(turns)}
    counts = sorted({1, cores // inner + 1, *most})
    sizes = {1}
    for count in counts:
        least = _smallest(kernel, count)
        sizes |= {least, max(_smallest(kernel, count + 1) - 1, least), *_last_tiles(kernel, least)}
    return list(dict.fromkeys(at_size(kernel, size) for size in sorted(sizes)))


def _last_tiles(kernel: ascend.KernelOp, first: int) -> set[int]:
    """Of the run-time sizes from `first` on, one with the smallest last tile and one with a whole one. Last tiles are
    multiples of what a size adds and a tile have in common, and repeat with the sizes."""
    (factor, _), (most, tiles) = at_size(kernel, 1).numbers, at_size(kernel, MOST_SIZE).numbers
    tile = -(-most // tiles)
    common = gcd(factor, tile)
    period = tile // common
    smallest = pow(
        factor // common, -1, period
    )  # so many times the factor is one multiple more than whole tiles
    return {first + (size - first) % period for size in (smallest, 0)}


def _smallest(kernel: ascend.KernelOp, tiles: int) -> int:
    """The smallest run-time size that gives so many tiles along the dynamic dimension."""
    low, high = 1, 1
    while at_size(kernel, high).numbers[1] < tiles and high < MOST_SIZE:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        if at_size(kernel, middle).numbers[1] < tiles:
            low = middle + 1
        else:
            high = middle
    return low
