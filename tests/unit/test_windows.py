"""Windows on images: sizes, references, tiling rules, which dimension lies in the lanes, what the search predicts."""

import itertools
from typing import Any

import numpy as np
import pytest
from stored_tiles import kernel_of, stored_tiles
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import TensorType, f16
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects import ascend, graph
from ascend_opt.dialects.graph.windows import DEPTHWISE, split_counts
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.analysis.traces import trace_kernel
from ascend_opt.passes.kernels.vector.tiling import best_vector_tilings, vector_time
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.compose_maps import NotFusableError
from ascend_opt.passes.regions.lane_dim import lane_dim
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.runtime.execution.prepare import pack
from ascend_opt.runtime.reference import evaluate_op


def value(*shape: int) -> SSAValue:
    return test_dialect.TestOp(result_types=[TensorType(f16, shape)]).results[0]


def pooled(x: np.ndarray, op: str, size: tuple[int, ...], values: dict[str, Any]) -> np.ndarray:
    """Pooling, window by window."""
    result = np.zeros(size)
    (kh, kw), (sh, sw), (dh, dw) = (values[k] for k in ("kernel", "strides", "dilations"))
    top, left, bottom, right = values["pads"]
    h, w = x.shape[2:]
    for n, c, i, j in np.ndindex(*size):
        met: list[float] = []
        padding = 0
        for a, b in itertools.product(range(kh), range(kw)):
            row, column = i * sh - top + a * dh, j * sw - left + b * dw
            if 0 <= row < h and 0 <= column < w:
                met.append(float(x[n, c, row, column]))
            elif -top <= row < h + bottom and -left <= column < w + right:
                padding += 1
        if op == "max":
            result[n, c, i, j] = max(met)
        else:
            result[n, c, i, j] = sum(met) / (len(met) + padding * values["count_include_pad"])
    return result


POOLS = [
    {"kernel": (3, 2), "strides": (2, 2), "pads": (1, 0, 2, 1)},
    {"kernel": (2, 2), "strides": (2, 2), "ceil_mode": True},
    {"kernel": (3, 3), "strides": (2, 2), "pads": (1, 1, 1, 1), "ceil_mode": True},
    {"kernel": (2, 3), "dilations": (3, 2), "pads": (0, 1, 1, 2)},
    {"kernel": (1, 1), "strides": (2, 3)},
]


@pytest.mark.parametrize("attributes", POOLS)
@pytest.mark.parametrize("shape", [(1, 2, 7, 8), (2, 1, 6, 5)])
def test_pooling_reference(shape: tuple[int, ...], attributes: dict[str, Any]):
    x = np.random.default_rng(0).standard_normal(shape)
    largest = graph.MaxPool2dOp(value(*shape), **attributes)
    size = largest.result.type.get_shape()
    np.testing.assert_allclose(
        evaluate_op(largest, [x])[0], pooled(x, "max", size, largest.attribute_values())
    )
    for include in (False, True):
        mean = graph.AvgPool2dOp(value(*shape), count_include_pad=include, **attributes)
        expected = pooled(x, "mean", size, mean.attribute_values())
        np.testing.assert_allclose(evaluate_op(mean, [x])[0], expected)


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "pads", "expected"),
    [
        (5, 2, 2, (0, 0), 3),
        (4, 3, 2, (1, 1), 3),
        (3, 2, 2, (1, 1), 2),
        (6, 2, 2, (0, 0), 3),
        (6, 3, 2, (0, 1), 3),
    ],
)
def test_sizes_with_ceil_mode(size: int, kernel: int, stride: int, pads: tuple[int, int], expected: int):
    """The last window starts in the image or in the padding before it."""
    before, after = pads
    op = graph.MaxPool2dOp(
        value(1, 1, size, size), kernel=[kernel] * 2, strides=[stride] * 2,
        pads=[before, before, after, after], ceil_mode=True,
    )  # fmt: skip
    assert op.result.type.get_shape() == (1, 1, expected, expected)


def test_mean_over_windows_of_different_sizes_is_split():
    x = np.random.default_rng(1).standard_normal((1, 3, 7, 8))
    attributes = {"kernel": (3, 3), "strides": (2, 2), "pads": (1, 1, 0, 1), "ceil_mode": True}
    for include in (False, True):
        op = graph.AvgPool2dOp(value(1, 3, 7, 8), count_include_pad=include, **attributes)
        mean, table, product = split_counts(op)
        assert isinstance(mean, graph.AvgPool2dOp)
        assert isinstance(product, graph.MulOp)
        (factors,) = evaluate_op(table, [])  # pyright: ignore[reportArgumentType]
        assert factors.shape == (1, 1, *op.result.type.get_shape()[2:])
        again = evaluate_op(mean, [x])[0] * factors
        np.testing.assert_allclose(again, evaluate_op(op, [x])[0], rtol=1e-3)
    plain = graph.AvgPool2dOp(value(1, 3, 6, 6), kernel=(2, 2), strides=(2, 2))
    assert not split_counts(plain)


def test_the_engine_of_a_convolution_depends_on_its_groups():
    engines = {
        groups: graph.Conv2dOp(value(1, 8, 5, 5), value(8, 8 // groups, 3, 3), groups=groups).tiling.engine
        for groups in (1, 2, 8)
    }
    assert engines == {1: "cube", 2: "cube", 8: "vector"}
    single = graph.Conv2dOp(value(1, 1, 5, 5), value(8, 1, 3, 3))
    assert single.tiling.engine == "cube"
    assert graph.Conv2dOp(value(1, 4, 5, 5), value(12, 1, 3, 3), groups=4).tiling is DEPTHWISE


def regions(lines: str, arguments: str = "%x: tensor<2x5x8x8xf16>"):
    text = f"graph @f({arguments}) {{\n{lines}\n  return %y\n}}"
    return group_regions(kernel_ops(choose_function(read_module(text).module, None)))


def test_lanes_are_a_dimension_that_no_window_moves_along():
    pool = regions("  %y = max_pool2d(%x) {kernel = [3, 3]}")
    assert (pool.merged, lane_dim(pool)) == (((0, 1), (2,), (3,)), 0)
    rows = regions("  %y = max_pool2d(%x) {kernel = [3, 1]}")
    assert lane_dim(rows) == -1
    columns = "  %y = conv2d(%x, %w) {groups = 5}"
    depthwise = regions(columns, "%x: tensor<2x5x8x8xf16>, %w: tensor<5x1x1x3xf16>")
    assert (depthwise.merged, lane_dim(depthwise)) == (((0,), (1,), (2,), (3,)), 1)
    assert lane_dim(regions("  %y = relu(%x)")) == -1


def test_one_tile_has_one_fill_value():
    with pytest.raises(NotFusableError, match="padded with two different values"):
        regions(
            "  %a = max_pool2d(%x) {kernel = [3, 3], pads = [1, 1, 1, 1]}\n"
            "  %b = avg_pool2d(%x) {kernel = [3, 3], pads = [1, 1, 1, 1], count_include_pad = true}\n"
            "  %y = add(%a, %b)"
        )


DEPTHWISE_3X3 = (
    "graph @f(%x: tensor<1x{c}x{h}x{h}xf16>, %w: tensor<{c}x1x3x3xf16> {{weight}}) {{\n"
    "  %y = conv2d(%x, %w) {{groups = {c}, pads = [1, 1, 1, 1]}}\n  return %y\n}}"
)


def test_traces_show_cores_whose_tiles_begin_elsewhere():
    """The first core's tile begins in the padding; what the others copy begins one row higher."""
    text = DEPTHWISE_3X3.format(c=16, h=16)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    module = compile_until(program, "ascend")
    (kernel,) = (op for op in module.walk() if isinstance(op, ascend.KernelOp))
    assert kernel.core_count > 1
    traces = trace_kernel(kernel, load_target("ascend910"), 3)
    assert {trace.core for trace in traces} > {0}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1"])
@pytest.mark.parametrize(("channels", "size"), [(32, 112), (512, 14), (96, 56)])
def test_predicted_time(chip: str, channels: int, size: int):
    text = DEPTHWISE_3X3.format(c=channels, h=size)
    target = load_target(chip)
    found = group_regions(kernel_ops(choose_function(read_module(text).module, None)))
    (tiling,) = best_vector_tilings(found, target, 1)
    predicted = target.microseconds(vector_time(found, tiling, target))
    program = ascend_opt.compile(text, target=chip, tune=1)
    inputs = {name: np.zeros(t.shape, np.float16) for name, t in program.inputs.items()}
    (kernel,) = program.run(inputs).profile.kernels
    assert predicted == pytest.approx(kernel.time_us, rel=0.3)


def prepared(weights: SSAValue, array: np.ndarray) -> np.ndarray:
    """Packed weights, from those of the graph."""
    owner = weights.owner
    if isinstance(owner, ascend.PackOp):
        return pack(owner, prepared(owner.source, array))
    if isinstance(owner, graph.ReshapeOp):
        return prepared(owner.x, array).reshape(owner.result.type.get_shape())
    return array


@pytest.mark.parametrize(
    ("lines", "arguments", "tails"),
    [
        (
            "  %y = conv2d(%x, %w) {groups = 33, pads = [1, 1, 1, 1]}",
            "%x: tensor<1x33x9x9xf16>, %w: tensor<33x1x3x3xf16> {weight}",
            "cover,shift,shift",
        ),
        (
            "  %y = conv2d(%x, %w) {groups = 6, strides = [2, 1]}",
            "%x: tensor<2x6x9x9xf16>, %w: tensor<12x1x3x3xf16> {weight}",
            "shift",
        ),
        (
            "  %y = conv2d(%x, %w) {groups = 2, pads = [1, 1, 1, 1]}",
            "%x: tensor<1x12x9x9xf16>, %w: tensor<8x6x3x3xf16> {weight}",
            "shift",
        ),
        (
            "  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
            "%x: tensor<1x24x9x9xf16>, %w: tensor<20x24x3x3xf16>",
            "shift,cover,shift,shift",
        ),
    ],
)
def test_tiles_in_numpy_make_the_result(lines: str, arguments: str, tails: str):
    """The tile level means what the graph says, whatever the instructions are: every tile of the grid."""
    program = ascend_opt.compile(
        f"graph @f({arguments}) {{\n{lines}\n  return %y\n}}", target="ascend910", tune=1
    )
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(t.shape).astype(np.float16) for name, t in program.inputs.items()}
    (expected,) = program.reference(inputs).values()
    kernel = kernel_of(program)
    stated = tuple(tails.split(","))
    assert kernel.tail_list == (stated * kernel.schedule.rank if len(stated) == 1 else stated)
    tensors = [inputs["x"], prepared(kernel.inputs[1], inputs["w"])]
    stored = stored_tiles(kernel, tensors, expected.shape)
    np.testing.assert_allclose(stored, expected, atol=2e-2, rtol=2e-2)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
def test_of_many_taps_only_every_other_one_waits(chip: str):
    """What V does to 3 x 3, 2 x 3 and 1 x 5 taps from barrier to barrier: one that follows another in the same sum
    waits for its result, so that taps in two sums wait half as often. Five taps have one sum: adding a second one to
    it would take longer than the waiting."""
    stretches: list[list[str]] = []
    for rows, columns in ((3, 3), (2, 3), (1, 5)):
        text = (
            f"graph @f(%x: tensor<4x64x7x7xf16>, %w: tensor<64x1x{rows}x{columns}xf16> {{weight}}) {{\n"
            f"  %y = conv2d(%x, %w) {{groups = 64, pads = [0, {columns // 2}, {rows - 1}, {columns // 2}]}}\n"
            "  return %y\n}"
        )
        names: list[str] = []
        for op in compile_until(ascend_opt.compile(text, target=chip, tune=1), "ascend").walk():
            if isinstance(op, ascend.VecOp):
                names.append(op.instruction.data)
            elif isinstance(op, ascend.BarrierOp) and op.pipe.data == "V":
                names.append("|")
        assert sum(name in ("vmul", "vmadd") for name in names) == rows * columns
        stretches.append(" ".join(names).split("|"))
    waiting = [sum("vm" in stretch for stretch in one) for one in stretches]
    assert waiting[0] <= 6 and waiting[1] <= 4
    assert waiting[2] == 5 and not any("vadd" in stretch for stretch in stretches[2])
