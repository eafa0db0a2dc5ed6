"""Builds the `tile.kernel` of a group whose rows no tile holds in full: a `tile.stream` along them for each reading.

    %m0, %l0 = tile.vec "vdup"                              state of each row before its first part
    %m, %l = tile.stream from %m0, %l0 { … }                what the rows are computed of, and their state
    %r = tile.vec "vrec"(%l)                                once a row
    tile.stream from { … tile.store … }                     the rows again, and the results of each part

What the step does not divide is a second stream of one smaller part. Of rows that lie along several dimensions a stream
along one of them is in a stream along the one outside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import partial

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.element_types import name_of
from ....dialects.graph.row_computes import State
from ....dialects.records import dataclass
from ....dialects.tile import TileType
from ...regions.loads import Load
from ...regions.multipass_rows import Reading, follows, row_readings, row_rule
from ...regions.tiling import VectorTiling
from ...support.index_ops import index_constant
from ...support.values import DTYPES, held_type_of
from ..common.builder import GridWalk, KernelBuilder
from ..common.tile_emitter import OpEmitter, TileEmitter
from ..common.vector_body import Tiles, VectorBody, region_shape, repeated

Index = tuple[SSAValue, SSAValue]
"""Offset and size along a dimension."""


@dataclass
class _PartBody(VectorBody):
    """Where ops are emitted on a part of `rows`: row ops of what is `settled` of their rows."""

    settled: Mapping[Operation, State] = field(default_factory=dict[Operation, State])
    rows: Collection[int] = ()

    def computed(self, op: Operation) -> SSAValue:
        """A row op that gives numbers of rows reads nothing but their state."""
        if op not in self.settled:
            return super().computed(op)
        emitter, operands = self.builder_of(op), []
        if follows(self.regions, self.regions.maps[op.results[0]], self.rows):
            emitter, operands = self.operands(op)
        return self.types.stored(op, emitter, row_rule(op).finish(op, emitter, self.settled[op], operands))


class PartBuilder(KernelBuilder):
    """Builds one kernel whose rows are met part by part."""

    def parts(self, tiling: VectorTiling) -> tile.KernelOp:
        """The whole kernel."""
        regions, loads = self.regions, self.regions.loads
        self.tiling, self.plan = tiling, row_readings(regions)
        kernel = self.frame(list(loads), GridWalk.of_vector(tiling))
        block = kernel.body.block
        builder = Builder(InsertPoint.at_end(block))
        self.arguments = dict(zip(loads, block.args, strict=False))
        self.result = block.args[len(loads)]
        grid = block.args[len(loads) + 1 :]
        self.grid: dict[int, Index] = {d: (grid[d], grid[self.rank + d]) for d in range(self.rank)}
        self.cut = [d for d in self.plan.rows if tiling.part[d] < self.extents[d]]
        self.settled: dict[Operation, State] = {}
        self.shared: Tiles = {}
        """What is loaded or computed once for all parts."""
        for load in loads:
            if not follows(regions, load.maps, self.cut):
                self.shared[load.value, load.maps] = self._load(builder, load, self.grid, tiling.part)
        once = self._body(builder, self.shared, tiling.part)
        once.emit(self.plan.before)
        for reading in self.plan.readings:
            carried = self._walk(
                builder, self.cut, self.grid, tiling.part, self._start(builder, reading), reading
            )
            self._settle(builder, reading, carried)
            once.emit(reading.after)
        if not self.plan.stores:
            self._store(builder, self.shared, self.grid, tiling.part)
        return kernel

    def _body(self, builder: Builder, tiles: Tiles, sizes: tuple[int, ...]) -> _PartBody:
        return _PartBody(
            self.regions, self.target, builder, tiles, sizes, settled=self.settled, rows=self.plan.rows
        )

    def _load(
        self, builder: Builder, load: Load, at: Mapping[int, Index], sizes: tuple[int, ...]
    ) -> SSAValue:
        kind = TileType.get(region_shape(self.regions, load.maps, sizes), held_type_of(load.value), "ub")
        offsets, counts = ([at[d][which] for d in range(self.rank)] for which in (0, 1))
        maps = self.regions.kernel_map(load.maps)
        op = tile.LoadOp(self.arguments[load], offsets, counts, maps, kind, load.fill)
        return builder.insert(op).result

    def _start(self, builder: Builder, reading: Reading) -> list[SSAValue]:
        """The first state of each op that meets its rows, one after the other."""
        found: list[SSAValue] = []
        for op in reading.meets:
            shape = region_shape(self.regions, self.regions.operand_map(op, 0), self.tiling.part)
            one = [1 if d in self.plan.rows else n for d, n in enumerate(shape)]
            sums = "i32" if name_of(held_type_of(op.operands[0])) == "i32" else "f32"
            kind, parts = TileType.get(one, DTYPES[sums], "ub"), row_rule(op).parts
            assert parts is not None
            found += [builder.insert(tile.VecOp("vdup", [], kind, value)).result for value in parts.start]
        return found

    def _states(self, reading: Reading, carried: Sequence[SSAValue]) -> list[tuple[Operation, State]]:
        """What is carried, op by op."""
        found: list[tuple[Operation, State]] = []
        left = list(carried)
        for op in reading.meets:
            parts = row_rule(op).parts
            assert parts is not None
            found.append((op, tuple(left[: len(parts.start)])))
            del left[: len(parts.start)]
        return found

    def _walk(
        self,
        builder: Builder,
        dims: Sequence[int],
        at: Mapping[int, Index],
        sizes: tuple[int, ...],
        carried: Sequence[SSAValue],
        reading: Reading,
    ) -> Sequence[SSAValue]:
        """The parts along `dims`; what is carried after them."""
        if not dims:
            return self._part(builder, at, sizes, carried, reading)
        d, *rest = dims
        extent, step = self.extents[d], self.tiling.part[d]
        whole = extent // step * step
        for first, end, size in ((0, whole, step), (whole, extent, extent - whole)):
            if first < end:
                op = builder.insert(tile.StreamOp(carried, first, end, size))
                body = Builder(InsertPoint.at_end(op.body.block))
                offset, count = op.body.block.args[:2]
                part = (*sizes[:d], size, *sizes[d + 1 :])
                given = self._walk(body, rest, {**at, d: (offset, count)}, part, op.carried, reading)
                body.insert(tile.YieldOp(*given))
                carried = list(op.outputs)
        return carried

    def _part(
        self,
        builder: Builder,
        at: Mapping[int, Index],
        sizes: tuple[int, ...],
        carried: Sequence[SSAValue],
        reading: Reading,
    ) -> list[SSAValue]:
        """One part: the states that its row ops have after it, or its results."""
        tiles = dict(self.shared)
        body = self._body(builder, tiles, sizes)
        for load in self.regions.loads_of(reading.body, reading.meets):
            if (load.value, load.maps) not in tiles:
                tiles[load.value, load.maps] = self._load(builder, load, at, sizes)
        body.emit(reading.body)
        after: list[SSAValue] = []
        count = 1
        for d in self.plan.rows:
            count *= sizes[d]
        for op, state in self._states(reading, carried):
            emitter, operands = body.operands(op, count=1)
            after += row_rule(op).meet(op, emitter, count, state, operands)
        if not reading.meets:
            self._store(builder, tiles, at, sizes)
        return after

    def _settle(self, builder: Builder, reading: Reading, carried: Sequence[SSAValue]) -> None:
        """What results are computed of, once every part was met."""
        for op, state in self._states(reading, carried):
            self.settled[op] = row_rule(op).settle(op, self._emitter(builder, op), state)

    def _emitter(self, builder: Builder, op: Operation) -> OpEmitter:
        dim_of = partial(self.regions.kernel_dim, op)
        return OpEmitter(builder, self.target.vector, {}, self.tiling.part, dim_of)

    def _store(self, builder: Builder, tiles: Tiles, at: Mapping[int, Index], sizes: tuple[int, ...]) -> None:
        """Write the results, a reduced dimension's as its one element."""
        regions = self.regions
        value = TileEmitter(builder, self.target.vector).numbers(
            tiles[regions.result, regions.maps[regions.result]]
        )
        value = repeated(builder, value, regions.stored_dims, sizes)
        offsets, counts = ([at[d][which] for d in range(self.rank)] for which in (0, 1))
        for d, (stored, extent) in enumerate(zip(self.stored(), self.extents, strict=True)):
            if stored != extent:
                offsets[d], counts[d] = self._number(builder, 0), self._number(builder, 1)
        builder.insert(tile.StoreOp(value, self.result, offsets, counts))

    def _number(self, builder: Builder, value: int) -> SSAValue:
        return builder.insert(index_constant(value)).result


__all__ = ["PartBuilder"]
