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


ROUND = {"": np.rint, "r": np.rint, "z": np.trunc, "f": np.floor, "c": np.ceil, "a": half_away}
"""By the way that `vconv_z` and its like are called."""


def rounded_by(way: str, a: Array, dtype: Any) -> Array:
    """Numbers in a narrower type, whose last digit is rounded to zero, down, up, or half away from zero."""
    near: Array = a.astype(dtype)
    wide, exact = near.astype(np.float64), a.astype(np.float64)
    toward = {"z": 0.0, "f": -np.inf, "c": np.inf, "a": np.copysign(np.inf, exact)}[way]
    other: Array = np.nextafter(near, np.broadcast_to(toward, near.shape).astype(dtype))
    past = {
        "z": np.abs(wide) > np.abs(exact),
        "f": wide > exact,
        "c": wide < exact,
        "a": np.abs(other.astype(np.float64) - exact) == np.abs(wide - exact),
    }[way]
    return np.where(past & np.isfinite(exact), other, near)


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
