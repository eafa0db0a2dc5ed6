"""Bytes of GM that a group of ops moves as one kernel, and what of its writes HBM sees."""

from collections.abc import Iterable, Sequence
from math import prod

from xdsl.ir import SSAValue

from ...dialects import tile
from ...dialects.element_types import bytes_of
from ...dialects.graph import GraphOp
from ...dialects.target_types import Target
from ...dialects.tiling import Along, OperandMap, Picked
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


def bytes_met(regions: Regions) -> int:
    """GM bytes of the kernel's result and of all elements that it reads, each once: of what it takes a part of, or
    picks rows of, fewer than of the tensor."""
    found = None if regions.factor else regions.known.get(bytes_met)
    if found is None:
        met: dict[SSAValue, dict[OperandMap, int]] = {}
        several = (
            regions.stream is not None or regions.back_to_back is not None
        )  # products, each in a space of its own
        extents = () if several else regions.extents
        for load in regions.loads:
            met.setdefault(load.value, {})[load.maps] = _elements_met(load, extents)
        read = (
            min(sum(parts.values()), prod(shape_of(value))) * bytes_of(element_type_of(value))
            for value, parts in met.items()
        )
        found = sum(read) + tensor_bytes(regions.result)
        regions.known[bytes_met] = found
    return found


def _elements_met(load: Load, extents: Sequence[int]) -> int:
    """Elements of a tensor that a load reads for all results of `extents`; of a dimension that has none there, all."""
    count = 1
    for entry, size in zip(load.maps, shape_of(load.value), strict=True):
        if isinstance(entry, Picked):
            count *= size if entry.by is None else min(size, prod(shape_of(entry.by)))
        elif isinstance(entry, Along) and entry.dim < len(extents):
            count *= entry.met(size, 0, extents[entry.dim])
        else:
            count *= size
    return count


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
