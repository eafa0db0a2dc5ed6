"""Rectified f16 by their bits, against numpy's maximum, bit for bit."""

import numpy as np
import pytest

from ascend_opt.runtime.values.rectify import rectify

HALVES = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


@pytest.mark.parametrize("place", ["new", "in place"])
@pytest.mark.parametrize("count", [1 << 16, 1000])
def test_every_number(place: str, count: int):
    """Each f16 there is, in arrays of any size."""
    for start in range(0, 1 << 16, count):
        values = HALVES[start : start + count].copy()
        result = values if place == "in place" else np.empty_like(values)
        wanted = np.maximum(values, np.float16(0)).view(np.uint16)
        rectify(values, result)
        assert np.array_equal(result.view(np.uint16), wanted)


def test_parts_of_arrays():
    """Neither side has to be contiguous."""
    source = np.random.default_rng(1).normal(size=(8, 70, 32)).astype(np.float16)[::2, 3:67, 8:24]
    room = np.ones((16, 64, 20), np.float16)
    rectify(source, room[::4, :, 2:18])
    assert np.array_equal(room[::4, :, 2:18], np.where(source > 0, source, 0))
    assert room[:, :, :2].all() and room[1].all()


def test_other_types():
    values = np.array([-1.5, 0.0, 2.5], np.float32)
    result = np.empty_like(values)
    rectify(values, result)
    assert result.tolist() == [0.0, 0.0, 2.5]
