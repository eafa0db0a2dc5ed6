"""The tile that the search predicts to be fastest, held against all legal ones on the emulator's clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from small_graphs import convolution, linear
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ascend_opt.compiler.pipelines import build_passes, stages
from ascend_opt.compiler.read_module import make_context, read_module
from ascend_opt.compiler.tune import measure
from ascend_opt.compiler.universe import UNIVERSE
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import Target
from ascend_opt.passes.cube_search import cube_time, least_cube_time
from ascend_opt.passes.graph_module import kernel_ops
from ascend_opt.passes.kernels import Tiling, tuning
from ascend_opt.passes.pack_weights import packs_rhs
from ascend_opt.passes.regions import group_regions
from ascend_opt.passes.tiling_plan import CubeTiling

ELEMENTS = """graph @chain(%a: tensor<100x333xf16>, %b: tensor<100x333xf16>) {
  %s = add(%a, %b)
  %y = tanh(%s)
  return %y
}"""
PROBLEMS = {
    "linear": linear(96, 48, 64),
    "conv": convolution("1x32x12x16", "32x32x3x3"),
    "elements": ELEMENTS,
}


@dataclass
class _Everything:
    """A tuner that is offered every legal tiling and measures them all; `least` and `predicted` in µs."""

    count: int = 1 << 30
    times: list[float] = field(default_factory=list[float])
    least: list[float] = field(default_factory=list[float])
    predicted: list[float] = field(default_factory=list[float])

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        function = next(op for op in alone.body.block.ops if isinstance(op, FuncOp))
        regions = group_regions(kernel_ops(function))
        packed = regions.product is not None and packs_rhs(regions, frozenset(weight_values(function)))
        for tiling in tilings:
            self.times.append(measure(alone, tiling, target)[0])
            if isinstance(tiling, CubeTiling):
                self.least.append(target.microseconds(least_cube_time(regions, tiling, packed, target)))
                self.predicted.append(target.microseconds(cube_time(regions, tiling, packed, target)))
        return 0


@pytest.mark.sweep(2)
@pytest.mark.parametrize("target", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_one_of_the_first_six_is_within_three_percent_of_the_best(name: str, target: str):
    everything = _Everything()
    module, context = read_module(PROBLEMS[name]).module, make_context()
    with tuning(everything):
        for one in build_passes(UNIVERSE.all_passes, stages("fuse"), target):
            one.apply(context, module)
    best = min(everything.times)
    assert min(everything.times[:6]) <= 1.03 * best
    assert everything.times[0] <= 1.15 * best
    assert all(a <= b for a, b in zip(everything.least, everything.times, strict=False))
    for predicted, time in zip(everything.predicted[:6], everything.times, strict=False):
        assert predicted == pytest.approx(time, rel=0.25)
