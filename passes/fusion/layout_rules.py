"""Which kernels write or read a tensor that lies in GM in blocks of 16 elements, as their tiles do on chip."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.target_types import Target
from ...dialects.tile import LayoutAttr
from ...dialects.tiling import Along
from ..kernels.back_to_back.build import halves
from ..kernels.common.pack_weights import packs_rhs
from ..kernels.product.contract import load_of
from ..regions.kernel_layout import layout_in_kernel, layout_of_tensor
from ..regions.lane_dim import lane_dim
from ..regions.loads import Load
from ..regions.regions import Regions
from ..regions.tiling import product_roles
from ..support.values import element_type_of, rule_of, shape_of

IMAGE = LayoutAttr.get(1, (0, 1, 2, 3))
"""NC1HWC0."""


def with_layout(value: SSAValue, layout: LayoutAttr) -> TensorType[Attribute]:
    """The type of a tensor in blocks."""
    return TensorType(element_type_of(value), shape_of(value), layout)


def retype(value: SSAValue, kind: Attribute) -> None:
    """Give a value another type."""
    cast(Any, value)._type = kind


def takes(
    value: SSAValue, layout: LayoutAttr, regions: Regions, target: Target, packable: frozenset[SSAValue]
) -> bool:
    """Whether the kernel of a group reads, or writes, a tensor that lies so."""
    if value is regions.result:
        return layout_of_result(regions) == layout and not cannot_write(layout, regions)
    return not cannot_read(value, layout, regions, target, packable)


def layout_of_result(regions: Regions) -> LayoutAttr | None:
    """How the tiles of a group's result lie on chip, as a layout of the tensor; None for rows."""
    if regions.back_to_back is not None:
        _, regions = halves(regions)
    if regions.stream is not None or regions.result_shape != regions.kernel_extents:
        return None
    if regions.product is None:
        lanes = lane_dim(regions)
        seen = LayoutAttr.get(lanes, range(len(regions.merged))) if lanes >= 0 else None
    else:
        roles = product_roles(regions)
        seen = LayoutAttr.get(roles.n, roles.order) if len(roles.order) > 1 else None
    if seen is None:
        return None
    return layout_of_tensor(regions, regions.result, regions.maps[regions.result], seen)


def cannot_write(layout: LayoutAttr | None, regions: Regions) -> str:
    """Why the kernel of `regions` cannot write its result in blocks, `layout` being that of its tiles."""
    name = regions.ops[-1].name
    if regions.factor:
        return "its size is known at run time only"
    if regions.stream is not None or regions.rows or regions.joins:
        return f"{name}, which gives it, works on whole rows"
    if layout is None:
        return f"the kernel of {name}, which gives it, has no tiles in blocks of one of its dimensions"
    if regions.product is not None and rule_of(regions.product).contraction(regions.product).groups > 1:
        return f"{regions.product.name}, which gives it, is grouped"
    return ""


def cannot_read(
    value: SSAValue, layout: LayoutAttr, regions: Regions, target: Target, packable: frozenset[SSAValue]
) -> str:
    """Why the kernel of `regions` cannot read a tensor that is blocked as `layout` says."""
    name = regions.ops[0].name
    if regions.back_to_back is not None:
        read = (half for half in halves(regions) if any(load.value is value for load in half.loads))
        reasons = (cannot_read(value, layout, half, target, packable) for half in read)
        return next((reason for reason in reasons if reason), "")
    if regions.factor:
        return "its size is known at run time only"
    if regions.stream is not None or regions.rows or regions.joins:
        return f"{name}, which reads it, takes whole rows"
    for load in (load for load in regions.loads if load.value is value):
        seen = layout_in_kernel(regions, value, load.maps, layout)
        if seen is None:
            return f"the kernel of {name}, which reads it, sees other dimensions"
        reason = _reads_load(load, seen, regions, target, packable)
        if reason:
            return reason
    return ""


def _reads_load(
    load: Load, seen: LayoutAttr, regions: Regions, target: Target, packable: frozenset[SSAValue]
) -> str:
    product, name = regions.product, regions.ops[0].name
    another = f"{name} reads it in another order"
    if product is None:
        lanes = lane_dim(regions)
        return "" if _lies_as(load, seen, regions, range(len(regions.merged)), lanes) else another
    contraction = rule_of(product).contraction(product)
    image = contraction.window is not None
    if contraction.groups > 1:
        return f"{product.name}, which reads it, is grouped"
    roles = product_roles(regions)
    if load in regions.loads_of(regions.prologue):
        depth = len(regions.merged)
        return "" if image and _lies_as(load, seen, regions, regions.step_order, depth) else another
    if not regions.prologue and load == load_of(regions, product, contraction.lhs):
        if contraction.transpose_lhs or seen != (IMAGE if image else _rows_inside(len(seen.dims))):
            return another
        if image and target.split and not packs_rhs(regions, packable):
            return f"the filters of {product.name} are no weights"
        return ""
    along = [e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.is_identity]
    follows = along == list(range(len(regions.merged)))
    as_result = follows and regions.kernel_shape(load) == regions.kernel_extents
    return "" if as_result and seen == LayoutAttr.get(roles.n, roles.order) else another


def _lies_as(load: Load, seen: LayoutAttr, regions: Regions, order: Sequence[int], block: int) -> bool:
    """Whether a tensor lies as the tiles in UB that it is loaded to, whose dimensions are in `order` and of which
    `block` is in blocks."""
    entries = [e for e in regions.kernel_map(load.maps) if isinstance(e, Along)]
    if len(entries) != len(seen.dims) or any(e.thin or e.repeat > 1 or not e.stride for e in entries):
        return False
    dims = [entries[d].dim for d in seen.dims]
    inside = [d for d in order if d in dims]
    channel = entries[seen.blocked]
    return dims == inside and channel.dim == block and channel.is_identity


def _rows_inside(rank: int) -> LayoutAttr:
    """NZ: blocks of columns, rows inside."""
    return LayoutAttr.get(rank - 1, (*range(rank - 2), rank - 1, rank - 2))
