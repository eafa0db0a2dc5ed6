"""Numbers of a model that their storage type cannot hold: they become the largest, and that is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import Attribute

from ...dialects.storage_types import is_float, largest, numpy_dtype, rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

LARGEST_F32 = float(np.finfo(np.float32).max)
ENDLESS = 3.38e38
"""From here on numbers stand for infinity: masks hold the largest number of f32 or bf16."""


def saturated(array: Array, element: Attribute) -> Array:
    """An array in the storage type `element`: finite numbers past the largest become the largest."""
    dtype = numpy_dtype(element)
    if dtype.kind == "b":
        return array != 0
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.clip(array, info.min, info.max).astype(dtype)
    if array.dtype == dtype:
        return array
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    most = largest(dtype)
    if array.dtype.kind == "f" and _within(array, -most, most):
        return rounded(array, dtype)
    with np.errstate(invalid="ignore"):
        held = rounded(np.clip(array, -most, most), dtype)
    outside = np.isinf(array)
    return np.where(outside, array, held).astype(dtype) if outside.any() else held


def clipped(array: Array, element: Attribute, what: str) -> str:
    """A note on the numbers of `what` that `saturated` changes beyond rounding; empty where there are none. Infinities
    stay, and the largest numbers of a type stand for them: neither is noted."""
    dtype = numpy_dtype(element)
    if dtype.kind == "b" or array.dtype == dtype or not array.size:
        return ""
    if dtype.kind in "iu":
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    else:
        most = largest(dtype)
        least = -most
    if array.dtype.kind not in "iubf":
        array = array.astype(np.float32)  # bf16
    if _within(array, least, most):
        return ""
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
    low, high = array < least, array > most
    counted = (low | high) & ~_endless(array)
    number = int(counted.sum())
    if not number:
        return ""
    past = (least, low), (most, high)
    ends = [f"{end:.7g}" if is_float(dtype) else str(end) for end, where in past if (where & counted).any()]
    wide = is_float(dtype) and most < LARGEST_F32 and bool((np.abs(array[counted]) <= LARGEST_F32).all())
    keeps = "; --precision f32 keeps them" if wide else ""
    elements = "1 element" if number == 1 else f"{number} elements"
    are, were = ("is", "was") if number == 1 else ("are", "were")
    return f"{elements} of {what} {are} out of the range of {element} and {were} clipped to {' and '.join(ends)}{keeps}"


def _within(array: Array, least: float, most: float) -> bool:
    """Whether all numbers lie between two; NaN is none."""
    flat = array.reshape(-1)
    return not flat.size or (least <= np.fmin.reduce(flat).item() and np.fmax.reduce(flat).item() <= most)


def _endless(array: Array) -> Array:
    """Which elements are infinite, or the last numbers of a type that stand for it."""
    if array.dtype.kind in "iub":
        info = np.iinfo(array.dtype)
        return (array == info.max) | ((array == info.min) & (info.min < 0))
    return ~(np.abs(array) < ENDLESS)


__all__ = ["clipped", "saturated"]
