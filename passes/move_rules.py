"""Where ops that move elements do not compose with others."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ..dialects.graph.rules import shape_of
from ..dialects.tiling import Along, DimMap, OperandMap


def reads_outside(maps: OperandMap, shape: Sequence[int], extents: Sequence[int]) -> bool:
    """Whether part of what an op's dimensions of `extents` need of an operand lies before its start or past its end."""
    return any(
        e.pad > 0 or (extents[e.dim] - 1) * e.stride - e.pad + (e.window - 1) * e.dilation >= size
        for e, size in zip(maps, shape, strict=True)
        if isinstance(e, Along)
    )


def joins(op: Operation) -> bool:
    """Whether an op puts tensors one after the other."""
    return getattr(cast(Any, op).TILING, "joins", False)


def obstacle(
    ops: Sequence[Operation],
    maps: Mapping[SSAValue, OperandMap],
    inside: Mapping[SSAValue, Operation],
    product: Operation | None,
) -> str | None:
    """Why a group that moves elements cannot be one kernel: it has a product, a concatenation is seen through a window,
    or its parts cannot be put together on chip."""
    for op in ops:
        if product is not None and getattr(cast(Any, op).TILING, "moves", False):
            return f"{op.name} moves elements, and tiles around a product are walked as its result is"
        if not joins(op):
            continue
        outer = maps[op.results[0]]
        if any(isinstance(e, Along) and e.window > 1 for e in outer):
            return f"a window of what {op.name} gives may lie in several parts"
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
