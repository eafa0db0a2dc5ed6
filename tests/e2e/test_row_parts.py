"""Rows that no tile holds in full: met part by part, in one reading or more, in one kernel."""

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fused_graphs import check
from row_graphs import GRAPHS, PAIRS, text_of
from stored_tiles import kernel_of, stored_tiles

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import tile

SHAPES = ((3, 4001), (17, 3000), (2, 3, 17, 190), (4000,), (5, 40, 130), (1, 4096))
CASES = [*itertools.product(GRAPHS, SHAPES, PAIRS)]


@pytest.fixture
def small(tmp_path: Path) -> Callable[[str], str]:
    """A chip by its name, with a UB so small that rows of some thousand elements do not fit."""

    def chip(name: str) -> str:
        file = tmp_path / f"{name}.toml"
        file.write_text(
            f'extends = "{name}"\nname = "{name}-small"\n[spaces]\nub = {{ bytes = 40960, align = 32 }}\n'
        )
        return str(file)

    return chip


def streams(program: Program) -> list[tile.StreamOp]:
    return [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.StreamOp)]


@pytest.mark.sweep(41)
@pytest.mark.parametrize(("name", "shape", "pair"), CASES)
def test_values(name: str, shape: tuple[int, ...], pair: tuple[str, str], small: Callable[[str], str]):
    chip, dtype = pair
    program, result = check(text_of(name, shape, dtype), small(chip), dtype, scale=1.0)
    if len(GRAPHS[name]) == 1:
        assert len(result.profile.kernels) == 1, program


ONE = {
    "a reduction": (["%y = reduce_max(%x) {axes = [-1]}"], 1),
    "softmax": (["%y = softmax(%x)"], 2),
    "element by element around": (["%t = add(%x, %x)", "%n = softmax(%t)", "%y = relu(%n)"], 2),
    "what is left of the mean": (
        ["%m = reduce_mean(%x) {axes = [-1], keep_dims = true}", "%t = sub(%x, %m)", "%y = abs(%t)"], 2
    ),
    "one after the other": (["%t = softmax(%x)", "%y = rms_norm(%t, %g)"], 3),
    "the place of the largest": (["%y = argmax(%x)"], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE)
def test_rows_are_read_as_often_as_needed(name: str, small: Callable[[str], str]):
    """Forced into one kernel, whose report says how often it reads the rows."""
    lines, readings = ONE[name]
    marked = [
        f'{line[:-1]}, fuse = "a"}}' if line.endswith("}") else f'{line} {{fuse = "a"}}' for line in lines
    ]
    body = "\n  ".join(marked)
    text = f"graph @f(%x: tensor<6x5000xf16>, %g: tensor<5000xf16>) {{\n  {body}\n  return %y\n}}"
    program, result = check(text, small("ascend910b1"), scale=1.0)
    (kernel,) = result.profile.kernels
    rows = 6 * 5000 * 2
    assert kernel.dma_read_bytes >= readings * rows
    assert f"reads %x: {readings} x {rows} B" in program.report()
    said = f"({readings} readings of rows that come part by part)"
    assert (said in program.report()) == (readings > 1)


def test_what_rows_are_scaled_by_comes_with_the_last_reading(small: Callable[[str], str]):
    text = """graph @f(%x: tensor<6x5000xf32>, %g: tensor<5000xf32>, %b: tensor<5000xf32>) {
      %y = layer_norm(%x, %g, %b)
      return %y
    }"""
    program, _ = check(text, small("ascend910b1"), "f32", scale=1.0)
    readings = [
        sum(isinstance(op, tile.LoadOp) for op in stream.body.block.ops)
        for stream in streams(program)
        if stream.first.value.data == 0
    ]
    assert readings == [1, 3]


def test_a_further_reading_counts_where_fusion_is_weighed(small: Callable[[str], str]):
    """add and softmax apart move 7 times the rows, one kernel that reads two operands twice 5 times."""
    arguments = "%x: tensor<6x5000xf16>, %r: tensor<6x5000xf16>"
    text = f"graph @f({arguments}) {{\n  %t = add(%x, %r)\n  %y = softmax(%t)\n  return %y\n}}"
    report = ascend_opt.compile(text, target=small("ascend910b1"), tune=1).report()
    rows = 6 * 5000 * 2
    assert f"bytes {6 * rows} -> {5 * rows}" in report


def test_a_large_mean_costs_no_digits(small: Callable[[str], str]):
    """The variance of a row comes from what is left of each part without its own mean."""
    text = "graph @f(%x: tensor<3x4001xf32>) {\n  %y = layer_norm(%x)\n  return %y\n}"
    program = ascend_opt.compile(text, target=small("ascend910b1"), tune=1)
    assert streams(program)
    noise, trend = np.random.default_rng(0).standard_normal((3, 4001)), np.linspace(2995, 3005, 4001)
    x = (noise + trend).astype(np.float32)  # the mean of a part is not that of the row
    wide = x.astype(np.float64)
    want = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    (found,) = program.run({"x": x}).outputs.values()
    assert np.abs(found - want).max() < 2e-3


def test_rows_along_several_dimensions_are_streams_in_streams(small: Callable[[str], str]):
    text = 'graph @f(%x: tensor<9x16x3000xf16>) {\n  %y = reduce_sum(%x) {axes = [0, 2], fuse = "a"}\n  return %y\n}'
    program, _ = check(text, small("ascend910b1"))
    assert any(isinstance(op.parent_op(), tile.StreamOp) for op in streams(program))


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_tiles_in_numpy_make_the_result(chip: str, small: Callable[[str], str]):
    """The tile level means what the graph says, whatever the instructions are."""
    text = "graph @f(%x: tensor<2x3001xf16>) {\n  %y = softmax(%x)\n  return %y\n}"
    program = ascend_opt.compile(text, target=small(chip), tune=1)
    assert streams(program)
    x = np.random.default_rng(0).standard_normal((2, 3001)).astype(np.float16)
    (expected,) = program.reference({"x": x}).values()
    kernel = kernel_of(program)
    stored = stored_tiles(kernel, [x], expected.shape)
    np.testing.assert_allclose(stored, expected, atol=4e-3, rtol=4e-3)


def test_a_dynamic_number_of_long_rows(small: Callable[[str], str]):
    text = "graph @f(%x: tensor<?x4000xf16>) {\n  %y = softmax(%x)\n  return %y\n}"
    program = ascend_opt.compile(text, target=small("ascend910b1"), tune=1)
    for rows in (1, 7):
        x = np.random.default_rng(rows).standard_normal((rows, 4000)).astype(np.float16)
        (found,), (want,) = program.run({"x": x}).outputs.values(), program.reference({"x": x}).values()
        assert np.linalg.norm(found - want) <= 4e-3 * np.linalg.norm(want)


def test_what_cannot_be_met_part_by_part_says_why(small: Callable[[str], str]):
    text = """graph @f(%x: tensor<2x3000xf16>, %z: tensor<2x3000xf16>) {
  %t = concat(%x, %z) {axis = 1, fuse = "a"}
  %y = softmax(%t) {fuse = "a"}
  return %y
}"""
    with pytest.raises(ascend_opt.CompileError, match=r":3:8: error: graph.softmax .*part by part: it joins"):
        ascend_opt.compile(text, target=small("ascend910b1"))


def test_few_long_rows_are_reduced_by_all_cores():
    """Parts of the rows first, in f32, then what they give; never slower than one kernel, by prediction."""
    text = "graph @f(%x: tensor<512x1024xf16>) {\n  %y = reduce_mean(%x)\n  return %y\n}"
    _, result = check(text, "ascend910b1", scale=1.0)
    first, second = result.profile.kernels
    assert first.cores > 8 and second.cores == 1
    assert first.ops == ("graph.cast", "graph.reduce_mean") and second.ops[-1] == "graph.cast"
    marked = text.replace("reduce_mean(%x)", 'reduce_mean(%x) {fuse = "a"}')
    (alone,) = ascend_opt.compile(marked, target="ascend910b1", tune=1).time().kernels
    assert alone.cores == 1
    assert sum(k.time_us + k.launch_us for k in (first, second)) < alone.time_us + alone.launch_us


def test_what_feeds_a_reduction_stays_with_it():
    text = "graph @f(%x: tensor<512x1024xf16>) {\n  %t = abs(%x)\n  %y = reduce_max(%t)\n  return %y\n}"
    _, result = check(text, "ascend910b1")
    assert len(result.profile.kernels) == 1


def test_a_few_f32_elements_are_stored_to_their_own_blocks():
    """Results of 4 B in tiles smaller than two blocks of 32 B: the next row, another core's, is not touched."""
    text = """graph @f(%x: tensor<4x25x40x700xf16>) {
  %c = cast(%x) {to = f32}
  %y = reduce_sum(%c) {axes = [1, 3]}
  return %y
}"""
    _, result = check(text, "ascend910")
    assert result.profile.kernels[0].cores > 1
