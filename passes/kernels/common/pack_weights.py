"""Weights laid out before the first run: `ascend.pack` in front of the kernel that reads them.

%p = ascend.pack %w {…} : tensor<128x64x3x3xf16> -> tensor<4x3x3x8x16x16xf16>      FRACTAL_Z, for the Cube
%p = ascend.pack %w {…} : tensor<32x1x3x3xf16> -> tensor<2x1x3x3x16xf16>           16 channels last, for a depthwise one
"""

from math import prod
from typing import Protocol, TypeVar

from xdsl.ir import Operation, SSAValue

from ....dialects.ascend import PackOp
from ....dialects.element_types import lanes_of
from ....dialects.graph import ReshapeOp
from ....dialects.tiling import Along, Contraction
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import product_roles
from ...support.values import element_type_of, rule_of, shape_of

OpT = TypeVar("OpT", bound=Operation)


class Insert(Protocol):
    """Puts an op in front of the kernel."""

    def __call__(self, op: OpT, /) -> OpT: ...


def packs_rhs(regions: Regions, packable: frozenset[SSAValue]) -> bool:
    """Whether the product's right operand, or each of several, is packed before the first run: it is a weight and one
    matrix, or one for each of the kernel's batch."""
    assert regions.product is not None
    contraction = rule_of(regions.product).contraction(regions.product)
    operands = [(product, product.operands[contraction.rhs]) for product in regions.products]
    return all(
        rhs in packable
        and (
            contraction.window is not None
            or len(shape_of(rhs)) == 2
            or _one_each(regions, product, contraction.rhs)
        )
        for product, rhs in operands
    )


def _one_each(regions: Regions, product: Operation, index: int) -> bool:
    """Whether a product's operand has one matrix for each element of the kernel's batch, in its order."""
    if regions.stream is not None or regions.factor or (product.operands[index] in regions.maps):
        return False
    batch, value = product_roles(regions).batch, product.operands[index]
    needed = regions.operand_map(product, index)
    if (value, needed) in regions.addressed or not batch:
        return False
    maps, shape = regions.kernel_map(needed), shape_of(value)
    count = prod(regions.kernel_extents[d] for d in batch)
    plain = all(isinstance(e, Along) and e.is_identity for e in maps)
    dims = tuple(e.dim for e in maps if isinstance(e, Along))
    return plain and len(maps) == len(batch) + 2 and dims[: len(batch)] == batch and prod(shape[:-2]) == count


def pack_rhs(
    insert: Insert, rhs: SSAValue, contraction: Contraction, columns: int, lead: int, whole: bool = True
) -> SSAValue:
    """`rhs` as [K1, N1, 16, C0] fractals with k innermost (Zn; FRACTAL_Z for a convolution), before the kernel. N1
    holds whole tiles of `columns`, after the last `lead` columns; unless `whole` the last tile as far as it goes."""
    blocks, c0 = -(-columns // 16), lanes_of(element_type_of(rhs))
    along = None
    if contraction.window is None and len(shape_of(rhs)) > 2:
        n = shape_of(rhs)[-1 - contraction.transpose_rhs]
        n1 = -(-n // columns) * blocks if whole else -(-n // 16)
        return _pack_matrices(insert, rhs, contraction.transpose_rhs, n1)
    shape = shape_of(rhs)
    if contraction.groups > 1:
        return _pack_tiles(insert, rhs, columns, blocks, c0)
    if contraction.window is not None:
        n, c, kh, kw = shape
        n1, c1 = -(-n // columns) * blocks if whole else -(-n // 16), -(-c // c0)
        padded, split, order = (n1 * 16, c1 * c0, kh, kw), (n1, 16, c1, c0, kh, kw), (2, 4, 5, 0, 1, 3)
    else:
        n, depth = shape if contraction.transpose_rhs else shape[::-1]
        n1 = -(-n // columns) * blocks + lead // 16 if whole else -(-n // 16)
        k1 = -(-depth // c0)
        along = int(not contraction.transpose_rhs) if lead else None
        padded, split, order = (k1 * c0, n1 * 16), (k1, c0, n1, 16), (0, 2, 3, 1)
        if contraction.transpose_rhs:
            padded, split, order = padded[::-1], (n1, 16, k1, c0), (2, 0, 1, 3)
    op = insert(PackOp(rhs, padded, split, order, along))
    return op.result


def _pack_matrices(insert: Insert, rhs: SSAValue, transposed: bool, blocks: int) -> SSAValue:
    """Matrices one behind the other, each as [K1, N1, 16, C0] with N1 `blocks`: the first dimension has all of them."""
    shape, c0 = shape_of(rhs), lanes_of(element_type_of(rhs))
    count, k1 = prod(shape[:-2]), -(-shape[-1 if transposed else -2] // c0)
    apart = insert(ReshapeOp(rhs, shape=(count, *shape[-2:])))
    padded, split, order = (k1 * c0, blocks * 16), (k1, c0, blocks, 16), (0, 1, 3, 4, 2)
    if transposed:
        padded, split, order = padded[::-1], (blocks, 16, k1, c0), (0, 3, 1, 2, 4)
    packed = insert(PackOp(apart.result, (count, *padded), (count, *split), order))
    return insert(ReshapeOp(packed.result, shape=(count * k1, blocks, 16, c0))).result


def _pack_tiles(insert: Insert, filters: SSAValue, columns: int, blocks: int, c0: int) -> SSAValue:
    """Filters as FRACTAL_Z where each tile of `columns`, which may be no whole blocks, is padded on its own."""
    n, c, kh, kw = shape_of(filters)
    tiles, c1 = n // columns, -(-c // c0)
    apart = insert(ReshapeOp(filters, shape=(tiles, columns, c, kh, kw)))
    padded, split = (tiles, blocks * 16, c1 * c0, kh, kw), (tiles, blocks, 16, c1, c0, kh, kw)
    packed = insert(PackOp(apart.result, padded, split, (3, 5, 6, 0, 1, 2, 4)))
    joined = insert(ReshapeOp(packed.result, shape=(c1, kh, kw, tiles * blocks, 16, c0)))
    return joined.result


def pack_blocks(
    insert: Insert,
    regions: Regions,
    packable: frozenset[SSAValue],
    load: Load,
    lanes: int,
    columns: int,
) -> SSAValue | None:
    """A weight that every result reads in full along some dimensions (the taps of a window), with 16 elements of
    the lanes' dimension last, before the kernel, whose tiles have `columns` of them. `lanes` is a dimension of the
    kernel, or K of a product whose left operand is computed: of each of its groups, which begin with a tile. None for
    what is loaded as it is."""
    maps = regions.kernel_map(load.maps)
    along = [e for e in maps if isinstance(e, Along)]
    fixed = [e for e in along if e.stride == 0]
    if not fixed or load.value not in packable or along[0] != Along(lanes):
        return None
    extents, inner = regions.kernel_extents, [e.dim for e in fixed]
    if along[1:] != fixed or inner != list(range(inner[0], len(extents))) or (lanes + 1) not in (
        inner[0], len(extents) + 1
    ):  # fmt: skip
        return None
    shape = shape_of(load.value)
    extent = extents[lanes] if lanes < len(extents) else regions.extents[regions.rank]
    blocks, rest = packed_blocks(extent, columns), shape[1:]
    groups = shape[0] // extent
    if groups > 1 and blocks * 16 != extent:
        apart = insert(ReshapeOp(load.value, shape=(groups, extent, *rest)))
        order = (0, 1, *range(3, len(shape) + 2), 2)
        split = (groups, blocks, 16, *rest)
        packed = insert(PackOp(apart.result, (groups, blocks * 16, *rest), split, order))
        return insert(ReshapeOp(packed.result, shape=(groups * blocks, *rest, 16))).result
    blocks *= groups
    order = (0, *range(2, len(shape) + 1), 1)
    op = insert(PackOp(load.value, (blocks * 16, *rest), (blocks, 16, *rest), order))
    return op.result


def packed_blocks(extent: int, columns: int) -> int:
    """Blocks of 16 that `pack_blocks` makes of `extent` elements: whole tiles of `columns`."""
    return -(-extent // columns) * -(-columns // 16)
