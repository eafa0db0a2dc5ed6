"""What tests of the search tune: two products with what follows them, and kernels without a graph."""

from collections.abc import Callable

import ascend_opt
from ascend_opt.compiler.tune.launches import Kernel, Launch
from ascend_opt.passes.plans.plan import Plan

LAYERS = """
graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}, %v: tensor<256x256xf16> {weight}) {
  %a = matmul(%x, %w)
  %g = gelu(%a)
  %b = matmul(%g, %v)
  %s = add(%b, %x)
  %y = softmax(%s) {axis = 1}
  return %y
}"""


def compiling(text: str, target: str = "ascend910b") -> Callable[[Plan | None], ascend_opt.Program]:
    """Compiles a graph with a plan, or as it is by default."""
    return lambda plan: ascend_opt.compile(text, target, plan=plan)


def bare_kernel(name: str, ops: tuple[int, ...], size: int) -> Kernel:
    """A kernel of some ops whose result has `size` bytes; its text is its name, and compiles to nothing."""
    return Kernel(name, ops, name, size)


def bare_launch(name: str, ops: tuple[int, ...], size: int) -> Launch:
    """A launch of such a kernel."""
    return Launch((bare_kernel(name, ops, size),), name)
