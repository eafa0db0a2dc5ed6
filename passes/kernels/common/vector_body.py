"""The Vector ops of a fusion group on tiles, composed from their tiling rules: the body of a `tile.kernel`, or what
follows its product."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import TileType, tile_type
from ....dialects.tiling import Along, OperandMap, Unit, picked_dims, reaches_outside
from ...regions.compute_type import ComputeTypes
from ...regions.padding import border_fill
from ...regions.regions import Regions
from ...support.values import index_operands, iteration_of, rule_of, scalar_operands
from .tile_emitter import OpEmitter, TileEmitter

Tiles = dict[tuple[SSAValue, OperandMap], SSAValue]
"""The tile of a value seen through a map of the group's space."""


def region_shape(regions: Regions, maps: OperandMap, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Shape, in kernel dimensions, of what `maps` needs for a tile; 1 where it repeats."""
    entries = regions.kernel_map(maps)
    along = {e.dim: e for e in entries if isinstance(e, Along)}
    picked = picked_dims(entries)
    return tuple(along[d].held(t) if d in along else t if d in picked else 1 for d, t in enumerate(tiles))


@dataclass
class VectorBody:
    """Where ops of `regions` are emitted: on `tiles`, of result tiles of `sizes` that start at `offsets`."""

    regions: Regions
    target: Target
    builder: Builder
    tiles: Tiles
    sizes: tuple[int, ...]
    offsets: Sequence[SSAValue] = ()

    @cached_property
    def types(self) -> ComputeTypes:
        """In which types ops compute."""
        return ComputeTypes(self.target.vector)

    def emit(self, ops: Sequence[Operation]) -> None:
        """Emit `ops`, in program order; their results join the tiles."""
        for op in ops:
            if rule_of(op).engine == "cube":
                continue
            emitter, operands = self.operands(op)
            emitter.offsets = self.offsets
            maps = self.regions.maps[op.results[0]]
            self.tiles[op.results[0], maps] = self.types.result(op, emitter, operands)

    def stored(self, value: SSAValue) -> SSAValue:
        """The tile of `value` as it is stored."""
        return self._with_own_bytes(self.tiles[value, self.regions.maps[value]])

    def results(self) -> Iterator[tuple[SSAValue, tuple[int, ...]]]:
        """What a kernel without a product stores, and where it begins in the result: the result, or each part of
        it."""
        regions = self.regions
        if not regions.parts:
            result = self.stored(regions.result)
            yield repeated(self.builder, result, regions.stored_dims, self.sizes), ()
        own = regions.maps[regions.result]
        for part in regions.parts:
            found = self._viewed(self.tiles[part.value, part.maps], part.maps, own)
            found = self._with_own_bytes(found)
            yield repeated(self.builder, found, regions.stored_dims, self.sizes), regions.origin(part)

    def operands(self, op: Operation, count: int | None = None) -> tuple[OpEmitter, list[Any]]:
        """What an op's rule is called with: a builder, and the tiles of the operands, or of the first `count` of them,
        in a type that it computes in; those that rows are made of have all their elements."""
        regions, vector, scalars = self.regions, self.target.vector, scalar_operands(op)
        iteration = iteration_of(op)
        outer = regions.maps[op.results[0]]
        operands: list[Any] = []
        own: dict[SSAValue, OperandMap] = {}
        for i, (value, entries) in enumerate(
            zip(op.operands[:count], iteration.operands[:count], strict=True)
        ):
            if i in scalars:
                operands.append(scalars[i])
            elif i not in index_operands(op):
                found = self._operand(op, i, value)
                operand = self.types.operand(op, TileEmitter(self.builder, vector), found)
                operands.append(operand)
                own[operand] = _own_maps(regions, entries, outer, iteration.parallel)
        shape = region_shape(regions, outer, self.sizes)
        emitter = OpEmitter(self.builder, vector, own, shape, partial(regions.kernel_dim, op))
        emitter.through, emitter.slides = outer, regions.product is None
        return emitter, operands

    def _operand(self, op: Operation, i: int, value: SSAValue) -> SSAValue:
        """The tile of operand `i`, `value`, as the op reads it. One that reaches past what is computed holds what the
        op wants there."""
        regions = self.regions
        needed, region = regions.operand_map(op, i), regions.tile_map(op, i)
        lacking = frozenset(d for d in regions.kernel_rows(op) if d < len(self.sizes))
        stored = repeated(self.builder, self.tiles[value, region], lacking, self.sizes)
        fill = border_fill(op, i) if value in regions.maps else None
        if fill is not None:  # who else reads what is outside of the value fills it too
            self.tiles[value, region] = stored = self._bordered(value, stored, fill)
        return self._viewed(stored, region, needed)

    def _with_own_bytes(self, stored: SSAValue) -> SSAValue:
        """A tile as it is stored: a mask as numbers, a view of a larger tile copied."""
        stored = TileEmitter(self.builder, self.target.vector).numbers(stored)
        return self._copied_view(stored)

    def _copied_view(self, x: SSAValue) -> SSAValue:
        """`x`, or a copy of it where it is a view of a larger tile."""
        if isinstance(x.owner, tile.WindowOp):
            return self.builder.insert(tile.VecOp("vcopy", [x], tile_type(x))).result
        return x

    def _viewed(self, x: SSAValue, region: OperandMap, part: OperandMap) -> SSAValue:
        """Of a tile `x` of `region` what `part` needs."""
        if region == part:
            return x
        starts = kernel_starts(self.regions, region, part)
        needed = region_shape(self.regions, part, self.sizes)
        kind = tile_type(x)
        shape = tuple(min(n, most) for n, most in zip(kind.get_shape(), needed, strict=True))
        view = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
        return self.builder.insert(tile.WindowOp(x, starts, [1] * len(shape), view)).result

    def _bordered(self, value: SSAValue, x: SSAValue, fill: float) -> SSAValue:
        """The tile `x` of a computed value with `fill` outside of the value."""
        if isinstance(x.owner, tile.BorderOp) and x.owner.fill.value.data == fill:
            return x
        regions, x = self.regions, self._copied_view(x)
        extents = dict(enumerate(regions.kernel_extents))
        sides = [
            (e, size)
            for e, size in zip(
                regions.kernel_map(regions.maps[value]), regions.kernel_sizes(value), strict=True
            )
            if isinstance(e, Along) and (e.is_windowed or reaches_outside((e,), (size,), extents))
        ]
        along = [e for e, _ in sides]
        at, dims = [self.offsets[e.dim] for e in along], [e.dim for e in along]
        strides, pads, sizes = [e.stride for e in along], [e.pad for e in along], [size for _, size in sides]
        return self.builder.insert(tile.BorderOp(x, at, dims, strides, pads, sizes, fill)).result


def kernel_starts(regions: Regions, region: OperandMap, part: OperandMap) -> tuple[int, ...]:
    """Where tiles of `part` begin in those of `region`, for each kernel dimension."""
    starts = [0] * len(regions.kernel_extents)
    for whole, own in zip(regions.in_kernel(region), regions.in_kernel(part), strict=True):
        if isinstance(whole, Along) and isinstance(own, Along):
            starts[whole.dim] = whole.pad - own.pad
    return tuple(starts)


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
