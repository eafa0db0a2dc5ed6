"""A product in the body of a `tile.kernel`: the `tile.contract`, then what follows it, chunk by chunk of the
accumulator, up to a store or to a tile in L1 that another product reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import TileType
from ....dialects.tiling import Along, Contraction, OperandMap
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling, Roles, product_roles
from ...support.values import DTYPES, element_type_of, held_type_of, rule_of
from ..common.vector_body import Tiles, VectorBody, region_shape
from .contract import ContractBuilder, Held, load_of
from .fixpipe_epilogue import Drain, drain_of
from .group_offsets import number

Finish = Callable[[Builder, SSAValue, list[SSAValue], list[SSAValue]], None]
"""Takes what a chunk becomes, and its offsets and sizes."""


@dataclass(frozen=True)
class Piece:
    """What is worked on at once, the whole tile or part of it: its size along each dimension (`tiles`), `offsets` and
    `sizes` of it in the result."""

    builder: Builder
    tiles: tuple[int, ...]
    offsets: list[SSAValue]
    sizes: list[SSAValue]


@dataclass(frozen=True)
class Chunk(Piece):
    """A chunk at `at` of the accumulator, or a part at `at` of one."""

    at: SSAValue


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
    lookups: Mapping[Load, tile.Lookup] = field(default_factory=dict[Load, tile.Lookup])
    """What picks the rows of a load in `left`."""

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

    @cached_property
    def _drained(self) -> SSAValue:
        """What comes out of L0C: the product, or the result of the last op that FixPipe does."""
        assert self.regions.product is not None
        return self.regions.product.results[0] if self.drain is None else self.drain.result

    @cached_property
    def _others(self) -> list[Load]:
        """What is read beside the product's operands."""
        return loads_after(self.regions, self.contraction)

    def emit(self, finish: Finish, kept: TileType | None = None) -> SSAValue | None:
        """The product and its chunks; with `kept` the tile in L1 that they are together, of which `finish` yields
        each."""
        tables = self._load_tables()
        acc = ContractBuilder(
            self.builder, self.regions, self.target, self.tiling, self.seen, self.roles, self.contraction,
            self.packed, tuple(self.left), self.left, self.right, self.offsets, self.sizes, self.blocked, self.held,
            kept is not None, self.lookups,
        ).build(tables.get("bt"))  # fmt: skip
        whole = Piece(self.builder, self.seen, self.offsets, self.sizes)
        once, late = self._epilogue_loads()
        tiles: Tiles = {(load.value, load.maps): self._load(whole, load) for load in once}
        chunks, chunk = self._open_chunks(kept)
        self._extract(chunk, acc, tables, tiles)
        if self.tiling.part:
            chunk = self._open_parts(chunk, tiles)
        tiles |= {(load.value, load.maps): self._load(chunk, load) for load in late}
        self._take_columns(chunk, tiles)
        finish(chunk.builder, self._epilogue(chunk, tiles), chunk.offsets, chunk.sizes)
        return chunks.held

    def _load_tables(self) -> dict[str, SSAValue]:
        """The rows that the Cube and FixPipe take, by the table that each is in."""
        tables: dict[str, SSAValue] = {}
        for space, row in self._rows.items():
            kind, maps = self._table(row, space), self.regions.kernel_map(row.maps)
            load = tile.LoadOp(self.arguments[row], self.offsets, self.sizes, maps, kind)
            tables[space] = self.builder.insert(load).result
        return tables

    @cached_property
    def _rows(self) -> Mapping[str, Load]:
        return {} if self.drain is None else self.drain.rows

    def _epilogue_loads(self) -> tuple[list[Load], list[Load]]:
        """What the Vector unit reads: once for the whole tile, and for each chunk."""
        once: list[Load] = []
        late: list[Load] = []
        for load in self._others:
            if load in self._rows.values():
                continue
            chunked = self.roles.chunk_dim in _dims_of(self.regions.kernel_map(load.maps))
            if chunked and not self._per_column(load):
                late.append(load)
            else:
                once.append(load)
        return once, late

    def _open_chunks(self, kept: TileType | None) -> tuple[tile.ChunksOp, Chunk]:
        """The loop over chunks of the accumulator, and what a trip of it works on."""
        roles, d = self.roles, self.roles.chunk_dim
        span = roles.spans(self.regions, self.tiling.tiles)[d]
        step, padded = self.tiling.chunk, span
        rows = any(roles.n in self.regions.kernel_rows(op) for op in self.regions.rows)
        if d == roles.n and rows:  # what is behind the columns is no part of a row
            step = span
        elif d == roles.n:
            padded = -(-span // 16) * 16
        chunks = self.builder.insert(tile.ChunksOp(d, padded, step, kept))
        inner, at = Builder(InsertPoint.at_end(chunks.body.block)), chunks.body.block.args[0]
        own = span if self.contraction.groups > 1 and d == roles.n else step
        return chunks, self._chunk(inner, at, self.offsets, step, min(own, step))

    def _chunk(self, inner: Builder, at: SSAValue, offsets: Sequence[SSAValue], step: int, own: int) -> Chunk:
        """The chunk of `step` at `at` of what begins at `offsets`; `own` of it is stored."""
        d = self.roles.chunk_dim
        begin, size = list(offsets), list(self.sizes)
        begin[d] = inner.insert(arith.AddiOp(offsets[d], at)).result
        size[d] = number(inner, own)
        return Chunk(inner, self._chunk_tiles(step), begin, size, at)

    def _chunk_tiles(self, step: int) -> tuple[int, ...]:
        """The tile of each dimension in a chunk of `step`."""
        return tuple(step if d == self.roles.chunk_dim else t for d, t in enumerate(self.seen))

    def _extract(self, chunk: Chunk, acc: SSAValue, tables: Mapping[str, SSAValue], tiles: Tiles) -> None:
        """The chunk comes out of the accumulator, by FixPipe with what it does on the way; that of several products is
        taken apart."""
        regions, roles, drain = self.regions, self.roles, self.drain
        spans, element = roles.spans(regions, chunk.tiles), element_type_of(self._drained)
        wide = tuple(len(regions.products) * n if d == roles.n else n for d, n in enumerate(spans))
        kind = TileType.get(wide, element, "ub", roles.order, roles.n)
        op = tile.ExtractOp(acc, chunk.at, roles.chunk_dim, kind)
        if drain is not None:
            row = tables.get("fb")
            slopes, scales = (row, None) if drain.scales is None else (None, row)
            op = tile.ExtractOp(
                acc, chunk.at, roles.chunk_dim, kind, drain.slope, slopes, drain.steps, scales
            )
        extracted = chunk.builder.insert(op).result
        tiles[self._drained, regions.maps[self._drained]] = extracted
        if regions.siblings:
            kind = TileType.get(spans, element, "ub", roles.order, roles.n)
            for i, product in enumerate(regions.products):
                column, value = number(chunk.builder, i * spans[roles.n]), product.results[0]
                own = tile.ExtractOp(extracted, column, roles.n, kind)
                tiles[value, regions.maps[value]] = chunk.builder.insert(own).result

    def _open_parts(self, chunk: Chunk, tiles: Tiles) -> Chunk:
        """The loop over parts of a chunk, and the part of a trip of it, which takes the place of the chunk in
        `tiles`."""
        roles, part = self.roles, self.tiling.part
        parts = chunk.builder.insert(tile.ChunksOp(roles.chunk_dim, self.tiling.chunk, part))
        inner, at = Builder(InsertPoint.at_end(parts.body.block)), parts.body.block.args[0]
        key = self._drained, self.regions.maps[self._drained]
        shape = roles.spans(self.regions, self._chunk_tiles(part))
        kind = TileType.get(shape, element_type_of(self._drained), "ub", roles.order, roles.n)
        tiles[key] = inner.insert(tile.ExtractOp(tiles[key], at, roles.chunk_dim, kind)).result
        return self._chunk(inner, at, chunk.offsets, part, part)

    def _take_columns(self, chunk: Chunk, tiles: Tiles) -> None:
        """Of rows that were loaded for the whole tile the columns of a chunk."""
        roles = self.roles
        for load in self._others:
            key = load.value, load.maps
            whole = tiles.get(key)
            if whole is not None and self._per_column(load) and roles.chunk_dim == roles.n:
                shape = region_shape(self.regions, load.maps, chunk.tiles)
                kind = TileType.get(shape, held_type_of(load.value), "ub", roles.order, roles.n)
                op = tile.ExtractOp(whole, chunk.at, roles.chunk_dim, kind)
                tiles[key] = chunk.builder.insert(op).result

    def _epilogue(self, chunk: Chunk, tiles: Tiles) -> SSAValue:
        """What the Vector unit makes of a chunk."""
        regions, drain = self.regions, self.drain
        done = (*regions.prologue, *(() if drain is None else drain.ops))
        rest = [op for op in regions.ops if op not in done]
        body = VectorBody(regions, self.target, chunk.builder, tiles, chunk.tiles, chunk.offsets)
        body.emit(rest)
        return body.stored(regions.result)

    def _table(self, row: Load, space: str) -> TileType:
        """Where a row for the table `space` is: there, or in L1 where it is longer."""
        shape = region_shape(self.regions, row.maps, self.seen)
        element = DTYPES["i32" if element_type_of(row.value) == DTYPES["i32"] else "f32"]
        if shape[self.roles.n] * ELEMENT_BYTES["f32"] > self.target.spaces[space].bytes:
            element, space = element_type_of(row.value), "l1"
        return TileType.get(shape, element, space, self.roles.order, self.roles.n)

    def _load(self, piece: Piece, load: Load) -> SSAValue:
        """What the epilogue reads for a piece, laid out as the product's."""
        regions, roles = self.regions, self.roles
        shape = region_shape(regions, load.maps, piece.tiles)
        kind = TileType.get(shape, held_type_of(load.value), "ub", roles.order, roles.n)
        maps = regions.kernel_map(load.maps)
        lead = self.tiling.lead > 0 and roles.n in _dims_of(maps)
        op = tile.LoadOp(self.arguments[load], piece.offsets, piece.sizes, maps, kind, load.fill, lead=lead)
        return piece.builder.insert(op).result

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
