"""Builds the `tile.kernel` of one fusion group from its regions and a tiling.

The body is composed from the ops' tiling rules: every value of the group becomes one tile, loads appear where a
value comes from outside, and a product becomes a `tile.contract` whose result the epilogue reads chunk by chunk.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import tile
from ..dialects.target import Target
from ..dialects.tile import TileType
from ..dialects.tiling import Along, Contraction, OperandMap
from .drain import drain_of
from .group_offsets import group_image, packed_column
from .index_tables import IndexTable, index_tables
from .kernel_body import Tiles, region_shape, repeated, vector_ops
from .pack_weights import OpT, pack_blocks, pack_rhs, packs_rhs
from .regions import Load, Regions, element_type_of, held_type_of, rule_of, shape_of
from .tile_emitter import DTYPES
from .tiling_plan import CubeTiling, Roles, VectorTiling, product_roles


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

    def _before(self, op: OpT, /) -> OpT:
        """Insert an op in front of the anchor, at its place in the source."""
        op.location = self.anchor.location
        return self.outside.insert(op)

    def vector(self, tiling: VectorTiling) -> tile.KernelOp:
        """A kernel whose tiles are loaded, computed and stored in UB."""
        packed = {
            load: pack_blocks(self._before, self.regions, self.packable, load, tiling)
            for load in self.regions.loads
        }
        tables = index_tables(self.regions)
        inputs = [*(packed[load] or load for load in self.regions.loads), *tables]
        kernel = self._kernel(inputs, tiling.tiles, tiling.cores, tiling.tails, 1, tiling.serial)
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
            kind = TileType.get(shape, held_type_of(load.value), "ub", block=tiling.lanes)
            maps, form = self.regions.kernel_map(load.maps), None
            if packed[load] is not None:
                maps, form = tuple(e for e in maps if isinstance(e, Along)), "blocks"
            by = next((held[t] for t in tables if t.picks(load)), None)
            op = tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill, form, indices=by)
            tiles[load.value, load.maps] = builder.insert(op).result
        regions = self.regions
        result = vector_ops(
            regions, self.target, builder, tiles, tiling.tiles, regions.ops, regions.result, offsets
        )
        result = repeated(builder, result, regions.stored_dims, tiling.tiles)
        for d, (stored, extent) in enumerate(zip(self._stored(), self.extents, strict=True)):
            if stored != extent:  # reduced: its one element
                offsets[d] = builder.insert(arith.ConstantOp(IntegerAttr(0, IndexType()))).result
                sizes[d] = builder.insert(arith.ConstantOp(IntegerAttr(1, IndexType()))).result
        builder.insert(tile.StoreOp(result, block.args[count], offsets, sizes))
        return kernel

    def _stored(self) -> tuple[int, ...]:
        """The result's shape in the kernel's dimensions."""
        return self.regions.result_shape or (1,)

    def cube(self, tiling: CubeTiling) -> tile.KernelOp:
        """A kernel around one product: contract, then the epilogue chunk by chunk."""
        regions = self.regions
        roles = product_roles(regions)
        assert regions.product is not None
        contraction = rule_of(regions.product).contraction(regions.product)
        lhs, rhs = regions.product.operands[contraction.lhs], regions.product.operands[contraction.rhs]
        packed = (
            pack_rhs(self._before, rhs, contraction, tiling.tiles[roles.n], tiling.lead)
            if packs_rhs(regions, self.packable)
            else None
        )
        seen = tuple(t + tiling.lead if d == roles.n else t for d, t in enumerate(tiling.tiles))
        others = self._loads_after(contraction)
        before = regions.loads_of(regions.prologue)
        """What the left operand is computed from; where it is not, the operand itself."""
        if not before:
            before = [self._load_of(regions.product, contraction.lhs)]
        inputs = [*before, packed or self._load_of(regions.product, contraction.rhs), *others]
        first = len(before) + 1
        """Where the inputs of the epilogue begin."""
        kernel = self._kernel(
            inputs,
            tiling.tiles,
            tiling.cores,
            self._tails(tiling, roles),
            tiling.swizzle,
            tiling.serial,
            contraction.groups,
        )
        block = kernel.body.block
        builder = Builder(InsertPoint.at_end(block))
        grid = block.args[len(inputs) + 1 :]
        offsets: list[SSAValue] = list(grid[: self.rank])
        sizes: list[SSAValue] = list(grid[self.rank :])
        drain = drain_of(regions, self.target) if tiling.drain else None
        rows = {} if drain is None else drain.rows
        tables: dict[str, SSAValue] = {}
        for space, row in rows.items():
            kind = TileType.get(
                region_shape(self.regions, row.maps, seen), DTYPES["f32"], space, roles.order, roles.n
            )
            argument, maps = block.args[first + others.index(row)], regions.kernel_map(row.maps)
            tables[space] = builder.insert(tile.LoadOp(argument, offsets, sizes, maps, kind)).result
        acc = self._contract(
            builder,
            tiling,
            seen,
            roles,
            contraction,
            lhs,
            rhs,
            packed,
            before,
            block,
            offsets,
            sizes,
            tables.get("bt"),
        )
        order, block_dim = roles.order, roles.n
        tiles: Tiles = {}
        late: list[tuple[Load, SSAValue]] = []
        for load, argument in zip(others, block.args[first : len(inputs)], strict=True):
            if load in rows.values():
                continue
            if roles.chunk_dim in _dims_of(regions.kernel_map(load.maps)) and not self._per_column(
                load, roles
            ):
                late.append((load, argument))
                continue
            shape = region_shape(self.regions, load.maps, seen)
            kind = TileType.get(shape, held_type_of(load.value), "ub", order, block_dim)
            maps = regions.kernel_map(load.maps)
            lead = tiling.lead > 0 and roles.n in _dims_of(maps)
            tiles[load.value, load.maps] = builder.insert(
                tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill, lead=lead)
            ).result
        span = roles.spans(regions, tiling.tiles)[roles.chunk_dim]
        padded = -(-span // 16) * 16 if roles.chunk_dim == roles.n else span
        chunks = builder.insert(tile.ChunksOp(roles.chunk_dim, padded, tiling.chunk))
        inner = Builder(InsertPoint.at_end(chunks.body.block))
        at = chunks.body.block.args[0]
        local = tuple(tiling.chunk if d == roles.chunk_dim else t for d, t in enumerate(seen))
        moved = inner.insert(arith.AddiOp(offsets[roles.chunk_dim], at)).result
        chunk_offsets = [moved if d == roles.chunk_dim else o for d, o in enumerate(offsets)]
        chunk_sizes = list(sizes)
        own = span if contraction.groups > 1 and roles.chunk_dim == roles.n else tiling.chunk
        chunk_sizes[roles.chunk_dim] = inner.insert(
            arith.ConstantOp(IntegerAttr(min(own, tiling.chunk), IndexType()))
        ).result
        result_type = element_type_of(regions.product.results[0] if drain is None else drain.result)
        spans = roles.spans(regions, local)
        kind = TileType.get(spans, result_type, "ub", order, block_dim)
        product = regions.product.results[0] if drain is None else drain.result
        tiles[product, regions.maps[product]] = inner.insert(
            tile.ExtractOp(
                acc,
                at,
                roles.chunk_dim,
                kind,
                None if drain is None else drain.slope,
                tables.get("fb"),
                None if drain is None else drain.steps,
            )
        ).result
        for load, argument in late:
            shape = region_shape(self.regions, load.maps, local)
            kind = TileType.get(shape, held_type_of(load.value), "ub", order, block_dim)
            maps = regions.kernel_map(load.maps)
            lead = tiling.lead > 0 and roles.n in _dims_of(maps)
            loaded = inner.insert(
                tile.LoadOp(argument, chunk_offsets, chunk_sizes, maps, kind, load.fill, lead=lead)
            )
            tiles[load.value, load.maps] = loaded.result
        for load in others:
            key = load.value, load.maps
            whole = tiles.get(key)
            if whole is not None and self._per_column(load, roles) and roles.chunk_dim == roles.n:
                shape = region_shape(self.regions, load.maps, local)
                kind = TileType.get(shape, held_type_of(load.value), "ub", order, block_dim)
                tiles[key] = inner.insert(tile.ExtractOp(whole, at, roles.chunk_dim, kind)).result
        done = (*regions.prologue, *(() if drain is None else drain.ops))
        rest = [op for op in regions.ops if op not in done]
        result = vector_ops(regions, self.target, inner, tiles, local, rest, regions.result)
        inner.insert(
            tile.StoreOp(result, block.args[len(inputs)], chunk_offsets, chunk_sizes, tiling.lead > 0)
        )
        return kernel

    def _contract(
        self,
        builder: Builder,
        tiling: CubeTiling,
        seen: tuple[int, ...],
        roles: Roles,
        contraction: Contraction,
        lhs: SSAValue,
        rhs: SSAValue,
        packed: SSAValue | None,
        before: Sequence[Load],
        block: Any,
        offsets: list[SSAValue],
        sizes: list[SSAValue],
        bias: SSAValue | None,
    ) -> SSAValue:
        regions = self.regions
        spans = roles.spans(regions, seen)
        m_shape = [spans[d] for d in roles.m]
        m = 1
        for size in m_shape:
            m *= size
        window = contraction.window
        flat = None if window is None else [*window.kernel, *window.strides, *window.pads, *window.dilations]
        result = TileType.get(spans, DTYPES["f32"], "l0c", roles.order, roles.n)
        op = builder.insert(
            tile.ContractOp(
                result,
                m=m,
                n=spans[roles.n],
                k=roles.k,
                step=tiling.step,
                l0_k=tiling.l0_k,
                transpose_lhs=contraction.transpose_lhs,
                transpose_rhs=contraction.transpose_rhs and packed is None,
                window=flat,
                m_shape=m_shape,
                stagger=tiling.stagger,
                bias=bias,
            )
        )
        body = Builder(InsertPoint.at_end(op.body.block))
        at, size = op.body.block.args
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
        assert regions.product is not None
        for position, (value, index) in enumerate(((lhs, contraction.lhs), (rhs, contraction.rhs))):
            element = element_type_of(value)
            if position == 0 and regions.prologue:
                moved = self._prologue(
                    body, before, tiling, lhs, block, [*offsets, *k_offsets], [*sizes, *k_sizes]
                )
                operands.append(moved)
                continue
            load = self._load_of(regions.product, index)
            argument = block.args[0 if position == 0 else len(before)]
            first: list[SSAValue] = list(offsets)
            if position == 1 and packed is not None:
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
                                at,
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
                    first[0] = group_image(body, offsets, self.extents[roles.n], roles.n, contraction)
                step = tiling.step // (window.kernel[0] * window.kernel[1])
                shape = [e.span(self._along(e, tiling.tiles, step)) for e in maps if isinstance(e, Along)]
                kind = TileType.get(shape, element, "l1", range(4), 1)
            else:
                shape = [
                    e.span(self._along(e, seen, tiling.step)) if isinstance(e, Along) else 1 for e in maps
                ]
                rank = len(shape)
                kind = TileType.get(shape, element, "l1", (rank - 1, *range(rank - 1)), rank - 1)
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

    def _prologue(
        self,
        body: Builder,
        loads: Sequence[Load],
        tiling: CubeTiling,
        lhs: SSAValue,
        block: Any,
        offsets: list[SSAValue],
        sizes: list[SSAValue],
    ) -> SSAValue:
        """The left operand of a step, computed in UB and moved to L1."""
        regions, element = self.regions, element_type_of(lhs)
        dims = regions.step_order
        window = len(offsets) - self.rank > 1
        c_dim = self.rank
        spans = (*tiling.tiles, *(tiling.step if d == 0 else 1 for d in range(len(offsets) - self.rank)))
        shape = tuple(spans[d] if d in dims else 1 for d in range(len(spans)))
        rest = tuple(d for d in range(len(spans)) if d not in dims)
        order = (*rest, *dims) if window else (*rest, c_dim, *(d for d in dims if d != c_dim))
        tiles: Tiles = {}
        for load, argument in zip(loads, block.args, strict=False):
            maps = regions.kernel_map(load.maps)
            kind = TileType.get(
                region_shape(regions, load.maps, shape), element_type_of(load.value), "ub", order, c_dim
            )
            loaded = body.insert(tile.LoadOp(argument, offsets, sizes, maps, kind, load.fill))
            tiles[load.value, load.maps] = loaded.result
        ops = [op for op in regions.ops if op in regions.prologue]
        result = vector_ops(regions, self.target, body, tiles, shape, ops, lhs)
        operand = tuple(shape[d] for d in dims)
        if window:
            kind = TileType.get(operand, element, "l1", range(len(dims)), 1)
        else:
            last = len(dims) - 1
            kind = TileType.get(operand, element, "l1", (last, *range(last)), last)
        return body.insert(tile.MoveOp(result, dims, kind)).result

    def _loads_after(self, contraction: Contraction) -> list[Load]:
        """What is read beside the product's operands."""
        regions = self.regions
        if regions.prologue:
            after = [op for op in regions.ops if op not in regions.prologue and op is not regions.product]
            return regions.loads_of(after)
        return [load for load in regions.loads if not self._is_operand(load, contraction)]

    def _along(self, entry: Along, tiles: tuple[int, ...], step: int) -> int:
        """Size along what `entry` follows: a tile of the kernel, or a step of K."""
        return tiles[entry.dim] if entry.dim < self.rank else step

    def _load_of(self, product: Operation, index: int) -> Load:
        needed = self.regions.operand_map(product, index)
        return next(i for i in self.regions.loads if i.value is product.operands[index] and i.maps == needed)

    def _is_operand(self, load: Load, contraction: Contraction) -> bool:
        product = self.regions.product
        assert product is not None
        return any(
            load.value is product.operands[index] and load.maps == self.regions.operand_map(product, index)
            for index in (contraction.lhs, contraction.rhs)
        )

    def _per_column(self, load: Load, roles: Roles) -> bool:
        """A vector along n (a bias): small enough to load once a tile."""
        return _dims_of(self.regions.kernel_map(load.maps)) <= {roles.n}

    def _tails(self, tiling: CubeTiling, roles: Roles) -> str:
        """Rows of the last tile start early; columns go past the end, because fractals of the right operand cannot, and
        so do rows that could not start where a row starts on a 32 B block."""
        covered = {roles.n} if self.extents[roles.n] % tiling.tiles[roles.n] else set[int]()
        if tiling.lead:
            (m,) = roles.m
            start = (self.extents[m] - tiling.tiles[m]) * self.extents[roles.n]
            covered |= {m} if start % 16 else set()
        return (
            ",".join("cover" if d in covered else "shift" for d in range(self.rank)) if covered else "shift"
        )

    def _kernel(
        self,
        inputs: Sequence[Load | SSAValue | IndexTable],
        tiles: tuple[int, ...],
        cores: int,
        tails: str,
        swizzle: int,
        serial: int = 0,
        groups: int = 1,
    ) -> tile.KernelOp:
        regions = self.regions
        types: list[Attribute] = []
        for value in inputs:
            if isinstance(value, Load):
                types.append(TensorType(element_type_of(value.value), regions.kernel_shape(value)))
            elif isinstance(value, IndexTable):
                types.append(TensorType(element_type_of(value.value), value.shape))
            else:
                shape = shape_of(value)
                types.append(TensorType(element_type_of(value), (prod(shape[:-3]), *shape[-3:])))
        if groups > 1:
            n, c, *image = cast(TensorType[Attribute], types[0]).get_shape()
            types[0] = TensorType(
                cast(TensorType[Attribute], types[0]).element_type, (n * groups, c // groups, *image)
            )
        result = regions.result
        types.append(TensorType(element_type_of(result), self._stored()))
        kernel = tile.KernelOp(
            self.name,
            [value.value if isinstance(value, Load | IndexTable) else value for value in inputs],
            types,
            [result.type],
            cores=cores,
            extents=self.extents,
            tiles=tiles,
            tails=tails,
            swizzle=swizzle,
            serial=serial,
            ops=[op.name for op in regions.ops],
        )
        return self._before(kernel)


def _dims_of(maps: OperandMap) -> set[int]:
    return {e.dim for e in maps if isinstance(e, Along)}
