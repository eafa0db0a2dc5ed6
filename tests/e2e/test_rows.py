"""Reductions, softmax and norms, alone and fused with what is before and after them."""

import itertools
import os

import pytest
from fused_graphs import check

PAIRS = (
    ("ascend910", "f16"), ("ascend310p", "f16"), ("ascend910b1", "f16"), ("ascend950", "f16"), ("ascend910b1", "f32")
)  # fmt: skip
SHAPES = (
    (64, 100), (7, 1001), (1, 1), (1, 16), (33, 768), (2, 3, 17, 19), (4, 8, 8), (1000,), (5, 1), (300, 8), (200, 128)
)  # fmt: skip
GRAPHS = {
    "softmax": ("%y = softmax(%x)",),
    "softmax of the first dimension": ("%y = softmax(%x) {axis = 0}",),
    "log_softmax": ("%y = log_softmax(%x)",),
    "sum": ("%y = reduce_sum(%x) {axes = [-1]}",),
    "sum, kept": ("%y = reduce_sum(%x) {axes = [-1], keep_dims = true}",),
    "mean of the first dimension": ("%y = reduce_mean(%x) {axes = [0]}",),
    "largest": ("%y = reduce_max(%x) {axes = [-1]}",),
    "least": ("%y = reduce_min(%x) {axes = [0], keep_dims = true}",),
    "layer_norm": ("%y = layer_norm(%x, %g, %b)",),
    "rms_norm": ("%y = rms_norm(%x, %g)",),
    "norm after": ("%t = gelu(%x)", "%y = layer_norm(%t, %g, %b)"),
    "norm before": ("%t = layer_norm(%x, %g, %b)", "%y = gelu(%t)"),
    "what is left of the mean": (
        "%t = add(%x, %x)", "%m = reduce_mean(%t) {axes = [-1], keep_dims = true}", "%y = sub(%t, %m)",
    ),
    "after a reduction": ("%t = reduce_mean(%x) {axes = [-1]}", "%y = exp(%t)"),
}  # fmt: skip
EVERY = [*itertools.product(GRAPHS, SHAPES, PAIRS)]


def text_of(name: str, shape: tuple[int, ...], dtype: str) -> str:
    sizes, last = "x".join(map(str, shape)), shape[-1]
    body = "\n  ".join(GRAPHS[name])
    arguments = f"%x: tensor<{sizes}x{dtype}>, %g: tensor<{last}x{dtype}>, %b: tensor<{last}x{dtype}>"
    return f"graph @f({arguments}) {{\n  {body}\n  return %y\n}}"


@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    """Every graph, each in one kernel where it has one op; by default some shapes on each chip."""
    chosen = [(s, p) for n, s, p in EVERY if n == name]
    if "ASCEND_OPT_ALL_VALUES" not in os.environ:
        first = [*GRAPHS].index(name)
        chosen = [one for i, one in enumerate(chosen) if (i + first) % 6 == 0]
    for shape, (chip, dtype) in chosen:
        program, result = check(text_of(name, shape, dtype), chip, dtype, scale=1.0)
        if len(GRAPHS[name]) == 1:
            assert len(result.profile.kernels) == 1, program


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_a_norm_and_gelu_are_one_kernel_of_one_read_and_one_write(chip: str):
    text = """graph @f(%x: tensor<512x1024xf16>, %g: tensor<1024xf16>, %b: tensor<1024xf16>) {
  %n = layer_norm(%x, %g, %b)
  %y = gelu(%n)
  return %y
}"""
    _, result = check(text, chip)
    (kernel,) = result.profile.kernels
    assert kernel.compulsory_bytes == 2 * 512 * 1024 * 2 + 2 * 1024 * 2
    assert kernel.dma_write_bytes == 512 * 1024 * 2


def test_rows_that_do_not_fit_are_refused_with_their_place():
    import ascend_opt

    text = "graph @f(%x: tensor<2x200000xf16>) {\n  %y = softmax(%x)\n  return %y\n}"
    with pytest.raises(ascend_opt.CompileError, match=r":2:8: error: graph.softmax: not one row fits"):
        ascend_opt.compile(text, target="ascend910")
