"""Inputs that hold indices: whether each lies within what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.graph import OneHotOp, ReshapeOp, TransposeOp
from ...dialects.graph.arguments import argument_names
from ...dialects.graph.base import GraphOp
from ...runtime.support.hazard import ProgramError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


KEEP_ALL = (ReshapeOp, TransposeOp)
"""Ops that keep all elements as they are."""


def check_indices(function: FuncOp, arrays: Mapping[str, Array]) -> None:
    """Raises ProgramError for the first input with an index out of range, which names the op that takes it, or with
    offsets that do not ascend. Negative indices count from the end. Indices that the graph computes are for the run to
    check; offsets that it computes are not checked."""
    import numpy as np

    for name, argument in zip(argument_names(function), function.body.block.args, strict=True):
        array = arrays.get(name)
        if array is None or array.dtype.kind not in "iu" or not array.size:
            continue
        least, most = int(array.min()), int(array.max())
        for op, size, ascends in _takers(argument):
            first = 0 if ascends else -size
            if ascends:
                _check_order(name, array, op)
            if size < 0 or (first <= least and most < size):
                continue
            wrong = (array < first) | (array >= size)
            place = [int(n) for n in np.unravel_index(int(np.argmax(wrong)), array.shape)]
            found = f"{array[tuple(place)]}{f' at {place}' if place else ''}"
            raise ProgramError(
                f"input '{name}' holds index {found}, which is out of range: {op.name} takes indices into {size} "
                f"elements, {first} to {size - 1}",
                op,
            )


def _check_order(name: str, array: Array, op: GraphOp) -> None:
    """Raises ProgramError where places do not ascend."""
    import numpy as np

    flat = array.reshape(-1)
    falls = np.flatnonzero(flat[1:] < flat[:-1])
    if falls.size:
        at = int(falls[0])
        raise ProgramError(
            f"input '{name}' holds {flat[at]} at [{at}] and {flat[at + 1]} behind it: {op.name} takes offsets that "
            "ascend",
            op,
        )


def _takers(value: SSAValue) -> list[tuple[GraphOp, int, bool]]:
    """The ops that take all elements of a value as indices, into how many elements, and whether they must ascend."""
    found: list[tuple[GraphOp, int, bool]] = []
    for use in value.uses:
        op = use.operation
        if not isinstance(op, GraphOp):
            continue
        size = op.indexed(use.index)
        if size is not None and not isinstance(op, OneHotOp):  # of others the row is zero
            found.append((op, size, op.ascends(use.index)))
        elif isinstance(op, KEEP_ALL):
            found += _takers(op.results[0])
    return found


__all__ = ["check_indices"]
