"""Other groups around products than the greedy ones, where those are faster with the layouts that follow.

    conv1 + relu | conv2 + relu + conv3 | add + relu          what greedy takes: the add has a kernel of its own
    conv1 + relu | conv2 + relu | conv3 + add + relu          the chain taken apart: its last product has its epilogue
    conv1 + relu + conv2 + relu | conv3 + add + relu          and the one before it is in a chain with what feeds it

    conv + relu + pool        ->    conv + relu | pool        what tiles of the pool compute again is computed once

Groups are decided by kernels of row-major tensors, layouts after them. An op on elements alone between products keeps
what it reads and gives from lying in blocks, which only shows with the layouts, and so does what a tensor gains by
blocks that is not there at all. On chips whose Cube and Vector are cores of their own: there FixPipe writes blocks by
itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from xdsl.ir import Operation

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import is_marked
from ...dialects.graph.rules import Pointwise
from ...dialects.records import dataclass
from ...dialects.tiling import Along
from ..regions.signature import Signature, group_signature
from ..support.values import iteration_of, rule_of
from .cost_model import CostModel
from .group_cost import GroupCost
from .plan import FusionPlan
from .search import Searched

Group = tuple[Operation, ...]

CLEARLY = 0.99
"""Another grouping is taken where the predicted time of what changes is at most so many times what it was."""
NEAR = 1.15
"""A product and the windows behind it are planned apart where row-major kernels take at most so many times as long:
what lying in blocks may make up for."""

PlannedTime = Callable[[FusionPlan], float]
"""Predicted time of a plan's kernels in µs, with the layouts of the tensors between them."""


@dataclass(frozen=True)
class _Apart:
    """Groups otherwise: what gives the first product's operand, the first product with its epilogue, and all that is
    behind it."""

    feeding: Group | None
    first: Group
    second: Group


def _products(group: Group) -> list[Operation]:
    return [op for op in group if rule_of(op).engine == "cube"]


def _only_user(group: Group) -> Operation | None:
    users = {use.operation for use in group[-1].results[0].uses}
    return users.pop() if len(users) == 1 else None


def _apart(chain: Group, home: dict[Operation, Group], order: dict[Operation, int]) -> _Apart | None:
    """How a chain with ops on elements of another kernel behind it comes apart; None where it is no such chain."""
    products, user = _products(chain), _only_user(chain)
    if len(products) != 2 or user is None or user not in home or user in chain:
        return None
    behind = home[user]
    if not all(isinstance(rule_of(op), Pointwise) for op in behind) or is_marked(*chain, *behind):
        return None
    first, after = _split(chain, products[1])
    if products[0] not in first:
        return None
    second = tuple(sorted({*after, *behind}, key=order.__getitem__))
    maker = products[0].operands[0].owner
    feeding = home.get(maker) if isinstance(maker, GraphOp) else None
    if feeding is not None and (
        len(_products(feeding)) != 1 or _only_user(feeding) not in first or is_marked(*feeding)
    ):
        feeding = None
    return _Apart(feeding, first, second)


def _split(group: Group, at: Operation) -> tuple[Group, Group]:
    """The ops of a group without `at` and all that needs its result, and these."""
    after = {at}
    for op in group:
        if any(value.owner in after for value in op.operands):
            after.add(op)
    return tuple(op for op in group if op not in after), tuple(op for op in group if op in after)


def _windows_apart(group: Group, cost: GroupCost | None, model: CostModel) -> _Apart | None:
    """A product with its epilogue, and the windows behind it, those of another product perhaps, of which tiles compute
    some of that again; None where that is not nearly as fast."""
    products = _products(group)
    if cost is None or not (cost.recomputed and products) or is_marked(*group):
        return None
    product = products[0]
    windows = (op for op in group if op is not product and _sees_windows(op, group))
    at = next(windows, None)
    if at is None:
        return None
    first, second = _split(group, at)
    given = {value for op in second for value in op.operands if value.owner in first}
    if product not in first or given != {first[-1].results[0]}:
        return None
    both = [model.known(members) for members in (first, second)]
    near = sum(inf if one is None else one.time_us for one in both) <= NEAR * cost.time_us
    return _Apart(None, first, second) if near else None


def _sees_windows(op: Operation, group: Group) -> bool:
    """Whether an op reads windows of what its group computes."""
    return any(
        isinstance(entry, Along) and entry.is_windowed
        for value, maps in zip(op.operands, iteration_of(op).operands, strict=True)
        if value.owner in group
        for entry in maps
    )


def _regrouped(
    plan: FusionPlan, model: CostModel, apart: Sequence[_Apart], joined: bool
) -> FusionPlan | None:
    """The plan with chains apart, where `joined` their first product with what feeds it, where these are legal kernels;
    None where no chain is."""
    order = {op: i for i, op in enumerate(plan.ops)}
    group = {op: members for members in plan.groups for op in members}
    changed = False
    for one in apart:
        made = [one.first, one.second]
        if joined and one.feeding is not None and group[one.feeding[0]] == one.feeding:
            both = (*one.feeding, *one.first)
            if model.known(both) is not None:
                made[0] = both
        if any(model.known(members) is None for members in made):
            continue
        changed = True
        for members in made:
            group |= dict.fromkeys(members, members)
    groups = sorted({id(g): g for g in group.values()}.values(), key=lambda g: order[g[-1]])
    return replace(plan, groups=tuple(groups), costs=tuple(map(model.known, groups))) if changed else None


def regroup(plan: FusionPlan, model: CostModel, time: PlannedTime) -> FusionPlan:
    """The plan, or one with other groups around products where that is predicted to be clearly faster with its
    layouts."""
    if not model.target.split:
        return plan
    plan = _regrouped_chains(plan, model, time)
    alike: dict[Signature, list[tuple[_Apart, float]]] = {}
    """Products with windows, and their times now: those of kernels that compute the same come apart together."""
    for group, cost in zip(plan.groups, plan.costs, strict=True):
        apart = _windows_apart(group, cost, model)
        if apart is not None and cost is not None:
            alike.setdefault(group_signature(group, model.packable), []).append((apart, cost.time_us))
    before = time(plan) if alike else 0.0
    for found in alike.values():
        parts, times = zip(*found, strict=True)
        other = _regrouped(plan, model, parts, False)
        after = inf if other is None else time(other)
        if other is not None and after < before - (1 - CLEARLY) * sum(times):
            plan = replace(other, searched=(*plan.searched, _record(plan, other, before, after)))
            before = after
    return plan


def _regrouped_chains(plan: FusionPlan, model: CostModel, time: PlannedTime) -> FusionPlan:
    """The plan, or one with other chains of products."""
    order = {op: i for i, op in enumerate(plan.ops)}
    home = {op: members for members in plan.groups for op in members}
    apart = [one for group in plan.groups if (one := _apart(group, home, order)) is not None]
    if not apart:
        return plan
    best, before = plan, time(plan)
    least = before * CLEARLY
    for joined in (False, True):
        other = _regrouped(plan, model, apart, joined)
        if other is not None and (found := time(other)) < least:
            best, least = other, found
    if best is plan:
        return plan
    return replace(best, searched=(*plan.searched, _record(plan, best, before, least)))


def _record(plan: FusionPlan, best: FusionPlan, before: float, after: float) -> Searched:
    """What changed, with the predicted time of all kernels, layouts included."""

    def only(one: FusionPlan, other: FusionPlan) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(op.name for op in group) for group in one.groups if group not in other.groups)

    moved = [sum(cost.bytes for cost in one.costs if cost is not None) for one in (plan, best)]
    return Searched(False, only(plan, best), only(best, plan), before, after, *moved)


__all__ = ["regroup"]
