"""How the tensors between kernels lie in GM: row-major, or in blocks of 16 elements as the kernels' tiles do on chip
(NC1HWC0 between convolutions, NZ between matrix products), where the cost functions say that this saves time.

    conv2d -> conv2d    tensor<1x64x28x28xf16>  =>  tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>

Tensors that lie in one another (tile.concat) lie alike.

A pure analysis of a fusion plan: it gives a plan of its own, which `apply_layouts` puts on the values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_types import lanes_of, name_of
from ...dialects.graph.fusion_marks import LAYOUT
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, BitcastOp, ConcatOp, LayoutAttr
from ...dialects.tile.concat import lies_whole
from ...runtime.support.progress import tracked
from ..kernels.common.blocked_tensors import IMAGE
from ..kernels.common.form import Group as FormGroup
from ..kernels.forms import form_of
from ..regions.regions import Regions
from ..support.errors import LocatedError
from ..support.report import reports_wanted
from ..support.run_size import fixed
from ..support.values import element_type_of, shape_of
from .candidates import LayoutRecord
from .cost_model import CostModel
from .group_cost import GroupCost, Slower
from .interface_layouts import BlockView
from .joined_tensors import joined_tensors
from .layout_rules import retype, with_layout
from .plan import FusionPlan

Group = tuple[Operation, ...]


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
        now, shape = fixed(), shape_of(self.value)
        owner = self.value.owner
        assert isinstance(owner, Operation)
        dims = ["?" if now is not None and now.factor(n) else str(n) for n in shape]
        kind, name = "x".join([*dims, name_of(element_type_of(self.value))]), ""
        giver = f"%{self.value.name_hint}" if isinstance(owner, BitcastOp) else owner.name
        if self.layout is not None:
            name = "NC1HWC0" if self.layout == IMAGE else "NZ"
        return LayoutRecord(giver, kind, name, self.reason, self.saved_us)


@dataclass(frozen=True)
class LayoutPlan:
    """What was decided of every tensor that a product reads or writes between kernels, in program order; the costs of
    the plan's groups then."""

    choices: tuple[LayoutChoice, ...]
    costs: tuple[GroupCost | None, ...]
    unmet: tuple[BlockView, ...] = ()
    """Views of tensors that some kernel around does not take in blocks: their ops have to be kernels."""

    @property
    def time_us(self) -> float:
        """Predicted time of the kernels, as far as they have tiles."""
        return sum(cost.time_us for cost in self.costs if cost is not None)

    @property
    def records(self) -> tuple[LayoutRecord, ...]:
        """What the report says."""
        return tuple(choice.record() for choice in self.choices)

    def records_of(self, views: Sequence[BlockView]) -> tuple[LayoutRecord, ...]:
        """What the report says of some views."""
        values = {view.value for view in views}
        return tuple(choice.record() for choice in self.choices if choice.value in values)


def plan_layouts(
    plan: FusionPlan,
    model: CostModel,
    views: Sequence[BlockView] = (),
    free: bool = True,
    joins: Sequence[ConcatOp] = (),
) -> LayoutPlan:
    """Decide the layout of every tensor between the groups of a fusion plan: all that may be blocked are, then each
    becomes row-major again where the kernels around it are predicted to be no slower then. The tensors of `views` are
    blocked as these say, whatever it costs; without `free` they are the only ones. What `joins` joins lies alike."""
    tensors = _Tensors.of(plan, model, views, joins)
    choices = tensors.choices(free)
    blocked = [value for value, choice in choices.items() if choice.layout is not None]
    kinds = {value: (value.type, _blocked(choices[value])) for value in blocked}
    units = dict.fromkeys(tensors.unit(value) for value in blocked if value not in tensors.stated)
    try:
        for value, (_, in_blocks) in kinds.items():
            retype(value, in_blocks)
        model.look_ahead([partial(model.anew, group) for group in tensors.around(blocked)])
        model.look_ahead([partial(tensors.look_at, unit, choices, kinds) for unit in units])
        for unit in tracked(list(units), "choosing layouts", "tensor", lambda unit: unit[0].name_hint or ""):
            choices |= tensors.settled(unit, choices, kinds)
        for value in (value for value in blocked if value in tensors.stated):
            if _time(model, tensors.around((value,))) is None:
                reason = "no tiles of its kernels fit with it in blocks"
                choices[value] = replace(choices[value], layout=None, reason=reason)
        unmet = tuple(view for value, view in tensors.stated.items() if choices[value].layout is None)
        costs = plan.costs
        if any(choice.layout is not None for choice in choices.values()):
            costs = tuple(_cost(model.anew(group)) for group in plan.groups)
        return LayoutPlan(tuple(choices.values()), costs, unmet)
    finally:
        for value, (in_rows, _) in kinds.items():
            retype(value, in_rows)


Kinds = Mapping[SSAValue, tuple[Attribute, Attribute]]
"""The types of tensors without blocks and with them."""


@dataclass(frozen=True)
class _Tensors:
    """The tensors between the groups of a plan: which group writes each, which read it, which lie alike (`together`),
    and those whose layout the graph states."""

    model: CostModel
    writers: Mapping[SSAValue, Group]
    readers: Mapping[SSAValue, Sequence[Group]]
    regions: Mapping[Group, Regions]
    together: Mapping[SSAValue, tuple[SSAValue, ...]]
    stated: Mapping[SSAValue, BlockView]

    @staticmethod
    def of(
        plan: FusionPlan, model: CostModel, views: Sequence[BlockView], joins: Sequence[ConcatOp]
    ) -> "_Tensors":
        writers: dict[SSAValue, Group] = {group[-1].results[0]: group for group in plan.groups}
        home: dict[Operation, list[int]] = {}
        for i, group in enumerate(plan.groups):
            for op in group:
                home.setdefault(op, []).append(i)
        stated = {view.value: view for view in views}
        together = {value: tuple(values) for values in joined_tensors(joins) for value in values}
        readers = {value: _readers(value, plan.groups, home) for value in (*writers, *stated, *together)}
        regions = {group: model.regions(group) for group in plan.groups}
        return _Tensors(model, writers, readers, regions, together, stated)

    def unit(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The tensors that lie as this one does."""
        return self.together.get(value, (value,))

    def around(self, unit: Sequence[SSAValue]) -> list[Group]:
        """The groups that write or read some tensors, each once."""
        found: list[Group] = []
        for value in unit:
            found += [self.writers[value]] if value in self.writers else []
            found += self.readers[value]
        return list(dict.fromkeys(found))

    def choices(self, free: bool) -> dict[SSAValue, LayoutChoice]:
        """What may be blocked, of those that the graph states and, with `free`, of all others."""
        found: dict[SSAValue, LayoutChoice] = {}
        for value, view in self.stated.items():
            reason = _stated_obstacle(view, self.writers, self.readers[value], self.regions, self.model)
            how = "the graph takes it so" if view.argument else "the graph gives it so"
            found[value] = LayoutChoice(value, None if reason else view.layout, reason or how)
        for value in self.writers if free else ():
            if value not in found and not all(isinstance(use.operation, ReturnOp) for use in value.uses):
                unit = self.unit(value)
                writers = tuple(self.writers.get(v) for v in unit)
                key = "layouts", unit, writers, tuple(tuple(self.readers[v]) for v in unit)
                found |= self.model.once(key, partial(self._choices_of, unit))
        return found

    def _choices_of(self, unit: tuple[SSAValue, ...]) -> dict[SSAValue, LayoutChoice]:
        """The same for tensors that lie alike; nothing where no product is around them."""
        regions, writers = self.regions, self.writers
        if all(regions[group].product is None for group in self.around(unit)):
            return {}
        layouts = {_written(regions[writers[v]]) for v in unit if v in writers}
        layout = next(iter(layouts)) if len(layouts) == 1 else None
        reasons = (
            _obstacle(
                v,
                layout,
                regions[writers[v]] if v in writers else None,
                [regions[g] for g in self.readers[v]],
                self.model.target,
                self.model.packable,
            )
            for v in unit
        )
        reason = next((reason for reason in reasons if reason), "")
        if len(unit) > 1 and not reason:
            reason = _joined_obstacle(unit, layout, writers)
        if _stated(unit) == "rows":
            reason = "the graph states it so"
        return {v: LayoutChoice(v, layout if not reason else None, reason) for v in unit}

    def settled(
        self,
        unit: Sequence[SSAValue],
        choices: Mapping[SSAValue, LayoutChoice],
        kinds: Kinds,
    ) -> dict[SSAValue, LayoutChoice]:
        """The choices of tensors that lie alike, by the time of the kernels around them. Their types are then those of
        the choice."""
        around = self.around(unit)
        with_blocks = _time(self.model, around)
        for value in unit:
            retype(value, kinds[value][0])
        most = inf if with_blocks is None or reports_wanted() else with_blocks
        without = _time(self.model, around, most)
        saved = None if with_blocks is None or without is None else without - with_blocks
        keeps = with_blocks is not None and (saved is None or saved > 0)
        reason = "its kernels are predicted to be no slower without"
        if _stated(unit) == "blocks" and with_blocks is not None:
            keeps, reason = True, "the graph states it so"
        elif keeps:
            reason = "no tiles of its kernels fit with it in rows" if saved is None else ""
        elif with_blocks is None:
            reason = "no tiles of its kernels fit with it in blocks"
        found: dict[SSAValue, LayoutChoice] = {}
        for value in unit:
            choice = choices[value]
            if keeps:
                retype(value, kinds[value][1])
            layout = choice.layout if keeps else None
            found[value] = replace(choice, layout=layout, reason=reason, saved_us=saved)
        return found

    def look_at(
        self,
        unit: Sequence[SSAValue],
        choices: Mapping[SSAValue, LayoutChoice],
        kinds: Kinds,
    ) -> None:
        """What `settled` asks, with types left as they are."""
        before = [value.type for value in unit]
        try:
            self.settled(unit, choices, kinds)
        finally:
            for value, kind in zip(unit, before, strict=True):
                retype(value, kind)


def _stated(unit: Sequence[SSAValue]) -> str:
    """How the ops that give some tensors, which lie alike, state that these lie; empty where none does."""
    marks = (value.owner.attributes.get(LAYOUT) for value in unit if isinstance(value.owner, Operation))
    return next((mark.data for mark in marks if isinstance(mark, StringAttr)), "")


def check_layouts(groups: Sequence[Group], choices: Sequence[LayoutChoice]) -> None:
    """`LocatedError` at an op whose result does not lie as it states, with the reason."""
    chosen = {choice.value: choice for choice in choices}
    for group in groups:
        for op in group:
            wanted = _stated(op.results)
            if not wanted:
                continue
            if op is not group[-1]:
                raise LocatedError(
                    op, f"{op.name}: its result stays on chip, in a kernel with {group[-1].name}"
                )
            choice = chosen.get(op.results[0])
            if wanted == "blocks" and (choice is None or choice.layout is None):
                why = "no product is around it" if choice is None else choice.reason
                raise LocatedError(op, f"{op.name}: its result cannot lie in blocks: {why}")


def _joined_obstacle(
    unit: Sequence[SSAValue], layout: LayoutAttr | None, writers: Mapping[SSAValue, Group]
) -> str:
    """Why tensors that lie in one another do not in blocks."""
    for value in unit:
        op = value.owner
        if isinstance(op, Operation) and not isinstance(op, ConcatOp) and value not in writers:
            return f"{op.name}, which is no kernel, sees its elements in another order"
        if layout is None or not isinstance(op, ConcatOp):
            continue
        for part in op.parts:
            if len(shape_of(part)) != len(layout.dims):
                return f"{op.name} joins tensors of other shapes"
            if not lies_whole(with_layout(part, layout), op.axis.value.data):
                return f"{op.name} joins parts that are no whole blocks"
    return ""


def _stated_obstacle(
    view: BlockView,
    writers: Mapping[SSAValue, Group],
    readers: Sequence[Group],
    regions: Mapping[Group, Regions],
    model: CostModel,
) -> str:
    """Why the kernels around a tensor of the graph's interface do not take it in blocks; empty where they do."""
    value, layout, writer = view.value, view.layout, None
    if not view.argument:
        if value not in writers:
            return "no kernel gives it"
        writer = regions[writers[value]]
        layout = _written(writer)
        if layout not in (None, view.layout):
            return f"{writer.ops[-1].name}, which gives it, has other blocks"
    around = [regions[group] for group in readers]
    return _obstacle(value, layout, writer, around, model.target, model.packable)


def apply_layouts(plan: LayoutPlan) -> None:
    """Put the layouts on the types of the values."""
    for choice in plan.choices:
        if choice.layout is not None:
            retype(choice.value, with_layout(choice.value, choice.layout))


def _blocked(choice: LayoutChoice) -> Attribute:
    assert choice.layout is not None
    return with_layout(choice.value, choice.layout)


def _time(model: CostModel, groups: Sequence[Group], most_us: float = inf) -> float | None:
    """Predicted time of some groups, as the types of their values are now; None where one has no tiles. It may be
    infinite where it is more than `most_us`."""
    total = 0.0
    later = [model.least_anew(group) for group in groups[1:]] if most_us < inf else []
    """What the groups behind the first one take at least."""
    for i, group in enumerate(groups):
        cost = model.anew(group, most_us - total - sum(later[i:]))
        if cost is None:
            return None
        if isinstance(cost, Slower):
            return inf
        total += cost.time_us
    return total


def _cost(found: GroupCost | Slower | None) -> GroupCost | None:
    assert not isinstance(found, Slower), "the cost was asked for whatever it is"
    return found


def _readers(
    value: SSAValue, groups: Sequence[Group], home: Mapping[Operation, Sequence[int]]
) -> list[Group]:
    """The groups that read a value of another one, in order; `home` are the numbers of each op's groups."""
    found = {i for use in value.uses for i in home.get(use.operation, ())}
    return [groups[i] for i in sorted(found) if groups[i][-1].results[0] is not value]


def _obstacle(
    value: SSAValue,
    layout: LayoutAttr | None,
    writer: Regions | None,
    readers: Sequence[Regions],
    target: Target,
    packable: frozenset[SSAValue],
) -> str:
    """Why a tensor, which `writer` gives if it is no argument, cannot be blocked; empty where it can."""
    if any(isinstance(use.operation, ReturnOp) for use in value.uses):
        return "it is a result of the graph"
    inside = {op for regions in readers for op in regions.ops}
    others = [use.operation.name for use in value.uses if use.operation not in inside]
    others = [name for name in others if name not in (BitcastOp.name, ConcatOp.name)]
    if others:
        return f"{others[0]} sees its elements in another order"
    if lanes_of(element_type_of(value)) != BLOCK:
        return f"blocks of {element_type_of(value)} are not alike in L1 and UB"
    reason = "" if writer is None else form_of(writer).cannot_write(writer, layout)
    if reason:
        return reason
    if layout is None:
        return "its parts lie in other blocks"
    groups = (FormGroup(regions, packable, target) for regions in readers)
    reasons = (form_of(group.regions).cannot_read(group, value, layout) for group in groups)
    return next((reason for reason in reasons if reason), "")


def _written(regions: Regions) -> LayoutAttr | None:
    """The layout of what a kernel writes."""
    return form_of(regions).layout_of_result(regions)
