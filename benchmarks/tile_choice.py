"""Tile choice: the compiled kernel's time against the best of all legal tilings, each run on the clock."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from measure import Row, matmul_graph
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages, with_choices
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.tune import measure
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.common.pack_weights import packs_rhs
from ascend_opt.passes.kernels.product.search import least_product_time
from ascend_opt.passes.kernels.tuner import tuned_by
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.tiling import ProductTiling
from ascend_opt.passes.support.module import kernel_ops


def _elementwise(shape: str) -> str:
    return (
        f"graph @chain(%a: tensor<{shape}xf16>, %b: tensor<{shape}xf16>) {{\n"
        "  %s = add(%a, %b)\n  %y = tanh(%s)\n  return %y\n}\n"
    )


def _linear(m: int, n: int, k: int) -> str:
    return (
        f"graph @linear(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}},"
        f" %b: tensor<{n}xf16> {{weight}}) {{\n"
        "  %p = matmul(%x, %w)\n  %s = bias_add(%p, %b)\n  %y = relu(%s)\n  return %y\n}\n"
    )


def _convolution(size: int, channels: int, filters: int, stride: int = 1) -> str:
    return (
        f"graph @conv(%x: tensor<1x{channels}x{size}x{size}xf16>,"
        f" %w: tensor<{filters}x{channels}x3x3xf16> {{weight}}) {{\n"
        f"  %c = conv2d(%x, %w) {{pads = [1, 1, 1, 1], strides = [{stride}, {stride}]}}\n"
        "  %y = relu(%c)\n  return %y\n}\n"
    )


PROBLEMS = {
    "matmul 256x256x256": matmul_graph(256, 256, 256),
    "matmul 512x512x512": matmul_graph(512, 512, 512),
    "matmul 64x1024x256": matmul_graph(64, 1024, 256),
    "matmul 1000x200x96": matmul_graph(1000, 200, 96),
    "linear 128x512x512": _linear(128, 512, 512),
    "linear 384x768x128": _linear(384, 768, 128),
    "conv 28x28, 32 to 64": _convolution(28, 32, 64),
    "conv 56x56, 16 to 32, stride 2": _convolution(56, 16, 32, 2),
    "tanh(a + b) 512x1024": _elementwise("512x1024"),
    "tanh(a + b) 100x333": _elementwise("100x333"),
}


@dataclass
class Everything:
    """A tuner that is offered every legal tiling, best predicted first, and measures all that may be the fastest.

    A tiling is left out when its Cube or its DMA alone takes longer than the fastest kernel so far.
    """

    count: int = 1 << 30
    legal: int = 0
    times: list[float] = field(default_factory=list[float])

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        function = next(op for op in alone.body.block.ops if isinstance(op, FuncOp))
        regions = group_regions(kernel_ops(function))
        packed = regions.product is not None and packs_rhs(regions, frozenset(weight_values(function)))
        self.legal, self.times = len(tilings), []
        for tiling in tilings:
            least = 0.0
            if isinstance(tiling, ProductTiling):
                least = target.microseconds(least_product_time(regions, tiling, packed, target))
            if least < min(self.times, default=float("inf")):
                self.times.append(measure(alone, tiling, target)[0])
            else:
                self.times.append(float("inf"))
        return self.times.index(min(self.times))


def brute_force(text: str, target: str) -> Everything:
    """Times of a one-kernel graph under every legal tiling, in the order of the prediction."""
    everything = Everything()
    module, context = read_module(text).module, make_context()
    specs = with_choices(stages("fuse"), {}, (), everything.count)
    with tuned_by(lambda _: everything):
        for one in build_passes(UNIVERSE.all_passes, specs, target):
            one.apply(context, module)
    return everything


def rows(targets: Sequence[str] = ("ascend910", "ascend310p")) -> Iterator[Row]:
    for target in targets:
        for name, text in PROBLEMS.items():
            chosen = ascend_opt.compile(text, target=target, tune=6).time().kernels[0].time_us
            everything = brute_force(text, target)
            best = min(everything.times)
            predicted = everything.times[0] / best
            note = f"{everything.legal} legal tilings; {predicted:.3f} with tune=1"
            yield Row(
                f"{target}, {name}", chosen, best, "us", "best of all tilings", chosen / best, 1.03, note=note
            )
