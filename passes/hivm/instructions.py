"""Vector instructions on refs of one shape: contiguous ones in counter mode, rows as repeats of up to 8 blocks."""

from collections.abc import Generator, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.ascend import BitcastOp, BufferOp
from ...dialects.attributes import integers
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ...dialects.records import dataclass
from .context import Context
from .numbers import Idx, Number
from .refs import Ref, flat, memref_of, moved
from .transfers import each, view_of

BLOCKS = 8
"""Blocks of 32 B in a repeat."""


@dataclass(frozen=True)
class Scalar:
    """A number beside the elements of a Vector instruction."""

    value: Number


def row_of_one(ref: Ref) -> Ref:
    """A ref of no dimension as one of one element."""
    return ref if ref.sizes else replace(ref, sizes=(1,), strides=(1,))


def emit_vec(context: Context, name: str, views: Sequence[SSAValue], scalar: Scalar | None) -> None:
    """One instruction on views, the last of which is its destination."""
    *sources, destination = views
    emit = context.emit
    if scalar is None:
        emit.insert(ascend.VecOp(name, sources, destination))
        return
    value = scalar.value
    if isinstance(value, SSAValue):
        emit.insert(ascend.VecOp(name, [*sources, value], destination))
    else:
        emit.insert(
            ascend.VecOp(name, sources, destination, float(value) if isinstance(value, float) else int(value))
        )


def vector(
    context: Context, name: str, sources: Sequence[Ref], destination: Ref, scalar: Scalar | None = None
) -> None:
    """Instruction `name` on each element of refs of one shape. A stride of 0 repeats a source: along rows as its
    repeat's stride, and within a row a block of equal elements as its blocks' stride."""
    emit = context.emit
    given = (*sources, destination)
    refs = [row_of_one(ref) for ref in flat(emit, given)]
    if any(ref.strides[-1] > 1 for ref in refs):  # single elements that lie apart
        refs = [replace(ref, sizes=(*ref.sizes, 1), strides=(*ref.strides, 1)) for ref in refs]
    if len(refs[0].sizes) > 1 and is_instruction(context, given):
        emit_vec(context, name, [view_of(emit, ref) for ref in given], scalar)
        return
    if VECTOR_INSTRUCTIONS[name].mask:
        _masked(context, name, refs, scalar)
        return
    spread = [ref.strides[-1] == 0 and ref.sizes[-1] != 1 for ref in refs]
    if len(refs[0].sizes) == 1 and not any(spread):
        emit_vec(context, name, [view_of(emit, ref) for ref in refs], scalar)
        return
    if len(refs[0].sizes) == 1:
        refs = [replace(ref, sizes=(1, *ref.sizes), strides=(0, *ref.strides)) for ref in refs]
    with each(emit, refs, len(refs[0].sizes) - 2) as rows:
        for piece in pieces(context, rows, spread):
            emit_vec(context, name, [view_of(emit, ref) for ref in piece], scalar)


def is_instruction(context: Context, refs: Sequence[Ref]) -> bool:
    """Whether refs are the repeats, blocks and lanes of one instruction. Of repeats whose number is known at run time
    only there are as many as a buffer has room for."""
    if len(refs[0].sizes) != 3:
        return False
    repeat, blocks, lanes = refs[0].sizes
    if not isinstance(blocks, int) or not isinstance(lanes, int):
        return False
    if not isinstance(repeat, int):
        room = [memref_of(ref.base).get_shape()[0] // ref.strides[0] for ref in refs if ref.strides[0]]
        repeat = min(room, default=context.target.vector.max_repeat + 1)
    steps = [step % ref.lanes for ref in refs for step in ref.strides[:2]]
    whole = not any(steps) and all(ref.strides[2] == 1 for ref in refs)
    fits = repeat <= context.target.vector.max_repeat and blocks <= BLOCKS
    return whole and fits and lanes <= min(ref.lanes for ref in refs)


def pieces(context: Context, rows: Sequence[Ref], spread: Sequence[bool]) -> Generator[list[Ref], None, None]:
    """Views `[repeat, blocks, lanes]` that together are rows of refs: each row is a repeat, or several of them where it
    has more than 8 blocks. `spread`: which refs repeat one block along a row."""
    emit = context.emit
    count, columns = rows[0].sizes
    if not isinstance(count, int) or not isinstance(columns, int) or not _in_blocks(columns, rows):
        with emit.repeated(count) as index:
            yield [
                replace(moved(emit, ref, index, ref.strides[0]), sizes=(columns,), strides=(1,))
                for ref in rows
            ]
        return
    lanes = min(ref.lanes for ref in rows)
    most = context.target.vector.max_repeat
    if count == 1 and columns > lanes * BLOCKS:  # one long row: its repeats follow each other
        whole = columns // (lanes * BLOCKS)
        wide = lanes * BLOCKS
        for at in range(0, whole, most):
            shape = min(most, whole - at), BLOCKS, lanes
            yield [
                _part(context, ref, (at * wide, one), shape, wide)
                for ref, one in zip(rows, spread, strict=True)
            ]
        rest = whole * lanes * BLOCKS
    else:
        rest = 0
    for column in range(rest, columns, lanes * BLOCKS):
        width = min(columns - column, lanes * BLOCKS)
        for at, blocks, lane in ((0, width // lanes, lanes), (width // lanes * lanes, 1, width % lanes)):
            for row in range(0, count, most) if blocks and lane else ():
                part = [moved(emit, ref, row, ref.strides[0]) for ref in rows]
                yield [_part(context, ref, (column + at, wide), (min(most, count - row), blocks, lane), ref.strides[0])
                       for ref, wide in zip(part, spread, strict=True)]  # fmt: skip


def _in_blocks(columns: int, rows: Sequence[Ref]) -> bool:
    """Whether parts of rows that are blocks of the widest elements begin blocks of the others too."""
    lanes, most = min(ref.lanes for ref in rows), max(ref.lanes for ref in rows)
    rest = columns % (lanes * BLOCKS)
    whole = rest // lanes * lanes
    return not whole or rest <= lanes or (whole % most == 0 or (whole <= most and whole == rest))


def _part(context: Context, ref: Ref, start: tuple[int, bool], shape: tuple[int, int, int], step: int) -> Ref:
    """`shape` is repeats, blocks and lanes of the narrowest block; a ref of smaller elements has fewer blocks."""
    at, spread = start
    repeat, blocks, lanes = shape
    if spread:
        repeat_step = 0 if step == BLOCKS * ref.lanes and ref.strides[0] == 0 else ref.strides[0]
        return replace(ref, sizes=(repeat, blocks, lanes), strides=(repeat_step, 0, 1))
    wide = (
        ref.lanes // lanes if blocks > 1 and lanes < ref.lanes and blocks % (ref.lanes // lanes) == 0 else 1
    )
    moved_to = moved(context.emit, ref, at, 1)
    if lanes < ref.lanes and blocks * lanes <= ref.lanes:
        return replace(moved_to, sizes=(repeat, 1, blocks * lanes), strides=(step, ref.lanes, 1))
    if wide > 1:
        return replace(moved_to, sizes=(repeat, blocks // wide, lanes * wide), strides=(step, ref.lanes, 1))
    return replace(moved_to, sizes=(repeat, blocks, lanes), strides=(step, lanes, 1))


def _masked(context: Context, name: str, refs: Sequence[Ref], scalar: Scalar | None) -> None:
    """An instruction with a bit mask, in counter mode: row by row where rows lie apart. A mask in the place of what is
    compared lies over rows that came before."""
    emit = context.emit
    outer = len(refs[0].sizes) - 1
    over = any(share_bytes(ref, refs[-1]) for ref in refs[:-1])
    with each(emit, refs, outer) as rows:
        if outer and over:
            barrier(context)
        views = [view_of(emit, in_bytes(context, ref) if ref.dtype == "i1" else ref) for ref in rows]
        emit_vec(context, name, views, scalar)


def in_bytes(context: Context, ref: Ref) -> Ref:
    """A row of bits as the bytes that have them."""
    emit = context.emit
    count: Idx = emit.ceil_div(ref.sizes[0], 8)
    return replace(ref, dtype="i8", sizes=(count,), strides=(1,), offset=emit.div(ref.offset, 8))


def on_bits(context: Context, name: str, refs: Sequence[Ref]) -> None:
    """Logic on bits of masks, the last of which is the destination: their bytes, row by row where rows lie apart."""
    emit = context.emit
    masks = [row_of_one(ref) for ref in flat(emit, refs)]
    with each(emit, masks, len(masks[0].sizes) - 1) as rows:
        *sources, to = (in_bytes(context, row) for row in rows)
        vector(context, name, sources, to)


def reduce_repeats(context: Context, name: str, source: Ref, to: Ref) -> None:
    """Each row, a repeat at most, to one element; a part of a block is a repeat of its own width."""
    emit = context.emit
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    lanes = source.lanes
    blocks, lane = (columns // lanes, lanes) if columns % lanes == 0 else (1, columns)
    step = to.strides[0] if rows > 1 else 1
    most = context.target.vector.max_repeat
    if most * step % to.lanes:  # results of each instruction begin a block
        most -= most % to.lanes
    for row in range(0, rows, most):
        count = min(most, rows - row)
        start = moved(emit, source, row, source.strides[0])
        result = moved(emit, to, row, step)
        one = emit.view(
            source.base, (count, blocks, lane), (source.strides[0], lanes, 1), start.offset, source.slot
        )
        other = emit.view(to.base, (count, 1, 1), (step, 1, 1), result.offset, to.slot)
        emit.insert(ascend.VecOp(name, [one], other))


def barrier(context: Context) -> None:
    """What an op of HIVM does in several instructions is ordered within it."""
    context.emit.barrier("V")


def share_bytes(first: Ref, second: Ref) -> bool:
    """Whether two buffers may have bytes in common."""
    return any(a < end and start < b for a, b in _ranges(first) for start, end in _ranges(second))


def _ranges(ref: Ref) -> list[tuple[int, int]]:
    owner = ref.base.owner
    while isinstance(owner, BitcastOp):
        owner = owner.source.owner
    assert isinstance(owner, BufferOp) and owner.addresses is not None
    return [(address, address + owner.slot_bytes) for address in integers(owner.addresses)]
