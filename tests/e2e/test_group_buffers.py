"""Chips whose Cube and Vector cores reach each other's memories: what goes there, not through GM, and its races."""

import re
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from split_programs import PROGRAMS, compiled, inputs, run
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import memref_type, space_of
from ascend_opt.dialects.attributes import integers
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import text_of_target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError, ProgramError

OpT = TypeVar("OpT", bound=Operation)
CHIP = "ascend950"
UNMARKED = """
graph @f(%x: tensor<24x33x9x9xf16>, %w: tensor<32x33x3x3xf16>) {
  %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %y = gelu(%p)
  return %y
}"""
"""Both operands of the product come from the Vector cores."""


def ops(root: Operation, kind: type[OpT]) -> list[OpT]:
    return [op for op in root.walk() if isinstance(op, kind)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_passes_through_gm(name: str):
    program = compiled(PROGRAMS[name], CHIP)
    assert not [op for op in ops(program.module, ascend.GmAllocOp) if op.workspace is not None]
    spaces = [space_of(op.result) for op in ops(program.module, ascend.GroupBufferOp)]
    assert spaces == (["ub", "l1"] if "image" in name or "conv" in name else ["ub"])
    (kernel,) = program.time().kernels
    assert kernel.workspace_bytes == 0


def test_peaks_of_a_launch_are_those_of_the_program_that_needs_most():
    """Operands take more of L1 on the Cube core than the feed's buffer, which is all that the Vector program sees."""
    program = compiled(Path("examples/conv_bias_leaky_relu.mlir").read_text(), CHIP)
    (kernel,) = program.time().kernels
    ends: dict[str, int] = {}
    for op in ops(program.module, ascend.BufferOp):
        space = space_of(op.result)
        assert op.addresses is not None
        last = max(integers(op.addresses))
        ends[space] = max(ends.get(space, 0), last + op.slot_bytes)
    for space, end in ends.items():
        assert kernel.memory[space].peak_bytes >= end, space


def test_the_way_follows_from_the_paths_of_the_chip(tmp_path: Path):
    """Without paths between the cores' memories, workspaces in GM; values are the same."""
    lines = text_of_target(CHIP).splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(('"l0c->ub"', '"ub->l1"'))]
    assert len(kept) == len(lines) - 2
    apart = tmp_path / "apart.toml"
    apart.write_text("".join(kept).replace(f'name = "{CHIP}"', 'name = "apart"'))
    direct = compiled(UNMARKED, CHIP)
    through_gm = compiled(UNMARKED, str(apart))
    assert not ops(through_gm.module, ascend.GroupBufferOp)
    assert len([op for op in ops(through_gm.module, ascend.GmAllocOp) if op.workspace is not None]) == 2
    first, second = (run(program).astype(np.float32) for program in (direct, through_gm))
    assert np.linalg.norm(first - second) <= 1e-3 * np.linalg.norm(second)


def test_operands_in_f32_are_handed_over_too():
    """Groups of 8 channels; results within the bound of f32."""
    program = compiled(UNMARKED.replace("f16", "f32"), CHIP)
    rng = np.random.default_rng(0)
    arrays = {n: (rng.standard_normal(t.shape) / 4).astype(np.float32) for n, t in program.inputs.items()}
    expected = np.asarray(program.reference(arrays)["output0"], np.float64)
    (output,) = program.run(arrays).outputs.values()
    assert ops(program.module, ascend.GroupBufferOp)
    assert np.linalg.norm(output - expected) <= 1e-4 * np.linalg.norm(expected)


def test_both_halves_of_a_tile_leave_in_one_instruction():
    program = compiled(PROGRAMS["several tiles a core"], CHIP)
    (fixpipe,) = ops(program.module, ascend.FixpipeOp)
    assert fixpipe.split is not None and fixpipe.vector is None
    half = memref_type(fixpipe.destination).get_shape()
    whole = list(memref_type(fixpipe.source).get_shape())
    whole[fixpipe.split.value.data] //= 2
    assert list(half) == whole


def test_it_prints_and_parses_again():
    program = compiled(UNMARKED, CHIP)
    text = str(program.module)
    again = read_module(text).module
    assert str(again) == text
    assert (run(program, again) == run(program)).all()


def test_programs_leave_room_for_the_buffers_of_the_group():
    program = compiled(PROGRAMS["several images a core"], CHIP)
    kernels = {op.core_kind: op for op in ops(program.module, ascend.KernelOp)}
    for buffer in ops(program.module, ascend.GroupBufferOp):
        space = space_of(buffer.result)
        owner = kernels["aiv" if space == "ub" else "aic"]
        own = [op for op in ops(owner, ascend.BufferOp) if space_of(op.result) == space]
        assert own and buffer.address is not None and buffer.address.value.data == 0
        assert min(a for op in own for a in op.slot_addresses or ()) >= buffer.bytes


@pytest.mark.parametrize("space", ["ub", "l1"])
def test_a_buffer_of_a_program_in_the_bytes_of_the_group_is_refused(space: str):
    program = compiled(PROGRAMS["several images a core"], CHIP)
    module = program.module.clone()
    kind = "aiv" if space == "ub" else "aic"
    (kernel,) = (op for op in ops(module, ascend.KernelOp) if op.core_kind == kind)
    victim = next(op for op in ops(kernel, ascend.BufferOp) if space_of(op.result) == space)
    assert victim.slot_addresses is not None
    victim.addresses = DenseArrayBase.from_list(i64, [64, *victim.slot_addresses[1:]])
    with pytest.raises(ProgramError, match=r"shares bytes of .* with the group's buffer"):
        run(program, module)


def test_halves_that_overlap_race():
    """With slots that overlap, a Vector core reads what FixPipe is writing for the tile after."""
    program = compiled(PROGRAMS["several tiles a core"], CHIP)
    text = str(program.module)
    (buffer,) = ops(program.module, ascend.GroupBufferOp)
    elements = memref_type(buffer.result).get_shape()[0]
    constant = re.search(rf"(%\w+) = arith.constant {elements // 2} : index", text)
    assert constant is not None
    for index, moved in enumerate(re.finditer(rf"arith.constant {elements // 2} : index", text)):
        near = text[: moved.start()] + "arith.constant 16 : index" + text[moved.end() :]
        with pytest.raises(HazardError) as error:
            run(program, read_module(near).module)
        assert error.value.kind in ("race", "in-pipe", "uninitialized", "out-of-bounds"), index


def program_text(fixpipe: str, kind: str = "aic", at: int = 0) -> str:
    """Two programs of one group; the Cube core runs `fixpipe` on %acc and %half."""
    return f"""
builtin.module attributes {{ascend.target = "ascend950"}} {{
  ascend.kernel @cube cores 1 : i64 attributes {{core = "{kind}"}} {{
  ^bb0(%y: memref<512xf32, "gm">, %t: memref<512xf32, "ub">):
    %acc = ascend.buffer {{addresses = array<i64: 0>}} : memref<2x16x16xf32, "l0c">
    %a = ascend.buffer {{addresses = array<i64: 0>}} : memref<1x1x16x16xf16, "l0a">
    %half = ascend.view %t {{static_sizes = array<i64: 1, 16, 16>, strides = array<i64: 256, 16, 1>}}
      : memref<512xf32, "ub"> -> memref<1x16x16xf32, strided<[256, 16, 1]>, "ub">
    {fixpipe}
    ascend.end
  }}
  ascend.kernel @vector cores 2 : i64 attributes {{core = "aiv"}} {{
  ^bb0(%y: memref<512xf32, "gm">, %t: memref<512xf32, "ub">):
    ascend.end
  }}
  func.func @main() -> memref<512xf32, "gm"> {{
    %y = ascend.gm_alloc : memref<512xf32, "gm">
    %t = ascend.group_buffer {{address = {at} : i64}} : memref<512xf32, "ub">
    ascend.launch @cube with @vector(%y, %t) : memref<512xf32, "gm">, memref<512xf32, "ub">
    func.return %y : memref<512xf32, "gm">
  }}
}}
"""


TYPES = ': memref<2x16x16xf32, "l0c">, memref<1x16x16xf32, strided<[256, 16, 1]>, "ub">'


@pytest.mark.parametrize(
    ("fixpipe", "kind", "message"),
    [
        (f"ascend.fixpipe %acc, %half {{vector = 2 : i64}} {TYPES}", "limit", "Vector core 2 of 2"),
        (f"ascend.fixpipe %acc, %half {{split = 1 : i64}} {TYPES}", "shape", "is not half of the source"),
        (f"ascend.fixpipe %acc, %half {{vector = 0 : i64}} {TYPES}", "shape", "differ"),
    ],
)
def test_what_fixpipe_cannot_hand_over(fixpipe: str, kind: str, message: str):
    with pytest.raises(HazardError, match=message) as error:
        Emulator(read_module(program_text(fixpipe)).module, CHIP).run("main", {})
    assert error.value.kind == kind


def test_only_fixpipe_reaches_the_ub_of_others():
    """A Cube core's DMA cannot write there although the chip has the path."""
    copy = """%x = ascend.view %y {static_sizes = array<i64: 512>, strides = array<i64: 1>}
      : memref<512xf32, "gm"> -> memref<512xf32, strided<[1]>, "gm">
    %z = ascend.view %t {static_sizes = array<i64: 512>, strides = array<i64: 1>}
      : memref<512xf32, "ub"> -> memref<512xf32, strided<[1]>, "ub">
    ascend.copy %x, %z : memref<512xf32, strided<[1]>, "gm">, memref<512xf32, strided<[1]>, "ub">"""
    with pytest.raises(HazardError, match="an aic core of ascend950 has no ub") as error:
        Emulator(read_module(program_text(copy)).module, CHIP).run("main", {})
    assert error.value.kind == "no-path"


def test_a_buffer_of_a_group_needs_an_address_and_the_same_memory():
    text = program_text("")
    with pytest.raises(ProgramError, match="no address: run ascend-plan-memory"):
        Emulator(read_module(text.replace(" {address = 0 : i64}", "", 1)).module, CHIP).run("main", {})
    elsewhere = text.replace(
        '%t = ascend.group_buffer {address = 0 : i64} : memref<512xf32, "ub">',
        '%t = ascend.group_buffer {address = 0 : i64} : memref<512xf32, "l1">',
    ).replace(
        '(%y, %t) : memref<512xf32, "gm">, memref<512xf32, "ub">',
        '(%y, %t) : memref<512xf32, "gm">, memref<512xf32, "l1">',
    )
    with pytest.raises(ProgramError, match="it takes arguments in gm, ub"):
        Emulator(read_module(elsewhere).module, CHIP).run("main", {})


def test_a_group_buffer_that_is_too_large_is_refused():
    program = compiled(PROGRAMS["one tile"], CHIP)
    module = program.module.clone()
    (buffer,) = ops(module, ascend.GroupBufferOp)
    buffer.address = IntegerAttr(load_target(CHIP).spaces["ub"].bytes, i64)
    with pytest.raises(HazardError, match="a buffer ends at byte"):
        run(program, module)
    assert inputs(program)
