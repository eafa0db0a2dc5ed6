"""Transposed convolutions of all strides, kernels, pads, dilations and groups: values against the definition, hazards
on. A sample of the product runs by default."""

import itertools
import zlib
from dataclasses import dataclass

import numpy as np
import pytest
from image_definitions import conv_transpose2d, relative_error
from sweeps import ALL

import ascend_opt

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
STRIDES = tuple((rows, columns) for rows in (1, 2, 3) for columns in (1, 2, 3))
KERNELS = ((1, 1), (2, 2), (3, 3), (1, 3), (4, 2), (5, 5))
OUTPUT_PADS = ((0, 0), (1, 0), (1, 2))
PADS = ((0, 0, 0, 0), (1, 0, 1, 1))
DILATIONS = ((1, 1), (2, 1))
CHANNELS = ((16, 16, 1), (12, 5, 3), (40, 20, 2))
"""Channels of the image, filters of a group, groups."""
EVERY = 41
"""One of so many cases runs by default."""


@dataclass(frozen=True)
class Case:
    strides: tuple[int, int]
    kernel: tuple[int, int]
    output_pads: tuple[int, int]
    pads: tuple[int, int, int, int]
    dilations: tuple[int, int]
    channels: tuple[int, int, int]
    weight: bool = True
    dtype: str = "f16"
    batch: int = 1
    image: tuple[int, int] = (5, 4)

    @property
    def legal(self) -> bool:
        """Whether pads are within the kernel, and what is added at the end within a stride."""
        inside = max(self.pads) < min(self.kernel) or not any(self.pads)
        return inside and all(more < step for more, step in zip(self.output_pads, self.strides, strict=True))

    @property
    def attributes(self) -> dict[str, list[int]]:
        return {
            "strides": list(self.strides),
            "pads": list(self.pads),
            "output_pads": list(self.output_pads),
            "dilations": list(self.dilations),
        }


def cases() -> list[Case]:
    """The product; without `ALL` one of so many, by its name."""
    axes = (STRIDES, KERNELS, OUTPUT_PADS, PADS, DILATIONS, CHANNELS, (True, False))
    every = (Case(*values) for values in itertools.product(*axes))
    legal = [case for case in every if case.legal]
    return legal if ALL else [case for case in legal if zlib.crc32(repr(case).encode()) % EVERY == 0]


def check(case: Case, chip: str) -> None:
    channels, filters, groups = case.channels
    rng = np.random.default_rng(3)
    kind = np.float16 if case.dtype == "f16" else np.float32
    scale = (channels // groups * case.kernel[0] * case.kernel[1]) ** -0.5
    x = rng.standard_normal((case.batch, channels, *case.image)).astype(kind)
    w = (rng.standard_normal((channels, filters, *case.kernel)) * scale).astype(kind)
    types = ["x".join(map(str, array.shape)) + f"x{case.dtype}" for array in (x, w)]
    given = ", ".join(f"{name} = {value}" for name, value in case.attributes.items())
    mark = " {weight}" if case.weight else ""
    text = (
        f"graph @f(%x: tensor<{types[0]}>, %w: tensor<{types[1]}>{mark}) {{\n"
        f"  %y = conv_transpose2d(%x, %w) {{groups = {groups}, {given}}}\n  return %y\n}}\n"
    )
    want = conv_transpose2d(x, w, groups=groups, **case.attributes)
    found = ascend_opt.compile(text, target=chip, tune=1).run(x=x, w=w).outputs["output0"]
    assert relative_error(found, want) <= (4e-3 if case.dtype == "f16" else 1e-3)


@pytest.mark.parametrize(("number", "case"), list(enumerate(cases())), ids=str)
def test_a_transposed_convolution(number: int, case: Case) -> None:
    for chip in CHIPS if ALL else (CHIPS[number % len(CHIPS)],):
        check(case, chip)


UNEQUAL = Case((2, 1), (3, 3), (0, 0), (0, 0, 0, 0), (1, 1), (16, 16, 1), weight=False)


@pytest.mark.parametrize("chip", CHIPS)
def test_filters_that_are_padded_and_turned_on_the_chip(chip: str) -> None:
    check(UNEQUAL, chip)


@pytest.mark.parametrize("chip", CHIPS[2:])
def test_in_f32_and_with_several_images(chip: str) -> None:
    check(Case((2, 3), (3, 2), (1, 0), (0, 0, 0, 0), (1, 1), (12, 5, 3), dtype="f32", batch=2), chip)
