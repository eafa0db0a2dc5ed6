"""Buffers that share bytes while both are needed, and results written over what is still to be read."""

import numpy as np
import pytest
from ascend_kernels import streaming
from ascend_programs import Program
from xdsl.ir import SSAValue

from ascend_opt.runtime.support.hazard import HazardError

SIZE = 512


def loaded(*addresses: int, dtypes: str = "") -> tuple[Program, list[SSAValue], SSAValue]:
    """x in the first buffer, V may read it; further buffers at the addresses."""
    p, x, y = streaming()
    types = [*dtypes.split(), *["f16"] * len(addresses)]
    buffers = [
        p.buffer(chr(ord("a") + i), "ub", (SIZE,), at, dtype=types[i]) for i, at in enumerate(addresses)
    ]
    p.copy(x, buffers[0])
    p.flag("MTE2", "V")
    return p, buffers, y


def stored(p: Program, buffer: SSAValue, y: SSAValue) -> Program:
    p.flag("V", "MTE3")
    p.copy(buffer, y)
    return p


def add_to_itself(second: int) -> Program:
    """b = relu(a); y = a + b, in order on one pipe. What the addresses say decides whether a is still there."""
    p, (a, b), y = loaded(0, second)
    p.vec("vmuls", a, to=b, scalar=2.0)
    p.barrier("V")
    p.vec("vadd", a, b, to=b)
    return stored(p, b, y)


def hazard(p: Program) -> HazardError:
    with pytest.raises(HazardError) as caught:
        p.run(x=np.ones(SIZE, np.float16))
    return caught.value


def test_a_living_buffer_may_not_be_overwritten_though_all_is_in_order():
    assert (add_to_itself(1024).run(x=np.ones(SIZE, np.float16)).outputs[0] == 3).all()
    found = hazard(add_to_itself(0))
    assert found.kind == "overwritten"
    assert found.buffers == ("a",) and found.space == "ub" and found.byte_range == (0, 1024)


def test_bytes_that_are_overwritten_are_named():
    p, (a, b, c), y = loaded(0, 992, 4096)
    part = p.view(b, [32])
    p.vec("vdup", to=part, scalar=0.0)
    p.barrier("V")
    p.vec("vrelu", a, to=c)
    found = hazard(stored(p, c, y))
    assert (found.kind, found.byte_range) == ("overwritten", (992, 1024))


def test_a_store_of_what_was_overwritten_is_found():
    p, (a, b), y = loaded(0, 512)
    p.vec("vdup", to=b, scalar=0.0)
    p.flag("V", "MTE3")
    p.copy(a, y)
    found = hazard(p)
    assert (found.kind, found.byte_range) == ("overwritten", (512, 1024))


def test_what_a_move_carries_is_judged_where_it_is_computed_with():
    """UB to L1 and back is no way to make another buffer's bytes one's own."""
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (SIZE,), 0), p.buffer("b", "ub", (SIZE,), 0)
    c, l1 = p.buffer("c", "ub", (SIZE,), 4096), p.buffer("l1", "l1", (SIZE,), 0)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vdup", to=b, scalar=0.0)
    p.flag("V", "MTE3")
    p.copy(a, l1)  # carries what b wrote
    p.flag("MTE3", "MTE1")
    p.copy(l1, c)
    p.flag("MTE1", "V")
    p.vec("vrelu", c, to=c)
    found = hazard(stored(p, c, y))
    assert (found.kind, found.buffers) == ("uninitialized", ("c",))


def test_one_after_the_other_may_share_bytes():
    p, (a, b, c), y = loaded(0, 4096, 0)
    p.vec("vmuls", a, to=b, scalar=2.0)
    p.barrier("V")
    p.vec("vadds", b, to=c, scalar=1.0)
    assert (stored(p, c, y).run(x=np.ones(SIZE, np.float16)).outputs[0] == 3).all()


def test_an_element_wise_result_may_lie_over_its_operand():
    p, (a, b), y = loaded(0, 0)
    p.vec("vmuls", a, to=b, scalar=2.0)
    assert (stored(p, b, y).run(x=np.ones(SIZE, np.float16)).outputs[0] == 2).all()


def test_a_shifted_result_may_not_lie_over_its_operand():
    p, (a, b), y = loaded(0, 32)
    p.vec("vmuls", a, to=b, scalar=2.0)
    assert hazard(stored(p, b, y)).kind == "in-place"


def test_a_conversion_may_not_lie_over_its_operand():
    """The wider results of the first elements are written over elements that are still to be read."""
    p, x, _y = streaming()
    a, b = p.buffer("a", "ub", (SIZE,), 0), p.buffer("b", "ub", (SIZE,), 0, dtype="f32")
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vconv", a, to=b)
    p.barrier("V")
    p.vec("vconv", b, to=p.buffer("c", "ub", (SIZE,), 8192))
    assert hazard(p).kind == "in-place"


def test_a_broadcast_operand_may_not_be_overwritten():
    p, (a, b), y = loaded(0, 0)
    row = p.view(a, [4, 8, 16], [0, 16, 1])
    p.vec("vrelu", row, to=p.view(b, [4, 8, 16], [128, 16, 1]))
    assert hazard(stored(p, b, y)).kind == "in-place"


def test_a_reduction_may_not_lie_over_its_operand():
    p, (a, b), y = loaded(0, 0)
    p.vec("vcadd", p.view(a, [4, 8, 16], [128, 16, 1]), to=p.view(b, [4, 1, 1], [16, 1, 1]))
    assert hazard(stored(p, b, y)).kind == "in-place"


def test_a_transpose_may_not_lie_over_its_operand():
    p, (a, b), y = loaded(0, 0)
    shape, strides = [2, 16, 16], [256, 16, 1]
    p.transpose(p.view(a, shape, strides), p.view(b, shape, strides))
    assert hazard(stored(p, b, y)).kind == "in-place"


def test_a_select_may_not_lie_over_its_mask():
    p, x, _y = streaming()
    a, b = p.buffer("a", "ub", (128,), 0), p.buffer("b", "ub", (128,), 256)
    mask = p.buffer("mask", "ub", (16,), 512, dtype="i8")
    c = p.buffer("c", "ub", (128,), 512)
    for part in (a, b):
        p.copy(p.view(x, [128]), part)
    p.flag("MTE2", "V")
    p.vec("vcmpv_lt", a, b, to=mask)
    p.barrier("V")
    p.vec("vsel", mask, a, b, to=c)
    assert hazard(p).kind == "in-place"


def test_a_buffer_that_begins_before_its_memory_is_out_of_bounds():
    p, (a, b), y = loaded(0, -32)
    p.vec("vrelu", a, to=b)
    assert hazard(stored(p, b, y)).kind == "out-of-bounds"
