"""What loads of the tile level bring and what products do with it, in numpy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects import tile
from ...dialects.ascend.memory import TABLES
from ...dialects.tile import BLOCK, TileType, tile_type
from ...dialects.tiling import Along, Image2Col, Picked

Array = NDArray[Any]


def _rows_around(op: tile.LoadOp) -> tuple[int, tile.KernelOp] | None:
    """The dimension of a load's tensor whose rows go round, and the kernel; None where none do."""
    kernel = op.parent_op()
    while not isinstance(kernel, tile.KernelOp):
        assert kernel is not None, "loads are in kernels"
        kernel = kernel.parent_op()
    rows = kernel.rows
    if rows is None:
        return None
    dims = (d for d, e in enumerate(op.maps) if isinstance(e, Along) and e.dim == rows.dim and e.stride)
    return next(((d, kernel) for d in dims), None)


def _go_round(
    array: Array,
    op: tile.LoadOp,
    around: tuple[int, tile.KernelOp],
    offsets: Sequence[int],
    sizes: Sequence[int],
) -> Array:
    """One image with the rows that a region needs: its own, its first ones again, those at the end of the image before,
    zeros."""
    d, kernel = around
    image, entry, rows = op.maps[0], op.maps[d], kernel.rows
    assert isinstance(image, Along) and isinstance(entry, Along) and rows is not None
    at, height, extent = offsets[image.dim], array.shape[d], kernel.extent_list[rows.dim]
    own, before = array[at : at + 1], array[max(at - 1, 0) : max(at, 1)] * (at > 0)
    zero = np.zeros_like(np.take(own, [0], axis=d))
    both = np.concatenate([before, own, zero], axis=d)
    first = offsets[entry.dim] * entry.stride - entry.pad
    found: list[int] = []
    for row in range(first, first + entry.span(sizes[entry.dim])):
        lead, again = (
            row + entry.stride * shift for shift in (rows.lead + extent - rows.halo, -extent - rows.gap)
        )
        if 0 <= row < height:
            found.append(height + row)
        elif rows.lead and row < 0 and 0 <= lead < height:
            found.append(lead)
        else:
            found.append(height + again if 0 <= again < height else 2 * height)
    return np.take(both, found, axis=d)


def load(
    op: tile.LoadOp,
    array: Array,
    indices_of: Array | None,
    offsets: Sequence[int],
    sizes: Sequence[int],
    rank: int,
) -> Array:
    """What a `tile.load` brings of a tensor for a region; `indices_of`: the tensor of its indices, `rank`: dimensions
    of the kernel. Filters that are no weights are the matrix [K, N] of the product."""
    if op.packed is not None and op.packed.data == "blocks":
        return _from_blocks(array, op, offsets)
    if op.packed is not None:
        k, n = (np.arange(o, o + s) for o, s in zip(offsets, sizes, strict=True))
        k1, n1, n0, k0 = array.shape
        k, n = k[k < k1 * k0, None], n[None, n < n1 * n0]
        return array[k // k0, n // n0, n % n0, k % k0]
    picked, in_ub = array, tile_type(op.result).space.data == "ub"
    around = _rows_around(op)
    if around is not None:
        picked = _go_round(picked, op, around, offsets, sizes)
    for d, entry in enumerate(op.maps):
        start, count = 0, 1
        if around is not None and d in (0, around[0]):
            continue
        if isinstance(entry, Picked):
            assert indices_of is not None
            ranges = [range(offsets[e], offsets[e] + sizes[e]) for e in entry.dims]
            found = indices_of[np.ix_(*ranges)] if ranges else indices_of
            picked = np.take(picked, found.reshape(-1), axis=d)  # a negative index counts from the end
            continue
        if isinstance(entry, Along):
            start = offsets[entry.dim] * entry.stride - entry.pad
            count = entry.span(sizes[entry.dim])
        indices = np.arange(start, start + count)
        if isinstance(entry, Along) and entry.thin and in_ub:
            indices = indices[:: entry.stride]
        if isinstance(entry, Along) and entry.repeat > 1:
            indices //= entry.repeat
        if op.lead is not None and isinstance(entry, Along) and entry.dim == rank - 1:
            indices = np.concatenate([np.arange(start - BLOCK, start) % array.shape[d], indices])
        inside = (indices >= 0) & (indices < array.shape[d])
        picked = np.take(picked, np.clip(indices, 0, array.shape[d] - 1), axis=d)
        fill = 0.0 if op.fill is None else op.fill.value.data
        mask = inside.reshape([-1 if i == d else 1 for i in range(array.ndim)])
        picked = np.where(mask, picked, np.asarray(fill, picked.dtype))
    kind = tile_type(op.result)
    if kind.space.data not in ("ub", *TABLES):
        return _filters(picked, kind.lanes) if len(kind.get_shape()) < picked.ndim else picked
    # In UB a tile is seen in the kernel's dimensions: one that the tensor lacks has size one.
    shape, order = [1] * len(kind.get_shape()), list[int]()
    for d, entry in enumerate(op.maps):
        for e in entry.dims if isinstance(entry, Picked) else [entry.dim] if isinstance(entry, Along) else []:
            shape[e] = sizes[e] if isinstance(entry, Picked) else picked.shape[d]
            order.append(e)
    kept = picked.reshape([shape[e] for e in order])
    return kept.transpose(np.argsort(order)).reshape(shape) if order else kept.reshape(shape)


def _from_blocks(array: Array, op: tile.LoadOp, offsets: Sequence[int]) -> Array:
    """A tile of packed weights [c1, .., 16]: whole blocks of 16 along the first dimension of the map."""
    kind = tile_type(op.result)
    shape, first = kind.get_shape(), op.maps[0]
    assert isinstance(first, Along)
    start = offsets[first.dim] // BLOCK
    blocks = np.moveaxis(array[start : start - (-shape[first.dim] // BLOCK)], -1, 1)
    joined = blocks.reshape(-1, *blocks.shape[2:])[: shape[first.dim]]
    return joined.reshape(shape)


def _filters(filters: Array, c0: int) -> Array:
    """Filters [N, C, kh, kw] as the right operand of a convolution: K is (C1, kh, kw, C0)."""
    count, channels, *taps = filters.shape
    padded = np.zeros((count, -(-channels // c0) * c0, *taps), filters.dtype)
    padded[:, :channels] = filters
    blocks = padded.reshape(count, -1, c0, *taps)
    return blocks.transpose(1, 3, 4, 2, 0).reshape(-1, count)


def step_product(op: tile.ContractOp, lhs: Array, right: Sequence[Array]) -> Array:
    """[rows, columns]: what one step of K adds to a product."""
    if op.image is not None:
        left = _columns(lhs, op.image, tile_type(yielded(op).values[0]).lanes)
    else:
        left = lhs.reshape(-1, lhs.shape[-1])
        left = left.T if op.schedule.transpose_lhs else left
    matrices = [rhs.reshape(-1, rhs.shape[-1]) for rhs in right]
    turned = op.schedule.transpose_rhs
    joined = np.concatenate([rhs.T if turned else rhs for rhs in matrices], axis=1)
    depth = min(left.shape[1], joined.shape[0])
    return left[:, :depth] @ joined[:depth]


def yielded(op: tile.ContractOp) -> tile.YieldOp:
    """The end of a product's body, which names its operands."""
    last = op.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    return last


def in_rows(operand: Array, kind: TileType) -> Array:
    """An operand in NZ with its rows as the product counts them."""
    order, last = kind.get_order(), len(kind.get_shape()) - 1
    return operand.transpose(*order[1:], last) if order[0] == last == kind.blocked else operand


def _columns(image: Array, window: Image2Col, c0: int) -> Array:
    """Rows of the matrix that a convolution's product reads: K is (C1, kh, kw, C0). The padding is in the image."""
    (kh, kw), (sh, sw), (dh, dw) = window.kernel, window.strides, window.dilations
    channels = -(-image.shape[-3] // c0) * c0
    padded = np.zeros((channels, *image.shape[-2:]), image.dtype)
    padded[: image.shape[-3]] = image.reshape(-1, *image.shape[-3:])[0]
    rows = (image.shape[-2] - (kh - 1) * dh - 1) // sh + 1
    columns = (image.shape[-1] - (kw - 1) * dw - 1) // sw + 1
    taps = [
        padded[:, i * dh : i * dh + (rows - 1) * sh + 1 : sh, j * dw : j * dw + (columns - 1) * sw + 1 : sw]
        for i in range(kh)
        for j in range(kw)
    ]
    stacked = np.stack(taps).reshape(kh * kw, channels // c0, c0, rows * columns)
    return stacked.transpose(3, 1, 0, 2).reshape(rows * columns, -1)
