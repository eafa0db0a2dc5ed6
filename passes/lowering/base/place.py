"""Where the elements of a tile are: a buffer generation and a stride for each dimension.

A tile is walked in blocks of 16 elements along one dimension, whose lanes lie innermost: the last dimension of a
row-major tile (`nd`: rows padded to whole blocks), dimension `d` of a tile blocked at `d`. In L1 blocks have 32 B, as
the Cube reads its operands: 16 elements, 8 of f32. All other dimensions are walked as they are. A stride of 0 repeats
the source, which is how a broadcast operand reads.
"""

from dataclasses import replace
from math import prod

from xdsl.ir import Attribute, SSAValue

from ....dialects.records import dataclass
from ....dialects.tile import TileType
from ...support.indices import Idx
from .emitter import Generation

MASK_RUN = 256
"""Bits of a mask in a 32 B block."""


def is_mask(dtype: Attribute) -> bool:
    """Whether tiles of this type in UB are bit masks."""
    return str(dtype) == "i1"


def ceil_to(value: int, unit: int) -> int:
    return -(-value // unit) * unit


@dataclass(frozen=True)
class Place:
    """`strides[d]` is the distance, in elements, between neighbours along `d`; for the blocked dimension between
    neighbouring blocks. `sizes[d]` counts elements, `shape` their maxima. `base` is a generation of a buffer of the
    program, or a buffer of the group."""

    base: Generation | SSAValue
    dtype: Attribute
    shape: tuple[int, ...]
    sizes: tuple[Idx, ...]
    strides: tuple[int, ...]
    order: tuple[int, ...]
    block: int
    offset: Idx = 0
    pads: tuple[Idx, Idx, Idx, Idx] = (0, 0, 0, 0)
    mask: bool = False
    """Whether it is a bit mask: elements are bits."""
    part: bool = False
    """Whether it is some rows of a tile."""
    inside: tuple[tuple[int, int] | None, ...] = ()
    """Of a tile without the padding in `shape`: for each dimension how much of that is before the first element, and
    how many there are; None where it has what `shape` says."""
    clip: tuple[tuple[int, int] | None, ...] = ()
    """Of a window of such a tile: for each dimension the first element that there is, and the one after the last."""

    @property
    def own(self) -> Generation:
        """The generation of a buffer of the program that holds it."""
        assert isinstance(self.base, Generation), "a buffer of the group has no generations"
        return self.base

    @property
    def landed(self) -> bool:
        """Whether it is a chunk of a product in UB: its rows are padded to whole fractals."""
        if self.part:
            return False
        if not isinstance(self.base, Generation):
            return True
        return self.base.buffer.label is not None and self.base.buffer.label.data == "result"

    def broadcast(self, dims: frozenset[int]) -> "Place":
        """The same place read with stride 0 along `dims`."""
        return replace(self, strides=tuple(0 if d in dims else s for d, s in enumerate(self.strides)))


def blocked_dim(tile: TileType) -> int:
    """The dimension whose blocks lie innermost."""
    return len(tile.get_shape()) - 1 if tile.blocked is None else tile.blocked


def physical(tile: TileType, pad_rows: int = 1) -> tuple[int, tuple[int, ...]]:
    """Elements that a tile occupies, and the stride of each dimension (`Place.strides`).

    `pad_rows` rounds up the product of the dimensions inside the blocked one (rows of whole fractals). Of a bit mask,
    counted in bits, each contiguous run starts on 32 B.
    """
    shape, order = tile.get_shape(), tile.get_order()
    block = blocked_dim(tile)
    strides = [0] * len(shape)
    position = order.index(block)
    lanes = tile.lanes
    step = lanes
    inner = order[position + 1 :]
    for d in reversed(inner):
        strides[d] = step
        step *= shape[d]
    mask = is_mask(tile.element_type)
    pad_rows = MASK_RUN // lanes if mask and tile.blocked is not None else pad_rows
    step = ceil_to(prod(shape[d] for d in inner), pad_rows) * lanes
    strides[block] = step
    step *= -(-shape[block] // lanes)
    if mask:
        step = ceil_to(step, MASK_RUN)
    for d in reversed(order[:position]):
        strides[d] = step
        step *= shape[d]
    return step, tuple(strides)
