"""Reductions in HIVM: largest and smallest elements and where they are, dimensions between others, ragged rows."""

# pyright: basic

from itertools import product
from typing import Any

import numpy as np
import pytest
from hivm_launches import DATA, launched, without_flags

from ascend_opt import HazardError, hivm

RNG = np.random.default_rng(11)


def few(shape: tuple[int, ...], kind: Any) -> np.ndarray:
    """Whole numbers, many of them alike, with infinities and what is no number among them."""
    x = RNG.integers(-20, 20, shape).astype(kind)
    if x.dtype.kind == "f" and min(shape) > 2:
        x[0], x[:, 1], x[2, 2], x[-1, -1] = -np.inf, np.inf, np.nan, np.nan
    return x


def sizes_of(name: str) -> tuple[int, ...]:
    """The block that a program is compiled for."""
    return tuple(int(n) for n in name.rpartition("_")[2].split("x"))


def stored(function: str) -> list[str]:
    return sorted(path.stem for path in DATA.glob(f"{function}_*.mlir"))


def test_extremes_of_rows_and_columns_and_where_they_are():
    for function, turned in product(("largest", "smallest"), (False, True)):
        check_extremes(function, turned)


def check_extremes(function: str, turned: bool) -> None:
    """The stored programs look for the largest of rows and the smallest of columns; `turned`, for the others. What they
    do with what is no number is for theirs."""
    axis = int(function == "largest")
    here, other = ("max_with_index", "min_with_index") if axis else ("min_with_index", "max_with_index")
    value, place = (np.max, np.argmax) if bool(axis) != turned else (np.min, np.argmin)
    for name in stored(function):
        text, kind = (DATA / f"{name}.mlir").read_text(), name.split("_")[1]
        assert here in text
        x = few(sizes_of(name), np.int32 if turned else kind).astype(kind)
        out = np.full(x.shape[1 - axis], -7, kind)
        given = {"x": x, "out": out, "at": np.full(out.shape, -7, np.int32)}
        module = hivm.load(text.replace(here, other) if turned else text)
        found = module.launch(1, given, names=tuple(given)).outputs
        np.testing.assert_array_equal(found["out"], value(x, axis=axis), err_msg=name)
        np.testing.assert_array_equal(found["at"], place(x, axis=axis), err_msg=name)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [1, 7, 63, 64, 200, 256])
def test_where_the_largest_element_of_a_ragged_row_is(n: int):
    x = RNG.integers(-9, 9, (5, n)).astype(np.float32)
    x[3] = -np.inf
    block = 64 if n <= 64 else 256
    found = launched(f"first_largest_{block}", (5,), "at", x=x, at=np.full(5, -7, np.int32), n=n)
    np.testing.assert_array_equal(found, x.argmax(axis=1))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("matrices", [1, 8, 11])
@pytest.mark.parametrize("name", stored("middle"))
def test_a_dimension_between_others(name: str, matrices: int):
    kind = name.split("_")[1]
    rows, columns = sizes_of(name)
    each = {(5, 16): 8, (16, 32): 2, (7, 33): 3}[rows, columns]
    x = RNG.integers(-20, 20, (matrices, rows, columns)).astype(kind)
    blank = np.full((matrices, columns), -7, kind)
    found = launched(name, (-(-matrices // each),), x=x, out=blank, matrices=matrices)
    np.testing.assert_array_equal(found, x.sum(axis=1) + x.max(axis=1))


@pytest.mark.parametrize(("first", "second"), [("MTE2", "V"), ("V", "S"), ("S", "MTE3")])
def test_a_hand_over_that_is_left_out_is_a_race(first: str, second: str):
    given = {"x": np.zeros((2, 256), np.float32), "at": np.zeros(2, np.int32), "n": 256}
    with pytest.raises(HazardError, match="race"):
        hivm.load(without_flags("first_largest_256", first, second)).launch(2, given, names=tuple(given))
