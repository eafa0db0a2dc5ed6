"""Loads of HIVM that fill what is in front of rows."""

# pyright: basic

import numpy as np
import pytest
from hivm_launches import launched, without_flags

from ascend_opt import CompileError, HazardError, hivm

RNG = np.random.default_rng(19)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", ["float16", "float32", "int32", "int64"])
def test_elements_some_places_further_on(kind: str):
    for n, lag in ((1, 0), (64, 0), (64, 3), (100, 8), (200, 9), (63, 40), (300, 70), (5, 5), (129, 64)):
        x = RNG.integers(-50, 50, n).astype(kind)
        want = np.full(n, -1, kind)
        want[lag:] = x[: max(n - lag, 0)]
        found = launched("shifted_" + kind, (-(-n // 64),), x=x, out=np.full(n, -7, kind), n=n, lag=lag)
        np.testing.assert_array_equal(found, want, err_msg=f"{n} by {lag}")


def test_fewer_elements_than_none_are_refused():
    """AscendNPU-IR 1.2.0 takes off more than there is, where all that there is lies behind a row's end."""
    x = np.zeros(3, np.float32)
    with pytest.raises(CompileError, match=r"hivm\.hir\.load: -6 elements with the arguments of this launch"):
        launched("shifted_float32", (1,), x=x, out=x, n=3, lag=9)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("kind", "lag"), [("float32", 1), ("float16", 3), ("float32", 11)])
@pytest.mark.parametrize(("rows", "columns"), [(8, 32), (11, 30), (1, 17), (20, 12)])
def test_rows_some_places_further_on(rows: int, columns: int, kind: str, lag: int):
    x = RNG.standard_normal((rows, columns)).astype(kind)
    want = np.zeros_like(x)
    want[:, lag:] = x[:, :-lag]
    name, grid = f"shifted_rows_{kind}_{lag}", (-(-rows // 8),)
    found = launched(name, grid, x=x, out=np.full_like(x, -7), rows=rows, columns=columns)
    np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize(("first", "second"), [("V", "MTE2"), ("MTE2", "MTE3")])
def test_a_hand_over_that_is_left_out_is_a_race(first: str, second: str):
    given = {"x": np.zeros(64, np.float32), "out": np.zeros(64, np.float32), "n": 64, "lag": 3}
    with pytest.raises(HazardError, match="race"):
        hivm.load(without_flags("shifted_float32", first, second)).launch(1, given, names=tuple(given))
