"""A convolution's filters that are no weights: [O, C, kh, kw] in GM to Zn fractals in L1, on the clock.

Sixteen filters and sixteen channels at a time. A transpose gives each (channel, tap) a block whose lanes are filters;
a second one collects the sixteen channels of a tap. Channels that do not exist are zero, because the feature map's
lanes for them are multiplied with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import ascend, tile
from ...dialects.ascend.memory import memref_type
from ...dialects.tile import BLOCK, TileType
from ...dialects.tiling import Along
from .loads import fill
from .moves import Run, gm_offset, move
from .place import Place

if TYPE_CHECKING:
    from .kernel import KernelLowering

FRACTAL = BLOCK * BLOCK


def load_filters(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """Emit the load of [(c1, kh, kw), n1, 16 filters, 16 channels]."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    filters, channels, *_ = op.maps
    assert isinstance(filters, Along) and isinstance(channels, Along)
    count, depth, height, width = memref_type(tensor).get_shape()
    taps = height * width
    row, size = depth * taps, BLOCK * taps
    n_start, c_start, c_size = (
        k.idx(op.offsets[filters.dim]),
        k.idx(op.offsets[channels.dim]),
        k.idx(op.sizes[channels.dim]),
    )
    assert isinstance(c_size, int)
    n1, c1 = -(-kind.get_shape()[1] // BLOCK), -(-c_size // BLOCK)
    dtype = kind.element_type
    base = emit.fresh(-(-kind.get_shape()[0] // BLOCK) * n1 * FRACTAL, dtype, "l1", "rhs")
    with emit.loop(0, c1) as i, emit.loop(0, n1) as j:
        first_c, first_n = emit.add(c_start, emit.mul(i, BLOCK)), emit.add(n_start, emit.mul(j, BLOCK))
        lanes = BLOCK if depth % BLOCK == 0 else emit.min(BLOCK, emit.sub(depth, first_c))
        rows = BLOCK if count % BLOCK == 0 else emit.min(BLOCK, emit.sub(count, first_n))
        staged = emit.fresh(BLOCK * size, dtype, "ub", "filters")
        turned = emit.fresh(size * BLOCK, dtype, "ub", "taps")
        zn = emit.fresh(taps * FRACTAL, dtype, "ub", "fractals")
        if lanes != BLOCK or rows != BLOCK:
            fill(k, staged, 0, BLOCK * size, dtype)
        length = emit.mul(lanes, taps)
        move(
            emit,
            tensor,
            gm_offset(emit, tensor, [first_n, first_c, 0, 0]),
            [Run(rows, row, size)],
            length,
            staged,
        )
        read = emit.view(staged, [taps, BLOCK, BLOCK], [BLOCK, size, 1])
        emit.insert(ascend.TransposeOp(read, emit.view(turned, [taps, BLOCK, BLOCK], [FRACTAL, BLOCK, 1])))
        if lanes != BLOCK:
            missing = emit.mul(emit.sub(size, length), BLOCK)
            rest = emit.view(turned, [missing], [1], emit.mul(length, BLOCK))
            emit.insert(ascend.VecOp("vdup", [], rest, 0.0))
        read = emit.view(turned, [taps, BLOCK, BLOCK], [BLOCK, taps * BLOCK, 1])
        emit.insert(ascend.TransposeOp(read, emit.view(zn, [taps, BLOCK, BLOCK], [FRACTAL, BLOCK, 1])))
        at = emit.add(emit.mul(i, taps * n1 * FRACTAL), emit.mul(j, FRACTAL))
        write = emit.view(base, [taps, FRACTAL], [n1 * FRACTAL, 1], at)
        emit.copy(emit.view(zn, [taps, FRACTAL], [FRACTAL, 1]), write)
    sizes = (c_size * taps, kind.get_shape()[1])
    return Place(base, dtype, kind.get_shape(), sizes, (n1 * FRACTAL, FRACTAL), (0, 1), 1)
