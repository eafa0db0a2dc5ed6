"""`vcumsum` and `vcumprod`: the results of one row and the next row give those of this one, as in the template library.
Along rows AscendNPU-IR has the scalar unit compute."""

from dataclasses import replace

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Operation

from ...dialects.attributes import integers
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .context import Context
from .instructions import barrier, vector
from .numbers import Idx
from .refs import Ref, moved

TRUE = BoolAttr.from_bool(True)
FOLDS = {"vcumsum": "vadd", "vcumprod": "vmul"}


def cumulative(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    emit = context.emit
    refs = context.ref(op.one("src")), context.ref(op.one("dst"))
    dims = integers(op.properties["cum_dims"])  # pyright: ignore[reportArgumentType]
    rank = len(refs[0].sizes)
    if len(dims) != 1 or dims[0] == rank - 1:
        raise LocatedError(
            op, f"{op.name}: over {list(dims)} it is not taken: one dimension that is not the last one"
        )
    (dim,) = dims
    source, to = (ref.part((dim, *(d for d in range(rank) if d != dim))) for ref in refs)
    fold = FOLDS[op.name.removeprefix("hivm.hir.")]
    count, backwards = source.sizes[0], op.properties.get("reverse") == TRUE

    def row(ref: Ref, number: Idx) -> Ref:
        at = emit.sub(emit.sub(count, 1), number) if backwards else number
        return replace(moved(emit, ref, at, ref.strides[0]), sizes=ref.sizes[1:], strides=ref.strides[1:])

    vector(context, "vcopy", [row(source, 0)], row(to, 0))
    if count == 1:
        return
    with emit.loop((1, count, 1)) as (number, _):
        barrier(context)
        vector(context, fold, [row(to, emit.sub(number, 1)), row(source, number)], row(to, number))


CUMULATIVE = dict.fromkeys((f"hivm.hir.{name}" for name in FOLDS), cumulative)
