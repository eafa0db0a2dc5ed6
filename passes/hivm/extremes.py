"""`vreduce` that gives the largest or smallest elements with their indices, the leftmost of equal ones.

Of rows within a repeat one instruction gives the elements, one where they are. Of a longer row an instruction gives the
place alone, and the scalar unit reads the element there. Columns are compared row by row with what there is so far.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i8, i32

from ...dialects import ascend
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .by_scalar import read, turn_of_scalar, write
from .context import Context
from .instructions import BLOCKS, Scalar, barrier, reduce_repeats, vector
from .memory import retyped
from .refs import Ref, moved
from .transfers import each, view_of

WITH_INDEX = {"max_with_index_left": ("vcmax", "vmax", "lt"), "min_with_index_left": ("vcmin", "vmin", "gt")}
"""Instructions that reduce a repeat, that fold rows, and how what there is so far compares where it gives way."""


def rows_with_index(context: Context, op: HivmOp, kind: str, refs: Sequence[Ref]) -> None:
    """Each row of a matrix to its element and the index of this."""
    source, value, index = refs
    name = WITH_INDEX[kind][0]
    columns, lanes = source.sizes[1], source.lanes
    assert isinstance(columns, int)
    if source.sizes[0] != 1 and source.strides[0] % lanes:
        raise LocatedError(op, f"{op.name}: rows that do not begin blocks are not taken")
    if columns <= lanes or (columns <= lanes * BLOCKS and columns % lanes == 0):
        reduce_repeats(context, name, source, value)
        reduce_repeats(context, f"{name}_at", source, index)
        return
    room = retyped(context, room_of(context, op, 1), i32)
    place = replace(room, sizes=(1,))
    with each(context.emit, refs, 1) as (row, element, at):
        context.emit.insert(
            ascend.VecOp(f"{name}_at", [view_of(context.emit, row)], view_of(context.emit, place))
        )
        with turn_of_scalar(context):
            found = read(context, place)
            assert not isinstance(found, float)
            write(context, read(context, moved(context.emit, row, found, 1)), element)
            write(context, found, at)


def columns_with_index(context: Context, op: HivmOp, kind: str, refs: Sequence[Ref]) -> None:
    """Each column of a matrix to its element and the index of this."""
    source, value, index = refs
    _, fold, direction = WITH_INDEX[kind]
    if len(source.sizes) != 2:
        raise LocatedError(op, f"{op.name}: {kind} is taken of matrices alone")
    rows, columns = source.sizes
    assert isinstance(columns, int)
    size = -(-columns // 8) * 8
    room = retyped(context, room_of(context, op, (size + -(-columns // 256) * 8) * 4 // source.itemsize), i32)
    numbers = replace(room, sizes=(columns,))
    bits = retyped(context, moved(context.emit, room, size, 1), i8)
    bits = replace(bits, dtype="i1", sizes=(columns,), offset=context.emit.mul(bits.offset, 8))
    first = replace(source, sizes=(columns,), strides=source.strides[1:])
    value, index = (replace(ref, sizes=(columns,), strides=ref.strides[1:]) for ref in (value, index))
    vector(context, "vcopy", [first], value)
    vector(context, "vdup", [], index, Scalar(0))
    if rows == 1:
        return
    with context.emit.loop((1, rows, 1)) as (number, _):
        row = moved(context.emit, first, number, source.strides[0])
        barrier(context)
        vector(context, f"vcmpv_{direction}", [value, row], bits)
        vector(context, "vdup", [], numbers, Scalar(number))
        barrier(context)
        vector(context, fold, [value, row], value)
        vector(context, "vsel", [bits, numbers, index], index)


def room_in(context: Context, op: HivmOp) -> int:
    """Elements of the temporary buffer."""
    temp = op.optional("temp")
    size = 0 if temp is None else context.ref(temp).sizes[0]
    return size if isinstance(size, int) else 0


def room_of(context: Context, op: HivmOp, elements: int) -> Ref:
    """The temporary buffer, which must have room for so many elements."""
    if room_in(context, op) < elements:
        raise LocatedError(op, f"{op.name}: its temp_buffer has no room for {elements} elements")
    return context.ref(op.one("temp"))
