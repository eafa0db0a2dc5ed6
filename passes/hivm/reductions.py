"""`vreduce`: rows are folded in half until a repeat holds them, then each repeat gives one element; columns are folded
until one row is left."""

from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.attributes import integers
from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .context import Context
from .instructions import BLOCKS, barrier, is_instruction, vector
from .refs import Ref, moved
from .transfers import view_of

FOLDS = {"sum": ("vadd", "vcadd"), "max": ("vmax", "vcmax"), "min": ("vmin", "vcmin")}


def reduce(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    kind = word_of(op.properties["arith"])
    source = context.ref(op.one("src"))
    dims = integers(op.properties["reduce_dims"])  # pyright: ignore[reportArgumentType]
    known = [n for n in source.sizes if isinstance(n, int)]
    if kind in FOLDS and dims == (1, 2) and is_instruction(context, (source,)):
        emit, to = context.emit, context.ref(op.one("dst"))
        emit.insert(ascend.VecOp(FOLDS[kind][1], [view_of(emit, source)], view_of(emit, to)))
        return
    if kind not in FOLDS or len(op.group("dst")) != 1 or len(dims) != 1 or len(known) != len(source.sizes):
        raise LocatedError(op, f"{op.name}: {kind} over {list(dims)} is not taken")
    assert isinstance(op.properties["reduce_dims"], DenseArrayBase)
    (dim,) = dims
    to = context.ref(op.one("dst"))
    temp = op.optional("temp")
    room = None if temp is None else context.ref(temp)
    outer, inner = prod(known[:dim]), prod(known[dim + 1 :])
    if inner == 1:
        _rows(context, op, (_matrix(source, dim, outer), _matrix(to, dim, outer)), room)
    elif outer == 1:
        _columns(context, op, (source, to), room)
    else:
        raise LocatedError(op, f"{op.name}: a dimension between others is not taken")


def _matrix(ref: Ref, dim: int, outer: int) -> Ref:
    """A ref as rows along a dimension."""
    step = next((s for s, n in zip(ref.strides[:dim][::-1], ref.sizes[:dim][::-1], strict=True) if n != 1), 0)
    return replace(ref, sizes=(outer, ref.sizes[dim]), strides=(step, ref.strides[dim]))


def _rows(context: Context, op: Operation, refs: tuple[Ref, Ref], room: Ref | None) -> None:
    """Each row to one element."""
    source, to = refs
    fold, last = FOLDS[word_of(op.properties["arith"])]
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    most = source.lanes * BLOCKS
    elements = 0 if room is None else room.sizes[0]
    assert isinstance(elements, int)
    if columns > most and rows == 1 and columns <= most * most and elements < _half(columns, source.lanes):
        parts = -(-columns // most)
        if columns % most or elements < parts:
            raise LocatedError(op, f"{op.name}: its temp_buffer has no room for {parts} partial results")
        assert room is not None
        partial = replace(room, sizes=(parts,), strides=(1,))
        _repeats(
            context,
            last,
            replace(source, sizes=(parts, most), strides=(most, 1)),
            replace(partial, strides=(1,)),
        )
        barrier(context)
        _repeats(context, last, replace(partial, sizes=(1, parts), strides=(0, 1)), to)
        return
    first = True
    while columns > most:
        half = _half(columns, source.lanes)
        if room is None or (first and elements < rows * half):
            raise LocatedError(
                op, f"{op.name}: its temp_buffer has no room for {rows} rows of {half} elements"
            )
        into = (
            replace(room, sizes=(rows, half), strides=(half, 1))
            if first
            else replace(source, sizes=(rows, half))
        )
        _fold(context, fold, (source, into), half)
        barrier(context)
        source, columns, first = into, half, False
    _repeats(context, last, source, to)


def _half(columns: int, lanes: int) -> int:
    """Half of a row, in whole blocks."""
    return -(-columns // (2 * lanes)) * lanes


def _fold(context: Context, fold: str, refs: tuple[Ref, Ref], half: int) -> None:
    """The second part of each row onto the first one, which is no shorter; into the source itself or another place."""
    source, into = refs
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    short = columns - half
    part = [replace(ref, sizes=(rows, short)) for ref in (source, moved(context.emit, source, half, 1), into)]
    vector(context, fold, part[:2], part[2])
    if into.base is not source.base and short < half:
        rest = [replace(moved(context.emit, ref, short, 1), sizes=(rows, half - short)) for ref in refs]
        vector(context, "vcopy", rest[:1], rest[1])


def _repeats(context: Context, name: str, source: Ref, to: Ref) -> None:
    """Each row, a repeat at most, to one element; a part of a block is a repeat of its own width."""
    emit = context.emit
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    lanes = source.lanes
    blocks, lane = (columns // lanes, lanes) if columns % lanes == 0 else (1, columns)
    if columns % lanes and columns > lanes:
        raise ValueError(f"{columns} elements are no whole blocks")
    most = context.target.vector.max_repeat
    step = to.strides[0] if rows > 1 else 1
    for row in range(0, rows, most):
        count = min(most, rows - row)
        start = moved(emit, source, row, source.strides[0])
        result = moved(emit, to, row, step)
        one = emit.view(
            source.base, (count, blocks, lane), (source.strides[0], lanes, 1), start.offset, source.slot
        )
        other = emit.view(to.base, (count, 1, 1), (step, 1, 1), result.offset, to.slot)
        emit.insert(ascend.VecOp(name, [one], other))


def _columns(context: Context, op: Operation, refs: tuple[Ref, Ref], room: Ref | None) -> None:
    """All rows to one: the second half of the rows onto the first one, again and again."""
    source, to = refs
    emit = context.emit
    fold, _ = FOLDS[word_of(op.properties["arith"])]
    rows = source.sizes[0]
    assert isinstance(rows, int)
    first = True
    while rows > 1:
        half = -(-rows // 2)
        short = rows - half
        into = to if half == 1 else replace(source, sizes=(half, *source.sizes[1:]))
        if first and half > 1:
            if room is None:
                raise LocatedError(op, f"{op.name}: it has no temp_buffer")
            into = replace(room, sizes=into.sizes, strides=source.strides)
        part = [
            replace(ref, sizes=(short, *ref.sizes[1:]))
            for ref in (source, moved(emit, source, half, source.strides[0]), into)
        ]
        vector(context, fold, part[:2], part[2])
        if into.base is not source.base and short < half:
            rest = [
                replace(moved(emit, ref, short, ref.strides[0]), sizes=(half - short, *ref.sizes[1:]))
                for ref in (source, into)
            ]
            vector(context, "vcopy", rest[:1], rest[1])
        if half > 1:
            barrier(context)
        source, rows, first = into, half, False


REDUCTIONS = {"hivm.hir.vreduce": reduce}
