"""Tiles of columns with one element on their way to GM.

In UB that element fills a block of 16 lanes. Transposes put the first lanes of 16 rows beside each other, so that the
dimension before becomes the one in lanes:

    [.., rows][1, in 16 lanes]  --copy-->  [.., rows up to a multiple of 16][16]  --transpose-->  [..][rows in lanes]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects import ascend
from ....dialects.element_types import lanes_of
from ....dialects.tile import BLOCK
from ..base.dma import fill
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def without_ones(extents: Sequence[int]) -> int | None:
    """How many dimensions a tensor has before the ones of one element at its end, at least one; None where it does not
    end in such."""
    last = len(extents) - 1
    while last > 0 and extents[last] == 1:
        last -= 1
    return last + 1 if last < len(extents) - 1 else None


def lanes_room(rows: Sequence[int]) -> int:
    """Elements of UB that the copy of a tile of `rows` takes, each in a block of 16 lanes. What it is transposed to has
    a 32 B block in the place of each."""
    return prod(rows[:-1]) * ceil_to(rows[-1], BLOCK) * BLOCK


def without_lanes(k: LoweringContext, place: Place, dims: int) -> Place:
    """A row-major tile, whose dimensions from `dims` on have one element, as one without them. Beside the elements that
    it has are copies of them, where nobody reads."""
    emit, last = k.emit, dims
    assert place.order == tuple(range(len(place.shape))), "a tile without lanes is row-major"
    unit, rows, sizes = lanes_of(place.dtype), place.shape[:dims], place.sizes[:dims]
    pitch = ceil_to(rows[-1], BLOCK)
    room = lanes_room(rows)
    padded = emit.fresh(room, place.dtype, "ub", "padded_rows")
    if sizes != (*rows[:-1], pitch):
        fill(k, padded, 0, room, place.dtype)
    steps = (*(prod(rows[d + 1 : -1]) * pitch * BLOCK for d in range(last - 1)), BLOCK)
    read = replace(
        place,
        shape=(*rows, 1),
        sizes=(*sizes, 1),
        strides=(*place.strides[:dims], BLOCK),
        order=tuple(range(dims + 1)),
        block=dims,
    )
    emit_vector(emit, "vcopy", [read], replace(read, base=padded, offset=0, strides=(*steps, BLOCK)))
    groups = room // BLOCK**2
    base = emit.fresh(groups * BLOCK * unit, place.dtype, "ub", "rows")
    most = k.target.vector.max_repeat
    for start in range(0, groups, most):
        count = min(most, groups - start)
        lanes = emit.view(padded, [count, BLOCK, unit], [BLOCK * BLOCK, BLOCK, 1], start * BLOCK * BLOCK)
        write = emit.view(base, [count, unit, BLOCK], [BLOCK, groups * BLOCK, 1], start * BLOCK)
        emit.insert(ascend.TransposeOp(lanes, write))
    strides = (*(step // BLOCK for step in steps[:-1]), BLOCK)
    return Place(base, place.dtype, rows, sizes, strides, tuple(range(last)), last - 1)
