"""Products of a tile's last step that follow chunk by chunk of the columns, and what the Cube is given before."""

from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path
from runpy import run_path

import pytest
from fused_graphs import check
from product_tilings import product_tilings
from xdsl.dialects import scf

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.product import search as cube_search
from ascend_opt.passes.kernels.product.clock import product_cycles
from ascend_opt.passes.kernels.product.costs import will_end_by_columns
from ascend_opt.passes.kernels.product.problem import Problem, problem_of
from ascend_opt.passes.lowering import pipeline
from ascend_opt.passes.lowering.product.split_last_step import LastStep, may_end_by_columns
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling

benchmark = run_path(str(Path(__file__).parents[2] / "benchmarks" / "separable_blocks.py"))
block, GROUPS = benchmark["block"], benchmark["GROUPS"]
CASE = 8, 512, 512, 14, 1
BIASED = """graph @f(%x5: tensor<{n}x16x{size}x{size}x16xf16>, %wd: tensor<256x1x3x3xf16> {{weight}},
    %b: tensor<256xf16> {{weight}}, %wp: tensor<256x256x1x1xf16> {{weight}}, %c: tensor<256xf16> {{weight}}) {{
  %t = transpose(%x5) {{perm = [0, 1, 4, 2, 3]}}
  %x = reshape(%t) {{shape = [{n}, 256, {size}, {size}]}}
  %0 = conv2d(%x, %wd) {{pads = [1, 1, 1, 1], groups = 256, fuse = "a"}}
  %1 = bias_add(%0, %b) {{fuse = "a"}}
  %2 = relu(%1) {{fuse = "a"}}
  %3 = conv2d(%2, %wp) {{fuse = "a"}}
  %4 = bias_add(%3, %c) {{fuse = "a"}}
  %5 = relu(%4) {{fuse = "a"}}
  %r = reshape(%5) {{shape = [{n}, 16, 16, {size}, {size}]}}
  %y = transpose(%r) {{perm = [0, 1, 3, 4, 2]}}
  return %y
}}"""


def by_columns(program: Program) -> list[scf.ForOp]:
    """Loops that multiply and take what was multiplied out of L0C."""
    found: list[scf.ForOp] = []
    for op in program.module.walk():
        inside = list(op.body.block.ops) if isinstance(op, scf.ForOp) else []
        taken = (
            one for one in inside if isinstance(one, ascend.CopyOp) and space_of(one.source.type) == "l0c"
        )
        if any(isinstance(one, ascend.MmadOp) for one in inside) and any(taken):
            assert isinstance(op, scf.ForOp)
            found.append(op)
    return found


Choice = Callable[[ProductTiling], ProductTiling | None]


def chosen(patch: pytest.MonkeyPatch, choice: Choice, rounds: int = 1) -> None:
    """Kernels that compute a left operand get the first tiling with late columns that `choice` gives, on so many times
    fewer cores."""
    usual = cube_search.best_product_tilings

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if not regions.prologue:
            return usual(regions, packed, target, count, *within)
        p = problem_of(regions, packed, target)
        found = ((choice(tiling), tile) for tiling, tile in product_tilings(p))
        late = (one for one, tile in found if one is not None and will_end_by_columns(p, one, tile))
        return [replace(one, cores=one.cores // rounds) for one in late if one.cores > 1][:1]

    patch.setattr(cube_search, "best_product_tilings", search)


@pytest.mark.parametrize("chip", ("ascend910", "ascend310p"))
@pytest.mark.parametrize("size, l0_k, chunk", ((14, 32, 128), (9, 16, 64), (14, 64, 32)))
@pytest.mark.sweep(2)
def test_values(chip: str, size: int, l0_k: int, chunk: int, monkeypatch: pytest.MonkeyPatch):
    """The reference's values and no hazard, with two chunks and more, of rows that are no whole fractals too."""

    def choice(tiling: ProductTiling) -> ProductTiling | None:
        fits = tiling.chunk == chunk and tiling.tiles[1] == 256
        return replace(tiling, step=2 * l0_k, l0_k=l0_k) if fits else None

    chosen(monkeypatch, choice)
    program, _ = check(BIASED.format(n=1, size=size), chip)
    assert len(by_columns(program)) == 1


@pytest.mark.parametrize(
    ("change", "may"),
    [
        ({}, True),
        ({"step": 32}, False),  # one piece
        ({"step": 128}, False),  # four
        ({"chunk": 256}, False),  # all columns
        ({"chunk": 96}, False),  # a smaller last chunk
        ({"columns": 240, "chunk": 24}, False),  # parts of fractals
        ({"columns": 240, "chunk": 48}, True),
        ({"rows": 32}, False),  # eight fractals: sums wait for each other
        ({"rows": 33}, True),
        ({"rows": 80, "chunk": 32}, True),  # ten
        ({"rows": 512}, True),
        ({"rows": 513}, False),  # more than L0A
        ({"columns": 512}, True),
        ({"columns": 576}, False),  # more than L0B
        ({"item": 4}, True),
        ({"columns": 320, "item": 4}, False),
    ],
)
def test_which_steps_may_end_by_columns(change: dict[str, int], may: bool):
    usual = {"rows": 196, "columns": 256, "step": 64, "l0_k": 32, "chunk": 64, "item": 2}
    assert may_end_by_columns(load_target("ascend910"), LastStep(**{**usual, **change})) == may


@pytest.mark.full
def test_several_tiles_are_not_held_up(monkeypatch: pytest.MonkeyPatch):
    """Where a core has a tile more, its products would wait for L0: those of each step are whole."""

    def choice(tiling: ProductTiling) -> ProductTiling | None:
        fits = tiling.chunk == 64 and tiling.tiles[1] == 256 and not tiling.keeps
        return replace(tiling, step=64, l0_k=32) if fits else None

    chosen(monkeypatch, choice, rounds=2)
    program, _ = check(BIASED.format(n=2, size=14), "ascend910")
    assert not by_columns(program)


def points_of(p: Problem, tiling: ProductTiling) -> int:
    """Tiles of the result."""
    return prod(-(-extent // size) for extent, size in zip(p.extents, tiling.tiles, strict=True))


@pytest.mark.parametrize(
    ("columns", "resident", "step"),
    [
        pytest.param(256, False, 64, id="all columns"),
        pytest.param(128, False, 64, id="some columns"),
        pytest.param(128, True, 64, id="a left operand that stays"),
        pytest.param(256, False, 96, id="a last step of another size"),
        pytest.param(256, False, 256, id="one step"),
    ],
)
def test_the_search_knows_which_tiles_end_by_columns(
    columns: int, resident: bool, step: int, monkeypatch: pytest.MonkeyPatch
):
    """What its clock counts with is what the lowering does, and the values are right either way."""
    usual, known = cube_search.best_product_tilings, set[bool]()

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if not regions.prologue:
            return usual(regions, packed, target, count, *within)
        p = problem_of(regions, packed, target)
        tiling, tile = next(
            (tiling, tile)
            for tiling, tile in product_tilings(p)
            if (tiling.tiles[1], bool(tiling.resident), tiling.chunk) == (columns, resident, 32) and tile.m >= 80
            and (resident or (points_of(p, tiling) <= tiling.cores and not tiling.serial))
        )  # fmt: skip
        tiling = replace(tiling, step=step, l0_k=step // 2)
        if resident:
            tiling = replace(tiling, resident=step)
        known.add(will_end_by_columns(p, tiling, tile))
        return [tiling]

    monkeypatch.setattr(cube_search, "best_product_tilings", search)
    program, _ = check(BIASED.format(n=1, size=14), "ascend910")
    assert known == {bool(by_columns(program))} == {step == 64 and not resident}


def test_a_tile_ends_sooner(monkeypatch: pytest.MonkeyPatch):
    """By most of what the last step's products take, less those of a chunk."""
    text = block(*CASE, GROUPS["one"], True)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    assert len(by_columns(program)) == 1

    def never(*_: object) -> bool:
        return False

    monkeypatch.setattr(pipeline, "ends_by_columns", never)
    whole = ascend_opt.compile(text, target="ascend910", tune=1)
    assert not by_columns(whole)
    assert program.time().total_us < whole.time().total_us - 0.2


def test_prediction(monkeypatch: pytest.MonkeyPatch):
    """The clock follows the pipes to the end of the last chunk."""
    predicted: list[float] = []
    search = cube_search.best_product_tilings

    def spy(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        found = search(regions, packed, target, count, *within)
        if regions.prologue:
            p = problem_of(regions, packed, target)
            tile = next(tile for tiling, tile in product_tilings(p) if tiling == found[0])
            assert will_end_by_columns(p, found[0], tile)
            predicted.append(target.microseconds(product_cycles(p, found[0], tile)))
        return found

    monkeypatch.setattr(cube_search, "best_product_tilings", spy)
    program = ascend_opt.compile(block(*CASE, GROUPS["one"], True), target="ascend910", tune=1)
    (kernel,) = program.time().kernels
    assert kernel.time_us == pytest.approx(predicted[-1], rel=0.03)


def test_filters_are_there_before_the_left_operand():
    """A step's filters are asked for before the next step's image, and go to L0 before the left operand is computed."""
    program = ascend_opt.compile(block(*CASE, GROUPS["one"], True), target="ascend910", tune=1)
    order = [op for op in program.module.walk() if isinstance(op, ascend.INSTRUCTIONS)]
    to = [(op.name, space_of(op.destination.type)) for op in order if isinstance(op, ascend.CopyOp)]
    assert to.index(("ascend.copy", "l1")) < to.index(("ascend.copy", "ub"))
    waits = [op for op in program.module.walk() if isinstance(op, ascend.WaitFlagOp | ascend.Load2dOp)]
    loads = [i for i, op in enumerate(waits) if isinstance(op, ascend.Load2dOp)]
    computed = next(
        i for i, op in enumerate(waits) if isinstance(op, ascend.WaitFlagOp) and op.source.data == "MTE3"
        and op.destination.data == "MTE1"
    )  # fmt: skip
    assert loads[1] < computed


@pytest.mark.full
def test_time():
    """Within 1.2 x the bound, the launch and 3 us, as docs/benchmarks.md has it."""
    row = next(iter(benchmark["measured"]("ascend910", True, (CASE,))))
    assert row.ok
