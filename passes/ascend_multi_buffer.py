"""Ping-pong: buffers that hand data from one pipe to another inside a loop get two slots.

    %a = ascend.buffer : memref<4096xf16, "ub">   ->   %a = ascend.buffer {slots = 2 : i64} : memref<4096xf16, "ub">

While one pipe works on one slot the other fills the next. Who gets slots is decided in `memory.slot_plan`; what stays
single is serialised by its flags.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from ..dialects import ascend
from ..dialects.records import dataclass
from ..dialects.shared_attributes import i64_attribute
from ..dialects.target import TargetError
from ..dialects.target_types import Target
from ..dialects.walked import ops_inside
from .analysis.live_ranges import Usage, buffer_usages
from .analysis.operands import pipe_of
from .analysis.required_slots import least_slots
from .memory.group_buffers import Taken, taken_by_groups
from .memory.slot_plan import MultiBufferProblem, Slotted, plan_slots, validate
from .memory.space_plan import DoesNotFitError, plan_space
from .memory.space_problem import fits, loop_numbers, space_problem
from .support.errors import LocatedError
from .support.module import check_unit_flags, chip_of, lowered_kernels
from .support.options import Pass
from .support.peers import each


@dataclass(frozen=True)
class AscendMultiBuffer(Pass):
    """Decide the slots of every buffer. `slots` is what a buffer gets where it helps. Where buffers have addresses, the
    slots are those of these."""

    name = "ascend-multi-buffer"
    annotates: ClassVar = (ascend.BufferOp,)
    target: str | None = None
    slots: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slots < 1:
            raise ValueError(f"slots is 1 or more, not {self.slots}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        kernels = lowered_kernels(op, target)
        taken = taken_by_groups(op, target)

        def decide(number: int) -> ascend.KernelOp:
            kernel = kernels[number]
            check_paths(kernel, target)
            check_unit_flags(kernel, target)
            if not any(buffer.addresses for buffer in _buffers(kernel)):
                self._decide(kernel, target, taken.get(kernel.sym_name.data, {}))
            return kernel

        _, told = each(len(kernels), decide, lambda kernel: [one.slot_count for one in _buffers(kernel)])
        for number, slots in told.items():
            give_slots(_buffers(kernels[number]), slots)

    def _decide(self, kernel: ascend.KernelOp, target: Target, taken: Taken) -> None:
        """Give a kernel's buffers their slots, beside what buffers of its group have `taken`."""
        buffers, problem = slot_problem(kernel, target, self.slots, taken)
        plan = plan_slots(problem)
        validate(problem, plan)
        least = [buffer.least for buffer in problem.buffers]
        give_slots(buffers, plan.slots)
        if problem.shared and list(plan.slots) != least and not fits(kernel, target, taken):
            give_slots(buffers, least)


def _buffers(kernel: ascend.KernelOp) -> list[ascend.BufferOp]:
    return [op for op in ops_inside(kernel.body) if isinstance(op, ascend.BufferOp)]


def give_slots(buffers: Sequence[ascend.BufferOp], slots: Sequence[int]) -> None:
    for buffer, count in zip(buffers, slots, strict=True):
        buffer.slots = i64_attribute(count)


def check_paths(kernel: ascend.KernelOp, target: Target) -> None:
    """`LocatedError` at an instruction that moves data where the chip has no path."""
    for op in ops_inside(kernel.body):
        try:
            if ascend.is_instruction(op):
                pipe_of(op, target)
        except TargetError as error:
            raise LocatedError(op, f"{op.name}: {error}") from None


def slot_problem(
    kernel: ascend.KernelOp, target: Target, slots: int = 2, taken: Taken | None = None
) -> tuple[list[ascend.BufferOp], MultiBufferProblem]:
    """A kernel's buffers, and the problem of how many slots each gets beside what buffers of its group have
    `taken`."""
    usages = buffer_usages(kernel, target)
    least, loops = least_slots(kernel), dict[scf.ForOp, int]()
    buffers = tuple(
        Slotted(
            u.label,
            u.space,
            _padded(u, target),
            bool(u.loops) and len(u.pipes) > 1,
            len(u.loops),
            least.get(u.buffer, 1),
            u.start,
            u.end,
            loops.setdefault(u.loops[-1], len(loops)) if u.loops else -1,
            u.buffer.slot_count if slots > 1 else 0,
        )
        for u in usages
    )
    capacities = {
        space: target.spaces[space].bytes - (taken or {}).get(space, 0)
        for space in dict.fromkeys(u.space for u in usages)
    }
    shared: dict[str, int] = {}
    for space, capacity in capacities.items():
        here = [b for b in buffers if b.space == space]
        together = sum(b.size * b.least for b in here)
        if together > capacity:
            give_slots([u.buffer for u in usages], [b.least for b in buffers])
            shared[space] = max(together - _packed(usages, space, kernel, target, taken), 0)
    return [u.buffer for u in usages], MultiBufferProblem(buffers, capacities, slots, shared)


def _packed(
    usages: Sequence[Usage], space: str, kernel: ascend.KernelOp, target: Target, taken: Taken | None
) -> int:
    """Bytes that buffers take in a space which does not hold them side by side."""
    here = [u for u in usages if u.space == space]
    problem = space_problem(here, space, target, loop_numbers(kernel), taken)
    try:
        return plan_space(problem, "no-stall").peak - problem.taken
    except DoesNotFitError:
        return problem.capacity


def _padded(usage: Usage, target: Target) -> int:
    align = target.spaces[usage.space].align
    return -(-usage.buffer.slot_bytes // align) * align
