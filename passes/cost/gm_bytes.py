"""Bytes of GM that a group of ops moves as one kernel, and what of its writes HBM sees."""

from collections.abc import Iterable
from math import prod

from xdsl.ir import SSAValue

from ...dialects import tile
from ...dialects.element_types import bytes_of
from ...dialects.graph import GraphOp
from ...dialects.target_types import Target
from ...runtime.machine.costs import hbm_written
from ..regions.loads import Load
from ..regions.regions import Regions
from ..support.values import element_type_of, rule_of, shape_of


def tensor_bytes(value: SSAValue) -> int:
    """Bytes of a tensor."""
    return prod(shape_of(value)) * bytes_of(element_type_of(value))


def group_bytes(regions: Regions) -> int:
    """GM bytes with every tensor moved once."""
    found = None if regions.factor else regions.known.get(group_bytes)
    if found is None:
        values = {load.value for load in regions.loads}
        found = sum(tensor_bytes(v) for v in values) + tensor_bytes(regions.result)
        regions.known[group_bytes] = found
    return found


def load_in_l2(regions: Regions, load: Load, target: Target) -> float:
    """The share of what one of a kernel's loads reads that L2 still has (`found_in_l2`)."""
    key = load_in_l2, load.value, id(target)
    found = regions.known.get(key)
    if found is None:
        found = found_in_l2([load], target)
        if not regions.factor:
            regions.known[key] = found
    return found


def found_in_l2(loads: Iterable[Load], target: Target) -> float:
    """The share of what a kernel reads that L2 still has from the launch before: sums of parts of K, which nothing but
    this kernel reads. What other kernels give is not known to be there."""
    read = {load.value for load in loads}
    sums = sum(tensor_bytes(value) for value in read if _is_partial(value))
    return sums / sum(map(tensor_bytes, read)) if 0 < sums <= target.memory.l2_bytes else 0.0


def _is_partial(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, tile.KernelOp):
        return any(isinstance(op, tile.ContractOp) and op.schedule.parts is not None for op in owner.walk())
    if not isinstance(owner, GraphOp):
        return False
    rule = rule_of(owner)
    return rule.engine == "cube" and rule.contraction(owner).part is not None


def write_cycles(regions: Regions, target: Target, written: float) -> float:
    """Cycles of HBM for `written` bytes of the kernel's result."""
    return hbm_written(target, written, group_bytes(regions))
