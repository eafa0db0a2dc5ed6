"""Bytes of GM that a group of ops moves as one kernel, and what of its writes HBM sees."""

from math import prod

from xdsl.ir import SSAValue

from ...dialects.element_types import bytes_of
from ...dialects.target_types import Target
from ...runtime.machine.costs import hbm_written
from ..regions.regions import Regions
from ..support.values import element_type_of, shape_of


def tensor_bytes(value: SSAValue) -> int:
    """Bytes of a tensor."""
    return prod(shape_of(value)) * bytes_of(element_type_of(value))


def group_bytes(regions: Regions) -> int:
    """GM bytes with every tensor moved once."""
    values = {load.value for load in regions.loads}
    return sum(tensor_bytes(v) for v in values) + tensor_bytes(regions.result)


def write_cycles(regions: Regions, target: Target, written: float) -> float:
    """Cycles of HBM for `written` bytes of the kernel's result."""
    return hbm_written(target, written, group_bytes(regions))
