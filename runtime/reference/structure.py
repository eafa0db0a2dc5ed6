"""Constants, conversions and other names for the same elements."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute

from ...dialects.graph.elements import as_array
from ...dialects.storage_types import is_float, largest, numpy_dtype, rounded
from .registry import reference

Array = NDArray[Any]


def round_to(x: Array, element_type: Attribute, overflow: str = "inf") -> Array:
    """`x` in its storage type, rounded to nearest even.

    Past the largest finite number, `overflow` "inf" gives infinity, "saturate" that number (for infinite
    x too). Integers are reached by truncation, as ONNX's Cast does; what lies past their range, of which it says
    nothing, is held to it, and NaN gives 0.
    """
    dtype = numpy_dtype(element_type)
    if x.dtype == dtype:
        return x
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        whole = np.trunc(np.nan_to_num(x.astype(np.float64), posinf=limits.max, neginf=limits.min))
        return np.clip(whole, limits.min, limits.max).astype(dtype)
    if overflow == "saturate" and isinstance(element_type, AnyFloat) and is_float(x.dtype):
        limit = largest(dtype)
        x = np.clip(x, -limit, limit)
    return rounded(x, dtype)


@reference("graph.constant")
def constant(value: Attribute) -> Array:
    return as_array(value)


@reference("graph.cast")
def cast(x: Array, to: Attribute) -> Array:
    return round_to(x, to)


@reference("graph.reshape")
def reshape(x: Array, shape: tuple[int, ...]) -> Array:
    return x.reshape(shape)


@reference("graph.dropout")
def dropout(x: Array, ratio: float) -> Array:
    return x
