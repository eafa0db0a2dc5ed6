"""Products whose last tile has fewer columns: what L1 holds past these is loaded with them, and no product reads it."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.walked import walked


def graph(m: int, k: int, n: int, mark: str = "{weight}") -> str:
    return (
        f"graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {mark}) {{\n"
        "  %p = matmul(%x, %w)\n  return %p\n}"
    )


def compiled(text: str, plan: str) -> ascend_opt.Program:
    return ascend_opt.compile(
        text.replace("matmul(%x, %w)", f"matmul(%x, %w) {{{plan}}}"), target="ascend910b"
    )


@pytest.mark.parametrize("mark", ["{weight}", ""])
@pytest.mark.parametrize(("n", "tile"), [(1024, 96), (1000, 96), (1280, 112)])
def test_values(n: int, tile: int, mark: str) -> None:
    """Against numpy, where a core has the last tile alone: L1 holds nothing that was ever written past its columns."""
    program = compiled(graph(64, 512, n, mark), f"tile = [64, {tile}]")
    random = np.random.default_rng(3)
    x = random.standard_normal((64, 512)).astype(np.float16)
    w = random.standard_normal((512, n)).astype(np.float16)
    (result,) = program.run({"x": x, "w": w}).outputs.values()
    want = x.astype(np.float64) @ w.astype(np.float64)
    assert np.linalg.norm(result - want) <= 2e-3 * np.linalg.norm(want)


@pytest.mark.parametrize(("n", "tile"), [(1024, 96), (960, 96), (1280, 112)])
def test_one_load_for_each_product(n: int, tile: int) -> None:
    """Packed columns follow each other in L1, so the right operand of a product comes by one instruction, whether the
    last tile is smaller or not."""
    program = compiled(graph(64, 512, n), f"tile = [64, {tile}]")
    (kernel,) = (op for op in walked(program.module) if isinstance(op, ascend.KernelOp))
    for block in {op.parent for op in walked(kernel) if isinstance(op, ascend.MmadOp)}:
        assert block is not None
        to = [space_of(op.destination) for op in block.ops if isinstance(op, ascend.Load2dOp)]
        products = sum(isinstance(op, ascend.MmadOp) for op in block.ops)
        assert to.count("l0b") == products
