"""FixPipe instructions: from a view of an accumulator in L0C to where its values go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend, tile
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, tile_type
from ...support.indices import Idx
from ..base.place import Place
from .store_rows import Owned

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Half:
    """What of a chunk goes to UB: to that of Vector core `vector`, or a half along dimension `split` to each."""

    vector: int | None = None
    split: int | None = None


def drain(
    k: LoweringContext,
    chunks: tile.ChunksOp,
    read: SSAValue,
    write: SSAValue,
    column: int = 0,
    half: Half | None = None,
) -> None:
    """From one view of the accumulator that `chunks` walks, which starts at `column`, to another one, with what is done
    on the way; to UB if it is a `half`."""
    first = next(op for op in chunks.body.block.ops if isinstance(op, tile.ExtractOp))
    slope = None if first.slope is None else float(first.slope.value.data)

    def columns_of(row: SSAValue | None) -> SSAValue | None:
        if row is None:
            return None
        (columns,) = [n for n in tile_type(row).get_shape() if n > 1] or [1]
        return k.emit.view(k.places[row].base, [-(-columns // BLOCK) * BLOCK - column], [1], column)

    half = half or Half()
    slopes, scales = columns_of(first.slopes), columns_of(first.scales)
    scale, offset = first.steps or (None, 0)
    scale = scale if scales is None else None
    k.emit.insert(
        ascend.FixpipeOp(
            read,
            write,
            slope,
            slopes,
            scale,
            k.by_units,
            vector=half.vector,
            split=half.split,
            offset=offset,
            scales=scales,
        )
    )


@dataclass(frozen=True)
class OwnedPart:
    """What this grid point owns of an accumulator, dimension by dimension, and the distances of each in GM."""

    owned: Sequence[Owned]
    acc: Place
    pitches: Sequence[int]


def each_place(
    k: LoweringContext,
    part: OwnedPart,
    dims: Sequence[int],
    at: Idx,
    to: Idx,
    emit_one: Callable[[Idx, Idx], None],
) -> None:
    """Loops over `dims`: `emit_one` is told where in the accumulator and in GM, which start at `at` and `to`."""
    emit = k.emit
    if not dims:
        emit_one(at, to)
        return
    d, *inner = dims
    with emit.loop(0, part.owned[d].count) as i:
        source = emit.add(at, emit.mul(emit.add(part.owned[d].low, i), part.acc.strides[d]))
        each_place(k, part, inner, source, emit.add(to, emit.mul(i, part.pitches[d])), emit_one)
