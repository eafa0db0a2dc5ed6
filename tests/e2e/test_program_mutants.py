"""Random single mutations of what the compiler emits: a hazard, other values, or an argument why they do no harm.

A sample with a fresh seed runs, each graph on one chip; `ASCEND_OPT_SEED=N` repeats it. `ASCEND_OPT_ALL=1` runs more
than 600 of them, on every chip.
"""

import os
import random
from collections import Counter
from random import Random

import pytest
from program_mutants import mutate, ran
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.compiler.programs.program_inputs import graph_inputs

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
SEED = int(os.environ.get("ASCEND_OPT_SEED", random.SystemRandom().getrandbits(31)))
COUNT = 13 if ALL else 4
RUN_SIZE = 37
"""Of what is dynamic: a last tile that is not whole."""
MANY = 4101
"""A size at which each core has several tiles, for what shows in no other way."""
GRAPHS = {
    "leaky relu": "%x: tensor<40x48xf16>) {\n%y = leaky_relu(%x) {alpha = 0.1}",
    "product": "%x: tensor<37x45xf16>, %w: tensor<45x53xf16>) {\n%p = matmul(%x, %w)\n%y = relu(%p)",
    "softmax": "%x: tensor<20x50xf16>) {\n%y = softmax(%x)",
    "convolution": "%x: tensor<1x20x9x9xf16>, %w: tensor<24x20x3x3xf16>) {\n%y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
    "pooling": "%x: tensor<1x16x9x9xf16>) {\n%y = max_pool2d(%x) {kernel = [3, 3], strides = [2, 2]}",
    "joined pools": (
        "%x: tensor<1x16x10x12xf16>) {\n%a = max_pool2d(%x) {kernel = [3, 3], pads = [1, 1, 1, 1]}\n"
        "%b = max_pool2d(%a) {kernel = [5, 5], pads = [2, 2, 2, 2]}\n%y = concat(%x, %a, %b) {axis = 1}"
    ),
    "split product": (
        "%x: tensor<4x8x64xf16>, %w: tensor<4x64x24xf16>) {\n%p = matmul(%x, %w) {out = f32}\n"
        "%s = reduce_sum(%p) {axes = [0]}\n%y = cast(%s) {to = f16}"
    ),
    "smaller last columns": "%x: tensor<16x32xf16>, %w: tensor<32x1552xf16> {weight}) {\n%y = matmul(%x, %w)",
    "attention": (
        "%q: tensor<1x1x40x16xf16>, %k: tensor<1x1x72x16xf16>, %v: tensor<1x1x72x16xf16>) {\n"
        "%y = attention(%q, %k, %v)"
    ),
    "convolution block": (
        "%x: tensor<1x18x7x7xf16>, %w: tensor<20x18x3x3xf16> {weight}, %b: tensor<20xf16> {weight}, "
        "%r: tensor<1x20x7x7xf16>) {\n%p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}\n%s = bias_add(%p, %b)\n"
        "%t = tanh(%s)\n%y = add(%t, %r)"
    ),
    "dynamic": (
        "%x: tensor<?x40xf16>, %w: tensor<40x50xf16> {weight}) {\n%p = matmul(%x, %w)\n%y = gelu(%p)"
    ),
    "dynamic attention": (
        "%q: tensor<?x40x16xf16>, %k: tensor<?x72x16xf16>) {\n%s = matmul(%q, %k) {transpose_b = true}\n"
        "%w = softmax(%s)\n%y = matmul(%w, %k)"
    ),
    "gather": "%x: tensor<30x24xf16>, %i: tensor<21xi32>) {\n%g = gather(%x, %i)\n%y = exp(%g)",
    "bag before a product": (
        "%x: tensor<30x40xf16>, %i: tensor<37x5xi32>, %w: tensor<40x48xf16> {weight}) {\n"
        "%s = embedding_bag(%x, %i) {mode = \"mean\"}\n%y = matmul(%s, %w)"
    ),
    "weighted bags before a product": (
        "%x: tensor<30x40xf16>, %i: tensor<150xi32>, %o: tensor<37xi32>, %p: tensor<150xf16>, "
        "%w: tensor<40x48xf16> {weight}) {\n%s = embedding_bag(%x, %i, %o, %p)\n%y = matmul(%s, %w)"
    ),
    "largest of bags": (
        "%x: tensor<30x40xf16>, %i: tensor<150xi32>, %o: tensor<17xi32>) {\n"
        '%y = embedding_bag(%x, %i, %o) {mode = "max"}'
    ),
    "scatter": (
        "%x: tensor<12x24xf16>, %i: tensor<9xi32>, %u: tensor<9x24xf16>) {\n"
        '%y = scatter(%x, %i, %u) {reduction = "add"}'
    ),
}  # fmt: skip
CASES = [(name, chip) for name in GRAPHS for chip in CHIPS] if ALL else [(name, "one") for name in GRAPHS]


@pytest.mark.parametrize("name, chip", CASES)
def test_a_mutation_shows_or_does_no_harm(name: str, chip: str):
    chance = Random(f"{SEED} {name} {chip}")
    chip = chance.choice(CHIPS) if chip == "one" else chip
    text = f"graph @g({GRAPHS[name]}\nreturn %y\n}}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    function = choose_function(read_module(text).module, None)
    sizes = {n: tensor.at(RUN_SIZE) for n, tensor in graph_inputs(function).items()}
    inputs, others = (seeded_inputs(sizes, seed, function) for seed in (0, 1))
    at_many = {n: tensor.at(MANY) for n, tensor in graph_inputs(function).items()}
    many = seeded_inputs(at_many, 2, function) if name == "dynamic" else None
    good = ran(program.module, program.target, inputs, others, many)
    found = [mutate(good, chance) for _ in range(COUNT)]
    print(chip, dict(Counter(one.result for one in found)))
    left = [f"{one.kind}: {one.what}" for one in found if one.result == "unexplained"]
    assert not left, "\n".join([f"ASCEND_OPT_SEED={SEED} {chip}", *left])
