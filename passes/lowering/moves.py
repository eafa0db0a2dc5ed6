"""Moves between GM and UB: runs of a tensor as few DMA instructions as its pitch allows.

A burst is a multiple of 32 B and so is the pitch of an instruction with several bursts; rows whose pitch is not get one
instruction each. A read may round its last burst up: what follows belongs to the tensor, its padding or its guard block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from ...dialects.ascend.memory import ELEMENT_BYTES, memref_type
from ...dialects.tiling import Along, OperandMap
from .emitter import Emitter, Generation, Idx
from .place import BLOCK_BYTES


@dataclass(frozen=True)
class Run:
    """A dimension of a region: `count` steps of `gm` elements in the tensor and `ub` elements on chip."""

    count: Idx
    gm: int
    ub: int


def row_major(tensor: SSAValue) -> tuple[int, ...]:
    """Strides of a tensor in GM, in elements."""
    kind: MemRefType[Attribute] = memref_type(tensor)
    shape = kind.get_shape()
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def granule(dtype: Attribute) -> int:
    """Elements of a 32 B block."""
    return BLOCK_BYTES // ELEMENT_BYTES[str(dtype)]


def region(
    emit: Emitter, maps: OperandMap, offsets: Sequence[Idx], sizes: Sequence[Idx]
) -> tuple[list[Idx], list[Idx]]:
    """Start and count, in each dimension of a tensor, of what a region of the kernel's space needs."""
    starts: list[Idx] = []
    counts: list[Idx] = []
    for entry in maps:
        if not isinstance(entry, Along):
            starts.append(0)
            counts.append(1)
            continue
        starts.append(emit.sub(emit.mul(offsets[entry.dim], entry.stride), entry.pad))
        size = sizes[entry.dim]
        if isinstance(size, int):
            counts.append(entry.span(size))
        else:
            reach = (entry.window - 1) * entry.dilation + 1
            counts.append(emit.add(emit.mul(emit.sub(size, 1), entry.stride), reach))
    return starts, counts


def gm_offset(emit: Emitter, tensor: SSAValue, starts: Sequence[Idx]) -> Idx:
    offset: Idx = 0
    for start, stride in zip(starts, row_major(tensor), strict=True):
        offset = emit.add(offset, emit.mul(start, stride))
    return offset


def merge_runs(emit: Emitter, runs: Sequence[Run], length: Idx) -> tuple[list[Run], Idx]:
    """Fold dimensions that continue the run inside them, on both sides, into the run's length."""
    rest = [r for r in runs if r.count != 1]
    while rest and isinstance(length, int) and rest[-1].gm == length == rest[-1].ub:
        length = emit.mul(rest.pop().count, length)
    return rest, length


def move(
    emit: Emitter,
    tensor: SSAValue,
    offset: Idx,
    runs: Sequence[Run],
    length: Idx,
    place: Generation,
    start: Idx = 0,
    to_gm: bool = False,
) -> None:
    """DMA a region between GM and UB; `runs` outermost first, `length` contiguous elements innermost.

    `length` must be a multiple of 32 B when writing.
    """
    dtype = memref_type(tensor).element_type
    unit = granule(dtype)
    rest, length = merge_runs(emit, runs, length)
    exact = emit.ceil_to(length, unit)

    def issue(bursts: Run | None, gm_at: Idx, ub_at: Idx) -> None:
        if bursts is None:
            outside = emit.view(tensor, [exact], [1], gm_at)
            inside = emit.view(place, [exact], [1], ub_at)
        else:
            outside = emit.view(tensor, [bursts.count, exact], [bursts.gm, 1], gm_at)
            inside = emit.view(place, [bursts.count, exact], [bursts.ub, 1], ub_at)
        emit.copy(inside, outside) if to_gm else emit.copy(outside, inside)

    def walk(remaining: Sequence[Run], gm_at: Idx, ub_at: Idx) -> None:
        if not remaining:
            issue(None, gm_at, ub_at)
            return
        here, *inner = remaining
        if not inner and here.gm % unit == 0:
            issue(here, gm_at, ub_at)
            return
        with emit.loop(0, here.count) as i:
            walk(inner, emit.add(gm_at, emit.mul(i, here.gm)), emit.add(ub_at, emit.mul(i, here.ub)))

    walk(rest, offset, start)
