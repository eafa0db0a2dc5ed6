"""Programs of a Cube core and the Vector cores beside it, for chips where they are cores of their own."""

import numpy as np
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.runtime.execution.emulator import Emulator

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


def compiled(text: str, chip: str = CHIP) -> Program:
    return ascend_opt.compile(text, target=chip, tune=1)


def inputs(program: Program) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {n: (rng.standard_normal(t.shape) / 4).astype(np.float16) for n, t in program.inputs.items()}


def run(program: Program, module: ModuleOp | None = None) -> np.ndarray:
    emulator = Emulator(module or program.module, program.target)
    return emulator.run(program.name, inputs(program)).outputs[0]
