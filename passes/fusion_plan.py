"""Which graph ops become one kernel: a pure analysis with a record for every candidate.

Ops are visited in program order; each tries to take in the groups that feed it. A merge must be legal (regions compose,
a tile fits on chip, nobody else needs the value in between) and must pay: the fused kernel is predicted to be faster
than its parts, or it saves the stated share of GM bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.graph.arguments import weight_values
from ..dialects.target import Target
from ..dialects.tiling import Along
from .cube_search import cube_time, search_cube
from .graph_module import kernel_ops
from .kernel_builder import packs_rhs
from .regions import NotFusableError, Regions, element_type_of, group_regions, rule_of, shape_of
from .tile_search import NoTileError, search_vector, vector_time
from .tiling_plan import CubeTiling, VectorTiling
from .trace_rule import trace_group


@dataclass(frozen=True)
class GroupCost:
    """A group as one kernel: predicted µs with its launch, GM bytes with each tensor counted once, operations."""

    time_us: float
    bytes: int
    flops: int
    occupancy: float
    tiling: CubeTiling | VectorTiling


@dataclass(frozen=True)
class Candidate:
    """One merge that was considered. `before` and `after` in bytes and µs; `reason` says why it was taken or not."""

    producer: tuple[str, ...]
    consumer: tuple[str, ...]
    location: str
    taken: bool
    reason: str
    bytes_before: int = 0
    bytes_after: int = 0
    time_before: float = 0.0
    time_after: float = 0.0
    intensity: float = 0.0
    occupancy: float = 0.0
    complexity: int = 0
    occurrences: int = 1

    @property
    def gain(self) -> float:
        """Share of GM bytes saved."""
        return 1.0 - self.bytes_after / self.bytes_before if self.bytes_before else 0.0

    @property
    def quadrant(self) -> str:
        """Gain against complexity."""
        gain = "high gain" if self.gain >= MIN_GAIN else "low gain"
        return f"{gain}, {'simple' if self.complexity <= SIMPLE else 'complex'}"


MIN_GAIN = 0.30
MAX_OCCUPANCY = 0.80
SIMPLE = 4


@dataclass(frozen=True)
class FusionPlan:
    """Groups in program order of their last ops, and every candidate that was weighed."""

    function: str
    groups: tuple[tuple[Operation, ...], ...]
    costs: tuple[GroupCost | None, ...]
    candidates: tuple[Candidate, ...]


def tensor_bytes(value: SSAValue) -> int:
    return prod(shape_of(value)) * ELEMENT_BYTES[str(element_type_of(value))]


def group_bytes(regions: Regions) -> int:
    """GM bytes with every tensor moved once."""
    values = {load.value for load in regions.loads}
    return sum(tensor_bytes(v) for v in values) + tensor_bytes(regions.result)


class CostModel:
    """Costs of groups, each computed once."""

    def __init__(self, target: Target, packable: frozenset[SSAValue]):
        self.target, self.packable = target, packable
        self._known: dict[tuple[Operation, ...], GroupCost | str] = {}

    def cost(self, ops: tuple[Operation, ...]) -> GroupCost | str:
        """The group's cost, or the reason why it cannot be one kernel."""
        if ops not in self._known:
            try:
                self._known[ops] = self._compute(ops)
            except (NotFusableError, NoTileError) as error:
                self._known[ops] = str(error)
        return self._known[ops]

    def _compute(self, ops: tuple[Operation, ...]) -> GroupCost:
        regions = group_regions(ops)
        trace = trace_group(regions)
        elements = prod(shape_of(regions.result))
        flops = sum(elements for step in trace.steps if step.full)
        if regions.product is not None:
            packed = packs_rhs(regions, self.packable)
            tiling = search_cube(regions, packed, self.target)
            cycles = cube_time(regions, tiling, packed, self.target)
            flops += 2 * prod(shape_of(regions.product.results[0])) * prod(regions.extents[regions.rank :])
            live = tiling.chunk * prod(t for t in tiling.tiles) // max(tiling.tiles)
        else:
            tiling = search_vector(regions, self.target)
            cycles = vector_time(regions, tiling, self.target)
            live = prod(tiling.tiles)
        occupancy = live * trace.bytes_per_element(regions, slots=1) / self.target.spaces["ub"].bytes
        time = self.target.microseconds(cycles) + self.target.launch_us
        return GroupCost(time, group_bytes(regions), flops, min(occupancy, 1.0), tiling)


def complexity_of(ops: Sequence[Operation]) -> int:
    """Hand-offs between pipes, windows and broadcasts (loop dimensions that differ), and tensors alive at once."""
    try:
        regions = group_regions(ops)
    except NotFusableError:
        return 9
    handoffs = int(regions.product is not None and len(ops) > 1)
    windows = sum(
        not e.is_identity
        for m in regions.maps.values()
        for e in m
        if isinstance(e, Along) and e.dim < regions.rank
    )
    broadcasts = sum(len(load.maps) < regions.rank for load in regions.loads)
    return handoffs + windows + broadcasts + max(0, len(regions.loads) - 2)


def plan_fusion(function: FuncOp, target: Target, min_gain: float = MIN_GAIN) -> FusionPlan:
    """Group the function's kernel ops."""
    ops = kernel_ops(function)
    order = {op: i for i, op in enumerate(ops)}
    model = CostModel(target, frozenset(weight_values(function)))
    group: dict[Operation, tuple[Operation, ...]] = {op: (op,) for op in ops}
    patterns: dict[tuple[str, str], int] = {}
    for op in ops:
        for value in op.operands:
            producer = value.owner
            if isinstance(producer, Operation) and producer in order:
                key = (producer.name, op.name)
                patterns[key] = patterns.get(key, 0) + 1
    candidates: list[Candidate] = []
    for op in ops:
        for value in op.operands:
            producer = value.owner
            if not isinstance(producer, Operation) or producer not in order or producer in group[op]:
                continue
            candidate, merged = _weigh(group[producer], group[op], value, model, order, min_gain)
            candidates.append(replace(candidate, occurrences=patterns[producer.name, op.name]))
            if merged is not None:
                for member in merged:
                    group[member] = merged
    groups = sorted({id(g): g for g in group.values()}.values(), key=lambda g: order[g[-1]])
    costs = tuple(c if isinstance(c := model.cost(g), GroupCost) else None for g in groups)
    return FusionPlan(function.sym_name.data, tuple(groups), costs, tuple(candidates))


def _weigh(
    producer: tuple[Operation, ...],
    consumer: tuple[Operation, ...],
    value: SSAValue,
    model: CostModel,
    order: dict[Operation, int],
    min_gain: float,
) -> tuple[Candidate, tuple[Operation, ...] | None]:
    """Whether `producer` joins `consumer`; the merged group if it does."""
    merged = tuple(sorted({*producer, *consumer}, key=order.__getitem__))
    names = tuple(o.name for o in producer), tuple(o.name for o in consumer)
    candidate = Candidate(*names, str(consumer[-1].location), taken=False, reason="")

    def refuse(reason: str) -> tuple[Candidate, None]:
        return replace(candidate, reason=reason), None

    outside = [u.operation for u in value.uses if u.operation not in merged]
    if outside:
        return refuse(f"its result is also used by {outside[0].name}")
    if any(rule_of(o).engine == "cube" for o in consumer) and _feeds_product(producer, consumer):
        return refuse("it feeds a product: the Cube reads its operands from GM")
    after = model.cost(merged)
    if isinstance(after, str):
        return refuse(after)
    first, second = model.cost(producer), model.cost(consumer)
    if isinstance(first, str) or isinstance(second, str):
        return refuse(first if isinstance(first, str) else str(second))
    candidate = replace(
        candidate,
        bytes_before=first.bytes + second.bytes,
        bytes_after=after.bytes,
        time_before=first.time_us + second.time_us,
        time_after=after.time_us,
        intensity=after.flops / after.bytes,
        occupancy=after.occupancy,
        complexity=complexity_of(merged),
    )
    gain = candidate.gain
    if candidate.time_after >= candidate.time_before and gain < min_gain:
        return refuse(f"saves {gain:.0%} of the bytes and no time")
    if after.occupancy > MAX_OCCUPANCY:
        return refuse(f"its temporaries take {after.occupancy:.0%} of UB")
    reason = f"saves {gain:.0%} of the bytes, {candidate.time_before - candidate.time_after:.1f} us"
    return replace(candidate, taken=True, reason=reason), merged


def _feeds_product(producer: tuple[Operation, ...], consumer: tuple[Operation, ...]) -> bool:
    """Whether the product of `consumer` reads what `producer` gives, directly or through other ops."""
    reached = {op.results[0] for op in producer}
    for op in consumer:
        if any(v in reached for v in op.operands):
            if rule_of(op).engine == "cube":
                return True
            reached.add(op.results[0])
    return False
