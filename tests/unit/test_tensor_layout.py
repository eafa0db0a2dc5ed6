"""How tensors in blocks lie in GM."""

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, f16

from ascend_opt.dialects.tile import LayoutAttr, physical_shape, physical_strides

LAYOUTS = [
    ((8, 64, 5, 7), LayoutAttr.get(1, (0, 1, 2, 3)), (8, 4, 5, 7, 16)),  # NC1HWC0
    ((128, 512), LayoutAttr.get(1, (1, 0)), (32, 128, 16)),  # NZ
    ((3, 128, 48), LayoutAttr.get(2, (0, 2, 1)), (3, 3, 128, 16)),
    ((6, 5), None, (6, 5)),
]


@pytest.mark.parametrize(("shape", "layout", "lies_as"), LAYOUTS)
def test_strides_are_those_of_the_shape_in_gm(
    shape: tuple[int, ...], layout: LayoutAttr | None, lies_as: tuple[int, ...]
):
    kind = TensorType(f16, shape) if layout is None else TensorType(f16, shape, layout)
    assert physical_shape(kind) == lies_as
    steps = [n // 2 for n in np.empty(lies_as, np.float16).strides]
    order = range(len(shape)) if layout is None else layout.dims
    assert physical_strides(kind) == tuple(steps[list(order).index(d)] for d in range(len(shape)))
