"""Tiles blocked at the channels to [.., c, h, w] in GM: transposes make a row of each channel, which is stored."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from math import gcd, lcm, prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.dma import fill, row_major
from ..base.emitter import Emitter, Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector
from .narrow_types import store_grain
from .rows import GmRows, Rows
from .store_rows import Owned, store_rows

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def store_channels(
    k: LoweringContext, place: Place, tensor: SSAValue, offset: Idx, owned: list[Owned]
) -> None:
    """[.., c, h, w] in GM from blocks of c: a transpose for each block, then channel rows by DMA."""
    emit, block = k.emit, place.block
    strides = row_major(tensor)
    inner = range(block + 1, len(owned))
    extents = k.source.extent_list
    whole_lines = all(place.shape[d] == extents[d] for d in inner[1:])
    if not whole_lines:
        _store_lines(k, place, tensor, offset, owned)
        return
    low: Idx = 0
    count: Idx = 1
    for d in inner:
        low = emit.add(emit.mul(low, place.shape[d]), owned[d].low)
        count = emit.mul(count, owned[d].count)
    positions = prod(place.shape[d] for d in inner)
    line = prod(place.shape[d] for d in inner[1:])
    grain = store_grain(memref_type(tensor).element_type)
    multiple = gcd(positions, extents[inner[0]] * line, grain)
    # chunks, tiles and what is left for the last of each are whole lines, of which so many are together
    known = line * gcd(place.shape[inner[0]], k.source.tile_sizes[inner[0]], extents[inner[0]])
    known = known if k.target.dma.unaligned else lcm(known, multiple)
    rows = _channel_rows(k, place, owned, low, count, positions, known)
    store_rows(k, GmRows(tensor, offset, strides[: block + 1], rows), multiple)


def _channel_rows(
    k: LoweringContext, place: Place, owned: list[Owned], low: Idx, count: Idx, positions: int, multiple: int
) -> Rows:
    """[.., c][position]: `count` positions (at most `positions`, a multiple of `multiple`) from position `low` of every
    channel."""
    emit, block = k.emit, place.block
    blocks = -(-place.shape[block] // BLOCK)
    pitch = ceil_to(positions, BLOCK)
    outer = place.shape[:block]
    planes = prod(outer)
    base = emit.fresh(planes * blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    steps = [prod(outer[d + 1 :]) * blocks * BLOCK * pitch for d in range(block)]
    first = emit.add(place.offset, emit.mul(low, BLOCK))
    origins: list[tuple[Idx, int]] = [(first, 0)]
    for d, n in enumerate(outer):
        origins = [
            (emit.add(at, i * place.strides[d]), to + i * steps[d]) for at, to in origins for i in range(n)
        ]
    groups = emit.div(count, BLOCK)
    # a number that varies may still be known to be a multiple of 16
    rest: Idx = emit.rem(count, BLOCK) if isinstance(count, int) or multiple % BLOCK else 0
    for at, to in origins:
        if groups != 0:
            with emit.loop(0, blocks) as c1:
                read = replace(place, offset=emit.add(at, emit.mul(c1, place.strides[block])))
                _turn(
                    emit,
                    read,
                    BLOCK * BLOCK,
                    base,
                    emit.add(to, emit.mul(c1, BLOCK * pitch)),
                    BLOCK,
                    pitch,
                    groups,
                )
        if isinstance(rest, int) and not rest:
            continue
        with emit.unless_none(rest):
            done = emit.mul(groups, BLOCK)
            tail = _tail(k, place, emit.add(at, emit.mul(done, BLOCK)), blocks, rest)
            _turn(emit, tail, BLOCK * BLOCK, base, emit.add(to, done), BLOCK * pitch, pitch, blocks)
    return Rows(
        base,
        place.dtype,
        0,
        (*outer, place.shape[block]),
        tuple(w.low for w in owned[: block + 1]),
        tuple(w.count for w in owned[: block + 1]),
        (*steps, pitch),
        count,
        positions,
    )


def _turn(
    emit: Emitter,
    place: Place,
    read_step: int,
    base: Generation,
    to: Idx,
    write_step: int,
    pitch: int,
    groups: Idx,
) -> None:
    """[16 positions][16 channels] to [16 channels][16 positions], `groups` times; channels are `pitch` apart."""
    unit = lanes_of(place.dtype)
    for part in range(0, BLOCK, unit):
        at = emit.add(place.offset, part)
        read = emit.view(place.base, [groups, BLOCK, unit], [read_step, BLOCK, 1], at)
        into = emit.add(to, part * pitch)
        write = emit.view(base, [groups, unit, BLOCK], [write_step, pitch, 1], into)
        emit.insert(ascend.TransposeOp(read, write))


def _tail(k: LoweringContext, place: Place, start: Idx, blocks: int, rest: Idx) -> Place:
    """The last `rest` positions of each block of channels, zeros after them up to 16: a transpose reads all 16."""
    base = k.emit.fresh(blocks * BLOCK * BLOCK, place.dtype, "ub", "last_positions")
    fill(k, base, 0, blocks * BLOCK * BLOCK, place.dtype)
    shape, sizes = (blocks, rest if isinstance(rest, int) else BLOCK, BLOCK), (blocks, rest, BLOCK)
    strides = (place.strides[place.block], BLOCK, BLOCK)
    source = Place(place.base, place.dtype, shape, sizes, strides, (0, 1, 2), 2, start)
    result = Place(base, place.dtype, shape, sizes, (BLOCK * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
    emit_vector(k.emit, "vcopy", [source], result)
    return result


def _store_lines(k: LoweringContext, place: Place, tensor: SSAValue, offset: Idx, owned: list[Owned]) -> None:
    """A tile of part of the image's width: each line of it is stored on its own."""
    emit, block = k.emit, place.block
    strides = row_major(tensor)
    *lines, width = range(block + 1, len(owned))
    shape = tuple(1 if d in lines else n for d, n in enumerate(place.shape))
    start, at = place.offset, offset
    with ExitStack() as loops:
        for d in lines:
            i = loops.enter_context(emit.loop(0, owned[d].count))
            start = emit.add(start, emit.mul(emit.add(owned[d].low, i), place.strides[d]))
            at = emit.add(at, emit.mul(i, strides[d]))
        line = replace(place, shape=shape, offset=start)
        across = owned[width]
        known = 1 if k.target.dma.unaligned else across.multiple
        rows = _channel_rows(k, line, owned, across.low, across.count, place.shape[width], known)
        store_rows(k, GmRows(tensor, at, strides[: block + 1], rows), across.multiple)
