"""Index arithmetic of a kernel's body, as far as it is not known already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ...support.indices import Idx

if TYPE_CHECKING:
    from .context import LoweringContext


def lower_index(k: LoweringContext, op: Operation) -> Idx:
    """What an op of `arith` gives."""
    emit = k.emit
    if isinstance(op, arith.ConstantOp):
        assert isinstance(op.value, IntegerAttr)
        return op.value.value.data
    a, b = (k.idx(value) for value in op.operands)
    match op:
        case arith.AddiOp():
            return emit.add(a, b)
        case arith.SubiOp():
            return emit.sub(a, b)
        case arith.MuliOp():
            return emit.mul(a, b)
        case arith.MinSIOp():
            return emit.min(a, b)
        case arith.MaxSIOp():
            return emit.max(a, b)
        case arith.DivUIOp():
            assert isinstance(b, int), "divisors are static"
            return emit.div(a, b)
        case _:
            raise TypeError(f"tile-to-ascend: cannot lower {op.name}")
