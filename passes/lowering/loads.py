"""`tile.load`: from GM to the tile's layout in UB or L1, on the paths that the chip has.

To UB row-major: DMA. To UB blocked at the product's columns: rows are moved as they lie in GM, then copied block by
block (columns contiguous in GM) or transposed (rows of the matrix contiguous in GM, as in NCHW). To L1 in NZ: by the
DMA's own ND->NZ where the target has it, else through UB. A feature map goes to L1 as NC1HWC0 through UB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import tile
from ...dialects.ascend.memory import TABLES, lanes_of, memref_type
from ...dialects.tile import BLOCK, TileType, layout_of, tile_type
from ...dialects.tiling import Along
from .blocked import load_blocked, load_blocked_map, load_blocked_matrix
from .border import fill_side
from .channels import ChannelRows, blocks_from_channels, load_blocks, unpadded
from .emitter import Idx
from .moves import fill, gm_offset, move, region, row_major
from .narrow import clear_row_tails, fetch
from .picked import load_picked
from .place import Place, blocked_dim, ceil_to, physical
from .rearrange import load_moved, moves_elements
from .row_lanes import load_row_lanes
from .rows_around import rows_around
from .taken import if_any, taken_of
from .transfers import Run
from .vector import emit_vector, expand_lanes

if TYPE_CHECKING:
    from .kernel import KernelLowering


def lower_load(k: KernelLowering, op: tile.LoadOp) -> Place:
    """Emit the load; the place of its tile."""
    kind = tile_type(op.result)
    if kind.space.data == "ub":
        return _to_ub(k, op, kind) if layout_of(op.tensor.type) is None else load_blocked(k, op, kind)
    if is_row(op):
        return _to_table(k, op, kind)
    if op.packed is not None:
        return _packed(k, op, kind)
    if len(op.maps) == 4 and kind.get_order() == (0, 1) and kind.blocked == 1:
        from .filters import load_filters

        filters = load_filters(k, op, kind)
        assert filters is not None
        return filters
    if kind.blocked == 1 and len(kind.get_shape()) == 4 and kind.get_order() == (0, 1, 2, 3):
        if layout_of(op.tensor.type) is not None:
            return load_blocked_map(k, op, kind)
        from .feature_map import load_feature_map

        place = load_feature_map(k, op, kind)
        assert place is not None
        return place
    return _matrix(k, op, kind) if layout_of(op.tensor.type) is None else load_blocked_matrix(k, op, kind)


def _to_ub(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    if op.indices is not None:
        return load_picked(k, op, kind)
    if k.row_lanes:
        return load_row_lanes(k, op, kind)
    if moves_elements(k, op, kind):
        return load_moved(k, op, kind)
    if any(isinstance(e, Along) and e.thin for e in op.maps):
        return _expanded_steps(k, op, kind)
    emit = k.emit
    tensor = k.tensors[op.tensor]
    block = blocked_dim(kind)
    if op.packed is not None:
        return load_blocks(k, op, kind)
    parts = region(k, op)
    offset = gm_offset(emit, tensor, [p.start for p in parts])
    strides = row_major(tensor)
    shape = memref_type(tensor).get_shape()
    followed = [(e.dim, i) for i, e in enumerate(op.maps) if isinstance(e, Along)]
    along = [(d, parts[i], strides[i]) for d, i in followed]
    sizes: list[Idx] = [1] * len(kind.get_shape())
    for dim, part, _ in along:
        sizes[dim] = part.size
    lead = 0 if op.lead is None else BLOCK
    sizes[block] = emit.add(sizes[block], lead)
    dims = [d for d, _, _ in along]
    turned = block in dims and dims[-1] != block  # a transpose writes whole groups of 16 positions
    incomplete = any(not p.complete for p in parts)
    held, inside = unpadded(k, op, kind, parts) if turned and incomplete else (kind, ())
    place = k.new_place(held, sizes, "operand", rows=BLOCK if turned else 1, whole_blocks=block not in dims)
    place = replace(place, shape=kind.get_shape(), inside=inside)
    if incomplete and not turned and block in dims:
        (elements,) = memref_type(place.own.buffer.result).get_shape()
        fill(k, place.base, 0, elements, place.dtype, 0.0 if op.fill is None else op.fill.value.data)
    at: Idx = lead // BLOCK * place.strides[block]
    for d, p, _ in along:
        if d != block and not (inside and inside[d]):
            at = emit.add(at, emit.mul(p.before, place.strides[d]))
    loaded = replace(place, offset=at)
    counts = [(p.count, stride, d) for d, p, stride in along]
    if block not in dims:
        _expanded(k, loaded, tensor, offset, counts)
        _fill_around(k, op, place, [(d, p.before, p.count) for d, p, _ in along if not p.complete])
    elif dims[-1] == block and (len(dims) == 1 or dims == [d for d in kind.get_order() if d in dims]):
        runs = [Run(count, stride, place.strides[d], place.shape[d]) for count, stride, d in counts[:-1]]
        length = counts[-1][0]
        on_block = all(e.pad % BLOCK == 0 for e in op.maps if isinstance(e, Along))
        if on_block and prod(shape) == shape[followed[-1][1]] and not k.target.dma.unaligned:
            length = emit.ceil_to(length, BLOCK)
        elif not incomplete:
            clear_row_tails(k, place)
        fetch(k, tensor, offset, runs, length, place.own, at)
        if lead:
            fetch(k, tensor, _lead_of(k, op, offset)[1], runs, lead, place.own)
    elif dims[-1] == block:
        lead_at = _lead_of(k, op, offset)[1] if lead else None
        _blocks_from_rows(k, place if lead else loaded, tensor, offset, counts, lead_at)
    else:
        own = ChannelRows(loaded, parts, offset)
        blocks_from_channels(k, op, own, rows_around(k, op, place, parts))
    return place


def _lead_of(k: KernelLowering, op: tile.LoadOp, offset: Idx) -> tuple[int, Idx]:
    """The dimension of the tensor along which a block precedes the region at `offset`, and where in GM it starts: for
    the first column of the result, at the dimension's end."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    n = len(k.source.extent_list) - 1
    dim = next(i for i, e in enumerate(op.maps) if isinstance(e, Along) and e.dim == n)
    extent, stride = memref_type(tensor).get_shape()[dim], row_major(tensor)[dim]
    inside = emit.min(k.idx(op.offsets[n]), 1)
    return dim, emit.add(emit.sub(offset, BLOCK * stride), emit.mul(emit.sub(1, inside), extent * stride))


def _expanded_steps(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """A tile without the lane dimension, of whose tensor every so many elements are read."""
    emit = k.emit
    taken, offset = taken_of(k, op)
    sizes: list[Idx] = [1] * len(kind.get_shape())
    for t in taken:
        sizes[t.dim] = k.idx(op.sizes[t.dim])
    place = k.new_place(kind, sizes, "operand", whole_blocks=True)
    at: Idx = 0
    for t in taken:
        at = emit.add(at, emit.mul(t.before, place.strides[t.dim]))
    with if_any(emit, taken):
        counts = [(t.count, t.stride * t.step, t.dim) for t in taken]
        _expanded(k, replace(place, offset=at), k.tensors[op.tensor], offset, counts)
    _fill_around(k, op, place, [(t.dim, t.before, t.count) for t in taken if not t.whole])
    return place


def _fill_around(
    k: KernelLowering, op: tile.LoadOp, place: Place, parts: Sequence[tuple[int, Idx, Idx]]
) -> None:
    """The fill value before and behind what was loaded: (dimension, elements before it, its elements). What is expanded
    is followed by what expanding wrote too much."""
    emit, value = k.emit, 0.0 if op.fill is None else op.fill.value.data
    for d, before, count in parts:
        size, end = place.sizes[d], emit.add(before, count)
        fill_side(k, place, d, 0, before, place.shape[d], value)
        fill_side(k, place, d, end, emit.sub(size, end), place.shape[d], value)


def _expanded(
    k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, dims: list[tuple[Idx, int, int]]
) -> None:
    """A tile without the lane dimension: each element is repeated over a block of 16.

    Expanding works on whole 32 B blocks of the source; what that writes too much the next line overwrites, so lines are
    walked in the order in which they lie in the tile.
    """
    emit = k.emit
    runs = [Run(size, stride, place.strides[d]) for size, stride, d in dims]
    length: Idx = 1
    while runs and isinstance(length, int) and runs[-1].gm == length and runs[-1].ub == length * BLOCK:
        length = emit.mul(runs.pop().count, length)
    rest = [r for r in runs if r.count != 1]
    inner = [d for _, _, d in dims[len(runs) :]]
    pitch = ceil_to(prod(place.shape[d] for d in inner), BLOCK)
    outer = [place.shape[d] for (_, _, d), r in zip(dims, runs, strict=False) if r in rest]
    steps = [prod(outer[i + 1 :]) * pitch for i in range(len(outer))]
    compact = emit.fresh(prod(outer) * pitch, place.dtype, "ub", "scalars")
    moves = [replace(r, ub=step) for r, step in zip(rest, steps, strict=True)]
    fetch(k, tensor, offset, moves, length, compact)

    def walk(left: list[tuple[Run, Run]], source: Idx, result: Idx) -> None:
        if not left:
            read = replace(place, base=compact, offset=source)
            expand_lanes(emit, read, replace(place, offset=result), length)
            return
        (run, moved), *inside = left
        with emit.loop(0, run.count) as i:
            walk(inside, emit.add(source, emit.mul(i, moved.ub)), emit.add(result, emit.mul(i, run.ub)))

    by_place = sorted(zip(rest, moves, strict=True), key=lambda pair: -pair[0].ub)
    walk(by_place, 0, place.offset)


def _blocks_from_rows(
    k: KernelLowering,
    place: Place,
    tensor: SSAValue,
    offset: Idx,
    dims: list[tuple[Idx, int, int]],
    lead: Idx | None = None,
) -> None:
    """[.., m, n] row-major in GM to blocks of n: DMA of rows, then one strided copy for each block of columns. With
    `lead` the first block of columns is that from there on."""
    emit = k.emit
    before = 0 if lead is None else BLOCK
    columns = place.shape[place.block]
    pitch = ceil_to(columns, BLOCK)
    rows = [place.shape[d] for _, _, d in dims[:-1]]
    base = emit.fresh(prod(rows) * pitch, place.dtype, "ub", "rows")
    strides = [0] * len(place.shape)
    strides[place.block] = BLOCK
    runs: list[Run] = []
    sizes = list(place.sizes)
    for i, (count, stride, d) in enumerate(dims[:-1]):
        strides[d] = prod(rows[i + 1 :]) * pitch
        sizes[d] = count
        runs.append(Run(count, stride, strides[d]))
    sizes[place.block] = emit.add(dims[-1][0], before)
    staged = replace(place, base=base, strides=tuple(strides), sizes=tuple(sizes), offset=0)
    clear_row_tails(k, staged)
    fetch(k, tensor, offset, runs, dims[-1][0], base, before)
    if lead is not None:
        fetch(k, tensor, lead, runs, before, base)
    emit_vector(emit, "vcopy", [staged], replace(place, sizes=tuple(sizes)))


def is_row(op: tile.LoadOp) -> bool:
    """Whether it brings a row to a table beside the Cube, or to L1 because it is longer than that."""
    return tile_type(op.result).space.data in TABLES or any(
        isinstance(use.operation, tile.ContractOp) for use in op.result.uses
    )


def _to_table(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """A row through L1, where what is behind its end is zero up to a block, to a table, in f32. FixPipe reads slopes of
    all 16 columns of a fractal: where half of them are behind the row they are those of its beginning, for columns that
    nobody stores. A row that is longer than the table stays in L1."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    parts = region(k, op)
    (row,) = [p for p, e in zip(parts, op.maps, strict=True) if isinstance(e, Along)]
    offset = gm_offset(emit, tensor, [p.start for p in parts])
    element = memref_type(tensor).element_type
    width = lanes_of(element)
    elements, _ = physical(kind, 1)
    staged = emit.fresh(elements, element, "l1", "row")

    def stage(count: Idx, to: Idx) -> Idx:
        """The first `count` elements of the row to L1 at `to`; how many blocks they take."""
        blocks = emit.div(emit.add(count, width - 1), width)
        if isinstance(count, int) and count % width == 0:
            emit.copy(emit.view(tensor, [count], [1], offset), emit.view(staged, [count], [1], to))
            return blocks
        read = emit.view(tensor, [1, count], [count if isinstance(count, int) else elements, 1], offset)
        emit.copy(read, emit.view(staged, [blocks, 1, width], [width, width, 1], to), nd2nz=True)
        return blocks

    blocks = stage(row.count, 0)
    length, half = emit.mul(blocks, width), emit.rem(blocks, BLOCK // width)
    if kind.space.data == "fb" and half != 0:
        with emit.unless_none(half):
            stage(emit.min(row.count, width), length)
        length = emit.ceil_to(length, BLOCK)
    base = staged
    if kind.space.data in TABLES:
        base = emit.fresh(elements, kind.element_type, kind.space.data, "row")
        emit.copy(emit.view(staged, [length], [1]), emit.view(base, [length], [1]))
    sizes = tuple(kind.get_shape())
    return Place(
        base,
        kind.element_type,
        kind.get_shape(),
        sizes,
        (1,) * len(sizes),
        kind.get_order(),
        blocked_dim(kind),
    )


def _packed(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
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


def _kept(k: KernelLowering, op: tile.LoadOp, kept: Place, row: Idx, rows: Idx) -> Place:
    """Rows of fractals of the packed weights that stay in L1: the core's first tile loads them."""
    emit, run, (tile_, end) = k.emit, kept.strides[0], k.first_tile
    at, count = emit.mul(row, run), emit.mul(rows, run)
    with emit.condition("slt", tile_, end):
        emit.copy(emit.view(k.tensors[op.tensor], [count], [1], at), emit.view(kept.base, [count], [1], at))
    return replace(kept, offset=at)


def _matrix(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
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
        dim, at = _lead_of(k, op, offset)
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
