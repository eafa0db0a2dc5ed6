"""Attention: products on both sides of a softmax whose rows come part by part, in one kernel."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fused_graphs import check
from sweeps import ALL
from xdsl.dialects.builtin import IntegerAttr, i64

import ascend_opt
from ascend_opt.dialects.ascend import FixpipeOp, ViewOp
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

EXAMPLE = Path(__file__).parents[2] / "examples" / "attention.mlir"
CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def tensor(shape: tuple[int, ...], dtype: str = "f16") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def attention(
    q: tuple[int, ...],
    columns: int,
    depth: int,
    width: int = 0,
    heads: tuple[int, ...] | None = None,
    mask: tuple[int, ...] | None = None,
    causal: bool = False,
) -> str:
    """q is [*q, depth], k and v are [*heads, columns, ..], where heads are those of q if none are given."""
    outer = q[:-1] if heads is None else heads
    given = "" if mask is None else f", %m: {tensor(mask)}"
    return f"""graph @f(%q: {tensor((*q, depth))}, %k: {tensor((*outer, columns, depth))},
         %v: {tensor((*outer, columns, width or depth))}{given}) {{
  %y = attention(%q, %k, %v{", %m" * bool(mask)}) {{causal = {str(causal).lower()}}}
  return %y
}}"""


CASES = {
    "ragged": attention((2, 3, 77), 197, 64),
    "one row": attention((2, 1), 17, 64, width=48),
    "a last part of one column": attention((2, 40), 513, 64, width=128),
    "one column": attention((3, 5), 1, 16),
    "odd depth": attention((16,), 16, 7, width=9),
    "causal": attention((2, 130), 130, 80, causal=True),
    "causal, more columns": attention((33,), 100, 32, causal=True),
    "mask": attention((2, 2, 50), 60, 32, mask=(50, 60)),
    "planes that are no whole blocks": attention(
        (2, 4, 33), 20, 40, width=9, heads=(2, 2), mask=(33, 20), causal=True
    ),
    "mask of columns": attention((2, 2, 17), 33, 16, mask=(2, 1, 1, 33)),
    "shared heads": attention((2, 4, 33), 40, 32, heads=(2, 2), causal=True),
    "one head of keys, mask": attention((2, 4, 33), 40, 128, heads=(2, 1), mask=(1, 4, 33, 40)),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str):
    """Right on every chip, in the one kernel that is asked for; by default each case is run on one chip, and the first
    one on all."""
    at = [*CASES].index(name)
    every = at == 0 or ALL
    for chip in CHIPS if every else CHIPS[at % 4 : at % 4 + 1]:
        _, result = check(CASES[name].replace("{causal", '{fuse = "one", causal'), chip, scale=1.0)
        assert len(result.profile.kernels) == 1


def test_a_boolean_mask():
    """True is what counts, as for a padded batch."""
    text = attention((2, 20), 30, 16, mask=(2, 1, 30)).replace("tensor<2x1x30xf16>", "tensor<2x1x30xi1>")
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    rng = np.random.default_rng(3)
    inputs: dict[str, Any] = {
        n: rng.standard_normal((2, s, 16)).astype(np.float16) for n, s in (("q", 20), ("k", 30), ("v", 30))
    }
    inputs["m"] = np.arange(30) < np.array([30, 11]).reshape(2, 1, 1)
    (found,) = program.run(inputs).outputs.values()
    (wanted,) = program.reference(inputs).values()
    assert np.linalg.norm(found - wanted) <= 3e-3 * np.linalg.norm(wanted)
    without = {**inputs, "m": np.ones((2, 1, 30), bool)}
    (other,) = program.reference(without).values()
    assert np.linalg.norm(found - other) > 3e-2 * np.linalg.norm(wanted)


@pytest.mark.parametrize("chip", CHIPS)
def test_scores_stay_on_chip(chip: str):
    """Twice the rows and columns: HBM moves twice the bytes, not four times."""

    def moved(size: int) -> float:
        program = ascend_opt.compile(attention((2, size), size, 64), target=chip, tune=1)
        (kernel,) = program.time().kernels
        return kernel.hbm_read_bytes + kernel.hbm_write_bytes

    assert moved(512) < 2.2 * moved(256)


@pytest.mark.full
def test_the_example_is_one_kernel():
    """Its 2x8x1024x1024 scores never leave the chip: HBM moves q, k, v and the result once."""
    profile = ascend_opt.compile(EXAMPLE, tune=1).time()
    (kernel,) = profile.kernels
    tensor_bytes = 2 * 8 * 1024 * 64 * 2
    assert kernel.hbm_read_bytes + kernel.hbm_write_bytes <= 4 * tensor_bytes + 4096
    assert profile.total_us < ascend_opt.compile(EXAMPLE, fuse=False, tune=1).time().total_us


MIDDLE = {
    "weights without softmax": "%1 = relu(%0)",
    "nothing": "%1 = dropout(%0)",
    "scores are read": "",
}


@pytest.mark.parametrize(("name", "chip"), [*itertools.product(MIDDLE, ("ascend310p", "ascend910b1"))])
def test_other_chains(name: str, chip: str):
    """Two products with anything element-wise between, or a softmax whose rows are read: nothing knows attention."""
    a, b = tensor((2, 50, 48)), tensor((2, 70, 48))
    if name == "scores are read":
        text = f"""graph @f(%x: {tensor((2, 50, 70))}, %wv: {tensor((2, 70, 48))}) {{
  %1 = softmax(%x) {{fuse = "one"}}
  %y = matmul(%1, %wv) {{fuse = "one"}}
  return %y
}}"""
    else:
        middle = MIDDLE[name].replace(")", ') {fuse = "one"}', 1)
        text = f"""graph @f(%wq: {a}, %wk: {b}, %wv: {b}) {{
  %0 = matmul(%wq, %wk) {{transpose_b = true, fuse = "one"}}
  {middle}
  %y = matmul(%1, %wv) {{fuse = "one"}}
  return %y
}}"""
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1


def test_an_epilogue_follows():
    """What follows the product is computed on the sums."""
    text = (
        attention((2, 40), 60, 32)
        .replace("%y = attention", "%0 = attention")
        .replace("  return", "  %1 = gelu(%0)\n  %y = add(%1, %r)\n  return")
    )
    text = text.replace("graph @f(", f"graph @f(%r: {tensor((2, 40, 32))}, ")
    for chip in ("ascend910", "ascend910b1"):
        _, result = check(text, chip, scale=1.0)
        assert len(result.profile.kernels) == 1


def test_sums_of_many_columns_are_scaled_where_they_are():
    """Their UB holds them and those of one part, nothing else of their size."""
    text = """graph @g(%x: tensor<384x64xf16>, %w: tensor<64x1024xf16>, %v: tensor<512x1024xf16> {weight}) {
      %0 = matmul(%x, %w)
      %1 = softmax(%0)
      %2 = matmul(%1, %v) {transpose_b = true}
      return %2
    }"""
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    rng = np.random.default_rng(4)
    inputs = {name: rng.standard_normal(t.shape) / 8 for name, t in program.inputs.items()}
    (found,), (expected,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
    assert np.linalg.norm(found - expected) <= 3e-3 * np.linalg.norm(expected)


@pytest.mark.parametrize("chip", ["ascend910b1", "ascend950"])
@pytest.mark.parametrize("rows", [16, 40])
def test_every_store_of_an_accumulator_counts(chip: str, rows: int):
    """Rows for one Vector core or for both: each FixPipe store, moved by an element, is noticed."""
    shape = f"tensor<2x{rows}x64xf16>"
    text = f"graph @g(%q: {shape}, %k: {shape}, %v: {shape}) {{\n%y = attention(%q, %k, %v)\nreturn %y\n}}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(s.shape).astype(np.float16) for name, s in program.inputs.items()}
    (right,) = Emulator(program.module, program.target).run(None, inputs).outputs
    stores = [i for i, op in enumerate(program.module.walk()) if isinstance(op, FixpipeOp)]
    assert len(stores) >= 2
    for place in stores:
        clone = program.module.clone()
        store = list(clone.walk())[place]
        assert isinstance(store, FixpipeOp)
        view = store.destination.owner
        assert isinstance(view, ViewOp) and view.parent is not None
        moved = view.clone()
        moved.start = IntegerAttr(view.start.value.data + 1, i64)
        view.parent.insert_op_after(moved, view)
        store.operands[1] = moved.results[0]
        try:
            (found,) = Emulator(clone, program.target).run(None, inputs).outputs
        except HazardError:
            continue
        assert not np.array_equal(found, right), store
