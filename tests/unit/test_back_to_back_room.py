"""Room for two products in one kernel: what the search counts is what the memory planner places, and of the first
product's tilings the fastest is taken that fits."""

from collections.abc import Callable
from math import prod
from typing import Any

import pytest

import ascend_opt
from ascend_opt.passes.kernels.back_to_back import tiling as search
from ascend_opt.passes.kernels.product.footprint import OnChip, bytes_of_tiles
from ascend_opt.passes.kernels.product.problem import tile_of
from ascend_opt.passes.kernels.product.search import in_order
from ascend_opt.passes.memory.report import MemoryReport
from ascend_opt.passes.memory.space_plan import MemoryProblem, SpacePlan
from ascend_opt.passes.regions.tiling import BackToBackTiling

Pair = search.BackToBackProblem
Compiled = tuple[ascend_opt.Program, Pair, BackToBackTiling]


def two(image: str, filters: str, more: str, middle: str = "relu") -> str:
    """Two convolutions that keep the size of the image, as one kernel."""
    pads = [[int(size) // 2 for size in one.split("x")[2:]] * 2 for one in (filters, more)]
    return f"""graph @two(%x: tensor<{image}xf16>, %v: tensor<{filters}xf16> {{weight}},
      %w: tensor<{more}xf16> {{weight}}) {{
  %0 = conv2d(%x, %v) {{pads = {pads[0]}, fuse = "a"}}
  %1 = {middle}(%0) {{fuse = "a"}}
  %2 = conv2d(%1, %w) {{pads = {pads[1]}, fuse = "a"}}
  return %2
}}"""


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Compiled]:
    """The program of a graph of two convolutions, with the problem and the tiling that it is made from."""
    found: list[tuple[Pair, BackToBackTiling]] = []
    candidates = search._candidates  # pyright: ignore[reportPrivateUsage]

    def spy(pair: Pair, wanted: tuple[int, ...] | None) -> Any:
        for cycles, tiling in candidates(pair, wanted):
            found.append((pair, tiling))
            yield cycles, tiling

    monkeypatch.setattr(search, "_candidates", spy)
    chosen: list[BackToBackTiling] = []
    best = search.best_back_to_back_tilings

    def kept(*given: Any) -> Any:
        tilings = best(*given)
        chosen.append(tilings[0][1])
        return tilings

    monkeypatch.setattr(search, "best_back_to_back_tilings", kept)

    def of(text: str, chip: str) -> Compiled:
        program = ascend_opt.compile(text, target=chip, tune=1)
        pair = next(pair for pair, tiling in found if tiling is chosen[-1])
        return program, pair, chosen[-1]

    return of


def counted(pair: Pair, tiling: BackToBackTiling) -> OnChip:
    """Bytes that the search counts for both products and the image between them."""
    points = prod(-(-e // t) for e, t in zip(pair.second.extents, tiling.tiles, strict=True))
    rounds = -(-points // tiling.cores)
    halves = [
        bytes_of_tiles(p, tile_of(p, one.tiles), one, rounds)
        for p, one in ((pair.first, tiling.first), (pair.second, tiling.second))
    ]
    held = pair.held_bytes(tiling.first.tiles)
    return OnChip(held + sum(half.l1 for half in halves), sum(half.ub for half in halves))


def l1_beside_more_images(problem: MemoryProblem, plan: SpacePlan) -> int:
    """Bytes of L1 without the second slot of the image between the products, which it gets where there is room left."""
    images = [buffer for buffer in problem.buffers if buffer.name == "held"]
    return plan.peak - sum(image.size * (image.slots - 1) for image in images)


SHAPES = {
    "whole planes": ("1x256x7x7", "64x256x3x3", "64x64x1x1"),
    "one chunk, one tile a core": ("1x1024x7x56", "16x1024x1x1", "512x16x5x5"),
    "several tiles a core": ("4x64x28x28", "64x64x3x3", "64x64x3x3"),
    "several chunks": ("1x256x14x14", "512x256x1x1", "64x512x3x3"),
    "channels that do not exist": ("1x64x14x28", "24x64x3x3", "48x24x1x1"),
}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("middle", ["relu", "gelu"])
def test_what_is_counted_is_what_the_planner_places(
    compiled: Callable[[str, str], Compiled], chip: str, shapes: tuple[str, str, str], middle: str
):
    """All buffers lie side by side with the slots that they want, in what was counted, of which not much is left."""
    program, pair, tiling = compiled(two(*shapes, middle), chip)
    count = counted(pair, tiling)
    (report,) = [r for r in program.reports if isinstance(r, MemoryReport)]
    (kernel,) = [plan for plan in report.plans if plan.kernel.startswith("two")]
    spaces = {problem.space: (problem, plan) for problem, plan, _ in kernel.spaces}
    l1, ub = spaces["l1"], spaces["ub"][1]
    assert (l1[1].level, ub.level) == ("none", "none")
    assert l1_beside_more_images(*l1) <= count.l1 <= program.target.spaces["l1"].bytes
    assert ub.peak <= count.ub <= program.target.spaces["ub"].bytes
    assert count.ub <= 1.8 * ub.peak + 4096


@pytest.mark.parametrize("chip", ["ascend910b"])
@pytest.mark.parametrize("shapes", [*SHAPES.values()][:3], ids=[*SHAPES][:3])
def test_cores_of_their_own_have_room_for_what_both_products_stage(
    compiled: Callable[[str, str], Compiled], chip: str, shapes: tuple[str, str, str]
):
    program, pair, tiling = compiled(two(*shapes), chip)
    count = counted(pair, tiling)
    (report,) = [r for r in program.reports if isinstance(r, MemoryReport)]
    spaces = [space[:2] for kernel in report.plans for space in kernel.spaces]
    l1 = max(l1_beside_more_images(*one) for one in spaces if one[0].space == "l1")
    ub = max(plan.peak for problem, plan in spaces if problem.space == "ub")
    assert l1 <= count.l1 <= program.target.spaces["l1"].bytes
    assert ub <= count.ub <= program.target.spaces["ub"].bytes


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_the_fastest_is_taken_of_all_that_fit(compiled: Callable[[str, str], Compiled], chip: str):
    """However little room there is, and whatever was asked for before: held against all tilings."""
    _, pair, tiling = compiled(two("1x256x28x28", "128x256x3x3", "64x128x3x3"), chip)
    firsts = pair.firsts(tiling.first.tiles, tiling.cores, 3)
    every = [
        (cycles, bytes_of_tiles(leaf.candidate.p, leaf.candidate.tile, leaf.candidate.tiling, 3))
        for cycles, leaf in in_order(firsts.steps)
    ]
    assert [cycles for cycles, _ in every] == sorted(cycles for cycles, _ in every)
    behind = 0
    for l1 in sorted({taken.l1 for _, taken in every}):
        for ub in sorted({taken.ub for _, taken in every}, reverse=True):
            fitting = [i for i, (_, taken) in enumerate(every) if taken.l1 <= l1 and taken.ub <= ub]
            found = firsts.fastest(OnChip(l1, ub))
            assert (found and found[0]) == (every[fitting[0]][0] if fitting else None)
            behind = max(behind, fitting[0] if fitting else 0)
    assert behind > 2, "some are taken though several are faster, which do not fit"
    least = min(taken.l1 for _, taken in every)
    assert firsts.fastest(OnChip(least - 1, 1 << 30)) is None
