"""Chips whose Cube and Vector are cores of their own: the programs of both kinds, and the flags between them."""

from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects import ascend
from ascend_opt.runtime.emulator import Emulator
from ascend_opt.runtime.hazard import HazardError

CHIP = "ascend910b1"
GELU = """
graph @f(%x: tensor<{m}x96xf16>, %w: tensor<96x{n}xf16> {{weight}}) {{
  %p = matmul(%x, %w)
  %y = gelu(%p)
  return %y
}}"""
CONVOLUTION = """
graph @f(%x: tensor<{n}x40x9x9xf16>, %w: tensor<32x40x3x3xf16> {{weight}}, %b: tensor<32xf16> {{weight}}) {{
  %p = conv2d(%x, %w) {{pads = [1, 1, 1, 1]}}
  %s = bias_add(%p, %b)
  %y = leaky_relu(%s) {{alpha = 0.1}}
  return %y
}}"""
PROGRAMS = {
    "one tile": GELU.format(m=16, n=16),
    "a tile a core": GELU.format(m=100, n=200),
    "several tiles a core": GELU.format(m=1000, n=3000),
    "convolution": CONVOLUTION.format(n=1),
    "several images a core": CONVOLUTION.format(n=64),
}


def compiled(text: str) -> Program:
    return ascend_opt.compile(text, target=CHIP, tune=1)


def inputs(program: Program) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {n: (rng.standard_normal(t.shape) / 4).astype(np.float16) for n, t in program.inputs.items()}


def run(program: Program, module: ModuleOp | None = None) -> np.ndarray:
    emulator = Emulator(module or program.module, program.target)
    return emulator.run(program.name, inputs(program)).outputs[0]


def crossings(module: ModuleOp) -> Iterator[ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp]:
    for op in module.walk():
        if isinstance(op, ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp):
            yield op


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_kinds_of_core_work_and_values_are_right(name: str):
    program = compiled(PROGRAMS[name])
    kinds = [op.core_kind for op in program.module.walk() if isinstance(op, ascend.KernelOp)]
    assert kinds == ["aic", "aiv"]
    expected = program.reference(inputs(program))["output0"].astype(np.float32)
    assert np.linalg.norm(run(program) - expected) <= 3e-3 * np.linalg.norm(expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_missing_cross_core_flag_is_noticed(name: str):
    """Without any one set or wait the run reports a race, a deadlock or a flag that stays up."""
    program = compiled(PROGRAMS[name])
    count = len(list(crossings(program.module)))
    assert count >= 8
    for index in range(count):
        module = program.module.clone()
        list(crossings(module))[index].detach()
        with pytest.raises(HazardError) as error:
            run(program, module)
        assert error.value.kind in ("gm-cross-core", "deadlock", "flag-left-set", "limit", "race"), index


@pytest.mark.parametrize("name", ["several tiles a core", "several images a core"])
def test_a_wrong_cross_core_flag_is_noticed(name: str):
    program = compiled(PROGRAMS[name])
    for index in range(len(list(crossings(program.module)))):
        module = program.module.clone()
        op = list(crossings(module))[index]
        op.operands[list(op.operands).index(op.event)] = constant_before(op, 7)
        with pytest.raises(HazardError):
            run(program, module)


def constant_before(op: ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp, value: int) -> SSAValue:
    constant = arith.ConstantOp(IntegerAttr(value, IndexType()))
    block = op.parent
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.result


def test_fixpipe_stores_what_it_can_by_itself():
    text = """
    graph @f(%x: tensor<100x40xf16>, %w: tensor<40x77xf16> {weight}) {
      %p = matmul(%x, %w)
      %y = relu(%p)
      return %y
    }"""
    program = compiled(text)
    (kernel,) = (op for op in program.module.walk() if isinstance(op, ascend.KernelOp))
    assert kernel.core_kind == "aic"
    (fixpipe,) = (op for op in kernel.walk() if isinstance(op, ascend.FixpipeOp))
    assert fixpipe.relu is not None
    run(program)


def test_too_many_flags_ahead_are_a_hazard():
    """A flag counts to 15."""
    program = compiled(PROGRAMS["one tile"])
    first = next(op for op in crossings(program.module) if isinstance(op, ascend.CrossSetFlagOp))
    block = first.parent
    assert block is not None
    for _ in range(16):
        block.insert_op_before(first.clone(), first)
    with pytest.raises(HazardError, match="ahead of its waits"):
        run(program)


def test_a_core_has_only_the_memories_of_its_kind():
    program = compiled(PROGRAMS["one tile"])
    kernel = next(
        op for op in program.module.walk() if isinstance(op, ascend.KernelOp) and op.core_kind == "aiv"
    )
    kernel.properties["core"] = next(
        op for op in program.module.walk() if isinstance(op, ascend.KernelOp) and op.core_kind == "aic"
    ).properties["core"]
    with pytest.raises(Exception, match="aic"):
        run(program)
