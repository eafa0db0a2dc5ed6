"""Concatenations that move nothing: the kernels of their parts write into the joined tensor.

    %y = graph.concat %a, %b {axis = 1}        ->      %y = tile.concat %a, %b {axis = 1}

Both parts are results of kernels, and bytes of the one come before all bytes of the other: no dimension outside of the
axis is more than one long. A tensor has one place, so what two concatenations take lies in both at once, as the growing
list of a dense block does, or the second of them stays a kernel.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue

from ...dialects.dynamic import is_dynamic
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.graph import ConcatOp, ReshapeOp
from ...dialects.graph.fusion_marks import is_marked
from ...dialects.records import dataclass
from ...dialects.rewriting import replace_with
from ...dialects.tile import ConcatOp as JoinedOp
from ...dialects.tile.concat import bytes_of, lies_whole
from ..plans.places import keep_place


@dataclass(frozen=True)
class Place:
    """Where a tensor lies: `offset` bytes into `root`, which has bytes of its own."""

    root: SSAValue
    offset: int


def base_of(value: SSAValue) -> SSAValue:
    """The tensor that a value is another shape of."""
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.x
    return value


def obstacles(
    function: FuncOp, given: Collection[SSAValue], apart: Collection[SSAValue] = ()
) -> dict[ConcatOp, str]:
    """Why each concatenation of a function has to be a kernel; empty where its parts may lie in what it gives, if they
    lie in nothing else (`fitting`). Kernels give the tensors of `given`; those of `apart` lie elsewhere."""
    ops = list(function.body.block.ops)
    returned = {base_of(value) for op in ops if isinstance(op, ReturnOp) for value in op.operands}
    found: dict[ConcatOp, str] = {}
    for op in ops:
        if not isinstance(op, ConcatOp) or op.result not in given:
            continue
        bases = [base_of(part) for part in op.parts]
        reason = _gaps(op)
        if is_marked(op):
            reason = "the graph asks for its kernel"
        elif op.result in apart or any(base in apart for base in bases):
            reason = "the graph gives a tensor of it in blocks"
        elif any(base in returned for base in bases):
            reason = "a part is a result of the graph"
        elif any(base not in given for base in bases):
            reason = "no kernel gives one of its parts"
        found[op] = reason
    return found


def fitting(ops: Iterable[ConcatOp | JoinedOp]) -> list[ConcatOp | JoinedOp]:
    """Those of a function's concatenations, given in program order, whose parts can lie in all of them at once."""
    places: dict[SSAValue, Place] = {}
    found: list[ConcatOp | JoinedOp] = []
    for op in reversed(list(ops)):  # what a tensor is part of comes behind it
        here = _placed(op, places)
        if here is not None:
            places |= here
            found.append(op)
    return found[::-1]


def places_of(joins: Iterable[JoinedOp]) -> dict[SSAValue, Place]:
    """Where the tensors lie that are joined, by what they are shapes of; without those that have bytes of their own.
    `joins`: all those of a function, in program order."""
    places: dict[SSAValue, Place] = {}
    for op in reversed(list(joins)):
        here = _placed(op, places)
        assert here is not None, "a part has one place"
        places |= here
    return {value: place for value, place in places.items() if place.root is not value}


def join(op: ConcatOp) -> JoinedOp:
    """Put in place of a concatenation one that moves nothing."""
    joined = JoinedOp(op.parts, _axis(op), op.result.type)
    joined.result.name_hint = op.result.name_hint
    keep_place(op, joined)
    replace_with(op, joined)
    return joined


def part(op: JoinedOp) -> ConcatOp:
    """The concatenation again."""
    concat = ConcatOp(op.parts, axis=op.axis.value.data)
    keep_place(op, concat)
    replace_with(op, concat)
    return concat


def joined_tensors(joins: Iterable[JoinedOp]) -> list[list[SSAValue]]:
    """The tensors that lie in one another: they lie in GM alike, all in blocks or all in rows."""
    groups: dict[SSAValue, list[SSAValue]] = {}
    ops = list(joins)
    places = places_of(ops)
    for op in ops:
        root = places[op.result].root if op.result in places else op.result
        group = groups.setdefault(root, [])
        group += [value for value in (*op.parts, op.result) if value not in group]
    return list(groups.values())


def _axis(op: ConcatOp) -> int:
    """The axis of a concatenation, counted from the first dimension."""
    return op.axis.value.data % len(op.result.type.get_shape())


def _gaps(op: ConcatOp) -> str:
    """Why the parts do not lie one behind the other in blocks of their own; empty where they do."""
    axis = _axis(op)
    if is_dynamic(op.result.type):
        return "its size is known at run time only"
    kinds = [cast(TensorType[Attribute], value.type) for value in op.parts]
    if not all(lies_whole(kind, axis) for kind in kinds):
        return "its parts have gaps in it"
    if any(bytes_of(kind) % BLOCK_BYTES for kind in kinds):
        return f"a part of it ends inside a block of {BLOCK_BYTES} B"
    return ""


def _placed(op: ConcatOp | JoinedOp, places: Mapping[SSAValue, Place]) -> dict[SSAValue, Place] | None:
    """Where the result of a concatenation and its parts lie, if each of them can: `places` has those that lie in
    tensors further on."""
    sizes = [bytes_of(cast(TensorType[Attribute], value.type)) for value in op.parts]
    starts = [0, *accumulate(sizes)]
    bases = [base_of(value) for value in op.parts]
    if len(set(bases)) < len(bases):
        return None
    here = places.get(op.result)
    if here is None:
        known = next(((places[b], at) for b, at in zip(bases, starts, strict=False) if b in places), None)
        here = Place(op.result, 0) if known is None else Place(known[0].root, known[0].offset - known[1])
        if known is not None and any(base not in places for base in bases):
            return None
    found: dict[SSAValue, Place] = {op.result: here}
    for base, start in zip(bases, starts, strict=False):
        found[base] = Place(here.root, here.offset + start)
        if places.get(base, found[base]) != found[base]:
            return None
    return found
