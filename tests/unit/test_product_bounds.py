"""Bounds of products: none is above the predicted time of what is below it."""

from itertools import islice
from math import inf

import pytest

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.common.form import SlowerError
from ascend_opt.passes.kernels.product import search
from ascend_opt.passes.kernels.product.operand_costs import right_cost, together
from ascend_opt.passes.kernels.product.problem import Problem, Tile, problem_of
from ascend_opt.passes.kernels.product.search import TileNode, in_order, rough_nodes
from ascend_opt.passes.kernels.product.tiling import k_steps_of
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops

GRAPHS = {
    "streams": """graph @f(%x: tensor<512x640xf16>, %w: tensor<640x384xf16>) {
      %y = matmul(%x, %w)
      return %y
    }""",
    "laid out by Vector cores": """graph @f(%x: tensor<1x64x14x14xf16>, %w: tensor<96x64x1x1xf16> {weight}) {
      %c = conv2d(%x, %w)
      %y = silu(%c)
      return %y
    }""",
    "deep, laid out by Vector cores": """graph @f(%x: tensor<1x1024x7x7xf16>, %w: tensor<128x1024x1x1xf16> {weight}) {
      %y = conv2d(%x, %w)
      return %y
    }""",
    "few rows": """graph @f(%x: tensor<16x512xf16>, %w: tensor<512x1024xf16>) {
      %y = matmul(%x, %w)
      return %y
    }""",
    "epilogue": """graph @f(%x: tensor<384x256xf16>, %w: tensor<256x512xf16> {weight}) {
      %c = matmul(%x, %w)
      %y = gelu(%c)
      return %y
    }""",
}


LEAST_SHARE = {"ascend950": 0.6, "ascend910b": 0.8, "ascend910": 0.8, "ascend310p": 0.9}


def problem(text: str, chip: str, packed: bool = False) -> Problem:
    ops = kernel_ops(choose_function(read_module(text).module, None))
    return problem_of(group_regions(ops), packed, load_target(chip))


def tile_nodes(one: Problem) -> list[TileNode]:
    """Every tile that fits."""
    return [closer for rough in rough_nodes([one]) for closer in rough.expand()]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_no_bound_is_above_what_is_below_it(graph: str, chip: str):
    followed = 0
    tiles = tile_nodes(problem(GRAPHS[graph], chip))
    for tile in tiles[:: max(1, len(tiles) // 8)]:
        for way in tile.expand():
            for step in way.expand():
                for leaf in islice(step.expand(), 4):
                    cycles = leaf.cycles()
                    bounds = tile.bound, way.bound, step.bound, leaf.bound
                    assert max(bounds) <= cycles * (1 + 1e-9), leaf.candidate.tiling
                    followed += 1
    assert followed > 20


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910", "ascend310p"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_bounds_of_ways_to_cut_k_are_close_to_those_of_steps(graph: str, chip: str):
    """None is above that of its step, and the least of a tile is near its least step's."""
    shares: list[float] = []
    least: list[float] = []
    for tile in tile_nodes(problem(GRAPHS[graph], chip))[::5]:
        steps = [(way, step) for way in tile.expand() for step in way.expand()]
        shares += [way.bound / step.bound for way, step in steps]
        if steps:
            least.append(min(way.bound for way, _ in steps) / min(step.bound for _, step in steps))
    assert max(shares) <= 1 + 1e-9
    assert sum(least) / len(least) > LEAST_SHARE[chip]


@pytest.mark.parametrize(
    ("graph", "chip", "share"),
    [
        ("streams", "ascend310p", 0.85),
        ("laid out by Vector cores", "ascend950", 0.75),
        ("deep, laid out by Vector cores", "ascend910b", 0.7),
    ],
)
def test_bounds_of_ways_know_what_the_number_of_steps_adds(graph: str, chip: str, share: float):
    """Without it they are 0.77, 0.71 and 0.56 of those of steps in the mean."""
    found: list[float] = []
    for tile in tile_nodes(problem(GRAPHS[graph], chip))[::5]:
        found += [way.bound / step.bound for way in tile.expand() for step in way.expand()]
    assert sum(found) / len(found) > share


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910", "ascend310p"])
def test_the_ways_to_cut_k_have_all_legal_steps(chip: str, packed: bool):
    """In their order, of which the first of equals is taken."""
    kept = 0
    for graph in GRAPHS.values():
        for tile in tile_nodes(problem(graph, chip, packed)):
            steps = [(step.place, step.k_step.tiling) for way in tile.expand() for step in way.expand()]
            legal = [one.tiling for one in k_steps_of(tile.problem, tile.tile)]
            assert [tiling for _, tiling in sorted(steps, key=lambda one: one[0])] == legal
            kept += sum(tiling.keeps for tiling in legal)
    assert (kept > 0) == (packed and chip in ("ascend910", "ascend310p"))


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910", "ascend310p"])
def test_rough_bounds_are_no_more_than_closer_ones(chip: str):
    shares: list[float] = []
    for graph in GRAPHS.values():
        for node in rough_nodes([problem(graph, chip)]):
            shares += [node.bound / closer.bound for closer in node.expand()]
    assert 0.3 < max(shares) <= 1 + 1e-9


def test_that_no_tile_fits_is_not_said_to_be_slower(monkeypatch: pytest.MonkeyPatch):
    """A rough bound above the limit is of a tile that may not fit; then there is none."""
    nodes = list(rough_nodes([problem(GRAPHS["streams"], "ascend910b")]))
    with pytest.raises(SlowerError):
        next(in_order(nodes, 0.0))

    class NoneFits:
        def __init__(self, p: Problem, tile: Tile):
            self.bound = inf

    monkeypatch.setattr(search, "TileBound", NoneFits)
    assert nodes and list(in_order(rough_nodes([problem(GRAPHS["streams"], "ascend910b")]), 0.0)) == []


@pytest.mark.parametrize(("graph", "share"), [("streams", 0.9), ("deep, laid out by Vector cores", 0.8)])
def test_bounds_are_near_what_tilings_take(graph: str, share: float):
    shares: list[float] = []
    for tile in tile_nodes(problem(GRAPHS[graph], "ascend910b"))[::3]:
        leaves = [leaf for way in tile.expand() for step in way.expand() for leaf in step.expand()]
        shares += [leaf.bound / leaf.cycles() for leaf in leaves[::5]]
    assert sum(shares) / len(shares) >= share


@pytest.mark.parametrize(("columns", "dense"), [(64, True), (256, False)])
def test_rows_without_a_gap_are_one_burst(columns: int, dense: bool):
    """Right operands as wide as their tiles."""
    text = f"graph @f(%x: tensor<512x640xf16>, %w: tensor<640x{columns}xf16>) {{ %y = matmul(%x, %w) return %y }}"
    for tile in tile_nodes(problem(text, "ascend910b")):
        one = next((step for way in tile.expand() for step in way.expand()), None)
        if one is not None and tile.tile.tiles[tile.problem.roles.n] == 64:
            load = right_cost(tile.problem, one.k_step.tiling, one.k_step.tile)
            assert load.rows > 1 and load.bursts == (1 if dense else load.rows)
            return
    pytest.fail("no tile has 64 columns")


@pytest.mark.parametrize(("swizzle", "span"), [(2, (2, 4)), (3, (3, 2)), (4, (4, 2)), (16, (8, 1))])
def test_cores_at_work_together_span_the_rows_of_a_band(swizzle: int, span: tuple[int, int]):
    """Of eight cores, in bands of three rows, three share the columns of a right operand, and two or three the rows."""
    text = """graph @f(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) {
      %y = matmul(%x, %w)
      return %y
    }"""
    assert together(problem(text, "ascend310p"), (128, 128), 8, swizzle) == span
