"""Where the tensors between a function's kernels lie in GM: lifetimes in launches, offsets in one workspace.

A tensor lives from the first launch that takes it to the last. Launches run one after the other, so tensors whose
launches do not overlap may share bytes. What the function returns is its caller's and has no place here.
"""

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.execution.host import Host, check_size
from ...runtime.execution.returned import results_of
from ...runtime.machine.costs import gm_room
from ...runtime.program.workspace import rows_of, tensor_bytes
from .space_plan import Lifetime, MemoryProblem, SpacePlan, plan_smallest
from .validate import check_reuse


@dataclass(frozen=True)
class WorkspacePlan:
    """One function's workspace: its tensors in the problem's order, and the bytes that they take side by side. With a
    dynamic dimension that is at run-time size `size`."""

    function: str
    problem: MemoryProblem
    plan: SpacePlan
    tensors: tuple[ascend.GmAllocOp, ...]
    size: int | None = None

    @property
    def apart(self) -> int:
        """Bytes without reuse."""
        return sum(buffer.size for buffer in self.problem.buffers)


def workspace_problem(
    function: FuncOp, target: Target, size: int | None = None
) -> tuple[MemoryProblem, tuple[ascend.GmAllocOp, ...]]:
    """The tensors that a function allocates for itself, with their lifetimes in launches and their bytes in whole
    lines of L2, at run-time size `size`."""
    host = Host(size)
    host.start(function)
    root: dict[SSAValue, ascend.GmAllocOp] = {}
    used: dict[ascend.GmAllocOp, list[int]] = {}
    launch = 0
    for op in function.body.block.ops:
        if isinstance(op, ascend.GmAllocOp):
            root[op.result], used[op] = op, []
        elif isinstance(op, ascend.ViewTensorOp) and op.source in root:
            root[op.result] = root[op.source]
        elif isinstance(op, ascend.LaunchOp):
            for value in op.arguments:
                if value in root:
                    used[root[value]].append(launch)
            launch += 1
    returned = set(results_of(function))
    kept = tuple(op for op in used if op.result not in returned)
    lifetimes = tuple(
        Lifetime(
            op.result.name_hint or f"tensor {i}",
            gm_room(tensor_bytes(op.result, rows_of(op, host.values)), target),
            min(used[op], default=0),
            max(used[op], default=0) + 1,
        )
        for i, op in enumerate(kept)
    )
    problem = MemoryProblem("gm", target.spaces["gm"].bytes, target.memory.l2_line, lifetimes)
    return problem, kept


def plan_workspace(function: FuncOp, target: Target) -> WorkspacePlan | None:
    """The function's workspace; None where it needs none. `DoesNotFitError` where GM is too small for it."""
    size = check_size(function, None)
    problem, tensors = workspace_problem(function, target, size)
    if not tensors:
        return None
    plan = plan_smallest(problem)
    check_reuse(problem, plan)
    return WorkspacePlan(function.sym_name.data, problem, plan, tensors, size)
