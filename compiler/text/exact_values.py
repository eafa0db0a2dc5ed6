"""Whether numbers keep their values in another element type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]


def misfit(array: Array, dtype: np.dtype[Any]) -> str:
    """The first element of an array of real numbers that a whole or boolean `dtype` cannot hold, and where it is, as in
    `float64 3.7 at [0, 1]`; empty where there is none. Floating types take every number, rounded."""
    import numpy as np

    if dtype.kind not in "iub" or array.dtype == dtype or not array.size:
        return ""
    if dtype.kind == "b":
        wrong = (array != 0) & (array != 1)
    elif array.dtype.kind in "iub":
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        if least <= int(array.min()) and int(array.max()) <= most:
            return ""
        # Compared as Python's integers: no type of numpy holds both int64 and uint64.
        wide = array.astype(object)
        wrong = ((wide < least) | (wide > most)).astype(bool)
    else:
        limits, wide = np.iinfo(dtype), array.astype(np.float64)
        with np.errstate(invalid="ignore"):
            held = (wide >= float(limits.min)) & (wide < float(limits.max) + 1) & (wide == np.trunc(wide))
        wrong = ~held
    if not wrong.any():
        return ""
    place = [int(n) for n in np.unravel_index(int(np.argmax(wrong)), array.shape)]
    return f"{array.dtype} {array[tuple(place)]!s}{f' at {place}' if place else ''}"


__all__ = ["misfit"]
