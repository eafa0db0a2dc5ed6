"""The Vector ops of a fusion group on tiles, composed from their tiling rules: the body of a `tile.kernel`, or what
follows its product."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.target_types import Target
from ....dialects.tile import TileType, tile_type
from ....dialects.tiling import Along, OperandMap, Unit, picked_dims, reaches_outside
from ...regions.compute_type import ComputeTypes
from ...regions.padding import border_fill
from ...regions.regions import Regions
from ...support.values import index_operands, rule_of, scalar_operands
from .tile_emitter import OpEmitter, TileEmitter

Tiles = dict[tuple[SSAValue, OperandMap], SSAValue]
"""The tile of a value seen through a map of the group's space."""


def region_shape(regions: Regions, maps: OperandMap, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Shape, in kernel dimensions, of what `maps` needs for a tile; 1 where it repeats."""
    entries = regions.kernel_map(maps)
    along = {e.dim: e for e in entries if isinstance(e, Along)}
    picked = picked_dims(entries)
    return tuple(along[d].held(t) if d in along else t if d in picked else 1 for d, t in enumerate(tiles))


def vector_ops(
    regions: Regions,
    target: Target,
    builder: Builder,
    tiles: Tiles,
    sizes: tuple[int, ...],
    ops: Sequence[Operation],
    result: SSAValue,
    offsets: Sequence[SSAValue],
) -> SSAValue:
    """Emit `ops`, in program order, on tiles, which start at `offsets`; that of `result` is returned."""
    compute_tiles(regions, target, builder, tiles, sizes, ops, offsets)
    return _with_own_bytes(builder, target, tiles[result, regions.maps[result]])


def stored_tiles(
    regions: Regions, target: Target, builder: Builder, tiles: Tiles, sizes: tuple[int, ...]
) -> Iterator[tuple[SSAValue, tuple[int, ...]]]:
    """What a kernel without a product stores of `tiles`, and where it begins in the result: the result, or each part
    of it."""
    if not regions.parts:
        result = _with_own_bytes(builder, target, tiles[regions.result, regions.maps[regions.result]])
        yield repeated(builder, result, regions.stored_dims, sizes), ()
    own = regions.maps[regions.result]
    for part in regions.parts:
        found = viewed(builder, regions, tiles[part.value, part.maps], part.maps, own, sizes)
        found = _with_own_bytes(builder, target, found)
        yield repeated(builder, found, regions.stored_dims, sizes), regions.origin(part)


def _with_own_bytes(builder: Builder, target: Target, stored: SSAValue) -> SSAValue:
    """A tile as it is stored: a mask as numbers, a view of a larger tile copied."""
    stored = TileEmitter(builder, target.vector).numbers(stored)
    if isinstance(stored.owner, tile.WindowOp):
        stored = builder.insert(tile.VecOp("vcopy", [stored], tile_type(stored))).result
    return stored


def viewed(
    builder: Builder,
    regions: Regions,
    x: SSAValue,
    region: OperandMap,
    part: OperandMap,
    sizes: tuple[int, ...],
) -> SSAValue:
    """Of a tile `x` of `region` what `part` needs, for result tiles of `sizes`."""
    if region == part:
        return x
    starts, needed = kernel_starts(regions, region, part), region_shape(regions, part, sizes)
    kind = tile_type(x)
    shape = tuple(min(n, most) for n, most in zip(kind.get_shape(), needed, strict=True))
    view = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
    return builder.insert(tile.WindowOp(x, starts, [1] * len(shape), view)).result


def kernel_starts(regions: Regions, region: OperandMap, part: OperandMap) -> tuple[int, ...]:
    """Where tiles of `part` begin in those of `region`, for each kernel dimension."""
    starts = [0] * len(regions.kernel_extents)
    for whole, own in zip(regions.in_kernel(region), regions.in_kernel(part), strict=True):
        if isinstance(whole, Along) and isinstance(own, Along):
            starts[whole.dim] = whole.pad - own.pad
    return tuple(starts)


def compute_tiles(
    regions: Regions,
    target: Target,
    builder: Builder,
    tiles: Tiles,
    sizes: tuple[int, ...],
    ops: Sequence[Operation],
    offsets: Sequence[SSAValue],
) -> None:
    """Emit `ops`, in program order, on tiles, which start at `offsets`."""
    types = ComputeTypes(target.vector)
    for op in ops:
        rule = rule_of(op)
        if rule.engine == "cube":
            continue
        emitter, operands = op_operands(regions, types, builder, tiles, sizes, op, offsets)
        emitter.offsets = offsets
        tiles[op.results[0], regions.maps[op.results[0]]] = types.result(op, emitter, operands)


def op_operands(
    regions: Regions,
    types: ComputeTypes,
    builder: Builder,
    tiles: Tiles,
    sizes: Sequence[int],
    op: Operation,
    offsets: Sequence[SSAValue] = (),
    count: int | None = None,
) -> tuple[OpEmitter, list[Any]]:
    """What an op's rule is called with: a builder, and the tiles of the operands, or of the first `count` of them, in a
    type that it computes in; those that rows are made of have all their elements. A tile at `offsets` that reaches past
    what is computed holds what the op wants there."""
    vector, scalars = types.vector, scalar_operands(op)
    iteration = rule_of(op).iteration(op)
    outer = regions.maps[op.results[0]]
    shape = region_shape(regions, outer, tuple(sizes))
    lacking = frozenset(d for d in regions.kernel_rows(op) if d < len(sizes))
    operands: list[Any] = []
    own: dict[SSAValue, OperandMap] = {}
    for i, (value, entries) in enumerate(zip(op.operands[:count], iteration.operands[:count], strict=True)):
        if i in scalars:
            operands.append(scalars[i])
            continue
        if i in index_operands(op):
            continue
        needed, region = regions.operand_map(op, i), regions.tile_map(op, i)
        stored = repeated(builder, tiles[value, region], lacking, sizes)
        fill = border_fill(op, i) if value in regions.maps else None
        if fill is not None:  # who else reads what is outside of the value fills it too
            tiles[value, region] = stored = _bordered(builder, regions, value, stored, offsets, fill)
        if region != needed:
            stored = viewed(builder, regions, stored, region, needed, tuple(sizes))
        operand = types.operand(op, TileEmitter(builder, vector), stored)
        operands.append(operand)
        own[operand] = _own_maps(regions, entries, outer, iteration.parallel)
    emitter = OpEmitter(builder, vector, own, shape, partial(regions.kernel_dim, op))
    emitter.through, emitter.slides = outer, regions.product is None
    return emitter, operands


def _bordered(
    builder: Builder, regions: Regions, value: SSAValue, x: SSAValue, offsets: Sequence[SSAValue], fill: float
) -> SSAValue:
    """The tile `x` of a computed value with `fill` outside of the value."""
    if isinstance(x.owner, tile.BorderOp) and x.owner.fill.value.data == fill:
        return x
    if isinstance(x.owner, tile.WindowOp):
        x = builder.insert(tile.VecOp("vcopy", [x], tile_type(x))).result
    extents = dict(enumerate(regions.kernel_extents))
    sides = [
        (e, size)
        for e, size in zip(regions.kernel_map(regions.maps[value]), regions.kernel_sizes(value), strict=True)
        if isinstance(e, Along) and (e.is_windowed or reaches_outside((e,), (size,), extents))
    ]
    along = [e for e, _ in sides]
    at, dims = [offsets[e.dim] for e in along], [e.dim for e in along]
    strides, pads, sizes = [e.stride for e in along], [e.pad for e in along], [size for _, size in sides]
    return builder.insert(tile.BorderOp(x, at, dims, strides, pads, sizes, fill)).result


def repeated(builder: Builder, x: SSAValue, dims: frozenset[int], sizes: Sequence[int]) -> SSAValue:
    """`x` with its elements repeated along those of `dims` that it lacks."""
    kind = tile_type(x)
    shape = tuple(sizes[d] if d in dims and n == 1 else n for d, n in enumerate(kind.get_shape()))
    if shape == kind.get_shape():
        return x
    wide = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
    return builder.insert(tile.VecOp("vcopy", [x], wide)).result


def _own_maps(regions: Regions, entries: OperandMap, outer: OperandMap, parallel: int) -> OperandMap:
    """An op's own operand map, its dimensions renamed to the kernel's."""
    renamed: list[Any] = []
    for entry in entries:
        if isinstance(entry, Along) and entry.dim < parallel:
            through = outer[entry.dim]
            if isinstance(through, Along):
                renamed.append(replace(entry, dim=through.dim))
                continue
        renamed.append(entry if isinstance(entry, Unit) else Unit())
    return regions.kernel_map(tuple(renamed))
