"""Left operands that Vector cores compute for a Cube core: where in K cores begin, who is ahead of whom, and what the
search counts."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from fused_graphs import check
from product_tilings import product_tilings
from xdsl.dialects import scf

import ascend_opt
import ascend_opt.passes.kernels.product.search as cube_search
import ascend_opt.passes.lowering.partition as split
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.product.candidate import Candidate
from ascend_opt.passes.kernels.product.problem import Problem, Tile, problem_of
from ascend_opt.passes.kernels.product.search import best_product_tilings as searched
from ascend_opt.passes.lowering.pipelining.tile_loop import TileLoop
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling

BLOCK = """graph @f(%x: tensor<{images}x{c}x{h}x{h}xf16>, %d: tensor<{c}x1x3x3xf16> {{weight}},
    %b: tensor<{c}xf16> {{weight}}, %w: tensor<{o}x{c}x1x1xf16> {{weight}}) {{
  %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], groups = {c}, fuse = "a"}}
  %1 = bias_add(%0, %b) {{fuse = "a"}}
  %2 = relu(%1) {{fuse = "a"}}
  %y = conv2d(%2, %w) {{fuse = "a"}}
  return %y
}}"""
SPLIT = ("ascend910b1", "ascend950")


class Search:
    """In the place of the tile search: the first tiling that has the fields `keep`, with the fields `change`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, keep: Mapping[str, object], **change: object):
        self.keep, self.change = keep, change
        self.found: list[tuple[Problem, ProductTiling, Tile]] = []
        monkeypatch.setattr(cube_search, "best_product_tilings", self)

    def __call__(
        self, regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if not regions.prologue:
            return searched(regions, packed, target, count, *within)
        problem = problem_of(regions, packed, target)
        tiling, tile = next(
            (t, tile)
            for t, tile in product_tilings(problem)
            if all(getattr(t, k) == v for k, v in self.keep.items())
        )
        self.found.append((problem, replace(tiling, **self.change), tile))
        return [self.found[-1][1]]


@pytest.mark.parametrize("chip", SPLIT)
@pytest.mark.parametrize(("c", "resident"), ((64, 0), (64, 16), (40, 0)))
def test_values_where_cores_begin_at_other_steps(
    c: int, resident: int, chip: str, monkeypatch: pytest.MonkeyPatch
):
    """Both kinds of cores count the steps alike, K that these do not divide included; no hazard."""
    keep = {"step": 16, "resident": resident, "tiles": (1, 16, 4, 7)}
    Search(monkeypatch, keep, cores=3, stagger=(3, 2))
    _, result = check(BLOCK.format(images=3, c=c, h=7, o=48), chip)
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", SPLIT)
def test_cores_that_begin_apart_wait_less(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Of the cores that ask for one line of the weights at one time all wait for HBM, but not for the port of the one
    that asked first: on both chips that is little."""
    text = BLOCK.format(images=8, c=512, h=7, o=256)
    keep = {"step": 64, "resident": 64, "tiles": (1, 128, 7, 7)}
    times = list[float]()
    for stagger in (None, (8, 1)):
        Search(monkeypatch, keep, cores=8, stagger=stagger)
        times.append(ascend_opt.compile(text, target=chip, tune=1).time().kernels[0].time_us)
    assert times[1] < 0.995 * times[0]


@pytest.mark.parametrize("chip", SPLIT)
@pytest.mark.parametrize("resident", (0, 16))
def test_weights_are_asked_for_before_the_core_waits(
    resident: int, chip: str, monkeypatch: pytest.MonkeyPatch
):
    keep = {"step": 16, "resident": resident, "tiles": (1, 16, 14, 14)}
    Search(monkeypatch, keep)
    program = ascend_opt.compile(BLOCK.format(images=4, c=128, h=14, o=48), target=chip, tune=1)
    cube = next(
        op for op in program.module.walk() if isinstance(op, ascend.KernelOp) and "aic" in str(op.core)
    )
    loops = [op for op in cube.walk() if isinstance(op, scf.ForOp)]
    (steps,) = (
        op
        for op in loops
        if any(isinstance(inner, ascend.MmadOp) for inner in op.walk())
        and not any(isinstance(inner, scf.ForOp) for inner in op.body.block.ops)
    )
    order = list(steps.walk())
    asks = next(
        i for i, op in enumerate(order) if isinstance(op, ascend.CopyOp) and space_of(op.source.type) == "gm"
    )
    waits = next(i for i, op in enumerate(order) if isinstance(op, ascend.CrossWaitFlagOp))
    assert asks < waits


@pytest.mark.full
def test_vector_cores_are_a_row_of_tiles_ahead(monkeypatch: pytest.MonkeyPatch):
    """The operand of the next row of tiles has room in L1 beside that of the current one."""
    text = BLOCK.format(images=4, c=128, h=14, o=256)
    Search(monkeypatch, {"step": 32, "resident": 32, "tiles": (1, 64, 14, 14)}, cores=1, stagger=None)
    two = ascend_opt.compile(text, target="ascend950", tune=1).time()

    def one_room(*_: object) -> int:
        return 1

    monkeypatch.setattr(split, "rooms_of_operand", one_room)
    one = ascend_opt.compile(text, target="ascend950", tune=1).time()
    assert two.kernels[0].time_us < 0.9 * one.kernels[0].time_us


def test_the_search_counts_rows_of_tiles(monkeypatch: pytest.MonkeyPatch):
    """A core walks all columns of its rows: 4 rows of tiles are two rounds of 3 cores, as they are of 2."""
    for cores in (2, 3):
        search = Search(monkeypatch, {"step": 16, "resident": 16, "tiles": (1, 16, 14, 14)}, cores=cores)
        ascend_opt.compile(BLOCK.format(images=4, c=64, h=14, o=48), target="ascend910b1", tune=1)
        assert Candidate(*search.found[-1]).shared.rounds == 2 * 3


@pytest.mark.parametrize("chip", ("ascend910", *SPLIT))
def test_rows_of_tiles_that_cores_do_not_share_evenly(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Each core walks all columns of its rows and no others: 4 rows of tiles on 3 cores."""
    Search(monkeypatch, {"step": 32, "resident": 32, "tiles": (1, 16, 7, 7)}, cores=3)
    _, result = check(BLOCK.format(images=4, c=64, h=7, o=48), chip)
    assert [kernel.cores for kernel in result.profile.kernels] == [3]


def test_the_search_counts_the_chunks_of_a_vector_core(monkeypatch: pytest.MonkeyPatch):
    """Vector cores take chunks in turns: one chunk is one core's, of three one core has two."""
    work = dict[int, float]()
    for chunk in (48, 16):
        search = Search(monkeypatch, {"step": 32, "tiles": (1, 48, 7, 14), "chunk": chunk})
        ascend_opt.compile(BLOCK.format(images=2, c=64, h=14, o=48), target="ascend910b1", tune=1)
        work[chunk] = Candidate(*search.found[-1]).whole.epilogue.beside_store
    assert work[16] == pytest.approx(work[48] * 2 / 3, rel=0.05)


@pytest.mark.full
def test_cores_begin_at_different_columns(monkeypatch: pytest.MonkeyPatch):
    """Weights of all columns come from HBM while the first ones wait for the operand. Cores in step lose nothing by
    that, as none waits for the port of another one."""
    text = BLOCK.format(images=8, c=512, o=512, h=14)
    apart, _ = check(text, "ascend910b1")
    monkeypatch.setattr(TileLoop, "staggered", -1)
    together = ascend_opt.compile(text, target="ascend910b1", tune=1)
    assert apart.time().total_us < 1.02 * together.time().total_us
