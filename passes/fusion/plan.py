"""Which graph ops become one kernel: a pure analysis with a record for every candidate.

Products take in what follows them element by element first (`units.py`). Then ops are visited in program order; each
tries to take in the groups that feed it (`weigh.py`). In the end groupings are searched (`search.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.graph.fusion_marks import joins
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.support.progress import tracked
from ..support.module import kernel_ops
from ..support.values import iteration_of, rule_of
from .candidates import Candidate, JoinRecord, LayoutRecord, PaddingRecord, ViewRecord
from .cost_model import CostModel, cost_model
from .forced_groups import forced_groups
from .group_cost import GroupCost
from .occurrences import Occurrences
from .search import Searched, better_grouping, looks_at, parts_of
from .units import is_light, product_units
from .weigh import MOST_OPS, Limits, Weighing, all_tiles, forced, occupancy, used_outside, weigh

Group = tuple[Operation, ...]

MOST_AHEAD = 3
"""Groups behind one that peers look at as one kernel with it, before it is known which ones will be."""
MOST_IN_FRONT = 8
"""Groups in front of one, each alone used by the next, that may have joined before."""


@dataclass(frozen=True)
class FusionPlan:
    """Groups in program order of their last ops, and every candidate that was weighed."""

    function: str
    groups: tuple[tuple[Operation, ...], ...]
    costs: tuple[GroupCost | None, ...]
    candidates: tuple[Candidate, ...]
    before: tuple[GroupCost | None, ...] = ()
    """Every op as a kernel of its own; None where that has no price."""
    ops: tuple[Operation, ...] = ()
    """The ops of `before`."""
    searched: tuple[Searched, ...] = ()
    """Where the search found a better grouping than the candidates led to."""
    layouts: tuple[LayoutRecord, ...] = ()
    """How tensors lie that products write or read between kernels."""
    padded: tuple[PaddingRecord, ...] = ()
    """Results with more lines or columns, so that cores could share them."""
    joins: tuple[JoinRecord, ...] = ()
    """Concatenations."""
    views: tuple[ViewRecord, ...] = ()
    """Slices that are parts of what they read."""
    names: tuple[str, ...] = ()
    """What the groups are called."""
    unfolded: tuple[int, ...] = ()
    """Numbers of tensors of the graph's interface in blocks that kernels take apart, in the order of folding."""
    shared: frozenset[int] = frozenset()
    """Numbers of groups that leave cores to others which run beside them."""
    possible: tuple[tuple[Operation, Operation], ...] = ()
    """Ops of groups that could be one kernel, which is predicted to be faster, though limits refused it."""


def plan_fusion(
    function: FuncOp,
    target: Target,
    limits: Limits | None = None,
    model: CostModel | None = None,
    explain: bool = True,
) -> FusionPlan:
    """Group the function's kernel ops; `model` knows their costs, and keeps what it found. `explain`: the plan has what
    only reports need, the costs of every op alone and of every step on the way to a unit."""
    model = model or cost_model(function, target)
    limits = limits or Limits()
    ops = kernel_ops(function)
    order = {op: i for i, op in enumerate(ops)}
    group: dict[Operation, tuple[Operation, ...]] = {op: (op,) for op in ops}
    candidates: list[Candidate] = []
    parts: list[tuple[Operation, Operation]] = []
    """Of each of the later candidates an op of its parts."""
    by = Weighing(model, limits, Occurrences(ops), explain)
    for name, members in forced_groups(function, ops).items():
        if len(members) > 1:
            candidates.append(forced(name, members, model))
        group |= dict.fromkeys(members, members)
    stated = len(candidates)
    units = product_units(ops, group, model, limits.max_occupancy)
    for unit in units:
        group |= dict.fromkeys(unit, unit)
    unit_of = {op: unit for unit in units for op in unit}
    _look_ahead(by, units, group, order)
    for op in tracked(ops, "weighing fusions", "op", lambda op: op.name):
        waiting = [v for v in dict.fromkeys(op.operands) if v.owner in order]
        while waiting:
            # what others use too may join once those that use it have
            ready = (v for v in waiting if not used_outside(v, group[_owner(v)], group[op]))
            value = next(ready, waiting[0])
            waiting.remove(value)
            producer = _owner(value)
            if producer in group[op]:
                if explain and producer in unit_of.get(op, ()):
                    first = unit_of[op][: unit_of[op].index(op)]
                    candidates.append(weigh(by, first, (op,), value, (*first, op))[0])
                    parts.append((producer, op))
                continue
            joined = _merged(group[producer], group[op], order)
            candidate, merged = weigh(by, group[producer], group[op], value, joined)
            candidates.append(candidate)
            parts.append((producer, op))
            if merged is not None:
                for member in merged:
                    group[member] = merged
    searched = _search(ops, group, model, limits)
    groups = sorted({id(g): g for g in group.values()}.values(), key=lambda g: order[g[-1]])
    candidates[stated:], possible = _in_the_end(candidates[stated:], parts, group)
    costs = tuple(model.known(g) for g in groups)
    before = tuple(model.known((op,)) for op in ops) if explain else ()
    name = function.sym_name.data
    return FusionPlan(
        name, tuple(groups), costs, tuple(candidates), before, tuple(ops), searched, possible=possible
    )  # fmt: skip


def _look_ahead(
    by: Weighing, units: Sequence[Group], group: Mapping[Operation, Group], order: Mapping[Operation, int]
) -> None:
    """Let peers ask for what will be asked for."""
    if by.explain:
        begun = [unit[:count] for unit in units for count in range(2, len(unit))]
        known = [partial(by.model.known, one) for one in [*((op,) for op in order), *begun]]
        by.model.look_ahead(known)
    chains = [partial(_look_at_chain, one, group, order, by) for one in dict.fromkeys(group.values())]
    by.model.look_ahead(chains)


def _look_at_chain(
    first: Group, group: Mapping[Operation, Group], order: Mapping[Operation, int], by: Weighing
) -> None:
    """Weigh a group as the greedy grouping will: with those in front of it that alone it uses, from the first one on;
    where these do not join, with the next ones that alone use its result, as long as each joins."""

    def joined(producer: Group, consumer: Group) -> Group | None:
        merged = _merged(producer, consumer, order)
        return weigh(by, producer, consumer, producer[-1].results[0], merged)[1]

    chain = [first]
    while len(chain) <= MOST_IN_FRONT and (before := _in_front(chain[0], group)) is not None:
        chain.insert(0, before)
    taken = chain[0]
    for behind in chain[1:]:
        taken = joined(taken, behind) or behind
    last = first
    for _ in range(MOST_AHEAD if taken is first else 0):
        behind = _behind(last, group)
        if behind is None or _in_front(behind, group) is not last:  # another one comes first
            return
        merged = joined(taken, behind)
        if merged is None:
            return
        taken, last = merged, behind


def _in_front(one: Group, group: Mapping[Operation, Group]) -> Group | None:
    """A group whose result another alone uses."""
    feeding = (group[_owner(v)] for op in one for v in op.operands if v.owner in group)
    return next((before for before in feeding if before is not one and _behind(before, group) is one), None)


def _behind(one: Group, group: Mapping[Operation, Group]) -> Group | None:
    """The group that alone uses the result of another."""
    users = {use.operation for result in one[-1].results for use in result.uses}
    found = {group.get(user) for user in users}
    return found.pop() if len(found) == 1 else None


def _merged(producer: Group, consumer: Group, order: Mapping[Operation, int]) -> Group:
    return tuple(sorted({*producer, *consumer}, key=order.__getitem__))


def _in_the_end(
    candidates: Sequence[Candidate],
    parts: Sequence[tuple[Operation, Operation]],
    group: dict[Operation, tuple[Operation, ...]],
) -> tuple[list[Candidate], tuple[tuple[Operation, Operation], ...]]:
    """The candidates as the groups turned out, of each of which `parts` has a producer and a consumer; and the last ops
    of groups that are apart and could be one faster kernel."""
    found: list[Candidate] = []
    possible: dict[tuple[Operation, Operation], bool] = {}
    for one, (producer, consumer) in zip(candidates, parts, strict=True):
        apart = group[producer] != group[consumer]
        found.append(replace(one, together=not one.taken and not apart))
        if apart:
            pair = group[producer][-1], group[consumer][-1]
            possible[pair] = one.legal and one.time_after < one.time_before
    return found, tuple(pair for pair, faster in possible.items() if faster)


def _search(
    ops: Sequence[Operation],
    group: dict[Operation, tuple[Operation, ...]],
    model: CostModel,
    limits: Limits,
) -> tuple[Searched, ...]:
    """Put better groupings in the place of the greedy ones of `group`; what changed."""
    changes: list[Searched] = []

    def price(one: tuple[Operation, ...]) -> GroupCost | None:
        cost = model.known(one) if len(one) <= MOST_OPS else None
        if cost is None or len(one) == 1 or all_tiles(cost, model) <= limits.max_occupancy:
            return cost
        return cost if occupancy(one, cost, model) <= limits.max_occupancy else None

    stays = partial(_stays_with_product, group=group, model=model)

    def greedy(part: Group) -> tuple[Group, ...]:
        return tuple({id(group[op]): group[op] for op in part}.values())

    parts = parts_of(ops, joins)
    model.look_ahead([look for part in parts for look in looks_at(part, greedy(part), price, joins, stays)])
    for part in parts:
        better = better_grouping(part, greedy(part), price, joins, stays)
        if better is not None:
            grouping, record = better
            for members in grouping:
                group |= dict.fromkeys(members, members)
            changes.append(record)
    return tuple(changes)


def _stays_with_product(op: Operation, group: Mapping[Operation, Group], model: CostModel) -> bool:
    """Whether an op of a product's group takes too little to be anywhere else. Of Vector cores beside those of the Cube
    the hand-over takes longer than the op, which a kernel of whole rows behind it computes on the way."""
    if model.target.split and _takes_rows(_behind(group[op], group)):
        cost = model.known(group[op])
        if cost is None or op not in cost.drained:
            return False
    return is_light(op, model)


def _takes_rows(group: Group | None) -> bool:
    """Whether a group computes on whole rows, none of them of a product."""
    if group is None or any(rule_of(op).engine == "cube" for op in group):
        return False
    return any(iteration_of(op).whole for op in group)


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner
