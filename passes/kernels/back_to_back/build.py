"""Builds the `tile.kernel` of two convolutions, of which the second one reads the first one's result out of L1.

%h = min(max(%o2 * stride - pad, 0), rows of the image - rows of the tile)
%acc = tile.contract {…}                              rows from %h on of the first one, all its channels
%r = tile.chunks … { … tile.yield %chunk } -> L1      what follows it
%sum = tile.contract {                                %a: what of %r a step of K needs; padding is the load's
  %a = tile.halo %r from %h, %w at %o0, …
  tile.yield %a, %v
}
tile.chunks … { … tile.store … }
"""

from math import prod

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.tile import TileType
from ....dialects.tiling import Along
from ...regions.compose_group import group_regions
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import BackToBackTiling, ProductTiling, product_roles
from ...support.values import element_type_of, shape_of
from ..common.builder import GridWalk, seen_type
from ..common.pack_weights import pack_rhs, packs_rhs
from ..product.body import ProductBody, contraction_of, loads_after
from ..product.build import ProductBuilder
from ..product.contract import Held, load_of
from ..product.group_offsets import number


def halves(regions: Regions) -> tuple[Regions, Regions]:
    """Both convolutions with what follows them, as groups of their own."""
    assert regions.back_to_back is not None
    found: tuple[Regions, Regions] | None = regions.known.get("halves")
    if found is None:
        first = regions.back_to_back.ops
        second = [op for op in regions.ops if op not in first]
        found = regions.known["halves"] = group_regions(first), group_regions(second)
    return found


def image_maps(second: Regions) -> tuple[Along, Along]:
    """How rows and columns of the held image follow the kernel's dimensions."""
    assert second.product is not None
    maps = second.kernel_map(second.operand_map(second.product, contraction_of(second).lhs))
    rows, columns = maps[2:]
    assert isinstance(rows, Along) and isinstance(columns, Along)
    return rows, columns


@dataclass(frozen=True)
class _Half:
    """One of the two products as a kernel of its own would have it: its inputs (the first one's left operand, filters,
    what its epilogue reads), which are arguments of the kernel from number `first` on."""

    regions: Regions
    tiling: ProductTiling
    left: list[Load]
    right: Load | SSAValue
    others: list[Load]
    packed: bool
    first: int

    @property
    def inputs(self) -> list[Load | SSAValue]:
        return [*self.left, self.right, *self.others]


@dataclass(frozen=True)
class _Grid:
    """Where a tile of the second product begins and how large it is, and so of the part of the first one's result that
    it needs; `image`: in that, rows and columns."""

    offsets: list[SSAValue]
    sizes: list[SSAValue]
    first_offsets: list[SSAValue]
    first_sizes: list[SSAValue]

    @property
    def image(self) -> tuple[SSAValue, SSAValue]:
        rows, columns = self.first_offsets[-2:]
        return rows, columns


class BackToBackBuilder(ProductBuilder):
    """Builds one kernel around two convolutions."""

    def chain(self, tiling: BackToBackTiling) -> tile.KernelOp:
        """The whole kernel."""
        first, second = halves(self.regions)
        one = self._half(first, tiling.first, [_left(first)], 0)
        two = self._half(second, tiling.second, [], len(one.inputs))
        inputs = [(half, value) for half in (one, two) for value in half.inputs]
        tails, outer = self.tails(tiling.second, product_roles(second)), tiling.second
        kernel = self.kernel(
            [value.value if isinstance(value, Load) else value for _, value in inputs],
            [_seen(half.regions, value) for half, value in inputs],
            GridWalk(tiling.tiles, tiling.cores, tails, outer.swizzle, outer.serial),
        )
        block = kernel.body.block
        builder, result = Builder(InsertPoint.at_end(block)), block.args[len(inputs)]
        grid = self._grid(builder, list(block.args[len(inputs) + 1 :]), one, image_maps(second))

        def keep(inner: Builder, value: SSAValue, _: list[SSAValue], __: list[SSAValue]) -> None:
            inner.insert(tile.YieldOp(value))

        def store(inner: Builder, value: SSAValue, at: list[SSAValue], of: list[SSAValue]) -> None:
            inner.insert(tile.StoreOp(value, result, at, of))

        kind = TileType.get(tiling.first.tiles, element_type_of(first.result), "l1", range(4), 1)
        image = self._body_of(one, builder, grid, None).emit(keep, kind)
        assert image is not None
        self._body_of(two, builder, grid, Held(image, grid.image)).emit(store)
        return kernel

    def _half(self, regions: Regions, tiling: ProductTiling, left: list[Load], start: int) -> _Half:
        packed = self._packed(regions, tiling)
        others = loads_after(regions, contraction_of(regions))
        return _Half(regions, tiling, left, packed or _right(regions), others, packed is not None, start)

    def _grid(
        self, builder: Builder, arguments: list[SSAValue], first: _Half, maps: tuple[Along, Along]
    ) -> _Grid:
        offsets, sizes = arguments[: self.rank], arguments[self.rank :]
        starts: list[SSAValue] = []
        extents, tiles = first.regions.kernel_extents[2:], first.tiling.tiles
        for entry, size, extent in zip(maps, tiles[2:], extents, strict=True):
            begin = builder.insert(arith.MuliOp(offsets[entry.dim], number(builder, entry.stride))).result
            begin = builder.insert(arith.SubiOp(begin, number(builder, entry.pad))).result
            begin = builder.insert(arith.MinSIOp(begin, number(builder, extent - size))).result
            starts.append(builder.insert(arith.MaxSIOp(begin, number(builder, 0))).result)
        own = [number(builder, size) for size in tiles]
        return _Grid(offsets, sizes, [offsets[0], number(builder, 0), *starts], own)

    def _body_of(self, half: _Half, builder: Builder, grid: _Grid, kept: Held | None) -> ProductBody:
        """What emits a product and its epilogue; `kept`: where the second one finds its left operand."""
        arguments = builder.insertion_point.block.args[half.first :]
        right = len(half.left)
        return ProductBody(
            builder,
            half.regions,
            self.target,
            half.tiling,
            dict(zip(half.others, arguments[right + 1 :], strict=False)),
            dict(zip(half.left, arguments, strict=False)),
            [arguments[right]],
            half.packed,
            grid.first_offsets if kept is None else grid.offsets,
            grid.first_sizes if kept is None else grid.sizes,
            held=kept,
        )

    def _packed(self, regions: Regions, tiling: ProductTiling) -> SSAValue | None:
        """The filters as they are packed before the run, if they are weights."""
        if not packs_rhs(regions, self.packable):
            return None
        assert regions.product is not None
        contraction, n = contraction_of(regions), product_roles(regions).n
        rhs = regions.product.operands[contraction.rhs]
        return pack_rhs(self.before, rhs, contraction, tiling.tiles[n], 0)


def _left(regions: Regions) -> Load:
    assert regions.product is not None
    return load_of(regions, regions.product, contraction_of(regions).lhs)


def _right(regions: Regions) -> Load:
    assert regions.product is not None
    return load_of(regions, regions.product, contraction_of(regions).rhs)


def _seen(regions: Regions, value: Load | SSAValue) -> TensorType[Attribute]:
    """The type under which the kernel sees an input."""
    if isinstance(value, Load):
        return seen_type(regions, value.value, value.maps, regions.kernel_shape(value))
    *outer, blocks, rows, lanes = shape_of(value)
    return TensorType(element_type_of(value), (prod(outer), blocks, rows, lanes))
