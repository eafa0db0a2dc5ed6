"""Atomic stores of HIVM: many cores add to the same bytes, or leave the largest or smallest of their elements there."""

# pyright: basic

import numpy as np
import pytest
from hivm_launches import all_of, launched

RNG = np.random.default_rng(13)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [1, 63, 64, 100, 6500])
@pytest.mark.parametrize("kind", ["float16", "float32", "int16", "int32"])
def test_all_blocks_join_their_elements(kind: str, n: int):
    x = RNG.integers(-5, 5, n).astype(kind)
    start = RNG.integers(-5, 5, (3, 64)).astype(kind)
    names = dict(zip(("total", "most", "least"), start, strict=True))
    found = all_of(f"joined_{kind}", (-(-n // 64),), x=x, **names, n=n)
    total, most, least = start.copy()
    for at in range(0, n, 64):
        part = x[at : at + 64]
        m = part.size
        total[:m] += part
        most[:m], least[:m] = np.maximum(most[:m], part), np.minimum(least[:m], part)
    for name, want in zip(names, (total, most, least), strict=True):
        np.testing.assert_array_equal(found[name], want, err_msg=name)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [5, 256, 1000])
@pytest.mark.parametrize("kind", ["float16", "float32", "int32"])
def test_one_element_takes_the_sums_of_all_blocks(kind: str, n: int):
    x = RNG.integers(-5, 5, n).astype(kind)
    found = launched(f"one_sum_{kind}", (-(-n // 64),), x=x, out=np.array([7], kind), n=n)
    np.testing.assert_array_equal(found, [x.sum() + 7])


@pytest.mark.parametrize(("blocks", "steps"), [(1, 1), (3, 4), (60, 2)])
def test_trips_of_a_loop_add_to_parts_that_overlap(blocks: int, steps: int):
    x = RNG.integers(-5, 5, (blocks, steps, 64)).astype(np.float32)
    found = launched("overlapping", (blocks,), x=x, out=np.zeros(96, np.float32), steps=steps)
    want = np.zeros(96, np.float32)
    want[:64] += x.sum((0, 1))
    want[32:] += x.sum((0, 1))
    np.testing.assert_array_equal(found, want)
