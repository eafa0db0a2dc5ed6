"""`vreduce`: rows are folded in half until a repeat holds them, then each repeat gives one element; columns are folded
until one row is left. Rows that no repeat takes are the scalar unit's."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.attributes import integers
from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .by_scalar import fold_by_scalar
from .context import Context
from .extremes import WITH_INDEX, columns_with_index, room_in, room_of, rows_with_index
from .instructions import BLOCKS, barrier, is_instruction, reduce_repeats, vector
from .refs import Ref, moved, row_major
from .transfers import each, view_of

FOLDS = {"sum": ("vadd", "vcadd"), "max": ("vmax", "vcmax"), "min": ("vmin", "vcmin"), "prod": ("vmul", "")}
"""The instructions that fold rows, and that reduce a repeat."""


def reduce(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    kind = word_of(op.properties["arith"])
    source = context.ref(op.one("src"))
    dims = integers(op.properties["reduce_dims"])  # pyright: ignore[reportArgumentType]
    refs = [source, *(context.ref(value) for value in op.group("dst"))]
    if kind in FOLDS and FOLDS[kind][1] and dims == (1, 2) and is_instruction(context, (source,)):
        emit = context.emit
        emit.insert(ascend.VecOp(FOLDS[kind][1], [view_of(emit, source)], view_of(emit, refs[1])))
        return
    known = [n for n in source.sizes if isinstance(n, int)]
    taken = len(refs) == (2 if kind in FOLDS else 3) and (kind in FOLDS or kind in WITH_INDEX)
    if not taken or op.group("indices") or len(dims) != 1 or len(known) != len(source.sizes):
        raise LocatedError(op, f"{op.name}: {kind} over {list(dims)} is not taken")
    (dim,) = dims
    outer, inner = prod(known[:dim]), prod(known[dim + 1 :])
    if inner == 1:
        rows = [_matrix(ref, dim, outer) for ref in refs]
        (_rows if kind in FOLDS else rows_with_index)(context, op, kind, rows)
    elif outer == 1:
        columns = [ref.part(range(dim, len(known))) for ref in refs]
        (_columns if kind in FOLDS else columns_with_index)(context, op, kind, columns)
    elif kind in FOLDS:
        _between(context, op, kind, dim)
    else:
        raise LocatedError(op, f"{op.name}: {kind} over a dimension between others is not taken")


def _matrix(ref: Ref, dim: int, outer: int) -> Ref:
    """A ref as rows along a dimension."""
    step = next((s for s, n in zip(ref.strides[:dim][::-1], ref.sizes[:dim][::-1], strict=True) if n != 1), 0)
    return replace(ref, sizes=(outer, ref.sizes[dim]), strides=(step, ref.strides[dim]))


def _rows(context: Context, op: HivmOp, kind: str, refs: Sequence[Ref]) -> None:
    """Each row to one element."""
    source, to = refs
    fold, last = FOLDS[kind]
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    lanes = source.lanes
    most = lanes * BLOCKS
    if (rows > 1 and source.strides[0] % lanes) or (lanes < columns <= most and columns % lanes) or not last:
        fold_by_scalar(context, op, fold, (source, to))
        return
    elements = room_in(context, op)
    if columns > most and rows == 1 and columns <= most * most and elements < _half(columns, lanes):
        parts = -(-columns // most)
        if columns % most:
            raise LocatedError(op, f"{op.name}: its temp_buffer has no room for {parts} partial results")
        partial = replace(room_of(context, op, parts), sizes=(parts,), strides=(1,))
        reduce_repeats(context, last, replace(source, sizes=(parts, most), strides=(most, 1)), partial)
        barrier(context)
        reduce_repeats(context, last, replace(partial, sizes=(1, parts), strides=(0, 1)), to)
        return
    first = True
    while columns > most:
        half = _half(columns, lanes)
        into = replace(source, sizes=(rows, half))
        if first:
            into = replace(room_of(context, op, rows * half), sizes=(rows, half), strides=(half, 1))
        _fold(context, fold, (source, into), half)
        barrier(context)
        source, columns, first = into, half, False
    reduce_repeats(context, last, source, to)


def _half(columns: int, lanes: int) -> int:
    """Half of a row, in whole blocks."""
    return -(-columns // (2 * lanes)) * lanes


def _fold(context: Context, fold: str, refs: tuple[Ref, Ref], half: int) -> None:
    """The second part of each row onto the first one, which is no shorter; into the source itself or another place."""
    source, into = refs
    rows, columns = source.sizes
    assert isinstance(rows, int) and isinstance(columns, int)
    short = columns - half
    start = short - short % source.lanes
    if into.base is not source.base and short < half:
        rest = [replace(moved(context.emit, ref, start, 1), sizes=(rows, half - start)) for ref in refs]
        vector(context, "vcopy", rest[:1], rest[1])
        if start < short:
            barrier(context)
    part = [replace(ref, sizes=(rows, short)) for ref in (source, moved(context.emit, source, half, 1), into)]
    vector(context, fold, part[:2], part[2])


def _part(context: Context, ref: Ref, first: int, end: int) -> Ref:
    """Some of the rows, which are the first dimension."""
    return replace(moved(context.emit, ref, first, ref.strides[0]), sizes=(end - first, *ref.sizes[1:]))


def _columns(context: Context, op: HivmOp, kind: str, refs: Sequence[Ref]) -> None:
    """All rows to one: the second half of the rows onto the first one, again and again."""
    source, to = refs
    fold, _ = FOLDS[kind]
    rows = source.sizes[0]
    assert isinstance(rows, int)
    if rows == 1 or (rows > 2 and room_in(context, op) < -(-rows // 2) * source.strides[0]):
        _one_by_one(context, fold, refs)
        return
    first = True
    while rows > 1:
        half = -(-rows // 2)
        short = rows - half
        into = to if half == 1 else _part(context, source, 0, half)
        if first and half > 1:
            into = replace(
                room_of(context, op, half * source.strides[0]), sizes=into.sizes, strides=source.strides
            )
        onto = _part(context, source, half, rows)
        vector(context, fold, [_part(context, source, 0, short), onto], _part(context, into, 0, short))
        if into.base is not source.base and short < half:
            vector(context, "vcopy", [_part(context, source, short, half)], _part(context, into, short, half))
        if half > 1:
            barrier(context)
        source, rows, first = into, half, False


def _one_by_one(context: Context, fold: str, refs: Sequence[Ref]) -> None:
    """The first row, and each other one onto it, where there is no room for more."""
    source, to = refs
    rows = source.sizes[0]
    assert isinstance(rows, int)
    vector(context, "vcopy", [_part(context, source, 0, 1)], to)
    if rows > 1:
        with context.emit.loop((1, rows, 1)) as (index, _):
            barrier(context)
            row = moved(context.emit, _part(context, source, 0, 1), index, source.strides[0])
            vector(context, fold, [to, row], to)


def _between(context: Context, op: HivmOp, kind: str, dim: int) -> None:
    """A dimension between others. Where it takes more folds than there are matrices, each of these is taken by itself;
    else rows of all of them are folded at once."""
    refs = context.ref(op.one("src")), context.ref(op.one("dst"))
    rank = len(refs[0].sizes)
    before, after = range(dim), range(dim + 1, rank)
    outer = prod(n for n in refs[0].sizes[:dim] if isinstance(n, int))
    rows = refs[0].sizes[dim]
    assert isinstance(rows, int)
    main = 1 << rows.bit_length() - 1
    if main.bit_length() - 1 + rows - main <= outer:
        _folded(context, op, kind, [ref.part((dim, *before, *after)) for ref in refs])
        return
    with each(context.emit, refs, dim) as found:
        barrier(context)
        _columns(context, op, kind, found)


def _folded(context: Context, op: HivmOp, kind: str, refs: Sequence[Ref]) -> None:
    """All rows to one, as the library does it of several matrices: a power of two of them is folded, those behind it
    join what the first fold gives."""
    source, to = refs
    rows, *sizes = (n for n in source.sizes if isinstance(n, int))
    main = 1 << rows.bit_length() - 1
    if rows == 1:
        vector(context, "vcopy", [source], to)
        return
    half = main // 2
    into = to
    if half > 1:
        *others, last = sizes
        strides = row_major((half, *others, -(-last // source.lanes) * source.lanes))
        room = room_of(context, op, half * strides[0])
        into = replace(room, sizes=(half, *sizes), strides=strides)
    fold, _ = FOLDS[kind]
    vector(context, fold, [_part(context, source, 0, half), _part(context, source, half, main)], into)
    for start in range(main, rows, half):
        barrier(context)
        end = min(start + half, rows)
        onto = _part(context, into, 0, end - start)
        vector(context, fold, [_part(context, source, start, end), onto], onto)
    while half > 1:
        barrier(context)
        half //= 2
        onto = to if half == 1 else _part(context, into, 0, half)
        vector(context, fold, [_part(context, into, 0, half), _part(context, into, half, 2 * half)], onto)


REDUCTIONS = {"hivm.hir.vreduce": reduce}
