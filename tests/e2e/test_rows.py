"""Reductions, softmax and norms, alone and fused with what is before and after them."""

import itertools

import pytest
from fused_graphs import check
from row_graphs import GRAPHS, PAIRS, text_of
from sweeps import ALL

from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of

SHAPES = (
    (64, 100), (7, 1001), (1, 1), (1, 16), (33, 768), (2, 3, 17, 19), (4, 8, 8), (1000,), (5, 1), (300, 8), (200, 128)
)  # fmt: skip
EVERY = [*itertools.product(GRAPHS, SHAPES, PAIRS)]


@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    """Every graph, each in one kernel where it has one op; by default some shapes on each chip."""
    chosen = [(s, p) for n, s, p in EVERY if n == name]
    if not ALL:
        first = [*GRAPHS].index(name)
        chosen = [one for i, one in enumerate(chosen) if (i + first) % 6 == 0]
    for shape, (chip, dtype) in chosen:
        program, result = check(text_of(name, shape, dtype), chip, dtype, scale=1.0)
        if len(GRAPHS[name]) == 1:
            assert len(result.profile.kernels) == 1, program


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_a_norm_and_gelu_are_one_kernel_of_one_read_and_one_write(chip: str):
    text = """graph @f(%x: tensor<512x1024xf16>, %g: tensor<1024xf16>, %b: tensor<1024xf16>) {
  %n = layer_norm(%x, %g, %b)
  %y = gelu(%n)
  return %y
}"""
    _, result = check(text, chip)
    (kernel,) = result.profile.kernels
    assert kernel.compulsory_bytes == 2 * 512 * 1024 * 2 + 2 * 1024 * 2
    assert kernel.dma_write_bytes == 512 * 1024 * 2


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_rows_apart_of_less_than_a_block(chip: str):
    """What a tile has of a row of the tensor cannot be stored alone where DMA writes whole blocks."""
    check(
        """graph @f(%x: tensor<16x3x3xf16>) {
          %s = softmax(%x) {axis = 2}
          %y = softmax(%s) {axis = 0}
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_ragged_rows_that_lie_end_to_end_leave_in_one_copy(chip: str):
    """Rows of 17 where the DMA writes whole blocks: packed, and the last block of a tile goes with them, for the next
    tile starts on a block or what follows is the tensor's padding."""
    program, _ = check("graph @f(%x: tensor<1000x17xf16>) {\n  %y = softmax(%x)\n  return %y\n}", chip)
    copies = [op for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.CopyOp)]
    assert sum(space_of(op.destination) == "gm" for op in copies) == 1


@pytest.mark.parametrize(("shape", "dtype"), [("4x51x19x10", "f16"), ("3x51x7x10", "f32")])
def test_short_rows_in_several_runs(shape: str, dtype: str):
    """A tile has some of the second dimension: rows of less than 16 elements that lie end to end in runs of some."""
    check(
        f"""graph @f(%x: tensor<{shape}x{dtype}>) {{
          %s = reduce_max(%x) {{axes = [0, 2], keep_dims = true}}
          %y = sub(%x, %s)
          return %y
        }}""",
        "ascend310p",
        dtype,
    )
