"""Transfers as ops of HIVM: rows between GM and UB, rows of GM to fractals in L1, sums of L0C to GM."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, UnitAttr
from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import dtype_of, memref_type, space_of
from ...dialects.hivm.attributes import AtomicKind, DmaMode, PadMode, PreQuant, PreRelu
from ...dialects.hivm.sync import WaitFlagOp
from ...dialects.hivm.transfers import CopyOp, FixpipeOp, LoadOp, Nd2NzOp, StoreOp
from ..support.errors import LocatedError
from .handover import BEFORE, BEHIND, modes, order, whole
from .writer import Writer

QUANT = {("f32", "f32"): "NO_QUANT", ("f32", "f16"): "F322F16", ("f32", "bf16"): "F322BF16"}


def copy(write: Writer, op: ascend.CopyOp) -> None:
    """A transfer by its two memories."""
    path = space_of(op.source), space_of(op.destination)
    if op.nd2nz is not None:
        _fractals(write, op)
        return
    kinds = {("gm", "ub"): LoadOp, ("gm", "l1"): LoadOp, ("ub", "gm"): StoreOp, ("ub", "ub"): CopyOp}
    if path not in kinds or op.relu is not None:
        way = " to ".join(one.upper() for one in path)
        raise LocatedError(op, f"ascend.copy: HIVM has no transfer of rows from {way}")
    views = [write.view(op.source)], [write.view(op.destination)]
    if op.left is not None:
        raise LocatedError(op, "ascend.copy left: what is in front of rows is not written")
    if path[0] == "gm":
        pad = (
            [] if op.pad is None else [write.constant(op.pad.value.data, memref_type(op.source).element_type)]
        )
        mode = PadMode("PadValue") if pad else None
        write.emit(
            LoadOp, [*views, pad, [], [], []], pad_mode=mode, init_out_buffer=BoolAttr.from_bool(False),
            may_implicit_transpose_with_last_axis=BoolAttr.from_bool(False),
        )  # fmt: skip
    elif path == ("ub", "gm"):
        kind = None if op.atomic is None else AtomicKind(op.atomic.data)
        write.emit(StoreOp, views, atomic_kind=kind)
    else:
        write.emit(CopyOp, [*views, []])


def _fractals(write: Writer, op: ascend.CopyOp) -> None:
    """Rows to fractals, `[columns / c0, rows / 16, 16, c0]`, of which the last ones may be filled in part."""
    view = op.destination.owner
    assert isinstance(view, ascend.ViewOp)
    blocks, _, c0 = view.mixed_sizes()
    assert isinstance(c0, int)
    step, row, _ = view.element_strides()
    if row != c0:
        raise LocatedError(op, "ascend.copy nd2nz: HIVM has no rows that lie apart within fractals")
    to = write.view(op.destination, [blocks, max(step // (16 * c0), 1), 16, c0], [step, 16 * c0, c0, 1])
    write.emit(Nd2NzOp, [[write.view(op.source)], [to], [], []], dst_continuous=UnitAttr())


def fixpipe(write: Writer, op: ascend.FixpipeOp) -> None:
    """Sums to rows in GM, or to sums as they lie: as many as its destination has."""
    for what, given in (
        ("slopes", op.slopes),
        ("scales", op.scales),
        ("scale", op.scale),
        ("leaky", op.leaky),
    ):
        if given is not None:
            raise LocatedError(op, f"ascend.fixpipe: HIVM's library has no {what} on this chip")
    quant = QUANT.get((dtype_of(op.source), dtype_of(op.destination)))
    view, to = op.source.owner, op.destination.owner
    assert isinstance(view, ascend.ViewOp) and isinstance(to, ascend.ViewOp)
    if quant is None:
        raise LocatedError(op, "ascend.fixpipe: HIVM takes sums of f32 to f32, f16 or bf16")
    step = view.element_strides()[0]
    height, wide = step // 256, memref_type(view.base).get_shape()[0] // step
    sums = write.view(op.source, [wide, height, 16, 16], [step, 256, 16, 1])
    rows = len(to.mixed_sizes()) == 2
    if rows:
        destination = write.view(op.destination)
        count, columns = to.mixed_sizes()
        across = columns, 1
    else:
        blocks, count, _ = to.mixed_sizes()
        away, row, _ = to.element_strides()
        destination = write.view(op.destination, [blocks, 1, count, 16], [away, away, row, 1])
        across = blocks, 16
    full, mode, conditions = None, None, []
    if op.unit_flag is not None:
        full = whole(write, (_count(write, count, 1), height * 16), (_count(write, *across), wide * 16))
        mode, conditions = modes(write, None, full)
    if full is not None:
        with write.when(write.opposite(full)):
            write.flag(WaitFlagOp, ("M", "FIX"), BEFORE)
    write.emit(
        FixpipeOp, [[sums], [destination], conditions, []], dma_mode=DmaMode("nz2nd" if rows else "normal"),
        pre_quant=PreQuant(quant), pre_relu=PreRelu("NO_RELU" if op.relu is None else "NORMAL_RELU"),
        unit_flag_mode=mode,
    )  # fmt: skip
    if full is not None:
        with write.when(write.opposite(full)):
            order(write, ("FIX", "M"), BEHIND)


def _count(write: Writer, size: int | SSAValue, times: int) -> int | SSAValue:
    if isinstance(size, int):
        return size * times
    found = write.number(size)
    return found if times == 1 else write.insert(arith.MuliOp(found, write.constant(times))).result
