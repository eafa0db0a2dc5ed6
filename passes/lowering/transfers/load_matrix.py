"""Matrices from GM to L1: fractals that were packed before the first run, or rows and columns that become NZ."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import GmRegion, fill, gm_offset, move, region, row_major
from ..base.part import Part
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
    if not isinstance(product, tile.ContractOp) or product.schedule.l0_n is None:
        return n1
    each = product.schedule.l0_n // BLOCK
    return each if n1 % each == 0 else n1


def _kept(k: LoweringContext, op: tile.LoadOp, kept: Place, row: Idx, rows: Idx) -> Place:
    """Rows of fractals of the packed weights that stay in L1: the core's first tile loads them."""
    emit, run, (tile_, end) = k.emit, kept.strides[0], k.first_tile
    at, count = emit.mul(row, run), emit.mul(rows, run)
    with emit.condition("slt", tile_, end):
        emit.copy(emit.view(k.tensors[op.tensor], [count], [1], at), emit.view(kept.base, [count], [1], at))
    return replace(kept, offset=at)


@dataclass(frozen=True)
class _Piece:
    """Part of what a load moves: where it begins in GM, its rows and columns in the tile. `row` and `rows` are along
    the innermost dimension of rows."""

    at: Idx
    row: int
    rows: Idx
    column: int
    columns: Idx


@dataclass(frozen=True)
class _Matrix:
    """A load of rows and columns, dimension by dimension: what it needs of the tensor (`parts`), distances in GM
    (`pitches`). `inner` is the innermost dimension of rows, which one DMA reads, `outer` are those around it. `begin`:
    the row of the tile where what is read begins; those before it are outside of the tensor."""

    tensor: SSAValue
    place: Place
    parts: list[Part]
    pitches: tuple[int, ...]
    outer: list[int]
    inner: int
    begin: Idx
    pieces: list[_Piece]
    """The region, and its lead."""
    moved: tuple[Idx, ...]
    """Rows along each dimension, and columns, the lead included."""

    @property
    def complete(self) -> bool:
        """Whether the tensor has all of the tile."""
        return all(part.complete for part in self.parts)

    @property
    def c0(self) -> int:
        """Columns of a block."""
        return lanes_of(self.place.dtype)

    @property
    def plane(self) -> int:
        """Elements from a block of columns to the next."""
        return self.place.strides[-1]

    def step(self, d: int) -> int:
        """Rows of the tile from one of dimension `d` to the next."""
        return self.place.strides[d] // self.c0


def load_matrix(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """Rows and columns of a tensor to L1 in NZ: [columns / c0, rows, c0], columns in whole blocks of 16."""
    height = prod(kind.get_shape()[:-1])
    _, strides = physical(kind, BLOCK)
    elements = ceil_to(kind.get_shape()[-1], max(BLOCK, kind.lanes)) // kind.lanes * strides[-1]
    m = _matrix(k, op, kind, strides, elements)
    plain = m.complete and m.moved[m.inner] == height and height % BLOCK == 0
    blocks = k.emit.div(k.emit.add(m.moved[-1], BLOCK - 1), BLOCK)
    if k.target.split or (k.target.dma.nd2nz and plain):
        _convert(k, m, m.outer, 0, m.begin)
        if not m.parts[m.inner].complete:
            _fill_rows(k, m)
    else:
        _by_vector(k, m, elements, blocks)
    return m.place


def _matrix(
    k: LoweringContext, op: tile.LoadOp, kind: TileType, strides: tuple[int, ...], elements: int
) -> _Matrix:
    """What is moved for a load to a tile of `elements` with `strides` in L1."""
    emit, tensor, shape = k.emit, k.tensors[op.tensor], kind.get_shape()
    parts = region(k, op)
    offset = gm_offset(emit, tensor, [p.start for p in parts])
    base = emit.fresh(elements, kind.element_type, "l1", "operand")
    sizes = tuple(p.size for p in parts)
    place = Place(base, kind.element_type, shape, sizes, strides, kind.get_order(), blocked_dim(kind))
    last = len(shape) - 1
    dims = [d for d in kind.get_order() if d != last]
    *outer, inner = [d for d in dims if shape[d] > 1] or dims[-1:]
    begin: Idx = 0
    for d in dims:
        begin = emit.add(begin, emit.mul(parts[d].before, strides[d] // kind.lanes))
    rows, columns = parts[inner].count, parts[-1].count
    pieces, moved = [_Piece(offset, 0, rows, 0, columns)], [p.count for p in parts]
    if op.lead is not None:
        dim, at = lead_of(k, op, offset)
        if dim == last:
            pieces = [_Piece(offset, 0, rows, BLOCK, columns), _Piece(at, 0, rows, 0, BLOCK)]
            moved[last] = emit.add(columns, BLOCK)
        else:
            pieces = [_Piece(offset, BLOCK, rows, 0, columns), _Piece(at, 0, BLOCK, 0, columns)]
            moved[inner] = emit.add(rows, BLOCK)
    return _Matrix(tensor, place, parts, row_major(tensor), outer, inner, begin, pieces, tuple(moved))


def _convert(k: LoweringContext, m: _Matrix, dims: list[int], at: Idx, row_at: Idx) -> None:
    """DMA that lays out NZ on the way, one for the innermost dimension of rows, from element `at` of GM to row `row_at`
    of the tile."""
    emit = k.emit
    if dims:
        d, *rest = dims
        with emit.loop(0, m.parts[d].count) as i:
            to = emit.add(row_at, emit.mul(i, m.step(d)))
            _convert(k, m, rest, emit.add(at, emit.mul(i, m.pitches[d])), to)
        return
    for piece in m.pieces:
        read = emit.view(
            m.tensor, [piece.rows, piece.columns], [m.pitches[m.inner], 1], emit.add(at, piece.at)
        )
        part = [emit.div(emit.add(piece.columns, m.c0 - 1), m.c0), piece.rows, m.c0]
        first = emit.mul(emit.add(row_at, piece.row), m.c0)
        to = emit.add(first, piece.column // m.c0 * m.plane)
        emit.copy(read, emit.view(m.place.base, part, [m.plane, m.c0, 1], to), nd2nz=True)


def _fill_rows(k: LoweringContext, m: _Matrix) -> None:
    """Rows in front of and behind the tensor's, which nobody stores, but the Cube reads: the first one again."""
    emit, inner = k.emit, m.parts[m.inner]
    behind, columns = emit.add(m.begin, inner.count), m.parts[-1].count
    for first, count in ((0, m.begin), (behind, emit.sub(inner.size, behind))):
        if count == 0:
            continue
        with emit.unless_none(count):
            read = emit.view(m.tensor, [count, columns], [0, 1], m.pieces[0].at)
            part = [emit.div(emit.add(columns, m.c0 - 1), m.c0), count, m.c0]
            to = emit.mul(first, m.c0)
            emit.copy(read, emit.view(m.place.base, part, [m.plane, m.c0, 1], to), nd2nz=True)


def _by_vector(k: LoweringContext, m: _Matrix, elements: int, blocks: Idx) -> None:
    """Rows to UB, where the Vector unit puts them in `blocks` of columns, and on to L1."""
    emit, dtype, shape, last = k.emit, m.place.dtype, m.place.shape, len(m.place.shape) - 1
    wide = ceil_to(shape[-1], BLOCK)
    staged = emit.fresh(ceil_to(prod(shape[:-1]), BLOCK) * wide, dtype, "ub", "rows")
    nz = emit.fresh(elements, dtype, "ub", "nz")
    if not m.complete:
        fill(k, nz, 0, elements, dtype)
        blocks = -(-shape[-1] // BLOCK)
    steps = [m.step(d) for d in range(last)]
    around = [Run(m.parts[d].count, m.pitches[d], steps[d] * wide) for d in m.outer]
    for piece in m.pieces:
        runs = [*around, Run(piece.rows, m.pitches[m.inner], steps[m.inner] * wide)]
        gm = GmRegion(m.tensor, piece.at, runs, piece.columns)
        move(emit, gm, staged, piece.row * wide + piece.column)
    moved = (*m.moved[:-1], emit.ceil_to(m.moved[-1], BLOCK))
    order = (*(d for d in m.place.order if d != last), last)
    from_strides, to_strides = (*(s * wide for s in steps), BLOCK), (*(s * BLOCK for s in steps), m.plane)
    source = Place(staged, dtype, shape, moved, from_strides, order, last)
    to = emit.mul(m.begin, BLOCK)
    emit_vector(emit, "vcopy", [source], Place(nz, dtype, shape, moved, to_strides, m.place.order, last, to))
    flat = emit.mul(blocks, m.plane)
    emit.copy(emit.view(nz, [flat], [1]), emit.view(m.place.base, [flat], [1]))


def lead_of(k: LoweringContext, op: tile.LoadOp, offset: Idx) -> tuple[int, Idx]:
    """The dimension of the tensor along which a block precedes the region at `offset`, and where in GM it starts: for
    the first column of the result, at the dimension's end."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    n = len(k.source.extent_list) - 1
    dim = next(i for i, e in enumerate(op.maps) if isinstance(e, Along) and e.dim == n)
    extent, stride = memref_type(tensor).get_shape()[dim], row_major(tensor)[dim]
    inside = emit.min(k.idx(op.offsets[n]), 1)
    return dim, emit.add(emit.sub(offset, BLOCK * stride), emit.mul(emit.sub(1, inside), extent * stride))
