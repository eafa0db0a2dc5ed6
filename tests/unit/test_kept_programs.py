"""A program that was lowered to see whether it has room is taken over by the kernel that it was lowered from alone."""

from pathlib import Path

from xdsl.dialects.builtin import StringAttr

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.lowering import programs
from ascend_opt.passes.lowering.programs import lower_kernel

CHIP = load_target("ascend910b")
TEXT = (Path(__file__).parents[2] / "examples" / "tanh_muladd.mlir").read_text()


def pipelined() -> tile.KernelOp:
    module, context = read_module(TEXT).module, make_context()
    for one in build_passes(UNIVERSE.all_passes, [*stages("fuse"), *stages("lower")], CHIP.name):
        if one.name == "tile-to-ascend":
            break
        one.apply(context, module)
    (kernel,) = (op for op in module.walk() if isinstance(op, tile.KernelOp))
    return kernel


def test_the_program_is_that_of_a_kernel_lowered_anew() -> None:
    kernel = pipelined()
    assert programs._KEPT in vars(kernel)  # pyright: ignore[reportPrivateUsage]
    taken = lower_kernel(kernel, CHIP)
    assert programs._KEPT not in vars(kernel)  # pyright: ignore[reportPrivateUsage]
    anew = lower_kernel(kernel, CHIP)
    assert [str(one) for one in taken.kernels] == [str(one) for one in anew.kernels]
    assert taken.kernels[-1] is not anew.kernels[-1]


def test_a_kernel_that_changed_is_lowered_anew() -> None:
    kernel = pipelined()
    kernel.kernel_name = StringAttr("renamed")
    (program,) = lower_kernel(kernel, CHIP).kernels
    assert program.sym_name.data == "renamed"
