"""Convolutions whose planes are no whole 32 B blocks, on chips whose DMA writes whole blocks: many cores share them and
the values are those of the definition. Runs check hazards."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.report import FusionReport

Array = np.ndarray[Any, Any]


def conv(x: Array, w: Array, stride: int = 1, pad: int = 0, groups: int = 1) -> Array:
    """Convolution by definition, in f64."""
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    kernel, depth = w.shape[2:], w.shape[1]
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel, (2, 3))[:, :, ::stride, ::stride]
    filters = w.shape[0] // groups
    parts = [
        np.einsum(
            "nchwij,ocij->nohw",
            windows[:, g * depth : (g + 1) * depth],
            w[g * filters : (g + 1) * filters].astype(np.float64),
            optimize=True,
        )
        for g in range(groups)
    ]
    return np.concatenate(parts, 1)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize(
    ("x", "w", "stride", "pad"),
    [
        ((2, 48, 57, 57), (72, 48, 1, 1), 1, 0),
        ((1, 8, 75, 99), (32, 8, 3, 3), 2, 0),
        ((3, 16, 35, 35), (40, 16, 3, 3), 1, 1),
        ((1, 3, 101, 101), (64, 3, 5, 5), 1, 2),
    ],
    ids=["1x1", "3x3 of stride 2", "3x3", "5x5"],
)
def test_planes_that_are_no_whole_blocks(
    chip: str, x: tuple[int, ...], w: tuple[int, ...], stride: int, pad: int
):
    rng = np.random.default_rng(2)
    image = rng.standard_normal(x).astype(np.float16)
    filters, bias = (rng.standard_normal(n).astype(np.float16) / 8 for n in (w, w[:1]))
    text = f"""graph @f(%x: tensor<{"x".join(map(str, x))}xf16>, %w: tensor<{"x".join(map(str, w))}xf16> {{weight}},
             %b: tensor<{w[0]}xf16> {{weight}}) {{
  %0 = conv2d(%x, %w) {{strides = [{stride}, {stride}], pads = [{pad}, {pad}, {pad}, {pad}]}}
  %1 = bias_add(%0, %b)
  %y = relu(%1)
  return %y
}}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    program.bind(w=filters, b=bias)
    result = program.run(x=image)
    wanted = np.maximum(conv(image, filters, stride, pad) + bias[:, None, None].astype(np.float64), 0)
    found = result.outputs["output0"].astype(np.float64)
    assert found.shape == wanted.shape
    assert np.linalg.norm(found - wanted) <= 4e-3 * np.linalg.norm(wanted)
    if chip == "ascend910":  # with few cores a second launch may take longer than they do
        assert min(kernel.cores for kernel in result.profile.kernels) > load_target(chip).cores // 4


def separable(blocks: bool) -> str:
    """A depthwise-separable block of planes of 57 x 57; with `blocks` its image and its result are NC1HWC0."""
    o = 80 if blocks else 72  # whole blocks of channels
    x = "%x5: tensor<2x3x57x57x16xf16>" if blocks else "%x: tensor<2x48x57x57xf16>"
    before = "%t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}\n  %x = reshape(%t) {shape = [2, 48, 57, 57]}\n  "
    behind = (
        f"\n  %r = reshape(%y) {{shape = [2, {o // 16}, 16, 57, 57]}}"
        "\n  %y5 = transpose(%r) {perm = [0, 1, 3, 4, 2]}"
    )
    return f"""graph @f({x}, %d: tensor<48x1x3x3xf16> {{weight}}, %c: tensor<48xf16> {{weight}},
             %p: tensor<{o}x48x1x1xf16> {{weight}}, %b: tensor<{o}xf16> {{weight}}) {{
  {before if blocks else ""}%0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], groups = 48}}
  %1 = bias_add(%0, %c)
  %2 = relu(%1)
  %3 = conv2d(%2, %p)
  %4 = bias_add(%3, %b)
  %y = relu(%4){behind if blocks else ""}
  return {"%y5" if blocks else "%y"}
}}"""


@pytest.mark.full
def test_a_separable_block_of_ragged_planes():
    program = ascend_opt.compile(separable(False), target="ascend910", tune=1)
    rng = np.random.default_rng(3)
    image = rng.standard_normal((2, 48, 57, 57)).astype(np.float16)
    taps, point = rng.standard_normal((48, 1, 3, 3)), rng.standard_normal((72, 48, 1, 1)) / 8
    shift, bias = rng.standard_normal(48), rng.standard_normal(72)
    program.bind(d=taps, c=shift, p=point, b=bias)
    result = program.run(x=image)
    middle = np.maximum(conv(image, taps, 1, 1, 48) + shift[:, None, None], 0)
    wanted = np.maximum(conv(middle, point) + bias[:, None, None], 0)
    found = result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - wanted) <= 4e-3 * np.linalg.norm(wanted)
    blocks = ascend_opt.compile(separable(True), target="ascend910", tune=1).time()
    assert result.profile.total_us <= 2 * blocks.total_us


def test_an_image_with_lines_of_222():
    text = """graph @f(%x: tensor<1x3x224x224xf16>, %w: tensor<64x3x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w)
  %y = relu(%0)
  return %y
}"""
    profile = ascend_opt.compile(text, target="ascend910", tune=1).time()
    assert [kernel.cores for kernel in profile.kernels] == [32, 32]
    assert profile.total_us <= 25


def softmax(x: Array, axis: int) -> Array:
    e = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


ROWS: dict[str, tuple[tuple[int, ...], str, Callable[[Array, Array], Array]]] = {
    "softmax of columns": ((64, 2203), "%y = softmax(%x) {axis = 0}", lambda x, w: softmax(x, 0)),
    "and what is around it": (
        (3, 40, 913),
        "%0 = relu(%x)\n  %1 = softmax(%0) {axis = 1}\n  %y = add(%1, %x)",
        lambda x, w: softmax(np.maximum(x, 0), 1) + x,
    ),
    "depthwise": (
        (1, 48, 57, 57),
        "%y = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 48}",
        lambda x, w: conv(x, w, 1, 1, 48),
    ),
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", ROWS)
def test_rows_that_are_no_whole_blocks(name: str):
    """Ops of the Vector unit; the report says what was weighed."""
    sizes, body, by_definition = ROWS[name]
    rng = np.random.default_rng(4)
    given: dict[str, Array] = {"x": rng.standard_normal(sizes).astype(np.float16)}
    given["w"] = rng.standard_normal((48, 1, 3, 3)).astype(np.float16)
    shape = "x".join(map(str, sizes))
    text = f"graph @f(%x: tensor<{shape}xf16>, %w: tensor<48x1x3x3xf16>) {{\n  {body}\n  return %y\n}}"
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    result = program.run({name: given[name] for name in program.inputs})
    wanted, found = by_definition(given["x"], given["w"]), result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - wanted) <= 4e-3 * np.linalg.norm(wanted)
    (report,) = (report for report in program.reports if isinstance(report, FusionReport))
    ((record,),) = (plan.padded for plan in report.plans)
    assert record.taken and record.shape == sizes
    assert min(kernel.cores for kernel in result.profile.kernels) >= 3 * record.cores
    assert any(line.startswith("  padded: ") and shape in line for line in report.to_text().splitlines())


@pytest.mark.parametrize(
    "body",
    [
        "%0 = conv2d(%x, %w) {nofuse}",
        "%1 = conv2d(%x, %w)\n  %2 = conv2d(%1, %v)\n  %0 = slice(%2) {starts = [0], ends = [1]}",
    ],
    ids=["marked", "between convolutions"],
)
def test_what_is_not_padded(body: str):
    """Marked ops, and images that may lie in blocks between kernels."""
    from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
    from ascend_opt.dialects.graph import Conv2dOp
    from ascend_opt.passes.graph_pad_planes import pad_planes

    text = f"""graph @f(%x: tensor<2x48x57x57xf16>, %w: tensor<48x48x1x1xf16>, %v: tensor<48x48x1x1xf16>) {{
  {body}
  return %0
}}"""
    function = choose_function(read_module(text).module, None)
    pad_planes(function, load_target("ascend910"))
    function.verify()
    products = [op for op in function.body.block.ops if isinstance(op, Conv2dOp)]
    assert all(op.pads.get_values() == (0, 0, 0, 0) for op in products)
