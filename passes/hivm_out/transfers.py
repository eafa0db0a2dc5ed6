"""Transfers as ops of HIVM: rows between GM and UB, rows of GM to fractals in L1, sums of L0C to GM."""

from xdsl.dialects.builtin import BoolAttr, UnitAttr

from ...dialects import ascend
from ...dialects.ascend.memory import dtype_of, memref_type, space_of
from ...dialects.hivm.attributes import DmaMode, PadMode, PreQuant, PreRelu
from ...dialects.hivm.transfers import CopyOp, FixpipeOp, LoadOp, Nd2NzOp, StoreOp
from ..support.errors import LocatedError
from .writer import Writer

QUANT = {("f32", "f32"): "NO_QUANT", ("f32", "f16"): "F322F16", ("f32", "bf16"): "F322BF16"}


def copy(write: Writer, op: ascend.CopyOp) -> None:
    """A transfer by its two memories."""
    path = space_of(op.source), space_of(op.destination)
    if op.nd2nz is not None:
        _fractals(write, op)
        return
    kinds = {("gm", "ub"): LoadOp, ("ub", "gm"): StoreOp, ("ub", "ub"): CopyOp}
    if path not in kinds or op.relu is not None:
        way = " to ".join(one.upper() for one in path)
        raise LocatedError(op, f"ascend.copy: HIVM has no transfer of rows from {way}")
    views = [write.view(op.source)], [write.view(op.destination)]
    if path == ("gm", "ub"):
        pad = (
            [] if op.pad is None else [write.constant(op.pad.value.data, memref_type(op.source).element_type)]
        )
        mode = PadMode("PadValue") if pad else None
        write.emit(
            LoadOp, [*views, pad, [], [], []], pad_mode=mode, init_out_buffer=BoolAttr.from_bool(False),
            may_implicit_transpose_with_last_axis=BoolAttr.from_bool(False),
        )  # fmt: skip
    elif path == ("ub", "gm"):
        write.emit(StoreOp, views)
    else:
        write.emit(CopyOp, [*views, []])


def _fractals(write: Writer, op: ascend.CopyOp) -> None:
    """Rows to fractals, `[columns / c0, rows / 16, 16, c0]`."""
    view = op.destination.owner
    assert isinstance(view, ascend.ViewOp)
    blocks, rows, c0 = view.mixed_sizes()
    step, row, _ = view.element_strides()
    if not isinstance(rows, int) or not isinstance(blocks, int) or rows % 16 or row != c0:
        raise LocatedError(op, "ascend.copy nd2nz: HIVM's fractals are whole, of a size that is known")
    assert isinstance(c0, int)
    to = write.view(op.destination, [blocks, rows // 16, 16, c0], [step, 16 * c0, c0, 1])
    write.emit(Nd2NzOp, [[write.view(op.source)], [to], [], []], dst_continuous=UnitAttr())


def fixpipe(write: Writer, op: ascend.FixpipeOp) -> None:
    """Sums to rows in GM."""
    view = op.source.owner
    assert isinstance(view, ascend.ViewOp)
    for what, given in (("slopes", op.slopes), ("scales", op.scales), ("scale", op.scale), ("leaky", op.leaky),
                        ("unit_flag", op.unit_flag)):  # fmt: skip
        if given is not None:
            raise LocatedError(op, f"ascend.fixpipe: {what} has no form in HIVM")
    quant = QUANT.get((dtype_of(op.source), dtype_of(op.destination)))
    n1, m, lanes = view.mixed_sizes()
    if quant is None or len(memref_type(op.destination).get_shape()) != 2:
        raise LocatedError(op, "ascend.fixpipe: HIVM takes f32 to rows of f32, f16 or bf16")
    if not isinstance(n1, int) or not isinstance(m, int) or m % 16:
        raise LocatedError(op, "ascend.fixpipe: HIVM's sums are whole fractals, of a size that is known")
    assert isinstance(lanes, int)
    step = view.element_strides()[0]
    sums = write.view(op.source, [n1, m // 16, 16, lanes], [step, 256, 16, 1])
    write.emit(
        FixpipeOp, [[sums], [write.view(op.destination)], [], []], dma_mode=DmaMode("nz2nd"),
        pre_quant=PreQuant(quant), pre_relu=PreRelu("NO_RELU" if op.relu is None else "NORMAL_RELU"),
    )  # fmt: skip
