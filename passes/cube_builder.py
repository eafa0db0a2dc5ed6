"""Builds the `tile.kernel` of a fusion group around its product: a `tile.contract`, then the epilogue, which reads the
accumulator chunk by chunk."""

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import tile
from ..dialects.tile import TileType
from ..dialects.tiling import Along, Contraction, OperandMap
from .contract_builder import ContractBuilder, load_of
from .drain import drain_of
from .kernel_body import Tiles, region_shape, vector_ops
from .kernel_builder import KernelBuilder
from .pack_weights import pack_blocks, pack_rhs, packs_rhs
from .regions import Load, element_type_of, held_type_of, rule_of
from .tile_emitter import DTYPES
from .tiling_plan import CubeTiling, Roles, product_roles


class CubeBuilder(KernelBuilder):
    """Builds one kernel around a product in front of `anchor` (the group's last op)."""

    def cube(self, tiling: CubeTiling) -> tile.KernelOp:
        """A kernel around one product: contract, then the epilogue chunk by chunk."""
        regions = self.regions
        roles = product_roles(regions)
        assert regions.product is not None
        contraction = rule_of(regions.product).contraction(regions.product)
        rhs = regions.product.operands[contraction.rhs]
        packed = (
            pack_rhs(self.before, rhs, contraction, tiling.tiles[roles.n], tiling.lead)
            if packs_rhs(regions, self.packable)
            else None
        )
        seen = tuple(t + tiling.lead if d == roles.n else t for d, t in enumerate(tiling.tiles))
        others = self._loads_after(contraction)
        before = regions.loads_of(regions.prologue)
        """What the left operand is computed from; where it is not, the operand itself."""
        if not before:
            before = [load_of(regions, regions.product, contraction.lhs)]
        blocks = {
            load: pack_blocks(
                self.before, regions, self.packable, load, self.rank, tiling.resident or tiling.step
            )
            for load in before
        }
        first_inputs = [blocks[load] or load for load in before]
        inputs = [*first_inputs, packed or load_of(regions, regions.product, contraction.rhs), *others]
        first = len(before) + 1
        """Where the inputs of the epilogue begin."""
        kernel = self.frame(
            inputs,
            tiling.tiles,
            tiling.cores,
            self._tails(tiling, roles),
            tiling.swizzle,
            tiling.serial,
            contraction.groups,
            roles.n if tiling.resident else None,
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
        contract = ContractBuilder(
            builder, regions, self.target, tiling, seen, roles, contraction, packed, before, block, offsets, sizes,
            frozenset(load for load in before if blocks[load] is not None),
        )  # fmt: skip
        acc = contract.build(tables.get("bt"))
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
        result = vector_ops(regions, self.target, inner, tiles, local, rest, regions.result, chunk_offsets)
        inner.insert(
            tile.StoreOp(result, block.args[len(inputs)], chunk_offsets, chunk_sizes, tiling.lead > 0)
        )
        return kernel

    def _loads_after(self, contraction: Contraction) -> list[Load]:
        """What is read beside the product's operands."""
        regions = self.regions
        if regions.prologue:
            after = [op for op in regions.ops if op not in regions.prologue and op is not regions.product]
            return regions.loads_of(after)
        return [load for load in regions.loads if not self._is_operand(load, contraction)]

    def _is_operand(self, load: Load, contraction: Contraction) -> bool:
        product = self.regions.product
        assert product is not None
        return any(
            load_of(self.regions, product, index) == load for index in (contraction.lhs, contraction.rhs)
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
        if self.regions.factor % tiling.tiles[0]:  # it may be shorter than a tile
            covered |= {0}
        return (
            ",".join("cover" if d in covered else "shift" for d in range(self.rank)) if covered else "shift"
        )


def _dims_of(maps: OperandMap) -> set[int]:
    return {e.dim for e in maps if isinstance(e, Along)}
