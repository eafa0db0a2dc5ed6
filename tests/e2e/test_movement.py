"""Data movement by value: every op alone, after and before element-wise ops, on ragged, single and large sizes, all
kinds of chips, hazards on. The default run takes a sample of the product, MOVEMENT_TESTS=all takes everything."""

import os
import re
import zlib
from collections.abc import Iterator

import numpy as np
import pytest

import ascend_opt

CHIPS = (
    ("ascend910", "f16"), ("ascend310p", "f16"), ("ascend910b1", "f16"), ("ascend950", "f16"), ("ascend910b1", "f32")
)  # fmt: skip
EVERY = 12
"""One of so many cases runs by default."""

OPS: dict[str, list[tuple[str, str]]] = {
    "transpose": [
        ("17x33", "{perm = [1, 0]}"),
        ("1x40", "{perm = [1, 0]}"),
        ("256x320", "{perm = [1, 0]}"),
        ("2x7x3x5", "{perm = [0, 2, 1, 3]}"),
        ("2x64x4x32", "{perm = [0, 2, 1, 3]}"),
        ("2x64x4x32", "{perm = [0, 2, 3, 1]}"),
        ("3x5x7", "{perm = [2, 1, 0]}"),
        ("3x18x34", "{perm = [2, 0, 1]}"),
        ("2x3x8x8", "{perm = [0, 2, 3, 1]}"),
    ],
    "slice": [
        ("40x48", "{starts = [3], ends = [9223372036854775807], axes = [0]}"),
        ("40x48", "{starts = [16], ends = [32], axes = [1]}"),
        ("7x45", "{starts = [-9], ends = [-2], axes = [-1]}"),
        ("6x50", "{starts = [1, 1], ends = [6, 50], steps = [2, 2]}"),
        ("1x100", "{starts = [0], ends = [100], axes = [1], steps = [3]}"),
        ("2x3x32x64", "{starts = [0, 1], ends = [32, 64], axes = [2, 3], steps = [2, 2]}"),
        ("5x6x7", "{starts = [2], ends = [3], axes = [1]}"),
        ("5x6x7", "{starts = [6], ends = [7], axes = [2]}"),
        ("300x515", "{starts = [2, 3], ends = [299, 512]}"),
    ],
    "pad": [
        ("5x7", "{pads = [1, 2, 3, 4], value = 1.5}"),
        ("2x3x14x16", "{pads = [0, 0, 1, 1, 0, 0, 1, 1]}"),
        ("33", "{pads = [0, 31]}"),
        ("4x32", "{pads = [0, 16, 0, 16], value = -2.0}"),
        ("1x1", "{pads = [1, 1, 1, 1]}"),
        ("100x300", "{pads = [3, 0, 2, 5]}"),
    ],
    "broadcast": [
        ("5x1", "{shape = [5, 33]}"),
        ("33", "{shape = [4, 33]}"),
        ("1", "{shape = [3, 100]}"),
        ("3x1x5", "{shape = [2, 3, 7, 5]}"),
        ("1x512", "{shape = [300, 512]}"),
    ],
    "tile": [("5x7", "{repeats = [2, 3]}"), ("1x40", "{repeats = [4, 1]}")],
    "space_to_depth": [("2x3x8x12", "{block = 2}"), ("1x5x9x6", "{block = 3}")],
    "depth_to_space": [("2x12x4x6", "{block = 2}"), ("1x18x5x7", '{block = 3, mode = "CRD"}')],
}  # fmt: skip
JOINS = [
    ("4x16, 4x32", 1),
    ("3x5x7, 3x2x7, 3x9x7", 1),
    ("5x7, 5x1, 5x40", 1),
    ("1x33", 0),
    ("2x32x8x8, 2x16x8x8, 2x16x8x8, 2x64x8x8", 1),
    ("13, 20", 0),
    ("100x64, 100x64", -1),
]
SPLITS = [("4x96", 1, [32, 64]), ("6x7x5", 1, [1, 2, 4]), ("8x40", -1, [10, 10, 20]), ("9x3", 0, [4, 5])]


def _cases() -> Iterator[str]:
    for name, table in OPS.items():
        for shape, attributes in table:
            yield f"graph @f(%x: tensor<{shape}xf16>) {{\n  %y = {name}(%x) {attributes}\n  return %y\n}}"
            yield (
                f"graph @f(%x: tensor<{shape}xf16>) {{\n  %a = neg(%x)\n  %b = {name}(%a) {attributes}\n"
                "  %y = relu(%b)\n  return %y\n}"
            )
    for shapes, axis in JOINS:
        parts = shapes.split(", ")
        arguments = ", ".join(f"%x{i}: tensor<{shape}xf16>" for i, shape in enumerate(parts))
        names = ", ".join(f"%x{i}" for i in range(len(parts)))
        yield f"graph @f({arguments}) {{\n  %y = concat({names}) {{axis = {axis}}}\n  return %y\n}}"
        mixed = names.replace("%x0", "%a", 1)
        yield (
            f"graph @f({arguments}) {{\n  %a = neg(%x0)\n  %b = concat({mixed}) {{axis = {axis}}}\n"
            "  %y = relu(%b)\n  return %y\n}"
        )
    for shape, axis, sizes in SPLITS:
        names = ", ".join(f"%p{i}" for i in range(len(sizes)))
        yield (
            f"graph @f(%x: tensor<{shape}xf16>) {{\n  {names} = split(%x) {{axis = {axis}, sizes = {sizes}}}\n"
            f"  %y = relu(%p1)\n  return %p0, %y\n}}"
        )
    yield from NETWORKS


NETWORKS = (
    # heads of attention
    (
        "graph @heads(%x: tensor<2x40x96xf16>) {\n  %a = reshape(%x) {shape = [2, 40, 3, 32]}\n"
        "  %b = transpose(%a) {perm = [0, 2, 1, 3]}\n  %c = relu(%b)\n  %d = transpose(%c) {perm = [0, 2, 1, 3]}\n"
        "  %y = reshape(%d) {shape = [2, 40, 96]}\n  return %y\n}"
    ),
    # Focus
    "graph @focus(%x: tensor<1x3x16x32xf16>) {\n"
    + "".join(
        f"  %{name} = slice(%x) {{starts = [{i}, {j}], ends = [16, 32], axes = [2, 3], steps = [2, 2]}}\n"
        for name, i, j in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1), ("d", 1, 1))
    )
    + "  %y = concat(%a, %b, %c, %d) {axis = 1}\n  return %y\n}",
    # rotary embedding, halves and pairs
    (
        "graph @rope(%x: tensor<2x3x10x64xf16>, %cos: tensor<10x64xf16>, %sin: tensor<10x64xf16>) {\n"
        "  %lo = slice(%x) {starts = [0], ends = [32], axes = [3]}\n"
        "  %hi = slice(%x) {starts = [32], ends = [64], axes = [3]}\n"
        "  %n = neg(%hi)\n  %r = concat(%n, %lo) {axis = 3}\n  %a = mul(%x, %cos)\n  %b = mul(%r, %sin)\n"
        "  %y = add(%a, %b)\n  return %y\n}"
    ),
    (
        "graph @pairs(%x: tensor<4x10x64xf16>) {\n"
        "  %e = slice(%x) {starts = [0], ends = [64], axes = [2], steps = [2]}\n"
        "  %o = slice(%x) {starts = [1], ends = [64], axes = [2], steps = [2]}\n"
        "  %n = neg(%o)\n  %a = reshape(%n) {shape = [4, 10, 32, 1]}\n  %b = reshape(%e) {shape = [4, 10, 32, 1]}\n"
        "  %c = concat(%a, %b) {axis = 3}\n  %y = reshape(%c) {shape = [4, 10, 64]}\n  return %y\n}"
    ),
    # gates of an LSTM
    (
        "graph @gates(%x: tensor<5x96xf16>, %c: tensor<5x24xf16>) {\n"
        "  %i, %f, %g, %o = split(%x) {axis = 1, sizes = [24, 24, 24, 24]}\n  %a = sigmoid(%f)\n  %b = mul(%a, %c)\n"
        "  %d = sigmoid(%i)\n  %e = tanh(%g)\n  %h = mul(%d, %e)\n  %n = add(%b, %h)\n  %t = tanh(%n)\n"
        "  %s = sigmoid(%o)\n  %y = mul(%s, %t)\n  return %y, %n\n}"
    ),
    # rows that are repeated, then reduced
    (
        "graph @rows(%x: tensor<6x1xf16>) {\n  %b = broadcast(%x) {shape = [6, 40]}\n"
        "  %y = reduce_sum(%b) {axes = [1]}\n  return %y\n}"
    ),
    # windows, which step too, before and after moves
    (
        "graph @stepped(%x: tensor<1x16x20x20xf16>) {\n"
        "  %a = max_pool2d(%x) {kernel = [1, 1], strides = [2, 2]}\n"
        "  %b = slice(%a) {starts = [0, 1], ends = [10, 10], axes = [2, 3], steps = [2, 3]}\n"
        "  %y = max_pool2d(%b) {kernel = [1, 1], strides = [2, 1]}\n  return %y\n}"
    ),
    (
        "graph @pooled(%x: tensor<1x16x12x12xf16>, %z: tensor<1x16x12x12xf16>) {\n"
        "  %a = slice(%x) {starts = [0], ends = [12], axes = [2], steps = [2]}\n"
        "  %b = max_pool2d(%a) {kernel = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1]}\n"
        "  %c = concat(%b, %z) {axis = 2}\n  %y = max_pool2d(%c) {kernel = [1, 1], strides = [2, 2]}\n"
        "  return %y\n}"
    ),
    # products beside moves
    (
        "graph @around(%x: tensor<2x3x40x32xf16>, %k: tensor<2x40x3x32xf16>) {\n"
        "  %t = transpose(%k) {perm = [0, 2, 3, 1]}\n  %s = matmul(%x, %t)\n"
        "  %u = transpose(%s) {perm = [0, 2, 1, 3]}\n  %y = relu(%u)\n  return %y\n}"
    ),
)


def _chosen() -> list[tuple[str, str, str, bool]]:
    every = [(text, *chip, fuse) for text in _cases() for chip in CHIPS for fuse in (True, False)]
    if os.environ.get("MOVEMENT_TESTS") == "all":
        return every
    return [case for case in every if zlib.crc32(repr(case).encode()) % EVERY == 0]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("text", "chip", "dtype", "fuse"), _chosen())
def test_values(text: str, chip: str, dtype: str, fuse: bool):
    text = re.sub(r"xf16>", f"x{dtype}>", text)
    program = ascend_opt.compile(text, chip, fuse, tune=1)
    random = np.random.default_rng(zlib.crc32(text.encode()))
    inputs = {name: random.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    found = program.run(inputs, hazards=True).outputs
    wanted = program.reference(inputs)
    exact = not re.search("sigmoid|tanh|matmul|mul|reduce", text)
    for name, array in wanted.items():
        if exact:
            np.testing.assert_array_equal(found[name].astype(np.float32), array)
        else:
            error = np.linalg.norm(found[name].astype(np.float32) - array) / np.linalg.norm(array)
            assert error < (3e-3 if dtype == "f16" else 1e-4)
