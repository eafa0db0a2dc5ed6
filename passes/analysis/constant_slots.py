"""Slots that are the same in every trip: where a loop's body moves a buffer on by a whole number of rounds.

scf.for … {
  %a = ascend.next_slot %buffer      // two slots: always 0
  %b = ascend.next_slot %buffer      // always 1
}
"""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend
from ...dialects.records import dataclass


def constant_slots(kernel: ascend.KernelOp) -> dict[SSAValue, int]:
    """The slot values of a kernel that never vary."""
    found: dict[SSAValue, int] = {}
    buffers = [op for op in kernel.body.block.ops if isinstance(op, ascend.BufferOp) and op.slot_count > 1]
    marks = _marks(kernel.body.block) if buffers else []
    for buffer in buffers:
        _walk(marks, buffer, 0, found)
    return found


@dataclass(frozen=True)
class _Mark:
    """An op that slots depend on: it chooses one of `buffer`, or holds `inside` those that do."""

    op: Operation
    buffer: Operation | Block | None
    inside: Sequence["_Mark"] = ()


def _marks(block: Block) -> list[_Mark]:
    found: list[_Mark] = []
    for op in block.ops:
        if isinstance(op, ascend.NextSlotOp | ascend.PreviousSlotOp):
            found.append(_Mark(op, op.buffer.owner))
        elif isinstance(op, scf.ForOp | scf.IfOp):
            inside = _marks(op.regions[0].block)
            if inside:
                found.append(_Mark(op, None, inside))
    return found


def _walk(
    marks: Sequence[_Mark], buffer: ascend.BufferOp, before: int | None, found: dict[SSAValue, int] | None
) -> int | None:
    """The slot count after a block, which starts after `before` slots; None where that is not known. Counts are modulo
    the buffer's slots."""
    slots, count = buffer.slot_count, before
    for mark in marks:
        op = mark.op
        if mark.buffer is not None:
            if mark.buffer is buffer and count is not None:
                ahead = isinstance(op, ascend.NextSlotOp)
                if found is not None:
                    found[op.results[0]] = count if ahead else (count - 2) % slots
                count = (count + ahead) % slots
        elif isinstance(op, scf.ForOp):
            count = _loop(op, mark.inside, buffer, count, found)
        else:
            after = _walk(mark.inside, buffer, count, found)
            count = count if after == count else None
    return count


def _loop(
    op: scf.ForOp,
    body: Sequence[_Mark],
    buffer: ascend.BufferOp,
    before: int | None,
    found: dict[SSAValue, int] | None,
) -> int | None:
    slots = buffer.slot_count
    a_trip = _walk(body, buffer, 0, None)
    if a_trip == 0:
        return _walk(body, buffer, before, found)
    trips = trip_count(op)
    if a_trip is None or before is None or trips is None:
        return None
    return (before + trips * a_trip) % slots


def trip_count(op: scf.ForOp) -> int | None:
    """How often a loop with constant bounds runs."""
    bounds: list[int] = []
    for value in (op.lb, op.ub, op.step):
        owner: Operation | Block = value.owner
        if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, IntegerAttr):
            return None
        bounds.append(owner.value.value.data)
    return len(range(*bounds))
