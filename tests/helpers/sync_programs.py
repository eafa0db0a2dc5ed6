"""Small kernels before their flags are inserted, and what there is of flags and barriers afterwards."""

from collections import Counter

from xdsl.dialects.builtin import ModuleOp

from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import choose_function, make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.programs.program_inputs import graph_inputs
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator

CHIP = load_target("ascend910")

RELU = "graph @f(%x: tensor<4096x4096xf16>) {\n  %y = relu(%x)\n  return %y\n}"

LINEAR = """
graph @f(%x: tensor<512x512xf16>, %w: tensor<512x512xf16> {weight}, %b: tensor<512xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = relu(%s)
  return %y
}"""

GRAPHS = {"relu": RELU, "linear": LINEAR}


def before_sync(text: str, slots: int = 2, target: str = "ascend910") -> ModuleOp:
    """The graph lowered as far as planned memory, with up to `slots` slots a buffer."""
    module, context = read_module(text).module, make_context()
    specs = [*stages("fuse"), *stages("lower")]
    for one in build_passes(UNIVERSE.all_passes, specs, target):
        if one.name == "ascend-insert-sync":
            break
        if one.name != "ascend-multi-buffer" or slots > 1:
            one.apply(context, module)
    return module


def kernel_of(module: ModuleOp) -> ascend.KernelOp:
    (kernel,) = [op for op in module.body.block.ops if isinstance(op, ascend.KernelOp)]
    return kernel


def pairs(kernel: ascend.KernelOp) -> Counter[tuple[str, str]]:
    """How many flag ops there are for each pair of pipes."""
    return Counter((op.source.data, op.destination.data) for op in kernel.walk() if isinstance(op, FlagOp))


def run(module: ModuleOp, text: str, target: Target = CHIP) -> None:
    function = choose_function(read_module(text).module, None)
    Emulator(module, target).run(None, seeded_inputs(graph_inputs(function), 0, function))


def barriers(kernel: ascend.KernelOp) -> Counter[str]:
    return Counter(op.pipe.data for op in kernel.walk() if isinstance(op, ascend.BarrierOp))
