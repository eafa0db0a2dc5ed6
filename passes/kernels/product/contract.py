"""Builds the `tile.contract` of a kernel: the operands of one step of K, read or computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.element_types import SUMS, lanes_of
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along, Contraction, OperandMap, has_picked
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, Roles
from ...support.values import DTYPES, element_type_of, held_type_of, shape_of
from ..common.pack_weights import packed_blocks
from ..common.vector_body import Tiles, region_shape, repeated, vector_ops
from .group_offsets import group_channel, group_image, packed_column


@dataclass(frozen=True)
class Held:
    """A left operand in L1: the tile, and the rows and columns of the image at which it begins."""

    tile: SSAValue
    starts: tuple[SSAValue, SSAValue]


@dataclass
class ContractBuilder:
    """One product, and those beside it. `seen`: the tile of each dimension, columns of the lead included. `packed`:
    whether right operands are packed before the run; `before`: what the left operand is read or computed from;
    `arguments` and `right`: the block arguments that these and the right operands are; `offsets` and `sizes` of the
    tile."""

    builder: Builder
    regions: Regions
    target: Target
    tiling: ProductTiling
    seen: tuple[int, ...]
    roles: Roles
    contraction: Contraction
    packed: bool
    before: Sequence[Load]
    arguments: Mapping[Load, SSAValue]
    right: Sequence[SSAValue]
    offsets: list[SSAValue]
    sizes: list[SSAValue]
    blocked: frozenset[Load] = frozenset()
    """Those of `before` that are packed in blocks of 16 channels."""
    held: Held | None = None
    """Where the left operand is in L1."""
    feeds: bool = False
    """Whether another product of the kernel reads what this one gives, in whole blocks of channels."""
    indices: Mapping[Load, SSAValue] = field(default_factory=dict[Load, SSAValue])
    """The block argument of the indices that pick the rows of a load."""

    @cached_property
    def rank(self) -> int:
        """Dimensions of the kernel."""
        return len(self.regions.kernel_extents)

    def build(self, bias: SSAValue | None) -> SSAValue:
        """The product's accumulator; `bias`: the row that sums start from."""
        regions, tiling, roles, contraction = self.regions, self.tiling, self.roles, self.contraction
        seen, packed, offsets, sizes = self.seen, self.packed, self.offsets, self.sizes
        assert regions.product is not None
        lhs = regions.product.operands[contraction.lhs]
        spans = roles.spans(regions, seen)
        m_shape = [spans[d] for d in roles.m]
        m = 1
        for size in m_shape:
            m *= size
        window = contraction.window
        flat = None if window is None else [*window.kernel, *window.strides, *window.pads, *window.dilations]
        count = len(regions.products)
        wide = tuple(count * size if d == roles.n else size for d, size in enumerate(spans))
        sums = DTYPES[SUMS[str(element_type_of(lhs))]]
        result = TileType.get(wide, sums, "l0c", roles.order, roles.n)
        op = self.builder.insert(
            tile.ContractOp(
                result,
                m=m,
                n=-(-spans[roles.n] // 16) * 16 if self.feeds else count * spans[roles.n],
                k=roles.k,
                step=tiling.step,
                l0_k=tiling.l0_k,
                l0_n=tiling.l0_n or None,
                transpose_lhs=contraction.transpose_lhs,
                transpose_rhs=contraction.transpose_rhs and not packed,
                window=flat,
                m_shape=m_shape,
                stagger=tiling.stagger,
                resident=tiling.resident or None,
                rows=tiling.rows or None,
                keeps=tiling.keeps,
                unit_flag=tiling.unit_flag,
                stages=tiling.stages if tiling.stages > 2 else None,
                bias=bias,
            )
        )
        body = Builder(InsertPoint.at_end(op.body.block))
        at, size = op.body.block.args[:2]
        reduced = regions.extents[regions.rank :]
        k_offsets, k_sizes = [at], [size]
        if window is not None:
            taps = body.insert(
                arith.ConstantOp(IntegerAttr(window.kernel[0] * window.kernel[1], IndexType()))
            ).result
            zero = body.insert(arith.ConstantOp(IntegerAttr(0, IndexType()))).result
            extents = [body.insert(arith.ConstantOp(IntegerAttr(e, IndexType()))).result for e in reduced[1:]]
            k_offsets = [body.insert(arith.DivUIOp(at, taps)).result, zero, zero]
            k_sizes = [body.insert(arith.DivUIOp(size, taps)).result, *extents]
        operands: list[SSAValue] = []
        needed = [(regions.product, contraction.lhs), *((one, contraction.rhs) for one in regions.products)]
        for place, (product, index) in enumerate(needed):
            position = min(place, 1)
            element = element_type_of(product.operands[index])
            if position == 0 and regions.prologue:
                operands.append(self._prologue(body, lhs, *op.body.block.args[-2:]))
                continue
            load = load_of(regions, product, index)
            argument = self.right[place - 1] if position else self.arguments.get(load, self.right[0])
            first: list[SSAValue] = list(offsets)
            if position == 1 and packed:
                kind = TileType.get((tiling.step, spans[roles.n]), element, "l1", (0, 1), 1)
                columns = sizes[roles.n]
                if tiling.lead:
                    lead = body.insert(arith.ConstantOp(IntegerAttr(tiling.lead, IndexType()))).result
                    columns = body.insert(arith.AddiOp(columns, lead)).result
                operands.append(
                    body.insert(
                        tile.LoadOp(
                            argument,
                            [
                                self._packed_row(body, at, element),
                                packed_column(body, offsets[roles.n], tiling.tiles[roles.n], contraction),
                            ],
                            [size, columns],
                            (),
                            kind,
                            None,
                            "zn",
                        )
                    ).result
                )
                continue
            maps = regions.kernel_map(load.maps)
            if window is not None and position == 1:
                kind = TileType.get((tiling.step, spans[roles.n]), element, "l1", (0, 1), 1)
            elif window is not None:
                if contraction.groups > 1:
                    first[0] = group_image(
                        body, offsets, regions.kernel_extents[roles.n], roles.n, contraction
                    )
                step = tiling.step // (window.kernel[0] * window.kernel[1])
                shape = [e.span(self._along(e, tiling.tiles, step)) for e in maps if isinstance(e, Along)]
                kind = TileType.get(shape, element, "l1", range(4), 1)
                if self.held is not None:
                    found, starts, image = (
                        self.held.tile,
                        self.held.starts,
                        shape_of(product.operands[index])[2:],
                    )
                    at_all, of_all = [*first, *k_offsets], [*sizes, *k_sizes]
                    halo = tile.HaloOp(found, starts, at_all, of_all, maps, image, kind)
                    operands.append(body.insert(halo).result)
                    continue
            else:
                shape = [
                    e.span(self._along(e, seen, tiling.step)) if isinstance(e, Along) else 1 for e in maps
                ]
                last = len(shape) - 1
                kind = TileType.get(shape, element, "l1", (last, *self._rows_in_order(maps)), last)
            operands.append(
                body.insert(
                    tile.LoadOp(
                        argument,
                        [*first, *k_offsets],
                        [*sizes, *k_sizes],
                        maps,
                        kind,
                        load.fill,
                        lead=position == 1 and tiling.lead > 0,
                    )
                ).result
            )
        body.insert(tile.YieldOp(*operands))
        return op.result

    def _prologue(self, body: Builder, lhs: SSAValue, at: SSAValue, size: SSAValue) -> SSAValue:
        """The left operand of a step, or of so much of K as is resident, computed in UB and moved to L1. A convolution
        has one tap here. What is read has the channels of all groups. Tiles of rows that are picked, or folded, lie in
        rows, and their operand goes to blocks of columns as it is moved."""
        regions, tiling, element = self.regions, self.tiling, element_type_of(lhs)
        dims = regions.step_order
        window = self.contraction.window is not None
        c_dim, depth = self.rank, tiling.resident or tiling.step
        first, first_packed = self._channels(body, at, depth)
        offsets, sizes, tiles_of = [*self.offsets, first], [*self.sizes, size], list(tiling.tiles)
        if tiling.rows:
            row = self.roles.m[-1]
            offsets[row], sizes[row] = body.insert(arith.AddiOp(offsets[row], at)).result, size
            offsets[-1] = body.insert(arith.ConstantOp(IntegerAttr(0, IndexType()))).result
            sizes[-1] = body.insert(arith.ConstantOp(IntegerAttr(self.roles.k, IndexType()))).result
            tiles_of[row] = tiling.rows
        for extent in regions.extents[regions.rank + 1 :]:
            offsets.append(body.insert(arith.ConstantOp(IntegerAttr(0, IndexType()))).result)
            sizes.append(body.insert(arith.ConstantOp(IntegerAttr(extent, IndexType()))).result)
        folded = regions.folded_dims
        spans = (*tiles_of, *(depth if d == c_dim else 1 for d in range(c_dim, len(offsets))))
        spans = tuple(regions.tile_extents[d] if d in folded else n for d, n in enumerate(spans))
        shape = tuple(n if d in dims or d in folded else 1 for d, n in enumerate(spans))
        rest = tuple(d for d in range(len(spans)) if d not in dims and d not in folded)
        order = (*rest, *dims) if window else (*rest, c_dim, *(d for d in dims if d != c_dim))
        if regions.by_rows:
            order = (*rest, *self._rows_outside(), c_dim)
        tiles: Tiles = {}
        # rows and weights, which DMA puts as they lie, come first: a flag after the last load then covers them
        for load in sorted(self.before, key=lambda one: self._lacks_some(one, dims), reverse=True):
            argument, maps = self.arguments[load], regions.kernel_map(load.maps)
            kind = TileType.get(
                region_shape(regions, load.maps, shape), held_type_of(load.value), "ub", order, c_dim
            )
            form, where = None, offsets
            if load in self.blocked:
                maps, form = tuple(e for e in maps if isinstance(e, Along)), "blocks"
                where = [first_packed if d == c_dim else offset for d, offset in enumerate(offsets)]
            by = self.indices.get(load)
            loaded = body.insert(tile.LoadOp(argument, where, sizes, maps, kind, load.fill, form, indices=by))
            tiles[load.value, load.maps] = loaded.result
        ops = [op for op in regions.ops if op in regions.prologue]
        result = vector_ops(regions, self.target, body, tiles, shape, ops, lhs, offsets)
        if regions.by_rows:
            result = repeated(body, result, frozenset(dims), shape)
        operand = tuple(shape[d] for d in dims)
        if window:
            kind = TileType.get(operand, element, "l1", range(len(dims)), 1)
        else:
            last = len(dims) - 1
            kind = TileType.get(operand, element, "l1", (last, *range(last)), last)
        return body.insert(tile.MoveOp(result, dims, kind)).result

    def _rows_outside(self) -> tuple[int, ...]:
        """The dimensions of the left operand's rows, and those that are folded, in the order in which the first tensor
        with all of them has them; where indices pick them each comes by itself: whole tiles are folded then."""
        regions = self.regions
        rows = [d for d in regions.step_order if d != self.rank]
        for load in self.before:
            maps = regions.kernel_map(load.maps)
            along = [e.dim for e in maps if isinstance(e, Along) and e.dim != self.rank]
            if not has_picked(maps) and sorted(along) == sorted((*rows, *regions.folded_dims)):
                return tuple(along)
        return (*regions.folded_dims, *rows)

    def _packed_row(self, body: Builder, at: SSAValue, element: Attribute) -> SSAValue:
        """Where `at` of K is in packed right operands: those of a batch lie one behind the other, in whole fractals."""
        batch = self.roles.batch
        if self.contraction.window is not None or len(shape_of(self._right_operand())) == 2 or not batch:
            return at
        lanes = lanes_of(element)
        depth, row = -(-self.roles.k // lanes) * lanes, self.offsets[batch[0]]

        def times(value: SSAValue, factor: int) -> SSAValue:
            by = body.insert(arith.ConstantOp(IntegerAttr(factor, IndexType()))).result
            return body.insert(arith.MuliOp(value, by)).result

        for d in batch[1:]:
            row = body.insert(
                arith.AddiOp(times(row, self.regions.kernel_extents[d]), self.offsets[d])
            ).result
        return body.insert(arith.AddiOp(times(row, depth), at)).result

    def _right_operand(self) -> SSAValue:
        assert self.regions.product is not None
        return self.regions.product.operands[self.contraction.rhs]

    def _channels(self, body: Builder, at: SSAValue, depth: int) -> tuple[SSAValue, SSAValue]:
        """Where a step at `at` of K is among the channels of what the left operand is computed from, and among those of
        weights that were packed for steps of `depth`."""
        if self.contraction.groups == 1:
            return at, at
        regions, n = self.regions, self.roles.n
        channels, columns = regions.extents[regions.rank], regions.kernel_extents[n]
        plain, packed = (
            group_channel(body, self.offsets[n], columns, each, at, self.contraction)
            for each in (channels, packed_blocks(channels, depth) * BLOCK)
        )
        return plain, packed

    def _lacks_some(self, load: Load, dims: Sequence[int]) -> bool:
        """Whether a tensor does not follow all of `dims`."""
        maps = self.regions.kernel_map(load.maps)
        return not {e.dim for e in maps if isinstance(e, Along) and e.stride > 0} >= set(dims)

    def _rows_in_order(self, maps: OperandMap) -> list[int]:
        """The dimensions of an operand's rows, which may lie in GM in another order, as the product counts them."""
        order = [*self.roles.batch, *self.roles.m, self.roles.n]
        place = {d: i for i, d in enumerate(order)}
        dims = [e.dim if isinstance(e, Along) else -1 for e in maps[:-1]]
        return sorted(range(len(dims)), key=lambda i: place.get(dims[i], len(order) if dims[i] >= 0 else -1))

    def _along(self, entry: Along, tiles: tuple[int, ...], step: int) -> int:
        """Size along what `entry` follows: a tile of the kernel, or a step of K."""
        return tiles[entry.dim] if entry.dim < self.rank else step


def load_of(regions: Regions, product: Operation, index: int) -> Load:
    """The load of operand `index` of a product."""
    needed = regions.operand_map(product, index)
    if (product.operands[index], needed) in regions.addressed:
        return regions.addressed[product.operands[index], needed]
    return next(i for i in regions.loads if i.value is product.operands[index] and i.maps == needed)
