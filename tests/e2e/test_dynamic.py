"""Graphs whose first dimension is dynamic: compiled once, run at several sizes, among them 1 and less than a tile."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sized_inputs import inputs_at
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program
from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.passes.analysis.trace_sizes import at_size, telling_sizes
from ascend_opt.runtime.support.hazard import ProgramError

Arrays = dict[str, np.ndarray[Any, Any]]
CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
SIZES = (1, 3, 33)
GRAPHS = {
    "flat": ("%x: tensor<?x7xf16>, %y: tensor<?x7xf16>", "%0 = add(%x, %y)", "%z = relu(%0)"),
    "channels": ("%x: tensor<?x10x7x7xf16>, %b: tensor<10xf16>", "%0 = bias_add(%x, %b)", "%z = exp(%0)"),
    "rows": ("%x: tensor<?x3x70xf16>, %g: tensor<70xf16>, %b: tensor<70xf16>", "%z = layer_norm(%x, %g, %b)"),
    "product": (
        "%x: tensor<?x70xf16>, %w: tensor<70x100xf16> {weight}, %b: tensor<100xf16>, %r: tensor<?x100xf16>",
        "%0 = matmul(%x, %w)", "%1 = bias_add(%0, %b)", "%2 = add(%1, %r)", "%z = gelu(%2)",
    ),
    "batched product": (
        "%x: tensor<?x20x32xf16>, %y: tensor<?x32x24xf16>", "%0 = matmul(%x, %y)", "%z = relu(%0)"
    ),
    "convolution": (
        "%x: tensor<?x16x9x9xf16>, %w: tensor<24x16x3x3xf16> {weight}, %b: tensor<24xf16>",
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}", "%1 = bias_add(%0, %b)", "%z = leaky_relu(%1)",
    ),
    "pooling": ("%x: tensor<?x20x9x9xf16>", "%z = max_pool2d(%x) {kernel = [3, 3], strides = [2, 2]}"),
    "transposed": ("%x: tensor<?x48x99xf16>", "%z = transpose(%x) {perm = [0, 2, 1]}"),
    "repeated": ("%x: tensor<?x6x5xf16>", "%0 = relu(%x)", "%z = tile(%0) {repeats = [1, 3, 2]}"),
    "kernels": (
        (
            "%x: tensor<?x48xf16>, %w: tensor<48x96xf16> {weight}, %v: tensor<96x48xf16> {weight}, "
            "%g: tensor<48xf16>, %b: tensor<48xf16>"
        ),
        "%0 = matmul(%x, %w)", "%1 = gelu(%0)", "%2 = matmul(%1, %v)", "%3 = add(%2, %x)",
        "%z = layer_norm(%3, %g, %b)",
    ),
    "rows before a product": (
        "%x: tensor<?x2x1x2xf16>, %g: tensor<2xf16>, %b: tensor<2xf16>, %w: tensor<1x2xf16>",
        "%0 = instance_norm(%x, %g, %b) {epsilon = 1e-2}", "%z = matmul(%0, %w) {transpose_b = true}",
    ),
}  # fmt: skip
"""Whether every graph runs on every chip, at more sizes; else each on one coupled chip and one split one."""
CASES = [
    (graph, chip)
    for i, graph in enumerate(GRAPHS)
    for chip in (CHIPS if ALL else (CHIPS[i % 2], CHIPS[2 + i // 2 % 2]))
]


def text_of(graph: str) -> str:
    arguments, *body = GRAPHS[graph]
    return f"graph @f({arguments}) {{\n" + "\n".join(body) + "\nreturn %z }"


def check(program: Program, size: int) -> None:
    """Runs with hazards on and compares every output with the reference."""
    inputs = inputs_at(program, size)
    result, reference = program.run(inputs), program.reference(inputs)
    for name, found in result.outputs.items():
        got, want = found.astype(np.float64), np.asarray(reference[name], np.float64)
        assert got.shape == want.shape and got.shape[0] == size
        assert np.linalg.norm(got - want) <= 4e-3 * np.linalg.norm(want), (name, size)


@cache
def compiled(graph: str, chip: str = "ascend910b") -> Program:
    return ascend_opt.compile(text_of(graph), target=chip, tune=1)


@pytest.mark.parametrize("graph, chip", CASES)
def test_one_program_runs_at_every_size(graph: str, chip: str) -> None:
    program = compiled(graph, chip)
    before = str(program.module)
    for size in (*SIZES, 2, 15, 16, 17, 64, 257) if ALL else SIZES:
        check(program, size)
    assert str(program.module) == before


def test_unfused_runs_too() -> None:
    """A flat kernel whose tiles are whole at every size, many to a core: slots are used again."""
    text = "graph @f(%x: tensor<?x32x14x14xf16>) {\n%z = leaky_relu(%x)\nreturn %z }"
    program = ascend_opt.compile(text, target="ascend910", tune=1, fuse=False)
    for size in (1, 17):
        check(program, size)


@pytest.mark.parametrize(
    "lines",
    [
        ("%s = reduce_sum(%b) {axes = [0], keep_dims = true}", "%z = add(%x, %s)"),
        ("%s = reduce_max(%b) {axes = [0]}", "%t = exp(%s)", "%z = mul(%x, %t)"),
    ],
)
def test_values_of_static_size_beside_dynamic_ones(lines: tuple[str, ...]) -> None:
    """A row that is reduced comes before the dynamic dimension, and a number has no dimensions."""
    body = "\n".join(lines)
    text = f"graph @f(%x: tensor<?x6x5xf16>, %b: tensor<16xf16>) {{\n{body}\nreturn %z }}"
    check(ascend_opt.compile(text, target="ascend950", tune=1), 3)


def test_columns_of_one_element_of_some_of_a_tiles_rows() -> None:
    """The rows of a tile that the size does not have are turned, too."""
    angles = "%c: tensor<48x1xf16>, %s: tensor<48x1xf16>"
    text = f"graph @f(%x: tensor<?x4x48x2xf16>, {angles}) {{\n%z = rope(%x, %c, %s)\nreturn %z }}"
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    for size in (1, 33):
        check(program, size)


def test_a_number_of_all_channels_before_a_product() -> None:
    """The product reduces the channels in parts, so that the number is computed by a kernel before."""
    text = """graph @f(%x: tensor<?x8x6x5xf16>, %w: tensor<32x8x1x1xf16> {weight}) {
      %m = reduce_max(%x) {axes = [1, 2, 3], keep_dims = true}
      %s = sub(%m, %x)
      %y = conv2d(%s, %w)
      return %y
    }"""
    check(ascend_opt.compile(text, target="ascend910", tune=1), 3)


@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
def test_a_matrix_of_static_size_before_a_dynamic_product_and_another_op(chip: str) -> None:
    """The matrix could be computed in both kernels; how long the product takes is not known."""
    text = """graph @f(%x: tensor<?x8x2x24x6xf16>, %w: tensor<24x31xf32>) {
      %t = transpose(%x) {perm = [0, 1, 2, 4, 3]}
      %h = cast(%w) {to = f16}
      %p = matmul(%t, %h)
      %m = reduce_max(%h) {axes = [0, 1]}
      %y = mul(%p, %m)
      return %y
    }"""
    check(ascend_opt.compile(text, target=chip, tune=1), 3)


@pytest.mark.full
def test_rows_that_are_computed_more_at_a_time_than_there_are() -> None:
    """At the smallest of the sizes; the tiling is that of a larger one, whose parts have 32 rows."""
    text = """graph @f(%x: tensor<?x16x33xf16>, %w: tensor<33x32xf16> {weight}, %b: tensor<32xf16> {weight}) {
      %n = layer_norm(%x)
      %p = matmul(%n, %w)
      %y = bias_add(%p, %b) {axis = -1}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    for size in (1, 33):
        check(program, size)


def test_rows_that_dynamic_indices_pick() -> None:
    text = (
        "graph @f(%i: tensor<?xi32>, %t: tensor<50x32xf16> {weight}) {\n"
        "%0 = gather(%t, %i)\n%z = relu(%0)\nreturn %z }"
    )
    program = ascend_opt.compile(text, tune=1)
    table = np.random.default_rng(1).standard_normal((50, 32)).astype(np.float16)
    for size in (1, 37):
        picked = np.random.default_rng(size).integers(0, 50, size).astype(np.int32)
        found = program.run(i=picked, t=table).outputs["output0"]
        assert np.array_equal(found, np.maximum(table[picked], 0))


@pytest.mark.parametrize(
    ("sizes", "op"),
    [
        ("1x13", "max_pool1d(%x) {kernel = [3], strides = [2], pads = [1, 2]}"),
        ("1x10", "avg_pool1d(%x) {kernel = [2]}"),
        ("1x4x6", "max_pool2d(%x) {kernel = [2, 2]}"),
    ],
)
def test_images_of_one_channel_lie_end_to_end_in_whole_blocks(sizes: str, op: str) -> None:
    """The lanes are those of the dynamic dimension, and a tile of few small images is no whole block."""
    program = ascend_opt.compile(
        f"graph @f(%x: tensor<?x{sizes}xf16>) {{\n  %y = {op}\n  return %y\n}}", "ascend910"
    )
    for size in (1, 2, 9, 17):
        check(program, size)


def test_kernels_that_are_alike_share_a_tiling_function() -> None:
    text = "graph @f(%x: tensor<?x40xf16>) {\n%0 = softmax(%x)\n%z = softmax(%0)\nreturn %z }"
    program = ascend_opt.compile(text, tune=1, fuse=False)
    assert (
        str(program.module).count("ascend.kernel @") == str(program.module).count(".tiling(%n: index)") == 1
    )
    check(program, 37)


def test_time_follows_the_size() -> None:
    program = compiled("rows")
    times = [program.time(size).total_us for size in (1, 100, 10000)]
    assert times[0] < times[1] < times[2]
    assert times[2] > 5 * times[1]
    assert program.typical_size == 8
    assert program.time().total_us == program.time(8).total_us


def test_fewer_blocks_than_cores_are_launched() -> None:
    """Every block has a tile: a launch for one row has one block, which costs less than all."""
    program = compiled("rows")
    one, many = (program.time(size).kernels[0] for size in (1, 10000))
    assert one.cores == 1 < many.cores
    assert one.launch_us < many.launch_us


def test_tiles_follow_the_stated_sizes() -> None:
    """With one size to tile for the kernel is as fast there as a static one, within the tail's arithmetic."""
    text = text_of("product")
    for size in (1, 256):
        dynamic = ascend_opt.compile(text, tune=1, dynamic_sizes=[size]).time(size)
        static = ascend_opt.compile(text.replace("?", str(size)), tune=1).time()
        assert dynamic.total_us < 1.15 * static.total_us


def test_workspace_follows_the_size() -> None:
    """Tensors between kernels share bytes at every size, and no two meet that are alive together."""
    program = ascend_opt.compile(text_of("kernels"), "ascend910", fuse=False, tune=1)
    rooms = [program.time(size).workspace for size in (1, 100, 1000)]
    for room in rooms:
        assert room is not None and 0 < room.peak < room.apart
    peaks = [room.peak for room in rooms if room is not None]
    assert peaks[2] > 5 * peaks[1] > 5 * peaks[0]
    check(program, 100)


def test_saved_program_runs_at_any_size(tmp_path: Path) -> None:
    program = ascend_opt.compile(text_of("product"), tune=1, dynamic_sizes=[4, 16])
    program.save(tmp_path / "p")
    loaded = ascend_opt.load(tmp_path / "p")
    check(loaded, 5)
    assert loaded.typical_size == 16 and tuple(loaded.sizes) == (4, 16)


def test_traced_launches_use_every_slot_again() -> None:
    """The launches that synchronisation looks at: one tile that is not whole, and cores with more tiles than slots."""
    program = compiled("flat")
    (kernel,) = (op for op in program.module.body.block.ops if isinstance(op, KernelOp))
    launches = telling_sizes(kernel, 3)
    assert at_size(kernel, 1) == launches[0] and launches[0].blocks == 1
    most = max(one.numbers[1] / one.blocks for one in launches)
    assert most >= 3 + 2 and any(one.blocks < one.numbers[1] < 2 * one.blocks for one in launches)


WRONG: dict[str, Callable[[Arrays], Arrays]] = {
    "3 in input 'x' and 2 in input 'r'; it is one size in all inputs": lambda i: i | {"r": i["r"][:2]},
    "input 'x' must have shape ?x70, got 3x5": lambda i: i | {"x": i["x"][:, :5]},
    "input 'x' must have shape ?x70, got 0x70": lambda i: i | {"x": i["x"][:0], "r": i["r"][:0]},
}


@pytest.mark.parametrize("said", WRONG)
def test_wrong_sizes_are_told(said: str) -> None:
    program = compiled("product")
    with pytest.raises(ProgramError) as error:
        program.run(WRONG[said](inputs_at(program, 3)))
    assert said in str(error.value)


def test_wrong_size_arguments_are_told() -> None:
    program = compiled("rows")
    with pytest.raises(ProgramError, match="the dynamic dimension is 3 in the inputs, not 4"):
        program.run(inputs_at(program, 3), size=4)
    with pytest.raises(ProgramError, match="the dynamic size is 1 or more, not 0"):
        program.time(0)
    with pytest.raises(ValueError, match="dynamic sizes are 1 or more, not 0"):
        ascend_opt.compile(text_of("rows"), dynamic_sizes=[0])
    static = ascend_opt.compile(text_of("rows").replace("?", "2"), tune=1)
    with pytest.raises(ProgramError, match="has no dynamic dimension: it takes no size"):
        static.time(2)


@pytest.mark.parametrize(
    "text, said",
    [
        ("%z = softmax(%x) {axis = 0}", "results depend on all of the dynamic dimension of x"),
        ("%z = reduce_sum(%x) {axes = [0]}", "results depend on all of the dynamic dimension of x"),
        ("%z = matmul(%x, %x) {transpose_a = true}", "results depend on all of the dynamic dimension of a"),
        ("%z = slice(%x) {starts = [0], ends = [1]}", "results depend on all of the dynamic dimension of x"),
        ("%y = slice(%x) {starts = [0], ends = [1]} %z = relu(%y)", "all of the dynamic dimension of x"),
    ],
)
def test_what_mixes_sizes_is_refused_at_its_line(text: str, said: str) -> None:
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(f"graph @f(%x: tensor<?x16xf16>) {{\n{text}\nreturn %z }}", tune=1)
    assert said in str(error.value) and ":2:" in str(error.value)
