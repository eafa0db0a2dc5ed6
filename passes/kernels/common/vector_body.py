"""The Vector ops of a fusion group on tiles, composed from their tiling rules: the body of a `tile.kernel`, or what
follows its product."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import TileType, tile_type
from ....dialects.tiling import Along, OperandMap, Unit, picked_dims, reaches_outside
from ...regions.regions import Regions
from ...regions.rule_interpreter import Key, RuleInterpreter
from ...support.values import iteration_of
from .tile_emitter import OpEmitter, TileEmitter

Tiles = dict[Key, SSAValue]
"""The tile of a value seen through a map of the group's space."""


def region_shape(regions: Regions, maps: OperandMap, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Shape, in kernel dimensions, of what `maps` needs for a tile; 1 where it repeats."""
    entries = regions.kernel_map(maps)
    along = {e.dim: e for e in entries if isinstance(e, Along)}
    picked = picked_dims(entries)
    return tuple(along[d].held(t) if d in along else t if d in picked else 1 for d, t in enumerate(tiles))


@dataclass
class VectorBody(RuleInterpreter):
    """Where ops of `regions` are emitted: on `tiles`, of result tiles of `sizes` that start at `offsets`."""

    regions: Regions
    target: Target
    builder: Builder
    tiles: Tiles
    sizes: tuple[int, ...]
    offsets: Sequence[SSAValue] = ()

    def builder_of(self, op: Operation) -> OpEmitter:
        """An emitter that knows the shape of the op's result."""
        regions, outer = self.regions, self.regions.maps[op.results[0]]
        shape = region_shape(regions, outer, self.sizes)
        emitter = OpEmitter(self.builder, self.target.vector, {}, shape, partial(regions.kernel_dim, op))
        emitter.through, emitter.slides = outer, regions.product is None
        emitter.offsets = self.offsets
        return emitter

    def reads(self, op: Operation, i: int, operand: SSAValue, builder: OpEmitter) -> None:
        """The emitter learns how the op's windows lie in `operand`."""
        iteration, outer = iteration_of(op), self.regions.maps[op.results[0]]
        builder.maps[operand] = _own_maps(self.regions, iteration.operands[i], outer, iteration.parallel)

    def stored(self, value: SSAValue) -> SSAValue:
        """The tile of `value` as it is stored."""
        return self.as_stored(self.tiles[value, self.regions.maps[value]])

    def repeated(self, x: SSAValue, dims: frozenset[int]) -> SSAValue:
        """By a copy; the columns of a product's step, past the kernel's dimensions, lack nothing."""
        lacking = frozenset(d for d in dims if d < len(self.sizes))
        return repeated(self.builder, x, lacking, self.sizes)

    def as_stored(self, x: SSAValue, viewed: bool = False) -> SSAValue:
        """A mask as numbers, a view of a larger tile copied."""
        return self._copied_view(TileEmitter(self.builder, self.target.vector).numbers(x))

    def _copied_view(self, x: SSAValue) -> SSAValue:
        """`x`, or a copy of it where it is a view of a larger tile."""
        if isinstance(x.owner, tile.WindowOp):
            return self.builder.insert(tile.VecOp("vcopy", [x], tile_type(x))).result
        return x

    def viewed(self, x: SSAValue, region: OperandMap, needed: OperandMap) -> SSAValue:
        """By a window."""
        if region == needed:
            return x
        starts = kernel_starts(self.regions, region, needed)
        most = region_shape(self.regions, needed, self.sizes)
        kind = tile_type(x)
        shape = tuple(map(min, kind.get_shape(), most))
        view = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
        return self.builder.insert(tile.WindowOp(x, starts, [1] * len(shape), view)).result

    def bordered(self, value: SSAValue, x: SSAValue, fill: float) -> SSAValue:
        """The border is filled once for all that want the same in it."""
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
