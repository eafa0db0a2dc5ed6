"""Ops that only move elements, one for each user: what is a load's address there need not be the same for all of them.

    %s = slice(%x)                         %s = slice(%x)    %s1 = slice(%x)
    %a = mul(%s, %c)                =>     %a = mul(%s, %c)
    %b = mul(%s, %d)                       %b = mul(%s1, %d)

Fusion is planned on the copies. Those that no kernel of a user takes are one op again, which may then join what it
moves, and fusion is planned anew; those that stay kernels of their own are one kernel again.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import FUSE, NOFUSE
from ...dialects.target_types import Target
from ..regions.loads import only_moves
from ..support.module import kernel_ops
from .alike import Alike
from .cost_model import CostModel, cost_model
from .interface_layouts import BlockView
from .plan import FusionPlan, plan_fusion
from .weigh import Limits

MOST_USERS = 8
"""Users up to which a move is copied."""


def plan_with_copies(
    function: FuncOp,
    target: Target,
    limits: Limits,
    views: Sequence[BlockView] = (),
    alike: Alike | None = None,
    explain: bool = True,
) -> tuple[FusionPlan, CostModel]:
    """The plan of a function whose moves have a copy for each user where that helps, and the model that knows its
    costs. `alike`: costs that are known, to which it adds; `explain`: as of `plan_fusion`."""
    alike = Alike() if alike is None else alike
    copies = copy_moves(function)
    model = cost_model(function, target, views, alike)
    plan = plan_fusion(function, target, limits, model, explain)
    if withdraw_copies(plan, copies):
        model = cost_model(function, target, views, alike)
        plan = plan_fusion(function, target, limits, model, explain)
    return share_copies(plan, copies), model


def copy_moves(function: FuncOp) -> dict[Operation, Operation]:
    """Give every use of an op that only moves elements a copy of its own; what each copy was made from."""
    made: dict[Operation, Operation] = {}
    for op in reversed(kernel_ops(function)):
        if (
            not isinstance(op, GraphOp)
            or not only_moves(op)
            or FUSE in op.attributes
            or NOFUSE in op.attributes
        ):
            continue
        uses = list(op.results[0].uses)
        if not 1 < len(uses) <= MOST_USERS:
            continue
        for use in uses[1:]:
            copy = op.clone()
            copy.location = op.location
            copy.results[0].name_hint = op.results[0].name_hint
            Rewriter.insert_op([copy], InsertPoint.after(op))
            use.operation.operands[use.index] = copy.results[0]
            made[copy] = op
    return made


def withdraw_copies(plan: FusionPlan, copies: dict[Operation, Operation]) -> bool:
    """Make one op of those copies of a move that are in no kernel of a user, and forget them in `copies`; whether there
    are any."""
    group = {op: members for members in plan.groups for op in members}
    versions: dict[Operation, list[Operation]] = {}
    for copy, original in copies.items():
        versions.setdefault(original, [original]).append(copy)
    withdrawn = False
    for original in reversed([op for op in group if op in versions]):  # users before what they move
        used = {op: [use.operation for use in op.results[0].uses] for op in versions[original]}
        taken = [op for op, users in used.items() if any(user in group[op] for user in users)]
        kept = next((op for op in used if used[op] and op not in taken), None)
        left = [op for op in used if op is kept or op in taken]
        for op in [op for op in used if op not in left]:
            if kept is not None:
                op.results[0].replace_all_uses_with(kept.results[0])
            Rewriter.erase_op(op)
            withdrawn = True
        for op in used:
            copies.pop(op, None)
        copies |= dict.fromkeys(left[1:], left[0])
    return withdrawn


def share_copies(plan: FusionPlan, copies: Mapping[Operation, Operation]) -> FusionPlan:
    """The plan with groups that compute the same from the same tensors as one, whose result all users take."""
    if not copies:
        return plan
    own = [i for i, op in enumerate(plan.ops) if op not in copies]
    ops = tuple(plan.ops[i] for i in own)
    before = tuple(plan.before[i] for i in own) if plan.before else ()
    known: dict[Hashable, Operation] = {}
    kept: list[int] = []
    for i, group in enumerate(plan.groups):
        last = group[-1]
        if not all(only_moves(op) for op in group):
            kept.append(i)
            continue
        found = known.setdefault(_computes(group), last)
        if found is last:
            kept.append(i)
            continue
        last.results[0].replace_all_uses_with(found.results[0])
        for op in reversed(group):
            Rewriter.erase_op(op)
    groups, costs = (tuple(part[i] for i in kept) for part in (plan.groups, plan.costs))
    return replace(plan, groups=groups, costs=costs, before=before, ops=ops)


def _computes(group: Sequence[Operation]) -> Hashable:
    """What a group's ops are and which tensors they take."""
    inside: dict[SSAValue, int] = {op.results[0]: i for i, op in enumerate(group)}
    return tuple(
        (op.name, tuple(sorted(op.properties.items())), tuple(inside.get(v, v) for v in op.operands))
        for op in group
    )
