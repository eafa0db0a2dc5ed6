"""Where buffers of UB start within the groups of banks, so that what a Vector instruction touches does not collide.

Two sources whose repeats lie in the same groups are read one after the other (`runtime/machine/banks.py`). A buffer's
*phase* is where its slots start: at the first group, or half a turn of the groups later. Two operands of one
instruction with different phases do not meet where a repeat fills half of the groups. Phases are chosen by the cost
functions, one buffer after the other, as long as that helps.

What is not known is taken as it mostly is: offsets that a program computes start at the first group, runs that it
computes are as long as their buffer, and all buffers lie in one span of the banks.
"""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import dtype_of, memref_type
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import Banks, Target
from ...dialects.walked import ops_inside
from ...runtime.machine.banks import Shape, conflicts
from ...runtime.machine.costs import ceil_div, vec_cost, vector_repeats, wider
from ..analysis.constant_slots import trip_count
from ..analysis.live_ranges import Usage
from ..analysis.operands import root_of

ROUNDING = 1e-9
"""A share of sums by which they may differ: without it two phases may each seem better than the other, for ever."""
LONG = 16
"""Repeats of several blocks, or trips of a loop, where the program computes their number."""


@dataclass(frozen=True)
class _Use:
    """A Vector instruction: the buffers (by number) and shapes of its views, sources first, addresses counted from the
    start of a slot."""

    instruction: str
    dtype: str
    repeats: int
    buffers: tuple[int, ...]
    shapes: tuple[Shape, ...]

    def cycles(self, banks: Banks, target: Target, starts: Sequence[int]) -> float:
        """Cycles of the collisions with the buffers' slots at these addresses."""
        found = conflicts(
            banks,
            [(starts[b] + shape[0], *shape[1:]) for b, shape in zip(self.buffers, self.shapes, strict=True)],
        )
        return vec_cost(target, self.instruction, self.dtype, self.repeats, found).conflict


def bank_turn(target: Target) -> int:
    """Bytes after which addresses meet the same groups again, where starting elsewhere can help; else 0."""
    banks = target.banks
    turn = 0 if banks is None else banks.groups * banks.row
    return turn if turn > target.vector.bytes_per_repeat else 0


def _starts(banks: Banks) -> tuple[int, ...]:
    """The phases, in bytes: both halves of a turn, and a row behind them for what is read beside every second row."""
    half = banks.groups * banks.row // 2
    return 0, half, banks.row, half + banks.row


def bank_phases(
    kernel: ascend.KernelOp, usages: Sequence[Usage], pairs: Sequence[tuple[int, int]], target: Target
) -> tuple[int, ...]:
    """The phase in bytes of each of a memory's buffers, the same for a result and the first source over which it may
    lie (`pairs`); empty where banks do not matter."""
    banks = target.banks
    if not bank_turn(target) or banks is None:
        return ()
    uses = _uses(kernel, usages, target)
    if not uses:
        return ()
    phases = [0] * len(usages)
    groups = _groups(len(usages), pairs)
    of_group = [{u: n for u, n in uses.items() if not group.isdisjoint(u.buffers)} for group in groups]
    better = True
    while better:
        better = False
        for group, here in zip(groups, of_group, strict=True):
            now, kept = _total(here, banks, target, phases), phases[min(group)]
            for phase in _starts(banks) if now else ():
                tried = [phase if i in group else p for i, p in enumerate(phases)]
                cycles = now if phase == kept else _total(here, banks, target, tried)
                if cycles < now * (1 - ROUNDING):
                    now, phases, better = cycles, tried, True
    return tuple(phases)


def collisions(
    kernel: ascend.KernelOp, usages: Sequence[Usage], offsets: Sequence[Sequence[int]], target: Target
) -> float:
    """Cycles that the collisions of a layout cost, as far as they are known; of a buffer's slots the first counts."""
    if not bank_turn(target) or target.banks is None:
        return 0.0
    return _total(_uses(kernel, usages, target), target.banks, target, [slots[0] for slots in offsets])


def _total(uses: Mapping[_Use, float], banks: Banks, target: Target, starts: Sequence[int]) -> float:
    return sum(times * use.cycles(banks, target, starts) for use, times in uses.items())


def _groups(count: int, pairs: Sequence[tuple[int, int]]) -> list[set[int]]:
    """Buffers that share a phase: a result lies over one of its sources at most, the first."""
    found = [{i} for i in range(count)]
    for j, i in {j: i for i, j in reversed(pairs)}.items():
        first, second = (next(g for g in found if k in g) for k in (i, j))
        if first is not second:
            first |= second
            found.remove(second)
    return found


def _uses(kernel: ascend.KernelOp, usages: Sequence[Usage], target: Target) -> dict[_Use, float]:
    """The Vector instructions on buffers, equal ones together, and how often they run."""
    number: dict[SSAValue, int] = {usage.buffer.result: i for i, usage in enumerate(usages)}
    found: dict[_Use, float] = {}
    for op in ops_inside(kernel.body):
        if not isinstance(op, ascend.VecOp) or not op.sources:
            continue
        values: tuple[SSAValue, ...] = (*op.sources, op.destination)
        buffers = tuple(number.get(root_of(value), -1) for value in values)
        sizes = {_sizes(value) for value in op.sources}
        if min(buffers) < 0 or len({len(s) for s in sizes}) > 1:
            continue  # a mask beside elements, a scalar of another memory
        dtype = wider(*(dtype_of(value) for value in values))
        shapes = tuple(_shape(value, target) for value in values)
        repeats = vector_repeats(target, _sizes(op.destination), dtype)
        use = _Use(op.instruction.data, dtype, repeats, buffers, shapes)
        found[use] = found.get(use, 0.0) + _times(op)
    return found


def _sizes(value: SSAValue) -> tuple[int, ...]:
    """A view's sizes; a run that the program computes is as long as its buffer."""
    sizes = memref_type(value).get_shape()
    if len(sizes) == 1 and sizes[0] < 0:
        return (prod(memref_type(root_of(value)).get_shape()),)
    return tuple(LONG if size < 0 else size for size in sizes)


def _shape(value: SSAValue, target: Target) -> Shape:
    """The shape of a view, an offset that the program computes left out."""
    assert target.banks is not None
    row, item = target.banks.row, ELEMENT_BYTES[dtype_of(value)]
    sizes, view = _sizes(value), value.owner
    start = view.start.value.data * item if isinstance(view, ascend.ViewOp) else 0
    if len(sizes) == 3 and isinstance(view, ascend.ViewOp):
        step, stride, _ = view.element_strides()
        return start, sizes[0], sizes[1], step * item, stride * item
    each = target.vector.bytes_per_repeat
    return start, ceil_div(prod(sizes) * item, each), each // row, each, row


def _times(op: Operation) -> float:
    """How often an instruction runs; a branch counts as taken."""
    times, parent = 1.0, op.parent_op()
    while parent is not None and not isinstance(parent, ascend.KernelOp):
        if isinstance(parent, scf.ForOp):
            trips = trip_count(parent)
            times *= LONG if trips is None else trips
        parent = parent.parent_op()
    return times
