"""Which kernels write or read a tensor that lies in GM in blocks of 16 elements, as their tiles do on chip."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.target_types import Target
from ...dialects.tile import LayoutAttr, layout_of, without_layout
from ..kernels.common.form import Group
from ..kernels.forms import form_of
from ..regions.compose_group import group_regions
from ..regions.regions import Regions
from ..support.values import element_type_of, shape_of


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
    return not _obstacle(value, layout, Group(regions, packable, target))


def layout_obstacle(ops: Sequence[Operation], target: Target, packable: frozenset[SSAValue]) -> str:
    """Why the kernel of a group cannot read or write some tensor that its type has in blocks; nothing if it can.
    `NotFusableError` where the ops are no kernel."""
    values = dict.fromkeys(value for op in ops for value in (*op.operands, *op.results))
    blocked = {value: layout for value in values if (layout := layout_of(value.type)) is not None}
    kinds = {value: value.type for value in blocked}
    try:
        for value, kind in kinds.items():
            retype(value, without_layout(kind))
        group = Group(group_regions(ops), packable, target) if blocked else None
        for value, layout in blocked.items():
            assert group is not None
            if reason := _obstacle(value, layout, group):
                return f"{kinds[value]}: {reason}"
        return ""
    finally:
        for value, kind in kinds.items():
            retype(value, kind)


def _obstacle(value: SSAValue, layout: LayoutAttr, group: Group) -> str:
    regions = group.regions
    form = form_of(regions)
    if value is not regions.result:
        return form.cannot_read(group, value, layout)
    own = form.layout_of_result(regions)
    if own != layout:
        return f"tiles of the result lie as {own or 'rows'}, not so"
    return form.cannot_write(regions, layout)
