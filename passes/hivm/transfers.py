"""Transfers: rows between GM and UB, rows of GM to fractals in L1, sums of L0C to GM, one buffer of UB to another."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ...dialects.isa import ATOMICS
from ..support.errors import LocatedError
from .context import Context
from .emitter import Emitter
from .numbers import Idx
from .refs import Ref, flat, moved
from .unit_flags import in_each_mode, unit_flags

MOST_BURSTS = 4095
LIBRARY = 7
"""The id by which the library hands over between the DMA and the scalar unit."""


@contextmanager
def each(emit: Emitter, refs: Sequence[Ref], dims: int) -> Generator[list[Ref], None, None]:
    """The refs at each index of their first `dims` dimensions."""
    with ExitStack() as stack:
        found = list(refs)
        for _ in range(dims):
            index = stack.enter_context(emit.repeated(found[0].sizes[0]))
            found = [
                replace(moved(emit, ref, index, ref.strides[0]), sizes=ref.sizes[1:], strides=ref.strides[1:])
                for ref in found
            ]
        yield found


def bursts(emit: Emitter, refs: Sequence[Ref]) -> list[Ref]:
    """The refs as rows of bursts, each of which is contiguous; single elements where no row is."""
    found = flat(emit, refs)
    if not found[0].sizes:
        found = [replace(ref, sizes=(1,), strides=(1,)) for ref in found]
    if any(ref.strides[-1] != 1 for ref in found):
        found = [replace(ref, sizes=(*ref.sizes, 1), strides=(*ref.strides, 1)) for ref in found]
    return found


def view_of(emit: Emitter, ref: Ref) -> SSAValue:
    return emit.view(ref.base, ref.sizes, ref.strides, ref.offset, ref.slot)


def _copies(
    context: Context,
    source: Ref,
    destination: Ref,
    pad: float | None = None,
    atomic: str | None = None,
    left: Idx = 0,
) -> None:
    """Copy bursts; more of them than an instruction takes are several instructions. `left`: elements in front of each
    that are filled."""
    emit = context.emit
    rows = bursts(emit, (source, destination))
    with each(emit, rows, max(len(rows[0].sizes) - 2, 0)) as found:
        count = found[0].sizes[0]
        if len(found[0].sizes) == 2 and isinstance(count, int) and count > MOST_BURSTS:
            parts = [(at, min(MOST_BURSTS, count - at)) for at in range(0, count, MOST_BURSTS)]
        else:
            parts = [(0, count)]
        for at, size in parts:
            pieces = [
                replace(moved(emit, ref, at, ref.strides[0]), sizes=(size, *ref.sizes[1:])) for ref in found
            ]
            if left != 0:
                pieces[1] = _from(emit, pieces[1], left, emit.add(pieces[1].sizes[-1], left))
            first, second = (view_of(emit, ref) for ref in pieces)
            emit.insert(ascend.CopyOp(first, second, pad=pad, atomic=atomic, left=left != 0))


def _from(emit: Emitter, ref: Ref, before: Idx, width: Idx) -> Ref:
    """Rows that begin some elements before those of a ref."""
    return replace(moved(emit, ref, before, -1), sizes=(*ref.sizes[:-1], width))


def _fill_left(context: Context, ref: Ref, left: Idx, pad: float) -> Idx:
    """Fill whole blocks in front of rows, as the library has the Vector do. How many elements are left in front."""
    emit, lanes = context.emit, ref.lanes
    whole = emit.mul(emit.div(left, lanes), lanes)
    if whole == 0:
        return left
    with emit.repeated(emit.min(whole, 1)):
        emit.set_flag("MTE2", "V", LIBRARY)
        emit.wait_flag("MTE2", "V", LIBRARY)
        with each(emit, (ref,), len(ref.sizes) - 1) as (row,):
            emit.insert(ascend.VecOp("vdup", [], view_of(emit, _from(emit, row, left, whole)), pad))
        emit.set_flag("V", "MTE2", LIBRARY)
        emit.wait_flag("V", "MTE2", LIBRARY)
    return emit.sub(left, whole)


def turns_over(outside: Ref, inside: Ref) -> bool:
    """Whether rows become columns between GM and UB, and elements in UB do not begin blocks, so that no burst reaches
    them: the library has the scalar unit move them one by one."""
    if len(outside.sizes) < 2 or all(size == 1 for size in outside.sizes):
        return False
    turned = any(ref.strides[-2] < ref.strides[-1] for ref in (outside, inside))
    return turned and any(step % inside.lanes for step in inside.strides[-2:])


def _by_scalar(context: Context, source: Ref, destination: Ref) -> None:
    """Elements of GM to UB, one by one: the scalar unit waits for the DMA before, and the DMA for it behind."""
    emit = context.emit
    emit.set_flag("MTE2", "S", LIBRARY)
    emit.wait_flag("MTE2", "S", LIBRARY)
    with each(emit, (source, destination), len(source.sizes)) as found:
        one, to = (view_of(emit, replace(ref, sizes=(1,), strides=(1,))) for ref in found)
        emit.insert(ascend.StoreScalarOp(emit.insert(ascend.LoadScalarOp(one)).result, to))
    emit.set_flag("S", "MTE2", LIBRARY)
    emit.wait_flag("S", "MTE2", LIBRARY)


def load(context: Context, op: Operation) -> None:
    """GM to UB. Behind each row the DMA fills up to the end of a 32 B block."""
    assert isinstance(op, HivmOp)
    pad: float | None = None
    if word_of(op.properties.get("pad_mode"), "PadNull") == "PadValue":
        value = op.optional("pad_value")
        found = 0.0 if value is None else context.number(value)
        if isinstance(found, SSAValue):
            raise LocatedError(op, f"{op.name}: a pad value that is known at run time only is not taken")
        pad = found
    given = op.optional("left_padding")
    left = 0 if given is None else context.index(given)
    source, destination = context.ref(op.one("src")), context.ref(op.one("dst"))
    _check_sizes(op, source)
    apart = turns_over(source, destination)
    if left != 0 and (apart or (destination.strides[-1], source.strides[-1]) != (1, 1)):
        raise LocatedError(
            op, f"{op.name}: padding to the left of rows whose elements lie apart is not taken"
        )
    if apart:
        _by_scalar(context, source, destination)
    else:
        rest = left if left == 0 else _fill_left(context, destination, left, 0.0 if pad is None else pad)
        _copies(context, source, destination, pad, left=rest)


def store(context: Context, op: Operation) -> None:
    """UB to GM."""
    assert isinstance(op, HivmOp)
    kind = word_of(op.properties.get("atomic_kind"), "none")
    atomic = None if kind == "none" else kind
    if atomic not in (None, *ATOMICS):
        raise LocatedError(op, f"{op.name}: atomic {kind} is not taken: the DMA has {', '.join(ATOMICS)}")
    if kind == "add" and not isinstance(context.vector, int):
        _check_once(context, op)
    source, destination = context.ref(op.one("src")), context.ref(op.one("dst"))
    _check_sizes(op, source)
    if turns_over(destination, source):
        raise LocatedError(op, f"{op.name}: rows of UB as columns of GM, element by element, are not taken")
    _copies(context, source, destination, atomic=atomic)


def _check_sizes(op: Operation, ref: Ref) -> None:
    """`LocatedError` for a transfer of less than nothing, which the DMA would take for a large number."""
    for size in ref.sizes:
        if isinstance(size, int) and size < 0:
            raise LocatedError(op, f"{op.name}: {size} elements with the arguments of this launch")


def _check_once(context: Context, op: Operation) -> None:
    """`LocatedError` where all Vector cores of a group add the same elements: their program is one, and asks nowhere
    which of them runs it."""
    function: Operation = op
    while (around := function.parent_op()) is not None and not isinstance(function, FuncOp):
        function = around
    if not any(inner.name == "hivm.hir.get_sub_block_idx" for inner in function.walk()):
        each = f"each of the {context.vectors} Vector cores of a group adds the same elements"
        raise LocatedError(op, f"{op.name}: {each}: the function does not ask which of them it is on")


def to_fractals(context: Context, op: Operation) -> None:
    """Rows of GM as fractals in L1, `[columns / c0, rows / 16, 16, c0]`: the DMA turns them over."""
    assert isinstance(op, HivmOp)
    emit = context.emit
    source, destination = context.ref(op.one("src")), context.ref(op.one("dst"))
    if len(source.sizes) != 2 or len(destination.sizes) != 4:
        raise LocatedError(op, f"{op.name}: taken of 2-D rows and 4-D fractals alone")
    rows, columns = source.sizes
    c0 = source.lanes
    column_step, row_block, row_step, lane = destination.strides
    if (row_block, row_step, lane) != (16 * c0, c0, 1) or source.strides[1] != 1:
        raise LocatedError(op, f"{op.name}: rows of a block of columns are not packed")
    blocks = emit.ceil_div(columns, c0)
    fractals = replace(destination, sizes=(blocks, rows, c0), strides=(column_step, c0, 1))
    emit.insert(ascend.CopyOp(view_of(emit, source), view_of(emit, fractals), nd2nz=True))


def fixpipe(context: Context, op: Operation) -> None:
    """Sums of L0C, `[n / 16, m / 16, 16, 16]`, to rows in GM, or as they lie."""
    assert isinstance(op, HivmOp)
    emit = context.emit
    source, destination = context.ref(op.one("src")), context.ref(op.one("dst"))
    mode = word_of(op.properties.get("dma_mode"), "nz2nz")
    relu = word_of(op.properties.get("pre_relu"), "NO_RELU")
    if relu not in ("NO_RELU", "NORMAL_RELU") or op.group("quant_scale"):
        raise LocatedError(op, f"{op.name}: slopes and scales are not taken")
    if len(source.sizes) != 4 or mode == "nz2dn":
        raise LocatedError(op, f"{op.name}: taken of 4-D sums, to rows or as they lie")
    n1, m1, rows, lanes = source.sizes
    count = emit.mul(m1, rows)
    if mode == "nz2nd":
        to = flat_rows(destination)
        if len(to.sizes) != 2:
            raise LocatedError(op, f"{op.name}: rows of sums are 2-D in GM")
        to = _given_columns(context, source.base, to)
        count = to.sizes[0]
    else:
        n1, blocks, inner, _ = destination.sizes
        count = emit.mul(blocks, inner)
        to = replace(
            destination, sizes=(n1, count, lanes), strides=(destination.strides[0], destination.strides[2], 1)
        )
    sums = replace(source, sizes=(n1, count, lanes), strides=(source.strides[0], source.strides[2], 1))
    views, slope = (view_of(emit, sums), view_of(emit, to)), 0.0 if relu == "NORMAL_RELU" else None
    on = unit_flags(context, op).on
    in_each_mode(emit, on, lambda unit: emit.insert(ascend.FixpipeOp(*views, slope=slope, unit_flag=unit)))


def _given_columns(context: Context, sums: SSAValue, to: Ref) -> Ref:
    """A destination of sums without the columns that no product gave: L0C holds there what it held before."""
    given = context.columns.get(sums)
    rows, columns = to.sizes
    if given is None or not context.emit.visible(given):
        return to
    return replace(to, sizes=(rows, context.emit.min(columns, given)))


def flat_rows(ref: Ref) -> Ref:
    """A ref without the leading dimensions of 1 that more than two have."""
    extra = len(ref.sizes) - 2
    drop = [d for d, size in enumerate(ref.sizes) if size == 1][: max(extra, 0)]
    return ref.part([d for d in range(len(ref.sizes)) if d not in drop])


TRANSFERS = {
    "hivm.hir.load": load,
    "hivm.hir.store": store,
    "hivm.hir.nd2nz": to_fractals,
    "hivm.hir.fixpipe": fixpipe,
}
__all__ = ["TRANSFERS", "each", "view_of"]
