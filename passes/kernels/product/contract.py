"""Builds the `tile.contract` of a kernel: the operands of one step of K, read or computed."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.element_types import SUMS, lanes_of, name_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along, Contraction, OperandMap, has_picked
from ...regions.gather import loaded_type
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, Roles
from ...support.values import DTYPES, element_type_of, shape_of
from ..common.pack_weights import packed_blocks
from ..common.vector_body import Tiles, VectorBody, region_shape, repeated
from .group_offsets import group_channel, group_image, number, packed_column


@dataclass(frozen=True)
class Held:
    """A left operand in L1: the tile, and the rows and columns of the image at which it begins."""

    tile: SSAValue
    starts: tuple[SSAValue, SSAValue]


@dataclass(frozen=True)
class Step:
    """A step of K: where it begins, and its size; then both in the dimensions of K, which a convolution has three of:
    channels, rows and columns of the window."""

    at: SSAValue
    size: SSAValue
    offsets: tuple[SSAValue, ...]
    sizes: tuple[SSAValue, ...]


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
    lookups: Mapping[Load, tile.Lookup] = field(default_factory=dict[Load, tile.Lookup])
    """What picks the rows of a load."""

    @cached_property
    def rank(self) -> int:
        """Dimensions of the kernel."""
        return len(self.regions.kernel_extents)

    @cached_property
    def _spans(self) -> tuple[int, ...]:
        """Size of a tile of the result along each dimension, columns of the lead included."""
        return tuple(self.roles.spans(self.regions, self.seen))

    @cached_property
    def _product(self) -> Operation:
        """The product, or the first of several."""
        assert self.regions.product is not None
        return self.regions.product

    def build(self, bias: SSAValue | None) -> SSAValue:
        """The product's accumulator; `bias`: the row that sums start from."""
        op = self.builder.insert(self._contract_op(bias))
        body, arguments = Builder(InsertPoint.at_end(op.body.block)), op.body.block.args
        step = self._step(body, *arguments[:2])
        if self.regions.prologue:
            left = self._prologue(body, self._left_operand(), *arguments[-2:])
        else:
            left = self._left(body, step)
        products = zip(self.regions.products, self.right, strict=True)
        right = [self._right(body, step, product, argument) for product, argument in products]
        body.insert(tile.YieldOp(left, *right))
        return op.result

    def _contract_op(self, bias: SSAValue | None) -> tile.ContractOp:
        """The product without its body; columns of several products lie side by side in its accumulator."""
        tiling, roles, spans = self.tiling, self.roles, self._spans
        m_shape, count = tuple(spans[d] for d in roles.m), len(self.regions.products)
        wide = tuple(count * size if d == roles.n else size for d, size in enumerate(spans))
        sums = DTYPES[SUMS[name_of(element_type_of(self._left_operand()))]]
        return tile.ContractOp(
            TileType.get(wide, sums, "l0c", roles.order, roles.n),
            tile.ProductSchedule(
                m_shape=m_shape,
                n=-(-spans[roles.n] // 16) * 16 if self.feeds else count * spans[roles.n],
                k=roles.k,
                step=tiling.step,
                l0_k=tiling.l0_k,
                l0_n=tiling.l0_n or None,
                transpose_lhs=self.contraction.transpose_lhs,
                transpose_rhs=self.contraction.transpose_rhs and not self.packed,
                stagger=None if tiling.stagger is None else tile.Stagger(*tiling.stagger),
                resident=tiling.resident or None,
                rows=tiling.rows or None,
                keeps=tiling.keeps,
                unit_flag=tiling.unit_flag,
                stages=tiling.stages if tiling.stages > 2 else None,
                parts=None if roles.sums is None else tile.Parts(*roles.sums),
            ),
            self.contraction.window,
            bias,
        )

    def _step(self, body: Builder, at: SSAValue, size: SSAValue) -> Step:
        """The step of `size` at `at` of K. That of a convolution has whole channels, with all taps of each."""
        window = self.contraction.window
        if window is None:
            return Step(at, size, (at,), (size,))
        taps, zero = number(body, window.kernel[0] * window.kernel[1]), number(body, 0)
        extents = [number(body, extent) for extent in self.regions.extents[self.regions.rank + 1 :]]
        channel = body.insert(arith.DivUIOp(at, taps)).result
        channels = body.insert(arith.DivUIOp(size, taps)).result
        return Step(at, size, (channel, zero, zero), (channels, *extents))

    def _left(self, body: Builder, step: Step) -> SSAValue:
        """The left operand of a step, read as it is, or the part of it that a step needs where it is in L1."""
        load = load_of(self.regions, self._product, self.contraction.lhs)
        if self.contraction.window is None:
            return self._load_matrix(body, step, load, self.arguments[load])
        offsets = list(self.offsets)
        if self.contraction.groups > 1:
            n = self.roles.n
            columns = self.regions.kernel_extents[n]
            offsets[0] = group_image(body, offsets, columns, n, self.contraction)
        at, size = [*offsets, *step.offsets], [*self.sizes, *step.sizes]
        maps, kind = self.regions.kernel_map(load.maps), self._image_type(load)
        if self.held is None:
            op = tile.LoadOp(self.arguments[load], at, size, maps, kind, load.fill)
        else:
            image = shape_of(self._left_operand())[2:]
            op = tile.HaloOp(self.held.tile, self.held.starts, at, size, maps, image, kind)
        return body.insert(op).result

    def _right(self, body: Builder, step: Step, product: Operation, argument: SSAValue) -> SSAValue:
        """The right operand of a step of one of the products: packed weights, filters, or a matrix."""
        load = load_of(self.regions, product, self.contraction.rhs)
        if not self.packed and self.contraction.window is None:
            return self._load_matrix(body, step, load, argument, lead=self.tiling.lead > 0)
        element = element_type_of(load.value)
        kind = TileType.get((self.tiling.step, self._spans[self.roles.n]), element, "l1", (0, 1), 1)
        if self.packed:
            return self._load_packed(body, step, argument, kind)
        maps = self.regions.kernel_map(load.maps)
        at, size = [*self.offsets, *step.offsets], [*self.sizes, *step.sizes]
        lead = self.tiling.lead > 0
        return body.insert(tile.LoadOp(argument, at, size, maps, kind, load.fill, lead=lead)).result

    def _load_packed(self, body: Builder, step: Step, argument: SSAValue, kind: TileType) -> SSAValue:
        """A step of a right operand that is packed before the run, the columns of the lead among those of the tile."""
        n = self.roles.n
        columns = self.sizes[n]
        if self.tiling.lead:
            columns = body.insert(arith.AddiOp(columns, number(body, self.tiling.lead))).result
        row = self._packed_row(body, step.at, kind.element_type)
        column = packed_column(body, self.offsets[n], self.tiling.tiles[n], self.contraction)
        load = tile.LoadOp(argument, [row, column], [step.size, columns], (), kind, None, "zn")
        return body.insert(load).result

    def _load_matrix(
        self, body: Builder, step: Step, load: Load, argument: SSAValue, lead: bool = False
    ) -> SSAValue:
        """A step of an operand that is a matrix, or one of a batch of them, in blocks of its last dimension."""
        maps = self.regions.kernel_map(load.maps)
        last = len(maps) - 1
        shape = [
            e.span(self._along(e, self.seen, self.tiling.step)) if isinstance(e, Along) else 1 for e in maps
        ]
        element = element_type_of(load.value)
        kind = TileType.get(shape, element, "l1", (last, *self._rows_in_order(maps)), last)
        at, size = [*self.offsets, *step.offsets], [*self.sizes, *step.sizes]
        return body.insert(tile.LoadOp(argument, at, size, maps, kind, load.fill, lead=lead)).result

    def _image_type(self, load: Load) -> TileType:
        """What a step of a convolution sees of its images: whole channels, and the halo around the tile."""
        window = self.contraction.window
        assert window is not None
        channels = self.tiling.step // (window.kernel[0] * window.kernel[1])
        maps = self.regions.kernel_map(load.maps)
        shape = [e.span(self._along(e, self.tiling.tiles, channels)) for e in maps if isinstance(e, Along)]
        return TileType.get(shape, element_type_of(load.value), "l1", range(4), 1)

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
            offsets[-1] = number(body, 0)
            sizes[-1] = number(body, self.roles.k)
            tiles_of[row] = tiling.rows
        for extent in regions.extents[regions.rank + 1 :]:
            offsets.append(number(body, 0))
            sizes.append(number(body, extent))
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
            element_held = loaded_type(load, self.target)
            kind = TileType.get(region_shape(regions, load.maps, shape), element_held, "ub", order, c_dim)
            form, where = None, offsets
            if load in self.blocked:
                maps, form = tuple(e for e in maps if isinstance(e, Along)), "blocks"
                where = [first_packed if d == c_dim else offset for d, offset in enumerate(offsets)]
            lookup = self.lookups.get(load)
            op = tile.LoadOp(argument, where, sizes, maps, kind, load.fill, form, lookup=lookup)
            tiles[load.value, load.maps] = body.insert(op).result
        computing = VectorBody(regions, self.target, body, tiles, shape, offsets)
        computing.emit([op for op in regions.ops if op in regions.prologue])
        result = computing.stored(lhs)
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
            return body.insert(arith.MuliOp(value, number(body, factor))).result

        for d in batch[1:]:
            row = body.insert(
                arith.AddiOp(times(row, self.regions.kernel_extents[d]), self.offsets[d])
            ).result
        return body.insert(arith.AddiOp(times(row, depth), at)).result

    def _left_operand(self) -> SSAValue:
        return self._product.operands[self.contraction.lhs]

    def _right_operand(self) -> SSAValue:
        return self._product.operands[self.contraction.rhs]

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
