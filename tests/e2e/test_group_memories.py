"""Memories of cores that work in groups: a later kernel may need larger ones of one kind of core alone."""

import numpy as np
import pytest

import ascend_opt

GRAPH = """
graph @g(%x: tensor<21x10xf32>, %w: tensor<48x10xf16> {weight}, %b: tensor<48xf16> {weight},
         %h: tensor<3x12xf16>, %u: tensor<48x12xf16> {weight}, %v: tensor<48x10xf16> {weight}) {
  %c = cast(%x) {to = f16}
  %m = matmul(%c, %w) {transpose_b = true}
  %y = bias_add(%m, %b)
  %s = slice(%y) {starts = [3], ends = [6], axes = [0]}
  %k = matmul(%h, %u) {transpose_b = true}
  %z = add(%s, %k)
  %m2 = matmul(%c, %v) {transpose_b = true}
  %y2 = bias_add(%m2, %b)
  return %y, %z, %y2
}"""
"""On chips where Vector cores write to L1: the first kernel and the last one are alike and compute their left operand
there; tiles of the one between land in UB."""


@pytest.mark.parametrize("chip", ["ascend950", "ascend910b"])
def test_a_kernel_runs_again_after_one_that_needs_more(chip: str) -> None:
    program = ascend_opt.compile(GRAPH, chip)
    rng = np.random.default_rng(0)
    inputs = {
        name: rng.standard_normal(kind.shape).astype(np.float32) for name, kind in program.inputs.items()
    }
    x, w, b, h, u, v = (inputs[name].astype(np.float64) for name in ("x", "w", "b", "h", "u", "v"))
    y = x @ w.T + b
    wanted = y, y[3:6] + h @ u.T, x @ v.T + b
    for _ in range(2):
        found = program.run(inputs).outputs
        for given, right in zip(found.values(), wanted, strict=True):
            assert np.linalg.norm(given - right) < 3e-3 * np.linalg.norm(right)
