"""Parts of a joined tensor that a kernel writes right behind the part that it reads, in rows that are no whole blocks.

Chips whose DMA moves whole blocks of 32 B read the block that a part ends in, which is the next part's.
"""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


def _pooled(x: NDArray[np.float32]) -> NDArray[np.float32]:
    padded = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), constant_values=-np.inf)
    return sliding_window_view(padded, (5, 5), (2, 3)).max((-2, -1))


@pytest.mark.parametrize("width", [57, 64])
@pytest.mark.parametrize("chip", CHIPS)
def test_pools_of_pools_that_are_joined(chip: str, width: int):
    pool = "{kernel = [5, 5], strides = [1, 1], pads = [2, 2, 2, 2], nofuse = true}"
    program = ascend_opt.compile(
        f"""graph @f(%x: tensor<1x1x8x{width}xf32>) {{
  %a = exp(%x) {{nofuse = true}}
  %b = max_pool2d(%a) {pool}
  %c = max_pool2d(%b) {pool}
  %d = max_pool2d(%c) {pool}
  %y = concat(%d, %b, %c, %a) {{axis = 0}}
  return %y
}}""",
        target=chip,
        tune=1,
    )
    x = np.random.default_rng(0).standard_normal((1, 1, 8, width)).astype(np.float32)
    a = np.exp(x)
    b = _pooled(a)
    c = _pooled(b)
    result = program.run(x=x)
    np.testing.assert_allclose(result.outputs["output0"], np.concatenate([_pooled(c), b, c, a]), rtol=1e-5)
    moves_nothing = len(result.profile.kernels) == 4
    assert moves_nothing == (width == 64 or chip in ("ascend910b", "ascend950"))
