"""Rows of planes that go round (`tile.Circular`), to GM in whole 32 B blocks.

A core has all channels of its rows, [c1][pixel][16]. Of channel c it writes the blocks that begin among its own pixels,
the first of them `skip` pixels behind the first one: each of the 16 channels of a block has another skip. Transposes
make them rows [lane][c1][pixel], where all rows of a lane have one skip; these become the lanes of 32 B blocks, one
block for each pixel, and transposes back start at the pixel that the skip says:

    [c1][pixel][16 channels]  ->  [lane][c1][pixels]  ->  for each lane [pixel][16 rows]  ->  [row][pixels from skip on]

A long row is cut into several, so that there are 16. Behind the last pixel of a plane comes the first one of the next
channel: the first pixels, in which the tile's rows go round, are put there one channel further. Of chunks of channels
the last one comes first, so that the first pixels of the channel behind a chunk are known.

The block that two images share has the last pixels of the one's last channel, which the first tile of the other has
too, and its first pixels.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.context import Carried
from ..base.dma import fill
from ..base.emitter import Generation
from ..base.place import Place
from ..vector.vector import expand_lanes

if TYPE_CHECKING:
    from ..base.context import LoweringContext

MOST_CHANNELS = 256
"""Channels of a tile: their blocks are lanes of one transpose."""
SQUARE = BLOCK * BLOCK
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
        return (self.part + self.overlap) * SQUARE

    @property
    def shifted(self) -> int:
        """Elements of 16 rows of one lane, shifted."""
        return self.part * SQUARE


def circular_scratch(channels: int, pixels: int, first: int) -> int:
    """Elements of UB that the store of a tile needs beside it."""
    shape = Shape.of(channels, pixels, first)
    around = (shape.blocks + 1) * SQUARE + 4 * SQUARE + 2 * BLOCK
    return shape.rows + LANES_AT_ONCE * (shape.columns + 2 * shape.shifted) + around


def circular_repeats(channels: int, pixels: int, first: int) -> tuple[int, int]:
    """Block transposes, and instructions, of the store of a tile."""
    shape = Shape.of(channels, pixels, first)
    lane = 2 * shape.part + shape.overlap
    return shape.blocks * shape.parts * shape.part + BLOCK * lane, shape.blocks + 2 * BLOCK


def carried_rows(k: LoweringContext) -> Carried:
    """Rows for what chunks hand to each other, zero at first."""
    dtype = memref_type(k.tensors[k.source.body.block.args[len(k.source.inputs)]]).element_type
    rows = [k.emit.fresh(BLOCK, dtype, "ub", label) for label in ("head", "tail")]
    for row in rows:
        fill(k, row, 0, BLOCK, dtype)
    return Carried(*rows)


def store_circular(k: LoweringContext, op: tile.StoreOp) -> None:
    """Emit the store of one chunk of a tile's channels."""
    CircularStore(k, op).emit_all()


class CircularStore:
    """Where the pixels of the current chunk are, in UB and in GM."""

    def __init__(self, k: LoweringContext, op: tile.StoreOp):
        emit, circular, carried = k.emit, k.source.rows, k.carried
        assert circular is not None and carried is not None
        self.k, self.place, self.tensor = k, k.places[op.tile], k.tensors[op.tensor]
        self.circular, self.carried, self.dtype = circular, carried, self.place.dtype
        self.images, self.channels, height, self.width = memref_type(self.tensor).get_shape()
        self.plane = height * self.width
        self.image, self.channel, row, _ = (k.idx(offset) for offset in op.offsets)
        chunk = self.place.shape[self.place.block]
        self.last = (self.channels - 1) // chunk * chunk
        """The first channel of the chunk with the last one."""
        own = k.source.tile_sizes[circular.dim] - circular.halo
        before = emit.max(emit.sub(0, row), 0) if circular.lead else 0
        end = emit.min(emit.add(row, own), height)
        self.low = emit.mul(before, self.width)
        """The tile's first own pixel, counted in the tile."""
        self.count = emit.mul(emit.sub(emit.sub(end, row), before), self.width)
        self.start = emit.mul(emit.add(row, before), self.width)
        """The same pixel, counted in the plane."""
        self.base = emit.add(
            emit.mul(self.image, self.channels * self.plane), emit.mul(self.channel, self.plane)
        )
        """Where the plane of the chunk's first channel starts."""
        at, last = k.coordinates[circular.dim], k.source.grid[circular.dim] - 1
        self.ends = emit.sub(1, emit.min(emit.sub(last, at), 1))
        """1 for the last tile of a plane, else 0."""
        self.begins = emit.sub(1, emit.min(at, 1))
        self.shape = Shape.of(chunk, own * self.width, circular.lead * self.width)

    @property
    def shared(self) -> bool:
        """Whether images share blocks."""
        return self.circular.lead > 0

    def emit_all(self) -> None:
        emit = self.k.emit
        if self.shared:  # before the first pixels are put behind the last ones
            with emit.condition("slt", 0, emit.mul(self.begins, self.image)):
                self._between_images()
        with emit.condition("slt", 0, self.ends):
            self._go_round()
        rows = self._rows()
        with emit.loop(0, BLOCK, LANES_AT_ONCE) as first:
            columns = emit.fresh(LANES_AT_ONCE * self.shape.columns, self.dtype, "ub", "columns")
            shifted = emit.fresh(LANES_AT_ONCE * self.shape.shifted, self.dtype, "ub", "shifted")
            with emit.loop(0, LANES_AT_ONCE) as i:
                self._to_columns(rows, emit.add(first, i), columns, i)
            with emit.loop(0, LANES_AT_ONCE) as i:
                self._shift(columns, emit.add(first, i), shifted, i)
            with emit.loop(0, LANES_AT_ONCE) as i:
                self._write(shifted, emit.add(first, i), i)

    def _residue(self, lane: Idx) -> Idx:
        """How far behind a block the own pixels of a lane's channels begin in GM."""
        emit = self.k.emit
        at = emit.add(self.base, emit.mul(lane, self.plane))
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

    def _copy(self, source: tuple[Generation, Idx], result: tuple[Generation, Idx]) -> None:
        """One block."""
        views = [self.k.emit.view(base, [BLOCK], [1], start) for base, start in (source, result)]
        self.k.emit.insert(ascend.VecOp("vcopy", views[:1], views[1], None))

    def _go_round(self) -> None:
        """Put the first pixels of the plane behind its last ones, each one channel further."""
        emit, place, blocks = self.k.emit, self.place, self.shape.blocks
        apart, end = place.strides[place.block], emit.add(self.low, self.count)
        first = emit.add(end, self.circular.gap * self.width)
        heads = emit.fresh((blocks + 1) * SQUARE, self.dtype, "ub", "heads")
        self._transpose(
            (place.base, self._pixels(first), (apart, BLOCK)), (heads, 0, (SQUARE, BLOCK)), blocks
        )
        self._copy((self.carried.head, 0), (heads, blocks * SQUARE))
        fill(self.k, heads, blocks * SQUARE + BLOCK, SQUARE - BLOCK, self.dtype)
        self._copy((heads, 0), (self.carried.head, 0))
        read = heads, BLOCK, (SQUARE, BLOCK)
        self._transpose(read, (place.own, self._pixels(end), (apart, BLOCK)), blocks)

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
        pixels = prod(place.shape[d] for d in range(place.block + 1, len(place.shape)))
        with emit.loop(0, shape.blocks) as c1:
            plane = emit.mul(c1, place.strides[place.block])
            read = emit.add(self._pixels(first), plane)
            if pixels < shape.row:  # transposes read behind the tile, what nobody stores
                fill(
                    self.k,
                    place.own,
                    emit.add(self._pixels(pixels), plane),
                    (shape.row - pixels) * BLOCK,
                    self.dtype,
                )
            self._transpose(
                (place.base, read, (SQUARE, BLOCK)),
                (rows, emit.mul(c1, shape.row), (BLOCK, shape.blocks * shape.row)),
                groups,
            )
        return rows

    def _to_columns(self, rows: Generation, lane: Idx, columns: Generation, slot: Idx) -> None:
        """A block for each pixel of a lane's rows."""
        shape = self.shape
        start = self.k.emit.mul(lane, shape.blocks * shape.row)
        self._transpose(
            (rows, start, (BLOCK, shape.part * BLOCK)),
            (columns, self.k.emit.mul(slot, shape.columns), (SQUARE, BLOCK)),
            shape.part + shape.overlap,
        )

    def _shift(self, columns: Generation, lane: Idx, shifted: Generation, slot: Idx) -> None:
        """The rows from the first pixel on with which a block begins."""
        emit, shape = self.k.emit, self.shape
        skip = emit.add(emit.rem(self.low, BLOCK), self._skip(self._residue(lane)))
        self._transpose(
            (columns, emit.add(emit.mul(skip, BLOCK), emit.mul(slot, shape.columns)), (SQUARE, BLOCK)),
            (shifted, emit.mul(slot, shape.shifted), (BLOCK, shape.part * BLOCK)),
            shape.part,
        )

    def _write(self, shifted: Generation, lane: Idx, slot: Idx) -> None:
        """The blocks of a lane's channels; of the image's last one without that which the next image has too."""
        emit, shape = self.k.emit, self.shape
        residue = self._residue(lane)
        skip = self._skip(residue)
        end = emit.add(residue, self.count)
        first, behind = (emit.div(emit.add(at, BLOCK - 1), BLOCK) for at in (residue, end))
        blocks = emit.sub(behind, first)
        left = emit.sub(emit.sub(self.channels + BLOCK - 1, self.channel), lane)
        count = emit.min(emit.div(left, BLOCK), shape.blocks)
        at = emit.add(emit.add(emit.add(self.base, emit.mul(lane, self.plane)), self.start), skip)

        def write(channels: Idx, number: Idx, c1: int) -> None:
            length = emit.mul(number, BLOCK)
            read = emit.view(
                shifted,
                [channels, length],
                [shape.row, 1],
                emit.add(emit.mul(slot, shape.shifted), c1 * shape.row),
            )
            to = emit.add(at, c1 * BLOCK * self.plane)
            emit.copy(read, emit.view(self.tensor, [channels, length], [BLOCK * self.plane, 1], to))

        last = self.channels - 1
        if self.shared:
            is_last = emit.mul(self._equal(lane, last % BLOCK), self._equal(self.channel, self.last))
            count = emit.sub(count, is_last)
            follows = emit.min(emit.sub(self.images - 1, self.image), 1)
            cut = emit.mul(emit.mul(self.ends, follows), emit.min(emit.rem(end, BLOCK), 1))
            with emit.condition("slt", 0, emit.mul(is_last, emit.sub(blocks, cut))):
                write(1, emit.sub(blocks, cut), (last - self.last) // BLOCK)
        # channels that do not exist are no bursts
        with emit.condition("slt", 0, blocks) if self.width < BLOCK else nullcontext():
            write(count, blocks, 0)

    def _equal(self, a: Idx, b: int) -> Idx:
        """1 where two numbers are the same, else 0."""
        emit = self.k.emit
        return emit.sub(1, emit.min(emit.max(emit.sub(a, b), emit.sub(b, a)), 1))

    def _between_images(self) -> None:
        """The block in which the image before ends and the current one begins, if there is one."""
        emit, last = self.k.emit, self.channels - 1
        residue = emit.rem(emit.mul(self.image, self.channels * self.plane), BLOCK)
        with emit.condition("slt", 0, emit.mul(residue, self._equal(self.channel, self.last))):
            lanes = self._lanes(self.circular.halo * self.width - BLOCK, (last - self.last) // BLOCK)
            self._copy((lanes, last % BLOCK * BLOCK), (self.carried.tail, 0))
        with emit.condition("slt", 0, emit.mul(residue, self._equal(self.channel, 0))):
            lanes = self._lanes(self.circular.lead * self.width, 0)
            pixels = emit.fresh(2 * SQUARE, self.dtype, "ub", "pixels")
            shape, order = (BLOCK, BLOCK), (0, 1)
            for i, row in enumerate((self.carried.tail, lanes)):
                source = Place(row, self.dtype, shape, shape, shape, order, 1)
                expand_lanes(emit, source, replace(source, base=pixels, offset=i * SQUARE), BLOCK)
            block = emit.fresh(SQUARE, self.dtype, "ub", "block")
            first = emit.mul(emit.sub(BLOCK, residue), BLOCK)
            self._transpose((pixels, first, (SQUARE, BLOCK)), (block, 0, (SQUARE, BLOCK)), 1)
            at = emit.sub(emit.mul(self.image, self.channels * self.plane), residue)
            emit.copy(emit.view(block, [BLOCK], [1]), emit.view(self.tensor, [BLOCK], [1], at))

    def _lanes(self, pixel: int, c1: int) -> Generation:
        """[16 channels][16 pixels] from a pixel of the tile on."""
        place = self.place
        lanes = self.k.emit.fresh(SQUARE, self.dtype, "ub", "lanes")
        start = self.k.emit.add(self._pixels(pixel), c1 * place.strides[place.block])
        self._transpose((place.base, start, (SQUARE, BLOCK)), (lanes, 0, (SQUARE, BLOCK)), 1)
        return lanes


__all__ = ["MOST_CHANNELS", "Carried", "circular_repeats", "circular_scratch", "store_circular"]
