"""What a tile of an image has around the pixels that there are: lines above and below, columns beside. The Vector sets
them, in tiles blocked at the channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.attributes import tensor_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ...support.indices import Idx
from ..base.circular_rows import goes_round
from ..base.emitter import Emitter
from ..base.part import Part
from ..base.place import Place
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Axis:
    """A dimension of the tensor: what is read of it, its pitch and extent in GM, the tile's dimension, the most that is
    stored."""

    part: Part
    stride: int
    extent: int
    dim: int
    most: int
    before: int
    """The most positions before the tensor that a tile has."""
    after: int
    """The most behind it."""


def fill_around(
    k: LoweringContext, op: tile.LoadOp, place: Place, parts: Sequence[Part], value: float
) -> bool:
    """Set what a tile has around an image [.., c, h, w] that DMA brings as the tile lies; False where it is no image,
    or what is missing is not around it."""
    extents = tensor_type(op.tensor).get_shape()
    axes = [
        Axis(part, 0, extent, entry.dim, place.shape[entry.dim], *outside(k, entry, part, extent))
        for entry, part, extent in zip(op.maps, parts, extents, strict=True)
        if isinstance(entry, Along)
    ]
    at = next(i for i, axis in enumerate(axes) if axis.dim == place.block)
    if len(axes) != at + 3 or any(not axis.part.complete for axis in axes[: at + 1]):
        return False
    rows, line = axes[at + 1 :]
    if not (place.inside and place.inside[rows.dim]):
        fill_lines(k, place, rows, line.extent if place.inside else place.shape[line.dim], value)
    if not place.inside:
        fill_columns(k, place, rows, line, value)
    return True


def outside(k: LoweringContext, entry: Along, part: Part, extent: int) -> tuple[int, int]:
    """The most elements of a tile before the tensor's dimension, and behind it."""
    size = part.size if isinstance(part.size, int) else -1
    if part.complete:
        return 0, 0
    if goes_round(k, entry):
        return size, size
    before = part.before if isinstance(part.before, int) else min(entry.pad, size) if size >= 0 else entry.pad
    if isinstance(part.before, int) and isinstance(part.count, int) and size >= 0:
        return before, size - before - part.count
    results = k.extents[entry.dim] if entry.dim < len(k.extents) else -1
    if entry.dim in k.covered or not isinstance(results, int) or extent < 0 or size < 0:
        return before, max(size, 0) or extent
    return before, max(0, min(size, (results - 1) * entry.stride + entry.span(1) - entry.pad - extent))


def fill_lines(k: LoweringContext, place: Place, rows: Axis, width: int, value: float) -> None:
    """The rows above and below what is in the tensor, `width` positions each, of every block of channels."""
    emit, part, blocks = k.emit, rows.part, -(-place.shape[place.block] // BLOCK)
    end = emit.add(part.before, part.count)
    pieces = (0, part.before, rows.before), (end, emit.sub(part.size, end), rows.after)
    for first, count, most in pieces:
        if most:
            with emit.loop(0, count) as i:
                at = emit.mul(emit.add(first, i), place.strides[rows.dim])
                _dup(
                    emit,
                    place,
                    (blocks, width),
                    (blocks, width),
                    (place.strides[place.block], BLOCK),
                    at,
                    value,
                )


def fill_columns(k: LoweringContext, place: Place, rows: Axis, line: Axis, value: float) -> None:
    """The columns beside what is in the tensor, of every block of channels."""
    emit, part, blocks = k.emit, line.part, -(-place.shape[place.block] // BLOCK)
    height, apart, plane = place.shape[rows.dim], place.strides[rows.dim], place.strides[place.block]
    before, end = part.before, emit.add(part.before, part.count)
    after = emit.sub(part.size, end)
    if isinstance(before, int) and isinstance(after, int) and before and after:
        # what is right of a line is followed by what is left of the next one
        planes, count = (1, blocks * height) if plane == height * apart else (blocks, height)
        for at, sizes in (
            (emit.mul(end, BLOCK), (planes, count - 1, before + after)),
            (0, (planes, 1, before)),
            (emit.add(emit.mul(end, BLOCK), (count - 1) * apart), (planes, 1, after)),
        ):
            if sizes[1]:
                _dup(emit, place, sizes, sizes, (plane, apart, BLOCK), at, value)
        return
    for at, count, most in ((0, before, line.before), (emit.mul(end, BLOCK), after, line.after)):
        if most:
            _dup(
                emit, place, (blocks, height, count), (blocks, height, most), (plane, apart, BLOCK), at, value
            )


def _dup(
    emit: Emitter,
    place: Place,
    sizes: tuple[Idx, ...],
    most: tuple[int, ...],
    strides: tuple[int, ...],
    at: Idx,
    value: float,
) -> None:
    """Set blocks of 16 of a tile's buffer from element `at` on: so many along each dimension, `most` at most."""
    order, shape = tuple(range(len(most) + 1)), (*most, BLOCK)
    part = Place(place.base, place.dtype, shape, (*sizes, BLOCK), (*strides, BLOCK), order, len(most), at)
    emit_vector(emit, "vdup", [], part, value)


__all__ = ["Axis", "fill_around", "fill_columns", "fill_lines", "outside"]
