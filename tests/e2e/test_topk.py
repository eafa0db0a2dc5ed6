"""The largest and the least of numbers that are as large or as small as numbers get."""

import numpy as np
import pytest

import ascend_opt


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend310p", "ascend950"])
@pytest.mark.parametrize(("dtype", "shape", "axis", "k"), [
    ("f32", (3, 4, 8), 0, 3), ("f32", (5, 6), 1, 4), ("f16", (6, 6), 1, 3), ("f32", (2, 20), 1, 7),
])  # fmt: skip
def test_the_ends_of_a_type_are_found_once_each(
    dtype: str, shape: tuple[int, ...], axis: int, k: int, chip: str, largest: bool
) -> None:
    sizes = "x".join(map(str, shape))
    text = f"""graph @f(%x: tensor<{sizes}x{dtype}>) {{
      %v, %i = topk(%x) {{k = {k}, axis = {axis}, largest = {str(largest).lower()}}}
      return %v, %i
    }}"""
    element = np.dtype({"f32": np.float32, "f16": np.float16}[dtype])
    end = np.finfo(element).max
    x = np.random.default_rng(k).choice(np.array([-end, 0, end], element), size=shape)
    order = np.argsort(-x.astype(np.float64) if largest else x.astype(np.float64), axis=axis, kind="stable")
    first = order.take(np.arange(k), axis=axis)
    values, indices = ascend_opt.compile(text, target=chip).run(x=x).outputs.values()
    assert np.array_equal(values, np.take_along_axis(x, first, axis))
    assert np.array_equal(indices, first)


@pytest.mark.parametrize("shape", [(8, 9), (3, 5, 9)])
@pytest.mark.parametrize("chip", ["ascend950", "ascend310p"])
def test_many_of_each_row_of_a_dynamic_batch(shape: tuple[int, ...], chip: str) -> None:
    sizes = "x".join(map(str, shape))
    text = f"graph @f(%x: tensor<?x{sizes}xf32>) {{\n%v, %i = topk(%x) {{k = 6}}\nreturn %v, %i }}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    for batch in (1, 4):
        x = np.random.default_rng(batch).integers(-3, 4, (batch, *shape)).astype(np.float32)
        first = np.argsort(-x, axis=-1, kind="stable")[..., :6]
        values, indices = program.run(x=x).outputs.values()
        assert np.array_equal(values, np.take_along_axis(x, first, -1))
        assert np.array_equal(indices, first)
