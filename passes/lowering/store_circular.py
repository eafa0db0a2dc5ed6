"""Rows of planes that go round (`tile.Circular`), to GM in whole 32 B blocks.

A tile has all channels of its rows, [c1][pixel][16]. Of channel c it writes the blocks that begin among its own pixels,
the first of them `skip` pixels behind the first one: each of the 16 channels of a block has another skip. Transposes
make them rows [lane][c1][pixel], where all rows of a lane have one skip; these become the lanes of 32 B blocks, one
block for each pixel, and transposes back start at the pixel that the skip says:

    [c1][pixel][16 channels]  ->  [lane][c1][pixels]  ->  for each lane [pixel][16 rows]  ->  [row][pixels from skip on]

A long row is cut into several, so that there are 16. Behind the last pixel of a plane comes the first one of the next
channel: the first pixels, in which the tile's rows go round, are put there one channel further.

The block that two images share has the last pixels of the one's last channel, which the first tile of the other has
too, and its first pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import memref_type
from ...dialects.tile import BLOCK
from .emitter import Generation, Idx
from .moves import fill
from .place import Place
from .vector import expand_lanes

if TYPE_CHECKING:
    from .kernel import KernelLowering

MOST_CHANNELS = 256
"""Channels of a tile: their blocks are lanes of one transpose."""
LANES_AT_ONCE = 4
"""Lanes whose rows are shifted before they are stored."""


@dataclass(frozen=True)
class Shape:
    """How `channels` channels of `pixels` own pixels at most, from pixel `first` of the tile at most, are shifted: in
    `parts` parts of `part` groups of 16 pixels, which overlap by `overlap` groups."""

    blocks: int
    parts: int
    part: int
    overlap: int

    @staticmethod
    def of(channels: int, pixels: int, first: int) -> Shape:
        blocks, groups = -(-channels // BLOCK), -(-(pixels + BLOCK - 1) // BLOCK)
        parts = max(n for n in range(1, BLOCK // blocks + 1) if groups % n == 0)
        return Shape(blocks, parts, groups // parts, -(-(first % BLOCK + BLOCK - 1) // BLOCK))

    @property
    def row(self) -> int:
        """Pixels of a channel."""
        return self.parts * self.part * BLOCK

    @property
    def rows(self) -> int:
        """Elements of [lane][c1][pixels], and what transposes read behind them."""
        behind = (BLOCK - self.blocks * self.parts) * self.part + self.overlap
        return BLOCK * self.blocks * self.row + behind * BLOCK

    @property
    def columns(self) -> int:
        """Elements of [pixel][16 rows] of one lane."""
        return (self.part + self.overlap) * BLOCK * BLOCK

    @property
    def shifted(self) -> int:
        """Elements of 16 rows of one lane, shifted."""
        return self.part * BLOCK * BLOCK


def circular_scratch(channels: int, pixels: int, first: int) -> int:
    """Elements of UB that the store of a tile needs beside it."""
    shape = Shape.of(channels, pixels, first)
    around = (shape.blocks + 1) * BLOCK * BLOCK + 5 * BLOCK * BLOCK
    return shape.rows + LANES_AT_ONCE * (shape.columns + 2 * shape.shifted) + around


def circular_repeats(channels: int, pixels: int, first: int) -> tuple[int, int]:
    """Block transposes, and instructions, of the store of a tile."""
    shape = Shape.of(channels, pixels, first)
    lane = 2 * shape.part + shape.overlap
    return shape.blocks * shape.parts * shape.part + BLOCK * lane, shape.blocks + 2 * BLOCK


def store_circular(k: KernelLowering, op: tile.StoreOp) -> None:
    """Emit the store of one tile."""
    CircularStore(k, op).emit_all()


class CircularStore:
    """Where the pixels of the current tile are, in UB and in GM."""

    def __init__(self, k: KernelLowering, op: tile.StoreOp):
        emit, circular = k.emit, k.source.rows
        assert circular is not None
        self.k, self.place, self.tensor = k, k.places[op.tile], k.tensors[op.tensor]
        self.images, self.channels, height, self.width = memref_type(self.tensor).get_shape()
        self.plane = height * self.width
        image, _, row, _ = (k.idx(offset) for offset in op.offsets)
        own = k.source.tile_sizes[circular.dim] - circular.halo
        self.image, self.circular = image, circular
        before = emit.max(emit.sub(0, row), 0) if circular.lead else 0
        end = emit.min(emit.add(row, own), height)
        self.low = emit.mul(before, self.width)
        """The tile's first own pixel, counted in the tile."""
        self.count = emit.mul(emit.sub(emit.sub(end, row), before), self.width)
        self.start = emit.mul(emit.add(row, before), self.width)
        """The same pixel, counted in the plane."""
        at, last = k.coordinates[circular.dim], k.source.grid[circular.dim] - 1
        self.ends = emit.sub(1, emit.min(emit.sub(last, at), 1))
        """1 for the last tile of a plane, else 0."""
        self.begins = emit.sub(1, emit.min(at, 1))
        self.shape = Shape.of(self.channels, own * self.width, circular.lead * self.width)
        self.dtype = self.place.dtype

    @property
    def shared(self) -> bool:
        """Whether images share blocks."""
        return self.images > 1 and self.channels * self.plane % BLOCK != 0

    def emit_all(self) -> None:
        emit = self.k.emit
        if self.shared:  # before the first pixels are put behind the last ones
            with emit.condition("slt", 0, emit.mul(self.begins, self.image)):
                self._between_images()
        with emit.condition("slt", 0, self.ends):
            self._go_round()
        rows = self._rows()
        with emit.loop(0, BLOCK, LANES_AT_ONCE) as first:
            lanes = [emit.add(first, i) for i in range(LANES_AT_ONCE)]
            columns = emit.fresh(LANES_AT_ONCE * self.shape.columns, self.dtype, "ub", "columns")
            shifted = emit.fresh(LANES_AT_ONCE * self.shape.shifted, self.dtype, "ub", "shifted")
            for i, lane in enumerate(lanes):
                self._to_columns(rows, lane, columns, i)
            for i, lane in enumerate(lanes):
                self._shift(columns, lane, shifted, i)
            for i, lane in enumerate(lanes):
                self._write(shifted, lane, i)

    def _residue(self, lane: Idx) -> Idx:
        """How far behind a block the own pixels of a lane's channels begin in GM."""
        emit = self.k.emit
        at = emit.add(emit.mul(self.image, self.channels * self.plane), emit.mul(lane, self.plane))
        return emit.rem(emit.add(at, self.start), BLOCK)

    def _skip(self, residue: Idx) -> Idx:
        emit = self.k.emit
        return emit.sub(emit.mul(emit.min(residue, 1), BLOCK), residue)

    def _transpose(
        self,
        source: tuple[Generation | SSAValue, Idx, tuple[int, int]],
        result: tuple[Generation, Idx, tuple[int, int]],
        repeats: Idx,
    ) -> None:
        """16 blocks, `repeats` times; where each side starts, and its distances between repeats and between blocks."""
        emit = self.k.emit
        views = [
            emit.view(base, [repeats, BLOCK, BLOCK], [*steps, 1], start)
            for base, start, steps in (source, result)
        ]
        emit.insert(ascend.TransposeOp(*views))

    def _pixels(self, first: Idx) -> Idx:
        """Where pixel `first` of the tile is in its buffer."""
        emit = self.k.emit
        return emit.add(self.place.offset, emit.mul(first, BLOCK))

    def _go_round(self) -> None:
        """Put the first pixels of the plane behind its last ones, each one channel further."""
        emit, place, blocks = self.k.emit, self.place, self.shape.blocks
        apart, end = place.strides[place.block], emit.add(self.low, self.count)
        first = emit.add(end, self.circular.gap * self.width)
        heads = emit.fresh((blocks + 1) * BLOCK * BLOCK, self.dtype, "ub", "heads")
        fill(self.k, heads, blocks * BLOCK * BLOCK, BLOCK, self.dtype)
        square = (BLOCK * BLOCK, BLOCK)
        self._transpose((place.base, self._pixels(first), (apart, BLOCK)), (heads, 0, square), blocks)
        assert isinstance(place.base, Generation)
        self._transpose((heads, BLOCK, square), (place.base, self._pixels(end), (apart, BLOCK)), blocks)

    def _rows(self) -> Generation:
        """[lane][c1][pixels], from the group of 16 pixels on in which the first own one is."""
        emit, place, shape = self.k.emit, self.place, self.shape
        rows = emit.fresh(shape.rows, self.dtype, "ub", "rows")
        first: Idx = emit.mul(emit.div(self.low, BLOCK), BLOCK)
        groups: Idx = shape.parts * shape.part
        whole = BLOCK * shape.blocks * shape.row
        fill(self.k, rows, whole, shape.rows - whole, self.dtype)
        if self.circular.lead:  # the first tile has fewer pixels
            used = emit.add(emit.sub(self.low, first), emit.add(self.count, BLOCK - 1))
            fewer = emit.max(emit.sub(groups, emit.div(emit.add(used, BLOCK - 1), BLOCK)), 0)
            groups = emit.sub(groups, emit.mul(self.begins, fewer))
            with emit.condition("slt", 0, self.begins):
                fill(self.k, rows, 0, whole, self.dtype)
        with emit.loop(0, shape.blocks) as c1:
            read = emit.add(self._pixels(first), emit.mul(c1, place.strides[place.block]))
            self._transpose(
                (place.base, read, (BLOCK * BLOCK, BLOCK)),
                (rows, emit.mul(c1, shape.row), (BLOCK, shape.blocks * shape.row)),
                groups,
            )
        return rows

    def _to_columns(self, rows: Generation, lane: Idx, columns: Generation, slot: int) -> None:
        """A block for each pixel of a lane's rows."""
        shape = self.shape
        start = self.k.emit.mul(lane, shape.blocks * shape.row)
        self._transpose(
            (rows, start, (BLOCK, shape.part * BLOCK)),
            (columns, slot * shape.columns, (BLOCK * BLOCK, BLOCK)),
            shape.part + shape.overlap,
        )

    def _shift(self, columns: Generation, lane: Idx, shifted: Generation, slot: int) -> None:
        """The rows from the first pixel on with which a block begins."""
        emit, shape = self.k.emit, self.shape
        skip = emit.add(emit.rem(self.low, BLOCK), self._skip(self._residue(lane)))
        self._transpose(
            (columns, emit.add(emit.mul(skip, BLOCK), slot * shape.columns), (BLOCK * BLOCK, BLOCK)),
            (shifted, slot * shape.shifted, (BLOCK, shape.part * BLOCK)),
            shape.part,
        )

    def _write(self, shifted: Generation, lane: Idx, slot: int) -> None:
        """The blocks of a lane's channels; of the image's last one without that which the next image has too."""
        emit, shape = self.k.emit, self.shape
        residue = self._residue(lane)
        skip = self._skip(residue)
        end = emit.add(residue, self.count)
        first, behind = (emit.div(emit.add(at, BLOCK - 1), BLOCK) for at in (residue, end))
        blocks = emit.sub(behind, first)
        count = emit.div(emit.sub(self.channels + BLOCK - 1, lane), BLOCK)
        at = emit.add(emit.mul(self.image, self.channels * self.plane), emit.mul(lane, self.plane))
        at = emit.add(emit.add(at, self.start), skip)
        source = slot * shape.shifted

        def write(channels: Idx, number: Idx, c1: int) -> None:
            length = emit.mul(number, BLOCK)
            read = emit.view(shifted, [channels, length], [shape.row, 1], source + c1 * shape.row)
            to = emit.add(at, c1 * BLOCK * self.plane)
            emit.copy(read, emit.view(self.tensor, [channels, length], [BLOCK * self.plane, 1], to))

        last = self.channels - 1
        if not self.shared or last % BLOCK % LANES_AT_ONCE != slot:
            write(count, blocks, 0)
            return
        is_last = emit.sub(
            1, emit.min(emit.max(emit.sub(lane, last % BLOCK), emit.sub(last % BLOCK, lane)), 1)
        )
        others = emit.sub(count, is_last)
        with emit.condition("slt", 0, others):
            write(others, blocks, 0)
        follows = emit.min(emit.sub(self.images - 1, self.image), 1)
        cut = emit.mul(emit.mul(self.ends, follows), emit.min(emit.rem(end, BLOCK), 1))
        with emit.condition("slt", 0, emit.mul(is_last, emit.sub(blocks, cut))):
            write(1, emit.sub(blocks, cut), last // BLOCK)

    def _between_images(self) -> None:
        """The block in which the image before ends and the current one begins, if there is one."""
        emit, place = self.k.emit, self.place
        residue = emit.rem(emit.mul(self.image, self.channels * self.plane), BLOCK)
        with emit.condition("slt", 0, residue):
            last = self.channels - 1
            pixels = emit.fresh(2 * BLOCK * BLOCK, self.dtype, "ub", "pixels")
            ends = (
                (self.circular.halo * self.width - BLOCK, last),
                (self.circular.lead * self.width, 0),
            )
            for i, (pixel, channel) in enumerate(ends):
                lanes = emit.fresh(BLOCK * BLOCK, self.dtype, "ub", "lanes")
                start = emit.add(self._pixels(pixel), channel // BLOCK * place.strides[place.block])
                square = (BLOCK * BLOCK, BLOCK)
                self._transpose((place.base, start, square), (lanes, 0, square), 1)
                shape = (BLOCK, BLOCK)
                row = Place(
                    lanes, self.dtype, shape, shape, (BLOCK, BLOCK), (0, 1), 1, channel % BLOCK * BLOCK
                )
                into = Place(pixels, self.dtype, shape, shape, (BLOCK, BLOCK), (0, 1), 1, i * BLOCK * BLOCK)
                expand_lanes(emit, row, into, BLOCK)
            block = emit.fresh(BLOCK * BLOCK, self.dtype, "ub", "block")
            first = emit.mul(emit.sub(BLOCK, residue), BLOCK)
            square = (BLOCK * BLOCK, BLOCK)
            self._transpose((pixels, first, square), (block, 0, square), 1)
            at = emit.sub(emit.mul(self.image, self.channels * self.plane), residue)
            emit.copy(emit.view(block, [BLOCK], [1]), emit.view(self.tensor, [BLOCK], [1], at))


__all__ = ["MOST_CHANNELS", "circular_repeats", "circular_scratch", "store_circular"]
