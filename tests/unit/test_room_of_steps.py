"""Every legal tiling of a product leaves room in UB for two slots, a shorter last step of K included."""

import pytest

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.product.footprint import bytes_of_tiles
from ascend_opt.passes.kernels.product.problem import problem_of
from ascend_opt.passes.kernels.product.tiles import tiles_of
from ascend_opt.passes.kernels.product.tiling import k_steps_of
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("k", [1024, 96, 200])
def test_no_legal_tiling_overflows_ub(k: int, chip: str):
    text = f"graph @f(%x: tensor<1000x{k}xf16>, %y: tensor<{k}x1000xf16>) {{ %z = matmul(%x, %y) return %z }}"
    target = load_target(chip)
    ops = kernel_ops(choose_function(read_module(text).module, None))
    problem = problem_of(group_regions(ops), False, target)
    found = [
        (tile.tiles, tiling.step, tiling.chunk, bytes_of_tiles(problem, tile, tiling, rounds=2).ub)
        for tile in tiles_of(problem)
        for step in k_steps_of(problem, tile)
        for tiling in step.tilings()
    ]
    assert any(k > step and k % step for _, step, _, _ in found)
    assert [one for one in found if one[-1] > target.spaces["ub"].bytes] == []
