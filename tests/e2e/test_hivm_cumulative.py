"""Running sums and products in HIVM, along each dimension and from either end."""

# pyright: basic

import numpy as np
import pytest
from hivm_launches import DATA, kernel_of, launched, without_flags

from ascend_opt import CompileError, HazardError, hivm

RNG = np.random.default_rng(17)
STORED = sorted(path.stem for path in DATA.glob("running_*.mlir") if "middle" not in path.stem)


def sizes_of(name: str) -> tuple[int, ...]:
    return tuple(int(n) for n in name.rpartition("_")[2].split("x"))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", STORED)
def test_running_sums_and_products(name: str):
    kind, axis, times = name.split("_")[1], int("axis1" in name), "times" in name
    rows, columns = sizes_of(name)
    step = -1 if "back" in name else 1
    for some in {rows, rows - 1, 1}:
        x = RNG.choice([1, -1, 2] if times else range(-9, 9), (some, columns)).astype(kind)
        padded = np.ones((rows, columns), kind)
        padded[:some] = x
        turned = np.flip(padded, axis) if step < 0 else padded
        want = (np.cumprod if times else np.cumsum)(turned, axis=axis).astype(kind)
        want = np.flip(want, axis) if step < 0 else want
        found = launched(name, (1,), x=x, out=np.full(x.shape, -7, kind), rows=some)
        np.testing.assert_array_equal(found, want[:some], err_msg=f"{some} rows")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["running_middle_4x8x16", "running_middle_2x3x5"])
def test_along_a_dimension_between_others(name: str):
    x = RNG.integers(-9, 9, sizes_of(name)).astype(np.float32)
    np.testing.assert_array_equal(launched(name, (1,), x=x, out=np.zeros_like(x)), x.cumsum(axis=1))


@pytest.mark.parametrize(("first", "second"), [("MTE2", "V"), ("V", "MTE3")])
def test_a_hand_over_that_is_left_out_is_a_race(first: str, second: str):
    given = {"x": np.zeros(512, np.float32), "out": np.zeros(512, np.float32)}
    with pytest.raises(HazardError, match="race"):
        hivm.load(without_flags("running_middle_4x8x16", first, second)).launch(1, given, names=tuple(given))


def test_along_rows_they_are_refused():
    ub = "#hivm.address_space<ub>"
    text = kernel_of(f"""
    "hivm.hir.vcumsum"(%x, %y) <{{cum_dims = array<i64: 0>, reverse = false}}>
        : (memref<64xf32, {ub}>, memref<64xf32, {ub}>) -> ()""")
    with pytest.raises(
        CompileError, match=r"11:5: error: hivm\.hir\.vcumsum: over \[0\] it is not taken: one"
    ):
        hivm.load(text).launch(1, {"out": np.zeros(1, np.float32)}, names=("out",))
