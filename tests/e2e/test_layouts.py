"""Tensors in blocks between kernels: values without hazards on every chip, and the time and bytes that they save."""

from dataclasses import replace
from typing import Any

import pytest
from layout_graphs import GRAPHS, always_in_blocks, convolutions, error, layouts, pooled

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes import tile_group
from ascend_opt.passes.fusion import layouts as layout_plan
from ascend_opt.passes.fusion.layouts import LayoutPlan
from ascend_opt.passes.fusion.plan import FusionPlan
from ascend_opt.passes.kernels.vector import tiling as vector_tiling
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import VectorTiling

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


@pytest.fixture
def whenever_they_can(monkeypatch: pytest.MonkeyPatch):
    """Every tensor that can be in blocks is, whatever it saves."""
    always_in_blocks(monkeypatch)


def kernels_of(program: Program) -> list[str]:
    """The names of the launched kernels."""
    return [op.kernel.string_value() for op in program.module.walk() if isinstance(op, ascend.LaunchOp)]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.usefixtures("whenever_they_can")
def test_values(name: str, chip: str):
    program = ascend_opt.compile(GRAPHS[name], target=chip, tune=1)
    if len(kernels_of(program)) > 1:
        assert any(record.layout for record in layouts(program))
    assert error(program) <= 3e-3


def pooled_line(shape: str, kernel: str, pads: str) -> str:
    """A convolution, a pool and a convolution of images of one line, or one column."""
    return f"""graph @f(%x: tensor<1x16x{shape}xf16>, %w: tensor<32x16x1x1xf16> {{weight}},
                        %v: tensor<32x32x1x1xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{nofuse = a}}
      %1 = neg(%0) {{nofuse = a}}
      %2 = max_pool2d(%1) {{kernel = {kernel}, pads = {pads}, nofuse = b}}
      %3 = conv2d(%2, %v)
      return %3
    }}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
@pytest.mark.parametrize(
    "image", [("37x1", "[3, 1]", "[1, 0, 1, 0]"), ("1x37", "[1, 3]", "[0, 1, 0, 1]")], ids=["column", "line"]
)
@pytest.mark.usefixtures("whenever_they_can")
def test_padding_of_blocks_without_lines_or_columns(image: tuple[str, str, str], chip: str):
    """The kernel walks one dimension for both: its tiles are no images, and have their padding all the same."""
    program = ascend_opt.compile(pooled_line(*image), target=chip, tune=1)
    assert [record.layout for record in layouts(program)] == ["NC1HWC0", "NC1HWC0"]
    assert error(program) <= 3e-3


@pytest.mark.usefixtures("whenever_they_can")
def test_fixpipe_writes_parts_of_lines_in_blocks():
    """The lines of such a tile are not end to end in GM."""
    text = """graph @f(%x: tensor<2x16x5x520xf16>, %w: tensor<32x16x3x3xf16> {weight},
                       %v: tensor<16x32x3x3xf16> {weight}) {
      %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = a}
      %1 = relu(%0) {fuse = a}
      %2 = conv2d(%1, %v) {pads = [1, 1, 1, 1], fuse = b}
      %3 = relu(%2) {fuse = b}
      return %3
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert kernels_of(program) == ["f_0_aic", "f_1_aic"]
    assert [record.layout for record in layouts(program)] == ["NC1HWC0"]
    first = next(op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp))
    height, width = first.tile_sizes[2:]
    assert height > 1 and width < 520
    assert error(program) <= 3e-3


@pytest.mark.usefixtures("whenever_they_can")
def test_the_last_tile_of_channels_may_start_early(monkeypatch: pytest.MonkeyPatch):
    """It then stores the blocks that no other tile has: here one of two."""

    def early(regions: Regions, target: Target, count: int) -> list[VectorTiling]:
        found = (t for t in searched(regions, target, 99) if t.tiles[0] == 32 and t.cores > 1)
        return [replace(next(found), tails="shift")]

    searched = vector_tiling.best_vector_tilings
    monkeypatch.setattr(vector_tiling, "best_vector_tilings", early)
    text = pooled("1x16x7x7", "48x16x1x1", "max_pool2d(%1) {kernel = [3, 3]", 1)
    program = ascend_opt.compile(text, target="ascend910", tune=2)
    (pool,) = [
        op
        for op in compile_until(program, "tile").walk()
        if isinstance(op, tile.KernelOp) and "pool" in op.ops.data[0].data
    ]
    assert pool.ragged(0) and {*pool.tail_list} == {"shift"}
    assert error(program) <= 3e-3


def test_borders_that_only_some_tiles_have_are_ordered():
    """Cut along its width, a tile may have a border above and beside it at once, which the first core's do not."""
    text = pooled("1x32x30x520", "16x32x1x1", "avg_pool2d(%1) {kernel = [5, 5]", 2).replace(
        ", nofuse = b", ""
    )
    program = ascend_opt.compile(text.replace(" {nofuse = a}", ""), target="ascend910", tune=1)
    assert any(record.layout for record in layouts(program))
    assert error(program) <= 3e-3


BOTTLENECK = convolutions("1x64x28x28", "64x64x1x1", "64x64x3x3", after="conv2d(%3, %u)")


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_blocks_between_convolutions_save_time_and_instructions(chip: str):
    """What is read in blocks is not turned over by the Vector unit, and what is written in blocks neither."""
    blocked, rows = (ascend_opt.compile(BOTTLENECK, target=chip, tune=1, layouts=on) for on in (True, False))
    assert "NC1HWC0" in {record.layout for record in layouts(blocked)}
    assert not layouts(rows)
    assert blocked.time().total_us < rows.time().total_us
    turned = [sum(isinstance(op, ascend.TransposeOp) for op in p.module.walk()) for p in (blocked, rows)]
    assert turned[0] < turned[1]


def test_the_cube_core_alone_computes_between_blocks():
    """On split chips a convolution whose tensors are in blocks needs no Vector core: FixPipe does bias and relu."""
    apart = BOTTLENECK.replace("bias_add(%0, %b)", 'bias_add(%0, %b) {nofuse = "first"}')
    apart = apart.replace("pads = [0, 0, 0, 0]}", 'pads = [0, 0, 0, 0], nofuse = "first"}')
    apart = apart.replace("relu(%1)", 'relu(%1) {nofuse = "first"}').replace(
        "strides = [1, 1]}", "strides = [1, 1], nofuse}"
    )
    program = ascend_opt.compile(apart, target="ascend910b", tune=1)
    cores = [op.core.data for op in program.module.walk() if isinstance(op, ascend.KernelOp) and op.core]
    assert cores.count("aiv") < cores.count("aic")


def test_planning_leaves_the_tensors_as_they_are(monkeypatch: pytest.MonkeyPatch):
    """A plan is an analysis: `apply_layouts` alone puts layouts on tensors, or `unfold` the ops of views back."""
    seen: list[int] = []

    def plan(plan: FusionPlan, *arguments: Any) -> LayoutPlan:
        values = [value for group in plan.groups for op in group for value in (*op.operands, *op.results)]
        before = [value.type for value in values]
        found = layout_plan.plan_layouts(plan, *arguments)
        assert [value.type for value in values] == before
        seen.append(sum(choice.layout is not None for choice in found.choices))
        return found

    monkeypatch.setattr(tile_group, "plan_layouts", plan)
    ascend_opt.compile(BOTTLENECK, target="ascend910", tune=1)
    assert max(seen) > 0


@pytest.mark.full
def test_tiles_are_timed_with_the_layouts():
    """Kernels that are compiled alone to time their tiles have the tensors' layouts."""
    program = ascend_opt.compile(BOTTLENECK, target="ascend910b", tune=3)
    assert "NC1HWC0" in {record.layout for record in layouts(program)}
    assert error(program) <= 3e-3
