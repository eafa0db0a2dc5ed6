"""Resizing by value: stated scales and sizes, every mode, against each result pixel by its definition in ONNX."""

# pyright: basic

import math
import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.dialects.storage_types import numpy_dtype

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def graph(shape: tuple[int, ...], attributes: str, dtype: str = "f16") -> str:
    kind = "x".join(map(str, (*shape, dtype)))
    return f"graph @f(%x: tensor<{kind}>) {{\n  %y = resize(%x) {{{attributes}}}\n  return %y\n}}"


def place(i: int, size: int, count: int, scale: float, coordinates: str) -> float:
    if coordinates == "align_corners":
        return i * (size - 1) / (count - 1)
    if coordinates == "asymmetric":
        return i / scale
    if coordinates == "half_pixel_symmetric":
        adjusted = count / (scale * size)
        return size / 2 * (1 - adjusted) + (i + 0.5) / scale - 0.5
    return (i + 0.5) / scale - 0.5


def cubic(x: float, a: float = -0.75) -> float:
    x = abs(x)
    if x < 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


def line(
    row: np.ndarray, count: int, scale: float, mode: str, coordinates: str, wide: bool, outside: bool
) -> list:
    """One row of pixels, resized."""
    found = []
    for i in range(count):
        at = place(i, len(row), count, scale, coordinates)
        if mode == "nearest":
            found.append(row[min(max(math.ceil(at - 0.5), 0), len(row) - 1)])
            continue
        narrow = min(scale, 1.0) if wide else 1.0
        pixels = range(math.floor(at - 2 / narrow), math.ceil(at + 2 / narrow) + 1)
        inside = [p for p in pixels if not outside or 0 <= p < len(row)]
        shares = [
            max(1 - abs(p - at) * narrow, 0) if mode == "bilinear" else cubic((p - at) * narrow)
            for p in inside
        ]
        values = [row[min(max(p, 0), len(row) - 1)] for p in inside]
        found.append(np.dot(shares, values) / sum(shares))
    return found


CASES = [
    ((1, 1, 4, 4), "scales", (0.6, 0.6), "bilinear", "half_pixel", ""),
    ((2, 3, 9, 7), "scales", (1.7, 2.3), "bilinear", "asymmetric", ""),
    ((1, 2, 10, 13), "scales", (0.3, 1.2), "bilinear", "half_pixel_symmetric", "antialias"),
    ((1, 3, 20, 30), "sizes", (7, 9), "bilinear", "half_pixel", "antialias"),
    ((1, 2, 8, 5), "sizes", (13, 11), "cubic", "align_corners", ""),
    ((1, 2, 17, 16), "scales", (0.4, 1.5), "cubic", "half_pixel", "antialias"),
    ((2, 1, 9, 9), "scales", (1.3, 0.7), "cubic", "half_pixel_symmetric", "exclude_outside"),
    ((1, 4, 7, 6), "scales", (1.1, 2.0), "nearest", "half_pixel_symmetric", ""),
    ((1, 4, 8, 6), "scales", (3.0, 2.0), "nearest", "half_pixel", ""),
    ((1, 2, 12, 9), "scales", (0.5, 1.0), "nearest", "half_pixel", ""),
    ((1, 1, 4, 4), "scales", (1.2, 1.0), "bilinear", "half_pixel", ""),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: " ".join(map(str, (*c[0], *c[2:]))))
@pytest.mark.parametrize("fuse", [True, False])
def test_values(case, fuse: bool):
    shape, named, numbers, mode, coordinates, flag = case
    chips = CHIPS if case is CASES[0] else CHIPS[CASES.index(case) % 4 :][:1]
    runs = [(chip, "f16") for chip in chips] + [("ascend910b1", "f32")] * fuse
    attributes = f'{named} = {list(numbers)}, mode = "{mode}", coordinates = "{coordinates}"'
    attributes += f", {flag} = true" if flag else ""
    for chip, dtype in runs:
        program = ascend_opt.compile(graph(shape, attributes, dtype), target=chip, fuse=fuse, tune=1)
        kind = numpy_dtype(program.inputs["x"].element_type)
        x = np.random.default_rng(0).standard_normal(shape).astype(kind)
        (found,) = program.run(x=x).outputs.values()
        wanted = x.astype(np.float64)
        for axis, number in ((2, numbers[0]), (3, numbers[1])):
            size = shape[axis]
            count, scale = (
                (number, number / size) if named == "sizes" else (int(np.float32(size * number)), number)
            )
            wanted = np.apply_along_axis(
                line,
                axis,
                wanted,
                count,
                scale,
                mode,
                coordinates,
                flag == "antialias",
                flag == "exclude_outside",
            )
        assert found.shape == wanted.shape
        assert np.linalg.norm(found - wanted) <= (3e-3 if dtype == "f16" else 1e-5) * np.linalg.norm(wanted)


@pytest.mark.parametrize("coordinates", ["half_pixel", "half_pixel_symmetric", "asymmetric"])
@pytest.mark.parametrize("sizes", [(9, 13), (8, 12)])
def test_sizes_whose_pixels_are_as_far_apart_as_scales_say(sizes: tuple[int, int], coordinates: str):
    attributes = (
        f'sizes = {list(sizes)}, scales = [1.8, 1.8], mode = "bilinear", coordinates = "{coordinates}"'
    )
    program = ascend_opt.compile(graph((1, 2, 5, 7), attributes, "f32"), target="ascend910b1", tune=1)
    x = np.random.default_rng(0).standard_normal((1, 2, 5, 7)).astype(np.float32)
    (found,) = program.run(x=x).outputs.values()
    wanted = x.astype(np.float64)
    for axis, count in zip((2, 3), sizes, strict=True):
        wanted = np.apply_along_axis(line, axis, wanted, count, 1.8, "bilinear", coordinates, False, False)
    assert found.shape == wanted.shape and np.abs(found - wanted).max() < 1e-5


def test_a_scale_is_a_number_of_f32():
    program = ascend_opt.compile(graph((1, 1, 100, 4), "scales = [0.29, 1.0]"), target="ascend910b1", tune=1)
    (found,) = program.run(x=np.zeros((1, 1, 100, 4))).outputs.values()
    assert found.shape == (1, 1, 29, 4)


REFUSED = {
    "sizes = [2, 4], scales = [0.5, 0.5]": "resize: sizes [2, 4] are not 4x4 pixels times scales [0.5, 0.5]",
    'mode = "nearest"': "2:8: error: resize: needs sizes or scales",
    "scales = [0.5]": "scales [0.5] must be two numbers above 0, of height and width",
    "scales = [0.5, -1]": "scales [0.5, -1.0] must be two numbers above 0, of height and width",
    "scales = [0.5, true]": "attribute 'scales' must be a list of numbers such as [0.5, 2.0], found [0.5, true]",
    "scales = [0.1, 1]": "scales [0.1, 1.0] leave nothing of 4x4 pixels",
    "scales = 0.5": "attribute 'scales' must be a list of numbers such as [0.5, 2.0], found 0.5",
    "sizes = [2]": "sizes [2] must be a height and a width of 1 or more",
    "sizes = [2, 2], antialias = true": "antialias is for bilinear and cubic means, not for the nearest pixel",
    'sizes = [2, 2], coordinates = "tf_crop_and_resize"': "attribute 'coordinates' must be half_pixel",
}


@pytest.mark.parametrize("attributes", REFUSED)
def test_attributes_that_make_no_sense(attributes: str):
    with pytest.raises(CompileError, match=re.escape(REFUSED[attributes])) as error:
        ascend_opt.compile(graph((1, 1, 4, 4), attributes), target="ascend910b1", tune=1)
    assert str(error.value).startswith("<string>:2:")


@pytest.mark.parametrize(
    "size, scale, coordinates, pixels",
    [
        (3, 1.5, "half_pixel_symmetric", [0, 1, 2, 2]),  # the first place is 0, not 2e-17 above it
        (7, 2.3, "asymmetric", [0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 6]),
        (7, 0.7, "asymmetric", [0, 2, 3, 5]),
    ],
)
def test_places_are_exact(size: int, scale: float, coordinates: str, pixels: list[int]):
    """Rounded up, a whole number stays what it is."""
    attributes = (
        f'scales = [1.0, {scale}], mode = "nearest", coordinates = "{coordinates}", rounding = "ceil"'
    )
    x = np.arange(size, dtype=np.float16).reshape(1, 1, 1, size)
    program = ascend_opt.compile(graph(x.shape, attributes), target="ascend910b1", tune=1)
    for found in (program.run(x=x).outputs, program.reference(x=x)):
        np.testing.assert_array_equal(found["output0"].reshape(-1), pixels)
