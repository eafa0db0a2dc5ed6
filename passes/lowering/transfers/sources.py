"""What a tile takes of the tensors of its loads, and what it has where they give nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.records import dataclass
from ...support.indices import Idx
from ..base.clip_region import ClippedDim
from ..base.emitter import Emitter
from ..base.place import Place
from ..vector.padding import Side, fill_side
from .turn_blocks import fill_elements

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Source:
    """What a tile takes of the tensor of a load, as `clipped_dims` gives it, and what it has where the tensor gives
    nothing (`value`). Of a joined tile, it gives the elements `low` to `high` along `dim`. `complete`: the tensor gives
    them all."""

    op: tile.LoadOp
    clip: Sequence[ClippedDim]
    at: Idx
    complete: bool
    dim: int | None = None
    low: Idx = 0
    high: Idx = 0

    @property
    def value(self) -> float:
        return 0.0 if self.op.fill is None else self.op.fill.value.data


def fill_sources(k: LoweringContext, place: Place, sources: Sequence[Source], room: int) -> None:
    """Set `room` elements of a tile that some tensors do not give to fill values, each source's part to its own."""
    values = [source.value for source in sources if not source.complete]
    if not values:
        return
    fill_elements(k.emit, place.base, place.dtype, 0, room, values[0])
    for source in sources:
        if source.dim is not None and not source.complete and source.value != values[0]:
            count, most = k.emit.sub(source.high, source.low), place.shape[source.dim]
            fill_side(k, place, Side(source.dim, source.low, count, most), source.value)


def clip_offset(emit: Emitter, place: Place, clip: Sequence[ClippedDim]) -> Idx:
    """Where in `place` what is taken begins, lanes left out."""
    at = place.offset
    for t in clip:
        if t.dim != place.block:
            at = emit.add(at, emit.mul(t.before, place.strides[t.dim]))
    return at
