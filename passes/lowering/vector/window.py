"""Taps of a window that reads past the edges of an image: what lies outside is left out, so no zeros are stored.

A tile with its padding would be the image with zeros around it, which something has to write, and lines that lie apart.
Where the only use of the padding is to be multiplied and added, a tile holds what there is, positions end to end as the
transposes write them, and each tap runs over the part of the result for which it lies inside:

    tap (0, -1) of 3x3, pads 1        acc[y, 1:] += w * x[y, :-1]

The first tap of a sum is the one that lies inside everywhere, if there is one; else the result is set to zero before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import tile_type
from ...support.indices import Idx
from ..base.emitter import Emitter
from ..base.place import Place
from .vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext
    from ..base.part import Part

TAPS = {"vmul": (0, 1), "vmadd": (0, 1)}
"""Instructions that zeros leave as they are, and the factors of each."""


def needs_no_padding(op: tile.LoadOp) -> bool:
    """Whether a load's tile is read through windows by taps only, and what is around it is zero."""
    if op.fill is not None and op.fill.value.data != 0.0:
        return False
    windows = [use.operation for use in op.result.uses]
    return all(isinstance(window, tile.WindowOp) and _is_factor(window) for window in windows)


def _is_factor(window: tile.WindowOp) -> bool:
    kind = tile_type(window.result)
    return all(
        isinstance(use.operation, tile.VecOp)
        and use.index in TAPS.get(use.operation.instruction.data, ())
        and tile_type(use.operation.result).get_shape() == kind.get_shape()
        and tile_type(use.operation.result).element_type == kind.element_type
        for use in window.result.uses
    )


def inside_of(part: Part) -> tuple[int, int] | None:
    """Padding before a dimension of a tile and what there is of it, where that is the same for every tile."""
    if part.complete or not isinstance(part.before, int) or not isinstance(part.count, int):
        return None
    return part.before, part.count


def lower_window(k: LoweringContext, op: tile.WindowOp) -> Place:
    """The part of a tile at one position of a window: its elements where they are."""
    source, kind, emit = k.places[op.source], tile_type(op.result), k.emit
    starts, strides = op.start_list, op.stride_list
    offset = source.offset
    for start, step in zip(starts, source.strides, strict=True):
        offset = emit.add(offset, start * step)
    moved = tuple(s * n for s, n in zip(source.strides, strides, strict=True))
    sizes: list[Idx] = []
    for n, full, stride, size in zip(kind.get_shape(), source.shape, strides, source.sizes, strict=True):
        if stride == 0:
            sizes.append(1)
            continue
        reach = full - (n - 1) * stride  # what of the source one result needs
        sizes.append(emit.add(emit.div(emit.sub(size, reach), stride), 1))
    shape, order = kind.get_shape(), source.order
    window = Place(source.base, source.dtype, shape, tuple(sizes), moved, order, source.block, offset)
    return _unpadded(emit, source, window, starts, strides) if source.inside else window


def _unpadded(
    emit: Emitter, source: Place, result: Place, starts: Sequence[int], steps: Sequence[int]
) -> Place:
    """The window `result` of a tile `source` that has no padding: where it begins, counted from the first element that
    there is, and which of its elements there are."""
    clip: list[tuple[int, int] | None] = []
    offset = result.offset
    for entry, start, step, n, stride in zip(
        source.inside, starts, steps, result.shape, source.strides, strict=True
    ):
        if entry is None:
            clip.append(None)
            continue
        before, count = entry
        first = max(0, -(-(before - start) // step))
        clip.append((first, max(first, min(n, (before + count - 1 - start) // step + 1))))
        offset = emit.add(offset, -before * stride)
    return replace(result, offset=offset, clip=tuple(clip), inside=())


def emit_clipped(
    emit: Emitter, instruction: str, sources: Sequence[Place], result: Place, scalar: float | None
) -> None:
    """`instruction` where the windows among its sources lie inside their tiles; elsewhere the result is as with
    zeros."""
    bounds: list[tuple[int, int]] = []
    for d, n in enumerate(result.shape):
        clips = [one for source in sources if source.clip and (one := source.clip[d]) is not None]
        bounds.append((max([0, *(low for low, _ in clips)]), min([n, *(high for _, high in clips)])))
    everywhere = all(bound == (0, n) for bound, n in zip(bounds, result.shape, strict=True))
    if instruction == "vmul" and not everywhere:
        emit_vector(emit, "vdup", [], result, 0.0)
    if instruction == "vmadd" and (sources[2].base, sources[2].offset) != (result.base, result.offset):
        emit_vector(emit, "vcopy", [sources[2]], result)
        sources = [*sources[:2], result]
    if all(low < high for low, high in bounds):
        parts = [_part(emit, place, bounds) for place in (*sources, result)]
        emit_vector(emit, instruction, parts[:-1], parts[-1], scalar)


def _part(emit: Emitter, place: Place, bounds: Sequence[tuple[int, int]]) -> Place:
    """The rectangle of a place within `bounds` of the result."""
    offset, shape, sizes = place.offset, list(place.shape), list(place.sizes)
    for d, (low, high) in enumerate(bounds):
        if (low, high) != (0, place.shape[d]) and d != place.block:
            offset = emit.add(offset, low * place.strides[d])
            shape[d] = sizes[d] = high - low
    return replace(place, offset=offset, shape=tuple(shape), sizes=tuple(sizes), clip=())
