"""Ping-pong: buffers that hand data from one pipe to another inside a loop get two slots.

    %a = ascend.buffer : memref<4096xf16, "ub">   ->   %a = ascend.buffer {slots = 2 : i64} : memref<4096xf16, "ub">

While one pipe works on one slot the other fills the next. Who gets slots is decided in `multi_buffer_plan`; what stays
single is serialised by its flags.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from ..dialects import ascend
from ..dialects.target import Target, TargetError
from .buffer_usage import Usage, buffer_usages
from .graph_module import LocatedError, chip_of, lowered_kernels
from .group_buffers import Taken, taken_by_groups
from .instruction_operands import pipe_of
from .least_slots import least_slots
from .multi_buffer_plan import MultiBufferProblem, Slotted, plan_slots, validate


@dataclass(frozen=True)
class AscendMultiBuffer(ModulePass):
    """Decide the slots of every buffer. `slots` is what a buffer gets where it helps."""

    name = "ascend-multi-buffer"
    target: str | None = None
    slots: int = 2

    def __post_init__(self) -> None:
        if self.slots < 1:
            raise ValueError(f"slots is 1 or more, not {self.slots}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        kernels = lowered_kernels(op, target)
        taken = taken_by_groups(op, target)
        for kernel in kernels:
            check_paths(kernel, target)
            buffers, problem = slot_problem(kernel, target, self.slots, taken.get(kernel.sym_name.data, {}))
            plan = plan_slots(problem)
            validate(problem, plan)
            for buffer, count in zip(buffers, plan.slots, strict=True):
                buffer.slots = IntegerAttr(count, i64)


def check_paths(kernel: ascend.KernelOp, target: Target) -> None:
    """`LocatedError` at an instruction that moves data where the chip has no path."""
    for op in kernel.body.walk():
        try:
            if isinstance(op, ascend.INSTRUCTIONS):
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
        )
        for u in usages
    )
    capacities = {
        space: target.spaces[space].bytes - (taken or {}).get(space, 0)
        for space in dict.fromkeys(u.space for u in usages)
    }
    return [u.buffer for u in usages], MultiBufferProblem(buffers, capacities, slots)


def _padded(usage: Usage, target: Target) -> int:
    align = target.spaces[usage.space].align
    return -(-usage.buffer.slot_bytes // align) * align
