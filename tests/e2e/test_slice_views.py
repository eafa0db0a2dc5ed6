"""Slices that are parts of the tensor that they are taken from: no kernel, the same values."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sweeps import ALL
from sync_mutants import mutants_of, survivors

import ascend_opt
from ascend_opt.compiler.checks.kernel_check import KernelChecks

CHIPS = ("ascend910", "ascend910b", "ascend310p", "ascend950")
Array = NDArray[Any]


def conv(x: Array, w: Array) -> Array:
    """A 1x1 convolution by its definition."""
    return np.einsum("nchw,oc->nohw", x.astype(np.float64), w[:, :, 0, 0].astype(np.float64))


def ran(text: str, chip: str, inputs: dict[str, Array]) -> tuple[list[Array], int]:
    """The results, hazards on, and how many kernels there were."""
    program = ascend_opt.compile(text, target=chip, tune=1, join_launches=False)
    result = program.run(inputs)
    outputs = [np.asarray(value, np.float64) for value in result.outputs.values()]
    return outputs, len(result.profile.kernels)


def close(found: Array, want: Array) -> bool:
    return bool(np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want))


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16)


HALVES = """graph @f(%x: tensor<1x96x16x24xf16>, %v: tensor<32x48x1x1xf16> {weight},
                    %w: tensor<32x48x1x1xf16> {weight}) {
  %p = max_pool2d(%x) {kernel = [2, 2], strides = [2, 2]}
  %a = slice(%p) {starts = [0], ends = [48], axes = [1]}
  %b = slice(%p) {starts = [48], ends = [96], axes = [1]}
  %y = conv2d(%a, %v)
  %z = conv2d(%b, %w)
  return %y, %z
}"""


def halves() -> dict[str, Array]:
    """Inputs of `HALVES`."""
    return {
        "x": random(1, 96, 16, 24),
        "v": random(32, 48, 1, 1, seed=1),
        "w": random(32, 48, 1, 1, seed=2),
    }


@pytest.mark.sweep(1)
@pytest.mark.parametrize("chip", CHIPS)
def test_halves_of_channels(chip: str):
    """Each half of an image's channels goes to a convolution of its own: two kernels, and that of the pool which gives
    the image."""
    given = halves()
    outputs, kernels = ran(HALVES, chip, given)
    x, v, w = given.values()
    pooled = x.reshape(1, 96, 8, 2, 12, 2).max(axis=(3, 5))
    assert close(outputs[0], conv(pooled[:, :48], v)) and close(outputs[1], conv(pooled[:, 48:], w))
    assert kernels == 3


@pytest.mark.sweep(1)
@pytest.mark.parametrize("chip", CHIPS if ALL else ("ascend910b", "ascend310p"))
def test_parts_of_indices(chip: str):
    """Rows of a tensor of indices pick rows of tables; the last one does not begin with a block."""
    text = """graph @f(%t: tensor<50x32xf16>, %i: tensor<3x8xi32>, %j: tensor<3x5xi32>) {
      %a = slice(%i) {starts = [2], ends = [3], axes = [0]}
      %b = reshape(%a) {shape = [8]}
      %y = gather(%t, %b)
      %c = slice(%j) {starts = [1], ends = [2], axes = [0]}
      %d = reshape(%c) {shape = [5]}
      %z = gather(%t, %d)
      return %y, %z
    }"""
    rng = np.random.default_rng(0)
    t = random(50, 32)
    i, j = (rng.integers(0, 50, (3, n)).astype(np.int32) for n in (8, 5))
    outputs, kernels = ran(text, chip, {"t": t, "i": i, "j": j})
    np.testing.assert_array_equal(outputs[0], t[i[2]])
    np.testing.assert_array_equal(outputs[1], t[j[1]])
    assert kernels == 3


def views_of_parts(program: ascend_opt.Program) -> list[str]:
    """The views of parts in the lowered program."""
    lines = str(program.module).split("\n")
    return [line for line in lines if "ascend.view_tensor" in line and "offset" in line]


def test_what_has_gaps_is_a_kernel():
    text = """graph @f(%t: tensor<50x32xf16>, %i: tensor<8x2xi32>) {
      %a = slice(%i) {starts = [0], ends = [1], axes = [1]}
      %b = reshape(%a) {shape = [8]}
      %y = gather(%t, %b)
      return %y
    }"""
    program = ascend_opt.compile(text, tune=1)
    i, t = np.arange(16, dtype=np.int32).reshape(8, 2), random(50, 32)
    assert not views_of_parts(program)
    np.testing.assert_array_equal(program.run({"t": t, "i": i}).outputs["output0"], t[i[:, 0]])


def test_a_result_has_bytes_of_its_own():
    text = """graph @f(%i: tensor<3x8xi32>) {
      %a = slice(%i) {starts = [1], ends = [2], axes = [0]}
      %b = reshape(%a) {shape = [8]}
      return %b
    }"""
    program = ascend_opt.compile(text, tune=1)
    i = np.arange(24, dtype=np.int32).reshape(3, 8)
    assert not views_of_parts(program)
    np.testing.assert_array_equal(program.run({"i": i}).outputs["output0"], i[1])


def test_a_part_of_what_is_joined():
    """A part of a tensor that kernels write part by part, which begins inside of one of these: the parts' kernels come
    before, and the tensor keeps its bytes until the last reader."""
    text = """graph @f(%x: tensor<1x32x8x8xf16>, %v: tensor<32x32x1x1xf16> {weight},
                       %w: tensor<16x48x1x1xf16> {weight}) {
      %a = conv2d(%x, %v)
      %b = max_pool2d(%x) {kernel = [3, 3], pads = [1, 1, 1, 1]}
      %c = concat(%a, %b) {axis = 1}
      %d = slice(%c) {starts = [16], ends = [64], axes = [1]}
      %y = conv2d(%d, %w)
      return %y
    }"""
    x, v, w = random(1, 32, 8, 8), random(32, 32, 1, 1, seed=1), random(16, 48, 1, 1, seed=2)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    pooled = np.max([padded[:, :, i : i + 8, j : j + 8] for i in range(3) for j in range(3)], axis=0)
    joined = np.concatenate([conv(x, v).astype(np.float16), pooled], axis=1)
    for chip in CHIPS if ALL else ("ascend910b",):
        outputs, _ = ran(text, chip, {"x": x, "v": v, "w": w})
        assert close(outputs[0], conv(joined[:, 16:], w)), chip


@pytest.mark.parametrize("chip", CHIPS if ALL else ("ascend910b", "ascend310p"))
def test_what_lies_in_a_joined_tensor_is_copied_there(chip: str):
    """A slice that is a part of two tensors, of the one that it is taken from and of one that kernels write part by
    part, seen through a reshape: it has one place, and its kernel writes there."""
    text = """graph @f(%x: tensor<1x64x8x8xf16>, %v: tensor<32x32x1x1xf16> {weight},
                       %w: tensor<16x64x1x1xf16> {weight}) {
      %a = slice(%x) {starts = [32], ends = [64], axes = [1]}
      %c = conv2d(%a, %v)
      %0 = reshape(%a) {shape = [1, 32, 64]}
      %1 = reshape(%c) {shape = [1, 32, 64]}
      %2 = concat(%0, %1) {axis = 1}
      %j = reshape(%2) {shape = [1, 64, 8, 8]}
      %y = conv2d(%j, %w)
      return %y
    }"""
    x, v, w = random(1, 64, 8, 8), random(32, 32, 1, 1, seed=1), random(16, 64, 1, 1, seed=2)
    outputs, _ = ran(text, chip, {"x": x, "v": v, "w": w})
    given = conv(x[:, 32:], v).astype(np.float16)
    assert close(outputs[0], conv(np.concatenate([x[:, 32:], given], axis=1), w))


def test_each_kernel_is_checked_by_itself():
    """What each kernel gives is compared with the reference, given a part of what another one gave."""
    program = ascend_opt.compile(HALVES, tune=1)
    given = halves()
    watch = KernelChecks(program, given)
    program.run(given, watch=watch)
    assert len(views_of_parts(program)) == 2 and len(watch.found) == 3
    assert max(one.check.error for one in watch.found) <= 2e-3


def test_every_flag_is_needed():
    program = ascend_opt.compile(HALVES, tune=1)
    given = halves()
    mutants = mutants_of(program.module, program.target, given)
    left = survivors(program.module, mutants if ALL else mutants[::3], program.target, given)
    assert not left, [f"{mutant.kind}: {mutant.name}" for mutant in left]
