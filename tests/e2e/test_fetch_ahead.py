"""Loads of a computed left operand that are issued before the Vector instructions of the step before."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from fused_graphs import check
from product_tilings import product_tilings
from xdsl.dialects import scf
from xdsl.ir import Operation

import ascend_opt
import ascend_opt.passes.kernels.product.search as cube_search
import ascend_opt.passes.lowering.pipeline as pipeline
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.product.problem import problem_of
from ascend_opt.passes.kernels.product.search import best_product_tilings as searched
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling

BLOCK = """graph @f(%x: tensor<{images}x{c}x{h}x{w}xf16>, %d: tensor<{c}x1x3x3xf16> {{weight}},
    %b: tensor<{c}xf16> {{weight}}, %w: tensor<48x{c}x1x1xf16> {{weight}}) {{
  %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], strides = [{s}, {s}], groups = {c}, fuse = "a"}}
  %1 = bias_add(%0, %b) {{fuse = "a"}}
  %2 = relu(%1) {{fuse = "a"}}
  %y = conv2d(%2, %w) {{fuse = "a"}}
  return %y
}}"""
MATRIX = """graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x48xf16> {{weight}}) {{
  %0 = silu(%x) {{fuse = "a"}}
  %y = matmul(%0, %w) {{fuse = "a"}}
  return %y
}}"""
CASES: tuple[tuple[str, Mapping[str, object]], ...] = (
    (BLOCK.format(images=3, c=64, h=14, w=14, s=1), {"step": 16, "resident": 0}),
    (BLOCK.format(images=1, c=64, h=7, w=9, s=2), {"step": 32, "resident": 0}),
    (BLOCK.format(images=2, c=48, h=10, w=6, s=1), {"step": 16, "resident": 16}),
    (BLOCK.format(images=1, c=40, h=6, w=5, s=2), {"step": 16, "resident": 0}),
    (
        BLOCK.format(images=1, c=32, h=2, w=600, s=1),
        {"step": 16, "resident": 0, "tiles": (1, 16, 1, 208)},  # staging is filled before DMA
    ),
    (MATRIX.format(m=70, k=64), {"step": 16, "resident": 0}),
    (MATRIX.format(m=33, k=96), {"step": 32, "resident": 32}),
)


def _search_for(monkeypatch: pytest.MonkeyPatch, keep: Mapping[str, object], cores: int = 1) -> None:
    """In the place of the tile search: the first tiling that has the fields `keep`, on so many cores."""

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if not regions.prologue:
            return searched(regions, packed, target, count, *within)
        found = (t for t, _ in product_tilings(problem_of(regions, packed, target)))
        return [
            replace(next(t for t in found if all(getattr(t, k) == v for k, v in keep.items())), cores=cores)
        ]

    monkeypatch.setattr(cube_search, "best_product_tilings", search)


@pytest.mark.parametrize("chip", ("ascend910", "ascend310p"))
@pytest.mark.parametrize("case", range(len(CASES)))
def test_values(case: int, chip: str, monkeypatch: pytest.MonkeyPatch):
    """Several steps, tiles, images and rows that are no multiple of 16: the reference's values, no hazard."""
    text, keep = CASES[case]
    _search_for(monkeypatch, keep)
    program, result = check(text, chip)
    assert len(result.profile.kernels) == 1
    slots = ascend.NextSlotOp, ascend.PreviousSlotOp
    for op in program.module.walk():  # what one of both copies of a load leaves behind is gone
        if isinstance(op, ascend.BufferOp):
            assert any(not isinstance(use.operation, slots) for use in op.result.uses)
        assert not isinstance(op, ascend.ViewOp) or op.result.uses
        assert not isinstance(op, scf.ForOp | scf.IfOp) or len(op.regions[0].block.ops) > 1


def test_products_are_issued_before_the_vector_instructions_of_the_next_step(monkeypatch: pytest.MonkeyPatch):
    text, keep = CASES[0]
    _search_for(monkeypatch, keep)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    (loop,) = (
        op
        for op in program.module.walk()
        if isinstance(op, scf.ForOp)
        and {ascend.MmadOp, ascend.TransposeOp} <= _inside(op)
        and not any(
            isinstance(inner, scf.ForOp) and ascend.MmadOp in _inside(inner) for inner in op.body.block.ops
        )
    )
    kinds = [_inside(op) for op in loop.body.block.ops]
    products = next(i for i, found in enumerate(kinds) if ascend.MmadOp in found)
    vector = next(i for i, found in enumerate(kinds) if ascend.TransposeOp in found)
    assert products < vector


@pytest.mark.parametrize("chip", ("ascend910b1", "ascend950"))
@pytest.mark.parametrize(("case", "resident"), ((0, 0), (0, 16), (6, 0)))
def test_values_of_cores_that_feed(case: int, resident: int, chip: str, monkeypatch: pytest.MonkeyPatch):
    """The same where Vector cores take steps in turns, each of which asks for its next one first."""
    text, keep = CASES[case]
    _search_for(monkeypatch, {**keep, "step": 16, "resident": resident})
    program, result = check(text, chip)
    assert len(result.profile.kernels) == 1
    assert any(isinstance(op, ascend.PreviousSlotOp) for op in program.module.walk())


@pytest.mark.full
@pytest.mark.parametrize("chip", ("ascend910b1", "ascend950"))
def test_time_of_cores_that_feed(chip: str, monkeypatch: pytest.MonkeyPatch):
    text = BLOCK.format(images=1, c=256, h=14, w=14, s=1)
    _search_for(monkeypatch, {"step": 32, "resident": 0, "tiles": (1, 48, 5, 14)}, cores=3)
    ahead = ascend_opt.compile(text, target=chip, tune=1).time()
    monkeypatch.setattr(pipeline, "loads_in_order", _never)
    behind = ascend_opt.compile(text, target=chip, tune=1).time()
    assert ahead.total_us < 0.9 * behind.total_us


def _inside(op: Operation) -> set[type[Operation]]:
    return {type(inner) for inner in op.walk()}


def _never(product: tile.ContractOp) -> bool:
    return False


@pytest.mark.parametrize("resident", (0, 64))
def test_time(resident: int, monkeypatch: pytest.MonkeyPatch):
    """Where cores wait for HBM, DMA does not wait for the queue in front of the Vector unit too."""
    text = BLOCK.format(images=8, c=256, h=14, w=14, s=1)
    columns = 16 if resident else 48
    keep = {"step": 64, "resident": resident, "tiles": (1, columns, 14, 14)}
    _search_for(monkeypatch, keep, cores=8)
    ahead = ascend_opt.compile(text, target="ascend310p", tune=1).time()
    monkeypatch.setattr(pipeline, "loads_in_order", _never)
    behind = ascend_opt.compile(text, target="ascend310p", tune=1).time()
    assert ahead.total_us < 0.95 * behind.total_us
