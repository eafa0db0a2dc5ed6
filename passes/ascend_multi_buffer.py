"""Ping-pong: buffers that hand data from one pipe to another inside a loop get two slots.

    %a = ascend.buffer : memref<4096xf16, "ub">   ->   %a = ascend.buffer {slots = 2 : i64} : memref<4096xf16, "ub">

While one pipe works on one slot the other fills the next. Slots go to the innermost loops first, as far as each space
has room; what stays single is serialised by its flags.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from ..dialects import ascend
from ..dialects.target import Target, load_target
from .buffer_usage import Usage, buffer_usages
from .graph_module import target_of


@dataclass(frozen=True)
class MultiBufferPlan:
    """Slots of each buffer, in program order."""

    slots: tuple[tuple[ascend.BufferOp, int], ...]


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
        target = load_target(target_of(op, self.target))
        for kernel in [k for k in op.body.block.ops if isinstance(k, ascend.KernelOp)]:
            for buffer, slots in plan_slots(kernel, target, self.slots).slots:
                buffer.slots = IntegerAttr(slots, i64)


def plan_slots(kernel: ascend.KernelOp, target: Target, slots: int = 2) -> MultiBufferPlan:
    """Which buffers get `slots` slots; the rest keep one."""
    usages = buffer_usages(kernel, target)
    free = {space: target.spaces[space].bytes for space in {u.space for u in usages}}
    for usage in usages:
        free[usage.space] -= _padded(usage, target)
    chosen: dict[ascend.BufferOp, int] = {}
    wanting = [u for u in usages if u.loops and len(u.pipes) > 1]
    for usage in sorted(wanting, key=lambda u: (-len(u.loops), _padded(u, target))):
        more = _padded(usage, target) * (slots - 1)
        if more <= free[usage.space]:
            free[usage.space] -= more
            chosen[usage.buffer] = slots
    return MultiBufferPlan(tuple((u.buffer, chosen.get(u.buffer, 1)) for u in usages))


def _padded(usage: Usage, target: Target) -> int:
    align = target.spaces[usage.space].align
    return -(-usage.buffer.slot_bytes // align) * align
