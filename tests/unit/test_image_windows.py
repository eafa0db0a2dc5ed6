"""The bytes that image-to-column loads read, against every pixel of the window looked at by itself."""

import random
from itertools import pairwise, product
from typing import Any

import pytest

from ascend_opt.runtime.machine.memory import View
from ascend_opt.runtime.values.image_windows import image_pixels


def pixels_by_definition(source: View, geometry: tuple[Any, ...], window: tuple[int, int]) -> set[int]:
    """First bytes of the pixels inside the map, of each row and fractal column of the window."""
    (kh, kw), (sh, sw), (dh, dw), (top, left, bottom, right), m_start, k_start = geometry
    blocks, height, width = source.sizes[:3]
    ho = (height + top + bottom - dh * (kh - 1) - 1) // sh + 1
    wo = (width + left + right - dw * (kw - 1) - 1) // sw + 1
    taps = list(product(range(blocks), range(kh), range(kw)))
    outputs = list(product(range(ho), range(wo)))
    found: set[int] = set()
    for c1, i, j in taps[k_start : k_start + window[1]]:
        for oy, ox in outputs[m_start : m_start + window[0]]:
            y, x = oy * sh - top + i * dh, ox * sw - left + j * dw
            if 0 <= y < height and 0 <= x < width:
                steps = source.strides
                found.add(source.address + c1 * steps[0] + y * steps[1] + x * steps[2])
    return found


@pytest.mark.parametrize("seed", range(200))
def test_boxes_hold_the_pixels_of_the_window_and_no_others(seed: int) -> None:
    rng = random.Random(seed)
    blocks, height, width, lanes = rng.randint(1, 3), rng.randint(1, 9), rng.randint(1, 9), 16
    pixel = 2 * lanes * rng.choice((1, 1, 2))
    row = pixel * width + 32 * rng.randint(0, 2)
    strides = (row * height + 64 * rng.randint(0, 1), row, pixel, 2)
    source = View("l1", "f16", 2, 32 * rng.randint(0, 9), (blocks, height, width, lanes), strides, "x")
    kernel = rng.randint(1, 3), rng.randint(1, 3)
    pads = tuple(rng.randint(0, 2) for _ in range(4))
    steps, dilations = (rng.randint(1, 3), rng.randint(1, 3)), (rng.randint(1, 2), rng.randint(1, 2))
    if height + pads[0] + pads[2] <= dilations[0] * (kernel[0] - 1):
        kernel = 1, kernel[1]
    if width + pads[1] + pads[3] <= dilations[1] * (kernel[1] - 1):
        kernel = kernel[0], 1
    geometry = (kernel, steps, dilations, pads, rng.randint(0, 20), rng.randint(0, 4))
    window = 16 * rng.randint(1, 4), rng.randint(1, 9)
    boxes = image_pixels(source, geometry, window)
    size = 2 * lanes
    assert all(box.sizes == () and box.run % size == 0 for box in boxes)
    starts = [byte for box in boxes for byte in range(box.address, box.end, size)]
    assert starts == sorted(pixels_by_definition(source, geometry, window))
    assert all(first.end < second.address for first, second in pairwise(boxes)), "one box for each run"
