"""A tile of a product that stays in L1, where another product of the kernel reads it.

The accumulator [N1, M, 16] is the image [C1, H, W, 16] as it lies. A core with both units brings it chunk by chunk to
UB, does there what follows, and moves it on; where Cube and Vector are cores of their own FixPipe does it, on the way
from L0C to L1.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects import ascend, tile
from ....dialects.tile import BLOCK, TileType, tile_type
from ....dialects.tiling import Along
from ..base.dma import fill
from ..base.place import Place, blocked_dim, ceil_to, physical
from ..transfers.drain import drain
from ..transfers.image_clip import Clip, clip, clipped, hidden

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def held_elements(kind: TileType) -> int:
    """Elements of L1 that a tile takes which is held there."""
    return physical(kind, BLOCK)[0]


def holds(kernel: tile.KernelOp) -> bool:
    """Whether one product of a kernel reads what another one gives, out of L1."""
    return any(isinstance(op, tile.ChunksOp) and op.held is not None for op in kernel.body.block.ops)


def stored_chunks(kernel: tile.KernelOp) -> tile.ChunksOp:
    """The chunks of the product whose tiles are stored."""
    (chunks,) = (op for op in kernel.body.block.ops if isinstance(op, tile.ChunksOp) and op.held is None)
    return chunks


def lower_held(k: LoweringContext, op: tile.ChunksOp) -> Place:
    """Emit what follows the product whose chunks `op` walks; the place of the tile in L1."""
    emit = k.emit
    assert op.held is not None
    kind = tile_type(op.held)
    elements, strides = physical(kind, BLOCK)
    shape, block = kind.get_shape(), blocked_dim(kind)
    base = emit.fresh(elements, kind.element_type, "l1", "held")
    held = Place(base, kind.element_type, shape, shape, strides, kind.get_order(), block)
    positions = prod(n for d, n in enumerate(shape) if d != block)
    if k.core == "aic":
        acc = next(k.places[o.source] for o in op.body.block.ops if isinstance(o, tile.ExtractOp))
        part = [-(-shape[block] // BLOCK), ceil_to(positions, BLOCK), BLOCK]
        read = emit.view(acc.base, part, [acc.strides[acc.block], BLOCK, 1], acc.offset)
        drain(k, op, read, emit.view(base, part, [strides[block], BLOCK, 1]))
        return held
    last = op.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    size, step = op.size.value.data, op.step.value.data
    with emit.loop(0, size, step) as at:
        k.index[op.body.block.args[0]] = at
        k.body(op.body.block)
        chunk = k.places[last.values[0]]
        blocks, run = step // BLOCK, positions * BLOCK
        if shape[block] % BLOCK:
            lanes = shape[block] % BLOCK
            if isinstance(at, int):
                _clear_lanes(k, chunk, blocks - 1, positions, lanes)
            else:
                with emit.condition("sge", at, size - step):
                    _clear_lanes(k, chunk, blocks - 1, positions, lanes)
        to = emit.mul(emit.div(at, BLOCK), strides[block])
        read = emit.view(chunk.base, [blocks, run], [chunk.strides[block], 1], chunk.offset)
        emit.copy(read, emit.view(base, [blocks, run], [strides[block], 1], to))
    return held


def _clear_lanes(k: LoweringContext, chunk: Place, number: int, positions: int, lanes: int) -> None:
    """Zero in the lanes of channels that do not exist, from `lanes` on of block `number`, which the image-to-column
    load brings to the Cube as K: transposes make rows of the lanes and put them back."""
    emit, pitch = k.emit, ceil_to(positions, BLOCK)
    first = emit.add(chunk.offset, number * chunk.strides[chunk.block])
    if pitch > positions:
        end = emit.add(first, positions * BLOCK)
        fill(k, chunk.base, end, (pitch - positions) * BLOCK, chunk.dtype)
    turned = emit.fresh(BLOCK * pitch, chunk.dtype, "ub", "lanes")
    part = [pitch // BLOCK, BLOCK, BLOCK]
    own = emit.view(chunk.base, part, [BLOCK * BLOCK, BLOCK, 1], first)
    rows = emit.view(turned, part, [BLOCK, pitch, 1])
    emit.insert(ascend.TransposeOp(own, rows))
    fill(k, turned, lanes * pitch, (BLOCK - lanes) * pitch, chunk.dtype)
    emit.insert(ascend.TransposeOp(rows, own))


def lower_halo(k: LoweringContext, op: tile.HaloOp) -> Place:
    """What the current step of K needs of a tile in L1: rows and columns inside the image, and the padding around
    them."""
    emit, held = k.emit, k.places[op.source]
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    channel, *image = op.maps[1:]
    assert isinstance(channel, Along)
    found: list[tuple[Clip, int]] = []
    for entry, extent in zip(image, op.image, strict=True):
        assert isinstance(entry, Along)
        size = sizes[entry.dim]
        assert isinstance(size, int), "a tile of a product has a static size"
        found.append((clip(k, entry, offsets[entry.dim], size, extent), entry.span(size)))
    (rows, span), (columns, _) = found
    rows = hidden(k, rows, columns, span)
    count = sizes[channel.dim]
    assert isinstance(count, int), "a step of K has a static size"
    offset = emit.mul(emit.div(offsets[channel.dim], BLOCK), held.strides[1])
    for d, part, start in zip((2, 3), (rows, columns), op.starts, strict=True):
        offset = emit.add(offset, emit.mul(emit.sub(part.start, k.idx(start)), held.strides[d]))
    shape = (1, count, *held.shape[2:])
    place = replace(held, shape=shape, sizes=(1, count, 1, 1), offset=offset)
    return clipped(place, rows, columns)
