"""Bytes of UB that the scalar unit reads and writes: races and what nothing wrote, byte for byte."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.dialects import arith

from ascend_opt.runtime.support.hazard import HazardError

X = np.random.default_rng(11).standard_normal((8, 64)).astype(np.float32)


def program():
    return Program(target="ascend910b", core="aiv")


def test_what_nothing_wrote():
    p = program()
    y = p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (8,), 0, dtype="f32"), p.buffer("b", "ub", (8,), 1024, dtype="f32")
    p.vec("vdup", p.read(b, 2), to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    with pytest.raises(HazardError) as info:
        p.run()
    assert info.value.kind == "uninitialized"


@pytest.mark.parametrize(("at", "fails"), [(2, False), (6, True)])
def test_padding_that_reaches_a_result_through_a_number(at, fails):
    """What lies behind the end of a tensor is read, and decides what is stored."""
    p = program()
    x, y = p.input("x", (5,), "f32"), p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (8,), 0, dtype="f32"), p.buffer("b", "ub", (8,), 1024, dtype="f32")
    p.copy(p.view(x, [8]), a)
    p.flag("MTE2", "S")
    doubled = p.add(arith.AddfOp(p.read(a, at), p.number(1.0)))
    p.vec("vdup", doubled, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    if not fails:
        np.testing.assert_array_equal(p.run(x=X[0, :5]).outputs[0], X[0, at] + np.float32(1))
        return
    with pytest.raises(HazardError) as info:
        p.run(x=X[0, :5])
    assert info.value.kind == "poison"


@pytest.mark.parametrize(("count", "fails"), [(3, False), (4, True), (8, True)])
def test_bytes_that_meet(count, fails):
    """The scalar unit writes element 3, the Vector the first ones of the same block, and nothing orders the two."""
    p = program()
    y = p.output("y", (8,), "f32")
    a = p.buffer("a", "ub", (8,), 0, dtype="f32")
    p.vec("vdup", to=a, scalar=1.0)
    p.flag("V", "S")
    p.barrier("V")
    p.write(p.number(5.0), a, 3)
    p.vec("vdup", to=p.view(a, [count]), scalar=2.0)
    p.flag("V", "MTE3")
    p.flag("S", "MTE3")
    p.copy(a, y)
    if fails:
        with pytest.raises(HazardError) as info:
            p.run()
        assert info.value.kind == "race"
    else:
        np.testing.assert_array_equal(p.run().outputs[0], np.array([2, 2, 2, 5, 1, 1, 1, 1], np.float32))


@pytest.mark.parametrize(("at", "fails"), [(0, True), (8, True), (2, False), (9, False)])
def test_bytes_between_those_of_a_reduction(at, fails):
    """Results two elements apart: the scalar unit may read between them while they are written."""
    p = program()
    x, y = p.input("x", (2, 64), "f32"), p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (2, 64), 0, dtype="f32"), p.buffer("b", "ub", (16,), 1024, dtype="f32")
    out = p.buffer("o", "ub", (8,), 2048, dtype="f32")
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vdup", to=b, scalar=7.0)
    p.flag("V", "S")
    p.barrier("V")
    p.vec("vcmax", p.view(a, (2, 8, 8), (64, 8, 1)), to=p.view(b, (2, 1, 1), (8, 1, 1)))
    p.vec("vdup", p.read(b, at), to=out)
    p.flag("V", "MTE3")
    p.copy(out, y)
    if fails:
        with pytest.raises(HazardError) as info:
            p.run(x=X[:2])
        assert info.value.kind == "race"
    else:
        np.testing.assert_array_equal(p.run(x=X[:2]).outputs[0], 7)
