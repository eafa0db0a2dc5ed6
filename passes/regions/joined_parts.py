"""A concatenation whose parts are stored each to its place, by the kernel that computes them.

    %a = max_pool2d(%x)                          tile of %x, of %a and of %b, with the halo that others need
    %b = max_pool2d(%a)
    %y = concat(%x, %a, %b) {axis = 1}           three stores of the tile's own rows, C channels apart

The kernel walks one part, all parts being of one shape, so tiles need not hold the joined dimension. Parts are whole
32 B blocks: none of them shares one with the next.
"""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import BLOCK_BYTES, bytes_of
from ...dialects.graph import ConcatOp
from ...dialects.records import dataclass
from ...dialects.tiling import Along, OperandMap
from ..support.values import element_type_of, iteration_of, rule_of, shape_of
from .loads import Load
from .region_hull import reaches_around


@dataclass(frozen=True)
class Part:
    """What the result is joined of: `value`, in the tile that `maps` gives of it, stored from index `start` of the
    joined dimension on."""

    value: SSAValue
    maps: OperandMap
    start: int


def axis_of(concat: ConcatOp) -> int:
    """The axis of a concatenation, counted from the first dimension."""
    return concat.axis.value.data % len(shape_of(concat.result))


def stores_parts(ops: Sequence[Operation]) -> bool:
    """Whether a group ends with a concatenation of parts that its kernel stores each to its place: windows see what it
    computes, so that tiles have a halo, and the parts are alike."""
    concat = ops[-1]
    if not isinstance(concat, ConcatOp) or len(concat.parts) < 2:
        return False
    inside = {op.results[0] for op in ops}
    if not any(part in inside for part in concat.parts) or not any(has_window(op) for op in ops[:-1]):
        return False
    shape, axis = shape_of(concat.parts[0]), axis_of(concat)
    size = prod(shape[axis:]) * bytes_of(element_type_of(concat.result))
    return size % BLOCK_BYTES == 0 and all(shape_of(part) == shape for part in concat.parts)


def has_window(op: Operation) -> bool:
    """Whether an op that is no product reads windows."""
    rule = rule_of(op)
    if rule.engine == "cube":
        return False
    iteration = iteration_of(op)
    return any(isinstance(e, Along) and e.is_windowed for entries in iteration.operands for e in entries)


def parts_of(
    concat: ConcatOp, maps: Mapping[SSAValue, OperandMap], loads: Sequence[Load]
) -> tuple[tuple[Part, ...], tuple[Load, ...]]:
    """The parts of a group's concatenation, and its loads without those whose elements another one has."""
    axis, kept = axis_of(concat), list(loads)
    found: list[Part] = []
    for i, value in enumerate(concat.parts):
        own: OperandMap = tuple(Along(d) for d in range(len(shape_of(value))))
        tile = maps.get(value)
        if tile is None:
            around = [one for one in loads if one.value is value and reaches_around(one.maps, own)]
            tile = next((one.maps for one in around if one.maps != own), own)
            if tile != own:
                kept = [one for one in kept if one.value is not value or one.maps != own]
        found.append(Part(value, tile, i * shape_of(value)[axis]))
    return tuple(found), tuple(kept)


__all__ = ["Part", "axis_of", "has_window", "parts_of", "stores_parts"]
