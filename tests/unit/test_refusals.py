"""What a chip refuses is a located error, and docs/graph.md lists it."""

import re
from pathlib import Path

import pytest

import ascend_opt

REFUSED = {
    "has no bf16": ("ascend310p", "%x: tensor<4xbf16>", "relu(%x)"),
    "is laid out for Cube cores only": (
        "ascend310p", "%x: tensor<16x32xi8>, %w: tensor<32x16xi8> {weight}", "matmul(%x, %w)"
    ),
    "does not multiply f32": ("ascend910", "%x: tensor<1x4x8x8xf32>", "resize(%x) {sizes = [5, 5]}"),
    "selects f16 only": ("ascend910", "%c: tensor<4xi1>, %x: tensor<4xf32>", "select(%c, %x, %x)"),
    "no unit computes in": ("ascend910b", "%x: tensor<4xi32>", "exp(%x)"),
    "turns i8 over": (
        "ascend910b", "%x: tensor<32x32xi8>, %w: tensor<32x16xi8> {weight}", "matmul(%x, %w) {transpose_a = true}"
    ),
    "no tile fits": (
        "ascend910", "%x: tensor<1x16x64x64xf16>, %w: tensor<16x16x16x16xf16>", "conv2d(%x, %w)",
    ),
    "its window fits": ("ascend910", "%x: tensor<1x1x2x9000xf16>", "max_pool2d(%x) {kernel = [2, 9000]}"),
    "B of GM": ("ascend910b", "%x: tensor<1000000x100000xf16>", "relu(%x)"),
    "all of the dynamic dimension": ("ascend950", "%x: tensor<?x8xf16>", "softmax(%x) {axis = 0}"),
    "needs static sizes": (
        "ascend950", "%x: tensor<?x8x4x4x4xf16>, %w: tensor<8x8x1x1x1xf16>", "conv3d(%x, %w)",
    ),
    "only the first dimension of a tensor may be dynamic": (
        "ascend950", "%x: tensor<?x8xf16>", "transpose(%x) {perm = [1, 0]}",
    ),
    "in group": ("ascend910b", "%x: tensor<4x8xf16>", "reshape(%x) {shape = [32], fuse = \"g\"}"),
}  # fmt: skip
"""Chip, arguments and op, by what the error says."""


@pytest.mark.parametrize("said", REFUSED)
def test_refused_with_its_place(said: str) -> None:
    chip, arguments, call = REFUSED[said]
    with pytest.raises(ascend_opt.CompileError) as error:
        ascend_opt.compile(f"graph @f({arguments}) {{\n  %y = {call}\n  return %y\n}}", target=chip, tune=1)
    assert said in str(error.value) and str(error.value).startswith("<string>:2:")
    assert "internal error" not in str(error.value)


def test_refusals_are_listed(repository: Path) -> None:
    page = (repository / "docs" / "graph.md").read_text(encoding="utf-8")
    section = page.split("## What a chip refuses")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([^`]+)`", section, re.MULTILINE) == list(REFUSED)
