"""Tensors that are parts of one: what a launch may be given of it, and what becomes of the bytes."""

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.parser import Parser

from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

MODULE = """
ascend.kernel @twice cores 1 : i64 attributes {core = "CORE"} {
^bb0(%x: memref<256xf16, "gm">, %y: memref<256xf16, "gm">):
  %c0 = arith.constant 0 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<256xf16, "ub">
  ascend.copy %x, %a : memref<256xf16, "gm">, memref<256xf16, "ub">
  ascend.set_flag "MTE2" -> "V", %c0
  ascend.wait_flag "MTE2" -> "V", %c0
  ascend.vec "vadd"(%a, %a) -> %a : (memref<256xf16, "ub">, memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.set_flag "V" -> "MTE3", %c0
  ascend.wait_flag "V" -> "MTE3", %c0
  ascend.copy %a, %y : memref<256xf16, "ub">, memref<256xf16, "gm">
  ascend.end
}
func.func @main(%x: memref<256xf16, "gm"> {ascend.name = "x"}) -> memref<FULLxf16, "gm"> {
  %y = ascend.gm_alloc : memref<FULLxf16, "gm">
  %a = ascend.view_tensor %y {offset = FIRST : i64} : memref<FULLxf16, "gm"> -> memref<256xf16, "gm">
  %b = ascend.view_tensor %y {offset = SECOND : i64} : memref<FULLxf16, "gm"> -> memref<256xf16, "gm">
  ascend.launch @twice(%x, %a) : memref<256xf16, "gm">, memref<256xf16, "gm">
  ascend.launch @twice(%a, %b) : memref<256xf16, "gm">, memref<256xf16, "gm">
  func.return %y : memref<FULLxf16, "gm">
}
"""
X = np.arange(256, dtype=np.float16) / 8


def emulator(full: int, first: int, second: int, chip: str = "ascend910b1") -> Emulator:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, Ascend):
        context.load_dialect(dialect)
    text = MODULE.replace("FULL", str(full)).replace("FIRST", str(first)).replace("SECOND", str(second))
    text = text.replace("CORE", "aiv" if load_target(chip).split else "aicore")
    module = Parser(context, text).parse_module()
    module.verify()
    return Emulator(module, load_target(chip))


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1", "ascend950"])
def test_parts_are_bytes_of_the_whole(chip: str):
    found = emulator(512, 512, 0, chip).run(inputs={"x": X})
    np.testing.assert_array_equal(found.outputs[0], np.concatenate([4 * X, 2 * X]))
    first, second = found.profile.kernels
    assert first.neighbours == second.neighbours == ("twice",)
    assert second.dma_read_bytes == second.dma_write_bytes == 512
    assert second.hbm_read_bytes == 0  # L2 has what the first launch wrote


def test_a_launch_may_not_write_bytes_that_it_is_given_twice():
    with pytest.raises(HazardError, match="share bytes") as caught:
        emulator(496, 0, 480).run(inputs={"x": X})
    assert (caught.value.kind, caught.value.byte_range) == ("gm-write-conflict", (480, 512))
    assert caught.value.buffers == ("%b", "%a")


def test_bytes_between_parts_are_unwritten():
    with pytest.raises(HazardError, match="nothing wrote 64 of the 1088 bytes of result 0") as caught:
        emulator(544, 0, 576).run(inputs={"x": X})
    assert caught.value.byte_range == (512, 576)


def test_parts_lie_anywhere_in_a_line_of_l2():
    """Whether a read finds its lines does not depend on where the tensor starts in one."""
    whole, moved = (emulator(512 + 16 * k, 0, 512 + 32 * k).time_only() for k in (0, 1))
    assert whole.total_us == pytest.approx(moved.total_us, rel=0.02)
    with pytest.raises(HazardError):
        emulator(528, 0, 544).run(inputs={"x": X})


def variant(main: str) -> Emulator:
    """The kernel with another function around it, on ascend910."""
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, Ascend):
        context.load_dialect(dialect)
    text = MODULE[: MODULE.index("func.func")].replace("CORE", "aicore") + main
    return Emulator(Parser(context, text).parse_module(), load_target("ascend910"))


def test_a_part_has_the_lines_of_l2_that_its_bytes_lie_in():
    """512 bytes from byte 96 on lie in five lines of 128."""
    launch = variant("""func.func @main(%x: memref<512xf16, "gm"> {ascend.name = "x"}) -> memref<256xf16, "gm"> {
  %a = ascend.view_tensor %x {offset = 96 : i64} : memref<512xf16, "gm"> -> memref<256xf16, "gm">
  %y = ascend.gm_alloc : memref<256xf16, "gm">
  ascend.launch @twice(%a, %y) : memref<256xf16, "gm">, memref<256xf16, "gm">
  func.return %y : memref<256xf16, "gm">
}""").run(inputs={"x": np.arange(512) / 8})
    np.testing.assert_array_equal(launch.outputs[0], np.arange(48, 304) / 4)
    line = load_target("ascend910").memory.l2_line
    assert launch.profile.kernels[0].hbm_read_bytes == (-(-608 // line)) * line


def test_bytes_that_another_tensor_of_the_workspace_took_are_lost_to_parts():
    emulator = variant("""func.func @main(%x: memref<256xf16, "gm"> {ascend.name = "x"}) -> memref<256xf16, "gm"> {
  %y = ascend.gm_alloc {offset = 0 : i64} : memref<512xf16, "gm">
  %a = ascend.view_tensor %y {offset = 0 : i64} : memref<512xf16, "gm"> -> memref<256xf16, "gm">
  ascend.launch @twice(%x, %a) : memref<256xf16, "gm">, memref<256xf16, "gm">
  %z = ascend.gm_alloc {offset = 512 : i64} : memref<256xf16, "gm">
  ascend.launch @twice(%x, %z) : memref<256xf16, "gm">, memref<256xf16, "gm">
  %r = ascend.gm_alloc : memref<256xf16, "gm">
  ascend.launch @twice(%a, %r) : memref<256xf16, "gm">, memref<256xf16, "gm">
  func.return %r : memref<256xf16, "gm">
}""")
    with pytest.raises(HazardError) as caught:
        emulator.run(inputs={"x": X})
    assert caught.value.kind == "overwritten" and caught.value.buffers == ("%y", "%z")
