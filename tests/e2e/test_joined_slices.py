"""Strided slices that are joined again: values and time of the transpose that takes their place."""

from itertools import product

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
CASES: dict[str, tuple[tuple[int, ...], dict[int, int], tuple[int, ...], int]] = {
    "focus": ((1, 3, 64, 128), {2: 2, 3: 2}, (3, 2), 1),
    "rows first": ((2, 5, 12, 36), {2: 2, 3: 2}, (2, 3), 1),
    "blocks of 3 x 2": ((1, 4, 9, 26), {2: 3, 3: 2}, (3, 2), 1),
    "patches": ((2, 14, 10, 48), {1: 2, 2: 2}, (2, 1), 3),
    "odd channels": ((1, 6, 6, 33), {1: 2, 2: 2}, (2, 1), 3),
    "columns alone": ((2, 3, 7, 40), {3: 4}, (3,), 1),
}


def _places(steps: dict[int, int], order: tuple[int, ...]) -> list[dict[int, int]]:
    return [dict(zip(order, place, strict=True)) for place in product(*(range(steps[d]) for d in order))]


def _text(
    shape: tuple[int, ...], steps: dict[int, int], order: tuple[int, ...], axis: int, mark: str = ""
) -> str:
    lines = [f"graph @f(%x: tensor<{'x'.join(map(str, shape))}xf16>) {{"]
    axes = list(steps)
    places = _places(steps, order)
    for i, place in enumerate(places):
        starts, ends = [place[d] for d in axes], [shape[d] for d in axes]
        options = f"starts = {starts}, ends = {ends}, axes = {axes}, steps = {list(steps.values())}{mark}"
        lines.append(f"%{i} = slice(%x) {{{options}}}")
    parts = ", ".join(f"%{i}" for i in range(len(places)))
    return "\n".join([*lines, f"%y = concat({parts}) {{axis = {axis}}}", "return %y", "}"])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, chip: str) -> None:
    shape, steps, order, axis = CASES[name]
    program = ascend_opt.compile(_text(shape, steps, order, axis), target=chip, tune=1)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float16)
    parts = [
        x[tuple(slice(place.get(d), None, steps.get(d)) for d in range(len(shape)))]
        for place in _places(steps, order)
    ]
    result = program.run({"x": x})
    (found,) = result.outputs.values()
    np.testing.assert_array_equal(found, np.concatenate(parts, axis))


@pytest.mark.parametrize("chip", CHIPS)
def test_focus_is_faster(chip: str) -> None:
    """Slices that are to be kernels of their own are not joined."""
    case = (1, 3, 320, 320), {2: 2, 3: 2}, (3, 2), 1
    one, several = (
        ascend_opt.compile(_text(*case, mark), target=chip, tune=1, join_launches=False).time()
        for mark in ("", ', nofuse = "a"')
    )
    assert len(one.kernels) == 1
    assert one.total_us < 0.6 * several.total_us
