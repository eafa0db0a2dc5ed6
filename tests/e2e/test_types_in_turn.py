"""Programs of several element types that run in one process, one after the other: nothing of one is left to the next."""

import ml_dtypes
import numpy as np
import pytest
from fused_graphs import TOLERANCE

import ascend_opt

TYPES = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype(np.float32)}
BOUNDS = {"f16": TOLERANCE["f16"], "bf16": 6e-3, "f32": 1e-4}


@pytest.mark.parametrize("order", ["f16 bf16 f32 f16", "f32 f16 bf16"])
def test_convolutions_with_strides(order: str):
    rng = np.random.default_rng(0)
    for dtype in order.split():
        text = f"""graph @f(%x: tensor<1x24x15x14x{dtype}>, %w: tensor<32x24x3x3x{dtype}>) {{
          %y = conv2d(%x, %w) {{strides = [2, 2], pads = [1, 1, 1, 1]}}
          return %y
        }}"""
        x = rng.standard_normal((1, 24, 15, 14)).astype(TYPES[dtype])
        w = (rng.standard_normal((32, 24, 3, 3)) / 15).astype(TYPES[dtype])
        padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
        expected = np.einsum("nchwij,ocij->nohw", windows, w.astype(np.float64))
        program = ascend_opt.compile(text, target="ascend910b1", tune=1)
        (found,) = program.run({"x": x, "w": w}).outputs.values()
        error = np.linalg.norm(found.astype(np.float64) - expected)
        assert error <= BOUNDS[dtype] * np.linalg.norm(expected), dtype
