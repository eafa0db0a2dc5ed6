"""What Vector instructions compute that only programs of other compilers have."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..machine.memory import Array, CoreMemory, View
from ..support.hazard import HazardError
from .values import Action


def count_from(scalar: Any, out: Array) -> None:
    """`scalar`, one more, and so on; each a sum rounded once."""
    wide = np.int64 if out.dtype.kind == "i" else np.float64
    np.copyto(out, np.arange(out.size, dtype=wide) + wide(np.asarray(scalar).reshape(())), casting="unsafe")


def shift_left(a: Array, scalar: int, out: Array) -> None:
    """Bits that leave an element are lost."""
    np.left_shift(a, scalar, out=out)


def divide_whole(a: Array, b: Array, out: Array) -> None:
    """A quotient of i32, rounded to zero."""
    np.copyto(out, np.trunc(np.divide(a, b, dtype=np.float64)), casting="unsafe")


def half_away(a: Array) -> Array:
    """Rounded to whole numbers, a half away from zero."""
    return np.trunc(a + np.copysign(0.5, a))


ROUND = {"": np.rint, "z": np.trunc, "f": np.floor, "c": np.ceil, "a": half_away}
"""By the way that `vconv_z` and its like are called."""


def bind_moved(memory: CoreMemory, name: str, sources: Sequence[View], destination: View) -> Action:
    """`vbrcb` or `vgather`; of the latter `HazardError` where it reads outside its table."""
    arrays, result = [memory.array(view) for view in sources], memory.array(destination)
    if name == "vbrcb":
        return partial(np.copyto, result, arrays[0])
    table, offsets = arrays
    item, view = table.itemsize, sources[0]

    def gather() -> None:
        index, inside = np.divmod(offsets, item)
        bad = (index < 0) | (index >= table.size) | (inside != 0)
        if bad.any():
            where = int(offsets[int(np.argmax(bad))])
            reason = f"an element at byte {where} of {view.label}, which has {table.size} of {item} B"
            raise HazardError("out-of-bounds", reason, buffers=(view.label,), space="ub")
        np.copyto(result, table[index])

    return gather
