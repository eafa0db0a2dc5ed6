"""Transposes and reshapes that change places: the same elements, whatever the shapes."""

import random
from math import prod

import numpy as np
import pytest
from fused_graphs import check

from ascend_opt.compiler.api import compile_until
from ascend_opt.passes.graph_place_views import reshape_first, transpose_first
from ascend_opt.passes.rewrites.reshaped_groups import common_groups


def regrouped(chosen: random.Random, shape: list[int]) -> list[int]:
    """A shape of as many elements: neighbours merged, dimensions split, ones put in."""
    result: list[int] = []
    for size in shape:
        if result and chosen.random() < 0.4:
            result[-1] *= size
        else:
            result.append(size)
    for i in reversed(range(len(result))):
        divisors = [d for d in range(2, result[i]) if result[i] % d == 0]
        if divisors and chosen.random() < 0.5:
            first = chosen.choice(divisors)
            result[i : i + 1] = [first, result[i] // first]
        if chosen.random() < 0.2:
            result.insert(i, 1)
    return result


@pytest.mark.parametrize("seed", range(5))
def test_both_orders_give_the_same_elements(seed: int) -> None:
    chosen, found = random.Random(seed), [0, 0]
    for _ in range(200):
        shape = [chosen.choice([1, 2, 3, 4, 6]) for _ in range(chosen.randint(1, 4))]
        perm = chosen.sample(range(len(shape)), len(shape))
        x = np.arange(prod(shape)).reshape(shape)
        turned = x.transpose(perm)
        after = regrouped(chosen, list(turned.shape))
        if (first := reshape_first(shape, perm, after)) is not None:
            found[0] += 1
            assert np.array_equal(x.reshape(first[0]).transpose(first[1]), turned.reshape(after))
        middle = regrouped(chosen, shape)
        order = chosen.sample(range(len(middle)), len(middle))
        if (second := transpose_first(shape, middle, order)) is not None:
            found[1] += 1
            assert np.array_equal(
                x.transpose(second[0]).reshape(second[1]), x.reshape(middle).transpose(order)
            )
    assert min(found) > 20


def test_groups_of_unknown_or_other_sizes() -> None:
    assert common_groups([4, 6], [2, 2, 6]) == [([0], [0, 1]), ([1], [2])]
    assert common_groups([-1, 6], [3, 2]) is None
    assert common_groups([4, 0], [0]) is None
    assert common_groups([3, 1], [1, 3]) == [([], [0]), ([0], [1]), ([1], [])]
    assert common_groups([4, 3], [6]) is None


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_attention_has_no_kernel_that_only_moves(chip: str) -> None:
    """Heads come out of a product's columns and go back: addresses, by way of reshapes."""
    text = """graph @g(%x: tensor<1x40x64xf16>, %wq: tensor<64x64xf16> {weight}, %wk: tensor<64x32xf16> {weight},
    %wv: tensor<64x32xf16> {weight}, %wo: tensor<64x64xf16> {weight}) {
  %q0 = matmul(%x, %wq)
  %q1 = reshape(%q0) {shape = [1, 40, 4, 16]}
  %q2 = transpose(%q1) {perm = [0, 2, 1, 3]}
  %q = reshape(%q2) {shape = [2, 2, 40, 16]}
  %k0 = matmul(%x, %wk)
  %k1 = reshape(%k0) {shape = [1, 40, 2, 16]}
  %k2 = transpose(%k1) {perm = [0, 2, 3, 1]}
  %k = reshape(%k2) {shape = [2, 1, 16, 40]}
  %v0 = matmul(%x, %wv)
  %v1 = reshape(%v0) {shape = [1, 40, 2, 16]}
  %v2 = transpose(%v1) {perm = [0, 2, 1, 3]}
  %v = reshape(%v2) {shape = [2, 1, 40, 16]}
  %a0 = matmul(%q, %k)
  %a1 = softmax(%a0)
  %a2 = matmul(%a1, %v)
  %a3 = reshape(%a2) {shape = [1, 4, 40, 16]}
  %a4 = transpose(%a3) {perm = [0, 2, 1, 3]}
  %a5 = reshape(%a4) {shape = [1, 40, 64]}
  %y = matmul(%a5, %wo)
  return %y
}"""
    program, _ = check(text, chip)
    kernels = [line for line in program.report().splitlines() if line.startswith("  kernel ")]
    assert not [line for line in kernels if line.startswith("  kernel transpose:")]
    assert len(kernels) <= 7


def test_reshapes_that_change_nothing_go() -> None:
    """What two moves leave between a transpose and its product would be a kernel."""
    text = """graph @g(%x: tensor<1x40x64xf16>, %w: tensor<64x64xf16> {weight}, %q: tensor<1x4x40x16xf16>) {
  %0 = matmul(%x, %w)
  %1 = reshape(%0) {shape = [1, 40, 4, 16]}
  %2 = transpose(%1) {perm = [0, 2, 1, 3]}
  %3 = reshape(%2) {shape = [4, 40, 16]}
  %4 = transpose(%3) {perm = [0, 2, 1]}
  %5 = reshape(%4) {shape = [1, 4, 16, 40]}
  %y = matmul(%q, %5)
  return %y
}"""
    program, _ = check(text, "ascend910b1")
    kernels = [line for line in program.report().splitlines() if line.startswith("  kernel ")]
    assert len(kernels) == 2
    for op in compile_until(program, "graph").walk():
        assert op.name != "graph.reshape" or op.operands[0].type != op.results[0].type
