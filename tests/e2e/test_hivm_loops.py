"""Loops of HIVM whose step is read from memory."""

# pyright: basic

import numpy as np
import pytest
from hivm_launches import launched

from ascend_opt.runtime.support.hazard import ProgramError

RNG = np.random.default_rng(23)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("step", [1, 7, 49, 50, 51, 1000])
def test_a_loop_takes_its_step_at_run_time(step: int):
    x = RNG.integers(-9, 9, 50).astype(np.float32)
    given = {"x": x, "step": np.array([step], np.int32), "out": np.zeros(1, np.float32)}
    np.testing.assert_array_equal(launched("every_so_many", (1,), **given, n=50), [x[::step].sum()])


@pytest.mark.parametrize("step", [0, -3])
def test_a_loop_that_never_ends_is_told(step: int):
    x = np.zeros(50, np.float32)
    given = {"x": x, "step": np.array([step], np.int32), "out": np.zeros(1, np.float32)}
    with pytest.raises(ProgramError, match=f"scf.for: a step of {step}: the loop never ends"):
        launched("every_so_many", (1,), **given, n=50)
