"""Operand maps of an op seen through what its result is needed for: two windows in a row are one larger window."""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from ...dialects.tiling import Along, DimMap, OperandMap, Picked, Unit


class NotFusableError(Exception):
    """Two ops cannot be computed tile by tile together; the message is the reason that reports print. `op`: the one
    between them that it is about, if any."""

    def __init__(self, message: str, op: Operation | None = None):
        super().__init__(message)
        self.op = op


def compose(entry: DimMap, outer: OperandMap, parallel: int, reduced: Sequence[int]) -> DimMap:
    """`entry` of an op whose result follows the group's space by `outer`, and whose reduced dimensions are `reduced` in
    it."""
    if isinstance(entry, Unit) and entry.dim is not None:
        through = outer[entry.dim] if entry.dim < parallel else Along(reduced[entry.dim - parallel])
        return Unit(getattr(through, "dim", None))
    if isinstance(entry, Picked):
        seen = [outer[d] for d in entry.dims]
        if not all(isinstance(e, Along) and e.is_identity for e in seen):
            raise NotFusableError("gathered rows are needed in another order or in parts")
        return replace(entry, dims=tuple(e.dim for e in seen if isinstance(e, Along)))
    if not isinstance(entry, Along):
        return entry
    if entry.dim >= parallel:
        return entry.along(reduced[entry.dim - parallel])
    through = outer[entry.dim]
    if not isinstance(through, Along):
        if not entry.is_identity:  # the one element is not the operand's first
            raise NotFusableError("what is repeated is a part of an operand or has a halo")
        return through
    if through.window == 1 and entry.window == 1:
        window, dilation = 1, 1
    elif through.window == 1:
        window, dilation = entry.window, entry.dilation
    elif entry.is_identity:
        window, dilation = through.window, through.dilation
    else:
        reach = (through.window - 1) * through.dilation * entry.stride + (entry.window - 1) * entry.dilation
        window, dilation = reach + 1, 1
    if (entry.repeat > 1 and not through.is_identity) or (through.repeat > 1 and not entry.is_identity):
        raise NotFusableError("an operand that repeats meets a window")
    return Along(
        through.dim,
        through.stride * entry.stride,
        window,
        dilation,
        entry.stride * through.pad + entry.pad,
        entry.repeat * through.repeat,
        window == 1 and (entry.thin or through.thin) and not (entry.is_windowed or through.is_windowed),
    )
