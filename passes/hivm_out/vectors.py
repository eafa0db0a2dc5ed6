"""Vector instructions as ops of HIVM, each of them one: a repeat, its blocks and their lanes are dimensions."""

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type
from ...dialects.hivm import vector
from ...dialects.hivm.attributes import CompareMode, ReduceOp, RoundMode
from ...dialects.hivm.base import HivmOp
from ...dialects.hivm.transfers import CopyOp
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ..support.errors import LocatedError
from .writer import Writer

_NAMED = {op.name.removeprefix("hivm.hir."): op for op in (*vector.UNARY, *vector.BINARY, vector.VDivOp)}
PLAIN = {name: _NAMED[name] for name in _NAMED if name in VECTOR_INSTRUCTIONS}
"""Instructions that HIVM has by the same name."""
SCALAR = {f"{name}s": _NAMED[name] for name in ("vadd", "vmul", "vmax", "vmin")}
"""Those with a scalar: the same op, whose second operand is no memref."""
FUSED = ("vmadd", "vaxpy")
"""Those that multiply and add."""
REDUCTIONS = {"vcadd": "sum", "vcmax": "max", "vcmin": "min"}


def _none() -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, [])


def _scalar(write: Writer, op: ascend.VecOp, kind: Attribute) -> SSAValue:
    """The number beside the elements, of their type."""
    if op.scalar is None:
        raise LocatedError(
            op, f"{op.instruction.data}: a scalar that is computed on the core has no form in HIVM"
        )
    return write.constant(op.scalar.value.data, kind)


def vec(write: Writer, op: ascend.VecOp) -> None:
    """One Vector instruction."""
    name = op.instruction.data
    if name in REDUCTIONS:
        _reduction(write, op)
        return
    refs = [*op.sources, op.destination]
    *sources, to = _shaped(write, refs)
    kind = memref_type(op.destination).element_type
    element = memref_type(op.sources[0]).element_type if op.sources else kind
    if name in PLAIN:
        _elementwise(write, PLAIN[name], sources, to, refs)
    elif name in SCALAR:
        _elementwise(write, SCALAR[name], [*sources, _scalar(write, op, element)], to, refs)
    elif name.startswith("vcmpv"):
        second = [_scalar(write, op, element)] if name.startswith("vcmpvs") else []
        mode = CompareMode(name.rpartition("_")[2])
        _elementwise(write, vector.VCmpOp, [*sources, *second], to, refs, compare_mode=mode)
    elif name == "vsel":
        _elementwise(write, vector.VSelOp, sources, to, refs)
    elif name == "vconv":
        _elementwise(write, vector.VCastOp, sources, to, refs, round_mode=RoundMode("rint"))
    elif name == "vcopy":
        shape = memref_type(op.destination).get_shape()
        steps = zip(_strides(op.sources[0]), shape, strict=True)
        dims = [d for d, (step, size) in enumerate(steps) if step == 0 and size != 1]
        if dims:
            write.emit(vector.VBrcOp, [sources, [to], []], broadcast_dims=DenseArrayBase.from_list(i64, dims))
        else:
            write.emit(CopyOp, [sources, [to], []])
    elif name == "vdup":
        write.emit(vector.VBrcOp, [[_scalar(write, op, kind)], [to], []], broadcast_dims=_none())
    else:
        fused = ", which is fused: as vmul and vadd it rounds twice, in twice the time" * (name in FUSED)
        raise LocatedError(op, f"{name}: HIVM has no op for it{fused}")


def _strides(value: SSAValue) -> tuple[int, ...]:
    owner = value.owner
    assert isinstance(owner, ascend.ViewOp)
    return owner.element_strides()


def _shaped(write: Writer, values: list[SSAValue]) -> list[SSAValue]:
    """Operands of one instruction: contiguous ones as a row."""
    views = [value.owner for value in values if isinstance(value.type, type(memref_type(values[-1])))]
    sizes = [list(view.mixed_sizes()) for view in views if isinstance(view, ascend.ViewOp)]
    for shape, value in zip(sizes, values, strict=True):
        row = 1
        for size, step in reversed(list(zip(shape, _strides(value), strict=True))):
            if not isinstance(size, int) or (size != 1 and step != row):
                return [write.view(one) for one in values]
            row *= size
    totals = [_product(shape) for shape in sizes]
    return [write.view(one, [total], [1]) for one, total in zip(values, totals, strict=True)]


def _product(shape: list[int | SSAValue]) -> int:
    total = 1
    for size in shape:
        assert isinstance(size, int)
        total *= size
    return total


def _elementwise(
    write: Writer,
    kind: type[HivmOp],
    sources: list[SSAValue],
    to: SSAValue,
    given: list[SSAValue],
    **properties: Attribute,
) -> None:
    """An op on elements; `given` are the views, whose strides of 0 repeat an operand."""
    rank = len(memref_type(to).get_shape())
    dims = [
        d for d in range(rank) if any(_strides(v)[d] == 0 for v in given[:-1] if len(_strides(v)) == rank)
    ]
    groups = [sources, [to]] if kind is vector.VCmpOp else [sources, [to], []]  # no temporary buffer
    names = {"transpose": _none(), "broadcast": DenseArrayBase.from_list(i64, dims), **properties}
    write.emit(kind, groups, (), **names)


def _reduction(write: Writer, op: ascend.VecOp) -> None:
    """Each repeat to one element: its blocks and lanes are what is reduced."""
    source, to = op.sources[0], op.destination
    view = source.owner
    assert isinstance(view, ascend.ViewOp)
    sizes = view.mixed_sizes()
    if len(sizes) == 1:
        raise LocatedError(op, f"{op.instruction.data}: in counter mode it has no form in HIVM")
    write.emit(
        vector.VReduceOp, [[write.view(source)], [write.view(to)], [], []],
        arith=ReduceOp(REDUCTIONS[op.instruction.data]), reduce_dims=DenseArrayBase.from_list(i64, [1, 2]),
    )  # fmt: skip


def transpose(write: Writer, op: ascend.TransposeOp) -> None:
    """Blocks turned over. One block that all rows repeat is a column, of which each element fills a row."""
    source, to = op.source.owner, op.destination.owner
    assert isinstance(source, ascend.ViewOp) and isinstance(to, ascend.ViewOp)
    repeat, rows, lanes = source.mixed_sizes()
    next_one, step, _ = source.element_strides()
    if len(to.mixed_sizes()) != 3:
        raise LocatedError(
            op, "ascend.transpose: HIVM writes rows of 16 elements, not blocks of them that lie apart"
        )
    if step:
        order = DenseArrayBase.from_list(i64, [0, 2, 1])
        views = [write.view(op.source)], [write.view(op.destination)], ()
        write.emit(vector.VTransposeOp, views, permutation=order)
        return
    away, pitch, _ = to.element_strides()
    column = write.view(op.source, [repeat, lanes, 1], [next_one, 1, 1])
    filled = write.view(op.destination, [repeat, lanes, rows], [away, pitch, 1])
    dims = DenseArrayBase.from_list(i64, [2])
    write.emit(vector.VBrcOp, [[column], [filled], []], broadcast_dims=dims)
