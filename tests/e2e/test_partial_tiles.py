"""Tiles that lack dimensions: few lanes behind whole rows, blocks of lanes beside them, parts of what is joined."""

import numpy as np
import pytest

import ascend_opt

LATE_LANES = [
    # chip, rows, columns, lanes
    ("ascend310p", 500, 90, 16),
    ("ascend910b", 127, 127, 16),
    ("ascend910b", 60, 300, 16),
]


@pytest.mark.parametrize(("chip", "rows", "columns", "lanes"), LATE_LANES)
def test_rows_whose_lanes_only_the_result_has_fit(chip: str, rows: int, columns: int, lanes: int) -> None:
    text = f"""graph @f(%a: tensor<{rows}x1xf32>, %b: tensor<1x{columns}xf32>, %e: tensor<1x{lanes}xf32>) {{
      %d = sub(%a, %b)
      %s = abs(%d)
      %m = reduce_min(%s) {{axes = [1], keep_dims = true}}
      %w = broadcast(%m) {{shape = [{rows}, {lanes}]}}
      %v = concat(%w, %e) {{axis = 0}}
      return %v
    }}"""
    assert ascend_opt.compile(text, target=chip, tune=1)


@pytest.mark.parametrize("lanes", [32, 200])
def test_rows_whose_ragged_lanes_need_room_for_their_stores_fit(lanes: int) -> None:
    """A block of lanes fits where a few lanes more, which end between blocks, do not."""
    text = f"graph @f(%x: tensor<256x{lanes}xf32>) {{\n  %y = cumsum(%x) {{axis = 0}}\n  return %y\n}}"
    assert ascend_opt.compile(text, target="ascend910b", tune=1)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_what_is_joined_behind_another_part_is_defined(chip: str, axis: int) -> None:
    """An op on a join that is a later part of a join."""
    shape = "1x9" if axis == 0 else "9x1"
    arguments = ", ".join(f"%{name}: tensor<{shape}xf16>" for name in "abcd")
    text = f"""graph @f({arguments}) {{
      %v = concat(%a, %b) {{axis = {axis}}}
      %w = sub(%v, %c)
      %x = concat(%d, %w) {{axis = {axis}}}
      return %x
    }}"""
    sizes = tuple(map(int, shape.split("x")))
    given = {name: np.full(sizes, n + 1, np.float16) for n, name in enumerate("abcd")}
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run(given).outputs.values()
    assert (found == np.concatenate([np.full(sizes, n) for n in (4, -2, -1)], axis)).all()
