"""Which tensors in blocks of 16 elements kernels read and write: what all forms share of the question."""

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from ....dialects.tile import LayoutAttr
from ....dialects.tiling import Along
from ...regions.kernel_layout import layout_in_kernel, layout_of_tensor
from ...regions.loads import Load
from ...regions.regions import Regions

IMAGE = LayoutAttr.get(1, (0, 1, 2, 3))
"""NC1HWC0."""


def tensor_layout(regions: Regions, seen: LayoutAttr | None) -> LayoutAttr | None:
    """The layout of a group's result whose tiles lie as `seen`; None for rows, and where the kernel has other
    dimensions than the result."""
    if seen is None or regions.parts or regions.result_shape != regions.kernel_extents:
        return None
    return layout_of_tensor(regions, regions.result, regions.maps[regions.result], seen)


def size_outermost(layout: LayoutAttr | None) -> bool:
    """Whether no place in a tensor depends on how large its first dimension is: it is the outermost one, in no
    blocks."""
    return layout is not None and layout.blocked != 0 and layout.dims[0] == 0


def unwritten(layout: LayoutAttr | None, regions: Regions, whole_rows: bool = False) -> str:
    """Why no kernel writes the result of `regions` in blocks, whatever its form; `layout`: that of its tiles."""
    name = regions.ops[-1].name
    if regions.factor and not size_outermost(layout):
        return "its size is known at run time only"
    if whole_rows or regions.rows or regions.joins:
        return f"{name}, which gives it, works on whole rows"
    if regions.parts:
        return f"parts of {name}, which gives it, are stored each to its place"
    if layout is None:
        return f"the kernel of {name}, which gives it, has no tiles in blocks of one of its dimensions"
    return ""


def unread(
    regions: Regions,
    value: SSAValue,
    layout: LayoutAttr,
    reads: Callable[[Load, LayoutAttr], str],
    whole_rows: bool = False,
) -> str:
    """Why a kernel does not read a tensor that is blocked as `layout` says. `reads`: why it does not read one load of
    it, given the layout as the kernel sees it."""
    name = regions.ops[0].name
    if regions.factor and not size_outermost(layout):
        return "its size is known at run time only"
    if whole_rows or regions.rows or regions.joins:
        return f"{name}, which reads it, takes whole rows"
    for load in (load for load in regions.loads if load.value is value):
        seen = layout_in_kernel(regions, value, load.maps, layout)
        if seen is None:
            return f"the kernel of {name}, which reads it, sees other dimensions"
        reason = reads(load, seen)
        if reason:
            return reason
    return ""


def another_order(regions: Regions) -> str:
    """What is said of a tensor whose blocks are not those of the tiles."""
    return f"{regions.ops[0].name} reads it in another order"


def lies_as(load: Load, seen: LayoutAttr, regions: Regions, order: Sequence[int], block: int) -> bool:
    """Whether a tensor lies as the tiles in UB that it is loaded to, whose dimensions are in `order` and of which
    `block` is in blocks."""
    entries = [e for e in regions.kernel_map(load.maps) if isinstance(e, Along)]
    if len(entries) != len(seen.dims) or any(e.thin or e.repeat > 1 or not e.stride for e in entries):
        return False
    dims = [entries[d].dim for d in seen.dims]
    inside = [d for d in order if d in dims]
    channel = entries[seen.blocked]
    return dims == inside and channel.dim == block and channel.is_identity


def rows_inside(rank: int) -> LayoutAttr:
    """NZ: blocks of columns, rows inside."""
    return LayoutAttr.get(rank - 1, (*range(rank - 2), rank - 1, rank - 2))


__all__ = ["IMAGE", "another_order", "lies_as", "rows_inside", "tensor_layout", "unread", "unwritten"]
