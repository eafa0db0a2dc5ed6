"""Values and time of what slides a window over an image: depthwise and grouped convolution, pooling; hazards on.

A sample of the product of shapes, windows and chips runs by default; ASCEND_OPT_ALL=1 runs all of it.
"""

import itertools
from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
import pytest
from sweeps import ALL
from window_graphs import Window, check, convolution, inputs_of, pool

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.machine.costs import launch_us, vec_cost

CHIPS = (
    ("ascend910", "f16"),
    ("ascend310p", "f16"),
    ("ascend910b1", "f16"),
    ("ascend950", "f16"),
    ("ascend910b1", "f32"),
)
SAMPLE = 1 if ALL else 131
"""Of so many combinations one runs."""
WINDOWS = (
    Window((1, 1)),
    Window((1, 1), (2, 2)),
    Window((2, 2), (2, 2)),
    Window((2, 2), (1, 1), (0, 0, 1, 1)),
    Window((3, 3), (1, 1), (1, 1, 1, 1)),
    Window((3, 3), (2, 2), (1, 1, 1, 1)),
    Window((3, 3), (2, 1), (0, 1, 2, 1), (2, 2)),
    Window((5, 5), (1, 1), (2, 2, 2, 2)),
    Window((5, 5), (2, 2), (0, 3, 1, 2)),
    Window((1, 7), (1, 1), (0, 3, 0, 3)),
    Window((7, 1), (1, 1), (3, 0, 2, 0)),
)
IMAGES = ((7, 9), (13, 13), (16, 32))
CHANNELS = (3, 17, 33)


def fitting() -> Iterator[tuple[Window, tuple[int, int]]]:
    """Windows on images that they fit in."""
    for window, image in itertools.product(WINDOWS, IMAGES):
        if all(
            size + window.pads[d] + window.pads[d + 2] > window.dilations[d] * (window.kernel[d] - 1)
            for d, size in enumerate(image)
        ):
            yield window, image


def sampled(offset: int, *axes: Any) -> list[Any]:
    return [case for i, case in enumerate(itertools.product(*axes)) if (i + offset) % SAMPLE == 0]


DEPTHWISE = sampled(3, list(fitting()), CHANNELS, (1, 3), (1, 2), ("{weight}", ""), CHIPS)
GROUPED = sampled(5, list(fitting()), ((8, 12), (34, 6), (32, 64)), (2,), (1, 3), ("{weight}", ""), CHIPS)
POOLS = sampled(
    11,
    list(fitting()),
    CHANNELS,
    (1, 3),
    (
        ("max_pool2d", ""),
        ("max_pool2d", ", ceil_mode = true"),
        ("avg_pool2d", ""),
        ("avg_pool2d", ", count_include_pad = true"),
        ("avg_pool2d", ", ceil_mode = true, count_include_pad = true"),
    ),
    CHIPS,
)


def _parts(cases: list[Any], count: int = 4) -> list[list[Any]]:
    return [cases[i::count] for i in range(count)]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("cases", _parts(DEPTHWISE))
def test_depthwise(cases: list[Any]):
    for i, ((window, image), channels, batch, multiplier, weight, (chip, dtype)) in enumerate(cases):
        text = convolution(batch, channels, channels * multiplier, channels, image, window, dtype, weight)
        check(text, chip, fuse=i % 2 == 0)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("cases", _parts(GROUPED))
def test_grouped(cases: list[Any]):
    for i, ((window, image), (channels, filters), groups, batch, weight, (chip, dtype)) in enumerate(cases):
        text = convolution(batch, channels, filters, groups, image, window, dtype, weight)
        check(text, chip, fuse=i % 2 == 0)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("cases", _parts(POOLS))
def test_pools(cases: list[Any]):
    for i, ((window, image), channels, batch, (op, more), (chip, dtype)) in enumerate(cases):
        spans = [d * (k - 1) + 1 for d, k in zip(window.dilations, window.kernel, strict=True)]
        if any(max(window.pads[d], window.pads[d + 2]) >= spans[d] for d in range(2)):
            continue
        check(pool(op, (batch, channels, *image), window, dtype, more), chip, fuse=i % 2 == 0)


@pytest.mark.parametrize(("chip", "dtype"), CHIPS)
def test_many_taps_are_summed_in_f32(chip: str, dtype: str):
    """Sums of positive numbers in f16 would be off by 1e-3; what is left is the rounding of the result."""
    window = Window((7, 7), (1, 1), (3, 3, 3, 3))
    texts = (
        convolution(1, 5, 5, 5, (15, 13), window, dtype),
        pool("avg_pool2d", (1, 5, 15, 13), window, dtype, ", count_include_pad = true"),
    )
    for text in texts:
        program = ascend_opt.compile(text, target=chip, tune=1)
        inputs = {name: np.abs(array) for name, array in inputs_of(program).items()}
        (output,), (expected,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
        error = np.linalg.norm(output - np.asarray(expected, np.float64)) / np.linalg.norm(expected)
        assert error <= (4e-4 if dtype == "f16" else 1e-6)


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_large_images_are_cut(chip: str):
    window = Window((3, 3), (1, 1), (1, 1, 1, 1))
    check(convolution(1, 16, 16, 16, (12, 2000), window), chip)
    check(convolution(1, 8, 8, 8, (300, 40), window), chip)


@pytest.mark.parametrize(("chip", "dtype"), CHIPS)
def test_one_channel_and_lines_in_part(chip: str, dtype: str):
    """A channel alone is in the lanes; of lines that a stride leaves the end of, DMA writes no whole 16 elements."""
    window = Window((3, 3), (1, 1), (1, 1, 1, 1))
    check(pool("avg_pool2d", (1, 1, 18, 21), window, dtype), chip)
    check(convolution(1, 16, 32, 16, (18, 18), Window((1, 1), (2, 2)), dtype, ""), chip, fuse=False)


def test_other_groups_are_not_read():
    """What is not finite in one group's channels stays there."""
    text = convolution(1, 8, 8, 2, (6, 6), Window((3, 3), (1, 1), (1, 1, 1, 1)))
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    inputs = inputs_of(program)
    inputs["x"][:, :4] = np.inf
    (output,) = program.run(inputs).outputs.values()
    assert np.isfinite(output[:, 4:]).all()


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
@pytest.mark.parametrize("pads", [(0, 0, 40, 0), (40, 0, 0, 0), (0, 300, 0, 0), (30, 30, 30, 30)])
def test_tiles_of_padding_alone(pads: tuple[int, int, int, int], chip: str):
    """Such a tile of a product's rows, or of its columns, holds some of the image, which no window meets."""
    check(convolution(1, 16, 32, 1, (8, 8), Window((3, 3), (1, 1), pads)), chip)


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_padding_is_never_the_maximum(chip: str):
    text = pool("max_pool2d", (1, 3, 7, 7), Window((3, 3), (2, 2), (1, 1, 1, 1)))
    program = ascend_opt.compile(text, target=chip, tune=1)
    x = np.full((1, 3, 7, 7), -60000, np.float16)
    (output,) = program.run({"x": x}).outputs.values()
    np.testing.assert_array_equal(output, np.full((1, 3, 4, 4), -60000, np.float16))


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize(("channels", "size", "stride"), [(32, 112, 1), (32, 112, 2), (512, 14, 1)])
def test_time_of_a_depthwise_convolution(chip: str, channels: int, size: int, stride: int):
    """Within 1.2 of what its multiply-adds or its bytes take, and 3 us."""
    target = load_target(chip)
    window = Window((3, 3), (stride, stride), (1, 1, 1, 1))
    text = convolution(1, channels, channels, channels, (size, size), window, "f16", "{weight}", "relu(%0)")
    program = ascend_opt.compile(text, target=chip, tune=1)
    (kernel,) = program.run(inputs_of(program)).profile.kernels
    elements = channels * ((size - 1) // stride + 1) ** 2
    repeats = ceil(elements / target.vector_units / (target.vector.bytes_per_repeat // 2))
    taps = (
        9 * vec_cost(target, "vmadd", "f16", repeats).ideal + vec_cost(target, "vrelu", "f16", repeats).ideal
    )
    moved = 2 * (channels * size * size + elements) / target.memory.hbm_chip
    least = target.microseconds(max(taps, moved))
    assert least < kernel.time_us <= 1.2 * least + 3
    assert kernel.launch_us == pytest.approx(launch_us(target, kernel.cores))


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_a_window_that_sees_padding_alone(chip: str):
    """The image is a column, which the first window, one column wide, is left of."""
    check(
        """graph @f(%x: tensor<1x33x11x1xf16>, %w: tensor<33x1x3x1xf16> {weight}, %b: tensor<33xf16> {weight}) {
          %c = conv2d(%x, %w) {strides = [3, 2], pads = [1, 1, 0, 0], groups = 33}
          %y = bias_add(%c, %b)
          return %y
        }""",
        chip,
        fuse=False,
    )


def test_rows_of_a_window_that_are_padding_alone():
    check(
        """graph @f(%x: tensor<1x32x2x1xf16>, %w: tensor<32x1x2x1xf16> {weight}) {
          %y = conv2d(%x, %w) {strides = [3, 1], pads = [2, 2, 0, 1], groups = 32}
          return %y
        }""",
        "ascend910",
    )


@pytest.mark.full
def test_a_large_window_with_strides_whose_casts_are_the_image():
    """Sums are as large as the result: only what windows see is as large as the image with its halo."""
    check(
        """graph @f(%x: tensor<1x22x14x54xf16>, %w: tensor<22x1x7x5xf16> {weight}) {
          %y = conv2d(%x, %w) {strides = [2, 2], pads = [6, 2, 6, 2], dilations = [2, 1], groups = 22}
          return %y
        }""",
        "ascend310p",
    )
