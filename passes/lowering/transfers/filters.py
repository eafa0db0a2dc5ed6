"""A convolution's filters that are no weights: [O, C, kh, kw] in GM to Zn fractals in L1, on the clock.

Sixteen filters and sixteen channels at a time. A transpose gives each (channel, tap) a block whose lanes are filters;
a second one collects the sixteen channels of a tap. Channels that do not exist are zero, because the feature map's
lanes for them are multiplied with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import fill, gm_offset, move
from ..base.place import Place
from .feature_map import destination

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def filter_elements(kind: TileType) -> int:
    """Elements of L1 that filters take."""
    depth, columns = kind.get_shape()
    return -(-depth // kind.lanes) * kind.lanes * -(-columns // BLOCK) * BLOCK


def load_filters(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place | None:
    """Emit the load of [(c1, kh, kw), n1, 16 filters, C0 channels]. Where Vector cores lay the filters out for a Cube
    core, each side emits its part; for the Vector core there is no place."""
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
    dtype, c0 = kind.element_type, kind.lanes
    n1, c1 = -(-kind.get_shape()[1] // BLOCK), -(-c_size // c0)
    fractal, halves = BLOCK * c0, BLOCK // c0
    feed, room = k.feed, filter_elements(kind)
    sizes = (c_size * taps, kind.get_shape()[1])
    if feed is not None and feed.direct and k.core == "aic":
        at = emit.add(feed.slot(), feed.rhs_at)
        strides = n1 * fractal, fractal
        return Place(feed.workspace, dtype, kind.get_shape(), sizes, strides, (0, 1), 1, at)
    base = None if k.core == "aiv" else emit.fresh(room, dtype, "l1", "rhs")
    place = None
    if base is not None:
        place = Place(base, dtype, kind.get_shape(), sizes, (n1 * fractal, fractal), (0, 1), 1)
        if feed is not None:
            used = c1 * taps * n1 * fractal
            read = emit.view(feed.workspace, [used], [1], emit.add(feed.slot(), feed.rhs_at))
            emit.copy(read, emit.view(base, [used], [1]))
            return place
    groups = -(-c_size // BLOCK)
    begin, step = (0, 1) if feed is None else feed.share(groups, 1)
    slot: Idx = 0 if feed is None else emit.add(feed.slot(), feed.rhs_at)
    into = destination(base, feed)
    with emit.loop(begin, groups, step) as i, emit.loop(0, n1) as j:
        first_c, first_n = emit.add(c_start, emit.mul(i, BLOCK)), emit.add(n_start, emit.mul(j, BLOCK))
        lanes: Idx = min(BLOCK, c_size)
        if depth % lanes or c_size % lanes:
            lanes = emit.min(lanes, emit.sub(depth, first_c))
        rows = (
            BLOCK
            if count % BLOCK == 0 == kind.get_shape()[1] % BLOCK
            else emit.min(BLOCK, emit.sub(count, first_n))
        )
        staged = emit.fresh(BLOCK * size, dtype, "ub", "filters")
        turned = emit.fresh(size * BLOCK, dtype, "ub", "taps")
        zn = emit.fresh(taps * BLOCK * BLOCK, dtype, "ub", "fractals")
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
        read = emit.view(staged, [size // c0, BLOCK, c0], [c0, size, 1])
        emit.insert(ascend.TransposeOp(read, emit.view(turned, [size // c0, c0, BLOCK], [fractal, BLOCK, 1])))
        if lanes != BLOCK:
            missing = emit.mul(emit.sub(size, length), BLOCK)
            rest = emit.view(turned, [missing], [1], emit.mul(length, BLOCK))
            emit.insert(ascend.VecOp("vdup", [], rest, 0.0))
        for part in range(0, BLOCK, c0):  # filters
            read = emit.view(turned, [taps, BLOCK, c0], [BLOCK, taps * BLOCK, 1], part)
            sizes, strides = [taps, halves, c0, c0], [fractal, taps * fractal, c0, 1]
            if halves == 1:
                sizes, strides = [taps, c0, BLOCK], [fractal, BLOCK, 1]
            emit.insert(ascend.TransposeOp(read, emit.view(zn, sizes, strides, part * c0)))
        blocks: Idx = halves
        if c1 % halves:
            blocks = emit.min(blocks, emit.sub(c1, emit.mul(i, halves)))
        rows = emit.mul(blocks, taps)
        at = emit.add(emit.mul(i, halves * taps * n1 * fractal), emit.mul(j, fractal))
        write = emit.view(into, [rows, fractal], [n1 * fractal, 1], emit.add(slot, at))
        emit.copy(emit.view(zn, [rows, fractal], [fractal, 1]), write)
    return place
