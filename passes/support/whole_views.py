"""Views for operands that are whole buffers or tensors: passes then meet one form.

ascend.copy %x, %a   ->   %v = ascend.view %x … ; %w = ascend.view %a … ; ascend.copy %v, %w
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type
from ...dialects.walked import ops_inside
from .errors import LocatedError


def view_whole_operands(kernel: ascend.KernelOp) -> None:
    """Put a view of all its elements, row by row, in the place of each operand of an instruction that is none.
    `LocatedError` at one of dynamic size."""
    bare = [
        (op, i, value)
        for op in ops_inside(kernel.body)
        if ascend.is_instruction(op)
        for i, value in enumerate(op.operands)
        if isinstance(value.type, MemRefType) and not isinstance(value.owner, ascend.ViewOp)
    ]
    for op, i, value in bare:
        shape = memref_type(value).get_shape()
        if DYNAMIC_INDEX in shape:
            raise LocatedError(op, f"{op.name}: operand {i} has a dynamic size: take an ascend.view of it")
        view = _whole(value, shape)
        view.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(view, op)
        op.operands[i] = view.result


def _whole(value: SSAValue, shape: Sequence[int]) -> ascend.ViewOp:
    strides = [*accumulate(reversed(shape[1:]), mul, initial=1)][::-1]
    return ascend.ViewOp(value, shape, strides)
