"""Builds the `tile.kernel` of one fusion group from its regions and a tiling: one without a product here, one around a
product in `kernels.product.build`.

The body is composed from the ops' tiling rules: every value of the group becomes one tile, loads appear where a
value comes from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import TileType, layout_of
from ....dialects.tiling import Along, OperandMap
from ...regions.gather import IndexTable, index_tables, loaded_type, lookup_of
from ...regions.kernel_layout import layout_in_kernel
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...support.index_ops import index_constant
from ...support.values import element_type_of, shape_of
from .pack_weights import OpT, pack_blocks
from .vector_body import Tiles, VectorBody, region_shape


@dataclass(frozen=True)
class GridWalk:
    """The tiles of a kernel and how cores take them, as `tile.kernel` says it."""

    tiles: tuple[int, ...]
    cores: int
    tails: str = "shift"
    swizzle: int = 1
    serial: int = 0
    inner: int | None = None
    spans: bool = False
    circular: tile.Circular | None = None

    def grid(self, extents: Sequence[int]) -> tile.Grid:
        """The grid of a kernel of these extents."""
        return tile.Grid(
            tuple(extents),
            tuple(self.tiles),
            tuple(map(tile.Tail, self.tails.split(","))),
            self.cores,
            self.swizzle,
            self.serial,
            self.inner,
            self.spans,
            self.circular,
        )

    @staticmethod
    def of_vector(tiling: VectorTiling) -> GridWalk:
        """Of a kernel without a product."""
        return GridWalk(tiling.tiles, tiling.cores, tiling.tails, serial=tiling.serial, spans=tiling.spans)


class KernelBuilder:
    """Builds one kernel in front of `anchor` (the group's last op)."""

    def __init__(
        self,
        name: str,
        regions: Regions,
        packable: frozenset[SSAValue],
        anchor: Operation,
        target: Target,
    ):
        self.name, self.regions, self.anchor, self.target = name, regions, anchor, target
        self.packable = packable
        self.outside = Builder(InsertPoint.before(anchor))
        self.extents = regions.kernel_extents or (1,)
        self.rank = len(self.extents)

    def before(self, op: OpT, /) -> OpT:
        """Insert an op in front of the anchor, at its place in the source."""
        op.location = self.anchor.location
        return self.outside.insert(op)

    def vector(self, tiling: VectorTiling) -> tile.KernelOp:
        """A kernel whose tiles are loaded, computed and stored in UB."""
        lanes = tiling.lanes
        columns = tiling.tiles[lanes]
        packed = {
            load: pack_blocks(self.before, self.regions, self.packable, load, lanes, columns)
            for load in self.regions.loads
        }
        tables = index_tables(self.regions)
        inputs = [*(packed[load] or load for load in self.regions.loads), *tables]
        kernel = self.frame(inputs, GridWalk.of_vector(tiling))
        block = kernel.body.block
        builder = Builder(InsertPoint.at_end(block))
        count = len(inputs)
        grid = block.args[count + 1 :]
        offsets: list[SSAValue] = list(grid[: self.rank])
        sizes: list[SSAValue] = list(grid[self.rank :])
        tiles: Tiles = {}
        held = dict(zip(tables, block.args[len(self.regions.loads) : count], strict=True))
        for load, argument in zip(self.regions.loads, block.args, strict=False):
            shape = region_shape(self.regions, load.maps, tiling.tiles)
            kind = TileType.get(shape, loaded_type(load, self.target), "ub", block=tiling.lanes)
            maps, form = self.regions.kernel_map(load.maps), None
            if packed[load] is not None:
                maps, form = tuple(e for e in maps if isinstance(e, Along)), "blocks"
            lookup = lookup_of(load, held, self.target)
            op = tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill, form, lookup=lookup)
            tiles[load.value, load.maps] = builder.insert(op).result
        body = VectorBody(self.regions, self.target, builder, tiles, tiling.tiles, offsets)
        body.emit(self.regions.computing)
        stored = list(body.results())
        for d, (held, extent) in enumerate(zip(self.stored(), self.extents, strict=True)):
            if held != extent:  # reduced: its one element
                offsets[d] = builder.insert(index_constant(0)).result
                sizes[d] = builder.insert(index_constant(1)).result
        for result, origin in stored:
            if tiling.apart and isinstance(result.owner, tile.VecOp):
                result.owner.apart = UnitAttr()
            builder.insert(tile.StoreOp(result, block.args[count], offsets, sizes, origin=origin))
        return kernel

    def stored(self) -> tuple[int, ...]:
        """The result's shape in the kernel's dimensions."""
        return self.regions.result_shape or (1,)

    def _written(self) -> tuple[int, ...]:
        """The shape of the tensor that stores write to, in the kernel's dimensions."""
        return self.regions.kernel_sizes(self.regions.result) if self.regions.parts else self.stored()

    def frame(
        self, inputs: Sequence[Load | SSAValue | IndexTable], walk: GridWalk, groups: int = 1
    ) -> tile.KernelOp:
        """The kernel without its body, for tensors that loads or index tables need, or that were packed before it.
        The first of them has the channels of `groups` of a convolution, which the kernel sees as images."""
        regions = self.regions
        types: list[Attribute] = []
        for value in inputs:
            if isinstance(value, Load):
                types.append(self._seen(value.value, value.maps, regions.kernel_shape(value)))
            elif isinstance(value, IndexTable):
                types.append(TensorType(element_type_of(value.value), value.shape))
            else:
                shape = shape_of(value)
                types.append(TensorType(element_type_of(value), (prod(shape[:-3]), *shape[-3:])))
        if groups > 1:
            first = cast(TensorType[Attribute], types[0])
            n, c, *image = first.get_shape()
            types[0] = TensorType(first.element_type, (n * groups, c // groups, *image))
        values = [value.value if isinstance(value, Load | IndexTable) else value for value in inputs]
        return self.kernel(values, types, walk)

    def kernel(self, inputs: Sequence[SSAValue], types: Sequence[Attribute], walk: GridWalk) -> tile.KernelOp:
        """The kernel without its body; `types` are those of `inputs` as it sees them."""
        regions = self.regions
        result = regions.result
        kernel = tile.KernelOp(
            self.name,
            inputs,
            [*types, self._seen(result, regions.maps[result], self._written())],
            [result.type],
            walk.grid(self.extents),
            [op.name for op in regions.ops],
        )
        return self.before(kernel)

    def _seen(self, value: SSAValue, maps: OperandMap, shape: Sequence[int]) -> TensorType[Attribute]:
        """The type under which the kernel sees a tensor with this map."""
        return seen_type(self.regions, value, maps, shape)


def seen_type(
    regions: Regions, value: SSAValue, maps: OperandMap, shape: Sequence[int]
) -> TensorType[Attribute]:
    """The type under which a kernel of `regions` sees a tensor with this map."""
    layout = layout_of(value.type)
    if layout is None:
        return TensorType(element_type_of(value), shape)
    seen = layout_in_kernel(regions, value, maps, layout)
    assert seen is not None, "kernels see the blocks of a tensor"
    return TensorType(element_type_of(value), shape, seen)
