"""FixPipe instructions: from a view of an accumulator in L0C to where its values go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend, tile
from ....dialects.tile import BLOCK, tile_type
from ...support.indices import Idx
from ..base.place import Place
from .store_rows import Owned

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def drain(
    k: LoweringContext,
    chunks: tile.ChunksOp,
    read: SSAValue,
    write: SSAValue,
    column: int = 0,
    vector: int | None = None,
    split: int | None = None,
) -> None:
    """From one view of the accumulator that `chunks` walks, which starts at `column`, to another one, with what is done
    on the way. In UB that is of Vector core `vector`, or a half along dimension `split` of each."""
    first = next(op for op in chunks.body.block.ops if isinstance(op, tile.ExtractOp))
    slope = None if first.slope is None else float(first.slope.value.data)

    def columns_of(row: SSAValue | None) -> SSAValue | None:
        if row is None:
            return None
        (columns,) = [n for n in tile_type(row).get_shape() if n > 1] or [1]
        return k.emit.view(k.places[row].base, [-(-columns // BLOCK) * BLOCK - column], [1], column)

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
            vector=vector,
            split=split,
            offset=offset,
            scales=scales,
        )
    )


def each_place(
    k: LoweringContext,
    dims: Sequence[int],
    owned: Sequence[Owned],
    acc: Place,
    pitches: Sequence[int],
    at: Idx,
    to: Idx,
    emit_one: Callable[[Idx, Idx], None],
) -> None:
    """Loops over what this grid point owns along `dims`: `emit_one` is told where in the accumulator and in GM, whose
    `pitches` are those of each dimension; `at` and `to` are where they start."""
    emit = k.emit
    if not dims:
        emit_one(at, to)
        return
    d, *inner = dims
    with emit.loop(0, owned[d].count) as i:
        source = emit.add(at, emit.mul(emit.add(owned[d].low, i), acc.strides[d]))
        each_place(k, inner, owned, acc, pitches, source, emit.add(to, emit.mul(i, pitches[d])), emit_one)
