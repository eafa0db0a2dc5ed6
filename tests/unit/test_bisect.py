"""Bisection: the first kernel, tile and instruction that leave the reference."""

# pyright: basic

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from small_graphs import LINEAR, SCALE
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, StringAttr, UnitAttr, f32
from xdsl.ir import BlockArgument

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.checks import bisect as bisect_module
from ascend_opt.compiler.checks.bisect import bisect, points
from ascend_opt.compiler.checks.replay import dependences, replay
from ascend_opt.compiler.checks.tile_check import judge
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.ascend import CopyOp, FixpipeOp, LaunchOp, MmadOp, VecOp, ViewOp, ViewTensorOp
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.tile import KernelOp
from ascend_opt.runtime.support.hazard import InstructionRef


@pytest.fixture
def linear() -> Program:
    return ascend_opt.compile(LINEAR)


@pytest.fixture
def inputs(linear):
    return seeded_inputs(linear.inputs, 0)


def test_nothing_to_find_in_a_right_program(linear, inputs):
    assert "within its bound" in str(bisect(linear, inputs))


SQUARES = """graph @f(%x: tensor<32x256xf16>, %w: tensor<256x256xf16> {weight}) {
  %p = matmul(%x, %w)
  %q = square(%p)
  %s = reduce_sum(%q) {axes = [1], keep_dims = true}
  %y = sqrt(%s)
  return %y
}
"""


@pytest.mark.parametrize("fuse", [True, "library", False])
def test_what_its_type_does_not_hold_is_named(fuse):
    """The sum of 256 squares of numbers around 32 is past 65504, whether it goes to GM or not."""
    program = ascend_opt.compile(SQUARES, "ascend910b", fuse, tune=1)
    assert program.graph_module is not None
    given = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, "f"))
    finding = bisect(program, {**given, "x": given["x"] * np.float16(32)})
    assert not finding.kernel
    narrow = "reduce_sum (<string>:4): 32 of 32 elements are past the range of f16"
    assert str(finding) == f"bisect: no instruction is wrong, a type is too narrow: {narrow}"


def test_what_overflows_and_is_right_all_the_same_is_not_named():
    text = """graph @f(%x: tensor<256xf16>) {
  %k = constant() {value = 1.0} : tensor<f16>
  %a = square(%x)
  %y = minimum(%a, %k)
  return %y
}
"""
    finding = bisect(ascend_opt.compile(text, "ascend910b", tune=1), {"x": np.full(256, 1000, np.float16)})
    assert str(finding) == "bisect: every kernel's result is within its bound"


def test_roundings_that_add_up_are_no_wrong_instruction():
    """A logit of 100 is off by up to 1/32 in f16, which its exponential shows."""
    text = """graph @f(%x: tensor<64x96xf16>, %v: tensor<96x48xf16> {weight}) {
  %k = constant() {value = 40.0} : tensor<f16>
  %q = matmul(%x, %v)
  %s = mul(%q, %k)
  %y = softmax(%s)
  return %y
}
"""
    program = ascend_opt.compile(text, "ascend910b", tune=1)
    assert program.graph_module is not None
    given = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, "f"))
    assert "where each result is rounded to its type" in str(bisect(program, given))


@pytest.mark.parametrize("fuse", [True, False])
def test_a_wrong_scalar_is_found(inputs, fuse):
    program = ascend_opt.compile(LINEAR, "ascend910", fuse=fuse)
    op = next(o for o in program.module.walk() if isinstance(o, VecOp) and o.instruction.data == "vlrelu")
    op.properties["scalar"] = FloatAttr(0.5, f32)
    finding = bisect(replace(program), inputs)
    assert finding.ops[-1] == "graph.leaky_relu"
    assert finding.instruction is not None
    assert finding.instruction == InstructionRef.of(op)
    assert finding.instruction.location.startswith("<string>:5:")
    assert finding.point == 0
    assert finding.core == 0
    assert "first wrong instruction" in str(finding)


def test_a_wrong_offset_that_only_later_tiles_show_is_found():
    source = "graph @f(%x: tensor<1048576xf16>) {\n  %y = relu(%x)\n  %z = neg(%y)\n  return %z\n}"
    program = ascend_opt.compile(source, fuse=False)
    inputs = seeded_inputs(program.inputs, 0)
    second = [op for op in program.module.body.ops if op.name == "ascend.kernel"][1]
    load = next(op for op in second.walk() if isinstance(op, CopyOp) and space_of(op.source) == "gm")
    view = load.source.owner
    assert isinstance(view, ViewOp)
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    assert view.parent is not None and view.offset is not None
    view.parent.insert_op_before(zero, view)
    view.operands[list(view.operands).index(view.offset)] = zero.result
    finding = bisect(replace(program), inputs)
    assert finding.kernel == "f_neg_1"
    assert (finding.point, finding.core) == (1, 1)
    tiles = [op for op in compile_until(program, "tile").walk() if isinstance(op, KernelOp)][1]
    size = tiles.tile_sizes[0]
    assert finding.cell == ((size, 2 * size),)
    assert finding.instruction is not None
    assert finding.instruction == InstructionRef.of(load)
    assert finding.executed == 0


def test_a_fault_of_the_compiler_itself_shows_what_the_wrong_element_depends_on(monkeypatch):
    """Compiled afresh the kernel has the same fault, here because the reference alone is changed."""
    program = ascend_opt.compile(SCALE)
    inputs = seeded_inputs(program.inputs, 0)
    expected = bisect_module.expected_tensors

    def doubled(*given):
        found = expected(*given)
        return replace(found, tensors={value: array * 2 for value, array in found.tensors.items()})

    monkeypatch.setattr(bisect_module, "expected_tensors", doubled)
    finding = bisect(program, inputs)
    assert finding.instruction is None
    assert "the tile program itself is wrong, not its lowering" in finding.message
    assert [r.text.split("(")[0].split("%")[0].strip() for r in finding.chain] == [
        "ascend.copy",
        'ascend.vec "vmuls"',
        "ascend.copy",
    ]
    assert "depends on" in str(finding)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("target", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("name", ["vlrelu", "vadd", "mmad", "copy"])
def test_a_fault_of_the_lowering_is_found_by_the_meaning_of_the_tile_ops(monkeypatch, inputs, name, target):
    """Compiled afresh the kernel has the same fault: nothing but the tile program tells what is right."""
    program = ascend_opt.compile(LINEAR, target)
    if name == "mmad":  # all but the first columns of each product are lost
        op = next(o for o in program.module.walk() if isinstance(o, MmadOp))
        less = arith.ConstantOp(IntegerAttr(16, IndexType()))
        assert op.parent is not None
        op.parent.insert_op_before(less, op)
        op.operands[list(op.operands).index(op.k)] = less.result
    elif name == "copy":  # the bias of a tile is that of the last but so many
        loads = [o for o in program.module.walk() if isinstance(o, CopyOp) and space_of(o.source) == "gm"]
        op = next(o for o in loads if cast(BlockArgument, _base(o)).index == 2)
        view = cast(ViewOp, op.source.owner)
        last = arith.ConstantOp(IntegerAttr(64 - cast(int, view.mixed_sizes()[0]), IndexType()))
        assert view.parent is not None and view.offset is not None
        mirrored = arith.SubiOp(last.result, view.offset)
        view.parent.insert_ops_before([last, mirrored], view)
        view.operands[list(view.operands).index(view.offset)] = mirrored.result
    else:
        vectors = [o for o in program.module.walk() if isinstance(o, VecOp)]
        op = next(o for o in vectors if o.instruction.data == name)
        if name == "vlrelu":
            op.properties["scalar"] = FloatAttr(0.5, f32)
        else:
            op.properties["instruction"] = StringAttr("vsub")
    program = replace(program)
    right = bisect_module.compile_until
    monkeypatch.setattr(
        bisect_module,
        "compile_until",
        lambda given, level: program.module if level == "ascend" else right(given, level),
    )
    finding = bisect(program, inputs)
    assert "no instruction gives" in finding.message, str(finding)
    assert finding.instruction is not None
    assert finding.instruction == InstructionRef.of(op)


FILTERS = """
graph @f(%x: tensor<1x24x9x9xf16>, %w: tensor<20x24x3x3xf16>) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  return %y
}"""


@pytest.mark.sweep(2)
@pytest.mark.parametrize("target", ["ascend910", "ascend310p"])
@pytest.mark.parametrize(("text", "fuse"), [(LINEAR, True), (LINEAR, False), (FILTERS, True)])
def test_a_right_lowering_is_not_blamed(text, fuse, target):
    program = ascend_opt.compile(text, target, fuse, tune=1)
    inputs = seeded_inputs(program.inputs, 0)
    tensors = bisect_module._tensors(program, inputs)
    tiles = compile_until(program, "tile")
    for launch in (op for op in program.module.walk() if isinstance(op, LaunchOp)):
        kernel = bisect_module._kernel(program.module, launch.kernel.string_value())
        grid = bisect_module._tile_kernel(tiles, launch.kernel.string_value())
        assert grid is not None
        arrays = [tensors[bisect_module.root_of(value)] for value in launch.arguments]
        wanted = arrays[-1].reshape(grid.extent_list)
        cell = [(0, min(n, e)) for n, e in zip(grid.tile_sizes, grid.extent_list, strict=True)]
        everywhere = np.ones(wanted.shape, np.bool_)
        steps = list(replay(kernel, program.target, 0, arrays))
        chain = dependences(steps, len(arrays) - 1, 0)
        assert chain
        first = (0,) * len(cell)
        assert judge(grid, first, cell, arrays, everywhere, wanted, steps, chain) is None
        verdict = judge(grid, first, cell, arrays, everywhere, wanted + 1, steps, chain)
        assert verdict is not None
        assert verdict.tiles_wrong


def _base(copy):
    return copy.source.owner.base if isinstance(copy.source.owner, ViewOp) else copy.source


def test_grid_points_are_counted_as_the_lowering_deals_them(linear):
    module = compile_until(linear, "tile")
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    seen = [at for _, at in points(kernel)]
    assert len(seen) == len(set(seen)) == np.prod(kernel.grid)


GELU_AND_RELU = """
graph @f(%x: tensor<100x96xf16>, %w: tensor<96x200xf16> {weight}) {
  %p = matmul(%x, %w)
  %y = OP(%p)
  return %y
}"""


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("op", "target", "name"),
    [
        *(("gelu", "ascend910b1", name) for name in ("vmuls", "fixpipe", "mmad", "load")),
        *(("gelu", "ascend950", name) for name in ("vmuls", "fixpipe", "mmad", "load")),
        *(("relu", "ascend910b1", name) for name in ("mmad", "fixpipe")),
    ],
)
def test_both_programs_of_a_mixed_kernel_are_looked_at(op, name, target):
    """Cores that meet in GM and cores that meet in UB; a product that FixPipe stores by itself."""
    program = ascend_opt.compile(GELU_AND_RELU.replace("OP", op), target, tune=1)
    inputs = seeded_inputs(program.inputs, 0)
    assert "within its bound" in str(bisect(program, inputs))
    ops = list(program.module.walk())
    if name == "vmuls":
        wrong = next(o for o in ops if isinstance(o, VecOp) and o.instruction.data == name)
        wrong.properties["scalar"] = FloatAttr(0.5, f32)
    elif name == "mmad":
        wrong = next(o for o in ops if isinstance(o, MmadOp))
        less = arith.ConstantOp(IntegerAttr(16, IndexType()))
        assert wrong.parent is not None
        wrong.parent.insert_op_before(less, wrong)
        wrong.operands[list(wrong.operands).index(wrong.k)] = less.result
    elif name == "load":
        loads = [o for o in ops if isinstance(o, CopyOp) and space_of(o.source) == "gm"]
        wrong = next(o for o in loads if cast(BlockArgument, _base(o)).index == 0)
        zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
        view = wrong.source.owner
        assert isinstance(view, ViewOp) and view.parent is not None and view.offset is not None
        view.parent.insert_op_before(zero, view)
        view.operands[list(view.operands).index(view.offset)] = zero.result
    else:
        wrong = next(o for o in ops if isinstance(o, FixpipeOp))
        wrong.properties["relu"] = UnitAttr()
        if op == "relu":
            del wrong.properties["relu"]
    finding = bisect(replace(program), inputs)
    assert finding.kernel == "f_0"
    assert finding.point is not None
    assert finding.instruction == InstructionRef.of(wrong)
    if op == "gelu":
        kind = "aiv" if name == "vmuls" else "aic"
        assert f"first wrong instruction of @f_0_{kind}, after" in str(finding)


@pytest.mark.parametrize("target", ["ascend910b1", "ascend950"])
def test_what_a_wrong_element_depends_on_goes_through_both_programs(monkeypatch, target):
    """From loads of the Cube core to the store of the Vector core, whichever way tiles go between them."""
    program = ascend_opt.compile(GELU_AND_RELU.replace("OP", "gelu"), target, tune=1)
    inputs = seeded_inputs(program.inputs, 0)
    expected = bisect_module.expected_tensors

    def doubled(*given):
        found = expected(*given)
        return replace(found, tensors={value: array * 2 for value, array in found.tensors.items()})

    monkeypatch.setattr(bisect_module, "expected_tensors", doubled)
    monkeypatch.setattr(bisect_module, "MOST_LISTED", 1000)
    finding = bisect(program, inputs)
    assert finding.instruction is None and "the tile program itself is wrong" in finding.message
    kernels = [r.kernel for r in finding.chain]
    assert kernels[0] == "f_0_aic" and kernels[-1] == "f_0_aiv"
    names = [r.text.split()[0] if "=" not in r.text.split()[1] else r.text.split()[2] for r in finding.chain]
    assert {"ascend.copy", "ascend.mmad", "ascend.fixpipe", "ascend.vec"} <= set(names)


def test_a_wrong_part_of_a_joined_tensor_is_found():
    """Both kernels write into one tensor; the second one is at fault, at its own tile and instruction."""
    text = """graph @f(%x: tensor<32x64xf16>, %v: tensor<64x32xf16>, %w: tensor<64x32xf16>) {
  %a = matmul(%x, %v)
  %b = matmul(%x, %w)
  %c = leaky_relu(%b) {alpha = 0.1}
  %y = concat(%a, %c) {axis = 0}
  %z = relu(%y)
  return %z
}"""
    program = ascend_opt.compile(text, "ascend910", tune=1, join_launches=False)
    assert any(op.start for op in program.module.walk() if isinstance(op, ViewTensorOp))
    given = seeded_inputs(program.inputs, 0)
    assert "within its bound" in str(bisect(program, given))
    op = next(o for o in program.module.walk() if isinstance(o, VecOp) and o.instruction.data == "vlrelu")
    op.properties["scalar"] = FloatAttr(0.5, f32)
    finding = bisect(replace(program), given)
    assert finding.ops == ("graph.matmul", "graph.leaky_relu")
    assert finding.instruction is not None and "vlrelu" in str(finding.instruction)
