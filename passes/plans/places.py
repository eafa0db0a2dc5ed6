"""Numbers of ops while passes plan their kernels: copies of an op, and what stands in its place, have its number."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

PLACE = "tile.place"


def number_ops(ops: Sequence[Operation], first: int = 0) -> None:
    """Give each op its number, counted from `first`."""
    for i, op in enumerate(ops):
        op.attributes[PLACE] = IntegerAttr(first + i, 64)


def place_of(op: Operation) -> int | None:
    """The number of an op; None where it has none."""
    place = op.attributes.get(PLACE)
    return place.value.data if isinstance(place, IntegerAttr) else None


def keep_place(op: Operation, new: Operation) -> None:
    """Give what stands in the place of an op its number."""
    if PLACE in op.attributes:
        new.attributes[PLACE] = op.attributes[PLACE]


def forget_places(function: FuncOp) -> None:
    """Take the numbers off the ops of a function, those in groups too."""
    for op in function.walk():
        op.attributes.pop(PLACE, None)


__all__ = ["PLACE", "forget_places", "keep_place", "number_ops", "place_of"]
