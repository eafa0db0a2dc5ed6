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

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tile import BLOCK, TileType, layout_of, tile_type
from ....dialects.tile.transfer_checks import grid_dim
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.clip_region import clipped_dims, if_any
from ..base.dma import GmRegion, fill, gm_offset, region, row_major
from ..base.place import Place, blocked_dim, ceil_to
from ..vector.padding import Side, fill_side
from ..vector.vector import emit_vector, expand_lanes
from .bags import load_bags
from .blocked import load_blocked, load_blocked_map, load_blocked_matrix
from .channel_blocks import ChannelRows, blocks_from_channels, load_blocks, unpadded
from .gather import load_picked
from .load_matrix import lead_of, load_matrix, load_packed
from .narrow_types import clear_row_tails, fetch
from .rearrange import load_moved, moves_elements
from .row_lanes import load_row_lanes
from .rows_around import rows_around
from .table_rows import is_row, to_table

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_load(k: LoweringContext, op: tile.LoadOp) -> Place:
    """Emit the load; the place of its tile."""
    kind = tile_type(op.result)
    if kind.space.data == "ub":
        return _to_ub(k, op, kind) if layout_of(op.tensor.type) is None else load_blocked(k, op, kind)
    if is_row(op):
        return to_table(k, op, kind)
    if op.packed is not None:
        return load_packed(k, op, kind)
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
    return load_matrix(k, op, kind) if layout_of(op.tensor.type) is None else load_blocked_matrix(k, op, kind)


def _to_ub(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    if op.bags is not None:
        return load_bags(k, op, kind)
    if op.indices is not None:
        return load_picked(k, op, kind)
    if k.row_lanes:
        return load_row_lanes(k, op, kind)
    if moves_elements(k, op, kind):
        return load_moved(k, op, kind)
    if any(isinstance(e, Along) and e.thin for e in op.maps):
        return _expanded_steps(k, op, kind)
    if op.packed is not None:
        return load_blocks(k, op, kind)
    return _load_region(k, op, kind)


def _load_region(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A region whose elements keep their order: rows by DMA, or blocks of columns or of channels of them."""
    emit, tensor, block = k.emit, k.tensors[op.tensor], blocked_dim(kind)
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
        elif not incomplete and not _in_whole_blocks(op, followed[-1]):
            clear_row_tails(k, place)
        fetch(k, GmRegion(tensor, offset, runs, length), place.own, at)
        if lead:
            fetch(k, GmRegion(tensor, lead_of(k, op, offset)[1], runs, lead), place.own)
    elif dims[-1] == block:
        lead_at = lead_of(k, op, offset)[1] if lead else None
        _blocks_from_rows(k, place if lead else loaded, tensor, offset, counts, lead_at)
    else:
        own = ChannelRows(loaded, parts, offset)
        blocks_from_channels(k, op, own, rows_around(k, op, place, parts))
    return place


def _in_whole_blocks(op: tile.LoadOp, followed: tuple[int, int]) -> bool:
    """Whether rows of every tile, along a dimension of the kernel that one of the tensor follows, are whole blocks: the
    extent is, and tiles are, so the last one is too."""
    dim, index = followed
    entry, found = op.maps[index], grid_dim(op.sizes[dim], size=True)
    if found is None or op.lead is not None or not isinstance(entry, Along) or not entry.is_identity:
        return False
    kernel, d = found
    known = kernel.rows is None and not (kernel.factor and d == 0)
    return known and kernel.extent_list[d] % BLOCK == 0 and kernel.tile_sizes[d] % BLOCK == 0


def _expanded_steps(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A tile without the lane dimension, of whose tensor every so many elements are read."""
    emit = k.emit
    clip, offset = clipped_dims(k, op)
    sizes: list[Idx] = [1] * len(kind.get_shape())
    for t in clip:
        sizes[t.dim] = k.idx(op.sizes[t.dim])
    place = k.new_place(kind, sizes, "operand", whole_blocks=True)
    at: Idx = 0
    for t in clip:
        at = emit.add(at, emit.mul(t.before, place.strides[t.dim]))
    with if_any(emit, clip):
        counts = [(t.count, t.stride * t.step, t.dim) for t in clip]
        _expanded(k, replace(place, offset=at), k.tensors[op.tensor], offset, counts)
    _fill_around(k, op, place, [(t.dim, t.before, t.count) for t in clip if not t.whole])
    return place


def _fill_around(
    k: LoweringContext, op: tile.LoadOp, place: Place, parts: Sequence[tuple[int, Idx, Idx]]
) -> None:
    """The fill value before and behind what was loaded: (dimension, elements before it, its elements). What is expanded
    is followed by what expanding wrote too much."""
    emit, value = k.emit, 0.0 if op.fill is None else op.fill.value.data
    for d, before, count in parts:
        size, end = place.sizes[d], emit.add(before, count)
        fill_side(k, place, Side(d, 0, before, place.shape[d]), value)
        fill_side(k, place, Side(d, end, emit.sub(size, end), place.shape[d]), value)


def _expanded(
    k: LoweringContext, place: Place, tensor: SSAValue, offset: Idx, dims: list[tuple[Idx, int, int]]
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
    fetch(k, GmRegion(tensor, offset, moves, length), compact)

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
    k: LoweringContext,
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
    fetch(k, GmRegion(tensor, offset, runs, dims[-1][0]), base, before)
    if lead is not None:
        fetch(k, GmRegion(tensor, lead, runs, before), base)
    emit_vector(emit, "vcopy", [staged], replace(place, sizes=tuple(sizes)))
