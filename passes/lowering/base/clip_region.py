"""What a tile takes of a tensor in GM, dimension by dimension: where it begins, how much there is, in which steps."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.tiling import Along
from ...support.indices import Idx
from .dma import gm_offset, row_major, sizes_of
from .emitter import Emitter

if TYPE_CHECKING:
    from .context import LoweringContext


@dataclass(frozen=True)
class ClippedDim:
    """What a tile takes of one dimension of a tensor: `count` elements from `start`, every `step`th, which come after
    `before` elements of the tile along `dim`. `whole`: they are all that the tile has there."""

    dim: int
    start: Idx
    count: Idx
    before: Idx
    step: int
    whole: bool
    stride: int


def clipped_dims(k: LoweringContext, op: tile.LoadOp) -> tuple[list[ClippedDim], Idx]:
    """The dimensions of a load's tensor that its tile follows, in the tensor's order, and where in GM they start. The
    last one's elements lie one after the other."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    found: list[ClippedDim] = []
    starts: list[Idx] = []
    for entry, extent, stride in zip(op.maps, sizes_of(k, tensor), row_major(tensor), strict=True):
        if not isinstance(entry, Along):
            starts.append(0)
            continue
        assert not entry.is_windowed, "a window is not moved"
        d, step = entry.dim, entry.stride
        offset, size = k.idx(op.offsets[d]), k.idx(op.sizes[d])
        first = emit.sub(emit.mul(offset, step), entry.pad)
        results = k.extents[d]
        inside = entry.pad <= 0 and (
            not isinstance(results, int)
            or not isinstance(extent, int)
            or (results - 1) * step - entry.pad < extent
        )
        if inside and d not in k.covered:
            starts.append(first)
            found.append(ClippedDim(d, first, size, 0, step, True, stride))
            continue
        before: Idx = 0
        if entry.pad > 0:
            gap = emit.max(emit.sub(0, first), 0)
            before = emit.min(emit.div(emit.add(gap, step - 1), step), size)
        # results before the tensor's end
        end = emit.div(emit.add(emit.max(emit.sub(extent, first), 0), step - 1), step)
        count = emit.max(emit.sub(emit.min(end, size), before), 0)
        start = emit.min(emit.add(first, emit.mul(before, step)), emit.sub(extent, 1))
        starts.append(start)
        whole = isinstance(count, int) and count == size
        found.append(ClippedDim(d, start, count, before, step, whole, stride))
    if found and found[-1].stride != 1:  # of each of the last elements the first one: a step
        inner = found[-1]
        found[-1] = replace(inner, step=inner.step * inner.stride, stride=1)
    return found, gm_offset(emit, tensor, starts)


def reaches_past(k: LoweringContext, op: tile.LoadOp, dim: int, first: int, end: int) -> bool:
    """Whether the tensor has elements for results before `first` or from `end` on along `dim`, as one has of which a
    slice is joined with others."""
    for entry, extent in zip(op.maps, sizes_of(k, k.tensors[op.tensor]), strict=True):
        if isinstance(entry, Along) and entry.dim == dim:
            held = -(-(extent + entry.pad) // entry.stride) if isinstance(extent, int) else end + 1
            return max(0, -(-entry.pad // entry.stride)) < first or held > end
    return False


def is_padded(k: LoweringContext, op: tile.LoadOp, dim: int, first: int, end: int) -> bool:
    """Whether some results, those from `first` to `end` along `dim`, read what lies outside of the tensor."""
    for entry, extent in zip(op.maps, sizes_of(k, k.tensors[op.tensor]), strict=True):
        if not isinstance(entry, Along):
            continue
        low, results = (first, end) if entry.dim == dim else (0, k.extents[entry.dim])
        if low * entry.stride < entry.pad:
            return True
        if not isinstance(results, int) or not isinstance(extent, int):  # both are dynamic, and the same
            continue
        if (results - 1) * entry.stride - entry.pad >= extent:
            return True
    return False


def clipped(
    emit: Emitter, clip: Sequence[ClippedDim], at: Idx, dim: int, low: Idx, high: Idx
) -> tuple[list[ClippedDim], Idx]:
    """Of what a tile takes, from `at` on in GM, that of its elements from `low` to `high` along `dim`."""
    found: list[ClippedDim] = []
    for t in clip:
        if t.dim == dim:
            before = emit.max(t.before, low)
            count = emit.max(emit.sub(emit.min(emit.add(t.before, t.count), high), before), 0)
            skipped = emit.mul(emit.sub(before, t.before), t.step)
            at = emit.add(at, emit.mul(skipped, t.stride))
            whole = t.whole and isinstance(count, int) and count == t.count
            t = replace(t, start=emit.add(t.start, skipped), before=before, count=count, whole=whole)
        found.append(t)
    return found, at


@contextmanager
def if_any(emit: Emitter, clip: Sequence[ClippedDim]) -> Generator[None]:
    """A condition that something is taken, where some tiles may take nothing: flags are for tiles that do."""
    counts = [t.count for t in clip if not t.whole and not isinstance(t.count, int)]
    if not counts:
        yield
        return
    least = counts[0]
    for count in counts[1:]:
        least = emit.min(least, count)
    with emit.condition("sge", least, 1):
        yield
