"""The bytes of tiles as their layouts store them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects import tile
from ...dialects.tile import tile_type
from .tile_values import TileValue

Array = NDArray[Any]


def blocks(found: TileValue, wrong: NDArray[np.bool_] | None = None) -> Array:
    """Whole 32 B blocks of a tile as rows of bytes, as its layout stores them; those of zeros are left out, and
    bit masks, which are found by what is made of them.

    With `wrong`, a mask over the kernel's result, those of a computed tile that wrong elements come from, if
    the tile lies as the result does.
    """
    op, value = found.op, found.value
    kind = tile_type(op.operands[0] if isinstance(op, tile.StoreOp) else op.results[0])
    if str(kind.element_type) == "i1":  # bits in UB
        return np.empty((0, 32), np.uint8)
    dim = len(kind.get_shape()) - 1 if kind.blocked is None else kind.blocked
    packed = isinstance(op, tile.LoadOp) and op.packed is not None
    if packed or (kind.space.data == "l1" and kind.get_order() == (0, 1)):  # filters: K innermost
        dim = 0
    lanes = 32 // value.dtype.itemsize
    whole = value.shape[dim] // lanes * lanes

    def rows(array: Array) -> Array:
        cut = np.take(array, range(whole), axis=dim)
        return np.ascontiguousarray(np.moveaxis(cut, dim, -1)).reshape(-1, lanes)

    found_rows = rows(value)
    kept = (found_rows != 0).any(axis=1)
    mask = None
    if wrong is not None and not isinstance(op, tile.LoadOp):
        mask = _part(wrong, found.offsets, value.shape)
    if mask is not None:
        kept &= rows(mask).any(axis=1)
    return found_rows[kept].view(np.uint8)


def _part(wrong: NDArray[np.bool_], offsets: Sequence[int], shape: Sequence[int]) -> Array | None:
    """The part of a mask over the result that a tile covers, repeated dimensions folded into one."""
    if len(shape) != wrong.ndim:
        return None
    part: Array = wrong
    for d, (start, size, extent) in enumerate(zip(offsets, shape, wrong.shape, strict=True)):
        if size == 1 != extent:
            part = np.max(part, axis=d, keepdims=True)
            continue
        part = np.take(part, range(start, min(start + size, extent)), axis=d)
        part = np.pad(part, [(0, size - part.shape[i] if i == d else 0) for i in range(wrong.ndim)])
    return part
