"""Kernels that move rows of no whole 32 B blocks: the time that the search predicts is that of the instructions which
are emitted, and small ones are shared by several cores."""

from functools import cache

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.vector.tiling import search_vector, vector_time
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.selection.transfers import Run, fold, transfers
from ascend_opt.passes.support.module import kernel_ops

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
ROWS = {
    "few": ("2x3x50x24", "transpose(%x) {perm = [0, 2, 1, 3]}"),
    "many": ("8x6x200x24", "transpose(%x) {perm = [0, 2, 1, 3]}"),
    "blocks": ("8x6x200x32", "transpose(%x) {perm = [0, 2, 1, 3]}"),
    "long": ("4x3x20x332", "transpose(%x) {perm = [0, 2, 1, 3]}"),
    "channels": ("1x64x30x26", "slice(%x) {starts = [5], ends = [61], axes = [1]}"),
}


def _text(name: str) -> str:
    shape, op = ROWS[name]
    return f"graph @rows(%x: tensor<{shape}xf16>) {{\n  %y = {op}\n  return %y\n}}"


def _regions(name: str) -> Regions:
    module = read_module(_text(name)).module
    return group_regions(kernel_ops(next(op for op in module.walk() if isinstance(op, FuncOp))))


@cache
def _program(name: str, chip: str) -> Program:
    return ascend_opt.compile(_text(name), target=chip, tune=1)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ROWS)
def test_the_predicted_time_is_that_of_what_is_emitted(name: str, chip: str):
    target, regions = load_target(chip), _regions(name)
    tiling = search_vector(regions, target)
    predicted = target.microseconds(vector_time(regions, tiling, target))
    (kernel,) = _program(name, chip).time().kernels
    assert kernel.time_us / 1.3 <= predicted <= 1.3 * kernel.time_us


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ROWS)
def test_several_cores_share_what_one_could_hold(name: str, chip: str):
    program = _program(name, chip)
    cores = [op.cores.value.data for op in program.module.walk() if isinstance(op, ascend.KernelOp)]
    assert min(cores) > 1


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ROWS)
def test_values(name: str, chip: str):
    program = _program(name, chip)
    shape = tuple(map(int, ROWS[name][0].split("x")))
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float16)
    expected = program.reference({"x": x})
    found = program.run({"x": x}).outputs
    assert all(np.array_equal(found[name], expected[name]) for name in expected)


def test_rows_that_go_on_alike_are_bursts_of_one_instruction():
    chip = load_target("ascend910b")
    rows = [Run(50, 72, 96), Run(3, 24, 32)]
    assert transfers(chip, rows, 24, 2).instructions == 1
    assert transfers(chip, rows, 24, 2).bursts == 150
    apart = [Run(50, 72, 128), Run(3, 24, 32)]
    assert transfers(chip, apart, 24, 2).instructions == 50
    most = chip.dma.max_blocks
    long = [Run(2, most * 24, most * 32), Run(most, 24, 32)]
    assert fold(lambda a, b: 0, long, chip, 2) == long


def test_rows_between_blocks_are_moved_in_turns():
    """Every second row of 48 B is whole blocks away, on a chip whose bursts are whole blocks."""
    rows = [Run(50, 72, 96), Run(3, 24, 32)]
    found = transfers(load_target("ascend910"), rows, 24, 2)
    assert (found.instructions, found.bursts, found.length) == (2, 75, 32)
