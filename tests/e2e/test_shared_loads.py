"""What all tiles of a core share, the scale and shift of a norm, is loaded once for each core. Values by numpy, with
hazards on."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tensor_bytes import tensors_us

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects import ascend

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
NORM = "%y = layer_norm(%x, %g, %b)"
SCALED = "%a = mul(%x, %g)\n  %c = add(%a, %b)\n  %y = softmax(%c)"


def _program(rows: int, columns: int, body: str, chip: str, dtype: str = "f16") -> Program:
    kinds = (
        f"%x: tensor<{rows}x{columns}x{dtype}>, %g: tensor<{columns}x{dtype}>, %b: tensor<{columns}x{dtype}>"
    )
    return ascend_opt.compile(f"graph @f({kinds}) {{\n  {body}\n  return %y\n}}", target=chip, tune=1)


def _wanted(body: str, x: NDArray[np.float64], g: NDArray[np.float64], b: NDArray[np.float64]):
    if body == NORM:
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * g + b
    powers = np.exp(x * g + b)
    return powers / powers.sum(1, keepdims=True)


def _loads(program: Program) -> list[int]:
    """How deep in loops each tensor is loaded to UB."""
    found: list[int] = []
    for op in program.module.walk():
        if isinstance(op, ascend.CopyOp) and '"gm">, memref' in str(op):
            depth, parent = 0, op.parent_op()
            while parent is not None and not isinstance(parent, ascend.KernelOp):
                depth, parent = depth + (parent.name == "scf.for"), parent.parent_op()
            found.append(depth)
    return found


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("body", [NORM, SCALED])
@pytest.mark.parametrize(("rows", "columns"), [(512, 2048), (1030, 1000), (300, 4095), (256, 8192)])
def test_rows_with_a_scale_and_a_shift(rows: int, columns: int, body: str, chip: str):
    rng = np.random.default_rng(rows)
    x, g, b = rng.standard_normal((rows, columns)), rng.standard_normal(columns), rng.standard_normal(columns)
    x, g, b = (array.astype(np.float16) for array in (x, g, b))
    found = np.asarray(_program(rows, columns, body, chip).run(x=x, g=g, b=b).outputs["output0"], np.float64)
    wanted = _wanted(body, *(array.astype(np.float64) for array in (x, g, b)))
    assert np.linalg.norm(found - wanted) / np.linalg.norm(wanted) < 2e-3


@pytest.mark.parametrize("chip", CHIPS)
def test_they_stand_in_front_of_the_loop(chip: str):
    depths = _loads(_program(4096, 2048, NORM, chip))
    assert sorted(depths)[:2] == [0, 0] and max(depths) == 1


def test_long_rows_take_little_longer_than_their_bytes():
    (kernel,) = _program(4096, 8192, NORM, "ascend910b").time().kernels
    assert kernel.dma_read_bytes < 1.1 * 4096 * 8192 * 2
    assert kernel.time_us < 1.6 * tensors_us(kernel, "ascend910b")


def test_a_dimension_known_at_run_time_is_shared_by_no_tiles():
    """A number for each row is loaded with each tile, though the one row that tiles were chosen for is in all of
    them."""
    columns = 1 << 20
    text = (
        f"graph @f(%x: tensor<?x{columns}xf16>, %s: tensor<?x1xf16>) {{\n  %y = add(%x, %s)\n  return %y\n}}"
    )
    program = ascend_opt.compile(text, target="ascend910b", tune=1, dynamic_sizes=(1,))
    x = np.random.default_rng(1).integers(-8, 8, (2, columns)).astype(np.float16)
    s = np.array([[16], [32]], np.float16)
    assert np.array_equal(program.run(x=x, s=s).outputs["output0"], x + s)
    assert _loads(program) and min(_loads(program)) == 1
