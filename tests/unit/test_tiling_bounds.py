"""Bounds of tilings: none is above the predicted time, and with them the search finds what it finds without."""

from heapq import nsmallest

import pytest
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.common.form import SlowerError
from ascend_opt.passes.kernels.elementwise.legality import with_cores
from ascend_opt.passes.kernels.elementwise.tiling import (
    contiguous_bound,
    contiguous_time,
    tile_shape,
    vector_tiles,
)
from ascend_opt.passes.kernels.online.problem import Problem
from ascend_opt.passes.kernels.online.search import (
    _candidates,  # pyright: ignore[reportPrivateUsage]
    best_online_tilings,
)
from ascend_opt.passes.kernels.vector.tiling import best_vector_tilings, start_cycles
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.support.module import kernel_ops

CHIPS = ("ascend310p", "ascend910b", "ascend950")
VECTOR = {
    "norm": """graph @f(%x: tensor<3x77x1000xf16>, %g: tensor<1000xf16>, %b: tensor<1000xf16>) {
      %y = layer_norm(%x, %g, %b)
      return %y
    }""",
    "row": """graph @f(%x: tensor<500x700xf16>, %b: tensor<700xf16>) {
      %0 = add(%x, %b)
      %y = gelu(%0)
      return %y
    }""",
    "turned": """graph @f(%x: tensor<96x200xf16>) {
      %0 = transpose(%x) {perm = [1, 0]}
      %y = exp(%0)
      return %y
    }""",
    "joined": """graph @f(%x: tensor<40x33xf16>, %z: tensor<40x70xf16>) {
      %y = concat(%x, %z) {axis = 1}
      return %y
    }""",
}
STREAMED = """graph @f(%q: tensor<4x200x64xf16>, %k: tensor<4x300x64xf16>, %v: tensor<4x300x48xf16>,
                %m: tensor<4x200x300xf16>) {
  %s = matmul(%q, %k) {transpose_b = true}
  %t = add(%s, %m)
  %p = softmax(%t)
  %y = matmul(%p, %v)
  return %y
}"""


def regions_of(text: str) -> Regions:
    ops: list[Operation] = kernel_ops(choose_function(read_module(text).module, None))
    return group_regions(ops)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("graph", VECTOR)
def test_contiguous_tiles(graph: str, chip: str):
    regions, target = regions_of(VECTOR[graph]), load_target(chip)
    shape = tile_shape(regions, target)
    timed: list[tuple[float, int]] = []
    tilings = [with_cores(regions, tiles, target) for tiles in vector_tiles(regions, shape, target)]
    for i, tiling in enumerate(tilings):
        time = contiguous_time(regions, tiling, target, shape)
        assert 0 < contiguous_bound(regions, tiling, target, shape) <= time
        timed.append((time + start_cycles(target, tiling.cores), i))
    best = [tilings[i] for _, i in nsmallest(3, timed)]
    assert len(tilings) > 3
    found = best_vector_tilings(regions, target, 3)
    assert [tiling for tiling in found if tiling in tilings] == best[
        : len([t for t in found if t in tilings])
    ]


@pytest.mark.parametrize("chip", CHIPS)
def test_streamed_products(chip: str):
    regions, target = regions_of(STREAMED), load_target(chip)
    timed: list[tuple[float, int]] = []
    for i, one in enumerate(_candidates(Problem(regions, target))):
        pieces = one.pieces()
        if pieces is not None and one.fits():
            assert 0 < one.bound(*pieces) <= one.time(*pieces)
            timed.append((one.time(*pieces), i))
    assert len(timed) > 10
    found = best_online_tilings(regions, target, 3)
    assert [time for time, _ in found] == [time for time, _ in nsmallest(3, timed)]
    with pytest.raises(SlowerError):
        best_online_tilings(regions, target, 1, 1.0)
