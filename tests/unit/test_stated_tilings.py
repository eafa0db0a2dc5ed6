"""Tiles that the graph states: honoured, or refused with what stands against them."""

import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.text.graph_printer import print_graph_text
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.runtime.profile.profile import Profile

CONVOLUTION = """
graph @f(%x: tensor<2x32x28x28xf16>, %w: tensor<64x32x3x3xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %conv = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %biased = bias_add(%conv, %b)
  %y = relu(%biased) {MARKS}
  return %y
}"""
ROWS = """
graph @f(%x: tensor<64x1024xf16>) {
  %e = exp(%x)
  %y = softmax(%e) {axis = 1, MARKS}
  return %y
}"""
ATTENTION = """
graph @f(%q: tensor<4x256x64xf16>, %k: tensor<4x256x64xf16>, %v: tensor<4x256x64xf16>) {
  %s = matmul(%q, %k) {transpose_b = true}
  %p = softmax(%s) {axis = -1}
  %y = matmul(%p, %v) {MARKS}
  return %y
}"""
CHAIN = """
graph @f(%x: tensor<1x64x56x56xf16>, %w: tensor<64x64x1x1xf16> {weight}, %v: tensor<64x64x1x1xf16> {weight}) {
  %a = conv2d(%x, %w) {fuse = "both"}
  %r = relu(%a) {fuse = "both"}
  %y = conv2d(%r, %v) {fuse = "both", MARKS}
  return %y
}"""


def compiled(text: str, marks: str, target: str = "ascend910b") -> ascend_opt.Program:
    return ascend_opt.compile(
        text.replace(", MARKS", f", {marks}" if marks else "").replace("MARKS", marks), target
    )


def tiling(program: ascend_opt.Program) -> dict[str, object]:
    assert program.plan is not None
    (kernel,) = program.plan.functions["f"].kernels
    assert kernel.tiling is not None
    return dict(kernel.tiling)


def right(program: ascend_opt.Program) -> Profile:
    """That the values are those of the reference, and no hazard is found; the profile."""
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(kind.shape) / 8 for name, kind in program.inputs.items()}
    result, wanted = program.run(inputs), program.reference(inputs)["output0"]
    given = result.outputs["output0"].astype(np.float32)
    assert np.linalg.norm(given - wanted) <= 3e-3 * np.linalg.norm(wanted)
    return result.profile


@pytest.mark.parametrize(
    ("text", "marks", "wanted"),
    [
        (CONVOLUTION, "tile = [1, 32, 5, 28]", {"tiles": [1, 32, 5, 28]}),
        (CONVOLUTION, "tile = [1, 64, 14, 28], cores = 3", {"tiles": [1, 64, 14, 28], "cores": 3}),
        (CONVOLUTION, 'tiling = "step=288, drain=false"', {"step": 288, "drain": False}),
        (ROWS, "tile = [3, 1024], cores = 7", {"tiles": [3, 1024], "cores": 7}),
        (ROWS, "cores = 2", {"cores": 2}),
        (ATTENTION, "tile = [1, 128, 64]", {"tiles": [1, 128, 64]}),
        (CHAIN, "tile = [1, 64, 2, 56]", {"tiles": [1, 64, 2, 56]}),
    ],
)
def test_what_is_stated_is_built(text: str, marks: str, wanted: dict[str, object]) -> None:
    program = compiled(text, marks)
    assert {name: tiling(program)[name] for name in wanted} == wanted
    assert tiling(compiled(text, "")) != tiling(program)
    right(program)


@pytest.mark.parametrize(
    ("text", "marks", "reason"),
    [
        (CONVOLUTION, "tile = [1, 60, 4, 28]", "columns, dimension 1, may be 16, 32, 64"),
        (CONVOLUTION, "tile = [1, 64, 29, 28]", "dimension 2 has 28 indices"),
        (CONVOLUTION, "tile = [2, 64, 4, 28]", "tiles have one matrix: 1 of dimension 0"),
        (CONVOLUTION, "tile = [1, 64, 4, 20]", "rows follow each other: 28 of dimension 3"),
        (CONVOLUTION, "tile = [1, 64, 28]", "the kernel has 4 dimensions, of 2x64x28x28"),
        (CONVOLUTION, "tile = [1, 64, 28, 28]", "the tile needs 200704 B of L0C (ascend910b has 131072 B)"),
        (CONVOLUTION, "cores = 25", "cores may be"),
        (CONVOLUTION, 'tiling = "step=250"', "step may be 144, 288"),
        (CONVOLUTION, 'tiling = "width=3"', "its tilings have no width"),
        (ROWS, "tile = [64, 1024]", "B of UB"),
        (ROWS, "tile = [3, 512]", "dimension 1 is whole in a tile: 1024"),
        (ATTENTION, "tile = [1, 7, 64]", "tiles may be"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(text: str, marks: str, reason: str) -> None:
    with pytest.raises(ascend_opt.CompileError, match=re.escape(reason)) as error:
        compiled(text, marks)
    assert error.value.diagnostic.line == text[: text.index("MARKS")].count("\n") + 1


def test_kernels_of_the_baselines_are_free() -> None:
    """What is said of a fused kernel does not hold for the kernels of its ops."""
    text = CONVOLUTION.replace("MARKS", "tile = [1, 32, 5, 28]")
    for fuse in (False, "library"):
        right(ascend_opt.compile(text, "ascend910b", fuse=fuse))


def test_prices_know_the_stated_tiles() -> None:
    """A kernel is predicted with the tiles that it gets: few cores take longer."""
    fewer, free = (compiled(CONVOLUTION, marks).plan for marks in ("tile = [1, 64, 14, 28], cores = 1", ""))
    assert fewer is not None and free is not None
    slow, fast = (plan.functions["f"].kernels[0].predicted_us for plan in (fewer, free))
    assert slow is not None and fast is not None and slow > 1.5 * fast


def test_reports_have_the_times_of_stated_tiles() -> None:
    """A kernel and the program that it is all of are said to take the same."""
    program = compiled(CONVOLUTION, "tile = [1, 64, 14, 28], cores = 1")
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    (said,) = report.to_json()
    (kernel,) = said["kernels"]
    assert kernel["time_us"] == pytest.approx(said["time_us_after"], abs=0.01)
    low, high = kernel["interval_us"]
    assert low <= kernel["time_us"] <= high


def test_a_group_may_state_its_tiling() -> None:
    text = """
    func.func @f(%x: tensor<64x1024xf16>) -> tensor<64x1024xf16> {
      %y = tile.group "k"(%a = %x) : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
           attributes {tile.tiling = {tiles = [4096], cores = 8}} {
        %e = graph.exp %a : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
        tile.yield %e : tensor<64x1024xf16>
      }
      func.return %y : tensor<64x1024xf16>
    }"""
    module = ascend_opt.compile(text, "ascend910b")
    assert module.time().kernels[0].cores == 8


def test_graph_text_has_the_marks_again() -> None:
    program = compiled(ROWS, 'tile = [3, 1024], cores = 7, layout = "rows"')
    assert program.graph_module is not None
    text = print_graph_text(program.graph_module)
    assert "tile = [3, 1024], cores = 7, layout = rows" in text


LAYERS = """
graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}, %v: tensor<64x64x3x3xf16> {weight}) {
  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1], nofuse, MARKS}
  %y = conv2d(%c, %v) {pads = [1, 1, 1, 1], nofuse}
  return %y
}"""


@pytest.mark.parametrize(("layout", "blocks"), [("rows", False), ("blocks", True)])
def test_layouts_are_stated(layout: str, blocks: bool) -> None:
    program = compiled(LAYERS, f'layout = "{layout}"')
    assert program.plan is not None
    assert (0 in program.plan.functions["f"].blocked) is blocks
    right(program)


def test_a_result_of_the_graph_lies_in_rows() -> None:
    text = CONVOLUTION.replace("MARKS", 'layout = "blocks"')
    with pytest.raises(ascend_opt.CompileError, match="relu: its result cannot lie in blocks: no product"):
        compiled(text, "")
    inner = CONVOLUTION.replace("bias_add(%conv, %b)", 'bias_add(%conv, %b) {layout = "rows"}')
    with pytest.raises(ascend_opt.CompileError, match="bias_add: its result stays on chip"):
        compiled(inner.replace(" {MARKS}", ""), "")


def test_marks_beside_the_graph_go_before_its_own() -> None:
    """What is given with the compilation holds, and what the graph says otherwise is reported."""
    said: list[str] = []
    text = ROWS.replace("MARKS", "cores = 4")
    marks = ["%y {cores = 2}", "%e {nofuse}"]
    program = ascend_opt.compile(text, "ascend910b", marks=marks, warn=lambda one: said.append(one.message))
    assert [kernel.cores for kernel in program.time().kernels][-1] == 2
    assert len(program.time().kernels) == 2
    assert said == ["%y: 'cores' is 4 : i64 in the graph; the one given here goes before it"]


NUMBERED = """
graph @f(%x: tensor<37x131xf16>, %w: tensor<131x77xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = relu(%0)
  %y_0, %y_1 = split(%1) {axis = 1, sizes = [40, 37]}
  return %y_0, %y_1
}
"""


def planned_tiles(program: ascend_opt.Program) -> list[list[int]]:
    """The tiles of the kernels of @f."""
    assert program.plan is not None
    return [(kernel.tiling or {})["tiles"] for kernel in program.plan.functions["f"].kernels]


@pytest.mark.parametrize("mlir", [False, True])
@pytest.mark.parametrize("marked", [0, 1])
def test_a_mark_is_for_the_result_that_is_named(mlir: bool, marked: int) -> None:
    """Of several of one op, by its name in the text, whatever the module calls it."""
    text = NUMBERED
    if mlir:
        text = """
        func.func @f(%x: tensor<37x77xf16>) -> (tensor<37x40xf16>, tensor<37x37xf16>) {
          %y_0, %y_1 = graph.split %x {axis = 1 : i64, sizes = array<i64: 40, 37>}
            : (tensor<37x77xf16>) -> (tensor<37x40xf16>, tensor<37x37xf16>)
          func.return %y_0, %y_1 : tensor<37x40xf16>, tensor<37x37xf16>
        }"""
    program = ascend_opt.compile(text, "ascend910b", marks=[f"%y_{marked} {{tile = [4, 20]}}"])
    assert [tiles == [4, 20] for tiles in planned_tiles(program)[-2:]] == [marked == 0, marked == 1]


def test_marks_of_several_results_are_one_for_each() -> None:
    marks = ["%y_1 {tile = [4, 20]}", "%y_0 {tile = [8, 20]}"]
    assert planned_tiles(ascend_opt.compile(NUMBERED, "ascend910b", marks=marks))[-2:] == [[8, 20], [4, 20]]


def test_values_that_are_numbered_are_marked() -> None:
    programs = [ascend_opt.compile(NUMBERED, "ascend910b", marks=marks) for marks in ([], ["%0 {nofuse}"])]
    assert [len(planned_tiles(program)) for program in programs] == [3, 4]


def test_a_later_mark_goes_before_an_earlier_one() -> None:
    said: list[str] = []
    marks = ["%1 {cores = 3}", "%1 {cores = 2}"]
    program = ascend_opt.compile(
        NUMBERED, "ascend910b", marks=marks, warn=lambda one: said.append(one.message)
    )
    assert program.time().kernels[0].cores == 2
    assert said == ["%1: 'cores' is 3 : i64 in an earlier --mark; the one given here goes before it"]
    with pytest.raises(ascend_opt.CompileError, match="'nofuse' and 'fuse' contradict each other"):
        ascend_opt.compile(NUMBERED, "ascend910b", marks=["%1 {nofuse}", '%1 {fuse = "q"}'])


def test_a_mark_of_what_has_no_op_of_its_own_is_ambiguous() -> None:
    text = "graph @f(%x: tensor<8x64xf16>) {\n%y, %z = topk(%x) {k = 3}\nreturn %y, %z\n}"
    with pytest.raises(ascend_opt.CompileError, match="%y is one of the 2 results of a topk"):
        ascend_opt.compile(text, "ascend910b", marks=["%y {tile = [4]}"])
    assert ascend_opt.compile(text, "ascend910b", marks=["%y {nofuse}"])


def test_a_module_has_no_numbers() -> None:
    with pytest.raises(
        ascend_opt.CompileError, match="no operation of the graph gives %0; numbers are names in"
    ):
        ascend_opt.compile(parse_graph_text(NUMBERED), "ascend910b", marks=["%0 {nofuse}"])


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ("y", "a mark is a value and attributes"),
        ("%z {cores = 2}", "no operation of the graph gives %z"),
        ("%y {core = 2}", "no mark is called 'core'; did you mean 'cores'?"),
        ("%y {cores = 0}", "'cores' is a number of cores, 1 or more"),
        ("%y {cores = }", "found '}'"),
        ('%y {fuse = "a", nofuse}', "contradict each other"),
    ],
)
def test_marks_that_make_no_sense_are_shown(mark: str, reason: str) -> None:
    with pytest.raises(ascend_opt.CompileError, match=re.escape(reason)) as error:
        ascend_opt.compile(ROWS.replace(", MARKS", ""), "ascend910b", marks=[mark])
    assert error.value.diagnostic.file == "--mark"
    assert error.value.diagnostic.source_line == mark


OPEN = """
graph @f(%x: tensor<?x256xf16>, %w: tensor<256x128xf16> {weight}) {
  %0 = matmul(%x, %w) {MARKS}
  %y = relu(%0)
  return %y
}"""


@pytest.mark.parametrize("cores", [4, 1])
def test_a_kernel_of_any_size_has_the_cores_that_are_stated(cores: int):
    text = OPEN.replace("MARKS", f"tile = [16, 64], cores = {cores}")
    program = ascend_opt.compile(text, target="ascend910b")
    x, w = (np.random.default_rng(0).standard_normal(shape, np.float32) for shape in ((100, 256), (256, 128)))
    (y,) = program.run(x=x.astype(np.float16), w=w.astype(np.float16)).outputs.values()
    np.testing.assert_allclose(y, np.maximum(x @ w, 0), atol=0.1)
    assert [kernel.cores for kernel in program.time(100).kernels] == [cores]
    with pytest.raises(ascend_opt.CompileError, match="cores may be 24"):
        ascend_opt.compile(text.replace(f"cores = {cores}", "cores = 30"), target="ascend910b")


def test_a_tile_may_be_larger_than_the_size_that_reports_go_by() -> None:
    """Of the sizes 1, 8 and 32 the largest has as many rows as the tile that is stated; no size has 64."""
    program = ascend_opt.compile(OPEN.replace("MARKS", "tile = [32, 64]"), target="ascend910b")
    x, w = (np.random.default_rng(0).standard_normal(shape, np.float32) for shape in ((70, 256), (256, 128)))
    (y,) = program.run(x=x.astype(np.float16), w=w.astype(np.float16)).outputs.values()
    np.testing.assert_allclose(y, np.maximum(x @ w, 0), atol=0.1)
    assert "tiles = [32, 64]" in str(compile_until(program, "tile"))
    with pytest.raises(ascend_opt.CompileError, match="dimension 0 has 32 indices"):
        ascend_opt.compile(OPEN.replace("MARKS", "tile = [64, 64]"), target="ascend910b")


def test_an_op_that_vanishes_leaves_what_it_states() -> None:
    text = """
    graph @f(%x: tensor<64x1024xf16>) {
      %e = exp(%x)
      %y = dropout(%e) {ratio = 0.1, tile = [2048]}
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert tiling(program)["tiles"] == [2048]
    right(program)
    with pytest.raises(ascend_opt.CompileError, match="dropout: states tile, but computes nothing"):
        ascend_opt.compile(text.replace("dropout(%e)", "dropout(%x)"), "ascend910b")


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910", "ascend310p"])
def test_tiles_of_one_core_that_have_rows_in_common(chip: str) -> None:
    """The Vector cores beside one Cube core are several: each row is written by the one whose tile it is first in."""
    text = """
    graph @f(%x: tensor<100x64xf16>, %w: tensor<64x128xf16>) {
      %p = matmul(%x, %w)
      %y = exp(%p) {MARKS}
      return %y
    }"""
    program = compiled(text, "tile = [64, 128], cores = 1", chip)
    assert (tiling(program)["tiles"], tiling(program)["cores"]) == ([64, 128], 1)
    right(program)
