"""A buffer whose slot a loop carries: two places that change roles are one buffer, and nobody has overwritten it."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program

from ascend_opt.runtime.support.hazard import HazardError

ROWS, WIDTH = 5, 64
X = np.random.default_rng(1).standard_normal((ROWS, WIDTH)).astype(np.float32)


def summed(stolen=False):
    """Rows added one by one: each sum is in the slot that the one before is not in. Bytes of both slots are those of
    another buffer before, and with `stolen` once more in the middle."""
    p = Program(target="ascend910b", core="aiv")
    x, y = p.input("x", (ROWS, WIDTH), "f32"), p.output("y", (WIDTH,), "f32")
    rows = p.buffer("rows", "ub", (ROWS, WIDTH), 4096, dtype="f32")
    sums = p.buffer("sums", "ub", (WIDTH,), 0, 256, dtype="f32")
    other = p.buffer("other", "ub", (2 * WIDTH,), 0, dtype="f32")
    p.copy(x, rows)
    p.vec("vdup", to=other, scalar=3.0)
    p.barrier("V")
    p.vec("vdup", to=p.view(sums, [WIDTH], slot=0), scalar=0.0)
    p.flag("MTE2", "V")
    with p.carrying(ROWS, p.constant(0)) as (i, held, following):
        after = p.minus(1, held[0])
        p.barrier("V")
        if stolen:
            p.vec("vdup", to=p.view(other, [8]), scalar=1.0)
            p.barrier("V")
        row = p.view(rows, [WIDTH], offset=p.times(i, WIDTH))
        p.vec("vadd", p.view(sums, [WIDTH], slot=held[0]), row, to=p.view(sums, [WIDTH], slot=after))
        following.append(after)
    p.flag("V", "MTE3")
    p.copy(p.view(sums, [WIDTH], slot=held[0]), y)
    return p


@pytest.mark.parametrize("options", [{}, {"hazards": False}])
def test_slots_that_change_roles(options):
    total = np.zeros(WIDTH, np.float32)
    for row in X:
        total += row
    np.testing.assert_array_equal(summed().run_with(options, {"x": X}).outputs[0], total)


def test_a_slot_that_another_buffer_has_taken():
    with pytest.raises(HazardError) as info:
        summed(stolen=True).run(x=X)
    assert info.value.kind == "overwritten"
