"""Builds the `tile.kernel` of a fusion group around its product: a `tile.contract`, then the epilogue, which reads the
accumulator chunk by chunk."""

from xdsl.builder import Builder
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ...regions.gather import index_tables
from ...regions.tiling import ProductTiling, Roles, product_roles
from ..common.builder import KernelBuilder
from ..common.pack_weights import pack_blocks, pack_rhs, packs_rhs
from .body import ProductBody, contraction_of, loads_after
from .contract import load_of


class ProductBuilder(KernelBuilder):
    """Builds one kernel around a product in front of `anchor` (the group's last op)."""

    def cube(self, tiling: ProductTiling) -> tile.KernelOp:
        """A kernel around one product: contract, then the epilogue chunk by chunk."""
        regions = self.regions
        roles, contraction = product_roles(regions), contraction_of(regions)
        assert regions.product is not None
        packs = packs_rhs(regions, self.packable)
        packed = [
            pack_rhs(
                self.before,
                one.operands[contraction.rhs],
                contraction,
                tiling.tiles[roles.n],
                tiling.lead,
                not self.target.split,
            )
            if packs
            else None
            for one in regions.products
        ]
        others = loads_after(regions, contraction)
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
        right = [
            form or load_of(regions, one, contraction.rhs)
            for one, form in zip(regions.products, packed, strict=True)
        ]
        tables = index_tables(regions)
        inputs = [*(blocks[load] or load for load in before), *right, *others, *tables]
        kernel = self.frame(
            inputs,
            tiling.tiles,
            tiling.cores,
            self.tails(tiling, roles),
            tiling.swizzle,
            tiling.serial,
            1 if regions.prologue else contraction.groups,
            roles.n if tiling.resident else None,
            tiling.spans,
            tiling.circular,
        )
        block = kernel.body.block
        builder = Builder(InsertPoint.at_end(block))
        grid = block.args[len(inputs) + 1 :]
        offsets: list[SSAValue] = list(grid[: self.rank])
        sizes: list[SSAValue] = list(grid[self.rank :])
        first = len(before) + len(right)
        indices = dict(zip(tables, block.args[first + len(others) :], strict=False))
        body = ProductBody(
            builder, regions, self.target, tiling, dict(zip(others, block.args[first:], strict=False)),
            dict(zip(before, block.args, strict=False)), block.args[len(before) : first], packs, offsets, sizes,
            frozenset(load for load in before if blocks[load] is not None),
            indices={load: indices[table] for load in before for table in tables if table.picks(load)},
        )  # fmt: skip
        result = block.args[len(inputs)]

        def store(inner: Builder, value: SSAValue, offsets: list[SSAValue], sizes: list[SSAValue]) -> None:
            inner.insert(tile.StoreOp(value, result, offsets, sizes, tiling.lead > 0))

        body.emit(store)
        return kernel

    def tails(self, tiling: ProductTiling, roles: Roles) -> str:
        """Rows of the last tile start early; columns go past the end, because fractals of the right operand cannot, and
        so do rows that could not start where a row starts on a 32 B block."""
        covered = {roles.n} if self.extents[roles.n] % tiling.tiles[roles.n] else set[int]()
        if tiling.circular:
            covered |= {tiling.circular.dim}
        if tiling.spans:
            covered = set(range(self.rank))
        if tiling.lead:
            (m,) = roles.m
            start = (self.extents[m] - tiling.tiles[m]) * self.extents[roles.n]
            covered |= {m} if start % 16 else set()
        if self.regions.factor % tiling.tiles[0]:  # it may be shorter than a tile
            covered |= {0}
        return (
            ",".join("cover" if d in covered else "shift" for d in range(self.rank)) if covered else "shift"
        )
