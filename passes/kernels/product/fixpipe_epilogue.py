"""What FixPipe does of the ops that follow a product, on the way out of L0C: a bias, then the scale of sums of whole
numbers, then a rectifier, then a quantisation.

The bias is the row that the Cube starts its sums from, out of the bias table. Ops say themselves what they are for
FixPipe (`Pointwise.drain`); here it is decided how many of them, from the product on, it takes over.
"""

from dataclasses import replace
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ....dialects.ascend.cube import fixpipe_scale
from ....dialects.ascend.element_types import DRAINED
from ....dialects.element_types import ELEMENT_BYTES, name_of
from ....dialects.graph.rules import Pointwise
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.tiling import product_roles
from ...support.values import element_type_of, rule_of, scalar_operands, shape_of


@dataclass(frozen=True)
class Drain:
    """Ops that FixPipe does, the value that it gives, the bias, what negative values are multiplied by (one factor, or
    a row of them), and the factor and the zero point that make i8 of them, or f16 of sums of i32."""

    ops: tuple[Operation, ...]
    result: SSAValue
    bias: Load | None = None
    slope: float | None = None
    slopes: Load | None = None
    steps: tuple[float, int] | None = None
    scale: float = 1.0
    """What a sum is multiplied by, exactly, before it is quantised."""
    scales: Load | None = None
    """A row of factors of columns, in place of one."""

    @property
    def rows(self) -> dict[str, Load]:
        """The rows by the table that each is in."""
        tables = ("bt", self.bias), ("fb", self.slopes or self.scales)
        return {space: row for space, row in tables if row is not None}

    def columns(self, target: Target) -> int | None:
        """The most columns that a tile may have: those of the table of slopes or scales; None where it needs none. A
        bias comes to its table part by part."""
        return None if "fb" not in self.rows else target.spaces["fb"].bytes // ELEMENT_BYTES["f32"]


def drain_of(regions: Regions, target: Target) -> Drain:
    """What FixPipe takes over of a group with a product; nothing on chips without one. Of what it could do one op after
    the other it does so many that it gives their result's type."""
    assert regions.product is not None
    sums: SSAValue = regions.product.results[0]
    whole = name_of(element_type_of(sums)) == "i32"
    known = DRAINED["fixpipe", "i32" if whole else "f32"]
    done = found = Drain((), sums)
    while ("l0c", "gm") in target.paths and not regions.siblings:
        op = _only_user(regions, found.result)
        if op is None or regions.maps[op.results[0]] != regions.maps[found.result]:
            break
        more = _taken(regions, target, op, found)
        if more is None:
            break
        found = replace(more, ops=(*found.ops, op), result=op.results[0])
        if name_of(element_type_of(found.result)) in known:
            done = found
    return done


def _taken(regions: Regions, target: Target, op: Operation, before: Drain) -> Drain | None:
    """`before`, and `op` behind it; None where FixPipe does not do that."""
    value, rule = before.result, rule_of(op)
    kind = rule.drain if isinstance(rule, Pointwise) else ""
    whole = name_of(element_type_of(value)) == "i32"
    if before.slopes is not None or name_of(element_type_of(value)) == "i8":
        return None
    if kind == "quantize":
        steps = _steps(regions, op, before)
        return None if steps is None else replace(before, steps=steps)
    if before.slope is not None:
        return None
    if kind == "dequantize" and whole:
        scale = float(cast(Any, op).attribute_values()["scale"])
        if len(op.operands) == 1:
            return replace(before, steps=(fixpipe_scale(scale), 0), scale=scale)
        scales = _row(regions, op, value, "f32") if scale == 1.0 and ("l1", "fb") in target.paths else None
        return None if scales is None else replace(before, steps=(1.0, 0), scales=scales)
    if kind == "bias" and not before.ops:
        bias = _row(regions, op, value) if ("l1", "bt") in target.paths else None
        return None if bias is None else replace(before, bias=bias)
    if kind == "relu" and not whole:
        return replace(before, slope=0.0)
    if whole or before.steps is not None:
        return None
    if kind == "leaky_relu":
        return replace(before, slope=float(cast(Any, op).attribute_values()["alpha"]))
    if kind == "prelu" and op.operands[0] is value and ("l1", "fb") in target.paths:
        slopes = _row(regions, op, value)
        return None if slopes is None else replace(before, slopes=slopes)
    return None


def _steps(regions: Regions, op: Operation, before: Drain) -> tuple[float, int] | None:
    """The factor and the zero point of a quantisation, if FixPipe writes its result: where rows of the matrix are rows
    of the tensor. It rectifies the steps, not the values: that is the same for zeros that stand for zero."""
    assert regions.product is not None
    values, slope = cast(Any, op).attribute_values(), before.slope
    zero_point = int(values["zero_point"])
    straight = rule_of(regions.product).contraction(regions.product).window is None
    straight = straight and product_roles(regions).n == len(regions.kernel_extents) - 1
    if not straight or slope not in (None, 0.0) or (slope is not None and zero_point):
        return None
    scale = before.scale / float(values["scale"])
    return (fixpipe_scale(scale), zero_point) if before.scales is None or scale == 1.0 else None


def _only_user(regions: Regions, value: SSAValue) -> Operation | None:
    """The op of the group that alone uses a value, and once."""
    uses = list(value.uses)
    if len(uses) != 1 or uses[0].operation not in regions.ops:
        return None
    return uses[0].operation


def _row(regions: Regions, op: Operation, value: SSAValue, dtype: str = "") -> Load | None:
    """What an op combines `value` with, if that is a row: as many elements from outside as the product has columns, of
    type `dtype`, or else of that of `value`."""
    index = 1 - list(op.operands).index(value)
    if index in scalar_operands(op):
        return None
    maps = regions.operand_map(op, index)
    load = next((x for x in regions.loads if x.value is op.operands[index] and x.maps == maps), None)
    if load is None or sum(use.operation in regions.ops for use in load.value.uses) != 1:
        return None
    n = product_roles(regions).n
    along = [e for e in regions.kernel_map(maps) if isinstance(e, Along)]
    if [e.dim for e in along] != [n] or not along[0].is_identity:
        return None
    whole = max(shape_of(load.value), default=1) == regions.kernel_extents[n]
    return (
        load
        if whole and name_of(element_type_of(load.value)) == (dtype or name_of(element_type_of(value)))
        else None
    )
