"""Stores that join elements to those in GM: in no order among themselves, in order with all others."""

# pyright: basic

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from ascend_programs import Program
from hivm_launches import all_of
from xdsl.utils.exceptions import VerifyException

from ascend_opt import CompileError
from ascend_opt.dialects.ascend import CopyOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.runtime.support.hazard import HazardError

CHIP = "ascend910b"
N = 16


def program(steps: Sequence[str], dtype: str = "f32", chip: str = CHIP, scalar: float = 1.5) -> Program:
    """One core stores a buffer of one number to y: plainly, joined to what is there, or behind a barrier."""
    p = Program(target=chip, core="aiv" if chip == CHIP else None)
    y, ones = p.output("y", (N,), dtype), p.buffer("ones", "ub", (N,), 0, dtype=dtype)
    p.vec("vdup", to=ones, scalar=scalar)
    p.flag("V", "MTE3")
    for step in steps:
        if step == "barrier":
            p.barrier("MTE3")
        else:
            p.copy(ones, y, atomic=None if step == "store" else step)
    return p


def refused(make: Callable[[], object]) -> HazardError:
    with pytest.raises(HazardError) as caught:
        make()
    return caught.value


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i32"])
def test_elements_are_joined_to_those_that_are_there(dtype: str):
    p = program(["store", "barrier", "add", "add", "barrier", "max", "barrier", "min"], dtype, scalar=2)
    assert (p.run().outputs[0] == 2).all()
    assert (program(["store", "barrier", "add", "add"], dtype, scalar=2).run().outputs[0] == 6).all()


ADDED = ("store", "barrier", "add")


@pytest.mark.parametrize("steps", [("store", "add"), (*ADDED, "max"), (*ADDED, "store")])
def test_what_is_joined_is_in_order_with_all_else(steps: tuple[str, ...]):
    assert refused(program(steps).run).kind == "in-pipe"


@pytest.mark.parametrize(
    ("steps", "ordered"),
    [
        (("add", "add"), True),
        (("add", "max"), False),
        (("add", "barrier", "max"), True),
        (("store", "add"), False),
    ],
)
def test_the_check_behind_synchronisation_knows_what_is_in_order(steps: tuple[str, ...], ordered: bool):
    """It sees the program alone, and runs nothing."""
    module, target = program(steps).module(), load_target(CHIP)
    if ordered:
        check_order(module, target)
        return
    with pytest.raises(LocatedError, match="nothing orders them"):
        check_order(module, target)


def test_nothing_is_joined_to_what_nothing_wrote():
    assert refused(program(["add"]).run).kind == "unwritten"


def test_what_is_not_defined_spoils_what_it_is_joined_to():
    p = Program(target=CHIP, core="aiv")
    x, y = p.input("x", (9,), "f32"), p.output("y", (N,), "f32")
    loaded, zeros = (p.buffer(name, "ub", (N,), at, dtype="f32") for name, at in (("a", 0), ("b", 512)))
    p.vec("vdup", to=zeros, scalar=0.0)
    p.copy(p.view(x, [9 + 4]), p.view(loaded, [9 + 4]))
    p.flag("V", "MTE3")
    p.copy(zeros, y)
    p.barrier("MTE3")
    p.flag("MTE2", "MTE3")
    p.copy(p.view(loaded, [13]), p.view(y, [13]), atomic="add")
    error = refused(lambda: p.run(x=np.ones(9, np.float32)))
    assert error.kind == "poison"


@pytest.mark.parametrize(
    ("chip", "dtype", "kind"), [("ascend910", "f16", "add"), ("ascend910", "f32", "max")]
)
def test_a_chip_that_does_not_join_a_type_is_named(chip: str, dtype: str, kind: str):
    error = refused(program([kind], dtype, chip).run)
    assert error.kind == "no-path" and f"the DMA of {chip} has no atomic {kind} of {dtype}" in str(error)


def test_other_transfers_are_not_atomic():
    p = Program(target=CHIP, core="aiv")
    op = CopyOp(p.input("x", (N,)), p.buffer("a", "ub", (N,), 0), atomic="add")
    with pytest.raises(VerifyException, match="atomic is for copies from ub to gm"):
        op.verify()
    op = CopyOp(p.buffer("b", "ub", (N,), 512), p.output("y", (N,)), atomic="xor")
    with pytest.raises(VerifyException, match="atomic is add, max, min, not xor"):
        op.verify()


HOW = {
    "store_and_add": "gm-write-conflict",
    "max_and_add": "gm-write-conflict",
    "read_and_add": "gm-cross-core",
}


@pytest.mark.parametrize("name", HOW)
def test_cores_that_do_different_things_to_the_same_bytes_are_a_race(name: str):
    x = np.ones(128, np.float32)
    error = refused(lambda: all_of(name, (2,), x=x, out=np.zeros(64, np.float32), n=128))
    assert error.kind == HOW[name] and "cores run in no order" in str(error)


def test_vector_cores_of_a_group_that_add_the_same_elements_are_refused():
    """AscendNPU-IR 1.2.0 divides no function with an atomic store among the Vector cores of a group."""
    a, b = np.ones((32, 64), np.float16), np.ones((64, 32), np.float16)
    message = "each of the 2 Vector cores of a group adds the same elements"
    with pytest.raises(CompileError, match=message):
        all_of("added_product", (2,), a=a, b=b, out=np.zeros((32, 32), np.float32), K=64)


def test_an_old_value_is_read_before_and_apart():
    """So AscendNPU-IR compiles `tl.atomic_add` where its value is used: a load, then an atomic store."""
    x = np.arange(64, dtype=np.float32)
    given = {"x": x, "out": np.ones(64, np.float32), "old": np.zeros(64, np.float32), "n": 64}
    found = all_of("old_value", (1,), **given)
    assert (found["old"] == 1).all() and (found["out"] == x + 1).all()
    error = refused(lambda: all_of("old_value", (2,), **{**given, "x": np.ones(128, np.float32), "n": 128}))
    assert error.kind == "gm-cross-core"
