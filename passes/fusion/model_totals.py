"""What a whole graph costs: parameters, operations, and its kernels before and after fusion against the chip's peaks.

Times are those that fusion decided by (`fusion.cost_model`). A kernel is bound by memory where HBM at its rate takes
longer for its tensors, each once, than the Cube and the Vector unit at theirs take for its operations (the roofline of
Williams, Waterman and Patterson, 2009).
"""

from collections.abc import Sequence
from contextlib import nullcontext
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import tensor_type
from ...dialects.element_types import ELEMENT_BYTES, name_of
from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import weight_arguments
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.machine.costs import launch_us, mmad_fractals
from ..regions.recompute import flops_of
from ..support.run_size import fixed, priced_at
from ..support.values import rule_of, shape_of
from .group_cost import GroupCost
from .plan import FusionPlan

NUMBERS = ("i1", "i32", "i64")
"""Element types of masks and indices, which are no parameters."""


@dataclass(frozen=True)
class KernelTime:
    """A kernel's predicted time with its launch, and which unit takes longer for its operations at its peak, `Cube` or
    `Vector`, and how long."""

    time_us: float
    unit: str
    unit_us: float


@dataclass(frozen=True)
class KernelTotals:
    """All kernels of a graph, predicted. Of `time_us` launches take `launch_us`, kernels bound by memory
    `memory_bound_us`, the others `compute_bound_us`. At their peak rates HBM takes `memory_us` for the tensors, and the
    busier one of Cube and Vector unit `compute_us` for the operations of each kernel."""

    kernels: int
    bytes: int
    time_us: float
    launch_us: float
    memory_bound_us: float
    compute_bound_us: float
    memory_us: float
    compute_us: float
    times: tuple[KernelTime, ...] = ()
    """Of the kernels one by one."""

    @property
    def core_utilisation(self) -> float:
        """Share of the time that the cores would need at their peak."""
        return self.compute_us / self.time_us if self.time_us else 0.0

    @property
    def bandwidth_utilisation(self) -> float:
        """Share of the time that HBM would need at its rate; above 1 where L2 holds what kernels hand each other."""
        return self.memory_us / self.time_us if self.time_us else 0.0


@dataclass(frozen=True)
class ModelTotals:
    """A graph after the graph passes. `parameters`: elements of its weights; `flops`: operations, two for each
    multiplication that is added up, of which products make `product_flops`; `before`: one kernel an op, `after`: fused
    (None: an op is no kernel by itself)."""

    ops: int
    parameters: int
    parameter_bytes: int
    flops: int
    product_flops: int
    before: KernelTotals | None
    after: KernelTotals | None
    chip: str = ""

    def intensity(self, kernels: KernelTotals) -> float:
        """Operations for each byte of GM."""
        return self.flops / kernels.bytes if kernels.bytes else 0.0


def model_totals(function: FuncOp, plan: FusionPlan, target: Target) -> ModelTotals:
    """The totals of a function and of the plan to fuse it, before its kernels are built."""
    now = fixed()
    with nullcontext() if now is None else priced_at(now.typical):
        counted = [(op, flops_of(op)) for op in plan.ops]
    weights = [*weight_arguments(function), *_constants(function)]
    weights = [value for value in weights if value.uses and _type(value) not in NUMBERS]
    sizes = [prod(shape_of(value)) for value in weights]
    return ModelTotals(
        len(plan.ops),
        sum(sizes),
        sum(size * ELEMENT_BYTES[_type(value)] for size, value in zip(sizes, weights, strict=True)),
        sum(flops for _, flops in counted),
        sum(flops for op, flops in counted if rule_of(op).engine == "cube"),
        _kernels([(op,) for op in plan.ops], plan.before, target),
        _kernels(plan.groups, plan.costs, target),
        target.name,
    )


def peak_flops(target: Target, dtype: str) -> float:
    """Operations a cycle of all Cubes of a chip, two for each multiplication that is added up."""
    k0 = target.cube.fractal[dtype].k0
    return 2 * 16 * 16 * k0 / mmad_fractals(target, dtype, 16, 16, k0) * target.cores


def peak_lanes(target: Target, dtype: str) -> float:
    """Elements a cycle of all Vector units of a chip."""
    lanes = target.vector.bytes_per_repeat / ELEMENT_BYTES[dtype]
    return lanes / target.vector.per_repeat("vadd", dtype) * target.vector_units


def _kernels(
    groups: Sequence[Sequence[Operation]], costs: Sequence[GroupCost | None], target: Target
) -> KernelTotals | None:
    launches = memory_bound = compute_bound = memory = compute = time = 0.0
    bytes_, times = 0, list[KernelTime]()
    for ops, cost in zip(groups, costs, strict=True):
        if cost is None:
            return None
        launch = launch_us(target, cost.tiling.cores)
        at_hbm = target.microseconds(cost.bytes / target.memory.hbm_chip)
        unit, cycles = _compute_cycles(ops, cost, target)
        at_peak = target.microseconds(cycles)
        times.append(KernelTime(cost.time_us, unit, at_peak))
        if at_hbm >= at_peak:
            memory_bound += cost.time_us - launch
        else:
            compute_bound += cost.time_us - launch
        time, launches, bytes_ = time + cost.time_us, launches + launch, bytes_ + cost.bytes
        memory, compute = memory + at_hbm, compute + at_peak
    return KernelTotals(
        len(groups), bytes_, time, launches, memory_bound, compute_bound, memory, compute, tuple(times)
    )


def _compute_cycles(ops: Sequence[Operation], cost: GroupCost, target: Target) -> tuple[str, float]:
    """Which of Cube and Vector unit takes longer for a kernel's operations at its peak, and the cycles."""
    product = next((op for op in ops if rule_of(op).engine == "cube"), None)
    dtype = _type(ops[-1].results[0])
    lanes = peak_lanes(target, dtype if dtype in target.vector.compute else "f32")
    vector = (cost.flops - cost.product_flops) / lanes
    cube = 0.0 if product is None else cost.product_flops / peak_flops(target, _type(product.operands[0]))
    return ("Cube", cube) if cube > vector else ("Vector", vector)


def _constants(function: FuncOp) -> list[SSAValue]:
    """Constants of more than one number, such as what was folded of weights."""
    return [
        op.result
        for op in function.body.block.ops
        if isinstance(op, ConstantOp) and prod(shape_of(op.result)) > 1
    ]


def _type(value: SSAValue) -> str:
    return name_of(tensor_type(value).element_type)


__all__ = ["KernelTime", "KernelTotals", "ModelTotals", "model_totals", "peak_flops", "peak_lanes"]
