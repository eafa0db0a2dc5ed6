"""Vector ops of HIVM: element by element, comparisons, conversions, repetitions."""

from dataclasses import replace
from typing import cast

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .by_scalar import read, turn_of_scalar, write
from .context import Context
from .elements import Elements, beside, dims_of, operand_of
from .instructions import BLOCKS, Scalar, barrier, on_bits, vector
from .numbers import Idx, Number, Real
from .refs import Ref
from .transfers import each, view_of

WITH_SCALAR = {
    "vadd": "vadds",
    "vmul": "vmuls",
    "vmax": "vmaxs",
    "vmin": "vmins",
    "vshl": "vshls",
    "vshr": "vshrs",
}
"""Instructions that take a scalar as their second operand."""
COMMUTES = frozenset({"vadd", "vmul", "vmax", "vmin"})
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
ROUNDS = {"rint": "vconv", "trunc": "vconv_z", "floor": "vconv_f", "ceil": "vconv_c", "round": "vconv_a"}


def unary(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    name = op.name.removeprefix("hivm.hir.")
    (source,) = work.sources()
    assert isinstance(source, Ref)
    vector(context, name, [source], work.to)


def _minus(context: Context, value: Number, dtype: str) -> Number:
    """The number that is added in the place of one that is taken off."""
    if dtype.startswith("i"):
        return context.emit.mul(cast(Idx, value), -1)
    return context.emit.real("mulf", cast(Real, value), -1.0)


def binary(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    name = op.name.removeprefix("hivm.hir.")
    first, second = work.sources()
    if isinstance(first, Scalar) and isinstance(second, Ref) and name in COMMUTES:
        first, second = second, first
    if isinstance(first, Ref) and isinstance(second, Scalar):
        if name == "vsub":
            minus = _minus(context, second.value, first.dtype)
            vector(context, "vadds", [first], work.to, beside(Scalar(minus), first.dtype))
            return
        if name in WITH_SCALAR:
            vector(context, WITH_SCALAR[name], [first], work.to, beside(second, first.dtype))
            return
    dtype = next(one.dtype for one in (first, second) if isinstance(one, Ref))
    refs = [work.scalar_block(one, dtype) if isinstance(one, Scalar) else one for one in (first, second)]
    vector(context, name, refs, work.to)


def bits(context: Context, op: Operation) -> None:
    """Logic on bit masks, byte by byte, or on integers."""
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    name = op.name.removeprefix("hivm.hir.")
    sources = [one for one in work.sources() if isinstance(one, Ref)]
    if len(sources) != len(op.group("src")):
        raise LocatedError(op, f"{op.name}: beside a scalar it is not taken")
    if work.to.dtype == "i1":
        on_bits(context, name, [*sources, work.to])
    else:
        vector(context, name, sources, work.to)


def compare(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    if work.to.dtype != "i1":
        raise LocatedError(
            op,
            f"{op.name}: into bytes it is not taken: the template library writes a bit for each comparison",
        )
    mode = word_of(op.properties.get("compare_mode"), "eq")
    first, second = work.sources()
    if isinstance(first, Scalar):
        first, second, mode = second, first, MIRRORED[mode]
    assert isinstance(first, Ref)
    if isinstance(second, Scalar):
        vector(context, f"vcmpvs_{mode}", [first], work.to, beside(second, first.dtype))
    else:
        vector(context, f"vcmpv_{mode}", [first, second], work.to)


def convert(context: Context, op: Operation) -> None:
    """Conversions; bits become 1 and 0."""
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    (source,) = work.sources()
    assert isinstance(source, Ref)
    mode = word_of(op.properties.get("round_mode"), "rint")
    if source.dtype == "i1":
        vector(context, "vdup", [], work.to, beside(Scalar(1), work.to.dtype))
        barrier(context)
        vector(context, "vsels", [source, work.to], work.to, beside(Scalar(0), work.to.dtype))
        return
    if word_of(op.properties.get("cast"), "cast_signed") == "cast_unsigned":
        raise LocatedError(op, f"{op.name}: from or to integers without a sign is not taken")
    whole, same = work.to.dtype.startswith("i"), work.to.dtype == source.dtype
    if mode == "truncwithoverflow" and whole and source.dtype.startswith("i"):  # the low bits stay
        vector(context, "vconv", [source], work.to)
        return
    if mode not in ROUNDS or (mode not in ("rint", "trunc") and not (whole or same)):
        raise LocatedError(op, f"{op.name}: rounding {mode} to {work.to.dtype} is not taken")
    name = ROUNDS[mode] if whole or same else "vconv"
    vector(context, "vconv_r" if same and name == "vconv" else name, [source], work.to)


def repeat(context: Context, op: Operation) -> None:
    """`vbrc`: a scalar everywhere, or dimensions of 1 repeated."""
    assert isinstance(op, HivmOp)
    work = Elements(context, op)
    given = operand_of(context, op.one("src"))
    if isinstance(given, Ref) and (
        to_blocks(context, given, work.to) or _words_to_rows(context, given, work.to)
    ):
        return
    source = work.shaped(given)
    if work.to.space == "l1":
        if not isinstance(source, Scalar) or isinstance(source.value, SSAValue):
            raise LocatedError(op, f"{op.name}: L1 is filled with one number that is known at launch")
        fill = ascend.FillOp(view_of(context.emit, _row(context, op, work.to)), float(source.value))
        context.emit.insert(fill)
    elif isinstance(source, Scalar):
        vector(context, "vdup", [], work.to, beside(source, work.to.dtype))
    else:
        vector(context, "vcopy", [source], work.to)


def to_blocks(context: Context, column: Ref, to: Ref) -> bool:
    """A column whose elements fill one or two blocks of the result each: a `vbrcb` for each of these, where the column
    has whole repeats."""
    if len(to.sizes) < 2 or to.space != "ub":
        return False
    *_, rows, width = to.sizes
    lanes, step = to.lanes, to.strides[-2]
    fits = isinstance(rows, int) and rows % 8 == 0 and width in (lanes, 2 * lanes)
    if not fits or column.sizes != (*to.sizes[:-1], 1) or (column.strides[-2], to.strides[-1]) != (1, 1):
        return False
    assert isinstance(rows, int)
    if step % lanes:
        return False
    emit = context.emit
    whole: Idx = rows // 8
    refs = [column, to]
    if len(to.sizes) == 3 and (column.strides[0], to.strides[0]) == (rows, rows * step):
        whole = emit.mul(to.sizes[0], whole)  # the parts of the column follow each other
        refs = [replace(ref, sizes=ref.sizes[1:], strides=ref.strides[1:]) for ref in refs]
    with each(emit, refs, len(refs[0].sizes) - 2) as (one, into):
        source = emit.view(one.base, (whole, 8, 1), (8, 1, 1), one.offset, one.slot)
        for at in range(0, 2 * lanes if width == 2 * lanes else lanes, lanes):
            start = emit.add(into.offset, at)
            blocks = emit.view(into.base, (whole, 8, lanes), (8 * step, step, 1), start, into.slot)
            emit.insert(ascend.VecOp("vbrcb", [source], blocks))
    return True


def _words_to_rows(context: Context, column: Ref, to: Ref) -> bool:
    """A column of i64, each element of which fills a row: the scalar unit reads it in its turn, and writes rows that do
    not begin blocks itself."""
    if to.dtype != "i64" or column.sizes[-1] != 1 or to.sizes[-1] == 1:
        return False
    outer = len(to.sizes) - 1
    spread = replace(
        column, strides=tuple(0 if n == 1 else s for n, s in zip(column.sizes, column.strides, strict=True))
    )
    whole = all(step % to.lanes == 0 for step in to.strides[:-1]) and to.strides[-1] == 1
    refs = (replace(spread, sizes=to.sizes), to)
    if not whole:
        with turn_of_scalar(context), each(context.emit, refs, outer + 1) as (one, into):
            write(context, read(context, one), into)
        return True
    with each(context.emit, refs, outer) as (one, row):
        with turn_of_scalar(context):
            number = read(context, one)
        vector(context, "vdup", [], row, Scalar(number))
    return True


def _row(context: Context, op: Operation, ref: Ref) -> Ref:
    from .refs import flat

    (found,) = flat(context.emit, (ref,))
    if len(found.sizes) != 1:
        raise LocatedError(op, f"{op.name}: elements of L1 that lie apart are not filled")
    return found


def copy(context: Context, op: Operation) -> None:
    """One buffer of UB to another."""
    assert isinstance(op, HivmOp)
    vector(context, "vcopy", [context.ref(op.one("src"))], context.ref(op.one("dst")))


def arange(context: Context, op: Operation) -> None:
    """Numbers in order along a row."""
    assert isinstance(op, HivmOp)
    to = context.ref(op.one("dst"))
    strides = [context.index(value) for value in op.group("strides")]
    start = op.optional("offset")
    if len(to.sizes) != 1 or strides not in ([], [1]):
        raise LocatedError(op, f"{op.name}: taken of one row whose numbers follow each other")
    first = 0 if start is None else context.index(start)
    vector(context, "vci", [], to, beside(Scalar(first), to.dtype))


def transpose(context: Context, op: Operation) -> None:
    """A matrix of whole blocks, 16 rows at a time, or each block of 16 rows."""
    assert isinstance(op, HivmOp)
    emit = context.emit
    source, to = context.ref(op.one("src")), context.ref(op.one("dst"))
    if dims_of(op, "permutation") == (0, 2, 1) and source.sizes[1:] == (16, source.lanes):
        emit.insert(ascend.TransposeOp(view_of(emit, source), view_of(emit, to)))
        return
    if _by_eight_rows(context, source, to) and dims_of(op, "permutation") == (1, 0):
        return
    rows, columns = source.sizes if len(source.sizes) == 2 else (0, 0)
    lanes = source.lanes
    fits = isinstance(rows, int) and isinstance(columns, int) and rows % 16 == 0 and columns % lanes == 0
    if not fits or dims_of(op, "permutation") != (1, 0) or not rows or lanes > 16:
        raise LocatedError(op, f"{op.name}: taken of matrices of whole blocks of 16 rows alone")
    assert isinstance(rows, int) and isinstance(columns, int)
    repeats = columns // lanes
    step, other = source.strides[0], to.strides[0]
    for row in range(0, rows, 16):
        start, end = emit.add(source.offset, row * step), emit.add(to.offset, row)
        one = emit.view(source.base, (repeats, 16, lanes), (lanes, step, 1), start, source.slot)
        turned = emit.view(to.base, (repeats, lanes, 16), (lanes * other, other, 1), end, to.slot)
        emit.insert(ascend.TransposeOp(one, turned))


def _by_eight_rows(context: Context, source: Ref, to: Ref) -> bool:
    """A matrix of words whose rows are eight and no sixteen: two blocks of each are columns apart."""
    rows, columns = source.sizes if len(source.sizes) == 2 else (0, 0)
    lanes = source.lanes
    if not isinstance(rows, int) or not isinstance(columns, int) or lanes != 8:
        return False
    if rows % 16 == 0 or rows % 8 or columns % 16 or not columns:
        return False
    emit, (step, other) = context.emit, (source.strides[0], to.strides[0])
    sizes = columns // 16, 2, 8, 8
    for row in range(0, rows, 8):
        start, end = emit.add(source.offset, row * step), emit.add(to.offset, row)
        one = emit.view(source.base, sizes, (16, 8, step, 1), start, source.slot)
        turned = emit.view(to.base, sizes, (16 * other, 8 * other, other, 1), end, to.slot)
        emit.insert(ascend.TransposeOp(one, turned))
    return True


def _all(handler: object, *names: str) -> dict[str, object]:
    return {f"hivm.hir.{name}": handler for name in names}


VECTORS = {
    **_all(unary, "vexp", "vln", "vabs", "vrelu", "vsqrt", "vrsqrt", "vrec"),
    **_all(binary, "vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vshl", "vshr"),
    **_all(bits, "vnot", "vand", "vor"),
    **_all(compare, "vcmp"),
    **_all(convert, "vcast"),
    **_all(repeat, "vbrc"),
    **_all(copy, "copy"),
    **_all(arange, "varange"),
    **_all(transpose, "vtranspose"),
}
__all__ = ["BLOCKS", "VECTORS"]
