"""Which cores may write a result at once: no two of them may meet in a block. Held against a count of every element."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.passes.selection.store_grain import apart, share, share_columns, spannable, store_unit

Sizes = tuple[int, ...]


def meet(extents: Sizes, tiles: Sizes, serial: int, unit: int) -> bool:
    """Whether tiles at two places of the outer grid, the `serial` inner dimensions left out, meet in a block."""
    owner: dict[int, Sizes] = {}
    shared = len(extents) - serial
    for number, at in enumerate(product(*map(range, extents))):
        place = tuple(i // t for i, t in zip(at[:shared], tiles, strict=False))
        if owner.setdefault(number // unit, place) != place:
            return True
    return False


def points(extents: Sizes, tiles: Sizes) -> int:
    return prod(-(-e // t) for e, t in zip(extents, tiles, strict=False))


def grids(*most: int) -> Iterator[tuple[Sizes, Sizes]]:
    for extents in product(*(range(1, n + 1) for n in most)):
        for tiles in product(*(range(1, e + 1) for e in extents)):
            yield extents, tiles


@pytest.mark.parametrize("unit", [1, 2, 4])
def test_tiles_are_apart_where_no_block_has_two(unit: int):
    for extents, tiles in grids(3, 3, 6):
        assert apart(extents, tiles, unit) != meet(extents, tiles, 0, unit), (extents, tiles)


@pytest.mark.parametrize("unit", [1, 4])
def test_cores_share_a_grid_down_to_where_blocks_meet(unit: int):
    for extents, tiles in grids(3, 3, 6):
        serial = next(
            (
                s
                for s in range(3)
                if points(extents[: 3 - s], tiles) == 1 or not meet(extents, tiles, s, unit)
            ),
            3,
        )
        outer = points(extents[: 3 - serial], tiles)
        expected = (min(outer, 4), serial) if outer > 1 else (1, 0)
        assert share(extents, tiles, unit, 4) == expected, (extents, tiles)


def test_planes_of_channels_are_not_torn_apart():
    for extents, tiles in grids(2, 5, 3, 2):
        cores, serial = share_columns(extents, tiles, 1, 4, 8)
        shared = 4 - serial
        assert cores <= min(points(extents[:shared], tiles), 8), (extents, tiles)
        if cores > 1:
            assert not meet(extents, tiles, serial, 4), (extents, tiles)
        if tiles[2:] == extents[2:] or prod(extents[2:]) % 4 == 0:
            assert (cores, serial) == share(extents, tiles, 4, 8)


@pytest.mark.parametrize(
    ("extents", "tiles", "expected"),
    [
        ((1, 64, 7, 7), (1, 16, 2, 7), (4, 2)),  # 16 planes of 49 are whole blocks
        ((1, 64, 7, 7), (1, 8, 2, 7), (1, 0)),
        ((3, 64, 7, 6), (1, 8, 2, 6), (24, 2)),  # 8 of 42 too
        ((3, 64, 7, 6), (1, 4, 2, 6), (3, 3)),
        ((2, 64, 8, 8), (1, 16, 2, 8), (32, 0)),
        ((2, 64, 7, 7), (1, 16, 7, 7), (8, 0)),
    ],
)
def test_how_many_cores_share_channels(extents: Sizes, tiles: Sizes, expected: tuple[int, int]):
    assert share_columns(extents, tiles, 1, 16, 32) == expected


def test_a_store_writes_whole_blocks_or_single_bytes():
    chip = load_target("ascend910")
    assert (store_unit(chip, 2), store_unit(chip, 4)) == (16, 8)
    assert store_unit(replace(chip, dma=replace(chip.dma, unaligned=True)), 2) == 1


def test_spans_are_of_tiles_that_lie_end_to_end():
    for extents, tiles in grids(3, 3, 5):
        order = [
            tuple(i // t for i, t in zip(at, tiles, strict=True)) for at in product(*map(range, extents))
        ]
        runs = {place: order.count(place) for place in order}
        ends = [place for i, place in enumerate(order) if i + 1 == len(order) or order[i + 1] != place]
        if spannable(extents, tiles, 2):
            assert len(ends) == len(runs) > 1 and ends == sorted(ends), (extents, tiles)
            assert min(runs.values()) >= 2, (extents, tiles)
