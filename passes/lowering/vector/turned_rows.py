"""Rows of lanes to one element each, where no instruction reduces lanes (i32 on most chips): rows are turned, 16 at a
time, and the lanes, which are then apart, are combined in halves.

    [rows][8]  vtranspose  ->  [8][rows]  vadd halves  ->  [4][rows], [2][rows], [rows] elements
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....dialects import ascend
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.dma import fill
from ..base.emitter import Generation
from ..base.place import Place

if TYPE_CHECKING:
    from ..base.context import LoweringContext

Lines = Callable[[Callable[[Idx, Idx, Idx], None]], None]
"""`lines(body)` calls `body(row, result, count)` for runs of rows: where the first one lies, the place of its result,
how many there are."""


@dataclass(frozen=True)
class LaneRows:
    """Rows of lanes, `pitch` elements apart, of one or two `blocks`, of which the last has `lanes` elements; the places
    of all results (`elements`), a multiple of 16, and whether rows take all of them (`whole`)."""

    pitch: int
    elements: int
    blocks: int
    lanes: int
    whole: bool


def turned_rows(
    k: LoweringContext, instruction: str, place: Place, lines: Lines, shape: LaneRows
) -> Generation:
    """One element for each row of `place`; zeros behind them."""
    elements, lanes = shape.elements, shape.lanes
    emit, width = k.emit, lanes_of(place.dtype)
    rows = emit.fresh(elements * width, place.dtype, "ub", "rows")
    if not shape.whole or lanes < width:  # all lanes are turned
        fill(k, rows, 0, elements * width, place.dtype)

    def gather(row: Idx, result: Idx, count: Idx) -> None:
        """Rows to one block each, end to end."""
        size = [count, 1, lanes]
        parts = [
            emit.view(place.base, size, [shape.pitch, width, 1], emit.add(row, b * width))
            for b in range(shape.blocks)
        ]
        write = emit.view(rows, size, [width, width, 1], emit.mul(result, width))
        emit.insert(ascend.VecOp("vcopy" if shape.blocks == 1 else instruction, parts, write))

    lines(gather)
    turned = emit.fresh(elements * width, place.dtype, "ub", "turned")
    most = k.target.vector.max_repeat
    for start in range(0, elements // BLOCK, most):
        count = min(most, elements // BLOCK - start)
        read = emit.view(rows, [count, BLOCK, width], [BLOCK * width, width, 1], start * BLOCK * width)
        write = emit.view(turned, [count, width, BLOCK], [BLOCK, elements, 1], start * BLOCK)
        emit.insert(ascend.TransposeOp(read, write))
    left = lanes
    while left > 1:
        half = left // 2
        combine_runs(k, instruction, turned, 0, half * elements, half * elements)
        if left % 2:
            combine_runs(k, instruction, turned, 0, 2 * half * elements, elements)
        left = half
    return turned


def combine_runs(
    k: LoweringContext, instruction: str, base: Generation, into: int, other: int, elements: int
) -> None:
    """`elements` from `into` on, with as many from `other` on."""
    emit, vector = k.emit, k.target.vector
    most = vector.max_repeat * vector.bytes_per_repeat // 4
    for start in range(0, elements, most):
        count = min(most, elements - start)
        views = [emit.view(base, [count], [1], at + start) for at in (into, other)]
        emit.insert(ascend.VecOp(instruction, views, views[0]))
