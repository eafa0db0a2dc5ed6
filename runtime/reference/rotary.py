"""Rotary position embedding: each pair of a row is a complex number, which is turned."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


@reference("graph.rope")
def rope(x: Array, cos: Array, sin: Array, interleaved: bool) -> Array:
    half = x.shape[-1] // 2
    pairs = x.reshape(*x.shape[:-1], half, 2) if interleaved else np.stack([x[..., :half], x[..., half:]], -1)
    turned = (pairs[..., 0] + 1j * pairs[..., 1]) * (cos.astype(np.float64) + 1j * sin)
    if interleaved:
        return np.stack([turned.real, turned.imag], -1).reshape(x.shape)
    return np.concatenate([turned.real, turned.imag], -1)
