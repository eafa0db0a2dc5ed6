"""`vsel`: a bit mask chooses between elements, or scalars in their place.

The Vector does not choose in i64. Beside a mask of bytes the template library takes each element for two of f32; beside
one of bits the scalar unit chooses.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import f16, f32, i8, i32
from xdsl.ir import Operation

from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .by_scalar import read, read_bit, turn_of_scalar, write
from .context import Context
from .elements import Elements, Operand, beside
from .instructions import Scalar, barrier, on_bits, row_of_one, share_bytes, vector
from .memory import retyped
from .numbers import Number
from .refs import Ref, flat
from .transfers import each


def choose(context: Context, op: Operation) -> None:
    """`vsel`: a scalar may stand for either choice."""
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    if work.to.dtype == "i64":
        _of_words(context, work)
        return
    mask, first, second = work.sources()
    assert isinstance(mask, Ref)
    if isinstance(second, Scalar):
        if isinstance(first, Scalar):
            vector(context, "vdup", [], work.to, beside(first, work.to.dtype))
            barrier(context)
            first = work.to
        vector(context, "vsels", [mask, first], work.to, beside(second, first.dtype))
    elif isinstance(first, Ref):
        vector(context, "vsel", [mask, first, second], work.to)
    elif not share_bytes(work.to, second) and not share_bytes(work.to, mask):
        vector(context, "vdup", [], work.to, beside(first, second.dtype))
        barrier(context)
        vector(context, "vsel", [mask, work.to, second], work.to)
    else:  # the other way around, with the mask turned over meanwhile
        on_bits(context, "vnot", [mask, mask])
        barrier(context)
        vector(context, "vsels", [mask, second], work.to, beside(first, second.dtype))
        barrier(context)
        on_bits(context, "vnot", [mask, mask])


def _of_words(context: Context, work: Elements) -> None:
    """A choice in i64."""
    mask, first, second = work.plain_sources()
    assert isinstance(mask, Ref)
    if mask.dtype == "i8" and isinstance(first, Ref) and isinstance(second, Ref):
        _as_pairs(context, work, mask, (first, second))
    else:
        _by_scalar(context, mask, (first, second), work.to)


def _as_pairs(context: Context, work: Elements, mask: Ref, sources: tuple[Ref, Ref]) -> None:
    """Row by row: each byte of the mask, 0 or 1, becomes a word, times 65537 two halves. These, if not zero, are the
    mask of the halves of what is chosen."""
    refs = [row_of_one(ref) for ref in flat(context.emit, (mask, *sources, work.to))]
    size, rows = refs[0].sizes[-1], len(refs[0].sizes) - 1
    if not isinstance(size, int) or any(ref.strides[-1] != 1 for ref in refs):
        raise LocatedError(
            work.op, f"{work.op.name}: i64 beside a mask of bytes is taken of rows that are known and packed"
        )
    room = [work.temp(-(-size // 8) * 4, "i64"), work.temp(-(-size // 16) * 4, "i64")]
    with each(context.emit, refs, rows) as (flags, *words):
        if rows:
            barrier(context)
        _pairs_of_row(context, size, room, (flags, *words))


def _pairs_of_row(context: Context, size: int, room: Sequence[Ref], row: Sequence[Ref]) -> None:
    flags, *words = row
    numbers, narrow = (
        replace(retyped(context, ref, kind), sizes=(size,))
        for ref, kind in zip(room, (i32, f16), strict=True)
    )
    bits = retyped(context, room[1], i8)
    bits = replace(bits, dtype="i1", sizes=(2 * size,), offset=context.emit.mul(bits.offset, 8))
    first, second, to = (retyped(context, ref, f32) for ref in words)
    vector(context, "vconv", [flags], narrow)
    barrier(context)
    vector(context, "vconv", [narrow], numbers)
    barrier(context)
    vector(context, "vmuls", [numbers], numbers, Scalar(65537))
    barrier(context)
    vector(context, "vcmpvs_ne", [retyped(context, numbers, f16)], bits, Scalar(0.0))
    barrier(context)
    vector(context, "vsel", [bits, first, second], to)


def _by_scalar(context: Context, mask: Ref, sources: tuple[Operand, Operand], to: Ref) -> None:
    """The scalar unit chooses, element by element."""
    refs = [ref for ref in (mask, to, *sources) if isinstance(ref, Ref)]
    with turn_of_scalar(context), each(context.emit, refs, len(to.sizes)) as (bit, into, *given):
        chosen: list[Number] = []
        for source in sources:
            chosen.append(read(context, given.pop(0)) if isinstance(source, Ref) else source.value)
        write(context, context.emit.select(read_bit(context, bit), chosen[0], chosen[1]), into)


SELECTIONS = {"hivm.hir.vsel": choose}
