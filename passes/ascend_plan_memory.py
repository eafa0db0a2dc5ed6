"""On-chip memory planning: an address for every slot of every buffer.

    %a = ascend.buffer {slots = 2 : i64} : …
    ->  %a = ascend.buffer {slots = 2 : i64, addresses = array<i64: 0, 8192>} : …

A kernel whose buffers all fit shares nothing; otherwise buffers share bytes where that makes no pipe wait for another,
and if that is not enough, where their lifetimes do not meet and the pipes wait least; the flags that this needs come
from `ascend-insert-sync`. Where the banks of UB matter, buffers start where operands of one instruction do not collide
(`bank_phases.py`). Buffers of a group come first, at the same addresses in both programs. What cannot fit is
refused with the peak, the buffers alive there and what would make it fit.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects import ascend
from ..dialects.attributes import integer_array
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from ..dialects.walked import ops_inside
from ..runtime.support.hazard import location_text
from .analysis.live_ranges import Usage, buffer_usages
from .memory.bank_phases import bank_phases, bank_turn, collisions
from .memory.group_buffers import Taken, place_group_buffers, taken_by_groups
from .memory.in_place import in_place_pairs
from .memory.report import MemoryPlan, MemoryReport
from .memory.sharing_cost import SharingCosts
from .memory.space_plan import LEVELS, DoesNotFitError, MemoryProblem, SpacePlan, plan_space
from .memory.space_problem import loop_numbers, space_problem
from .memory.validate import check_reuse
from .support.errors import LocatedError
from .support.module import chip_of, lowered_kernels
from .support.options import Pass
from .support.peers import each
from .support.report import add_report, reports_wanted


@dataclass(frozen=True)
class AscendPlanMemory(Pass):
    """Plan every kernel. `reuse` is the most sharing allowed: `none`, `no-stall` or `max`."""

    name = "ascend-plan-memory"
    annotates: ClassVar = (ascend.BufferOp, ascend.GroupBufferOp)
    target: str | None = None
    reuse: str = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reuse not in LEVELS:
            raise ValueError(f"reuse is none, no-stall or max, not {self.reuse!r}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        kernels = lowered_kernels(op, target)
        place_group_buffers(op, target)
        taken = taken_by_groups(op, target)

        def planned(kernel: ascend.KernelOp) -> MemoryPlan:
            plan = plan_kernel(kernel, target, self.reuse, taken.get(kernel.sym_name.data, {}))
            apply_plan(plan)
            return plan

        def place(number: int) -> ascend.KernelOp:
            planned(kernels[number])
            return kernels[number]

        if reports_wanted():
            add_report(MemoryReport(tuple(map(planned, kernels))))
            return
        _, told = each(len(kernels), place, _addresses)
        for number, addresses in told.items():
            _put_addresses(kernels[number], addresses)


Addresses = Sequence[tuple[int, ...] | None]
"""Those of the slots of each buffer of a kernel, in program order."""


def _addresses(kernel: ascend.KernelOp) -> Addresses:
    return [op.slot_addresses for op in ops_inside(kernel.body) if isinstance(op, ascend.BufferOp)]


def _put_addresses(kernel: ascend.KernelOp, addresses: Addresses) -> None:
    buffers = (op for op in ops_inside(kernel.body) if isinstance(op, ascend.BufferOp))
    for buffer, slots in zip(buffers, addresses, strict=True):
        if slots is not None:
            buffer.addresses = integer_array(slots)


def plan_kernel(
    kernel: ascend.KernelOp, target: Target, reuse: str = "max", taken: Taken | None = None
) -> MemoryPlan:
    """Plan all spaces of one kernel, behind what buffers of its group have `taken`; `LocatedError` when one
    overflows."""
    usages = buffer_usages(kernel, target)
    loops = loop_numbers(kernel)
    costs: list[SharingCosts] = []  # of the whole kernel, made when a memory needs them
    spaces: list[tuple[MemoryProblem, SpacePlan, tuple[Usage, ...]]] = []
    for space in dict.fromkeys(u.space for u in usages):
        here = tuple(u for u in usages if u.space == space)
        problem = space_problem(here, space, target, loops, taken)
        problem = replace(problem, in_place=tuple(in_place_pairs(kernel, here)))
        if space == "ub":
            phases = bank_phases(kernel, here, problem.in_place, target)
            problem = replace(problem, phases=phases, turn=bank_turn(target))

        def price(first: int, second: int, here: Sequence[Usage] = here) -> float:
            if not costs:
                costs.append(SharingCosts(kernel, usages, target))
            return costs[0].of(here[first].buffer, here[second].buffer)

        def collide(offsets: Sequence[Sequence[int]], here: Sequence[Usage] = here) -> float:
            return collisions(kernel, here, offsets, target)

        try:
            plan = plan_space(problem, reuse, price, collide)
        except DoesNotFitError as error:
            message = error.describe(_at(kernel, error.point))
            raise LocatedError(kernel, f"ascend-plan-memory: @{kernel.sym_name.data}: {message}") from None
        check_reuse(problem, plan)
        spaces.append((problem, plan, here))
    return MemoryPlan(kernel.sym_name.data, tuple(spaces))


def _at(kernel: ascend.KernelOp, point: int) -> str:
    """The operation at a point of a kernel's program."""
    op = next(islice(kernel.body.walk(), point, None), None)
    if op is None:
        return ""
    where = location_text(op)
    return f"{op.name} ({where})" if where else op.name


def apply_plan(plan: MemoryPlan) -> None:
    """Write the addresses to the buffers."""
    for _, space, usages in plan.spaces:
        for usage, slots in zip(usages, space.offsets, strict=True):
            usage.buffer.addresses = integer_array(slots)
