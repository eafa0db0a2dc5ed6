"""What storing a right result costs, and how that widens the bound of a kernel: by numbers that are known."""

# pyright: basic

import ml_dtypes
import numpy as np
import pytest

from ascend_opt.compiler.checks.kernel_check import KernelCheck, StorageLoss, blamed, check_kernel
from ascend_opt.compiler.checks.run_check import Check
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.storage_types import smallest_normal
from ascend_opt.passes.fusion.kernel_sources import KernelSource

BF16 = np.dtype(ml_dtypes.bfloat16)
F16, F32 = np.dtype(np.float16), np.dtype(np.float32)


@pytest.mark.parametrize("dtype", [F16, BF16, F32])
def test_the_smallest_normal_number_is_that_of_the_format(dtype):
    assert smallest_normal(dtype) == float(ml_dtypes.finfo(dtype).smallest_normal)


def test_elements_past_the_range_and_below_the_normal_numbers_are_counted():
    """An infinity and a NaN are no numbers past the range, and a zero is no small one."""
    given = np.array([1.0, 1e5, -1e6, 65504.0, np.inf, np.nan, 0.0, 1e-6, -3e-5, 2.0**-14], np.float32)
    loss = StorageLoss.of(given, F16)
    assert (loss.dtype, loss.past, loss.below, loss.elements) == ("float16", 2, 2, 10)
    wide = np.array([2.0**-126, 2.0**-127, 3.4e38, 1.0], np.float32)
    loss = StorageLoss.of(wide, BF16)
    assert (loss.dtype, loss.past, loss.below, loss.elements) == ("bfloat16", 1, 1, 4)
    assert StorageLoss.of(wide, F32) == StorageLoss("float32")


def test_the_error_is_that_of_the_numbers_in_range():
    """1e-7 is 2 of the least number of f16, 2^-24, to which it is rounded."""
    loss = StorageLoss.of(np.array([1e-7, 1e6], np.float32), F16)
    assert loss.past == 1 and loss.error == pytest.approx(abs(1e-7 - 2 * 2.0**-24) / 1e-7, rel=1e-4)
    few = StorageLoss.of(np.full(4, 1e-7, np.float32), F16)
    assert few.too_large and str(few).startswith("4 of 4 elements are below the least normal number of f16; ")
    assert not StorageLoss.of(np.full(4, 1e-5, np.float32), F16).too_large, "a last digit in 168"
    assert str(loss) == "1 of 2 elements are past the range of f16"


def source(body):
    text = f"graph @f(%x: tensor<4xf16>) {{\n{body}  return %y\n}}\n"
    function = choose_function(read_module(text).module, "f")
    return KernelSource(function, ("x",), None, ("graph.exp",), (), frozenset())


def test_a_bound_is_four_times_the_loss_where_that_is_more():
    plain = source("  %y = exp(%x)\n")
    expected = np.full(4, 1e-7, np.float32)
    check, loss = check_kernel(plain, expected.astype(np.float16), expected)
    assert check.bound == 4 * loss.error > 3e-3 and check.passed
    far = np.full(4, 6 * 2.0**-24, np.float16)
    assert not check_kernel(plain, far, expected)[0].passed
    assert check_kernel(plain, np.ones(4, np.float16), np.ones(4, np.float32))[0].bound == 3e-3


def test_a_bound_is_that_of_the_coarsest_type_on_the_way():
    wide = source("  %h = exp(%x)\n  %y = cast(%h) {to = f32}\n")
    one = np.ones(4, np.float32)
    assert check_kernel(wide, one, one)[0].bound == 3e-3


def test_what_roundings_decide_otherwise_widens_the_bound():
    rounds = source("  %y = floor(%x)\n")
    expected, moved = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 5.0])
    actual = moved.astype(np.float16)
    assert not check_kernel(rounds, actual, expected)[0].passed
    check, _ = check_kernel(rounds, actual, expected, moved)
    assert check.passed and check.bound == pytest.approx(3e-3 + 1 / np.sqrt(30))


def kernel(number, error=0.0, past=0, nodes=()):
    check, loss = Check(error, 3e-3, 8, 8), StorageLoss("float16", past=past, elements=8)
    return KernelCheck(number, f"f_{number}", ("graph.relu",), tuple(nodes), check, loss)


def test_the_first_wrong_kernel_is_blamed_and_else_the_first_narrow_one():
    right, narrow, also, wrong = kernel(0), kernel(1, past=1), kernel(2, past=2), kernel(3, error=1.0)
    assert blamed([right]) is None
    assert blamed([right, narrow, also]) is narrow
    assert blamed([right, narrow, also, wrong, kernel(4, error=2.0)]) is wrong


def test_a_title_names_four_nodes():
    assert kernel(2).title == "kernel 2 @f_2 (relu)"
    assert kernel(2, nodes="abcd").title == "kernel 2 @f_2 (relu: a, b, c, d)"
    assert kernel(2, nodes="abcdef").title == "kernel 2 @f_2 (relu: a, b, c, d and 2 more)"
