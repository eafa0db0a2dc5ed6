"""Kernels as Python generators: loops, conditions, carried values, slots, and what cannot be decoded."""

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from ascend_opt.dialects.ascend import Ascend, BufferOp, KernelOp
from ascend_opt.runtime.decode.decode import decode
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError, ProgramError

EVENTS = """
"ascend.kernel"() <{{sym_name = "k", cores = 1 : i64}}> ({{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  {body}
  ascend.end
}}) : () -> ()
"""


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, Ascend):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def events(body: str, block: int = 0) -> list[int]:
    """Event ids that the flags of a kernel meet, in program order."""
    module = parse(EVENTS.format(body=body))
    kernel = next(op for op in module.body.block.ops if isinstance(op, KernelOp))
    program = decode(kernel)

    def new(site: int, key: tuple[int, ...]) -> tuple[int, ...]:
        return (site, *key)

    nothing: dict[tuple[int, ...], tuple[int, ...]] = {}
    return [item[1] for item in program.start(block, (), [nothing.get for _ in program.sites], new)]


SET = 'ascend.set_flag "MTE2" -> "V", {}'


def test_nested_loops():
    body = (
        "scf.for %i = %c0 to %c3 step %c2 { scf.for %j = %c0 to %c2 step %c1 { "
        "%s = arith.addi %i, %j : index "
    )
    assert events(body + SET.format("%s") + " } }") == [0, 1, 2, 3]


def test_values_carried_round_a_loop():
    body = (
        "%r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %c0, %b = %c1) -> (index, index) {"
        + SET.format("%a")
        + " %n = arith.addi %a, %b : index scf.yield %b, %n : index, index }"
        + SET.format("%r#0")
    )
    assert events(body) == [0, 1, 1, 2]


def test_loop_without_iterations_gives_its_initial_values():
    body = (
        "%r = scf.for %i = %c3 to %c0 step %c1 iter_args(%a = %c7) -> (index) { scf.yield %c0 : index }"
        + SET.format("%r")
    )
    assert events(body) == [7]


def test_condition_with_results():
    body = (
        "scf.for %i = %c0 to %c3 step %c1 { %t = arith.cmpi eq, %i, %c1 : index "
        "%v = scf.if %t -> (index) { scf.yield %c7 : index } else { scf.yield %i : index }"
        + SET.format("%v")
        + " }"
    )
    assert events(body) == [0, 7, 2]


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        ("divsi", -7, 2, -3), ("remsi", -7, 2, -1), ("floordivsi", -7, 2, -4), ("ceildivsi", 7, 2, 4),
        ("divui", 7, 2, 3), ("remui", 7, 2, 1), ("minsi", 3, -1, -1), ("maxui", 3, 5, 5), ("subi", 3, 5, -2),
    ],
)  # fmt: skip
def test_index_arithmetic(op: str, a: int, b: int, expected: int):
    body = f"%a = arith.constant {a} : index %b = arith.constant {b} : index %r = arith.{op} %a, %b : index "
    assert events(body + SET.format("%r")) == [expected]


def test_boolean_arithmetic():
    body = (
        "%t = arith.constant true %a = arith.cmpi slt, %c0, %c1 : index %b = arith.andi %t, %a : i1 "
        "%r = arith.select %b, %c3, %c7 : index " + SET.format("%r")
    )
    assert events(body) == [3]


def test_block_index():
    assert events("%i = ascend.block_idx " + SET.format("%i"), block=5) == [5]


def test_slots_take_turns():
    body = (
        '%x = ascend.buffer {slots = 3 : i64, addresses = array<i64: 0, 32, 64>} : memref<16xf16, "ub"> '
        '%one = ascend.buffer {addresses = array<i64: 96>} : memref<16xf16, "ub"> '
        "%c5 = arith.constant 5 : index scf.for %i = %c0 to %c5 step %c1 { "
        '%s = ascend.next_slot %x : memref<16xf16, "ub"> ' + SET.format("%s") + " }"
        '%t = ascend.next_slot %one : memref<16xf16, "ub"> ' + SET.format("%t")
    )
    assert events(body) == [0, 1, 2, 0, 1, 0]


def test_buffer_without_address():
    program = Program()
    x = program.input("x", (16,))
    program.copy(x, program.add(BufferOp([16], builtin.f16, "ub", label="tile")))
    with pytest.raises(ProgramError, match="buffer tile has no address: run ascend-plan-memory"):
        program.run(x=np.zeros(16, np.float16))


def test_unknown_kernel_and_inputs():
    program = Program()
    x, y = program.input("x", (16,)), program.output("y", (16,))
    a = program.buffer("a", "ub", (16,), 0)
    program.copy(x, a)
    program.flag("MTE2", "MTE3")
    program.copy(a, y)
    with pytest.raises(ProgramError, match="input 'x' is missing"):
        program.run()
    with pytest.raises(ProgramError, match="no input 'z'"):
        program.run(x=np.zeros(16, np.float16), z=0)
    with pytest.raises(ProgramError, match=r"shape \[8\], expected \[16\]"):
        program.run(x=np.zeros(8, np.float16))
    with pytest.raises(ProgramError, match="no function @other"):
        program.emulator().run("other")


def test_location_in_the_hazard():
    text = EVENTS.format(body='ascend.wait_flag "MTE2" -> "V", %c0 loc("a.mlir":4:2)')
    module = parse(
        text + "func.func @main() { ascend.launch @k() : () -> () func.return }".replace(": () -> ()", ":")
    )
    with pytest.raises(HazardError) as caught:
        Emulator(module, "ascend910").run("main")
    assert caught.value.instructions[0].location == "a.mlir:4:2"
    assert "V waits for flag MTE2 -> V, event 0" in str(caught.value)
