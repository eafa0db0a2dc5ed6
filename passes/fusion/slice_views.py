"""Slices that move nothing: who reads one reads the tensor that it is a part of.

    %y = graph.slice %x {starts = [64], ends = [128], axes = [1]}     ->     %y = tile.slice %x {axis = 1, start = 64}

The part has no gaps in the tensor, and begins with a 32 B block of it. A slice in a kernel with what reads it costs
nothing either; one that is a kernel of its own costs a launch, and its bytes twice.
"""

from collections.abc import Collection, Iterable
from math import prod
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue

from ...dialects import tile
from ...dialects.dynamic import is_dynamic
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.graph import SliceOp
from ...dialects.graph.fusion_marks import is_marked
from ...dialects.graph.slicing import slice_parts
from ...dialects.rewriting import replace_with
from ...dialects.tile import layout_of
from ...dialects.tile.concat import lies_whole
from ...dialects.tile.slice import offset_of
from ..plans.places import keep_place
from ..support.values import shape_of
from .candidates import ViewRecord
from .joined_tensors import base_of
from .plan import FusionPlan


def slices_alone(function: FuncOp, plan: FusionPlan, apart: Collection[SSAValue]) -> list[SliceOp]:
    """The slices of a function that are kernels of their own in `plan`, and might be parts of what they read: none that
    the graph gives, or that lies in a joined tensor, where its kernel copies it. Tensors of `apart` lie in blocks that
    the graph states."""
    ends = (op for op in function.body.block.ops if isinstance(op, ReturnOp | tile.ConcatOp))
    placed = {base_of(value) for op in ends for value in op.operands}
    alone = (members[0] for members in plan.groups if len(members) == 1)
    return [
        op
        for op in alone
        if isinstance(op, SliceOp)
        and op.result not in placed
        and not {op.result, base_of(op.x)} & {*apart}
        and _piece(op) is not None
    ]


def as_views(ops: Iterable[SliceOp]) -> list[tile.SliceOp]:
    """Put parts in the place of slices."""
    found: list[tile.SliceOp] = []
    for op in ops:
        piece = _piece(op)
        assert piece is not None
        view = tile.SliceOp(op.x, *piece, op.result.type)
        view.result.name_hint = op.result.name_hint
        keep_place(op, view)
        replace_with(op, view)
        found.append(view)
    return found


def as_slices(views: Iterable[tile.SliceOp]) -> list[SliceOp]:
    """The slices again."""
    found: list[SliceOp] = []
    for view in views:
        axis, start = view.axis.value.data, view.start.value.data
        end = start + shape_of(view.result)[axis]
        op = SliceOp(view.source, starts=[start], ends=[end], axes=[axis])
        keep_place(view, op)
        replace_with(view, op)
        found.append(op)
    return found


def view_records(function: FuncOp) -> tuple[ViewRecord, ...]:
    """What the report says of the slices of a function that move nothing."""
    return tuple(
        ViewRecord(op.result.name_hint or "?", tuple(shape_of(op.result)), op.source.name_hint or "?")
        for op in function.body.block.ops
        if isinstance(op, tile.SliceOp)
    )


def _piece(op: SliceOp) -> tuple[int, int] | None:
    """The dimension along which a slice is a part of its operand in one piece, and where it begins; None where it is
    none."""
    kind = cast(TensorType[Attribute], op.x.type)
    if is_marked(op) or is_dynamic(kind) or layout_of(kind) is not None:
        return None
    shape = kind.get_shape()
    if not prod(shape_of(op.result)):
        return None
    taken = slice_parts(shape, op.attribute_values())
    cut = [d for d, (_, count, _) in enumerate(taken) if count < shape[d]]
    if len(cut) != 1 or any(step != 1 for _, _, step in taken) or not lies_whole(kind, cut[0]):
        return None
    (axis,) = cut
    start = taken[axis][0]
    return None if offset_of(kind, axis, start) % BLOCK_BYTES else (axis, start)


__all__ = ["as_slices", "as_views", "slices_alone", "view_records"]
