"""Graphs with a range of run-time sizes: a few variants and a function in IR that calls one of them."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sized_inputs import inputs_at
from sweeps import ALL
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.compiler.checks.kernel_check import KernelChecks
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.size_clock import EmulatorClock
from ascend_opt.passes.rewrites.size_dispatch import variants_called
from ascend_opt.passes.support.module import functions_of
from ascend_opt.passes.support.size_clock import timed_by
from ascend_opt.passes.support.size_ranges import cut, read_range, sample_sizes
from ascend_opt.runtime.support.hazard import ProgramError

Arrays = dict[str, np.ndarray[Any, Any]]
ROWS = """graph @f(%x: tensor<?x48xf16>, %w: tensor<48x96xf16> {weight}, %g: tensor<96xf16> {weight},
         %b: tensor<96xf16>) {
  %0 = matmul(%x, %w)
  %1 = layer_norm(%0, %g, %b)
  %z = relu(%1)
  return %z
}"""
NORM = """graph @f(%x: tensor<?x1024xf16>, %g: tensor<1024xf16> {weight}, %b: tensor<1024xf16> {weight}) {
  %z = layer_norm(%x, %g, %b)
  return %z
}"""


class Halves:
    """A clock by which a program suits sizes up to `most` times its smallest one."""

    def __init__(self, most: int):
        self.most = most

    def times(self, alone: ModuleOp, tiled: Sequence[int], at: Sequence[int]) -> Sequence[float]:
        slow = bool(tiled) and tiled[-1] > self.most * tiled[0]
        return [2.0 if slow else 1.0 for _ in at]


def compiled(text: str = ROWS, most: int = 8, **options: Any) -> Program:
    make_context()  # what times graphs in earnest is provided first
    with timed_by(lambda target: Halves(most)):
        return ascend_opt.compile(text, dynamic_range=(1, 64), **options)


def check(program: Program, size: int) -> None:
    inputs = inputs_at(program, size)
    watch = None if program.graph_module is None else KernelChecks(program, inputs)
    found, reference = program.run(inputs, watch=watch).outputs, program.reference(inputs)
    for name, array in found.items():
        got, want = array.astype(np.float64), np.asarray(reference[name], np.float64)
        assert got.shape == want.shape and got.shape[0] == size
        assert np.linalg.norm(got - want) <= 4e-3 * np.linalg.norm(want), (name, size)
    assert watch is None or watch.found


@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
def test_each_size_runs_in_the_variant_that_serves_it(chip: str) -> None:
    program = compiled(target=chip)
    names = {size: program.entered(size).sym_name.data for size in (1, 8, 9, 64, 500)}
    assert names == {1: "f.to_8", 8: "f.to_8", 9: "f.to_64", 64: "f.to_64", 500: "f.to_64"}
    for size in (1, 8, 9, 70):
        check(program, size)


@pytest.mark.full
def test_the_program_prints_and_is_read_again(tmp_path: Path) -> None:
    program = compiled()
    text = str(program.module)
    assert str(read_module(text).module) == text
    program.save(tmp_path / "p")
    loaded = ascend_opt.load(tmp_path / "p")
    assert (
        loaded.entered(3).sym_name.data == "f.to_8" and loaded.time(60).total_us == program.time(60).total_us
    )
    check(loaded, 9)
    lowered = ascend_opt.compile(text)
    assert lowered.time(3).total_us == program.time(3).total_us


def test_weights_that_variants_lay_out_alike_are_there_once() -> None:
    program = compiled()
    prepare = next(f for f in functions_of(program.module) if f.sym_name.data == "f.prepare")
    assert [op.name for op in prepare.body.block.ops].count("ascend.pack") == 1
    assert not any(f.sym_name.data.endswith("_8.prepare") for f in functions_of(program.module))


def test_one_that_suits_all_sizes_has_no_variants() -> None:
    program = compiled(most=64)
    (main,) = [f for f in functions_of(program.module) if f.sym_name.data == "f"]
    assert not variants_called(main) and program.typical_size == sample_sizes(1, 64)[6]
    check(program, 5)


def test_images_keep_blocks_between_kernels() -> None:
    """What lies between two convolutions is in blocks of channels at every size."""
    text = """graph @f(%x: tensor<?x32x14x14xf16>, %w: tensor<64x32x1x1xf16> {weight},
             %v: tensor<64x64x3x3xf16> {weight}) {
      %0 = conv2d(%x, %w)
      %1 = relu(%0)
      %2 = conv2d(%1, %v) {pads = [1, 1, 1, 1]}
      return %2
    }"""
    for chip in ("ascend910", "ascend310p", "ascend910b", "ascend950") if ALL else ("ascend910b",):
        program = ascend_opt.compile(text, chip)
        layout = "blocked 1 order [0, 1, 2, 3]>>"
        assert chip == "ascend950" or layout in str(compile_until(program, "tile")), chip
        for size in (1, 5):
            check(program, size)


@pytest.mark.skipif(not ALL, reason="ASCEND_OPT_ALL=1: compiles for each of ten sizes")
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
def test_no_size_is_much_slower_than_a_program_for_it_alone(chip: str) -> None:
    program = ascend_opt.compile(NORM, chip, dynamic_range=(1, 4096))
    for size in (1, 3, 10, 50, 129, 500, 777, 2000, 3000, 4096):
        alone = ascend_opt.compile(NORM.replace("?x1024", f"{size}x1024"), chip).time()
        assert program.time(size).total_us <= 1.1 * alone.total_us, size
        if size < 600:
            check(program, size)


def test_parts_are_as_long_as_the_share_allows() -> None:
    parts = cut(sample_sizes(1, 64), lambda some: some[-1] / some[0], 4)
    assert [part.samples for part in parts] == [(1, 2, 3, 4), (6, 8, 12, 16, 24), (32, 48, 64)]
    assert [part.loss for part in parts] == [4, 4, 2]


class Steps:
    """A clock by which a program takes two rounds from size 37 on, as long as no size behind that is a sample but its
    last ones, and a program for one size alone grows with it."""

    def times(self, alone: ModuleOp, tiled: Sequence[int], at: Sequence[int]) -> Sequence[float]:
        suits = any(37 <= n < 48 for n in tiled)
        return [10.0 + n / 100 + (1.3 if tiled and 37 <= n < 47 and not suits else 0.0) for n in at]


def test_sizes_between_samples_lose_no_more_than_is_allowed() -> None:
    """A size that does becomes a sample."""
    make_context()  # what times graphs in earnest is provided first
    with timed_by(lambda target: Steps()):
        program = ascend_opt.compile(ROWS, dynamic_range=(1, 64))
    added = {*program.run_sizes} - {*sample_sizes(1, 64)}
    assert len(added) == 1 and added < {*range(37, 47)}
    check(program, 37)


def test_a_size_that_loses_more_by_itself_loses_no_more_in_its_part() -> None:
    parts = cut((1, 2, 3, 4), lambda some: {1: 0.0, 2: 0.5, 3: 0.5, 4: 0.9}[max(some)], 0.1)
    assert [part.samples for part in parts] == [(1,), (2, 3), (4,)]


RANGE = "a range of sizes is two that ascend from 1 or more, and a step from one to the other"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"dynamic_range": (8, 1)},
            f"{RANGE}, not 8, 1",
        ),
        (
            {"dynamic_range": (0, 4)},
            f"{RANGE}, not 0, 4",
        ),
        ({"dynamic_range": (1, 4), "max_loss": -1.0}, "max-loss is a share of 0 or more, not -1"),
        ({"max_loss": 0.2}, "max-loss is about variants for a range of run-time sizes, and none is given"),
    ],
)
def test_ranges_that_make_no_sense_are_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ascend_opt.compile(ROWS, **given)


def test_a_graph_of_static_sizes_has_no_range() -> None:
    with pytest.raises(CompileError, match=r"no dimension of @f is dynamic"):
        ascend_opt.compile(ROWS.replace("?", "4"), dynamic_range=(1, 8))


@pytest.mark.parametrize("text", ["5", "1-", "a-b", "-4", "4-1"])
def test_texts_that_are_no_range(text: str) -> None:
    with pytest.raises(ValueError, match="a range of sizes is"):
        read_range(text)


IMAGES = """graph @f(%x: tensor<1x16x?x?xf16>, %w: tensor<32x16x3x3xf16> {weight}, %b: tensor<32xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %3 = max_pool2d(%2) {kernel = [2, 2], strides = [2, 2]}
  %z = reduce_mean(%3) {axes = [2, 3]}
  return %3, %z
}"""
ATTENTION = """graph @f(%x: tensor<1x?x64xf16> {pad = 0.0}, %m: tensor<1x1x?xf16> {pad = -60000.0},
         %w: tensor<64x64xf16> {weight}, %g: tensor<64xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %k = matmul(%x, %w)
  %t = transpose(%k) {perm = [0, 2, 1]}
  %s = matmul(%x, %t)
  %n = add(%s, %m)
  %p = softmax(%n)
  %a = matmul(%p, %x)
  %r = add(%a, %x)
  %z = layer_norm(%r, %g, %b)
  return %z
}"""


def close_to_reference(program: Program, size: int, sizes: Sequence[int]) -> None:
    """Runs at a size of dynamic dimensions anywhere, with hazards on; `sizes`: all that the dynamic results have."""
    inputs = inputs_at(program, size, 0.3)
    found, reference = program.run(inputs).outputs, program.reference(inputs)
    for name, array in found.items():
        got, want = array.astype(np.float64), np.asarray(reference[name], np.float64)
        assert got.shape == want.shape
        assert np.linalg.norm(got - want) <= 4e-3 * np.linalg.norm(want), (name, size)
    assert set(sizes) <= set(found["output0"].shape)


def test_height_and_width_have_a_variant_for_each_size(tmp_path: Path) -> None:
    program = ascend_opt.compile(IMAGES, dynamic_range=(16, 48, 16))
    for size in (16, 32, 48):
        assert program.entered(size).sym_name.data == f"f.to_{size}"
        close_to_reference(program, size, [size // 4])
        alone = ascend_opt.compile(IMAGES.replace("?", str(size))).time()
        assert program.time(size).total_us == alone.total_us
    assert str(read_module(str(program.module)).module) == str(program.module)
    program.save(tmp_path / "p")
    close_to_reference(ascend_opt.load(tmp_path / "p"), 32, [8])
    with pytest.raises(ProgramError, match="no variant serves the size 20; the next one is for 32"):
        program.time(20)


def test_a_sequence_is_padded_to_the_next_variant() -> None:
    """Keys past the run-time size are masked by what the graph says lies there, rows past it are cut."""
    make_context()
    with timed_by(lambda target: Halves(1)):
        program = ascend_opt.compile(ATTENTION, dynamic_range=(16, 64, 48))
    for size in (1, 5, 16):
        close_to_reference(program, size, [size])
    assert program.typical_size == 64
    assert "ascend.fit %x {value = 0.0" in str(program.module)
    with pytest.raises(ProgramError, match="no variant serves the size 65"):
        program.time(65)


def test_dimensions_of_one_size_are_one() -> None:
    program = ascend_opt.compile(IMAGES, dynamic_range=(16, 16))
    arrays = {name: np.zeros(one.at(16).shape, np.float16) for name, one in program.inputs.items()}
    with pytest.raises(ProgramError, match="input 'x': dimensions of one dynamic size are 16 and 32"):
        program.run(arrays | {"x": np.zeros((1, 16, 16, 32), np.float16)})


def test_what_needs_a_range_and_a_step_is_told() -> None:
    with pytest.raises(CompileError, match=r"only the first dimension .* a range of sizes with a step"):
        ascend_opt.compile(IMAGES)
    with pytest.raises(CompileError, match=r"224-640:1 are 417 sizes, at most 64 are; state a larger step"):
        ascend_opt.compile(IMAGES, dynamic_range=(224, 640))
    with pytest.raises(CompileError, match=r"graph\.conv2d: .*where \? is 1"):
        ascend_opt.compile(IMAGES.replace("pads = [1, 1, 1, 1], ", ""), dynamic_range=(1, 1))


def test_cores_that_small_sizes_do_not_fill_are_taken() -> None:
    """They may be stated for a range: a size with fewer tiles runs on fewer cores."""
    text = NORM.replace("layer_norm(%x, %g, %b)", "layer_norm(%x, %g, %b) {cores = 3}")
    program = ascend_opt.compile(text, dynamic_range=(1, 8))
    assert program.time(size=8).kernels[-1].cores == 3
    for size in (1, 2, 8):
        check(program, size)


def test_a_tile_that_no_size_has_is_refused_at_its_op() -> None:
    """The clock that chooses the parts finds no kernel for any of them."""
    text = NORM.replace("layer_norm(%x, %g, %b)", "layer_norm(%x, %g, %b) {tile = [4, 512]}")
    alone = read_module(text).module
    assert EmulatorClock("ascend910b").times(alone, (2, 4), (2, 4)) == [inf, inf]
    with pytest.raises(CompileError, match=r"<string>:2:8: error: .*no legal tiling has tiles 4x512"):
        ascend_opt.compile(text, dynamic_range=(2, 8))


def test_a_statement_that_one_size_refuses_names_the_size() -> None:
    text = "graph @f(%x: tensor<4x?x64xf16>) { %y = softmax(%x) {cores = 5} return %y }"
    with pytest.raises(
        CompileError, match="no legal tiling at run-time size 1 has cores 5: cores may be 1, 2, 4"
    ):
        ascend_opt.compile(text, dynamic_range=(1, 8))
