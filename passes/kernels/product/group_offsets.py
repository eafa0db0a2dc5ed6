"""Where a tile of a grouped convolution finds its group: index arithmetic in the body of the product."""

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.tiling import Contraction
from ...support.index_ops import index_constant


def number(body: Builder, value: int) -> SSAValue:
    """An index that is known when the kernel is built."""
    return body.insert(index_constant(value)).result


def _group(body: Builder, offset: SSAValue, columns: int, contraction: Contraction) -> SSAValue:
    """The group of the columns from `offset` on; all groups have `columns`."""
    return body.insert(arith.DivUIOp(offset, number(body, columns // contraction.groups))).result


def group_image(
    body: Builder, offsets: Sequence[SSAValue], columns: int, n: int, contraction: Contraction
) -> SSAValue:
    """The image of a group: the kernel sees x as [N groups, C / groups, H, W]. `columns` of dimension `n` are those of
    all groups."""
    image = body.insert(arith.MuliOp(offsets[0], number(body, contraction.groups))).result
    return body.insert(arith.AddiOp(image, _group(body, offsets[n], columns, contraction))).result


def group_channel(
    body: Builder, offset: SSAValue, columns: int, channels: int, at: SSAValue, contraction: Contraction
) -> SSAValue:
    """Where channel `at` of the group of a tile's columns, from `offset` on, is among those of all groups, which have
    `channels` each."""
    group = _group(body, offset, columns, contraction)
    first = body.insert(arith.MuliOp(group, number(body, channels))).result
    return body.insert(arith.AddiOp(first, at)).result


def packed_column(body: Builder, offset: SSAValue, columns: int, contraction: Contraction) -> SSAValue:
    """Where a tile's columns start in packed weights: tiles of a group that are no whole blocks are padded."""
    if contraction.groups == 1 or columns % 16 == 0:
        return offset
    tile = body.insert(arith.DivUIOp(offset, number(body, columns))).result
    return body.insert(arith.MuliOp(tile, number(body, -(-columns // 16) * 16))).result
