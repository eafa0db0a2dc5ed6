"""Weights that a core's first tile loads and that stay in L1 for the others."""

import pytest
from fused_graphs import check
from small_graphs import convolution

from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile
from ascend_opt.passes.sync.report import SyncReport

PRODUCT = """graph @f(%x: tensor<8192x128xf16>, %w: tensor<128x64xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}"""
CONVOLUTION = convolution("2x32x28x28", "32x32x3x3")


@pytest.mark.parametrize(("text", "chip"), [(PRODUCT, "ascend910"), (CONVOLUTION, "ascend310p")])
def test_weights_beside_operands_of_gm_stay(text: str, chip: str):
    """The load of the first tile is a step ahead of its use in another condition: its flag takes the slots of the
    operand's, which goes the same way (the same pipes in the one kernel, others in the other)."""
    program, _ = check(text, chip)
    kernels = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.ContractOp)]
    assert [op.schedule.keeps for op in kernels] == [True]
    (report,) = [r for r in program.reports if isinstance(r, SyncReport)]
    assert not any(kernel.contradiction or kernel.barred for kernel in report.kernels)
