"""Left operands of products that are folded or picked, and that the kernel of the product does not compute: why."""

import re

import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError

T, B, W = "%t: tensor<60x{k}xf16>", "%i: tensor<{m}x{s}xi32>", "%w: tensor<{k}x{n}xf16> {{weight}}"
REFUSED = {
    "lies along the rows": (
        f"%x: tensor<{{m}}x{{k}}x{{s}}xf16>, {W}",
        ["%e = reduce_sum(%x) {{axes = [2]}}", "%y = matmul(%e, %w)"],
        "what is reduced before a product lies along the rows that it multiplies",
    ),
    "is the product's own": (
        f"%x: tensor<{{m}}x{{k}}xf16>, {W}",
        ["%e = softmax(%x) {{axis = 0}}", "%y = matmul(%e, %w)"],
        "graph.softmax needs more than the rows of what a product multiplies",
    ),
    "is before two products": (
        f"{T}, {B}, {W}, %v: tensor<{{n}}x{{k}}xf16>",
        [
            '%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%0 = matmul(%e, %w)", "%1 = softmax(%0)",
            "%y = matmul(%1, %v)",
        ],
        "two products, or rows that come part by part, have no reduction in front of them",
    ),
    "rows behind the product": (
        f"%x: tensor<{{m}}x{{k}}xf16>, %t: tensor<60x{{n}}xf16>, %i: tensor<{{m}}xi32>, {W}",
        ["%0 = matmul(%x, %w)", "%g = gather(%t, %i)", "%y = add(%0, %g)"],
        "gathered rows are loaded to tiles of the Vector",
    ),
    "images of a batch": (
        "%x: tensor<{m}x{s}x{k}x6x5xf16>, %w: tensor<{n}x{k}x1x1xf16> {{weight}}",
        ["%e = reduce_sum(%x) {{axes = [1]}}", "%y = conv2d(%e, %w)"],
        "graph.reduce_sum needs more than the rows of what a product multiplies",
    ),
    "images under a window": (
        "%x: tensor<{m}x{s}x{k}x6x5xf16>, %w: tensor<{n}x{k}x3x3xf16> {{weight}}",
        ["%e = reduce_sum(%x) {{axes = [1]}}", "%y = conv2d(%e, %w)"],
        "graph.reduce_sum feeds a window of a product",
    ),
    "picked images": (
        "%x: tensor<60x{k}x6x5xf16>, %i: tensor<{m}xi32>, %w: tensor<{n}x{k}x1x1xf16> {{weight}}",
        ["%e = gather(%x, %i)", "%y = conv2d(%e, %w)"],
        "gathered rows are loaded to tiles of the Vector",
    ),
    "rows of f32": (
        "%x: tensor<{m}x{s}x{k}xf32>, %w: tensor<{k}x{n}xf32> {{weight}}",
        ["%e = reduce_sum(%x) {{axes = [1]}}", "%y = matmul(%e, %w)"],
        "graph.reduce_sum feeds a product in f32, whose blocks have 8 elements",
    ),
    "picked rows of f32": (
        "%t: tensor<60x{k}xf32>, %i: tensor<{m}xi32>, %w: tensor<{k}x{n}xf32> {{weight}}",
        ["%e = gather(%t, %i)", "%y = matmul(%e, %w)"],
        "graph.gather feeds a product in f32, whose blocks have 8 elements",
    ),
    "columns of the left operand": (
        f"%x: tensor<{{k}}x{{s}}x{{m}}xf16>, {W}",
        ["%e = reduce_sum(%x) {{axes = [1]}}", "%y = matmul(%e, %w) {{transpose_a = true}}"],
        "graph.reduce_sum feeds a product's right or transposed operand",
    ),
    "the right operand": (
        "%x: tensor<{m}x{k}xf16>, %z: tensor<{k}x{s}x{n}xf16>",
        ["%e = reduce_sum(%z) {{axes = [1]}}", "%y = matmul(%x, %e)"],
        "graph.reduce_sum feeds a product's right or transposed operand",
    ),
    "picked rows of the right operand": (
        "%x: tensor<{m}x{k}xf16>, %t: tensor<60x{n}xf16>, %i: tensor<{k}xi32>",
        ["%e = gather(%t, %i)", "%y = matmul(%x, %e)"],
        "graph.gather feeds a product's right or transposed operand",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    """Where what is folded or picked is not rows of f16 that a tile holds beside those of the left operand, the reason
    says so."""
    shape = {"m": 8, "s": 4, "k": 32, "n": 16}
    arguments, lines, reason = REFUSED[name]
    lines = [line.format(**shape) for line in lines]
    body = [f"{line[:-1]}, fuse = a}}" if line[-1] == "}" else f"{line} {{fuse = a}}" for line in lines]
    text = f"graph @f({arguments.format(**shape)}) {{\n  " + "\n  ".join(body) + "\n  return %y\n}"
    with pytest.raises(CompileError, match=re.escape(reason)):
        ascend_opt.compile(text, target="ascend910b1", tune=1)
