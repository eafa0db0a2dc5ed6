"""Windows over rows of what a product gives, in its kernel: a matrix with few columns, and images that are resized,
which products do. Expected values are written out; hazards on."""

import itertools

import numpy as np
import pytest
from fused_graphs import check
from image_definitions import conv2d, pool2d, relative_error
from sweeps import ALL

import ascend_opt

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
BOUND = 4e-3
WINDOWS = (("max", (3, 1), (1, 1)), ("mean", (2, 1), (1, 1)), ("depthwise", (3, 1), (1, 1)),
           ("depthwise", (1, 1), (3, 1)), ("depthwise", (3, 3), (1, 1)), ("max", (2, 2), (2, 2)),
           ("max", (3, 1), (2, 1)))  # fmt: skip
"""What a window does, its kernel and its strides."""
COLUMNS = (3, 7, 16, 25, 33)
PLANES = ((48, 9), (20, 26), (5, 6))
"""Channels, and rows of each."""


def window(
    kind: str, kernel: tuple[int, int], strides: tuple[int, int], image: np.ndarray
) -> tuple[str, np.ndarray, np.ndarray]:
    """The op on %i in graph text, its filters, and the result."""
    channels = image.shape[1]
    filters = np.random.default_rng(9).standard_normal((channels, 1, *kernel)).astype(np.float16)
    if kind == "depthwise":
        text = f"conv2d(%i, %d) {{groups = {channels}, strides = {list(strides)}}}"
        return text, filters, conv2d(image, filters, strides, groups=channels)
    name = "avg_pool2d" if kind == "mean" else "max_pool2d"
    text = f"{name}(%i) {{kernel = {list(kernel)}, strides = {list(strides)}}}"
    return text, filters, pool2d(image, kernel, strides, kind == "mean")


def typed(**arrays: np.ndarray) -> str:
    return ", ".join(f"%{name}: tensor<{'x'.join(map(str, a.shape))}xf16>" for name, a in arrays.items())


def run(text: str, chip: str, want: np.ndarray, **arrays: np.ndarray) -> None:
    found = ascend_opt.compile(text, target=chip, tune=1).run(arrays).outputs["output0"]
    assert relative_error(found, want) <= BOUND, text


CASES = list(itertools.product(WINDOWS, COLUMNS, PLANES, CHIPS))


@pytest.mark.parametrize(("case", "columns", "plane", "chip"), CASES if ALL else CASES[::13], ids=str)
def test_after_a_matrix_product(
    case: tuple[str, tuple[int, int], tuple[int, int]], columns: int, plane: tuple[int, int], chip: str
) -> None:
    channels, rows = plane
    rng = np.random.default_rng(4)
    a = (rng.standard_normal((rows, 5)) / 2).astype(np.float16)
    x = (rng.standard_normal((channels, 5, columns)) / 2).astype(np.float16)
    image = np.matmul(a.astype(np.float64), x.astype(np.float64))[None]
    line, d, want = window(*case, image)
    text = (
        f"graph @f({typed(a=a, x=x, d=d)}) {{\n  %p = matmul(%a, %x)\n"
        f"  %i = reshape(%p) {{shape = [1, {channels}, {rows}, {columns}]}}\n  %y = {line}\n  return %y\n}}\n"
    )
    run(text, chip, want, a=a, x=x, d=d)


@pytest.mark.parametrize(("case", "columns", "plane", "chip"), CASES if ALL else CASES[5::17], ids=str)
def test_after_a_nearest_resize(
    case: tuple[str, tuple[int, int], tuple[int, int]], columns: int, plane: tuple[int, int], chip: str
) -> None:
    channels, rows = plane
    x = np.random.default_rng(4).standard_normal((2, channels, 5, 4)).astype(np.float16)
    lines, places = ([i * old // new for i in range(new)] for new, old in ((rows, 5), (columns, 4)))
    line, d, want = window(*case, x[:, :, lines][:, :, :, places])
    sizes = f'sizes = [{rows}, {columns}], mode = "nearest", coordinates = "asymmetric", rounding = "floor"'
    text = f"graph @f({typed(x=x, d=d)}) {{\n  %i = resize(%x) {{{sizes}}}\n  %y = {line}\n  return %y\n}}\n"
    run(text, chip, want, x=x, d=d)


@pytest.mark.parametrize("chip", CHIPS)
def test_an_image_of_one_column_that_is_widened_to_three(chip: str) -> None:
    x = np.random.default_rng(4).standard_normal((1, 48, 3, 1)).astype(np.float16)
    # of nine rows number i is row i / 4 of three, rounded, halves up
    lines = [int(np.floor(i * 2 / 8 + 0.5)) for i in range(9)]
    line, d, want = window("max", (3, 1), (1, 1), x[:, :, lines][:, :, :, [0, 0, 0]])
    sizes = 'sizes = [9, 3], coordinates = "align_corners", rounding = "round_prefer_ceil"'
    text = f"graph @f({typed(x=x, d=d)}) {{\n  %i = resize(%x) {{{sizes}}}\n  %y = {line}\n  return %y\n}}\n"
    run(text, chip, want, x=x, d=d)


@pytest.mark.parametrize("chip", CHIPS)
def test_windows_that_reach_past_the_rows_of_a_product(chip: str) -> None:
    """A row of [1, 2, 4] resized to three rows of [1, 2], of which the window takes one before the first and the second
    one."""
    text = """graph @f(%x: tensor<1x1x1x3xf16>) {
      %r = resize(%x) {coordinates = "half_pixel_symmetric", rounding = "floor", sizes = [3, 2], mode = "nearest"}
      %y = avg_pool2d(%r) {kernel = [2, 1], strides = [2, 1], pads = [1, 0, 0, 0], dilations = [2, 2],
        count_include_pad = true}
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    result = program.run(x=np.array([1, 2, 4], np.float16).reshape(1, 1, 1, 3))
    assert result.outputs["output0"].ravel().tolist() == [0.5, 1.0]
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("channels", [20, 3])
def test_windows_around_all_rows_of_a_product(channels: int, chip: str) -> None:
    """A row before the first one and one behind the last, in one kernel where the planes of all channels fit."""
    text = f"""graph @f(%x: tensor<1x{channels}x5x4xf16>) {{
      %r = resize(%x) {{coordinates = "asymmetric", rounding = "floor", sizes = [7, 3], mode = "nearest"}}
      %y = max_pool2d(%r) {{kernel = [3, 1], pads = [1, 0, 1, 0]}}
      return %y
    }}"""
    x = np.random.default_rng(4).standard_normal((1, channels, 5, 4)).astype(np.float16)
    image = x[:, :, [i * 5 // 7 for i in range(7)]][:, :, :, [i * 4 // 3 for i in range(3)]]
    image = np.pad(image, ((0, 0), (0, 0), (1, 1), (0, 0)), constant_values=-np.inf)
    want = pool2d(image, (3, 1), (1, 1), False)
    result = ascend_opt.compile(text, target=chip, tune=1).run(x=x)
    np.testing.assert_array_equal(result.outputs["output0"], want)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("height", "pads"), [(2, "1, 1, 0, 0"), (7, "1, 1, 0, 2"), (5, "0, 2, 1, 2")])
def test_windows_that_meet_no_column_of_an_image_of_one(height: int, pads: str, chip: str) -> None:
    """What the pool takes of the convolution is its padding: the image is stored, and no window meets it."""
    text = f"""graph @f(%x: tensor<2x3x{height}x1xf16>, %w: tensor<8x3x3x1xf16> {{weight}}) {{
      %a = conv2d(%x, %w) {{pads = [{pads}]}}
      %b = neg(%a)
      %y = max_pool2d(%b) {{kernel = [1, 2], strides = [3, 3], pads = [0, 1, 0, 1]}}
      return %y
    }}"""
    check(text, chip)
