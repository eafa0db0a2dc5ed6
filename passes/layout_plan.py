"""How the tensors between kernels lie in GM: row-major, or in blocks of 16 elements as the kernels' tiles do on chip
(NC1HWC0 between convolutions, NZ between matrix products), where the cost functions say that this saves time.

    conv2d -> conv2d    tensor<1x64x28x28xf16>  =>  tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>

A pure analysis of a fusion plan: it gives a plan of its own, which `apply_layouts` puts on the values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.ascend.memory import lanes_of
from ..dialects.target import Target
from ..dialects.tile import BLOCK, LayoutAttr
from ..dialects.tiling import Along
from .chain_builder import halves
from .contract_builder import load_of
from .fusion_plan import CostModel, FusionPlan, GroupCost
from .fusion_record import LayoutRecord
from .kernel_layout import layout_in_kernel, layout_of_tensor
from .lane_layout import lane_dim
from .pack_weights import packs_rhs
from .regions import Load, Regions, element_type_of, group_regions, rule_of, shape_of
from .tiling_plan import product_roles

Group = tuple[Operation, ...]
IMAGE = LayoutAttr.get(1, (0, 1, 2, 3))
"""NC1HWC0."""


@dataclass(frozen=True)
class LayoutChoice:
    """How one tensor between kernels lies, and why. `saved_us`: predicted time of the kernels that write and read it,
    row-major less blocked; None where they have no tiles with one of the two."""

    value: SSAValue
    layout: LayoutAttr | None
    reason: str
    saved_us: float | None = None

    def record(self) -> LayoutRecord:
        """What the report says of it."""
        owner, shape = self.value.owner, "x".join(str(n) for n in shape_of(self.value))
        assert isinstance(owner, Operation)
        kind, name = f"{shape}x{element_type_of(self.value)}", ""
        if self.layout is not None:
            name = "NC1HWC0" if self.layout == IMAGE else "NZ"
        return LayoutRecord(owner.name, kind, name, self.reason, self.saved_us)


@dataclass(frozen=True)
class LayoutPlan:
    """What was decided of every tensor that a product reads or writes between kernels, in program order; the costs of
    the plan's groups then."""

    choices: tuple[LayoutChoice, ...]
    costs: tuple[GroupCost | None, ...]

    @property
    def records(self) -> tuple[LayoutRecord, ...]:
        """What the report says."""
        return tuple(choice.record() for choice in self.choices)


def plan_layouts(plan: FusionPlan, model: CostModel) -> LayoutPlan:
    """Decide the layout of every tensor between the groups of a fusion plan: all that may be blocked are, then each
    becomes row-major again where the kernels around it are predicted to be no slower then."""
    writers: dict[SSAValue, Group] = {group[-1].results[0]: group for group in plan.groups}
    home: dict[Operation, list[int]] = {}
    for i, group in enumerate(plan.groups):
        for op in group:
            home.setdefault(op, []).append(i)
    readers = {value: _readers(value, plan.groups, home) for value in writers}
    regions = {group: group_regions(group) for group in plan.groups}
    choices: dict[SSAValue, LayoutChoice] = {}
    for value, writer in writers.items():
        users = readers[value]
        if all(isinstance(use.operation, ReturnOp) for use in value.uses):
            continue
        if all(regions[g].product is None for g in (writer, *users)):
            continue  # no product is near
        layout = _layout_of(regions[writer])
        reason = _obstacle(
            value, layout, regions[writer], [regions[g] for g in users], model.target, model.packable
        )
        choices[value] = LayoutChoice(value, layout if not reason else None, reason)
    blocked = [value for value, choice in choices.items() if choice.layout is not None]
    rows = {value: value.type for value in blocked}
    try:
        for value in blocked:
            _retype(value, _with_layout(value, choices[value].layout))
        for value in blocked:
            around = list(dict.fromkeys((writers[value], *readers[value])))
            with_blocks = _time(model, around)
            _retype(value, rows[value])
            without = _time(model, around)
            saved = None if with_blocks is None or without is None else without - with_blocks
            if with_blocks is not None and (saved is None or saved > 0):
                _retype(value, _with_layout(value, choices[value].layout))
                reason = "no tiles of its kernels fit with it in rows" if saved is None else ""
                choices[value] = replace(choices[value], reason=reason, saved_us=saved)
                continue
            reason = "its kernels are predicted to be no slower without"
            if with_blocks is None:
                reason = "no tiles of its kernels fit with it in blocks"
            choices[value] = replace(choices[value], layout=None, reason=reason, saved_us=saved)
        costs = tuple(model.anew(group) for group in plan.groups)
        if any(choice.layout is not None for choice in choices.values()):
            return LayoutPlan(tuple(choices.values()), costs)
        return LayoutPlan(tuple(choices.values()), plan.costs)
    finally:
        for value, kind in rows.items():
            _retype(value, kind)


def apply_layouts(plan: LayoutPlan) -> None:
    """Put the layouts on the types of the values."""
    for choice in plan.choices:
        if choice.layout is not None:
            _retype(choice.value, _with_layout(choice.value, choice.layout))


def _with_layout(value: SSAValue, layout: LayoutAttr | None) -> TensorType[Attribute]:
    assert layout is not None
    return TensorType(element_type_of(value), shape_of(value), layout)


def _retype(value: SSAValue, kind: Attribute) -> None:
    cast(Any, value)._type = kind


def _time(model: CostModel, groups: Iterable[Group]) -> float | None:
    """Predicted time of some groups, as the types of their values are now; None where one has no tiles."""
    total = 0.0
    for group in groups:
        cost = model.anew(group)
        if cost is None:
            return None
        total += cost.time_us
    return total


def _readers(
    value: SSAValue, groups: Sequence[Group], home: Mapping[Operation, Sequence[int]]
) -> list[Group]:
    """The groups that read a value of another one, in order; `home` are the numbers of each op's groups."""
    found = {i for use in value.uses for i in home.get(use.operation, ())}
    return [groups[i] for i in sorted(found) if groups[i][-1].results[0] is not value]


def _layout_of(regions: Regions) -> LayoutAttr | None:
    """How the tiles of a group's result lie on chip, as a layout of the tensor; None for rows."""
    if regions.chain is not None:
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


def _obstacle(
    value: SSAValue,
    layout: LayoutAttr | None,
    writer: Regions,
    readers: Sequence[Regions],
    target: Target,
    packable: frozenset[SSAValue],
) -> str:
    """Why a tensor cannot be blocked; empty where it can."""
    if any(isinstance(use.operation, ReturnOp) for use in value.uses):
        return "it is a result of the graph"
    inside = {op for regions in readers for op in regions.ops}
    others = [use.operation.name for use in value.uses if use.operation not in inside]
    if others:
        return f"{others[0]} sees its elements in another order"
    if lanes_of(element_type_of(value)) != BLOCK:
        return f"blocks of {element_type_of(value)} are not alike in L1 and UB"
    tells = ((_writes, writer), *((_reads, regions) for regions in readers))
    for tell, regions in cast(Sequence[tuple[Callable[..., str], Regions]], tells):
        reason = tell(value, layout, regions, target, packable)
        if reason:
            return reason
    return ""


def _writes(
    value: SSAValue,
    layout: LayoutAttr | None,
    regions: Regions,
    target: Target,
    packable: frozenset[SSAValue],
) -> str:
    """Why the kernel of `regions` cannot write its result in blocks."""
    name = regions.ops[-1].name
    if regions.stream is not None or regions.rows or regions.factor or regions.joins:
        return f"{name}, which gives it, works on whole rows"
    if layout is None:
        return f"the kernel of {name}, which gives it, has no tiles in blocks of one of its dimensions"
    if regions.product is not None and rule_of(regions.product).contraction(regions.product).groups > 1:
        return f"{regions.product.name}, which gives it, is grouped"
    return ""


def _reads(
    value: SSAValue,
    layout: LayoutAttr | None,
    regions: Regions,
    target: Target,
    packable: frozenset[SSAValue],
) -> str:
    """Why the kernel of `regions` cannot read a tensor that is blocked as `layout` says."""
    assert layout is not None
    name = regions.ops[0].name
    if regions.chain is not None:
        read = (half for half in halves(regions) if any(load.value is value for load in half.loads))
        reasons = (_reads(value, layout, half, target, packable) for half in read)
        return next((reason for reason in reasons if reason), "")
    if regions.stream is not None or regions.factor or regions.rows or regions.joins:
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
