"""The layout of a tensor as a kernel sees it, whose dimensions may be several of the tensor's as one, and back."""

from xdsl.ir import SSAValue

from ...dialects.tile import BLOCK, LayoutAttr
from ...dialects.tiling import OperandMap
from ..support.values import shape_of
from .regions import Regions


def members(regions: Regions, maps: OperandMap) -> list[list[int]]:
    """For each dimension under which the kernel sees a tensor with this map, which of the tensor's it stands for."""
    found: list[list[int]] = []
    waiting: list[int] = []
    for d, entry in enumerate(regions.in_kernel(maps)):
        if entry is not None:
            found.append([*waiting, d])
            waiting = []
        elif found:
            found[-1].append(d)
        else:  # of size one, in front of the dimension that stands for it
            waiting.append(d)
    return found


def layout_of_tensor(
    regions: Regions, value: SSAValue, maps: OperandMap, seen: LayoutAttr
) -> LayoutAttr | None:
    """The layout of a tensor that the kernel sees as `seen`. Of several dimensions that are one in blocks the last one
    is in blocks; None where that is no multiple of 16."""
    parts, shape = members(regions, maps), shape_of(value)
    if len(parts) != len(seen.dims):
        return None
    last = next((d for d in reversed(parts[seen.blocked]) if shape[d] > 1), parts[seen.blocked][-1])
    if shape[last] % BLOCK:
        return None
    return LayoutAttr.get(last, [d for k in seen.dims for d in parts[k]])


def layout_in_kernel(
    regions: Regions, value: SSAValue, maps: OperandMap, layout: LayoutAttr
) -> LayoutAttr | None:
    """How the kernel sees a tensor with `layout`; None where it cannot: one dimension of the kernel stands for several
    that do not follow each other, or has blocks inside."""
    parts, shape = members(regions, maps), shape_of(value)
    if sum(len(part) for part in parts) != len(layout.dims):
        return None
    order = sorted(range(len(parts)), key=lambda k: layout.dims.index(parts[k][0]))
    if [d for k in order for d in parts[k]] != list(layout.dims):
        return None
    (block,) = [k for k, part in enumerate(parts) if layout.blocked in part]
    behind = parts[block][parts[block].index(layout.blocked) + 1 :]
    return LayoutAttr.get(block, order) if all(shape[d] == 1 for d in behind) else None
