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
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import tile
from ....dialects.tile import TileType
from ....dialects.tiling import Along
from ...regions.compose_group import group_regions
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import BackToBackTiling, ProductTiling, product_roles
from ...support.values import element_type_of, shape_of
from ..common.builder import seen_type
from ..common.pack_weights import pack_rhs, packs_rhs
from ..product.body import ProductBody, contraction_of, loads_after
from ..product.build import ProductBuilder
from ..product.contract import Held, load_of


def halves(regions: Regions) -> tuple[Regions, Regions]:
    """Both convolutions with what follows them, as groups of their own."""
    assert regions.back_to_back is not None
    first = regions.back_to_back.ops
    return group_regions(first), group_regions([op for op in regions.ops if op not in first])


def image_maps(second: Regions) -> tuple[Along, Along]:
    """How rows and columns of the held image follow the kernel's dimensions."""
    assert second.product is not None
    maps = second.kernel_map(second.operand_map(second.product, contraction_of(second).lhs))
    rows, columns = maps[2:]
    assert isinstance(rows, Along) and isinstance(columns, Along)
    return rows, columns


class BackToBackBuilder(ProductBuilder):
    """Builds one kernel around two convolutions."""

    def chain(self, tiling: BackToBackTiling) -> tile.KernelOp:
        """The whole kernel."""
        first, second = halves(self.regions)
        values: list[SSAValue] = []
        types: list[Attribute] = []
        places: list[tuple[list[int], int, list[int], bool]] = []
        """Of each product the arguments of its left and right operand and of what its epilogue reads."""
        for regions, sizes in ((first, tiling.first), (second, tiling.second)):
            left = [_left(regions)] if regions is first else []
            packed = self._packed(regions, sizes)
            right = packed or _right(regions)
            others = loads_after(regions, contraction_of(regions))
            start = len(values)
            for one in [*left, right, *others]:
                values.append(one.value if isinstance(one, Load) else one)
                types.append(_seen(regions, one))
            at = start + len(left)
            places.append((list(range(start, at)), at, list(range(at + 1, len(values))), packed is not None))
        roles = product_roles(second)
        kernel = self.empty(
            values, types, tiling.tiles, tiling.cores, self.tails(tiling.second, roles), tiling.second.swizzle,
            tiling.second.serial,
        )  # fmt: skip
        block = kernel.body.block
        builder = Builder(InsertPoint.at_end(block))
        grid = block.args[len(values) + 1 :]
        offsets, sizes_of = list[SSAValue](grid[: self.rank]), list[SSAValue](grid[self.rank :])

        def number(value: int) -> SSAValue:
            return builder.insert(arith.ConstantOp(IntegerAttr(value, IndexType()))).result

        starts: list[SSAValue] = []
        held = first.kernel_extents
        for entry, size, extent in zip(image_maps(second), tiling.first.tiles[2:], held[2:], strict=True):
            begin = builder.insert(arith.MuliOp(offsets[entry.dim], number(entry.stride))).result
            begin = builder.insert(arith.SubiOp(begin, number(entry.pad))).result
            begin = builder.insert(arith.MinSIOp(begin, number(extent - size))).result
            starts.append(builder.insert(arith.MaxSIOp(begin, number(0))).result)
        own = [number(size) for size in tiling.first.tiles]

        def body(i: int, regions: Regions, sizes: ProductTiling, kept: Held | None) -> ProductBody:
            left, right, others, packed = places[i]
            loads = loads_after(regions, contraction_of(regions))
            return ProductBody(
                builder,
                regions,
                self.target,
                sizes,
                {load: block.args[j] for load, j in zip(loads, others, strict=True)},
                {_left(regions): block.args[j] for j in left},
                [block.args[right]],
                packed,
                [offsets[0], number(0), *starts] if kept is None else offsets,
                own if kept is None else sizes_of,
                held=kept,
            )

        def keep(inner: Builder, value: SSAValue, _: list[SSAValue], __: list[SSAValue]) -> None:
            inner.insert(tile.YieldOp(value))

        def store(inner: Builder, value: SSAValue, at: list[SSAValue], of: list[SSAValue]) -> None:
            inner.insert(tile.StoreOp(value, block.args[len(values)], at, of))

        kind = TileType.get(tiling.first.tiles, element_type_of(first.result), "l1", range(4), 1)
        image = body(0, first, tiling.first, None).emit(keep, kind)
        assert image is not None
        rows, columns = starts
        body(1, second, tiling.second, Held(image, (rows, columns))).emit(store)
        return kernel

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
