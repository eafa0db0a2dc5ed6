"""Rows of attention none of whose scores count: zeros, as in ONNX, in one kernel and op by op."""

# pyright: basic

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
TOLERANCE = {"f16": 4e-3, "bf16": 2e-2, "f32": 1e-4}
RUNS = (
    *((chip, "f16") for chip in CHIPS), ("ascend910b1", "bf16"), ("ascend910b1", "f32"), ("ascend950", "bf16"),
    ("ascend950", "f32"),
)  # fmt: skip


Shape = tuple[int, ...]


def attention(q: Shape, k: Shape, mask: Shape, kind: str, dtype: str, causal: bool) -> str:
    def tensor(shape: Shape, element: str) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    keys = tensor(k, dtype)
    return f"""graph @f(%q: {tensor(q, dtype)}, %k: {keys}, %v: {keys}, %m: {tensor(mask, kind)}) {{
  %y = attention(%q, %k, %v, %m) {{causal = {str(causal).lower()}}}
  return %y
}}"""


def wanted(q, k, v, m, causal: bool) -> np.ndarray:
    """By definition, row by row: the softmax over the keys that count."""
    repeat = q.shape[-3] // k.shape[-3] if q.ndim > 2 else 1
    k, v = (np.repeat(x, repeat, -3) if repeat > 1 else x for x in (k, v))
    scores = np.einsum("...sd,...td->...st", q, k) / np.sqrt(q.shape[-1])
    m = np.broadcast_to(m, scores.shape)
    counts = m if m.dtype == bool else m > -np.inf
    added = np.where(counts, 0 if m.dtype == bool else m, 0)
    if causal:
        counts = counts & np.tri(*scores.shape[-2:], dtype=bool)
    y = np.zeros((*scores.shape[:-1], v.shape[-1]))
    for at in np.ndindex(scores.shape[:-1]):
        on = counts[at]
        if on.any():
            weights = np.exp(scores[at][on] + added[at][on])
            y[at] = weights @ v[at[:-1]][on] / weights.sum()
    return y


def inputs(program: Program, seed: int) -> dict[str, np.ndarray]:
    """Normal numbers; a mask in which some rows are empty, some have one key, those of others come at random."""
    rng, found = np.random.default_rng(seed), {}
    for name, kind in program.inputs.items():
        array = rng.standard_normal(kind.shape)
        if name == "m":
            on = array > 0
            on.reshape(-1, kind.shape[-1])[:: 3 if kind.shape[-2] > 1 else 1] = False
            on.reshape(-1, kind.shape[-1])[1::5, -1] = True
            array = on if str(kind.element_type) == "i1" else np.where(on, array, -np.inf)
        found[name] = array.astype(numpy_dtype(kind.element_type))
    return found


CASES = {
    "i1": ((2, 3, 50, 32), (2, 3, 60, 32), (50, 60), "i1", False),
    "added": ((2, 3, 50, 32), (2, 3, 60, 32), (2, 1, 50, 60), "", False),
    "causal, i1": ((2, 40, 64), (2, 40, 64), (2, 40, 40), "i1", True),
    "causal, added": ((33, 16), (100, 16), (33, 100), "", True),
    "shared heads": ((2, 4, 33, 16), (2, 2, 40, 16), (2, 4, 33, 40), "i1", False),
    "batches without keys": ((3, 2, 17, 16), (3, 2, 33, 16), (3, 1, 1, 33), "i1", False),
    "several parts": ((1, 20, 64), (1, 1100, 64), (20, 1100), "", False),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize(("chip", "dtype"), RUNS)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, chip: str, dtype: str, fuse: bool):
    q, k, mask, kind, causal = CASES[name]
    text = attention(q, k, mask, kind or dtype, dtype, causal)
    if fuse and dtype == "f16":
        text = text.replace("{causal", '{fuse = "one", causal')
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    given = inputs(program, 5)
    result = program.run(given)
    (found,) = result.outputs.values()
    q, k, v, m = (x if x.dtype == bool else x.astype(np.float64) for x in given.values())
    expected = wanted(q, k, v, m, causal)
    empty = ~expected.any(-1)
    assert empty.any() and not empty.all()
    assert not found[empty].any()
    assert np.linalg.norm(found - expected) <= TOLERANCE[dtype] * np.linalg.norm(expected)
    (reference,) = program.reference(given).values()
    assert not np.asarray(reference)[empty].any()
    assert np.linalg.norm(reference - expected) <= TOLERANCE[dtype] * np.linalg.norm(expected)
    if fuse and dtype == "f16":
        assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", CHIPS)
def test_a_finite_mask_leaves_every_key_its_weight(chip: str):
    """The least finite number added to all scores of a row, which are 0: they stay equal."""
    program = ascend_opt.compile(
        attention((8, 16), (32, 16), (8, 32), "f16", "f16", False), target=chip, tune=1
    )
    v = np.random.default_rng(0).standard_normal((32, 16)).astype(np.float16)
    m = np.full((8, 32), -65504, np.float16)
    (found,) = program.run(q=np.zeros((8, 16)), k=np.zeros((32, 16)), v=v, m=m).outputs.values()
    np.testing.assert_allclose(found, np.broadcast_to(v.astype(np.float64).mean(0), (8, 16)), atol=2e-3)


@pytest.mark.parametrize("columns", [60, 200_000])
@pytest.mark.parametrize(("chip", "dtype"), [*((c, "f16") for c in CHIPS), ("ascend910b1", "f32")])
def test_softmax_of_rows_of_which_nothing_counts(chip: str, dtype: str, columns: int):
    """Zeros where it is asked for, else NaN; rows that a tile holds and rows that none does."""
    text = f"""graph @f(%x: tensor<3x{columns}x{dtype}>) {{
  %y = softmax(%x) {{masked = true}}
  %z = softmax(%x)
  return %y, %z
}}"""
    x = np.random.default_rng(0).standard_normal((3, columns))
    x[1], x[2, 1::2] = -np.inf, -np.inf
    program = ascend_opt.compile(text, target=chip, tune=1)
    masked, plain = program.run(x=x).outputs.values()
    raised = np.exp(x.astype(numpy_dtype(program.inputs["x"].element_type)).astype(np.float64))
    raised[1] = 0
    expected = raised / np.maximum(raised.sum(-1, keepdims=True), 1e-30)
    assert np.linalg.norm(masked - expected) <= TOLERANCE[dtype] * np.linalg.norm(expected)
    assert not masked[1].any() and np.isnan(plain[1]).all()
    np.testing.assert_array_equal(masked[::2], plain[::2])


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
def test_zeros_for_the_nan_of_a_softmax(chip: str, fuse: bool):
    """As exporters write attention: the guard is no kernel, and masked rows are zeros."""
    text = """graph @f(%q: tensor<2x24x32xf16>, %k: tensor<2x32x24xf16>, %v: tensor<2x24x32xf16>,
                       %m: tensor<24x24xf16>) {
      %z = constant() {value = 0.0} : tensor<f16>
      %s = matmul(%q, %k)
      %a = add(%s, %m)
      %p = softmax(%a)
      %n = is_nan(%p)
      %g = select(%n, %z, %p)
      %y = matmul(%g, %v)
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    rng = np.random.default_rng(0)
    given = {name: rng.standard_normal(t.shape) / 2 for name, t in program.inputs.items()}
    given["m"] = np.where(rng.random((24, 24)) < 0.3, -np.inf, 0)
    given["m"][[3, 17]] = -np.inf
    result = program.run(given)
    (found,) = result.outputs.values()
    scores = (given["q"] @ given["k"] + given["m"]).astype(np.float64)
    shares = np.exp(scores - scores.max(-1, keepdims=True, initial=-1e30))
    shares /= np.maximum(shares.sum(-1, keepdims=True), 1e-30)
    right = shares @ given["v"]
    assert not found[:, [3, 17]].any()
    assert np.linalg.norm(found - right) <= TOLERANCE["f16"] * np.linalg.norm(right)
    if fuse:
        assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("guard", ["select(%n, %p, %z)", "select(%n, %o, %p)", "select(%n, %z, %x)"])
def test_what_is_no_guard_stays(guard: str):
    """NaN kept, ones for NaN, another tensor: none of it is a masked softmax."""
    text = f"""graph @f(%x: tensor<4x24xf16>) {{
      %z = constant() {{value = 0.0}} : tensor<f16>
      %o = constant() {{value = 1.0}} : tensor<f16>
      %p = softmax(%x)
      %n = is_nan(%p)
      %g = {guard}
      return %g
    }}"""
    x = np.random.default_rng(0).standard_normal((4, 24)).astype(np.float16)
    x[1] = -np.inf
    (found,) = ascend_opt.compile(text, target="ascend910b1", tune=1).run(x=x).outputs.values()
    with np.errstate(invalid="ignore"):
        p = np.exp(x - x.max(1, keepdims=True).astype(np.float64))
        p /= p.sum(1, keepdims=True)
    right = {"%p, %z": np.where(np.isnan(p), p, 0), "%o, %p": np.where(np.isnan(p), 1, p)}
    wanted = right.get(guard[11:17], np.where(np.isnan(p), 0, x))
    np.testing.assert_allclose(found.astype(np.float64), wanted, atol=2e-3)
