"""Products whose last tile of columns is smaller than the others, so that all cores have one: values by numpy, hazards
on; and that they are chosen where that pays. ASCEND_OPT_ALL=1 runs every case."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from any_tiling import MANY, chosen
from fused_graphs import check
from sweeps import ALL
from tensor_bytes import tensors_us

import ascend_opt
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.regions.tiling import ProductTiling

CHIPS = ["ascend910b", "ascend910", "ascend310p", "ascend950"]


def product(
    m: int, n: int, k: int, weight: str, transposed: bool, after: Sequence[str], dtype: str = "f16"
) -> str:
    shape, stated = (f"{n}x{k}", " {transpose_b = true}") if transposed else (f"{k}x{n}", "")
    lines = [f"%0 = matmul(%x, %w){stated}", *after]
    return (
        f"graph @f(%x: tensor<{m}x{k}x{dtype}>, %w: tensor<{shape}x{dtype}>{weight}, %b: tensor<{n}x{dtype}>, "
        f"%r: tensor<{m}x{n}x{dtype}>) {{\n  " + "\n  ".join(lines) + f"\n  return %{len(after)}\n}}"
    )


EPILOGUES = ((), ("%1 = bias_add(%0, %b) {axis = -1}", "%2 = relu(%1)"), ("%1 = add(%0, %r)",))


def ragged(number: int):
    def choose(tilings: Sequence[Tiling]) -> Tiling:
        found = [one for one in tilings if isinstance(one, ProductTiling) and N % one.tiles[1]]
        assert found, "no such tiling is offered"
        return found[number % len(found)]

    return choose


N = 16 * 2 * 61
"""Columns of no number that divides well."""
CASES = [
    (weight, transposed, after)
    for weight in (" {weight}", "")
    for transposed in (False, True)
    for after in EPILOGUES
]  # fmt: skip


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("case", range(len(CASES)) if ALL else (0, 4, 7, 9))
def test_values(case: int, chip: str) -> None:
    weight, transposed, after = CASES[case]
    text = product(48, N, 160, weight, transposed, after)
    with chosen(ragged(case)):
        check(text, chip, "f16", tune=MANY)


@pytest.mark.parametrize("case", range(len(CASES)) if ALL else (0, 7))
def test_values_in_f32(case: int) -> None:
    weight, transposed, after = CASES[case]
    text = product(40, N, 72, weight, transposed, after, "f32")
    with chosen(ragged(case)):
        check(text, "ascend910b", "f32", tune=MANY)


@pytest.mark.parametrize("k", [4096, 14336])
def test_every_core_has_columns(k: int) -> None:
    """24 tiles of 176 columns, where the 32 of 128 would take two rounds: times as fast as 16 tiles of 256 alone."""
    text = product(128, 4096, k, " {weight}", False, ())
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    (kernel,) = program.time().kernels
    assert "tiles 128x176 on 24 cores" in program.report()
    assert kernel.time_us <= 1.2 * tensors_us(kernel, "ascend910b")


def test_a_product_of_whole_numbers() -> None:
    rng = np.random.default_rng(3)
    x, w = (rng.integers(-99, 99, shape).astype(np.int8) for shape in ((48, 160), (160, N)))
    text = f"""graph @f(%x: tensor<48x160xi8>, %w: tensor<160x{N}xi8> {{weight}}) {{
      %y = matmul(%x, %w)
      return %y
    }}"""
    with chosen(ragged(1)):
        program = ascend_opt.compile(text, target="ascend910b", tune=MANY)
    (found,) = program.run(x=x, w=w).outputs.values()
    assert np.array_equal(found, x.astype(np.int32) @ w.astype(np.int32))


def in_chunks(tilings: Sequence[Tiling]) -> Tiling:
    found = [one for one in tilings if isinstance(one, ProductTiling) and one.chunk < one.tiles[1] // 16 * 16]
    assert found, "no such tiling is offered"
    return found[0]


CONVOLUTION = """graph @f(%x: tensor<2x32x7x7x{dtype}>, %w: tensor<72x32x1x1x{dtype}> {{weight}},
                          %r: tensor<2x72x7x7x{dtype}>) {{
  %0 = conv2d(%x, %w)
  %1 = tanh(%0)
  %2 = mul(%1, %r)
  return %2
}}"""


@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_chunks_of_columns_that_fill_no_block(chip: str, dtype: str) -> None:
    """Where DMA moves any number of bytes, rows and planes of any length leave UB in chunks."""
    after = ("%1 = bias_add(%0, %b) {axis = -1}", "%2 = tanh(%1)", "%3 = mul(%2, %r)")
    for text in (product(48, 72, 160, "", False, after, dtype), CONVOLUTION.format(dtype=dtype)):
        with chosen(in_chunks):
            check(text, chip, dtype, tune=MANY)


def test_odd_planes_in_f32_have_room() -> None:
    """What packs rows for DMA of whole blocks would take more than UB has."""
    text = """graph @f(%x: tensor<1x512x7x7xf32>, %w: tensor<1000x512x1x1xf32> {weight}) {
      %y = conv2d(%x, %w)
      return %y
    }"""
    check(text, "ascend910b", "f32")
    blocks = (Path(__file__).parents[2] / "benchmarks" / "graphs" / "ragged_planes_910.mlir").read_text()
    assert "tiles 1x72x3x57 on 24 cores" in ascend_opt.compile(blocks, target="ascend910b", tune=1).report()
