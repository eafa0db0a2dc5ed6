"""Whether two groups become one kernel: what speaks for it and against it, and the record of that.

A merge must be legal (regions compose, a tile fits on chip, nobody else needs the value in between) and must pay: the
fused kernel is predicted to be faster than its parts, or it saves the stated share of GM bytes.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from xdsl.ir import Operation, SSAValue

from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tiling import Along
from ..cost.gm_bytes import tensor_bytes
from ..cost.rule_trace import trace_group
from ..regions.compose_group import group_regions
from ..support.errors import LocatedError
from ..support.words import counted
from .candidates import MAX_OCCUPANCY, MIN_GAIN, Candidate, Check, Complexity, checklist, told_apart
from .cost_model import CostModel
from .forced_groups import stated_reason
from .group_cost import GroupCost, Obstacle, Slower
from .occurrences import Occurrences
from .report_graph import sources_of

MOST_SLOWER = 1.02
"""A merge whose predicted time is more than so many times that of its parts is refused, whatever bytes it saves. Below
that, predictions do not tell them apart."""

NO_SLOWER = 1.005
"""Times of a merge and of its parts that are no further apart are taken to be equal: the one with fewer bytes is
better."""

NOTED_AGAIN = 0.05
"""Share of a kernel's operations from which on a refusal says that its tiles do them again."""

MOST_OPS = 64
"""Ops of one kernel, unless the graph names more: beyond so many the launch and the two tensors that one more op saves
are little, and the work of looking at each merge would grow with the graph."""


@dataclass(frozen=True)
class Limits:
    """What pays and what fits: the share of bytes whose saving pays without a gain in time, and the share of UB that
    added temporaries may take."""

    min_gain: float = MIN_GAIN
    max_occupancy: float = MAX_OCCUPANCY


@dataclass(frozen=True)
class Weighing:
    """What merges are weighed by: costs, limits, how often ops occur in the graph. `explain`: candidates say how
    complex their kernels are, and what these add on chip; else the latter only where it may be too much."""

    model: CostModel
    limits: Limits
    occurrences: Occurrences
    explain: bool


def weigh(
    by: Weighing,
    producer: tuple[Operation, ...],
    consumer: tuple[Operation, ...],
    value: SSAValue,
    merged: tuple[Operation, ...],
) -> tuple[Candidate, tuple[Operation, ...] | None]:
    """Whether `producer`, which gives `value`, joins `consumer`; the `merged` group if it does."""
    model, limits, occurs = by.model, by.limits, by.occurrences.count(merged)
    names = tuple(o.name for o in producer), tuple(o.name for o in consumer)
    outside = used_outside(value, producer, consumer)
    candidate = Candidate(
        *names,
        str(consumer[-1].location) if by.explain else "",
        taken=False,
        reason="",
        occurrences=occurs,
        sources=sources_of((*producer, *consumer)) if by.explain else (),
        between=tensor_bytes(value) * (1 if outside else 2),
    )
    frequency = occurs > 1, f"occurs {occurs} x in the graph"

    def refuse(check: str, reason: str) -> tuple[Candidate, None]:
        checks = checklist(frequency=frequency, **{check: (False, reason)})
        return replace(candidate, reason=reason, checks=checks), None

    stated = stated_reason(producer[-1], consumer[0])
    if stated:
        return replace(candidate, reason=stated, checks=checklist(frequency=frequency)), None
    if outside:
        return refuse("bytes", f"its result is also used by {outside.name}")
    if len(merged) > MOST_OPS:
        return refuse("loops", f"a kernel computes at most {MOST_OPS} ops")
    apart = model.cost(producer), model.cost(consumer)
    known = [cost.time_us for cost in apart if isinstance(cost, GroupCost)]
    most = inf if by.explain or len(known) < 2 else MOST_SLOWER * sum(known)
    costs = model.cost_within(merged, most), *apart
    for cost in costs:
        if isinstance(cost, Obstacle):
            return refuse(cost.check, cost.reason)
        if isinstance(cost, Slower):  # reports, which say why, ask for full prices
            return candidate, None
    after, first, second = (cost for cost in costs if isinstance(cost, GroupCost))
    candidate = _compared(candidate, merged, after, (first, second), model)
    if by.explain or all_tiles(after, model) > limits.max_occupancy:
        candidate = replace(candidate, occupancy=occupancy(merged, after, model))
    if by.explain:
        candidate = replace(candidate, complexity=complexity_of(merged, model.target, after.drained))
    saves, fits = candidate.gain >= limits.min_gain, candidate.occupancy <= limits.max_occupancy
    candidate = replace(candidate, checks=_checks(candidate, after, limits, frequency))
    if fits:
        gained = candidate.time_before - candidate.time_after
        candidate = replace(candidate, flips=launch_flips(gained, saves, model.target))
    against = _against(candidate, saves, fits)
    if against:
        return replace(candidate, reason=against), None
    reason = f"saves {candidate.gain:.0%} of the bytes, {candidate.time_before - candidate.time_after:.1f} us"
    return replace(candidate, taken=True, reason=reason), merged


def _compared(
    candidate: Candidate,
    merged: tuple[Operation, ...],
    after: GroupCost,
    before: tuple[GroupCost, GroupCost],
    model: CostModel,
) -> Candidate:
    """A candidate with what both groups, and the `merged` one in their place, are predicted to take."""
    first, second = before
    return replace(
        candidate,
        bytes_before=first.bytes + second.bytes,
        bytes_after=after.bytes,
        time_before=first.time_us + second.time_us,
        time_after=after.time_us,
        intensity=after.intensity,
        again=after.recomputed,
        ub=min(1.0, all_tiles(after, model)),
    )


def _checks(
    candidate: Candidate, after: GroupCost, limits: Limits, frequency: tuple[bool, str]
) -> tuple[Check, ...]:
    """What was asked of a candidate whose ops compose."""
    gain, occupancy = candidate.gain, candidate.occupancy
    saved, wanted = told_apart(gain, limits.min_gain)
    added, allowed = told_apart(occupancy, limits.max_occupancy)
    share = f"temporaries that it adds take {added} of UB with their slots"
    beside = f"all tiles take {candidate.ub:.0%}, staging buffers apart"
    return checklist(
        bytes=(gain >= limits.min_gain, f"{saved} saved, {wanted} wanted where no time is gained"),
        loops=(True, "all ops walk one grid"),
        branches=(True, f"none depends on data: {_instructions(after)}"),
        occupancy=(occupancy <= limits.max_occupancy, f"{share}, {allowed} allowed; {beside}"),
        frequency=frequency,
    )


def _against(candidate: Candidate, saves: bool, fits: bool) -> str:
    """What is against a candidate whose ops compose; `saves`: whether it saves enough bytes, `fits`: whether its
    temporaries take no more of UB than they may."""
    gain, again = f"{candidate.gain:.0%} of the bytes", ""
    if candidate.again >= NOTED_AGAIN:
        again = f", with {candidate.again:.0%} of its operations computed again"
    equal = candidate.gain > 0 and candidate.time_after <= NO_SLOWER * candidate.time_before
    if candidate.time_before <= candidate.time_after and not saves and not equal:
        return f"saves {gain} and no time{again}"
    slower = candidate.time_after / candidate.time_before
    if slower > MOST_SLOWER:
        return f"saves {gain}, but takes {slower:.1f} x the time{again}"
    return "" if fits else f"the temporaries that it adds take {candidate.occupancy:.0%} of UB"


def forced(name: str, ops: tuple[Operation, ...], model: CostModel) -> Candidate:
    """The record of a group that the graph asks for, with a warning where it is predicted to be slower than its ops
    apart; `LocatedError` where no tile of it fits."""
    after = model.cost(ops)
    if isinstance(after, Obstacle):
        at = after.op or ops[-1]
        raise LocatedError(at, f"{at.name} in group '{name}': {after.reason}")
    names = tuple(o.name for o in ops[:-1]), (ops[-1].name,)
    asked = f'fuse = "{name}"'
    at = str(ops[-1].location)
    candidate = Candidate(*names, at, taken=True, reason=asked, kernels=len(ops), sources=sources_of(ops))
    parts = [model.known((op,)) for op in ops]
    capacity, known = model.target.spaces["ub"].bytes, [cost for cost in parts if cost is not None]
    candidate = replace(
        candidate,
        bytes_after=after.bytes,
        time_after=after.time_us,
        intensity=after.intensity,
        again=after.recomputed,
        occupancy=occupancy(ops, after, model),
        ub=min(1.0, after.live * after.per_element / capacity),
        complexity=complexity_of(ops, model.target, after.drained),
    )
    if len(known) < len(ops):
        return candidate
    before = sum(cost.time_us for cost in known)
    slower = f"predicted slower than its {len(ops)} ops apart: {before:.1f} -> {after.time_us:.1f} us"
    return replace(
        candidate,
        bytes_before=sum(cost.bytes for cost in known),
        time_before=before,
        warning=slower if after.time_us > before else "",
    )


def _instructions(cost: GroupCost) -> str:
    """What a kernel computes beside its product, in words."""
    vector = f"{counted(cost.steps, 'Vector instruction')} for each tile, always the same"
    fixpipe = " + ".join(op.name.removeprefix("graph.") for op in cost.drained)
    return f"{vector}; FixPipe does {fixpipe}" if fixpipe else vector


def launch_flips(gained: float, saves: bool, target: Target) -> tuple[float, ...]:
    """Half or twice the launch cost, where that is an assumption and turns the decision round. A merge saves one
    launch."""
    if not target.launch_assumed or saves:
        return ()
    costs = (target.launch_us / 2, target.launch_us * 2)
    return tuple(cost for cost in costs if (gained + cost - target.launch_us > 0) != (gained > 0))


def used_outside(
    value: SSAValue, producer: Sequence[Operation], consumer: Sequence[Operation]
) -> Operation | None:
    """An op of another group that uses a value."""
    inside = {*producer, *consumer}
    return next((u.operation for u in value.uses if u.operation not in inside), None)


def all_tiles(cost: GroupCost, model: CostModel) -> float:
    """Share of UB that all tiles of a group take, with their slots; it may be more than 1."""
    return cost.live * cost.per_element / model.target.spaces["ub"].bytes


def occupancy(ops: tuple[Operation, ...], cost: GroupCost, model: CostModel) -> float:
    """Share of UB that the temporaries take which the group adds to the largest of its ops."""
    alone = max(map(model.bytes_per_element, ops), default=0)
    return cost.live * max(0, cost.per_element - alone) / model.target.spaces["ub"].bytes


def complexity_of(ops: Sequence[Operation], target: Target, drained: Sequence[Operation] = ()) -> Complexity:
    """Count what makes the group's kernel hard to write, of which FixPipe does `drained`; `NotFusableError` when there
    is none."""
    regions = group_regions(ops)
    trace = trace_group(regions, target, drained, drained[-1].results[0] if drained else None)
    with_product = regions.product is not None
    windows = sum(
        not e.is_identity
        for m in regions.maps.values()
        for e in m
        if isinstance(e, Along) and e.dim < regions.rank
    )
    return Complexity(
        handoffs=int(with_product and bool(trace.steps)),
        layouts=len(trace.loads) if with_product else 0,
        dimensions=windows + sum(not load.full for load in trace.loads),
        buffers=trace.most_alive(),
    )
