"""Tiles with rows of a tensor in the lanes (`VectorTiling.lanes` before the last dimension), of which a row gives
elements that do not follow each other."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from any_tiling import MANY, chosen
from numpy.typing import NDArray

import ascend_opt
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.regions.tiling import VectorTiling

SLICES: dict[
    str, tuple[tuple[int, ...], str, tuple[int, ...], Callable[[NDArray[np.float16]], NDArray[np.float16]]]
] = {
    "few": ((10, 2, 3), "starts = [0], ends = [1], axes = [2]", (10, 1, 2), lambda b: b[:, :, :1]),
    "many": ((640, 5, 4), "starts = [3], ends = [4], axes = [2]", (640, 1, 3), lambda b: b[:, :, 3:]),
    "planes": ((50, 2, 2, 5), "starts = [2], ends = [3], axes = [3]", (50, 1, 1, 4), lambda b: b[..., 2:3]),
}


@pytest.mark.parametrize("which", [-1, 0], ids=["large", "small"])
@pytest.mark.parametrize(
    ("name", "chip"),
    [
        *((name, chip) for name in ("few", "many") for chip in ("ascend910b", "ascend950")),
        *(("planes", chip) for chip in ("ascend910", "ascend910b", "ascend310p", "ascend950")),
    ],
)
def test_elements_of_a_row_that_do_not_follow_each_other(name: str, chip: str, which: int) -> None:
    """One column of a tensor, beside a tensor without its columns."""
    shape, attributes, other, part = SLICES[name]
    text = f"""graph @f(%a: tensor<{"x".join(map(str, other))}xf16>, %b: tensor<{"x".join(map(str, shape))}xf16>) {{
      %c = slice(%b) {{{attributes}}}
      %y = maximum(%c, %a)
      return %y
    }}"""
    taken: list[Tiling] = []

    def in_lanes(tilings: Sequence[Tiling]) -> Tiling:
        lanes = [one for one in tilings if isinstance(one, VectorTiling) and one.lanes >= 0]
        if not lanes:
            return tilings[0]
        taken.append(sorted(lanes, key=lambda one: one.tiles)[which])
        return taken[-1]

    with chosen(in_lanes):
        program = ascend_opt.compile(text, target=chip, tune=MANY)
    assert taken
    draw = np.random.default_rng(1)
    a, b = (draw.normal(size=n).astype(np.float16) for n in (other, shape))
    assert np.array_equal(program.run(a=a, b=b).outputs["output0"], np.maximum(part(b), a))
