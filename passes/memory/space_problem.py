"""The planning problem of one on-chip memory of a kernel: lifetimes and sizes of its buffers."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import scf

from ...dialects import ascend
from ...dialects.target_types import Target
from ...dialects.walked import ops_inside
from ...runtime.support.hazard import location_text
from ..analysis.live_ranges import Usage, buffer_usages
from .group_buffers import Taken
from .space_plan import Lifetime, MemoryProblem, can_hold


def loop_numbers(kernel: ascend.KernelOp) -> Mapping[scf.ForOp, int]:
    """A number for each loop of a kernel."""
    return {
        loop: i for i, loop in enumerate(op for op in ops_inside(kernel.body) if isinstance(op, scf.ForOp))
    }


def space_problem(
    usages: Sequence[Usage],
    space: str,
    target: Target,
    loops: Mapping[scf.ForOp, int],
    taken: Taken | None = None,
) -> MemoryProblem:
    """The problem of laying out the buffers that are in a space."""
    limit = target.spaces[space]
    lifetimes = tuple(_lifetime(u, loops) for u in usages)
    return MemoryProblem(space, limit.bytes, limit.align, lifetimes, (taken or {}).get(space, 0))


def _lifetime(usage: Usage, loops: Mapping[scf.ForOp, int]) -> Lifetime:
    return Lifetime(
        usage.label,
        usage.buffer.slot_bytes,
        usage.start,
        usage.end,
        usage.buffer.slot_count,
        usage.opens,
        usage.closes,
        tuple(loops[loop] for loop in usage.loops),
        location_text(usage.buffer),
    )


def fits(kernel: ascend.KernelOp, target: Target, taken: Taken | None = None) -> bool:
    """Whether the buffers of a kernel, with the slots that they have, can be laid out."""
    usages, loops = buffer_usages(kernel, target), loop_numbers(kernel)
    return all(
        can_hold(space_problem([u for u in usages if u.space == space], space, target, loops, taken))
        for space in dict.fromkeys(u.space for u in usages)
    )
