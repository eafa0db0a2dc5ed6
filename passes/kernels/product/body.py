"""A product in the body of a `tile.kernel`: the `tile.contract`, then what follows it, chunk by chunk of the
accumulator, up to a store or to a tile in L1 that another product reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.target_types import Target
from ....dialects.tile import TileType
from ....dialects.tiling import Along, Contraction, OperandMap
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, Roles, product_roles
from ...support.values import DTYPES, element_type_of, held_type_of, rule_of
from ..common.vector_body import Tiles, region_shape, vector_ops
from .contract import ContractBuilder, Held, load_of
from .fixpipe_epilogue import Drain, drain_of

Finish = Callable[[Builder, SSAValue, list[SSAValue], list[SSAValue]], None]
"""Takes what a chunk becomes, and its offsets and sizes."""


@dataclass
class ProductBody:
    """The product of `regions` for a tile at `offsets` of `sizes`. `arguments`: the block
    argument of each load of the epilogue, `left` of what the left operand is read or computed from, of which `blocked`
    are packed in blocks of 16 channels; `right` those of the right operands, which are packed before the run with
    `packed`. `held`: where the left operand is in L1 instead."""

    builder: Builder
    regions: Regions
    target: Target
    tiling: ProductTiling
    arguments: Mapping[Load, SSAValue]
    left: Mapping[Load, SSAValue]
    right: Sequence[SSAValue]
    packed: bool
    offsets: list[SSAValue]
    sizes: list[SSAValue]
    blocked: frozenset[Load] = frozenset()
    held: Held | None = None
    indices: Mapping[Load, SSAValue] = field(default_factory=dict[Load, SSAValue])
    """The block argument of the indices that pick the rows of a load in `left`."""

    @cached_property
    def roles(self) -> Roles:
        return product_roles(self.regions)

    @cached_property
    def contraction(self) -> Contraction:
        return contraction_of(self.regions)

    @cached_property
    def seen(self) -> tuple[int, ...]:
        """The tile of each dimension, columns of the lead included."""
        lead, n = self.tiling.lead, self.roles.n
        return tuple(t + lead if d == n else t for d, t in enumerate(self.tiling.tiles))

    @cached_property
    def drain(self) -> Drain | None:
        return drain_of(self.regions, self.target) if self.tiling.drain else None

    def emit(self, finish: Finish, kept: TileType | None = None) -> SSAValue | None:
        """The product and its chunks; with `kept` the tile in L1 that they are together, of which `finish` yields
        each."""
        regions, tiling, roles, seen, drain = self.regions, self.tiling, self.roles, self.seen, self.drain
        builder, offsets, sizes = self.builder, self.offsets, self.sizes
        vectors = {} if drain is None else drain.rows
        others = loads_after(regions, self.contraction)
        tables: dict[str, SSAValue] = {}
        for space, row in vectors.items():
            kind = self._table(row, space)
            maps = regions.kernel_map(row.maps)
            tables[space] = builder.insert(
                tile.LoadOp(self.arguments[row], offsets, sizes, maps, kind)
            ).result
        acc = ContractBuilder(
            builder, regions, self.target, tiling, seen, roles, self.contraction, self.packed, tuple(self.left),
            self.left, self.right, offsets, sizes, self.blocked, self.held, kept is not None, self.indices,
        ).build(tables.get("bt"))  # fmt: skip
        order, block_dim = roles.order, roles.n
        tiles: Tiles = {}
        late: list[Load] = []
        for load in others:
            if load in vectors.values():
                continue
            if roles.chunk_dim in _dims_of(regions.kernel_map(load.maps)) and not self._per_column(load):
                late.append(load)
                continue
            tiles[load.value, load.maps] = self._load(builder, load, seen, offsets, sizes)
        span = roles.spans(regions, tiling.tiles)[roles.chunk_dim]
        step, padded = tiling.chunk, span
        rows = any(roles.n in regions.kernel_rows(op) for op in regions.rows)
        if roles.chunk_dim == roles.n and rows:  # what is behind the columns is no part of a row
            step = span
        elif roles.chunk_dim == roles.n:
            padded = -(-span // 16) * 16
        chunks = builder.insert(tile.ChunksOp(roles.chunk_dim, padded, step, kept))
        inner = Builder(InsertPoint.at_end(chunks.body.block))
        at = chunks.body.block.args[0]
        local = tuple(step if d == roles.chunk_dim else t for d, t in enumerate(seen))
        moved = inner.insert(arith.AddiOp(offsets[roles.chunk_dim], at)).result
        chunk_offsets = [moved if d == roles.chunk_dim else o for d, o in enumerate(offsets)]
        chunk_sizes = list(sizes)
        own = span if self.contraction.groups > 1 and roles.chunk_dim == roles.n else step
        chunk_sizes[roles.chunk_dim] = inner.insert(
            arith.ConstantOp(IntegerAttr(min(own, step), IndexType()))
        ).result
        assert regions.product is not None
        product = regions.product.results[0] if drain is None else drain.result
        result_type = element_type_of(product)
        spans, count = roles.spans(regions, local), len(regions.products)
        wide = tuple(count * size if d == roles.n else size for d, size in enumerate(spans))
        kind = TileType.get(wide, result_type, "ub", order, block_dim)
        chunk = inner.insert(
            tile.ExtractOp(
                acc,
                at,
                roles.chunk_dim,
                kind,
                None if drain is None else drain.slope,
                tables.get("fb") if drain is None or drain.scales is None else None,
                None if drain is None else drain.steps,
                tables.get("fb") if drain is not None and drain.scales is not None else None,
            )
        ).result
        tiles[product, regions.maps[product]] = chunk
        if regions.siblings:
            kind = TileType.get(spans, result_type, "ub", order, block_dim)
            for i, one in enumerate(regions.products):
                column = inner.insert(arith.ConstantOp(IntegerAttr(i * spans[roles.n], IndexType())))
                value = one.results[0]
                tiles[value, regions.maps[value]] = inner.insert(
                    tile.ExtractOp(chunk, column.result, roles.n, kind)
                ).result
        if tiling.part:
            key = product, regions.maps[product]
            whole_chunk = tiles[key]
            parts = inner.insert(tile.ChunksOp(roles.chunk_dim, tiling.chunk, tiling.part))
            inner = Builder(InsertPoint.at_end(parts.body.block))
            at = parts.body.block.args[0]
            local = tuple(tiling.part if d == roles.chunk_dim else t for d, t in enumerate(seen))
            kind = TileType.get(roles.spans(regions, local), result_type, "ub", order, block_dim)
            tiles[key] = inner.insert(tile.ExtractOp(whole_chunk, at, roles.chunk_dim, kind)).result
            chunk_offsets[roles.chunk_dim] = inner.insert(arith.AddiOp(moved, at)).result
            chunk_sizes[roles.chunk_dim] = inner.insert(
                arith.ConstantOp(IntegerAttr(tiling.part, IndexType()))
            ).result
        for load in late:
            tiles[load.value, load.maps] = self._load(inner, load, local, chunk_offsets, chunk_sizes)
        for load in others:
            key = load.value, load.maps
            whole = tiles.get(key)
            if whole is not None and self._per_column(load) and roles.chunk_dim == roles.n:
                shape = region_shape(regions, load.maps, local)
                kind = TileType.get(shape, held_type_of(load.value), "ub", order, block_dim)
                tiles[key] = inner.insert(tile.ExtractOp(whole, at, roles.chunk_dim, kind)).result
        done = (*regions.prologue, *(() if drain is None else drain.ops))
        rest = [op for op in regions.ops if op not in done]
        result = vector_ops(regions, self.target, inner, tiles, local, rest, regions.result, chunk_offsets)
        finish(inner, result, chunk_offsets, chunk_sizes)
        return chunks.held

    def _table(self, row: Load, space: str) -> TileType:
        """Where a row for the table `space` is: there, or in L1 where it is longer."""
        shape = region_shape(self.regions, row.maps, self.seen)
        element = DTYPES["i32" if element_type_of(row.value) == DTYPES["i32"] else "f32"]
        if shape[self.roles.n] * ELEMENT_BYTES["f32"] > self.target.spaces[space].bytes:
            element, space = element_type_of(row.value), "l1"
        return TileType.get(shape, element, space, self.roles.order, self.roles.n)

    def _load(
        self,
        builder: Builder,
        load: Load,
        tiles: tuple[int, ...],
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
    ) -> SSAValue:
        """A tile that the epilogue reads, laid out as the product's."""
        regions, roles = self.regions, self.roles
        shape = region_shape(regions, load.maps, tiles)
        kind = TileType.get(shape, held_type_of(load.value), "ub", roles.order, roles.n)
        maps = regions.kernel_map(load.maps)
        lead = self.tiling.lead > 0 and roles.n in _dims_of(maps)
        argument = self.arguments[load]
        return builder.insert(tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill, lead=lead)).result

    def _per_column(self, load: Load) -> bool:
        """A vector along n (a bias): small enough to load once a tile."""
        return _dims_of(self.regions.kernel_map(load.maps)) == {self.roles.n}


def contraction_of(regions: Regions) -> Contraction:
    """The contraction of a group's product."""
    assert regions.product is not None
    return rule_of(regions.product).contraction(regions.product)


def loads_after(regions: Regions, contraction: Contraction) -> list[Load]:
    """What is read beside the product's operands."""
    product = regions.product
    assert product is not None
    if regions.prologue:
        after = [op for op in regions.ops if op not in regions.prologue and op not in regions.products]
        return regions.loads_of(after)
    operands = [
        load_of(regions, product, contraction.lhs),
        *(load_of(regions, one, contraction.rhs) for one in regions.products),
    ]
    return [load for load in regions.loads if load not in operands]


def _dims_of(maps: OperandMap) -> set[int]:
    return {e.dim for e in maps if isinstance(e, Along)}
