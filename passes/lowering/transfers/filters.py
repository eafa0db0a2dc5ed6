"""A convolution's filters that are no weights: [O, C, kh, kw] in GM to Zn fractals in L1, on the clock.

Sixteen filters and sixteen channels at a time. A transpose gives each (channel, tap) a block whose lanes are filters;
a second one collects the sixteen channels of a tap. Channels that do not exist are zero, because the feature map's
lanes for them are multiplied with them.

Where Cube and Vector are cores of their own, filters of one tap are a matrix, which DMA lays out on its way to L1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.attributes import tensor_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import GmRegion, fill, gm_offset, move
from ..base.emitter import Generation
from ..base.place import Place
from .feature_map import destination

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def from_vector_cores(operand: Operation | Block) -> bool:
    """Whether what gives a right operand loads filters that Vector cores lay out for a Cube core: they are no weights,
    and have more than one tap."""
    if not isinstance(operand, tile.LoadOp) or operand.packed is not None:
        return False
    *_, height, width = tensor_type(operand.tensor.type).get_shape()
    return height * width > 1


def filter_elements(kind: TileType) -> int:
    """Elements of L1 that filters take."""
    depth, columns = kind.get_shape()
    return -(-depth // kind.lanes) * kind.lanes * -(-columns // BLOCK) * BLOCK


@dataclass(frozen=True)
class _Filters:
    """What a load takes of a convolution's filters: the first one, the first channel of each and how many."""

    tensor: SSAValue
    kind: TileType
    first: Idx
    channel: Idx
    channels: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor: filters, channels, rows and columns of the window."""
        return memref_type(self.tensor).get_shape()

    @property
    def taps(self) -> int:
        _, _, height, width = self.shape
        return height * width

    @property
    def columns(self) -> int:
        """Filters of the tile."""
        return self.kind.get_shape()[1]

    @property
    def n1(self) -> int:
        return -(-self.columns // BLOCK)

    @property
    def c1(self) -> int:
        return -(-self.channels // self.kind.lanes)

    @property
    def fractal(self) -> int:
        return BLOCK * self.kind.lanes

    @property
    def halves(self) -> int:
        """Fractals for 16 channels of a tap."""
        return BLOCK // self.kind.lanes

    def place(self, base: Generation | SSAValue, at: Idx = 0) -> Place:
        sizes, strides = (self.channels * self.taps, self.columns), (self.n1 * self.fractal, self.fractal)
        return Place(base, self.kind.element_type, self.kind.get_shape(), sizes, strides, (0, 1), 1, at)


def load_filters(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place | None:
    """Emit the load of [(c1, kh, kw), n1, 16 filters, C0 channels]. Where Vector cores lay the filters out for a Cube
    core, each side emits its part; for the Vector core there is no place."""
    emit, feed = k.emit, k.feed
    filters, channels, *_ = op.maps
    assert isinstance(filters, Along) and isinstance(channels, Along)
    count = k.idx(op.sizes[channels.dim])
    assert isinstance(count, int)
    first, channel = k.idx(op.offsets[filters.dim]), k.idx(op.offsets[channels.dim])
    f = _Filters(k.tensors[op.tensor], kind, first, channel, count)
    if k.target.split and not from_vector_cores(op):
        return _load_one_tap(k, f)
    if feed is not None and feed.direct and k.core == "aic":
        return f.place(feed.workspace, emit.add(feed.slot(), feed.rhs_at))
    base = None if k.core == "aiv" else emit.fresh(filter_elements(kind), kind.element_type, "l1", "rhs")
    if base is not None and feed is not None:
        used = f.c1 * f.taps * f.n1 * f.fractal
        read = emit.view(feed.workspace, [used], [1], emit.add(feed.slot(), feed.rhs_at))
        emit.copy(read, emit.view(base, [used], [1]))
        return f.place(base)
    groups = -(-f.channels // BLOCK)
    begin, step = (0, 1) if feed is None else feed.share(groups, 1)
    slot: Idx = 0 if feed is None else emit.add(feed.slot(), feed.rhs_at)
    into = destination(base, feed)
    with emit.loop(begin, groups, step) as i, emit.loop(0, f.n1) as j:
        fractals = _fractals(k, f, i, j)
        blocks: Idx = f.halves
        if f.c1 % f.halves:
            blocks = emit.min(blocks, emit.sub(f.c1, emit.mul(i, f.halves)))
        rows, pitch = emit.mul(blocks, f.taps), f.n1 * f.fractal
        at = emit.add(emit.mul(i, f.halves * f.taps * pitch), emit.mul(j, f.fractal))
        write = emit.view(into, [rows, f.fractal], [pitch, 1], emit.add(slot, at))
        emit.copy(emit.view(fractals, [rows, f.fractal], [f.fractal, 1]), write)
    return None if base is None else f.place(base)


def _load_one_tap(k: LoweringContext, f: _Filters) -> Place:
    """Filters of one tap by a DMA that makes NZ of rows of channels. Products leave out those that do not exist."""
    emit, c0, pitch = k.emit, f.kind.lanes, f.n1 * f.fractal
    count, depth, *_ = f.shape
    base = emit.fresh(filter_elements(f.kind), f.kind.element_type, "l1", "rhs")
    at = gm_offset(emit, f.tensor, [f.first, f.channel, 0, 0])
    channels: Idx = f.channels
    if depth % f.channels:
        channels = emit.min(channels, emit.sub(depth, f.channel))
    blocks = emit.div(emit.add(channels, c0 - 1), c0)
    rows: Idx = f.n1 * BLOCK
    if count % rows:
        rows = emit.min(rows, emit.sub(count, f.first))
    read = emit.view(f.tensor, [rows, channels], [depth, 1], at)
    emit.copy(read, emit.view(base, [blocks, rows, c0], [pitch, c0, 1]), nd2nz=True)
    return f.place(base)


def _fractals(k: LoweringContext, f: _Filters, i: Idx, j: Idx) -> Generation:
    """The fractals in UB of channels from `16 i` and filters from `16 j` on, tap by tap."""
    emit, dtype, c0 = k.emit, f.kind.element_type, f.kind.lanes
    count, depth, *_ = f.shape
    channel, first = emit.add(f.channel, emit.mul(i, BLOCK)), emit.add(f.first, emit.mul(j, BLOCK))
    lanes: Idx = min(BLOCK, f.channels)
    if depth % lanes or f.channels % lanes:
        lanes = emit.min(lanes, emit.sub(depth, channel))
    even = count % BLOCK == 0 == f.columns % BLOCK
    rows: Idx = BLOCK if even else emit.min(BLOCK, emit.sub(count, first))
    size = BLOCK * f.taps
    staged = emit.fresh(BLOCK * size, dtype, "ub", "filters")
    turned = emit.fresh(size * BLOCK, dtype, "ub", "taps")
    fractals = emit.fresh(f.taps * BLOCK * BLOCK, dtype, "ub", "fractals")
    if lanes != BLOCK or rows != BLOCK:
        fill(k, staged, 0, BLOCK * size, dtype)
    length = emit.mul(lanes, f.taps)
    at = gm_offset(emit, f.tensor, [first, channel, 0, 0])
    move(emit, GmRegion(f.tensor, at, [Run(rows, depth * f.taps, size)], length), staged)
    read = emit.view(staged, [size // c0, BLOCK, c0], [c0, size, 1])
    emit.insert(ascend.TransposeOp(read, emit.view(turned, [size // c0, c0, BLOCK], [f.fractal, BLOCK, 1])))
    if lanes != BLOCK:
        missing = emit.mul(emit.sub(size, length), BLOCK)
        rest = emit.view(turned, [missing], [1], emit.mul(length, BLOCK))
        emit.insert(ascend.VecOp("vdup", [], rest, 0.0))
    for part in range(0, BLOCK, c0):  # filters
        read = emit.view(turned, [f.taps, BLOCK, c0], [BLOCK, f.taps * BLOCK, 1], part)
        sizes, strides = [f.taps, f.halves, c0, c0], [f.fractal, f.taps * f.fractal, c0, 1]
        if f.halves == 1:
            sizes, strides = [f.taps, c0, BLOCK], [f.fractal, BLOCK, 1]
        emit.insert(ascend.TransposeOp(read, emit.view(fractals, sizes, strides, part * c0)))
    return fractals
