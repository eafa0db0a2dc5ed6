"""GM memory planning: the tensors between a function's kernels lie in one workspace and share bytes by lifetime.

    %a = ascend.gm_alloc : memref<4096xf16, "gm">    ->    %a = ascend.gm_alloc {offset = 0 : i64} : …
    ascend.launch @f_0(%x, %a)                             ascend.launch @f_0(%x, %a)
    %b = ascend.gm_alloc : …                               %b = ascend.gm_alloc {offset = 8704 : i64} : …
    ascend.launch @f_1(%a, %b)                             ascend.launch @f_1(%a, %b)
    %c = ascend.gm_alloc : …                               %c = ascend.gm_alloc {offset = 0 : i64} : …
    ascend.launch @f_2(%b, %c)                             ascend.launch @f_2(%b, %c)

Where a dimension is dynamic the offsets follow from the run-time size, by a function of it
(`memory.workspace_function`).

What a board's runtime would be asked for is one block of the workspace's peak instead of a block for each tensor, and
bytes that are used again may still be in L2.
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ..dialects import ascend
from ..dialects.helpers import is_helper
from ..dialects.records import dataclass
from .memory.space_plan import DoesNotFitError
from .memory.workspace_plan import WorkspacePlan, plan_workspace
from .rewrites.size_dispatch import variants_called
from .support.errors import LocatedError
from .support.module import check_lowered, chip_of, functions_of
from .support.options import Pass
from .support.report import add_report, reports_wanted


@dataclass(frozen=True)
class AscendPlanWorkspace(Pass):
    """Plan the workspace of every function that launches kernels."""

    name = "ascend-plan-workspace"
    keeps: ClassVar = (ascend.KernelOp,)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_lowered(op, target)
        plans: list[WorkspacePlan] = []
        for function in functions_of(op):
            if is_helper(function.sym_name.data) or variants_called(function):
                continue
            try:
                found = plan_workspace(function, target)
            except DoesNotFitError as error:
                message = f"ascend-plan-workspace: @{function.sym_name.data}: {error}"
                raise LocatedError(function, message) from None
            if found is not None:
                if found.size is None:
                    apply_workspace(found)
                else:
                    from .memory.workspace_function import insert_workspace_function

                    insert_workspace_function(function, found)
                plans.append(found)
        if plans and reports_wanted():
            from .memory.workspace_report import WorkspaceReport

            add_report(WorkspaceReport(tuple(plans)))


def apply_workspace(plan: WorkspacePlan) -> None:
    """Write the offsets to the tensors."""
    for tensor, (offset,) in zip(plan.tensors, plan.plan.offsets, strict=True):
        tensor.offset = IntegerAttr(offset, i64)
