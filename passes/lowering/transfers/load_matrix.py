"""Matrices from GM to L1: fractals that were packed before the first run, or rows and columns that become NZ."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import fill, gm_offset, move, region, row_major
from ..base.place import Place, blocked_dim, ceil_to, physical
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def load_packed(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A window of packed weights [K1, N1, 16, c0] to L1, fractal rows as they are; of the last tile of columns what
    there is."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    k0 = kind.lanes
    n1 = -(-kind.get_shape()[1] // BLOCK)
    k1 = -(-kind.get_shape()[0] // k0)
    fractal = BLOCK * k0
    base = None if k.kept else emit.fresh(k1 * n1 * fractal, kind.element_type, "l1", "rhs")
    strides = row_major(tensor)
    k_at, n_at = (emit.div(k.idx(o), unit) for o, unit in zip(op.offsets, (k0, BLOCK), strict=True))
    rows = emit.div(emit.add(k.idx(op.sizes[0]), k0 - 1), k0)
    if k.kept is not None:
        return _kept(k, op, k.kept, k_at, rows)
    assert base is not None
    offset = emit.add(emit.mul(k_at, strides[0]), emit.mul(n_at, strides[1]))
    whole = memref_type(tensor).get_shape()[1]
    each = _together(op, n1)
    if (whole % n1 and k.target.split) or each < n1:
        blocks = emit.min(n1, emit.sub(whole, n_at)) if whole % n1 and k.target.split else n1
        with emit.loop(0, blocks if each < n1 else n1, each) as at:
            count = each if n1 % each == whole % each == 0 else emit.min(each, emit.sub(blocks, at))
            run = emit.mul(count, fractal)
            read = emit.view(tensor, [rows, run], [strides[0], 1], emit.add(offset, emit.mul(at, fractal)))
            write = emit.view(base, [rows, run], [each * fractal, 1], emit.mul(at, k1 * fractal))
            emit.copy(read, write)
        sizes = k.idx(op.sizes[0]), emit.mul(blocks, BLOCK)
        return Place(base, kind.element_type, kind.get_shape(), sizes, (each * fractal, fractal), (0, 1), 1)
    if strides[0] == n1 * fractal:
        flat = emit.mul(rows, n1 * fractal)
        emit.copy(emit.view(tensor, [flat], [1], offset), emit.view(base, [flat], [1]))
    else:
        read = emit.view(tensor, [rows, n1 * fractal], [strides[0], 1], offset)
        emit.copy(read, emit.view(base, [rows, n1 * fractal], [n1 * fractal, 1]))
    sizes = (k.idx(op.sizes[0]), k.idx(op.sizes[1]))
    return Place(base, kind.element_type, kind.get_shape(), sizes, (n1 * fractal, fractal), (0, 1), 1)


def _together(op: tile.LoadOp, n1: int) -> int:
    """Blocks of columns of one product, which lie together in L1, so that one instruction brings them to L0."""
    product = op.parent_op()
    if not isinstance(product, tile.ContractOp) or product.l0_n is None:
        return n1
    each = product.l0_n.value.data // BLOCK
    return each if n1 % each == 0 else n1


def _kept(k: LoweringContext, op: tile.LoadOp, kept: Place, row: Idx, rows: Idx) -> Place:
    """Rows of fractals of the packed weights that stay in L1: the core's first tile loads them."""
    emit, run, (tile_, end) = k.emit, kept.strides[0], k.first_tile
    at, count = emit.mul(row, run), emit.mul(rows, run)
    with emit.condition("slt", tile_, end):
        emit.copy(emit.view(k.tensors[op.tensor], [count], [1], at), emit.view(kept.base, [count], [1], at))
    return replace(kept, offset=at)


def load_matrix(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """Rows and columns of a tensor to L1 in NZ: [columns / c0, rows, c0], columns in whole blocks of 16."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    parts = region(k, op)
    offset = gm_offset(emit, tensor, [p.start for p in parts])
    columns = parts[-1].count
    complete = all(p.complete for p in parts)
    shape = kind.get_shape()
    height = prod(shape[:-1])
    _, strides = physical(kind, BLOCK)
    c0 = kind.lanes
    elements = ceil_to(shape[-1], max(BLOCK, c0)) // c0 * strides[-1]
    base = emit.fresh(elements, kind.element_type, "l1", "operand")
    sizes = tuple(p.size for p in parts)
    place = Place(base, kind.element_type, shape, sizes, strides, kind.get_order(), blocked_dim(kind))
    last, plane = len(shape) - 1, strides[-1]
    dims = [d for d in kind.get_order() if d != last]
    *outer, inner = [d for d in dims if shape[d] > 1] or dims[-1:]
    rows = parts[inner].count
    """Of the innermost dimension of rows, which one DMA reads."""
    begin: Idx = 0
    """Row of the tile where what is read begins: those before it are outside of the tensor."""
    for d in dims:
        begin = emit.add(begin, emit.mul(parts[d].before, strides[d] // c0))
    pitches = row_major(tensor)
    # of the region, and of its lead: where in GM; first row, rows, first column, columns of the tile
    pieces = [(offset, 0, rows, 0, columns)]
    moved_rows, moved_columns = [p.count for p in parts[:-1]], columns
    if op.lead is not None:
        dim, at = lead_of(k, op, offset)
        if dim == last:
            pieces = [(offset, 0, rows, BLOCK, columns), (at, 0, rows, 0, BLOCK)]
            moved_columns = emit.add(columns, BLOCK)
        else:
            pieces = [(offset, BLOCK, rows, 0, columns), (at, 0, BLOCK, 0, columns)]
            moved_rows[inner] = emit.add(rows, BLOCK)
    blocks = emit.div(emit.add(moved_columns, BLOCK - 1), BLOCK)
    plain = complete and moved_rows[inner] == height and height % BLOCK == 0
    if k.target.split or (k.target.dma.nd2nz and plain):

        def convert(dims: list[int], at: Idx, row_at: Idx) -> None:
            """One DMA for the innermost dimension of rows, from element `at` of GM to row `row_at` of the tile."""
            if dims:
                d, *rest = dims
                with emit.loop(0, parts[d].count) as i:
                    to = emit.add(row_at, emit.mul(i, strides[d] // c0))
                    convert(rest, emit.add(at, emit.mul(i, pitches[d])), to)
                return
            for start, row, count, column, width in pieces:
                read = emit.view(tensor, [count, width], [pitches[inner], 1], emit.add(at, start))
                part = [emit.div(emit.add(width, c0 - 1), c0), count, c0]
                first = emit.mul(emit.add(row_at, row), c0)
                to = emit.add(first, column // c0 * plane)
                emit.copy(read, emit.view(base, part, [plane, c0, 1], to), nd2nz=True)

        convert(outer, 0, begin)
        if not parts[inner].complete:  # rows that nobody stores, but the Cube reads
            behind = emit.add(begin, rows)
            for first, count in ((0, begin), (behind, emit.sub(parts[inner].size, behind))):
                if count == 0:
                    continue
                with emit.unless_none(count):
                    read = emit.view(tensor, [count, columns], [0, 1], offset)
                    part = [emit.div(emit.add(columns, c0 - 1), c0), count, c0]
                    to = emit.mul(first, c0)
                    emit.copy(read, emit.view(base, part, [plane, c0, 1], to), nd2nz=True)
        return place
    wide = ceil_to(shape[-1], BLOCK)
    staged = emit.fresh(ceil_to(height, BLOCK) * wide, kind.element_type, "ub", "rows")
    nz = emit.fresh(elements, kind.element_type, "ub", "nz")
    if not complete:
        fill(k, nz, 0, elements, kind.element_type)
        blocks = -(-shape[-1] // BLOCK)
    steps = [strides[d] // c0 for d in range(last)]
    around = [Run(parts[d].count, pitches[d], steps[d] * wide) for d in outer]
    for start, row, count, column, width in pieces:
        runs = [*around, Run(count, pitches[inner], steps[inner] * wide)]
        move(emit, tensor, start, runs, width, staged, row * wide + column)
    moved = (*moved_rows, emit.ceil_to(moved_columns, BLOCK))
    order = (*dims, last)
    from_strides, to_strides = (*(s * wide for s in steps), BLOCK), (*(s * BLOCK for s in steps), plane)
    source = Place(staged, kind.element_type, shape, moved, from_strides, order, last)
    to = emit.mul(begin, BLOCK)
    result = Place(nz, kind.element_type, shape, moved, to_strides, kind.get_order(), last, to)
    emit_vector(emit, "vcopy", [source], result)
    flat = emit.mul(blocks, plane)
    emit.copy(emit.view(nz, [flat], [1]), emit.view(base, [flat], [1]))
    return place


def lead_of(k: LoweringContext, op: tile.LoadOp, offset: Idx) -> tuple[int, Idx]:
    """The dimension of the tensor along which a block precedes the region at `offset`, and where in GM it starts: for
    the first column of the result, at the dimension's end."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    n = len(k.source.extent_list) - 1
    dim = next(i for i, e in enumerate(op.maps) if isinstance(e, Along) and e.dim == n)
    extent, stride = memref_type(tensor).get_shape()[dim], row_major(tensor)[dim]
    inside = emit.min(k.idx(op.offsets[n]), 1)
    return dim, emit.add(emit.sub(offset, BLOCK * stride), emit.mul(emit.sub(1, inside), extent * stride))
