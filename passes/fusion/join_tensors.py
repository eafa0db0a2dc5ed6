"""Which concatenations move nothing, and the fusion plan without their kernels.

One that is a kernel of its own costs a launch and every byte twice. One in a kernel with what reads it, or with the
last ops on its parts, may still be worth less than kernels that write the parts to their places: both are planned, and
the layouts with them, as parts that are alone may lie in blocks.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects import tile
from ...dialects.element_types import BLOCK_BYTES, bytes_of
from ...dialects.graph import ConcatOp, SliceOp
from ...dialects.graph.base import GraphOp
from ...dialects.graph.rules import Pointwise
from ...dialects.records import dataclass
from ..support.values import element_type_of, rule_of, shape_of
from .candidates import JoinRecord
from .joined_tensors import base_of, fitting, join, obstacles, part
from .layouts import LayoutPlan
from .plan import FusionPlan
from .slice_views import as_slices, as_views, slices_alone, view_records


@dataclass(frozen=True)
class Planned:
    """The groups of a function, and how tensors lie between them."""

    plan: FusionPlan
    layouts: LayoutPlan

    @property
    def time_us(self) -> float:
        """Predicted time of the kernels, as far as they have tiles."""
        return self.layouts.time_us


TAKEN = "a part of it lies in another tensor"

Grouped = Callable[[], FusionPlan]
LaidOut = Callable[[FusionPlan, Sequence[tile.ConcatOp]], LayoutPlan]


def join_tensors(
    function: FuncOp,
    grouped: Grouped,
    laid_out: LaidOut,
    apart: Collection[SSAValue] = (),
    whole_blocks: bool = False,
) -> Planned:
    """The plan of a function, with tile.concat in the place of concatenations that move nothing. `grouped` plans the
    kernels of the function as it is, `laid_out` the layouts then; tensors of `apart` lie in blocks that the graph
    states; `whole_blocks`: whether DMA moves whole blocks of 32 B."""
    plan = grouped()
    group = {op: members for members in plan.groups for op in members}
    why = obstacles(function, {op.results[0] for op in group}, apart)
    if whole_blocks:
        ahead = "a kernel reads a block behind a part, and writes the next one"
        why |= {op: reason or ahead for op, reason in why.items() if _reads_ahead(op, group)}
    free = [op for op, reason in why.items() if not reason]
    records = {op: _record(op, why[op] or TAKEN) for op in why if len(group[op]) == 1}
    alone = [op for op in fitting([op for op in free if len(group[op]) == 1]) if isinstance(op, ConcatOp)]
    plan = _without(plan, alone)
    for op in alone:
        join(op)
        records[op] = _record(op)
    found = _with_views(function, Planned(plan, laid_out(plan, _joined(function))), laid_out, apart)
    plan = found.plan
    beside = [op for op in free if len(group[op]) > 1 and _written_elsewhere(op, group[op])]
    others = _fitting_beside(function, beside)
    if others:
        more = [join(op) for op in others]
        records |= {op: _record(op) for op in others}
        other = grouped()
        another = Planned(other, laid_out(other, _joined(function)))
        if another.time_us < found.time_us:
            found = another
        else:
            for op, now in zip(others, more, strict=True):
                part(now)
                records[op] = replace(
                    records[op], reason="it is predicted to be no slower with what is beside it"
                )
            plan = grouped()
            found = Planned(plan, laid_out(plan, _joined(function)))
    views = view_records(function)
    return replace(found, plan=replace(found.plan, joins=tuple(records.values()), views=views))


def _with_views(function: FuncOp, found: Planned, laid_out: LaidOut, apart: Collection[SSAValue]) -> Planned:
    """The plan with parts of tensors in the place of slices that are kernels of their own, where it is faster."""
    alone = slices_alone(function, found.plan, apart)
    if not alone:
        return found
    without, views = _without(found.plan, alone), as_views(alone)
    parted = Planned(without, laid_out(without, _joined(function)))
    if parted.time_us < found.time_us:
        return parted
    again = dict(zip(alone, as_slices(views), strict=True))
    groups = tuple(
        tuple(again.get(op, op) if isinstance(op, SliceOp) else op for op in members)
        for members in found.plan.groups
    )
    return replace(found, plan=replace(found.plan, groups=groups))


def _fitting_beside(function: FuncOp, ops: Collection[ConcatOp]) -> list[ConcatOp]:
    """Those of some concatenations that can be joined beside the ones that are; none where these would not fit."""
    now = [
        op
        for op in function.body.block.ops
        if isinstance(op, tile.ConcatOp) or (isinstance(op, ConcatOp) and op in ops)
    ]
    found = fitting(now)
    if any(isinstance(op, tile.ConcatOp) and op not in found for op in now):
        return []
    return [op for op in found if isinstance(op, ConcatOp)]


def _joined(function: FuncOp) -> list[tile.ConcatOp]:
    return [op for op in function.body.block.ops if isinstance(op, tile.ConcatOp)]


def _reads_ahead(op: ConcatOp, group: Mapping[Operation, Sequence[Operation]]) -> bool:
    """Whether a kernel that gives one part reads the part before it, whose rows are no whole blocks: the last block of
    its rows may end behind it."""
    bases = [base_of(value) for value in op.parts]
    for first, second in pairwise(bases):
        row = prod(shape_of(first)[-1:]) * bytes_of(element_type_of(first))
        maker = second.owner
        members = group.get(maker, ()) if isinstance(maker, Operation) else ()
        if row % BLOCK_BYTES and any(
            base_of(value) is first for member in members for value in member.operands
        ):
            return True
    return False


def _written_elsewhere(op: ConcatOp, members: Collection[Operation]) -> bool:
    """Whether each part could be written by the kernel of an op outside of the group `members`, or of one that it
    follows element by element, or is itself such a concatenation."""
    for value in op.parts:
        maker = base_of(value).owner
        while maker in members and isinstance(maker, GraphOp) and isinstance(rule_of(maker), Pointwise):
            maker = base_of(maker.operands[0]).owner
        if maker in members and isinstance(maker, ConcatOp) and _written_elsewhere(maker, members):
            continue
        if maker in members or not isinstance(maker, GraphOp):
            return False
    return True


def _without(plan: FusionPlan, ops: Collection[Operation]) -> FusionPlan:
    """The plan without the kernels of some ops."""
    kept = [i for i, members in enumerate(plan.groups) if members[0] not in ops]
    groups, costs = (tuple(one[i] for i in kept) for one in (plan.groups, plan.costs))
    return replace(plan, groups=groups, costs=costs)


def _record(op: ConcatOp, reason: str = "") -> JoinRecord:
    return JoinRecord(op.result.name_hint or "?", tuple(shape_of(op.result)), len(op.parts), reason)
