"""The program around the kernels: prepare, prepared arguments, views, L2 between launches, the profile."""

import json
from typing import Any

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.dialects.builtin import TensorType, f16
from xdsl.ir import Block
from xdsl.parser import Parser

from ascend_opt.dialects.ascend import Ascend, PackOp
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.execution.prepare import pack
from ascend_opt.runtime.support.hazard import ProgramError

TARGET = load_target("ascend910")

MODULE = """
"ascend.kernel"() <{sym_name = "add", cores = 1 : i64, ops = ["graph.add"]}> ({
^bb0(%x: memref<512xf16, "gm">, %w: memref<512xf16, "gm">, %y: memref<512xf16, "gm">):
  %c0 = arith.constant 0 : index
  %a = ascend.buffer {label = "a", addresses = array<i64: 0>} : memref<512xf16, "ub">
  %b = ascend.buffer {label = "b", addresses = array<i64: 1024>} : memref<512xf16, "ub">
  ascend.copy %x, %a : memref<512xf16, "gm">, memref<512xf16, "ub">
  ascend.copy %w, %b : memref<512xf16, "gm">, memref<512xf16, "ub">
  ascend.set_flag "MTE2" -> "V", %c0
  ascend.wait_flag "MTE2" -> "V", %c0
  ascend.vec "vadd"(%a, %b) -> %a : (memref<512xf16, "ub">, memref<512xf16, "ub">) -> memref<512xf16, "ub">
  ascend.set_flag "V" -> "MTE3", %c0
  ascend.wait_flag "V" -> "MTE3", %c0
  ascend.copy %a, %y : memref<512xf16, "ub">, memref<512xf16, "gm">
  ascend.end
}) : () -> ()
func.func @net.prepare(%w: tensor<30x15xf16> {ascend.name = "w"}) -> tensor<2x1x16x16xf16> {
  %p = ascend.pack %w {padded = array<i64: 32, 16>, split = array<i64: 2, 16, 1, 16>,
    permutation = array<i64: 0, 2, 3, 1>} : tensor<30x15xf16> -> tensor<2x1x16x16xf16>
  func.return %p : tensor<2x1x16x16xf16>
}
func.func @net(%x: memref<16x32xf16, "gm"> {ascend.name = "x"},
               %w: memref<2x1x16x16xf16, "gm"> {ascend.prepared = 0 : i64}) -> memref<16x32xf16, "gm"> {
  %f = ascend.view_tensor %x : memref<16x32xf16, "gm"> -> memref<512xf16, "gm">
  %v = ascend.view_tensor %w : memref<2x1x16x16xf16, "gm"> -> memref<512xf16, "gm">
  %t = ascend.gm_alloc : memref<512xf16, "gm">
  ascend.launch @add(%f, %v, %t) : memref<512xf16, "gm">, memref<512xf16, "gm">, memref<512xf16, "gm">
  %y = ascend.gm_alloc : memref<16x32xf16, "gm">
  %z = ascend.view_tensor %y : memref<16x32xf16, "gm"> -> memref<512xf16, "gm">
  ascend.launch @add(%t, %v, %z) : memref<512xf16, "gm">, memref<512xf16, "gm">, memref<512xf16, "gm">
  func.return %y : memref<16x32xf16, "gm">
}
"""


@pytest.fixture
def emulator() -> Emulator:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, Ascend):
        context.load_dialect(dialect)
    return Emulator(Parser(context, MODULE).parse_module(), TARGET)


def inputs() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    return {
        "x": rng.standard_normal((16, 32)).astype(np.float16),
        "w": rng.standard_normal((30, 15)).astype(np.float16),
    }


def expected(x: Any, w: Any) -> Any:
    padded = np.zeros((32, 16), np.float16)
    padded[:30, :15] = w
    packed = padded.reshape(2, 16, 1, 16).transpose(0, 2, 3, 1).reshape(16, 32)
    return (x + packed) + packed


def test_pack_with_a_lead_puts_the_last_block_first():
    w = np.arange(3 * 40, dtype=np.float16).reshape(3, 40)
    source = Block(arg_types=[TensorType(f16, [3, 40])]).args[0]
    found = pack(PackOp(source, [16, 64], [1, 16, 4, 16], [0, 2, 3, 1], 1), w)
    rows = found.transpose(0, 3, 1, 2).reshape(16, 64)
    assert np.array_equal(rows[:3], np.concatenate([w[:, 24:], w, np.zeros((3, 8))], axis=1))
    assert not rows[3:].any()


def test_prepare_and_two_launches(emulator: Emulator):
    given = inputs()
    result = emulator.run("net", given)
    np.testing.assert_array_equal(result.outputs[0], expected(**given))
    assert emulator.input_names("net") == ["x", "w"]
    again = emulator.run("net", {"x": given["x"]}, prepared=emulator.prepare("net", given))
    np.testing.assert_array_equal(again.outputs[0], result.outputs[0])


def test_inputs_in_order(emulator: Emulator):
    given = inputs()
    result = emulator.run("net", [given["x"], given["w"]])
    np.testing.assert_array_equal(result.outputs[0], expected(**given))
    with pytest.raises(ProgramError, match=r"takes 2 inputs \(x, w\), got 1"):
        emulator.run("net", [given["x"]])


def test_missing_weight(emulator: Emulator):
    with pytest.raises(ProgramError, match="input 'w' is missing"):
        emulator.run("net", {"x": inputs()["x"]})


def test_l2_keeps_tensors_between_launches(emulator: Emulator):
    first, second = emulator.run("net", inputs()).profile.kernels
    assert (first.hbm_read_bytes, first.l2_hit_rate) == (2048, 0.0)
    assert (second.hbm_read_bytes, second.l2_hit_rate) == (0, 1.0)
    assert second.time_us < first.time_us


def test_profile(emulator: Emulator):
    profile = emulator.run("net", inputs()).profile
    document = profile.to_dict()
    assert json.loads(json.dumps(document)) == document
    kernel = document["kernels"][0]
    assert kernel["ops"] == ["graph.add"]
    assert kernel["pipes"]["MTE2"]["instructions"] == 2
    assert kernel["memory"]["ub"] == {"peak_bytes": 2048, "capacity_bytes": 262144, "slots": 1}
    assert kernel["compulsory_bytes"] == 3072
    assert kernel["bound_us"] == pytest.approx(2048 / 1024 / 1000), "what is written stays in L2"
    assert kernel["limit"] == "HBM"
    total = sum(k["time_us"] + k["launch_us"] for k in document["kernels"])
    assert document["total_us"] == pytest.approx(total)
    assert document["dma_read_bytes"] == 2 * 2048
    assert document["hbm_write_bytes"] == 2048


def test_time_only_needs_no_inputs(emulator: Emulator):
    assert emulator.time_only("net") == emulator.run("net", inputs()).profile


def test_too_many_cores():
    program = Program(cores=33)
    x = program.input("x", (16,))
    program.copy(x, program.buffer("a", "ub", (16,), 0))
    with pytest.raises(ProgramError, match="wants 33 cores, ascend910 has 32"):
        program.run(x=np.zeros(16, np.float16))
