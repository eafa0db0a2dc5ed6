"""Products whose tiles fill L0C: the Cube and FixPipe hand them over 512 B at a time, with no flag of the program."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from pathlib import Path

import numpy as np
import pytest
from any_tiling import chosen

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.product import search as cube_search
from ascend_opt.passes.kernels.product.clock import product_cycles
from ascend_opt.passes.kernels.product.problem import problem_of, tile_of
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.tools.ascend_opt import main as opt

CHIP = "ascend910b1"
LINEAR = """graph @g(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}) {{
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = {op}(%1)
  return %2
}}
"""
IMAGE = """graph @g(%x: tensor<2x64x{s}x{s}xf16>,
                 %w: tensor<{n}x64x3x3xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}) {{
  %0 = conv2d(%x, %w) {{pads = [1, 1, 1, 1]}}
  %1 = bias_add(%0, %b)
  %2 = {op}(%1)
  return %2
}}
"""


def tile_level(tmp_path: Path, text: str, chip: str = CHIP) -> Path:
    graph, tiles = tmp_path / "graph.mlir", tmp_path / "tiles.mlir"
    graph.write_text(text)
    assert opt([str(graph), f"--target={chip}", "--fuse", "-o", str(tiles)]) == 0
    return tiles


def with_flags(tiles: Path) -> Path:
    """The same tiles, handed over by flags of the program."""
    text = tiles.read_text()
    flags = tiles.with_name("flags.mlir")
    flags.write_text(re.sub(r", unit_flag(?=[,>])", "", text))
    assert flags.read_text() != text
    return flags


CASES = [
    pytest.param(LINEAR.format(m=1536, n=1024, k=512, op="relu"), id="whole tiles"),
    pytest.param(LINEAR.format(m=1501, n=1000, k=500, op="relu"), id="ragged"),
    pytest.param(LINEAR.format(m=1501, n=500, k=1500, op="gelu"), id="to Vector cores"),
    pytest.param(
        """graph @g(%x: tensor<4x256x14x14xf16>, %w: tensor<512x256x1x1xf16> {weight}) {
          %0 = conv2d(%x, %w)
          return %0
        }""",
        id="196 rows, to Vector cores",
    ),
    pytest.param(
        IMAGE.format(s=40, n=384, op="relu"), id="an image, to Vector cores that turn its blocks over"
    ),
]


@pytest.mark.parametrize("text", CASES)
def test_values_are_those_with_flags_and_come_sooner(tmp_path: Path, text: str):
    units, tiles = ascend_opt.compile(text, target=CHIP, tune=1), tmp_path / "tiles.mlir"
    tiles.write_text(str(compile_until(units, "tile")))
    flags = ascend_opt.compile(with_flags(tiles))
    rng = np.random.default_rng(1)
    inputs = {name: rng.standard_normal(t.shape) / 8 for name, t in units.inputs.items()}
    ours, theirs = (p.run(inputs) for p in (units, flags))
    (values,), (expected,) = (run.outputs.values() for run in (ours, theirs))
    assert np.array_equal(values, expected)
    (reference,) = units.reference(inputs).values()
    assert np.linalg.norm(values - reference) <= 1e-3 * np.linalg.norm(reference)
    assert ours.profile.total_us < theirs.profile.total_us


BLOCKS = """graph @g(%x5: tensor<2x16x14x14x16xf16>, %w: tensor<384x256x1x1xf16> {weight},
                 %b: tensor<384xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [2, 256, 14, 14]}
  %0 = conv2d(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %r = reshape(%2) {shape = [2, 24, 16, 14, 14]}
  %y = transpose(%r) {perm = [0, 1, 3, 4, 2]}
  return %y
}
"""


@pytest.mark.parametrize(
    ("text", "dim", "extent"),
    [
        pytest.param(LINEAR.format(m=2800, n=512, k=192, op="relu"), 0, 2800, id="rows"),
        pytest.param(BLOCKS, 2, 14, id="lines"),
    ],
)
def test_a_last_tile_that_starts_early_has_all_of_its_rows(text: str, dim: int, extent: int):
    """What two tiles have is computed by the last one alone, so that FixPipe reads all that is computed."""

    def shifted(tilings: Sequence[Tiling]) -> Tiling:
        cube = (one for one in tilings if isinstance(one, ProductTiling))
        return next(one for one in cube if one.unit_flag and extent % one.tiles[dim] > 0)

    with chosen(shifted):
        program = ascend_opt.compile(text, target=CHIP, tune=10000)
    (store,) = [op for op in program.module.walk() if isinstance(op, ascend.FixpipeOp)]
    assert store.unit_flag is not None
    rng = np.random.default_rng(1)
    inputs = {name: rng.standard_normal(t.shape) / 8 for name, t in program.inputs.items()}
    (values,) = program.run(inputs).outputs.values()
    (reference,) = program.reference(inputs).values()
    assert np.linalg.norm(values - reference) <= 1e-3 * np.linalg.norm(reference)


@pytest.mark.parametrize(("m", "unit"), [(1450, False), (1600, True)])
def test_a_tile_whose_products_would_wait_for_each_other_keeps_flags(m: int, unit: bool):
    """Of 1450 rows the ninth tile of 160 keeps ten: a product of so few waits for the one before it."""
    text = LINEAR.format(m=m, n=128, k=64, op="relu")
    found = set[bool]()

    def all_of(tilings: Sequence[Tiling]) -> Tiling:
        cube = (one for one in tilings if isinstance(one, ProductTiling) and one.drain)
        found.update(one.unit_flag for one in cube if one.tiles == (160, 128))
        return tilings[0]

    with chosen(all_of):
        ascend_opt.compile(text, target=CHIP, tune=10000)
    assert found == {unit}


@pytest.mark.parametrize("op", ["relu", "gelu"])
def test_tiles_that_land_in_ub_keep_flags(op: str):
    """FixPipe takes them chunk by chunk; those that it stores in GM leave by the unit flag where they fill L0C."""
    found = set[bool]()
    chip = load_target("ascend950")

    def all_of(tilings: Sequence[Tiling]) -> Tiling:
        cube = (one for one in tilings if isinstance(one, ProductTiling) and one.drain == (op == "relu"))
        found.update(one.unit_flag for one in cube if 8 * prod(one.tiles) > chip.spaces["l0c"].bytes)
        return tilings[0]

    with chosen(all_of):
        ascend_opt.compile(LINEAR.format(m=512, n=512, k=64, op=op), target=chip.name, tune=10000)
    assert found == {op == "relu"}


def test_no_flag_of_the_program_joins_cube_and_fixpipe(tmp_path: Path):
    program = ascend_opt.compile(tile_level(tmp_path, LINEAR.format(m=1536, n=1024, k=512, op="relu")))
    ops = list(program.module.walk())
    products = [op for op in ops if isinstance(op, ascend.MmadOp)]
    stores = [op for op in ops if isinstance(op, ascend.FixpipeOp)]
    assert products and all(op.unit is not None for op in products)
    assert len(stores) == 1 and stores[0].unit_flag is not None
    pairs = {(op.source.data, op.destination.data) for op in ops if isinstance(op, ascend.SetFlagOp)}
    assert not {("M", "FIX"), ("FIX", "M")} & pairs


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        pytest.param(LINEAR.format(m=96, n=64, k=256, op="relu"), CHIP, id="room for two tiles"),
        pytest.param(LINEAR.format(m=1536, n=1024, k=512, op="relu"), "ascend910", id="a chip without it"),
    ],
)
def test_what_ping_pongs_or_has_no_unit_flag_does_without(tmp_path: Path, text: str, chip: str):
    assert "unit_flag" not in tile_level(tmp_path, text, chip).read_text()


@pytest.mark.parametrize("m", [pytest.param(768, id="one tile a core"), pytest.param(6144, id="several")])
def test_the_search_counts_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, m: int):
    """What it saves by the clock of the search is what it saves on that of the emulator: with one tile FixPipe begins
    with the last product, with several the Cube does not wait for FixPipe either."""
    saved: list[float] = []
    search = cube_search.best_product_tilings

    def spy(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        tilings = search(regions, packed, target, count, *within)
        if len(regions.ops) == 3:
            problem = problem_of(regions, packed, target, tilings[0].drain)
            tile = tile_of(problem, tilings[0].tiles)
            ours, flags = (
                product_cycles(problem, replace(tilings[0], unit_flag=unit), tile) for unit in (True, False)
            )
            saved.append(target.microseconds(flags - ours))
        return tilings

    monkeypatch.setattr(cube_search, "best_product_tilings", spy)
    tiles = tile_level(tmp_path, LINEAR.format(m=m, n=1024, k=512, op="relu"))
    units, flags = (ascend_opt.compile(path).time().kernels[0] for path in (tiles, with_flags(tiles)))
    assert flags.time_us - units.time_us > 0
    assert saved[-1] == pytest.approx(flags.time_us - units.time_us, rel=0.1)


def test_the_search_counts_with_a_fixpipe_that_is_slower_than_the_cube(monkeypatch: pytest.MonkeyPatch):
    """The first product of a tile ends behind it, whatever the Cube could do."""
    predicted: list[float] = []
    chip, search = load_target(CHIP), cube_search.best_product_tilings
    path = chip.path("l0c", "gm")
    slow = replace(chip, paths={**chip.paths, ("l0c", "gm"): replace(path, rate=path.rate / 4)})

    def spy(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        tilings = search(regions, packed, target, count, *within)
        if len(regions.ops) == 3:
            problem = problem_of(regions, packed, slow, tilings[0].drain)
            assert tilings[0].unit_flag
            cycles = product_cycles(problem, tilings[0], tile_of(problem, tilings[0].tiles))
            predicted.append(slow.microseconds(cycles))
        return tilings

    monkeypatch.setattr(cube_search, "best_product_tilings", spy)
    program = ascend_opt.compile(LINEAR.format(m=6144, n=1024, k=512, op="relu"), target=CHIP, tune=1)
    (kernel,) = Emulator(program.module, slow).time_only(program.name).kernels
    assert predicted[-1] == pytest.approx(kernel.time_us, rel=0.05)


def test_one_tile_for_each_core(tmp_path: Path) -> None:
    """Two accumulators would fit, but a core has one tile: FixPipe begins with its last product, and the kernel ends
    sooner."""
    tiles = tile_level(tmp_path, LINEAR.format(m=384, k=512, n=1024, op="relu"))
    assert "unit_flag" in tiles.read_text()
    times = [
        ascend_opt.compile(path, target=CHIP).time().kernels[0].time_us for path in (tiles, with_flags(tiles))
    ]
    assert times[0] < times[1]
