"""Groups that a plan states, in the place of those that fusion would choose; and the plan of what it chose.

Whatever a plan states is checked: its ops are those of the function, its groups are kernels, its concatenations and
slices move nothing. What ops state themselves goes before it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import tile
from ...dialects.graph import ConcatOp, SliceOp
from ...dialects.graph.fusion_marks import LAYOUT, NOFUSE, fuse_group
from ...dialects.tile import layout_of
from ..plans.places import keep_place, number_ops, place_of
from ..plans.plan import FunctionPlan, KernelPlan, PlanError, difference
from ..support.errors import LocatedError
from ..support.module import kernel_ops
from .forced_groups import check_group
from .interface_layouts import BlockView, fold_views, unfold
from .joined_tensors import join, obstacles
from .layout_rules import retype, with_layout
from .plan import FusionPlan
from .slice_views import as_views, slices_alone

Move = TypeVar("Move", ConcatOp, SliceOp)


def number_new(function: FuncOp) -> None:
    """Give numbers to ops that need a kernel and have none yet, in program order, behind all others."""
    ops = kernel_ops(function)
    places = [place_of(op) for op in ops]
    following = 1 + max((place for place in places if place is not None), default=-1)
    for op in (op for op, place in zip(ops, places, strict=True) if place is None):
        number_ops([op], following)
        following += 1


def recorded(
    plan: FusionPlan, ops: tuple[str, ...], predicted: Sequence[float | None], function: FuncOp
) -> FunctionPlan:
    """The plan of a function whose ops were `ops`, with the types of its tensors as they lie, and µs of its groups."""
    kernels = tuple(
        KernelPlan(name, _places(group), None, None if time is None else round(time, 3), reads=_reads(group))
        for name, group, time in zip(plan.names, plan.groups, predicted, strict=True)
    )
    blocked: dict[int, tuple[int, tuple[int, ...]]] = {}
    joined: list[int] = []
    views: list[int] = []
    for op in function.body.block.ops:
        place = place_of(op)
        if place is None:
            continue
        joined += [place] if isinstance(op, tile.ConcatOp) else []
        views += [place] if isinstance(op, tile.SliceOp) else []
        layout = layout_of(op.results[0].type)
        if layout is not None:
            blocked[place] = layout.blocked, tuple(layout.dims)
    return FunctionPlan(ops, kernels, tuple(joined), tuple(views), blocked, plan.unfolded)


def _places(group: Sequence[Operation]) -> tuple[int, ...]:
    places = tuple(place_of(op) for op in group)
    assert all(place is not None for place in places), "every op of a group has a number"
    return tuple(place for place in places if place is not None)


def check_ops(planned: FunctionPlan, here: tuple[str, ...], name: str, where: str) -> None:
    """`PlanError` unless a plan is one of these ops."""
    differs = difference(planned.ops, here)
    if differs:
        raise PlanError(f"{where} is a plan of another @{name}: {differs}")


def conflict(planned: FunctionPlan, ops: Sequence[Operation]) -> str:
    """Which ops state other groups than a plan does, or that a tensor lies otherwise, in words; empty where none
    does."""
    named: dict[str, set[int]] = {}
    homes: dict[int, list[KernelPlan]] = {}
    for kernel in planned.kernels:
        for place in kernel.ops:
            homes.setdefault(place, []).append(kernel)
    for i, op in enumerate(ops):
        group = fuse_group(op)
        if group is not None:
            named.setdefault(group, set()).add(i)
        mark = op.attributes.get(NOFUSE)
        for kernel in homes.get(i, ()) if mark is not None else ():
            others = [ops[j].attributes.get(NOFUSE) for j in kernel.ops if j != i and j < len(ops)]
            if others and (isinstance(mark, UnitAttr) or any(other != mark for other in others)):
                return f"{op.name} is marked nofuse, and in kernel {kernel.name} of the plan with others"
        if reason := _layout_conflict(op, i, planned, homes.get(i, ())):
            return reason
    kernels = [set(kernel.ops) for kernel in planned.kernels]
    apart = next((group for group, members in named.items() if members not in kernels), None)
    return "" if apart is None else f"group '{apart}' is no kernel of the plan"


def _layout_conflict(op: Operation, place: int, planned: FunctionPlan, homes: Sequence[KernelPlan]) -> str:
    """How an op states that its result lies, where that is not so in a plan."""
    mark = op.attributes.get(LAYOUT)
    if not isinstance(mark, StringAttr):
        return ""
    said = f"{op.name} is marked layout = {mark}, and its result"
    if inside := [kernel.name for kernel in homes if kernel.ops[-1] != place]:
        return f"{said} stays on chip in kernel {inside[0]} of the plan"
    there = "blocks" if place in planned.blocked else "rows"
    return "" if mark.data == there else f"{said} lies in {there} in the plan"


Known = set[Hashable]
"""Kernels of plans of one function whose ops compose."""


def planned_groups(
    function: FuncOp, planned: FunctionPlan, where: str, known: Known | None = None
) -> FusionPlan:
    """The groups that a plan states of a function, named as there. Layouts are put on the types. `known`: of other
    plans of the function, to which those of this one are added. `PlanError` where it states what cannot be."""
    called = Counter(kernel.name for kernel in planned.kernels)
    if twice := next((name for name, count in called.items() if count > 1), None):
        raise PlanError(f"{where}: two kernels are called '{twice}'")
    number_ops(kernel_ops(function))
    views = fold_views(function)
    for i in planned.unfolded:
        if not 0 <= i < len(views):
            raise PlanError(f"{where}: there is no tensor {i} in blocks")
        unfold(views[i])
        number_new(function)
    views = [view for i, view in enumerate(views) if i not in planned.unfolded]
    ops = kernel_ops(function)
    groups = _groups(function, planned, where, set() if known is None else known)
    inside = {op for group in groups for op in group}
    left = {place: op for op in ops if op not in inside and (place := place_of(op)) is not None}
    missing = next((place for place in left if place not in (*planned.joined, *planned.views)), None)
    if missing is not None:
        raise PlanError(f"{where}: op {missing}, {left[missing].name}, is in no kernel")
    _join(function, _left_out(planned.joined, ConcatOp, left, where), groups, where)
    _view(function, _left_out(planned.views, SliceOp, left, where), groups, where)
    _lay_out(function, planned, views, where)
    names = {kernel.ops: kernel.name for kernel in planned.kernels}
    return FusionPlan(
        function.sym_name.data, tuple(groups), (None,) * len(groups), (),
        before=(None,) * len(ops), ops=tuple(ops),
        names=tuple(names[_places(group)] for group in groups), unfolded=planned.unfolded,
    )  # fmt: skip


def _left_out(
    places: Sequence[int], kind: type[Move], left: Mapping[int, Operation], where: str
) -> list[Move]:
    """The ops at some places, which are of one kind and in no kernel."""
    found = {place: left.get(place) for place in places}
    wrong = next((place for place, op in found.items() if not isinstance(op, kind)), None)
    if wrong is not None:
        raise PlanError(f"{where}: op {wrong} is no {kind.name} that is in no kernel")
    return [op for op in left.values() if isinstance(op, kind)]


def _groups(function: FuncOp, planned: FunctionPlan, where: str, known: Known) -> list[tuple[Operation, ...]]:
    """The groups of a plan. An op that several have, or one has twice, is itself where it is the last one, or else in
    the first of them; the others have copies."""
    by_place = {place: op for op in kernel_ops(function) if (place := place_of(op)) is not None}
    kernels = sorted(planned.kernels, key=lambda one: one.ops[-1])
    home = {kernel.ops[-1]: (kernel, len(kernel.ops) - 1) for kernel in kernels}
    for kernel in kernels:
        for at, place in enumerate(kernel.ops):
            if place not in by_place:
                raise PlanError(f"{where}: kernel {kernel.name!r} has op {place}, which there is none of")
            home.setdefault(place, (kernel, at))
    groups = [_instances(kernel, by_place, home, where) for kernel in kernels]
    for kernel, group in zip(kernels, groups, strict=True):
        key = kernel.ops, tuple(sorted(kernel.reads.items())), planned.unfolded
        try:
            check_group(kernel.name, group, composes=key in known)
        except LocatedError as error:
            raise PlanError(f"{where}: {error}") from error
        known.add(key)
    order = {op: i for i, op in enumerate(function.body.block.ops)}
    return sorted(groups, key=lambda group: order[group[-1]])


def _instances(
    kernel: KernelPlan,
    by_place: Mapping[int, Operation],
    home: Mapping[int, tuple[KernelPlan, int]],
    where: str,
) -> tuple[Operation, ...]:
    """The ops of one kernel, or copies of them, which read each other."""
    found: list[Operation] = []
    unused = dict(kernel.reads)
    for at, place in enumerate(kernel.ops):
        op = by_place[place]
        found.append(op if home[place] == (kernel, at) else _copied(op))
    for at, here in enumerate(found):
        for i, value in enumerate(here.operands):
            place = place_of(value.owner) if isinstance(value.owner, Operation) else None
            if place not in kernel.ops[:at]:
                continue
            giver = unused.pop(f"{at}.{i}", kernel.ops.index(place))
            if not 0 <= giver < at or kernel.ops[giver] != place:
                raise PlanError(
                    f"{where}: operand {i} of op {at} of kernel {kernel.name!r} is not what it reads"
                )
            assert isinstance(value, OpResult)
            here.operands[i] = found[giver].results[value.index]
    if unused:
        raise PlanError(f"{where}: no op of kernel {kernel.name!r} has the operand {next(iter(unused))!r}")
    return tuple(found)


def _copied(op: Operation) -> Operation:
    new, block = op.clone(), op.parent_block()
    assert block is not None
    new.location = op.location
    for result, other in zip(new.results, op.results, strict=True):
        result.name_hint = other.name_hint
    block.insert_op_after(new, op)
    return new


def _reads(group: Sequence[Operation]) -> dict[str, int]:
    """Which op of a group an operand is of, where several are copies of one."""
    places = _places(group)
    at = {op: i for i, op in enumerate(group)}
    return {
        f"{i}.{j}": at[value.owner]
        for i, op in enumerate(group)
        for j, value in enumerate(op.operands)
        if isinstance(value.owner, Operation)
        and value.owner in at
        and places.count(places[at[value.owner]]) > 1
    }


def _join(
    function: FuncOp, ops: Sequence[ConcatOp], groups: Sequence[Sequence[Operation]], where: str
) -> None:
    given: set[SSAValue] = {*(group[-1].results[0] for group in groups), *(op.result for op in ops)}
    why = obstacles(function, given)
    for op in ops:
        if reason := why.get(op, ""):
            raise PlanError(f"{where}: op {place_of(op)}, {op.name}, moves its parts: {reason}")
        keep_place(op, join(op))


def _view(
    function: FuncOp, ops: Sequence[SliceOp], groups: Sequence[Sequence[Operation]], where: str
) -> None:
    alone = tuple((op,) for op in ops)
    every = FusionPlan(function.sym_name.data, (*map(tuple, groups), *alone), (), ())
    possible = slices_alone(function, every, ())
    for op in ops:
        if op not in possible:
            raise PlanError(f"{where}: op {place_of(op)}, {op.name}, is no part of what it reads")
    for op, view in zip(ops, as_views(ops), strict=True):
        keep_place(op, view)


def _lay_out(function: FuncOp, planned: FunctionPlan, views: Sequence[BlockView], where: str) -> None:
    for view in views:
        retype(view.value, with_layout(view.value, view.layout))
    by_place = {place_of(op): op for op in function.body.block.ops if place_of(op) is not None}
    for place, blocked in planned.blocked.items():
        if place not in by_place:
            raise PlanError(f"{where}: there is no op {place} whose result is in blocks")
        value = by_place[place].results[0]
        try:
            retype(value, with_layout(value, tile.LayoutAttr.get(*blocked)))
        except (ValueError, IndexError) as error:
            raise PlanError(f"{where}: the result of op {place} does not lie so: {error}") from None


__all__ = ["check_ops", "conflict", "number_new", "planned_groups", "recorded"]
