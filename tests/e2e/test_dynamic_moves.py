"""Moves of elements along static dimensions of tensors whose first dimension is dynamic, against numpy, at several
sizes of it."""

# pyright: basic

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
SIZES = (1, 3, 33)
MOVES: dict[str, tuple[str, Callable[..., Any]]] = {
    "gather(%m, %i) {axis = 1}": ("%m: tensor<?x17xDT>, %i: tensor<5xi32>", lambda m, i: m[:, i]),
    "gather(%m, %i) {axis = -1}": ("%m: tensor<?x17xDT>, %i: tensor<i32>", lambda m, i: m[:, i]),
    "gather(%x, %i) {axis = 2}": ("%x: tensor<?x5x9xDT>, %i: tensor<2x3xi32>", lambda x, i: x[:, :, i]),
    "gather(%x, %i) {axis = 1}": ("%x: tensor<?x5x9xDT>, %i: tensor<i32>", lambda x, i: x[:, i]),
    "gather(%t, %j)": ("%t: tensor<9x20xDT>, %j: tensor<?xi32>", lambda t, j: t[j]),
    "gather(%v, %j)": ("%v: tensor<9xDT>, %j: tensor<?xi32>", lambda v, j: v[j]),
    "slice(%x) {starts = [1, 2], ends = [5, 9], axes = [1, 2], steps = [2, 3]}": (
        "%x: tensor<?x5x9xDT>", lambda x: x[:, 1:5:2, 2:9:3],
    ),
    "pad(%x) {pads = [0, 1, 2, 0, 3, 4], value = 1.5}": (
        "%x: tensor<?x5x9xDT>", lambda x: np.pad(x, [(0, 0), (1, 3), (2, 4)], constant_values=1.5),
    ),
    "transpose(%x) {perm = [0, 2, 1]}": ("%x: tensor<?x5x9xDT>", lambda x: x.transpose(0, 2, 1)),
    "concat(%x, %x) {axis = 2}": ("%x: tensor<?x5x9xDT>", lambda x: np.concatenate([x, x], 2)),
}  # fmt: skip


@pytest.mark.sweep(7)
@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("move", MOVES)
def test_moves_along_other_dimensions(move: str, chip: str, fuse: bool, dtype: str):
    """By definition, bit by bit."""
    arguments, expected = MOVES[move]
    text = f"graph @f({arguments.replace('DT', dtype)}) {{\n  %0 = {move}\n  %y = relu(%0)\n  return %y\n}}"
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    for size in SIZES:
        rng = np.random.default_rng(size)
        inputs: dict[str, np.ndarray] = {}
        for name, tensor in program.inputs.items():
            shape = tensor.at(size).shape
            numbers = rng.standard_normal(shape).astype(np.float16 if dtype == "f16" else np.float32)
            inputs[name] = rng.integers(-5, 5, shape).astype(np.int32) if name in "ij" else numbers
        found = program.run(inputs, hazards=True).outputs["output0"]
        np.testing.assert_array_equal(found, np.maximum(expected(**inputs), 0))
