"""The tile that the search predicts to be fastest, held against all legal ones on the emulator's clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from small_graphs import convolution, linear
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages, with_choices
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.tune import measure
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.common.pack_weights import packs_rhs
from ascend_opt.passes.kernels.product.search import best_product_tilings, least_product_time, product_time
from ascend_opt.passes.kernels.tuner import tuned_by
from ascend_opt.passes.kernels.vector.tiling import vector_time
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.tiling import ProductTiling, VectorTiling
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.runtime.machine.costs import launch_us

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
    """A tuner that is offered every legal tiling and measures them all; `least` and `predicted` in µs. `totals`: times
    with the launch, which takes longer on more cores."""

    count: int = 1 << 30
    times: list[float] = field(default_factory=list[float])
    totals: list[float] = field(default_factory=list[float])
    least: list[float] = field(default_factory=list[float])
    predicted: list[float] = field(default_factory=list[float])

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        function = next(op for op in alone.body.block.ops if isinstance(op, FuncOp))
        regions = group_regions(kernel_ops(function))
        packed = regions.product is not None and packs_rhs(regions, frozenset(weight_values(function)))
        for tiling in tilings:
            self.times.append(measure(alone, tiling, target)[0])
            self.totals.append(self.times[-1] + launch_us(target, tiling.cores))
            if isinstance(tiling, ProductTiling):
                self.least.append(target.microseconds(least_product_time(regions, tiling, packed, target)))
                self.predicted.append(target.microseconds(product_time(regions, tiling, packed, target)))
            elif isinstance(tiling, VectorTiling):
                self.predicted.append(target.microseconds(vector_time(regions, tiling, target)))
        return 0


def _search(text: str, target: str, everything: _Everything) -> None:
    module, context = read_module(text).module, make_context()
    specs = with_choices(stages("fuse"), {}, (), everything.count)
    with tuned_by(lambda _: everything):
        for one in build_passes(UNIVERSE.all_passes, specs, target):
            one.apply(context, module)


@pytest.mark.sweep(16)
@pytest.mark.parametrize("target", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_one_of_the_first_six_is_within_three_percent_of_the_best(name: str, target: str):
    everything = _Everything()
    _search(PROBLEMS[name], target, everything)
    best = min(everything.times)
    assert min(everything.times[:6]) <= 1.03 * best
    assert everything.times[0] <= 1.15 * best
    assert all(a <= b for a, b in zip(everything.least, everything.times, strict=False))
    for predicted, time in zip(
        everything.predicted[: 6 if everything.least else 0], everything.times, strict=False
    ):
        assert predicted == pytest.approx(time, rel=0.25)


INTERLEAVED = """graph @pairs(%a: tensor<8192x1xf16>, %b: tensor<8192x1xf16>) {
  %c = concat(%a, %b) {axis = 1}
  return %c
}"""
RECTIFIED = """graph @relu(%x: tensor<8x64x56x56xf16>) {
  %y = relu(%x)
  return %y
}"""
IMAGES = """graph @images(%x: tensor<8x64x56x56xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  return %c
}"""


@pytest.mark.parametrize("target", ["ascend910b1", "ascend950"])
def test_what_l2_keeps_costs_no_hbm(target: str):
    """L2 writes back what it evicts: a kernel whose tensors it holds waits for HBM to read, not to write."""
    everything = _Everything(count=12)
    _search(RECTIFIED, target, everything)
    assert len(everything.times) == 12
    assert everything.times[0] <= 1.05 * min(everything.times)


@pytest.mark.parametrize("target", ["ascend910b1", "ascend950"])
def test_staged_rows_of_one_element(target: str):
    """They follow each other in GM, and are set before the DMA, so that nothing of a tile overlaps."""
    everything = _Everything(count=12)
    _search(INTERLEAVED, target, everything)
    assert everything.totals[0] <= 1.01 * min(everything.totals)
    for predicted, time in zip(everything.predicted, everything.times, strict=True):
        assert predicted == pytest.approx(time, rel=0.3)


def test_a_rest_of_k_waits():
    """Tiles of 392 pixels leave room in L0 for 32 of K: four such pieces and half of one are a step of 144, and the
    half waits for the others."""
    chip, module = load_target("ascend950"), read_module(IMAGES).module
    regions = group_regions(kernel_ops(next(op for op in module.walk() if isinstance(op, FuncOp))))
    found = best_product_tilings(regions, True, chip, 1 << 20)
    found = [tiling for tiling in found if (tiling.tiles, tiling.step) == ((1, 64, 7, 56), 144)]
    tiles = [next(tiling for tiling in found if tiling.l0_k == piece) for piece in (16, 32)]
    everything = _Everything()
    everything.choose(module, tiles, chip)
    assert everything.times[0] < everything.times[1]
    assert everything.predicted[0] < everything.predicted[1]
