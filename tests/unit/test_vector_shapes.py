"""Which dimensions give an instruction's repeats and blocks; what the search expects of them."""

import itertools
import json
import re
from dataclasses import replace
from math import prod
from typing import Any

import pytest
from xdsl.dialects import scf

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.product import search as cube_search
from ascend_opt.passes.kernels.product.computed_operand import tap_choices
from ascend_opt.passes.kernels.product.operand_costs import columns_of
from ascend_opt.passes.kernels.product.operands import image_of
from ascend_opt.passes.kernels.product.problem import Problem, Tile, problem_of
from ascend_opt.passes.kernels.product.tap_costs import is_image, taps_of
from ascend_opt.passes.regions.tiling import ProductTiling
from ascend_opt.passes.selection.vector_shapes import Choice, Dim, Part, choose, merged
from ascend_opt.runtime.machine.banks import conflicts
from ascend_opt.runtime.machine.costs import vec_cost

BARE, BANKED = load_target("ascend910"), load_target("ascend910b")


def dims(*sizes: int, pitches: tuple[tuple[int, ...], ...]) -> tuple[Dim, ...]:
    """Dimensions of blocks of 32 B; `pitches`: each operand's strides in blocks."""
    return tuple(Dim(n, tuple(p[d] * 32 for p in pitches)) for d, n in enumerate(sizes))


def test_a_dimension_is_cut_so_that_no_instruction_is_left_over():
    """98 blocks: 14 repeats of 7 rather than 12 of 8 and one of 2; 96 are 12 of 8; a prime number has a rest."""
    for size, repeats in ((98, 14), (96, 12)):
        found = choose(BARE, "vmadd", "f16", dims(size, pitches=((1,), (0,), (1,), (1,))), (0,) * 4)
        assert (found.cycles, found.instructions) == (2 * repeats, 1)
    found = choose(BARE, "vmadd", "f16", dims(97, pitches=((1,), (0,), (1,), (1,))), (0,) * 4)
    assert (found.repeat, found.blocks, found.instructions) == (Part(0), Part(0), 2)


def test_only_what_is_known_gives_blocks():
    rows = dims(4, pitches=((9,), (8,)))
    open_ = (replace(dims(20, pitches=((40,), (30,)))[0], fixed=False), *rows)
    found = choose(BARE, "vadds", "f16", open_, (0, 0))
    assert (found.repeat, found.blocks) == (Part(0), Part(1))
    assert choose(BARE, "vadds", "f16", open_[:1], (0, 0)).blocks is None


def cost(chip: Any, runs: list[tuple[Any, ...]], starts: tuple[int, ...]) -> float:
    """What `runs` take, each its repeats, their strides, blocks, their strides and how often, and an instruction."""
    total = 0.0
    for repeats, steps, count, strides, times in runs:
        shapes = [(s, repeats, count, a, b) for s, a, b in zip(starts, steps, strides, strict=True)]
        total += times * (vec_cost(chip, "vmadd", "f16", repeats, conflicts(chip.banks, shapes)).busy + 1)
    return total


@pytest.mark.parametrize("shift", range(0, 16, 3))
def test_banks_count(shift: int):
    """Of two dimensions each as repeats and each as blocks, the choice is at least as fast as any, where operands lie
    anywhere in the groups of banks; and it is not always the same."""
    h, w = 5, 13
    both = dims(h, w, pitches=((14, 1), (0, 0), (16, 1), (16, 1)))
    starts = (256 + 32 * shift, 64, 0, 0)
    found = choose(BANKED, "vmadd", "f16", both, starts)
    rows, columns = both
    columns_repeat = [(w, columns.strides, h, rows.strides, 1)]
    rows_repeat = [(h, rows.strides, 8, columns.strides, 1), (h, rows.strides, w - 8, columns.strides, 1)]
    assert found.cycles + found.instructions <= cost(BANKED, columns_repeat, starts)
    assert found.cycles + found.instructions <= cost(BANKED, rows_repeat, starts) * 1.01


def test_where_operands_lie_changes_the_choice():
    both = dims(4, 64, pitches=((64, 1), (80, 1), (80, 1)))
    found: set[Choice] = {
        choose(BANKED, "vadd", "f16", both, (256 + 32 * a, 256 + 32 * b, 0))
        for a, b in itertools.product(range(16), repeat=2)
    }
    assert len({one.cycles for one in found}) > 1


def test_what_all_operands_walk_as_one_is_one():
    assert merged(dims(4, 7, 1, 14, pitches=((98, 14, 5, 1), (112, 14, 3, 1)))) == dims(
        4, 98, pitches=((98, 1), (112, 1))
    )
    assert [d.size for d in merged(dims(1, 1, pitches=((1, 1),)))] == [1]


BLOCK = """graph @block(%x5: tensor<4x8x14x14x16xf16>, %d: tensor<128x1x3x3xf16> {weight},
             %p: tensor<64x128x1x1xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [4, 128, 14, 14]}
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], strides = [STRIDE, STRIDE], groups = 128, fuse = "a"}
  %1 = relu(%0) {fuse = "a"}
  %2 = conv2d(%1, %p) {fuse = "a"}
  return %2
}"""


def searched(
    text: str, chip: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[Program, Problem, ProductTiling, Tile]:
    """A program with a computed operand, and what the search chose for it."""
    found: list[tuple[Problem, ProductTiling, Tile]] = []
    search = cube_search.best_product_tilings

    def spy(regions: Any, packed: bool, target: Any, count: int, *within: float) -> list[ProductTiling]:
        best = search(regions, packed, target, count, *within)
        if regions.prologue:
            problem = problem_of(regions, packed, target, best[0].drain)
            found.append((problem, best[0], cube_search.tile_of(problem, best[0].tiles, best[0].lead)))
        return best

    monkeypatch.setattr(cube_search, "best_product_tilings", spy)
    return ascend_opt.compile(text, target=chip, tune=1), *found[-1]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910"])
@pytest.mark.parametrize("stride", [2, 1])
def test_what_taps_take_is_what_is_predicted(chip: str, stride: int, monkeypatch: pytest.MonkeyPatch):
    """Vector cycles of a depthwise convolution in front of a product: the search's against the emulator's."""
    program, problem, tiling, tile = searched(BLOCK.replace("STRIDE", str(stride)), chip, monkeypatch)
    assert problem.prologue is not None
    taps = list(tap_choices(problem, tile, tiling.resident or tiling.step))
    assert len(taps) == 9
    predicted = sum(choice.cycles for _, choice in taps)
    points = prod(-(-extent // size) for extent, size in zip(problem.extents, tiling.tiles, strict=True))
    predicted *= problem.roles.k // (tiling.resident or tiling.step) * points / columns_of(problem, tiling)

    events = json.loads(program.run(values=False, traced_cores=tiling.cores).trace_text())["traceEvents"]
    each = [
        e["dur"] for e in events if re.match(r'ascend.vec "(vmul|vmadd)"', e.get("args", {}).get("op", ""))
    ]
    measured = sum(each) * problem.target.clock_mhz
    assert predicted == pytest.approx(measured, rel=0.12)


@pytest.mark.parametrize(("left", "right", "stride"), [(1, 1, 1), (2, 0, 1), (0, 1, 2), (3, 2, 2)])
def test_taps_reach_what_lies_in_the_image(
    left: int, right: int, stride: int, monkeypatch: pytest.MonkeyPatch
):
    """Of a tile whose lines have no padding beside them each tap reads the columns that are there, from the first one
    on, and counts towards the columns of the result that they are for."""
    text = BLOCK.replace("STRIDE", str(stride)).replace("1x3x3", "1x3x5")
    text = text.replace("pads = [1, 1, 1, 1]", f"pads = [1, {left}, 1, {right}]")
    _, problem, _, tile = searched(text, "ascend910b", monkeypatch)
    (load,) = (one for one in problem.operand_loads if is_image(problem, one))
    image, columns = image_of(problem, load, tile), tile.tiles[problem.roles.m[-1]]
    assert image is not None and not image.lines
    taps = list(taps_of(problem, load, tile))
    assert len(taps) == 3 * 5
    for i, tap in enumerate(taps):
        read = {j: j * stride + i % 5 - left for j in range(columns) if 0 <= j * stride + i % 5 - left < 14}
        assert (tap.at[1], tap.size[1], tap.first[1]) == (min(read), len(read), min(read.values()))
        assert tap.width == 14


@pytest.mark.parametrize(
    ("chip", "loops", "count"), [("ascend910", 2, 6), ("ascend910b", 1, 3 * 5), ("ascend950", 1, 3 * 5)]
)
def test_no_vector_function_goes_on_around_a_loop(chip: str, loops: int, count: int):
    """Five steps that neither repeats nor blocks take: a loop of instructions where each of them starts on its own and
    a trip costs nothing; else all of them one after the other, in the loop over tiles."""
    text = """graph @pool(%x: tensor<1x32768x5x5xf16>) {
      %0 = max_pool2d(%x) {kernel = [2, 2], pads = [0, 0, 1, 1]}
      return %0
    }"""
    module = compile_until(ascend_opt.compile(text, target=chip, tune=1), "ascend")
    depths: list[int] = []
    for op in module.walk():
        if isinstance(op, ascend.VecOp) and op.instruction.data == "vmax":
            around, depth = op.parent_op(), 0
            while around is not None:
                depth, around = depth + isinstance(around, scf.ForOp), around.parent_op()
            depths.append(depth)
    assert max(depths) == loops
    assert len(depths) == count
