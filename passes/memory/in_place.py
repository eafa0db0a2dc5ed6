"""Buffers that an instruction may write over: an operand that dies there, read and written element for element.

    %a = vadd(%x, %y)      %x dies here and has the same elements in the same places: %a may lie over %x

Never over an operand that is read with other strides (a broadcast, a transpose), in another element type (a
conversion), whose repeats become one element (a reduction), or that is a bit mask.
"""

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import dtype_of
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ...dialects.walked import ops_inside
from ..analysis.live_ranges import Usage
from ..analysis.operands import reads_of, write_of


def in_place_pairs(kernel: ascend.KernelOp, usages: Sequence[Usage]) -> list[tuple[int, int]]:
    """Pairs of a memory's usages, by their numbers: the second one's buffer may be written over the first one's."""
    if not any("V" in usage.opens for usage in usages):
        return []
    number = {u.buffer: i for i, u in enumerate(usages)}
    touches: dict[ascend.BufferOp, list[Operation]] = {}
    begins: dict[SSAValue, list[Operation]] = {}
    for op in ops_inside(kernel.body):
        if isinstance(op, ascend.NextSlotOp | ascend.PreviousSlotOp):
            begins.setdefault(op.buffer, []).append(op)
        elif ascend.is_instruction(op):
            for buffer in _buffers((*reads_of(op), write_of(op))):
                touches.setdefault(buffer, []).append(op)
    found: list[tuple[int, int]] = []
    for op in ops_inside(kernel.body):
        if not isinstance(op, ascend.VecOp) or not _element_for_element(op):
            continue
        for target in _buffers([op.destination]):
            if target not in number or touches[target][0] is not op or not _in_step(begins, target, op):
                continue
            for source in _buffers(op.sources):
                dies = source in number and source is not target and touches[source][-1] is op
                views = [v for v in op.sources if source in _buffers([v])]
                same = all(_same_places(v, op.destination) for v in views)
                if dies and same and source.slot_count == target.slot_count and _in_step(begins, source, op):
                    found.append((number[source], number[target]))
    return found


def _element_for_element(op: ascend.VecOp) -> bool:
    instruction = VECTOR_INSTRUCTIONS[op.instruction.data]
    return not instruction.reduces and not instruction.mask and op.instruction.data != "vconv"


def _buffers(values: Iterable[SSAValue]) -> list[ascend.BufferOp]:
    """The buffers of which values are views, each once."""
    bases = [v.owner.base.owner for v in values if isinstance(v.owner, ascend.ViewOp)]
    return list(dict.fromkeys(base for base in bases if isinstance(base, ascend.BufferOp)))


def _in_step(begins: Mapping[SSAValue, Sequence[Operation]], buffer: ascend.BufferOp, op: Operation) -> bool:
    """Whether each execution of an op's block starts one generation of the buffer: slots of two such go in step."""
    starts = begins.get(buffer.result, ())
    if not starts:
        return buffer.parent is op.parent
    return len(starts) == 1 and isinstance(starts[0], ascend.NextSlotOp) and starts[0].parent is op.parent


def _same_places(source: SSAValue, destination: SSAValue) -> bool:
    """Whether two views name the same elements of their buffers, in the same order."""
    first, second = source.owner, destination.owner
    assert isinstance(first, ascend.ViewOp) and isinstance(second, ascend.ViewOp)
    return (
        dtype_of(source) == dtype_of(destination)
        and first.start == second.start
        and first.offset is second.offset
        and first.mixed_sizes() == second.mixed_sizes()
        and first.element_strides() == second.element_strides()
    )
