"""Builds the `tile.kernel` of a fusion group around its product: a `tile.contract`, then the epilogue, which reads the
accumulator chunk by chunk."""

from xdsl.builder import Builder
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.tiling import Contraction
from ...regions.gather import IndexTable, index_tables, lookup_of
from ...regions.loads import Load
from ...regions.tiling import ProductTiling, Roles, product_roles
from ..common.builder import GridWalk, KernelBuilder
from ..common.pack_weights import pack_blocks, pack_rhs, packs_rhs
from .body import ProductBody, contraction_of, loads_after
from .contract import load_of
from .tiles import covers_rows


@dataclass(frozen=True)
class _Inputs:
    """What a kernel around a product reads. `before`: what the left operand is computed from, or the operand itself,
    with those in `blocks` packed; right operands, packed before the run if they are weights (`packs`); what the
    epilogue reads (`others`), and indices that pick rows (`tables`)."""

    before: list[Load]
    blocks: dict[Load, SSAValue | None]
    right: list[Load | SSAValue]
    packs: bool
    others: list[Load]
    tables: list[IndexTable]

    @property
    def all(self) -> list[Load | SSAValue | IndexTable]:
        left = [self.blocks[load] or load for load in self.before]
        return [*left, *self.right, *self.others, *self.tables]


class ProductBuilder(KernelBuilder):
    """Builds one kernel around a product in front of `anchor` (the group's last op)."""

    def cube(self, tiling: ProductTiling) -> tile.KernelOp:
        """A kernel around one product: contract, then the epilogue chunk by chunk."""
        regions = self.regions
        roles, contraction = product_roles(regions), contraction_of(regions)
        inputs = self._inputs(tiling, contraction, roles)
        walk = GridWalk(
            tiling.tiles,
            tiling.cores,
            self.tails(tiling, roles),
            tiling.swizzle,
            tiling.serial,
            roles.n if tiling.resident else None,
            tiling.spans,
            tiling.circular,
        )
        kernel = self.frame(inputs.all, walk, 1 if regions.prologue else contraction.groups)
        result = kernel.body.block.args[len(inputs.all)]

        def store(inner: Builder, value: SSAValue, offsets: list[SSAValue], sizes: list[SSAValue]) -> None:
            inner.insert(tile.StoreOp(value, result, offsets, sizes, tiling.lead > 0))

        self._body(kernel, inputs, tiling).emit(store)
        return kernel

    def _inputs(self, tiling: ProductTiling, contraction: Contraction, roles: Roles) -> _Inputs:
        """What the kernel reads; weights are packed in front of it."""
        regions = self.regions
        assert regions.product is not None
        packs = packs_rhs(regions, self.packable)
        packed: list[SSAValue | None] = [None for _ in regions.products]
        if packs:
            columns, whole = tiling.tiles[roles.n], not self.target.split
            packed = [
                pack_rhs(self.before, one.operands[contraction.rhs], contraction, columns, tiling.lead, whole)
                for one in regions.products
            ]
        before = regions.loads_of(regions.prologue) or [load_of(regions, regions.product, contraction.lhs)]
        step = tiling.resident or tiling.step
        blocks = {
            load: pack_blocks(self.before, regions, self.packable, load, self.rank, step) for load in before
        }
        right = [
            form or load_of(regions, one, contraction.rhs)
            for one, form in zip(regions.products, packed, strict=True)
        ]
        others = loads_after(regions, contraction)
        return _Inputs(before, blocks, right, packs, others, index_tables(regions))

    def _body(self, kernel: tile.KernelOp, inputs: _Inputs, tiling: ProductTiling) -> ProductBody:
        """What emits the product and its epilogue into the kernel."""
        block, others, tables = kernel.body.block, inputs.others, inputs.tables
        left, grid = len(inputs.before), block.args[len(inputs.all) + 1 :]
        first = left + len(inputs.right)
        held = dict(zip(tables, block.args[first + len(others) :], strict=False))
        lookups = ((load, lookup_of(load, held, self.target)) for load in inputs.before)
        return ProductBody(
            Builder(InsertPoint.at_end(block)),
            self.regions,
            self.target,
            tiling,
            arguments=dict(zip(others, block.args[first:], strict=False)),
            left=dict(zip(inputs.before, block.args, strict=False)),
            right=block.args[left:first],
            packed=inputs.packs,
            offsets=list(grid[: self.rank]),
            sizes=list(grid[self.rank :]),
            blocked=frozenset(load for load in inputs.before if inputs.blocks[load] is not None),
            lookups={load: lookup for load, lookup in lookups if lookup is not None},
        )

    def tails(self, tiling: ProductTiling, roles: Roles) -> str:
        """Rows of the last tile start early; columns go past the end, because fractals of the right operand cannot, and
        so do rows that could not start where a row starts on a 32 B block."""
        covered = {roles.n} if self.extents[roles.n] % tiling.tiles[roles.n] else set[int]()
        if tiling.circular:
            covered |= {tiling.circular.dim}
        if tiling.spans:
            covered = set(range(self.rank))
        if tiling.lead:
            covered |= set(roles.m) if covers_rows(self.extents, tiling.tiles, roles) else set()
        if self.regions.factor % tiling.tiles[0]:  # it may be shorter than a tile
            covered |= {0}
        return (
            ",".join("cover" if d in covered else "shift" for d in range(self.rank)) if covered else "shift"
        )
