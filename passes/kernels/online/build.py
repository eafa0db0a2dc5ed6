"""Builds the `tile.kernel` of a product that takes its left operand part by part: a `tile.stream` along its K.

    %s = tile.contract {…}                               rows of this part: the inner product's, or loaded
    %x = tile.extract %s …                               element-wise ops between
    %m1, %l1, %p, %c                                     the row op's state, weights of this part, correction
    %a = tile.move %p                                    the left operand
    %o = tile.contract { … tile.yield %a, %b }
    %sum1 = %sum * %c + %o                               in UB, in f32

K that the step does not divide is a second stream of one smaller part. After it the sum is multiplied by the row op's
factor, and the epilogue follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from xdsl.builder import Builder
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.graph.rules import RowWise
from ....dialects.records import dataclass
from ....dialects.tile import TileType, tile_type
from ....dialects.tiling import Along, OperandMap
from ...regions.compute_type import ComputeTypes
from ...regions.loads import Load
from ...regions.online import Stream
from ...regions.regions import Regions
from ...regions.tiling import OnlineTiling, product_roles
from ...support.index_ops import index_constant
from ...support.values import DTYPES, element_type_of, held_type_of, rule_of
from ..common.builder import GridWalk, KernelBuilder
from ..common.tile_emitter import OpEmitter, TileEmitter
from ..common.vector_body import Tiles, VectorBody, region_shape
from ..product.contract import load_of

F32 = DTYPES["f32"]


@dataclass(frozen=True)
class OnlineParts:
    """What of a group is where: ops between the inner product and the row op, ops after the product."""

    stream: Stream
    product: Operation
    middle: tuple[Operation, ...]
    after: tuple[Operation, ...]

    @property
    def rows(self) -> SSAValue:
        """What the row op, or the product, takes part by part."""
        return self.product.operands[0] if self.stream.online is None else self.stream.online.operands[0]


def online_parts(regions: Regions) -> OnlineParts:
    assert regions.stream is not None and regions.product is not None
    stream = regions.stream
    done = (stream.online, *stream.products)
    middle = tuple(op for op in regions.ops if op in regions.prologue and op not in done)
    after = tuple(op for op in regions.ops if op not in regions.prologue and op is not regions.product)
    return OnlineParts(stream, regions.product, middle, after)


def rows_read(regions: Regions, parts: OnlineParts) -> list[Load]:
    """What the element-wise ops before the row op read, and the rows themselves where they are read; of a product that
    is its own row op these alone."""
    online = parts.stream.online
    if online is parts.product:
        return regions.loads_of(parts.middle, [parts.product])
    return regions.loads_of([*parts.middle, *([] if online is None else [online])])


class OnlineBuilder(KernelBuilder):
    """Builds one kernel around a streamed product."""

    def stream(self, tiling: OnlineTiling) -> tile.KernelOp:
        """The whole kernel."""
        regions = self.regions
        self.tiling, self.parts, self.roles = tiling, online_parts(regions), product_roles(regions)
        self._narrow()
        loads = regions.loads
        kernel = self.frame(list(loads), GridWalk(self.tiling.tiles, tiling.cores, serial=tiling.serial))
        block = kernel.body.block
        self.builder = Builder(InsertPoint.at_end(block))
        self.arguments: dict[tuple[SSAValue, OperandMap], SSAValue] = {
            (load.value, load.maps): argument
            for load, argument in zip(loads, block.args[: len(loads)], strict=True)
        }
        grid = block.args[len(loads) + 1 :]
        self.offsets: list[SSAValue] = list(grid[: self.rank])
        self.sizes: list[SSAValue] = list(grid[self.rank :])
        self.depth = self.rank
        """The dimension of tiles that is streamed."""
        self.left = self._inner_rows()
        self.shared: Tiles = {}
        self._load_rows()
        carried = self._start()
        depth, step = self.roles.k, tiling.step
        whole = depth // step * step
        if whole:
            carried = self._stream(carried, 0, whole, step)
        if whole < depth:
            carried = self._stream(carried, whole, depth, depth - whole)
        self._finish(carried, block.args[len(loads)])
        return kernel

    # Tiles

    def _narrow(self) -> None:
        """Where the result has other columns than the product: the kernel walks those of the product."""

    def _index(self, builder: Builder, value: int) -> SSAValue:
        return builder.insert(index_constant(value)).result

    def _spans(self, step: int) -> tuple[int, ...]:
        """Sizes of the kernel's dimensions as the rows see them, and of the part."""
        dims = self.regions.step_order
        return tuple(t if d in dims else 1 for d, t in enumerate((*self.tiling.tiles, step)))

    @property
    def _order(self) -> tuple[int, ...]:
        """Of tiles of rows: blocks of the streamed dimension before the rows."""
        roles = self.roles
        return (*roles.batch, roles.n, self.depth, *roles.m)

    def _row_type(self, shape: Sequence[int], element: Attribute, space: str = "ub") -> TileType:
        return TileType.get(shape, element, space, self._order, self.depth)

    def _sum_type(self, element: Attribute, space: str = "ub") -> TileType:
        shape = self.roles.spans(self.regions, self.tiling.tiles)
        return TileType.get(shape, element, space, self.roles.order, self.roles.n)

    def _operand(
        self, builder: Builder, load: Load, offsets: Sequence[SSAValue], sizes: Sequence[SSAValue], step: int
    ) -> SSAValue:
        """An operand of a product, read from GM to L1."""
        maps = self.regions.kernel_map(load.maps)
        inner = self.regions.extents[self.regions.rank + 1 :]
        spans = (*self.tiling.tiles, step, *inner)
        shape = [e.span(spans[e.dim]) if isinstance(e, Along) else 1 for e in maps]
        last = len(shape) - 1
        kind = TileType.get(shape, element_type_of(load.value), "l1", (last, *range(last)), last)
        argument = self.arguments[load.value, load.maps]
        return builder.insert(tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill)).result

    def _inner_rows(self) -> SSAValue | None:
        """Rows of the inner product's left operand, which all parts share."""
        inner = self.parts.stream.inner
        if inner is None:
            return None
        load = load_of(self.regions, inner, rule_of(inner).contraction(inner).lhs)
        zero, one = self._index(self.builder, 0), self._index(self.builder, 1)
        k = self._index(self.builder, self.regions.extents[-1])
        return self._operand(
            self.builder, load, [*self.offsets, zero, zero], [*self.sizes, one, k], self.tiling.step
        )

    def _loads_between(self) -> list[Load]:
        """What the element-wise ops before the row op read, and the rows themselves where they are read."""
        return rows_read(self.regions, self.parts)

    def _follows(self, load: Load) -> bool:
        """Whether a tensor varies along the streamed dimension."""
        maps = self.regions.kernel_map(load.maps)
        return any(isinstance(e, Along) and e.dim == self.depth for e in maps)

    def _load(
        self,
        builder: Builder,
        load: Load,
        shape: tuple[int, ...],
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
    ) -> SSAValue:
        kind = self._row_type(region_shape(self.regions, load.maps, shape), held_type_of(load.value))
        maps, argument = self.regions.kernel_map(load.maps), self.arguments[load.value, load.maps]
        return builder.insert(tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill)).result

    def _load_rows(self) -> None:
        """What all parts of the rows share is loaded before them."""
        for load in self._loads_between():
            if not self._follows(load):
                zero, one = self._index(self.builder, 0), self._index(self.builder, 1)
                shape = self._spans(1)
                self.shared[load.value, load.maps] = self._load(
                    self.builder, load, shape, [*self.offsets, zero], [*self.sizes, one]
                )

    def _start(self) -> list[SSAValue]:
        """The row op's first state, and a sum of zero."""
        online = self.parts.stream.online
        kinds = [(self._sum_type(F32), 0.0)]
        if online is not None:
            rule = cast(RowWise, rule_of(online))
            assert rule.online is not None
            row = self._row_type(self._spans(1), F32)
            kinds = [*((row, value) for value in rule.online.start), *kinds]
        return [self.builder.insert(tile.VecOp("vdup", [], kind, value)).result for kind, value in kinds]

    # One part

    def _stream(self, initial: Sequence[SSAValue], first: int, end: int, step: int) -> list[SSAValue]:
        """The parts from `first` to `end`; what is carried after them."""
        op = self.builder.insert(tile.StreamOp(initial, first, end, step))
        body = Builder(InsertPoint.at_end(op.body.block))
        *state, total = op.carried
        x = self._rows(body, op.body.block, step)
        online, emitter = self.parts.stream.online, self._emitter(body, step)
        correction = None
        if online is not None:
            rule = cast(RowWise, rule_of(online))
            types = ComputeTypes(self.target.vector)
            updated, x, correction = rule.update(
                online, emitter, tuple(state), [types.operand(online, emitter, x)]
            )
            state = list(updated)
        element = element_type_of(self.parts.product.operands[0])
        if tile_type(x).element_type != element:
            x = emitter.cast(x, str(element))
        added = self._product(body, op.body.block, x, step)
        if correction is not None:
            total = emitter.mul(total, self._squeezed(body, correction))
        body.insert(tile.YieldOp(*state, emitter.add(total, added)))
        return list(op.outputs)

    def _emitter(self, builder: Builder, step: int) -> OpEmitter:
        online = self.parts.stream.online
        op = self.parts.product if online is None else online
        dim_of = partial(self.regions.kernel_dim, op)
        return OpEmitter(builder, self.target.vector, {}, self._spans(step), dim_of)

    def _rows(self, body: Builder, block: Block, step: int) -> SSAValue:
        """What the row op takes of this part, in UB."""
        regions, parts, shape = self.regions, self.parts, self._spans(step)
        at, size = block.args[:2]
        tiles: Tiles = dict(self.shared)
        for product, given in zip(parts.stream.products, self._inner(body, at, size, step), strict=True):
            result = product.results[0]
            tiles[result, regions.maps[result]] = given
        for load in self._loads_between():
            key = load.value, load.maps
            if key not in tiles:
                tiles[key] = self._load(body, load, shape, [*self.offsets, at], [*self.sizes, size])
        value = parts.rows
        if parts.middle:
            between = VectorBody(regions, self.target, body, tiles, shape, [*self.offsets, at])
            between.emit(parts.middle)
            return between.stored(value)
        maps = regions.maps.get(value)
        if maps is None:
            assert parts.stream.online is not None
            maps = regions.operand_map(parts.stream.online, 0)
        return tiles[value, maps]

    def _inner(self, body: Builder, at: SSAValue, size: SSAValue, step: int) -> list[SSAValue]:
        """This part of the products that give the rows, in UB."""
        regions, inner = self.regions, self.parts.stream.inner
        if inner is None:
            return []
        assert self.left is not None
        contraction, shape = rule_of(inner).contraction(inner), self._spans(step)
        products = self.parts.stream.products
        wide = (*shape[: self.depth], len(products) * shape[self.depth], *shape[self.depth + 1 :])
        depth = regions.extents[-1]
        op = body.insert(
            tile.ContractOp(
                self._row_type(wide, F32, "l0c"),
                tile.ProductSchedule(
                    m_shape=tuple(shape[d] for d in self.roles.m),
                    n=len(products) * step,
                    k=depth,
                    step=depth,
                    l0_k=self.tiling.l0_k[1],
                    transpose_rhs=contraction.transpose_rhs,
                ),
            )
        )
        inside = Builder(InsertPoint.at_end(op.body.block))
        k_at, k_size = op.body.block.args
        right: list[SSAValue] = []
        for product in products:
            load = load_of(regions, product, contraction.rhs)
            offsets, sizes = [*self.offsets, at, k_at], [*self.sizes, size, k_size]
            right.append(self._operand(inside, load, offsets, sizes, step))
        inside.insert(tile.YieldOp(self.left, *right))
        element = element_type_of(inner.results[0])
        given = self._extracted(body, op.result, self._row_type(wide, element))
        if len(products) == 1:
            return [given]
        kind = self._row_type(shape, element)
        firsts = [self._index(body, i * step) for i in range(len(products))]
        return [body.insert(tile.ExtractOp(given, at, self.depth, kind)).result for at in firsts]

    def _product(self, body: Builder, block: Block, left: SSAValue, step: int) -> SSAValue:
        """What this part adds to the sum, in UB."""
        regions, product, roles = self.regions, self.parts.product, self.roles
        contraction, dims = rule_of(product).contraction(product), regions.step_order
        shape, last = self._spans(step), len(dims) - 1
        kind = TileType.get(
            [shape[d] for d in dims], tile_type(left).element_type, "l1", (last, *range(last)), last
        )
        moved = body.insert(tile.MoveOp(left, dims, kind)).result
        result = self._sum_type(F32, "l0c")
        spans = result.get_shape()
        op = body.insert(
            tile.ContractOp(
                result,
                tile.ProductSchedule(
                    m_shape=tuple(spans[d] for d in roles.m),
                    n=spans[roles.n],
                    k=step,
                    step=step,
                    l0_k=min(self.tiling.l0_k[0], step),
                    transpose_rhs=contraction.transpose_rhs,
                ),
            )
        )
        inside = Builder(InsertPoint.at_end(op.body.block))
        at, size = block.args[:2]
        load = load_of(regions, product, contraction.rhs)
        inner = self.regions.extents[self.regions.rank + 1 :]
        zero = [self._index(inside, 0) for _ in inner]
        right = self._operand(inside, load, [*self.offsets, at, *zero], [*self.sizes, size, *zero], step)
        inside.insert(tile.YieldOp(moved, right))
        return self._extracted(body, op.result, self._sum_type(F32))

    def _extracted(self, body: Builder, acc: SSAValue, kind: TileType) -> SSAValue:
        zero = self._index(body, 0)
        return body.insert(tile.ExtractOp(acc, zero, self.roles.m[-1], kind)).result

    def _squeezed(self, builder: Builder, row: SSAValue) -> SSAValue:
        """A number a row, as tiles of the product see it."""
        dims = tuple(range(self.rank))
        shape = tile_type(row).get_shape()[: self.rank]
        kind = TileType.get(shape, tile_type(row).element_type, "ub", self.roles.order, self.roles.n)
        return builder.insert(tile.SqueezeOp(row, dims, kind)).result

    # After the last part

    def _finish(self, carried: Sequence[SSAValue], result: SSAValue) -> None:
        """The sum times the row op's factor, the epilogue, the store."""
        regions, parts, builder = self.regions, self.parts, self.builder
        *state, total = carried
        emitter: TileEmitter = self._emitter(builder, 1)
        if parts.stream.online is not None:
            rule = cast(RowWise, rule_of(parts.stream.online))
            factor = rule.factor(parts.stream.online, emitter, tuple(state))
            total = emitter.mul(total, self._squeezed(builder, factor))
        value = parts.product.results[0]
        element = element_type_of(value)
        if element != F32:
            total = emitter.cast(total, str(element))
        tiles: Tiles = {(value, regions.maps[value]): total}
        for load in regions.loads_of(parts.after):
            shape = region_shape(regions, load.maps, self.tiling.tiles)
            kind = TileType.get(shape, held_type_of(load.value), "ub", self.roles.order, self.roles.n)
            maps, argument = regions.kernel_map(load.maps), self.arguments[load.value, load.maps]
            loaded = builder.insert(tile.LoadOp(argument, self.offsets, self.sizes, maps, kind, load.fill))
            tiles[load.value, load.maps] = loaded.result
        body = VectorBody(regions, self.target, builder, tiles, self.tiling.tiles, self.offsets)
        body.emit(parts.after)
        builder.insert(tile.StoreOp(body.stored(regions.result), result, self.offsets, self.sizes))
