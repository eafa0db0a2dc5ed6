"""Run-time sizes of which one more is several tiles more: last tiles of every size that there is."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects.ascend import KernelOp, VecOp, ViewOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.analysis.trace_sizes import at_size, telling_sizes
from ascend_opt.passes.analysis.traces import trace_kernel

POOL = """graph @f(%x: tensor<?x4x40x4x1xf32>) {
  %y = avg_pool3d(%x) {kernel = [3, 3, 1], strides = [3, 1, 3], pads = [1, 2, 0, 1, 2, 0], dilations = [1, 1, 1],
                       ceil_mode = false, count_include_pad = false}
  return %y
}"""


@pytest.mark.parametrize("chip", ["ascend310p", "ascend910"])
def test_rows_that_are_set_behind_the_last_one(chip: str) -> None:
    """Each size sets other rows, which the next instruction reads: the barrier between them is for all."""
    program = ascend_opt.compile(POOL, target=chip, tune=1)
    draw = np.random.default_rng(0)
    for size in (1, 2, 3, 5):
        x = draw.normal(size=(size, 4, 40, 4, 1)).astype(np.float32)
        (result,) = program.run(x=x).outputs.values()
        (expected,) = program.reference({"x": x}).values()
        np.testing.assert_allclose(result, expected, atol=1e-5)


def test_a_kernel_is_traced_with_its_smallest_and_largest_last_tiles() -> None:
    module = ascend_opt.compile(POOL, target="ascend310p", tune=1).module
    checked = 0
    for kernel in (op for op in module.walk() if isinstance(op, KernelOp)):
        if at_size(kernel, 1).numbers[0] == 160:  # in tiles of 128
            checked += 1
            extents = [size.numbers[0] for size in telling_sizes(kernel, 3)]
            assert {(extent - 1) % 128 + 1 for extent in extents} == {32, 64, 96, 128}
    assert checked


def test_cores_with_other_last_tiles_are_traced() -> None:
    """Rows behind the last one are set at each size that has some: 32 of 128, 64 and 96."""
    module = ascend_opt.compile(POOL, target="ascend310p", tune=1).module
    kernels = (op for op in module.walk() if isinstance(op, KernelOp))
    kernel = next(one for one in kernels if at_size(one, 1).numbers[0] == 160)
    sets = [
        op for op in kernel.walk() if isinstance(op, VecOp) and op.instruction.data == "vdup" and _ends(op)
    ]
    assert len(sets) == 1
    written = {
        access.mask.bit_count()
        for trace in trace_kernel(kernel, load_target("ascend310p"), 3)
        for instance in trace.instances
        if instance.op is sets[0]
        for access in instance.accesses
    }
    rows = 16 * 4 // 32
    assert {32 * rows, 64 * rows, 96 * rows} <= written


def _ends(op: VecOp) -> bool:
    """Whether what is set has a size of its own in each tile."""
    view = op.destination.owner
    return isinstance(view, ViewOp) and len(view.sizes) > 0


def test_the_last_tile_is_any_cores_turn() -> None:
    """Vector cores that compute a left operand in turns: with an even number of tiles as with an odd one a slot comes
    round again behind the last turn."""
    text = """graph @f(%x: tensor<?x1x2x3xf32>, %w: tensor<1x3x3x3xf32> {weight}) {
      %y = conv_transpose2d(%x, %w) {strides = [1, 2], pads = [0, 0, 0, 1]}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    draw = np.random.default_rng(1)
    for size in (1, 24 * 5, 24 * 6, 24 * 7 + 1):
        given = {
            "x": draw.normal(size=(size, 1, 2, 3)).astype(np.float32),
            "w": draw.normal(size=(1, 3, 3, 3)).astype(np.float32),
        }
        (result,) = program.run(given).outputs.values()
        (expected,) = program.reference(given).values()
        np.testing.assert_allclose(result, expected, atol=1e-5)
