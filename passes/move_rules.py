"""Where ops that move elements do not compose with others."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ..dialects.graph.rules import shape_of
from ..dialects.tiling import Along, DimMap, OperandMap, picked_dims


def joins(op: Operation) -> bool:
    """Whether an op puts tensors one after the other."""
    return getattr(cast(Any, op).TILING, "joins", False)


def obstacle(
    ops: Sequence[Operation],
    maps: Mapping[SSAValue, OperandMap],
    loads: Sequence[OperandMap],
    inside: Mapping[SSAValue, Operation],
    product: Operation | None,
) -> str | None:
    """Why a group that moves elements cannot be one kernel: it has a product or a window, or the parts of a
    concatenation cannot be put together on chip."""
    picks = any(picked_dims(m) for m in loads)
    windows = any(isinstance(e, Along) and e.is_windowed for m in (*maps.values(), *loads) for e in m)
    for op in ops:
        moves = getattr(cast(Any, op).TILING, "moves", False)
        if moves and product is not None:
            return f"{op.name} moves elements, and tiles around a product are walked as its result is"
        if picks and (moves or windows):
            return f"{op.name} joins rows that indices pick with what is moved or has a halo"
        if moves and windows:
            return f"{op.name} moves elements, and a window's tiles have a halo"
        if not joins(op):
            continue
        outer = maps[op.results[0]]
        axis: int = cast(Any, op).attribute_values()["axis"] % len(outer)
        along: DimMap = outer[axis]
        last = len(shape_of(ops[-1].results[0])) - 1
        if not isinstance(along, Along) or along.dim != last:
            continue
        start, aligned = 0, along.stride == 1
        for operand in op.operands:
            aligned = aligned and (start + along.pad) % 16 == 0
            start += shape_of(operand)[axis]
        if not aligned and any(operand in inside for operand in op.operands):
            return f"{op.name} joins rows of tiles at columns that are no multiple of 16"
    return None
