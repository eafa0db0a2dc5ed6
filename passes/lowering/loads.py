"""`tile.load`: from GM to the tile's layout in UB or L1, on the paths that the chip has.

To UB row-major: DMA. To UB blocked at the product's columns: rows are moved as they lie in GM, then copied block by
block (columns contiguous in GM) or transposed (rows of the matrix contiguous in GM, as in NCHW). To L1 in NZ: by the
DMA's own ND->NZ where the target has it, else through UB. A feature map goes to L1 as NC1HWC0 through UB.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.tile import BLOCK, TileType, tile_type
from ...dialects.tiling import Along
from .emitter import Generation, Idx
from .moves import Run, gm_offset, granule, move, region, row_major
from .place import Place, blocked_dim, ceil_to, physical
from .vector import expand_lanes

if TYPE_CHECKING:
    from .kernel import KernelLowering


def lower_load(k: KernelLowering, op: tile.LoadOp) -> Place:
    """Emit the load; the place of its tile."""
    kind = tile_type(op.result)
    if kind.space.data == "ub":
        return _to_ub(k, op, kind)
    if op.packed is not None:
        return _packed(k, op, kind)
    if kind.blocked == 1 and len(kind.get_shape()) == 4 and kind.get_order() == (0, 1, 2, 3):
        from .feature_map import load_feature_map

        return load_feature_map(k, op, kind)
    return _matrix(k, op, kind)


def _to_ub(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    emit = k.emit
    tensor = k.tensors[op.tensor]
    maps = op.maps
    starts, counts = region(emit, maps, [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes])
    offset = gm_offset(emit, tensor, starts)
    strides = row_major(tensor)
    block = blocked_dim(kind)
    along = [(e.dim, i) for i, e in enumerate(maps) if isinstance(e, Along)]
    shape = kind.get_shape()
    sizes: list[Idx] = [1] * len(shape)
    for dim, i in along:
        sizes[dim] = counts[i]
    dims = [d for d, _ in along]
    place = k.new_place(kind, sizes, "operand", whole_blocks=block not in dims)
    if block not in dims:
        _expanded(k, place, tensor, offset, [(counts[i], strides[i], shape[d]) for d, i in along])
        return place
    if dims[-1] == block:
        if dims == [d for d in kind.get_order() if d in dims] or len(dims) == 1:
            runs = [Run(counts[i], strides[i], place.strides[d]) for d, i in along[:-1]]
            _clear_row_tails(k, place)
            move(emit, tensor, offset, runs, counts[along[-1][1]], place.base)
            return place
        _blocks_from_rows(k, place, tensor, offset, [(counts[i], strides[i], d) for d, i in along])
        return place
    _blocks_from_channels(k, place, tensor, offset, [(counts[i], strides[i], d) for d, i in along])
    return place


def _clear_row_tails(k: KernelLowering, place: Place) -> None:
    """f32 rows whose last 32 B piece is not loaded: clear it, because whole blocks of 16 are computed."""
    last = place.shape[place.block]
    if len(place.shape) > 1 and last % BLOCK and ceil_to(last, granule(place.dtype)) % BLOCK:
        total = prod(place.shape[:-1]) * ceil_to(last, BLOCK)
        fill(k, place.base, 0, total, place)


def fill(
    k: KernelLowering, base: Generation, start: Idx, count: int, place: Place, value: float = 0.0
) -> None:
    """Set `count` elements of a buffer to `value`."""
    vector = k.target.vector
    most = vector.max_repeat * vector.bytes_per_repeat * granule(place.dtype) // 32
    for done in range(0, count, most):
        view = k.emit.view(base, [min(most, count - done)], [1], k.emit.add(start, done))
        k.emit.insert(ascend.VecOp("vdup", [], view, value))


def _expanded(
    k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, dims: list[tuple[Idx, int, int]]
) -> None:
    """A tile without the lane dimension: each element is repeated over a block of 16."""
    emit = k.emit
    most = prod(shape for _, _, shape in dims)
    count: Idx = 1
    for size, _, _ in dims:
        count = emit.mul(count, size)
    compact = emit.fresh(ceil_to(most, BLOCK), place.dtype, "ub", "scalars")
    runs: list[Run] = []
    step = 1
    for size, stride, shape in reversed(dims):
        runs.insert(0, Run(size, stride, step))
        step *= shape
    length: Idx = 1
    while runs and isinstance(length, int) and runs[-1].gm == runs[-1].ub == length:
        length = emit.mul(runs.pop().count, length)
    if [r for r in runs if r.count != 1]:
        raise NotImplementedError("a repeated operand whose region is not contiguous")
    if ceil_to(most, granule(place.dtype)) % BLOCK:
        fill(k, compact, 0, ceil_to(most, BLOCK), place)
    move(emit, tensor, offset, [], length, compact)
    source = Place(compact, place.dtype, place.shape, place.sizes, place.strides, place.order, place.block)
    expand_lanes(emit, source, place, count)


def _blocks_from_rows(
    k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, dims: list[tuple[Idx, int, int]]
) -> None:
    """[.., m, n] row-major in GM to blocks of n: DMA of rows, then one strided copy for each block of columns."""
    emit = k.emit
    columns = place.shape[place.block]
    pitch = ceil_to(columns, BLOCK)
    rows = [place.shape[d] for _, _, d in dims[:-1]]
    staged = emit.fresh(prod(rows) * pitch, place.dtype, "ub", "rows")
    steps = [prod(rows[i + 1 :]) * pitch for i in range(len(rows))]
    runs = [Run(count, stride, step) for (count, stride, _), step in zip(dims[:-1], steps, strict=True)]
    if ceil_to(columns, granule(place.dtype)) % BLOCK:
        fill(k, staged, 0, prod(rows) * pitch, place)
    move(emit, tensor, offset, runs, dims[-1][0], staged)
    strides = list(place.strides)
    for (_, _, d), step in zip(dims[:-1], steps, strict=True):
        strides[d] = step
    strides[place.block] = BLOCK
    source = Place(staged, place.dtype, place.shape, place.sizes, tuple(strides), place.order, place.block)
    from .vector import emit_vector

    emit_vector(emit, "vcopy", [source], place)


def _blocks_from_channels(
    k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, dims: list[tuple[Idx, int, int]]
) -> None:
    """[.., c, h, w] in GM to blocks of c: DMA of channel rows, then a transpose for each block of channels."""
    emit = k.emit
    at = next(i for i, (_, _, d) in enumerate(dims) if d == place.block)
    inner = dims[at + 1 :]
    channels, channel_stride, _ = dims[at]
    positions = prod(place.shape[d] for _, _, d in inner)
    width = granule(place.dtype)
    pitch = ceil_to(positions, BLOCK)
    blocks = -(-place.shape[place.block] // BLOCK)
    staged = emit.fresh(blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    fill_needed = not isinstance(channels, int) or channels % BLOCK or positions % BLOCK
    if fill_needed:
        fill(k, staged, 0, blocks * BLOCK * pitch, place)
    steps: list[int] = []
    for i in range(len(inner)):
        steps.append(prod(place.shape[d] for _, _, d in inner[i + 1 :]))
    runs = [Run(channels, channel_stride, pitch)]
    runs += [Run(c, s, step) for (c, s, _), step in zip(inner[:-1], steps, strict=False)]
    move(emit, tensor, offset, runs, inner[-1][0] if inner else 1, staged)
    transpose_channels(k, staged, pitch, place, blocks, -(-positions // width))


def transpose_channels(
    k: KernelLowering, staged: Generation, pitch: int, place: Place, blocks: int, repeats: Idx
) -> None:
    """[c][position] with `pitch` elements a channel to [c1][position][16]."""
    emit = k.emit
    width = granule(place.dtype)
    with emit.loop(0, blocks) as c1:
        read = emit.view(staged, [repeats, BLOCK, width], [width, pitch, 1], emit.mul(c1, BLOCK * pitch))
        target = emit.add(place.offset, emit.mul(c1, place.strides[place.block]))
        write = emit.view(place.base, [repeats, width, BLOCK], [width * BLOCK, BLOCK, 1], target)
        emit.insert(ascend.TransposeOp(read, write))


def _packed(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """A window of packed weights [K1, N1, 16, 16] to L1, fractal rows as they are."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    n1 = -(-kind.get_shape()[1] // BLOCK)
    k1 = -(-kind.get_shape()[0] // BLOCK)
    fractal = BLOCK * BLOCK
    base = emit.fresh(k1 * n1 * fractal, kind.element_type, "l1", "rhs")
    strides = row_major(tensor)
    k_at, n_at = (emit.div(k.idx(o), BLOCK) for o in op.offsets)
    rows = emit.div(emit.add(k.idx(op.sizes[0]), BLOCK - 1), BLOCK)
    offset = emit.add(emit.mul(k_at, strides[0]), emit.mul(n_at, strides[1]))
    if strides[0] == n1 * fractal:
        flat = emit.mul(rows, n1 * fractal)
        emit.copy(emit.view(tensor, [flat], [1], offset), emit.view(base, [flat], [1]))
    else:
        read = emit.view(tensor, [rows, n1 * fractal], [strides[0], 1], offset)
        emit.copy(read, emit.view(base, [rows, n1 * fractal], [n1 * fractal, 1]))
    sizes = (k.idx(op.sizes[0]), k.idx(op.sizes[1]))
    return Place(base, kind.element_type, kind.get_shape(), sizes, (n1 * fractal, fractal), (0, 1), 1)


def _matrix(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """Rows and columns of a tensor to L1 in NZ: [columns / 16, rows, 16]."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    starts, counts = region(emit, op.maps, [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes])
    offset = gm_offset(emit, tensor, starts)
    pitch = row_major(tensor)[-2]
    rows, columns = counts[-2], counts[-1]
    shape = kind.get_shape()
    elements, strides = physical(kind, BLOCK)
    base = emit.fresh(elements, kind.element_type, "l1", "operand")
    place = Place(base, kind.element_type, shape, tuple(counts), strides, kind.get_order(), blocked_dim(kind))
    blocks = emit.div(emit.add(columns, BLOCK - 1), BLOCK)
    plane = strides[-1]
    if k.target.dma.nd2nz and rows == ceil_to(shape[-2], BLOCK):
        read = emit.view(tensor, [rows, columns], [pitch, 1], offset)
        emit.copy(read, emit.view(base, [blocks, rows, BLOCK], [plane, BLOCK, 1]), nd2nz=True)
        return place
    wide = ceil_to(shape[-1], BLOCK)
    staged = emit.fresh(ceil_to(shape[-2], BLOCK) * wide, kind.element_type, "ub", "rows")
    nz = emit.fresh(elements, kind.element_type, "ub", "nz")
    if isinstance(rows, int) and rows % BLOCK:
        fill(k, nz, 0, elements, place)
    move(emit, tensor, offset, [Run(rows, pitch, wide)], columns, staged)
    order = (0, 1)
    inner = (shape[-2], shape[-1])
    sizes: tuple[Idx, Idx] = (rows, emit.mul(blocks, BLOCK))
    source = Place(staged, kind.element_type, inner, sizes, (wide, BLOCK), order, 1)
    result = Place(nz, kind.element_type, inner, sizes, (BLOCK, plane), (1, 0), 1)
    from .vector import emit_vector

    emit_vector(emit, "vcopy", [source], result)
    flat = emit.mul(blocks, plane)
    emit.copy(emit.view(nz, [flat], [1]), emit.view(base, [flat], [1]))
    return place


__all__ = ["fill", "lower_load", "transpose_channels"]
