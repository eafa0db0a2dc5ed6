"""Two convolutions as one kernel, whose tiles are as large as L1 and UB hold: values by definition, and times."""

import numpy as np
import pytest
from image_definitions import conv2d, relative_error

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


def convolved(image: str, filters: str, more: str, chip: str, stride: int = 1) -> ascend_opt.Program:
    """The program of both, which keep the size of the image but for `stride`; its values are those of the definition,
    without hazards."""
    pads = [[int(size) // 2 for size in one.split("x")[2:]] * 2 for one in (filters, more)]
    program = ascend_opt.compile(
        f"""graph @two(%x: tensor<{image}xf16>, %v: tensor<{filters}xf16> {{weight}},
      %w: tensor<{more}xf16> {{weight}}) {{
  %0 = conv2d(%x, %v) {{pads = {pads[0]}, fuse = "a"}}
  %1 = conv2d(%0, %w) {{pads = {pads[1]}, strides = [{stride}, {stride}], fuse = "a"}}
  return %1
}}""",
        target=chip,
        tune=1,
    )
    rng = np.random.default_rng(0)
    x, v, w = (
        (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) if i else 1)).astype(np.float16)
        for i, shape in enumerate([int(n) for n in one.split("x")] for one in (image, filters, more))
    )
    between = conv2d(x, v, pads=pads[0]).astype(np.float16)
    want = conv2d(between, w, strides=(stride, stride), pads=pads[1])
    assert relative_error(program.run(x=x, v=v, w=w).outputs["output0"], want) < 2e-3
    return program


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    ("image", "filters", "more", "stride"),
    [
        ("1x256x7x7", "64x256x3x3", "64x64x1x1", 1),
        ("1x40x7x14", "24x40x3x3", "40x24x5x5", 1),
        ("2x64x14x14", "64x64x1x1", "24x64x3x3", 2),
        ("1x256x7x28", "24x256x1x1", "64x24x3x3", 1),
    ],
    ids=["planes", "lanes", "stride", "shorter last step"],
)
def test_values_are_those_of_the_definition(image: str, filters: str, more: str, stride: int, chip: str):
    convolved(image, filters, more, chip, stride)


@pytest.mark.parametrize(
    ("image", "filters", "more", "chip", "most"),
    [
        ("1x1024x7x56", "16x1024x1x1", "128x16x5x5", "ascend910", 20),
        ("1x256x7x7", "64x256x3x3", "64x64x1x1", "ascend310p", 10),
        ("1x1024x7x7", "64x1024x3x3", "64x64x3x3", "ascend910", 30),
    ],
)
def test_a_tile_that_is_a_whole_plane_is_stored_as_one(
    image: str, filters: str, more: str, chip: str, most: float
):
    """The first product needs no room for a store, so UB holds what the second one's needs."""
    program = convolved(image, filters, more, chip)
    assert program.time().total_us < most
