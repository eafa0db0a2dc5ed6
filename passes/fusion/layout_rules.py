"""Which kernels write or read a tensor that lies in GM in blocks of 16 elements, as their tiles do on chip."""

from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.target_types import Target
from ...dialects.tile import LayoutAttr
from ..kernels.common.form import Group
from ..kernels.forms import form_of
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
    form = form_of(regions)
    if value is regions.result:
        return form.layout_of_result(regions) == layout and not form.cannot_write(regions, layout)
    return not form.cannot_read(Group(regions, packable, target), value, layout)
