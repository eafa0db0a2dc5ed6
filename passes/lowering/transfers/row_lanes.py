"""Tiles with rows of GM in the lanes: 16 of one dimension side by side, and an address for every element of a row.

What a kernel only moves, repeats or computes element by element may then be in any order, for which 32 B blocks
change their addresses and nothing else. Rows leave as they came, each in one burst:

    tile.load   GM --MTE2--> [16 rows][elements] --transposes--> [elements][16 rows]
    tile.store  the elements of a result's row in their order --transposes--> [16 rows][elements] --MTE3--> GM
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.clip_region import clipped_dims
from ..base.dma import GmRegion, gm_offset, row_major
from ..base.emitter import Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector
from .narrow_types import fetch, store_grain
from .rows import GmRows, Rows
from .store_rows import owned_part, store_rows
from .turn_blocks import block_transposes

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def has_row_lanes(kernel: tile.KernelOp) -> bool:
    """Whether a kernel's tiles have rows of GM in their lanes: they are blocked, though no window moves along them."""
    stores = [op for op in kernel.body.block.ops if isinstance(op, tile.StoreOp)]
    if not stores or any(isinstance(op, tile.ContractOp | tile.WindowOp) for op in kernel.walk()):
        return False
    last = len(kernel.extent_list) - 1
    for op in kernel.body.block.ops:
        if isinstance(op, tile.LoadOp):
            kind = tile.tile_type(op.result)
            if kind.space.data != "ub" or kind.blocked in (None, last) or op.packed is not None:
                return False
            if any(not isinstance(e, Along) or e.is_windowed or e.pad or e.repeat > 1 for e in _followed(op)):
                return False
    return any(isinstance(op, tile.LoadOp) for op in kernel.body.block.ops)


def _followed(op: tile.LoadOp) -> list[object]:
    from ....dialects.tiling import Unit

    return [e for e in op.maps if not isinstance(e, Unit)]


@dataclass(frozen=True)
class RowElements:
    """How elements of a row lie in UB: the distance along each dimension that a tile takes, how many there are with the
    gaps that 32 B blocks leave, and what DMA brings: `runs` of `length` elements that follow each other in GM, one run
    where they all do."""

    steps: tuple[int, ...]
    held: int
    runs: tuple[Run, ...]
    length: int

    @property
    def dense(self) -> bool:
        return not self.runs


def elements_of_row(sizes: Sequence[int], steps: Sequence[int], width: int) -> RowElements:
    """The elements of a row, of which a tile takes `sizes` along dimensions that are `steps` apart in GM; a block of
    32 B has `width`."""
    if all(
        n == 1 or step == prod(sizes[i + 1 :]) for i, (n, step) in enumerate(zip(sizes, steps, strict=True))
    ):
        return RowElements(
            tuple(prod(sizes[i + 1 :]) for i in range(len(sizes))), prod(sizes), (), prod(sizes)
        )
    last = steps[-1] == 1 or sizes[-1] == 1
    around, length = (sizes[:-1], sizes[-1]) if last else (sizes, 1)
    line = ceil_to(length, width)
    near = tuple(prod(around[i + 1 :]) * line for i in range(len(around)))
    runs = tuple(Run(n, far, step) for n, far, step in zip(around, steps, near, strict=False))
    return RowElements((*near, 1) if last else near, prod(around) * line, runs, length)


def load_row_lanes(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """The tile; in canonical order where something is computed of it."""
    emit, dtype, shape = k.emit, kind.element_type, kind.get_shape()
    width = lanes_of(dtype)
    block = kind.blocked
    assert block is not None
    clip, at = clipped_dims(k, op)
    tensor = k.tensors[op.tensor]
    index = next(i for i, t in enumerate(clip) if t.dim == block)
    outer, lane, inner = clip[:index], clip[index], clip[index + 1 :]
    row = elements_of_row([shape[t.dim] for t in inner], [t.stride * t.step for t in inner], width)
    pitch = ceil_to(row.held, BLOCK)
    rows = ceil_to(shape[block], BLOCK)
    planes = [shape[t.dim] for t in outer]
    apart = [prod(planes[i + 1 :]) * rows * pitch for i in range(len(outer))]
    count = prod(planes) * rows * pitch
    staged = emit.fresh(count, dtype, "ub", "rows")
    _clear(k, staged, (prod(planes), rows, pitch), shape[block])
    runs = [Run(shape[t.dim], t.stride * t.step, step) for t, step in zip(outer, apart, strict=True)]
    runs += [Run(shape[block], lane.stride * lane.step, pitch), *row.runs]
    fetch(k, GmRegion(tensor, at, runs, row.length), staged)
    turned = emit.fresh(count, dtype, "ub", "turned")
    walks: list[tuple[Idx, int, int]] = [
        (prod(planes) * rows // BLOCK, BLOCK * pitch, BLOCK * pitch),
        (-(-row.held // width), width, width * BLOCK),
    ]
    block_transposes(emit, (staged, 0, pitch), (turned, 0, BLOCK), dtype, walks)
    strides = [0] * len(shape)
    strides[block] = pitch * BLOCK
    for t, step in zip(inner, row.steps, strict=True):
        strides[t.dim] = step * BLOCK
    for t, step in zip(outer, apart, strict=True):
        strides[t.dim] = step
    place = Place(turned, dtype, shape, tuple(shape), tuple(strides), kind.get_order(), block)
    if all(isinstance(use.operation, tile.StoreOp) or _copies(use.operation) for use in op.result.uses):
        return place
    result = k.new_place(kind, tuple(shape), "operand")
    emit_vector(emit, "vcopy", [place], result)
    return result


def _copies(op: object) -> bool:
    return isinstance(op, tile.VecOp) and op.instruction.data == "vcopy"


def _clear(k: LoweringContext, base: Generation, sizes: tuple[int, int, int], rows: int) -> None:
    """What transposes read of [planes][rows][pitch] behind the last of so many rows."""
    planes, most, pitch = sizes
    if rows == most:
        return
    shape = (planes, most - rows, pitch)
    dtype = memref_type(base.buffer.result).element_type
    behind = Place(base, dtype, shape, shape, (most * pitch, pitch, BLOCK), (0, 1, 2), 2, rows * pitch)
    emit_vector(k.emit, "vdup", [], behind, 0.0)


def store_row_lanes(k: LoweringContext, op: tile.StoreOp) -> None:
    """The rows of the tile, turned back."""
    emit, place, tensor = k.emit, k.places[op.tile], k.tensors[op.tensor]
    block, shape, dtype = place.block, place.shape, place.dtype
    width = lanes_of(dtype)
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    owned = [owned_part(k, d, offsets[d], sizes[d], shape[d]) for d in range(len(shape))]
    offset = gm_offset(emit, tensor, [emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)])
    count = prod(shape[block + 1 :])
    pitch, blocks = ceil_to(count, BLOCK), -(-shape[block] // BLOCK)
    runs = row_walks(shape[block + 1 :], place.strides[block + 1 :])
    if runs[-1][0] % BLOCK:
        place = _in_order(k, place, count, pitch)
        runs = [(pitch, BLOCK)]
    planes = shape[:block]
    apart = [prod(planes[i + 1 :]) * blocks * BLOCK * pitch for i in range(block)]
    base = emit.fresh(prod(planes) * blocks * BLOCK * pitch, dtype, "ub", "rows")
    *around, (last, step) = runs
    walks: list[tuple[Idx, int, int]] = [
        *((n, place.strides[d], apart[d]) for d, n in enumerate(planes)),
        (blocks, place.strides[block], BLOCK * pitch),
        *((n, s, prod(m for m, _ in runs[i + 1 :])) for i, (n, s) in enumerate(around)),
        (last // BLOCK, BLOCK * step, BLOCK),
    ]
    for part in range(0, BLOCK, width):
        source = place.base, emit.add(place.offset, part), step
        block_transposes(emit, source, (base, part * pitch, pitch), dtype, walks)
    rows = Rows(
        base,
        dtype,
        0,
        shape[: block + 1],
        tuple(w.low for w in owned[: block + 1]),
        tuple(w.count for w in owned[: block + 1]),
        (*apart, pitch),
        count,
        count,
    )
    grain = store_grain(memref_type(tensor).element_type)
    out = GmRows(tensor, offset, row_major(tensor)[: block + 1], rows)
    store_rows(k, out, grain if count % grain == 0 else 1)


def row_walks(shape: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """Sizes and distances of the dimensions of a row, those in one that lie one after the other."""
    merged: list[tuple[int, int]] = []
    for n, stride in zip(shape, strides, strict=True):
        if n == 1:
            continue
        if merged and merged[-1][1] == n * stride:
            merged[-1] = merged[-1][0] * n, stride
        else:
            merged.append((n, stride))
    return merged or [(1, BLOCK)]


def _in_order(k: LoweringContext, place: Place, count: int, pitch: int) -> Place:
    """The tile with the `count` elements of each row one after the other, zeros behind them up to `pitch`."""
    shape, block = place.shape, place.block
    blocks = -(-shape[block] // BLOCK)
    planes = prod(shape[:block]) * blocks
    base = k.emit.fresh(planes * pitch * BLOCK, place.dtype, "ub", "elements")
    strides = [0] * len(shape)
    strides[block] = pitch * BLOCK
    for d in range(block):
        strides[d] = prod(shape[d + 1 : block]) * blocks * pitch * BLOCK
    for d in range(block + 1, len(shape)):
        strides[d] = prod(shape[d + 1 :]) * BLOCK
    result = replace(place, base=base, offset=0, strides=tuple(strides))
    if pitch > count:
        sizes = (planes, pitch - count, BLOCK)
        behind = Place(
            base, place.dtype, sizes, sizes, (pitch * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2, count * BLOCK
        )
        emit_vector(k.emit, "vdup", [], behind, 0.0)
    emit_vector(k.emit, "vcopy", [place], result)
    return result


__all__ = [
    "RowElements",
    "elements_of_row",
    "has_row_lanes",
    "load_row_lanes",
    "row_walks",
    "store_row_lanes",
]
