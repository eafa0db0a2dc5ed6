"""Triton kernels that AscendNPU-IR compiled give on the emulator what they are defined to, at full and ragged sizes.

The programs are those of `tests/data/hivm`; the oracles compute in f64.
"""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import triton_cases as cases
from triton_cases import CASES, Case, Kernel

from ascend_opt import hivm

DATA = Path(__file__).parents[1] / "data" / "hivm"
CLOSE = {
    np.dtype(np.float16): 6e-4,
    np.dtype(ml_dtypes.bfloat16): 4.5e-3,
    np.dtype(np.float32): 4e-6,
}
"""Largest error of an element, of itself and the mean size of all: a rounding of its type, and sums in f32."""
ATTENTION = 4
"""How many times that where shares of keys are rounded on their way to the Cube."""


def of(*kernels: Kernel) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case", [c for c in CASES.values() if c.kernel in kernels], ids=lambda c: c.name
    )


def check(case: Case) -> None:
    module = hivm.load(DATA / f"{case.name}.mlir")
    for sizes in case.sizes:
        arguments = case.arguments(sizes)
        result = module.launch(case.grid(arguments), arguments, names=tuple(arguments))
        expected = case.expected(arguments)
        assert set(result.outputs) == set(expected), sizes
        for name, want in expected.items():
            got = result.outputs[name].astype(np.float64)
            bound = CLOSE[arguments[name].dtype] * (ATTENTION if case.kernel is cases.ATTENTION else 1)
            np.testing.assert_allclose(
                got, want, rtol=bound, atol=bound * np.abs(want).mean(), err_msg=str(sizes)
            )


@pytest.mark.sweep(1)
@of(cases.VECTOR_ADD, cases.EMBEDDING)
def test_sums_and_gathers(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.CHAIN)
def test_chains(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.MASKED_CHAIN, cases.ROTARY)
def test_masked_tails(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.SOFTMAX)
def test_softmax(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.LAYER_NORM)
def test_layer_norm(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.RMS_NORM)
def test_rms_norm(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.SUM_ROWS, cases.SUM_COLUMNS)
def test_sums_over_rows_and_columns(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.PREFIX_SUM, cases.TRANSPOSE)
def test_prefix_sums_and_transposes(case: Case):
    check(case)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["matmul_f16", "matmul_bf16", "matmul_f32"])
def test_matmul(name: str):
    check(CASES[name])


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", ["matmul_wide_f16", "matmul_small_f16"])
def test_matmul_of_other_blocks(name: str):
    check(CASES[name])


@pytest.mark.sweep(8)
@of(cases.MATMUL_BIAS_GELU, cases.BATCHED_MATMUL)
def test_products_with_more_to_them(case: Case):
    check(case)


@pytest.mark.sweep(1)
@of(cases.ATTENTION)
def test_attention(case: Case):
    check(case)


def test_every_program_is_stored_with_its_launches():
    facts = json.loads((DATA / "launches.json").read_text())
    assert {p.stem for p in DATA.glob("*.mlir")} == set(facts) == set(CASES)
    for name, case in CASES.items():
        launches = facts[name]["launches"]
        grids = [list(case.grid(case.arguments(sizes))) for sizes in case.sizes]
        assert [launch["grid"] for launch in launches] == grids
