"""Rows in parts: last tiles of half a block of a tile, rows that indices pick and ops reduce."""

import numpy as np
import pytest

import ascend_opt

pytestmark = pytest.mark.sweep(3)


@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize(
    ("rows", "columns", "step"), [(2, 24, 2), (2, 24, 3), (1, 40, 2), (5, 56, 2), (3, 72, 4)]
)
def test_tiles_of_f32_that_end_in_a_block_of_eight(rows: int, columns: int, step: int, chip: str, fuse: bool):
    """The last tile of a row holds 8 elements, a block of the DMA and half of one of the tile."""
    text = f"""graph @f(%x: tensor<{rows}x{columns * step}xf32>) {{
      %y = slice(%x) {{starts = [0], ends = [{columns * step}], axes = [1], steps = [{step}]}}
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    x = np.arange(rows * columns * step, dtype=np.float32).reshape(rows, -1)
    assert np.array_equal(program.run(x=x).outputs["output0"], x[:, ::step])


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize(
    ("axes", "other"), [((0, 1), (1, 2)), ((0, 1), (3, 17)), ((-1,), (1, 40)), ((1,), (5, 1, 3))]
)
def test_picked_rows_that_are_reduced_beside_other_columns(
    rows: int, axes: tuple[int, ...], other: tuple[int, ...], chip: str
):
    """The lanes of the result are not those of the rows."""
    keep = len(axes) == 1
    sizes = "x".join(map(str, other if not keep else (*other[:-1], rows, other[-1])))
    text = f"""graph @f(%x: tensor<9x2xf16>, %i: tensor<{rows}xi32>, %o: tensor<{sizes}xf16>) {{
      %p = gather(%x, %i)
      %m = reduce_mean(%p) {{axes = {list(axes)}, keep_dims = {str(keep).lower()}}}
      %y = mul(%m, %o)
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    x, i = np.arange(18, dtype=np.float16).reshape(9, 2), np.array([7, 2][:rows], np.int32)
    o = np.arange(np.prod(program.inputs["o"].shape), dtype=np.float16).reshape(program.inputs["o"].shape)
    expected = x[i].astype(np.float32).mean(axis=axes, keepdims=keep) * o
    assert np.array_equal(program.run(x=x, i=i, o=o).outputs["output0"], expected.astype(np.float16))
