"""What a tile's steps ask of HBM: shares of the mean that add up to it."""

import itertools
import math

import pytest
from pytest import approx

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.product.operand_costs import rounds_of_new_rows, rows_alike, together
from ascend_opt.passes.kernels.product.operand_reads import Fetch, Reads
from ascend_opt.passes.kernels.product.problem import problem_of
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops

COLD, WARM = Fetch(100.0, 40.0, 330.0), Fetch(80.0, 0.0, 180.0)


def test_a_shorter_last_step_asks_for_less():
    reads = Reads(COLD, WARM, COLD, tiles=1, steps=3, end=0.75)
    asked = [reads.at(0, step).asked for step in range(3)]
    assert asked == approx([45, 45, 30])
    assert reads.at(0, 3) is WARM


def test_the_first_tile_of_an_image_reads_lines_of_the_next():
    reads = Reads(COLD, WARM, COLD, tiles=4, steps=1, first=1.6, inner=2)
    asked = [reads.at(tile, 0).asked for tile in range(4)]
    assert asked == approx([64, 16, 64, 16])


def test_steps_read_what_lines_hold_for_several():
    reads = Reads(COLD, WARM, COLD, tiles=1, steps=4, every=2)
    assert [reads.at(0, step) for step in range(4)] == [COLD, WARM, COLD, WARM]


@pytest.mark.parametrize("cores", [4, 8, 16])
@pytest.mark.parametrize(("columns", "swizzle"), [(1, 1), (1, 2), (1, 8), (4, 1), (4, 2), (4, 4)])
def test_cores_share_the_matrices_that_their_walk_says(columns: int, swizzle: int, cores: int):
    """16 matrices of 4 tiles of rows: where a tile has all columns, a band is of so many matrices."""
    text = f"graph @f(%x: tensor<16x256x64xf16>, %w: tensor<16x64x{64 * columns}xf16>) {{"
    ops = kernel_ops(choose_function(read_module(text + " %y = matmul(%x, %w) return %y }").module, None))
    problem = problem_of(group_regions(ops), False, load_target("ascend310p"))
    grid = [size for size in (16, 4, columns) if size > 1]
    height, width = grid[-2], grid[-1]
    walk = [
        (*outer, band + row, column)
        for outer in itertools.product(*map(range, grid[:-2]))
        for band in range(0, height, swizzle)
        for column in range(width)
        for row in range(min(swizzle, height - band))
    ]
    matrices = {point[0] for point in walk[:cores]}
    at_work = {point if columns == 1 else point[:-1] for point in walk[:cores]}
    rows, _ = together(problem, (1, 64, 64), cores, swizzle)
    assert rows == len(at_work)
    assert rows_alike(problem, (1, 64, 64), rows, swizzle) == max(1, len(at_work) // len(matrices))


@pytest.mark.parametrize("cores", [3, 8, 24])
@pytest.mark.parametrize("swizzle", [1, 2, 4])
@pytest.mark.parametrize("shape", ["2048x3072", "3x512x96"])
def test_the_rounds_that_begin_rows_are_those_of_the_walk(shape: str, swizzle: int, cores: int):
    """Bands of rows, column by column, a tile for each core in each round."""
    depth = shape.rpartition("x")[2]
    text = f"graph @f(%x: tensor<{shape}xf16>, %w: tensor<{depth}x768xf16>) {{"
    ops = kernel_ops(choose_function(read_module(text + " %y = matmul(%x, %w) return %y }").module, None))
    problem = problem_of(group_regions(ops), False, load_target("ascend310p"))
    tiles = tuple(
        1 if d in problem.roles.batch else size for d, size in enumerate((*problem.extents[:-2], 128, 256))
    )
    *planes, rows, columns = [-(-e // t) for e, t in zip(problem.extents, tiles, strict=True)]
    walk = [
        (plane, band + row)
        for plane in range(math.prod(planes))
        for band in range(0, rows, swizzle)
        for _ in range(columns)
        for row in range(min(swizzle, rows - band))
    ]
    assert len(walk) == math.prod(planes) * rows * columns
    first = {row: i // cores for i, row in reversed(list(enumerate(walk)))}
    assert rounds_of_new_rows(problem, tiles, cores, swizzle) == set(first.values())


def test_rows_that_come_with_columns_wait_for_hbm():
    """In the second round of eight cores both new rows and the last new columns come: tiles without that are faster."""
    text = """graph @f(%x: tensor<2048x3072xf16>, %v: tensor<3072x768xf16> {weight}) {
      %y = matmul(%x, %v) MARK
      return %y
    }"""
    stated = marked_us(text, "ascend310p", '{tile = [128, 256], tiling = "swizzle=4"}')
    assert marked_us(text, "ascend310p") <= stated * 0.96


def marked_us(text: str, chip: str, mark: str = "") -> float:
    """What a graph takes with some attributes in the place of MARK."""
    return ascend_opt.compile(text.replace("MARK", mark), chip).time().total_us


def predicted_us(program: ascend_opt.Program) -> float | None:
    """What the program's only kernel is predicted to take."""
    assert program.plan is not None
    (function,) = program.plan.functions.values()
    (kernel,) = function.kernels
    return kernel.predicted_us


def test_short_steps_leave_channels_of_hbm_without_a_request():
    """16 cores that ask for 64 lines each keep fewer channels at work than where each asks for 192."""
    text = """graph @f(%x: tensor<1x14336xf16>, %w: tensor<14336x4096xf16> {weight}) {
      %y = matmul(%x, %w) MARK
      return %y
    }"""

    def program(mark: str) -> ascend_opt.Program:
        return ascend_opt.compile(text.replace("MARK", mark), "ascend910b")

    chosen, short = program(""), program('{tile = [1, 256], cores = 16, tiling = "step=64"}')
    assert chosen.time().total_us < short.time().total_us * 0.97
    assert predicted_us(short) == approx(short.time().kernels[0].time_us, rel=0.02)


@pytest.mark.parametrize(("chip", "off"), [("ascend910b", 0.06), ("ascend950", 0.09)])
@pytest.mark.parametrize("rows", [16, 32, 64])
def test_halves_that_rotate_are_read_each(rows: int, chip: str, off: float):
    """A tile of rows that rotate reads six tensors, or parts of them, a request a row. L2 has what it reads again: on
    the 950 that takes the port longer than what comes from HBM."""
    text = f"""graph @f(%x: tensor<64x512xf16>, %cos: tensor<64x32xf16>, %sin: tensor<64x32xf16>) {{
      %h = reshape(%x) {{shape = [64, 8, 64]}}
      %t = transpose(%h) {{perm = [1, 0, 2]}}
      %y = rope(%t, %cos, %sin) {{tile = [1, {rows}, 64]}}
      return %y
    }}"""
    program = ascend_opt.compile(text, chip)
    assert predicted_us(program) == approx(program.time().total_us, rel=off)


def test_parts_that_are_joined_are_read_once_each():
    """A tile of whole rows reads a third of them from each tensor."""
    text = """graph @f(%a: tensor<512x768xf16>, %b: tensor<512x768xf16>, %c: tensor<512x768xf16>) {
      %x = concat(%a, %b, %c) {axis = 1}
      %y = exp(%x)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert predicted_us(program) == approx(program.time().total_us, rel=0.05)


def test_what_vector_cores_bring_keeps_hbm_at_work():
    """Their short reads of an image are under way beside those of the Cube core: with channels of HBM that wait in its
    price fewer cores are taken, which take 4 % longer."""
    text = """graph @f(%x: tensor<1x1024x14x14xf16>, %w: tensor<256x1024x1x1xf16> {weight}) {
      %y = conv2d(%x, %w) MARK
      return %y
    }"""
    stated = marked_us(text, "ascend910b", '{tile = [1, 128, 7, 14], cores = 4, tiling = "step=128"}')
    assert marked_us(text, "ascend910b") < stated * 0.97


def test_short_reads_of_all_cores_are_in_the_price_of_sums():
    """48 cores that read 5.5 KiB at a time leave channels of HBM without a request: larger tiles are faster."""
    text = """graph @f(%x: tensor<8x64x56x56xf16>, %z: tensor<8x64x56x56xf16>) {
      %y = add(%x, %z)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert predicted_us(program) == approx(program.time().total_us, rel=0.04)
