"""What was found in order of one launch says nothing of another one whose accesses to GM are other ones.

Of two cores, core b loads a block from x, and stores it in y. Which blocks these are, and whether the other core has to
do with them, depends on the tensors that a launch is given, on its numbers, on data, on how many cores run and on the
block index of each.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

BLOCK = 'memref<16xf16, strided<[1], offset: ?>, "gm">'
PLACE = 'memref<16xf16, strided<[1]>, "ub">'
TENSOR = 'memref<64xf16, "gm">'
INDICES = 'memref<2xi32, "gm">'


def kernel(load_from: str, store_to: str, body: str = "", numbers: str = "", more: str = "") -> str:
    """Of two cores each loads the block at element `load_from` of %x, and stores it at `store_to` of %y."""
    view = "{static_sizes = array<i64: 16>, strides = array<i64: 1>} :"
    return f"""
  ascend.kernel @k cores 2 : i64 attributes {{core = "aiv"{more}}} {{
  ^bb0(%x: {TENSOR}, %y: {TENSOR}, %i: {INDICES}{numbers}):
    %block = arith.constant 16 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %b = ascend.block_idx
    %mine = arith.muli %b, %block : index
    %other = arith.subi %one, %b : index
    %others = arith.muli %other, %block : index
    {body}
    %ub = ascend.buffer {{label = "a", addresses = array<i64: 0>}} : memref<16xf16, "ub">
    %place = ascend.view %ub {view} memref<16xf16, "ub"> -> {PLACE}
    %from = ascend.view %x offset {load_from} {view} {TENSOR} -> {BLOCK}
    %to = ascend.view %y offset {store_to} {view} {TENSOR} -> {BLOCK}
    ascend.copy %from, %place : {BLOCK}, {PLACE}
    ascend.set_flag "MTE2" -> "MTE3", %zero
    ascend.wait_flag "MTE2" -> "MTE3", %zero
    ascend.copy %place, %to : {PLACE}, {BLOCK}
    ascend.end
  }}"""


def emulator(kernel: str, *launches: str) -> Emulator:
    """One that runs a function of launches, which gives back %y."""
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 16, 32))
    text = f"""builtin.module {{{kernel}
  func.func @f(%x: {TENSOR} {{ascend.name = "x"}}, %y: {TENSOR} {{ascend.name = "y"}},
               %i: {INDICES} {{ascend.name = "i"}}) -> {TENSOR} {{
    {constants}
    {"".join(launches)}
    func.return %y : {TENSOR}
  }}
}}"""
    program = ascend_opt.compile(text, target="ascend910b")
    return Emulator(program.module, program.target)


def launch(x: str, y: str, more: str = "") -> str:
    return f"ascend.launch @k({x}, {y}, %i) {more} : {TENSOR}, {TENSOR}, {INDICES}\n"


def blocks(one: Emulator, indices: Sequence[int] = (0, 0), **options: Any) -> Any:
    """The blocks of %y, of which the first element tells from where in x they are: block b of x holds b + 1. Before,
    y holds -1."""
    x, y = np.repeat(np.arange(1, 5), 16).astype(np.float16), np.full(64, -1, np.float16)
    result = one.run("f", {"x": x, "y": y, "i": np.array(indices, np.int32)}, **options).outputs[0]
    found = result.reshape(4, 16)
    assert (found == found[:, :1]).all()
    return found[:, 0].tolist()


def refused(one: Emulator, kind: str, indices: Sequence[int] = (0, 0), **options: Any) -> None:
    with pytest.raises(HazardError, match="cores run in no order") as caught:
        blocks(one, indices, **options)
    assert caught.value.kind == kind


OWN, SWAP = kernel("%mine", "%mine"), kernel("%others", "%mine")


def test_of_two_tensors_and_of_one():
    """Where x is y, what a core loads is what the other one stores."""
    apart = launch("%x", "%y")
    assert blocks(emulator(SWAP, apart, apart)) == [2, 1, -1, -1]
    assert blocks(emulator(SWAP, apart, launch("%y", "%x"), apart)) == [2, 1, -1, -1]
    refused(emulator(SWAP, launch("%y", "%y")), "gm-cross-core")
    refused(emulator(SWAP, apart, launch("%y", "%y")), "gm-cross-core")


def steps(body: str) -> str:
    """The kernel that takes a number, `step`: the blocks that are stored lie as many elements apart."""
    tiling = "\n  func.func @k.tiling(%n: index) -> index {\n    func.return %n : index\n  }"
    body = f"%there = arith.muli %b, %step : index\n{body}"
    return (
        kernel("%mine", "%there", body, ", %step: index", ", tiling = @k.tiling, sizes = array<i64: 1>")
        + tiling
    )


def stepping(step: int) -> str:
    return launch("%x", "%y", f"numbers(%c{step})")


def test_of_other_numbers():
    one = steps("")
    assert blocks(emulator(one, stepping(16), stepping(32))) == [1, 2, 2, -1]
    refused(emulator(one, stepping(16), stepping(32), stepping(0)), "gm-write-conflict")


def test_of_other_numbers_takes_other_time():
    """What is measured of a launch are its own instructions: here as many as the number says, on each core."""
    body = """%v = ascend.buffer {label = "v", addresses = array<i64: 64>} : memref<16xf16, "ub">
    %all = ascend.view %v {static_sizes = array<i64: 16>, strides = array<i64: 1>} : memref<16xf16, "ub"> -> PLACE
    scf.for %n = %zero to %step step %one {
      ascend.vec "vdup"() -> %all scalar 1.0 : f32 : () -> PLACE
      ascend.barrier "V"
    }""".replace("PLACE", PLACE)
    one = emulator(steps(body), stepping(16), stepping(32), stepping(16))
    assert blocks(one) == [1, 2, 2, -1]
    kernels = one.time_only("f").kernels
    assert [k.pipes["V"].instructions for k in kernels] == [2 * 16, 2 * 32, 2 * 16]


def test_of_other_data():
    """The block that a core stores is the one that a tensor says."""
    body = f"""%row = ascend.load_index %i at %b {{size = 4 : i64}} : {INDICES}
    %there = arith.muli %row, %block : index"""
    one = emulator(kernel("%mine", "%there", body), launch("%x", "%y"))
    assert blocks(one, [0, 1]) == [1, 2, -1, -1]
    assert blocks(one, [3, 0]) == [2, -1, -1, 1]
    refused(one, "gm-write-conflict", [2, 2])
    assert blocks(one, [2, 1]) == [-1, 2, 1, -1]


def test_of_other_cores():
    """One core alone is in nobody's way."""
    same = kernel("%mine", "%zero")
    alone, both = (launch("%x", "%y", f"blocks %c{n}") for n in (1, 2))
    assert blocks(emulator(same, alone, alone)) == [1, -1, -1, -1]
    refused(emulator(same, alone, both), "gm-write-conflict")


def test_of_other_blocks():
    """Two cores that run the same block store to the same place."""
    own = emulator(OWN, launch("%x", "%y"))
    for order in (None, [0, 1], [1, 0]):
        assert blocks(own, block_order=order) == [1, 2, -1, -1]
    refused(own, "gm-write-conflict", block_order=[1, 1])


def test_that_was_not_looked_at():
    """A run for time or for values alone finds no races, so the next one looks for them."""
    racy = emulator(SWAP, launch("%y", "%y"))
    racy.time_only("f")
    blocks(racy, hazards=False)
    refused(racy, "gm-cross-core")
    refused(racy, "gm-cross-core")
