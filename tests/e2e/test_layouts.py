"""Tensors in blocks between kernels: values without hazards on every chip, the time and bytes that they save, and where
they stay row-major."""

from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes import tile_fuse
from ascend_opt.passes.fusion import layouts as layout_plan
from ascend_opt.passes.fusion.candidates import LayoutRecord
from ascend_opt.passes.fusion.layouts import LayoutPlan
from ascend_opt.passes.fusion.plan import FusionPlan
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.kernels.vector import tiling as vector_tiling
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import VectorTiling

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


def convolutions(image: str, filters: str, second: str, strides: int = 1, after: str = "relu(%3)") -> str:
    """Two convolutions with a bias and a relu between them; what follows them last."""
    n, o = filters.split("x")[0], second.split("x")[0]
    pads = [int(size.split("x")[-1]) // 2 for size in (filters, second)]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16> {{weight}},
                        %v: tensor<{second}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}},
                        %u: tensor<{o}x{o}x1x1xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{pads = [{pads[0]}, {pads[0]}, {pads[0]}, {pads[0]}]}}
      %1 = bias_add(%0, %b)
      %2 = relu(%1)
      %3 = conv2d(%2, %v) {{pads = [{pads[1]}, {pads[1]}, {pads[1]}, {pads[1]}], strides = [{strides}, {strides}]}}
      %4 = {after}
      %5 = mul(%4, %4)
      return %5
    }}"""


def matrices(rows: str, k: int, n: int, o: int, after: str = "relu(%2)") -> str:
    """Two products with a relu between them, and what follows them."""
    return f"""graph @f(%x: tensor<{rows}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}},
                        %v: tensor<{n}x{o}xf16> {{weight}}) {{
      %0 = matmul(%x, %w) {{fuse = a}}
      %1 = relu(%0) {{fuse = a}}
      %2 = matmul(%1, %v)
      %3 = {after}
      return %3
    }}"""


def pooled(image: str, filters: str, pool: str, padding: int) -> str:
    """A convolution, a pool and a convolution of as many channels."""
    n = filters.split("x")[0]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16> {{weight}},
                        %v: tensor<{n}x{n}x3x3xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{nofuse = a}}
      %1 = neg(%0) {{nofuse = a}}
      %2 = {pool}, pads = [{padding}, {padding}, {padding}, {padding}], nofuse = b}}
      %3 = conv2d(%2, %v) {{pads = [1, 1, 1, 1]}}
      return %3
    }}"""


def separable(image: str, n: int, strides: int) -> str:
    """A pixelwise convolution, then two depthwise-separable ones."""
    c = image.split("x")[1]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{n}x{c}x1x1xf16> {{weight}},
                        %d: tensor<{n}x1x3x3xf16> {{weight}}, %v: tensor<32x{n}x1x1xf16> {{weight}},
                        %e: tensor<32x1x3x3xf16> {{weight}}, %u: tensor<48x32x1x1xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{nofuse = a}}
      %1 = sigmoid(%0) {{nofuse = a}}
      %2 = conv2d(%1, %d) {{pads = [1, 1, 1, 1], strides = [{strides}, {strides}], groups = {n}, nofuse = b}}
      %3 = conv2d(%2, %v) {{nofuse = b}}
      %4 = conv2d(%3, %e) {{pads = [1, 1, 1, 1], groups = 32, nofuse = c}}
      %5 = conv2d(%4, %u) {{nofuse = c}}
      return %5
    }}"""


GRAPHS = {
    "pool": pooled("3x16x17x13", "16x16x1x1", "max_pool2d(%1) {kernel = [3, 3], strides = [2, 2]", 1),
    "wide pool": pooled("1x32x30x520", "16x32x1x1", "avg_pool2d(%1) {kernel = [5, 5]", 2),
    "separable": separable("2x24x17x13", 64, 2),
    "deep separable": separable("1x16x7x7", 272, 1),
    "3x3 3x3 residual": convolutions("1x16x14x14", "32x16x3x3", "32x32x3x3", after="add(%3, %2)"),
    "3x3 3x3 stride 2": convolutions("2x3x17x13", "16x3x3x3", "48x16x3x3", 2),
    "1x1 3x3 residual": convolutions("1x40x20x28", "64x40x1x1", "64x64x3x3", after="add(%3, %2)"),
    "1x1 1x1 1x1": convolutions("3x32x7x7", "64x32x1x1", "32x64x1x1", after="conv2d(%3, %u)"),
    "wide": convolutions("1x16x5x520", "32x16x1x1", "16x32x3x3"),
    "one pixel": convolutions("2x64x1x1", "32x64x1x1", "32x32x1x1"),
    "matrix": matrices("37", 48, 64, 64, "add(%2, %1)"),
    "batch": matrices("2x17", 32, 2048, 256),
    "one row": matrices("1", 64, 512, 64),
}


@pytest.fixture
def whenever_they_can(monkeypatch: pytest.MonkeyPatch):
    """Every tensor that can be in blocks is, whatever it saves."""
    times = cycle((0.0, 1.0))

    def time(model: layout_plan.CostModel, groups: list[layout_plan.Group]) -> float:
        for group in groups:
            model.anew(group)
        return next(times)

    monkeypatch.setattr(layout_plan, "_time", time)


def layouts(program: Program) -> list[LayoutRecord]:
    (report,) = (r for r in program.reports if isinstance(r, FusionReport))
    return [record for plan in report.plans for record in plan.layouts]


def kernels_of(program: Program) -> list[str]:
    """The names of the launched kernels."""
    return [op.kernel.string_value() for op in program.module.walk() if isinstance(op, ascend.LaunchOp)]


def error(program: Program) -> float:
    """The relative L2 error of a run with all checks."""
    assert program.graph_module is not None
    inputs = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, program.name))
    (found,), (wanted,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
    return float(np.linalg.norm(np.float64(found) - wanted) / np.linalg.norm(np.float64(wanted)))


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
    assert pool.ragged(0) and pool.tails.data == "shift"
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


REASONS = [
    ("relu(%3)", "return %5, %2", "it is a result of the graph"),
    ("softmax(%3)", "return %4", "graph.softmax, which reads it, takes whole rows"),
    ("exp(%3) {nofuse}", "return %5", "the kernel of graph.exp, which reads it, sees other dimensions"),
    ("bias_add(%3, %b) {nofuse}", "return %5", "graph.bias_add reads it in another order"),
    ("reshape(%3) {shape = [32, -1]}", "return %4", "graph.reshape sees its elements in another order"),
]


@pytest.mark.parametrize(("after", "returned", "reason"), REASONS)
@pytest.mark.usefixtures("whenever_they_can")
def test_the_report_says_why_a_tensor_stays_row_major(after: str, returned: str, reason: str):
    text = convolutions("1x16x14x14", "32x16x3x3", "32x32x3x3", after=after).replace("return %5", returned)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    assert reason in {record.reason for record in layouts(program)}


def between(op: str) -> str:
    """Two convolutions, and an op in a kernel of its own between them."""
    return f"""graph @f(%x: tensor<1x16x14x14xf16>, %w: tensor<32x16x3x3xf16> {{weight}},
                        %v: tensor<32x32x3x3xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{pads = [1, 1, 1, 1], fuse = a}}
      %1 = relu(%0) {{fuse = a}}
      {op}
      %7 = conv2d(%6, %v) {{pads = [1, 1, 1, 1], fuse = b}}
      return %7
    }}"""


GROUPED = convolutions("1x16x9x9", "32x16x3x3", "32x16x3x3").replace(
    "strides", "nofuse = b, groups = 2, strides"
)
PRODUCTS = [
    (
        matrices("64", 48, 64, 64).replace("relu(%0)", "softmax(%0)"),
        "graph.softmax, which gives it, works on whole rows",
    ),
    (matrices("64", 48, 64, 64).replace("f16", "f32"), "blocks of f32 are not alike in L1 and UB"),
    (
        matrices("64", 48, 40, 64),
        "the kernel of graph.relu, which gives it, has no tiles in blocks of one of its dimensions",
    ),
    (
        matrices("2x32", 48, 64, 64).replace("<48x64xf16> {weight}", "<2x48x64xf16>"),
        "the kernel of graph.matmul, which reads it, sees other dimensions",
    ),
    (
        matrices("64", 48, 64, 64).replace("matmul(%1, %v)", "matmul(%1, %v) {transpose_a = true}"),
        "graph.matmul reads it in another order",
    ),
    (
        matrices("64", 48, 64, 64).replace("matmul(%1, %v)", "matmul(%v, %1)"),
        "graph.matmul reads it in another order",
    ),
    (GROUPED, "graph.conv2d, which reads it, is grouped"),
    (
        GROUPED.replace("relu(%3)", "max_pool2d(%3) {kernel = [3, 3]}"),
        "graph.conv2d, which gives it, is grouped",
    ),
    (
        convolutions("1x16x9x9", "32x16x3x3", "32x32x3x3").replace(
            "%v: tensor<32x32x3x3xf16> {weight}", "%v: tensor<32x32x3x3xf16>"
        ),
        "the filters of graph.conv2d are no weights",
    ),
    (
        matrices("64", 48, 64, 64)
        .replace("matmul(%1, %v)", "exp(%1) {fuse = b}\n%9 = matmul(%2, %v) {fuse = b}")
        .replace("relu(%2)", "relu(%9)"),
        "graph.exp reads it in another order",
    ),
    (
        between(
            "%6 = slice(%1) {starts = [0, 0], ends = [14, 14], steps = [2, 2], axes = [2, 3], nofuse = c}"
        ),
        "graph.slice reads it in another order",
    ),
    (
        between("%6 = transpose(%1) {perm = [0, 1, 3, 2], nofuse = c}"),
        "graph.transpose reads it in another order",
    ),
    (
        """graph @f(%a: tensor<1x32x16x16xf16>, %b: tensor<16x16xf16> {weight}, %x: tensor<1x16x16x16xf16>,
                    %w: tensor<32x16x3x3xf16> {weight}) {
          %0 = matmul(%a, %b) {fuse = a}
          %1 = relu(%0) {fuse = a}
          %2 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = b}
          %3 = add(%2, %1) {fuse = b}
          return %3
        }""",
        "graph.conv2d reads it in another order",
    ),
    (
        """graph @f(%x: tensor<1x32x1x1xf16>, %w: tensor<32x32x1x1xf16> {weight}, %z: tensor<1x32x9x9xf16>,
                    %v: tensor<32x32x3x3xf16> {weight}) {
          %0 = conv2d(%x, %w) {fuse = a}
          %1 = sigmoid(%0) {fuse = a}
          %2 = conv2d(%z, %v) {pads = [1, 1, 1, 1], fuse = b}
          %3 = mul(%2, %1) {fuse = b}
          return %3
        }""",
        "graph.conv2d reads it in another order",
    ),
]


@pytest.mark.parametrize(("text", "reason"), PRODUCTS)
@pytest.mark.usefixtures("whenever_they_can")
def test_the_report_says_why_a_product_reads_or_writes_rows(text: str, reason: str):
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert reason in {record.reason for record in layouts(program)}
    assert error(program) <= 3e-3


def test_what_saves_nothing_stays_row_major(monkeypatch: pytest.MonkeyPatch):
    def same(model: layout_plan.CostModel, groups: list[layout_plan.Group]) -> float:
        return 1.0

    monkeypatch.setattr(layout_plan, "_time", same)
    (record, *_) = layouts(ascend_opt.compile(GRAPHS["matrix"], target="ascend910", tune=1))
    assert (record.layout, record.saved_us) == ("", 0.0)
    assert record.reason == "its kernels are predicted to be no slower without"


@pytest.mark.parametrize(
    ("times", "layout", "reason"),
    [
        ((None, 1.0), "", "no tiles of its kernels fit with it in blocks"),
        ((None, None), "", "no tiles of its kernels fit with it in blocks"),
        ((1.0, None), "NZ", "no tiles of its kernels fit with it in rows"),
    ],
)
def test_what_has_no_tiles_is_not_compared(
    times: tuple[float | None, float | None], layout: str, reason: str, monkeypatch: pytest.MonkeyPatch
):
    """Of the kernels with the tensor in blocks, then in rows, those that no tiles fit have no time."""
    known = iter(times)

    def time(model: layout_plan.CostModel, groups: list[layout_plan.Group]) -> float | None:
        for group in groups:
            model.anew(group)
        return next(known)

    monkeypatch.setattr(layout_plan, "_time", time)
    (record, *_) = layouts(ascend_opt.compile(GRAPHS["matrix"], target="ascend910", tune=1))
    assert (record.layout, record.reason, record.saved_us) == (layout, reason, None)


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

    monkeypatch.setattr(tile_fuse, "plan_layouts", plan)
    ascend_opt.compile(BOTTLENECK, target="ascend910", tune=1)
    assert max(seen) > 0


def test_tiles_are_timed_with_the_layouts():
    """Kernels that are compiled alone to time their tiles have the tensors' layouts."""
    program = ascend_opt.compile(BOTTLENECK, target="ascend910b", tune=3)
    assert "NC1HWC0" in {record.layout for record in layouts(program)}
    assert error(program) <= 3e-3
