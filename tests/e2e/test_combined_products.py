"""Products of one value by different weights as one product, against numpy by definition."""

# pyright: basic

import numpy as np
import pytest
from fused_graphs import TOLERANCE, seeded

import ascend_opt
from ascend_opt.passes.graph_combine_products import GraphCombineProducts

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
CASES = ((4, 4, 32, True), (4, 2, 37, False), (6, 1, 37, True))


def _attention(rows: int, heads: int, groups: int, biased: bool, depth: int) -> str:
    """Self-attention of `heads` heads on `groups` heads of keys and values, from the projections on."""
    names = (("q", heads), ("k", groups), ("v", groups))
    weights = "".join(f", %w{n}: tensor<192x{h * depth}xf16> {{weight}}" for n, h in names)
    biases = "".join(f", %b{n}: tensor<{h * depth}xf16> {{weight}}" for n, h in names) if biased else ""
    lines = []
    for n, h in names:
        lines.append(f"%{n}0 = matmul(%x, %w{n})")
        lines += [f"%{n}1 = bias_add(%{n}0, %b{n})"] if biased else []
        lines.append(f"%{n}2 = reshape(%{n}{int(biased)}) {{shape = [1, {rows}, {h}, {depth}]}}")
        lines.append(f"%{n} = transpose(%{n}2) {{perm = [0, 2, 1, 3]}}")
    lines += ["%o = attention(%q, %k, %v)", "%o1 = transpose(%o) {perm = [0, 2, 1, 3]}"]
    lines += [f"%y = reshape(%o1) {{shape = [{rows}, {heads * depth}]}}", "return %y"]
    return f"graph @f(%x: tensor<{rows}x192xf16>{weights}{biases}) {{\n" + "\n".join(lines) + "\n}"


def _expected(given: dict[str, np.ndarray], heads: int, groups: int, depth: int) -> np.ndarray:
    x = {name: array.astype(np.float64) for name, array in given.items()}
    parts = {}
    for name, count in (("q", heads), ("k", groups), ("v", groups)):
        value = x["x"] @ x["w" + name] + x.get("b" + name, 0.0)
        parts[name] = value.reshape(-1, count, depth).swapaxes(0, 1).repeat(heads // count, axis=0)
    scores = parts["q"] @ parts["k"].swapaxes(1, 2) / np.sqrt(depth)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ parts["v"]).swapaxes(0, 1).reshape(len(x["x"]), -1)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("heads", "groups", "rows", "biased"), CASES)
def test_queries_keys_and_values_are_one_product(
    chip: str, heads: int, groups: int, rows: int, biased: bool
) -> None:
    text = _attention(rows, heads, groups, biased, 32)
    given = seeded(text)
    program = ascend_opt.compile(text, target=chip, tune=1)
    result = program.run(given)
    (found,) = (np.asarray(array, np.float64) for array in result.outputs.values())
    wanted = _expected(given, heads, groups, 32)
    assert np.linalg.norm(found - wanted) <= TOLERANCE["f16"] * np.linalg.norm(wanted)
    if groups == 1:  # a few columns of keys and values may be faster apart
        return
    products = [kernel.name for kernel in result.profile.kernels if "graph.matmul" in kernel.ops]
    assert len(products) == 2, program.report()


@pytest.mark.full
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("heads", "groups", "rows", "biased"), [(6, 6, 128, True), (8, 1, 16, False)])
def test_no_combination_is_slower_than_its_parts(
    chip: str, heads: int, groups: int, rows: int, biased: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the clock, against the same program without the pass."""
    text = _attention(rows, heads, groups, biased, 32)
    combined = ascend_opt.compile(text, target=chip, tune=1).time()
    monkeypatch.setattr(GraphCombineProducts, "apply", lambda *_: None)
    apart = ascend_opt.compile(text, target=chip, tune=1).time()
    assert combined.total_us <= 1.01 * apart.total_us
    if heads == groups:
        assert len(combined.kernels) < len(apart.kernels)
