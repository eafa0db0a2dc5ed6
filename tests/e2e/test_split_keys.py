"""Products that weigh rows by their softmax and keep its logarithm, with and without the product that gives the rows:
values by numpy, hazards on. ASCEND_OPT_ALL=1 runs every case."""

from collections.abc import Sequence

import numpy as np
import pytest
from any_tiling import MANY, chosen
from sweeps import ALL
from sync_mutants import mutants_of, survivors

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.forms import FORMS
from ascend_opt.passes.kernels.split_keys.form import SplitKeysForm
from ascend_opt.passes.regions.tiling import OnlineTiling

CHIPS = ["ascend910b", "ascend910", "ascend310p", "ascend950"]
Array = np.ndarray


def by_definition(scores: Array, v: Array) -> Array:
    """In f64: the weighted sums, then the logarithm, as often as they have columns."""
    with np.errstate(divide="ignore", invalid="ignore"):
        total = np.exp(scores).sum(-1, keepdims=True)
        share = np.where(total > 0, np.exp(scores) / total, 0)
        sums = share @ v.astype(np.float64)
        return np.concatenate([sums, np.broadcast_to(np.log(total), sums.shape)], -1)


def near(found: Array, wanted: Array, bound: float = 2e-3) -> None:
    assert found.shape == wanted.shape
    finite = np.isfinite(wanted)
    assert (np.isneginf(found) == np.isneginf(wanted)).all()
    found, wanted = found[finite].astype(np.float64), wanted[finite]
    assert np.linalg.norm(found - wanted) <= bound * np.linalg.norm(wanted)


SHAPES = [  # heads, rows, keys, K of scores, columns
    (3, 4, 512, 64, 64), (2, 1, 300, 48, 80), (1, 20, 1000, 128, 128), (5, 7, 77, 16, 32)
]  # fmt: skip


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shape", SHAPES if ALL else SHAPES[:2])
@pytest.mark.parametrize("masked", [False, True])
def test_values(shape: tuple[int, ...], masked: bool, chip: str) -> None:
    """With a mask between the products; a row of which nothing counts has the logarithm -inf."""
    heads, rows, keys, depth, columns = shape
    rng = np.random.default_rng(heads)
    q, k, v = (
        rng.standard_normal(s).astype(np.float16)
        for s in ((heads, rows, depth), (heads, keys, depth), (heads, keys, columns))
    )
    mask = np.where(rng.random((heads, 1, keys)) < 0.3, -np.inf, 0).astype(np.float16)
    mask[0] = -np.inf
    given = {"q": q, "k": k, "v": v, **({"m": mask} if masked else {})}
    text = f"""graph @f(%q: tensor<{heads}x{rows}x{depth}xf16>, %k: tensor<{heads}x{keys}x{depth}xf16>,
                        %v: tensor<{heads}x{keys}x{columns}xf16>{f", %m: tensor<{heads}x1x{keys}xf16>" * masked}) {{
      %s = matmul(%q, %k) {{transpose_b = true}}
      %c = constant() {{value = 0.125}} : tensor<f16>
      %z = mul(%s, %c)
      {"%x = add(%z, %m)" * masked}
      %y = softmax_matmul({"%x" if masked else "%z"}, %v)
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    assert len(program.time().kernels) == 1 or shape == SHAPES[2]
    (found,) = program.run(given).outputs.values()
    scores = (q.astype(np.float64) @ np.swapaxes(k, -1, -2).astype(np.float64)).astype(np.float16) * 0.125
    near(found, by_definition(scores.astype(np.float64) + (mask if masked else 0), v))


@pytest.mark.parametrize("chip", CHIPS)
def test_rows_that_are_read(chip: str) -> None:
    """No product gives the rows; large scores do not overflow."""
    rng = np.random.default_rng(7)
    s = (40 * rng.standard_normal((2, 5, 290))).astype(np.float16)
    v = rng.standard_normal((1, 290, 48)).astype(np.float16)
    text = """graph @f(%s: tensor<2x5x290xf16>, %v: tensor<1x290x48xf16>) {
      %y = softmax_matmul(%s, %v)
      return %y
    }"""
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run(s=s, v=v).outputs.values()
    most = s.astype(np.float64).max(-1, keepdims=True)
    wanted = by_definition(s - most, np.repeat(v, 2, axis=0))
    wanted[..., 48:] += most
    near(found, wanted)


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_f32(chip: str) -> None:
    """As ops of their own."""
    rng = np.random.default_rng(8)
    s = rng.standard_normal((2, 9, 200)).astype(np.float32)
    v = rng.standard_normal((2, 200, 32)).astype(np.float32)
    text = """graph @f(%s: tensor<2x9x200xf32>, %v: tensor<2x200x32xf32>) {
      %y = softmax_matmul(%s, %v)
      return %y
    }"""
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run(s=s, v=v).outputs.values()
    near(found, by_definition(s.astype(np.float64), v), 1e-5)


@pytest.mark.parametrize("number", range(12) if ALL else (1, 5))
@pytest.mark.parametrize("chip", CHIPS[:2])
def test_other_tilings(number: int, chip: str) -> None:
    """Whatever parts and rows the search offers."""

    def choose(tilings: Sequence[Tiling]) -> Tiling:
        return tilings[number * len(tilings) // 12] if isinstance(tilings[0], OnlineTiling) else tilings[0]

    rng = np.random.default_rng(number)
    q, k, v = (rng.standard_normal(s).astype(np.float16) for s in ((2, 18, 32), (2, 200, 32), (2, 200, 48)))
    text = """graph @f(%q: tensor<2x18x32xf16>, %k: tensor<2x200x32xf16>, %v: tensor<2x200x48xf16>) {
      %s = matmul(%q, %k) {transpose_b = true}
      %y = softmax_matmul(%s, %v)
      return %y
    }"""
    with chosen(choose):
        program = ascend_opt.compile(text, target=chip, tune=MANY)
    (found,) = program.run(q=q, k=k, v=v).outputs.values()
    scores = (q.astype(np.float64) @ np.swapaxes(k, -1, -2).astype(np.float64)).astype(np.float16)
    near(found, by_definition(scores.astype(np.float64), v))


@pytest.mark.full
@pytest.mark.parametrize("chip", ["ascend910b", "ascend910"])
def test_synchronisation(chip: str) -> None:
    """Without any one of the flags and barriers there is a hazard."""
    text = """graph @f(%s: tensor<1x4x96xf16>, %v: tensor<1x96x16xf16>) {
      %y = softmax_matmul(%s, %v)
      return %y
    }"""
    program = ascend_opt.compile(text, target=load_target(chip).with_(cores=1), tune=1)
    rng = np.random.default_rng(9)
    inputs = {
        "s": rng.standard_normal((1, 4, 96)).astype(np.float16),
        "v": rng.standard_normal((1, 96, 16)).astype(np.float16),
    }
    mutants = mutants_of(program.module, program.target, inputs)
    assert len(mutants) > 5
    sample = mutants if ALL else mutants[::4]
    left = survivors(program.module, sample, program.target, inputs)
    assert not left, "\n".join(f"{mutant.kind}: {mutant.name}" for mutant in left)


def test_the_form_is_registered_once() -> None:
    assert sum(isinstance(form, SplitKeysForm) for form in FORMS) == 1


def test_nothing_follows_in_the_kernel() -> None:
    """What it gives is joined with other parts first."""
    text = """graph @f(%s: tensor<1x4x96xf16>, %v: tensor<1x96x16xf16>) {
      %0 = softmax_matmul(%s, %v)
      %y = relu(%0)
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert len(program.time().kernels) == 2
    assert "of parts of rows is joined before anything reads it" in program.report()


def test_columns_that_are_no_blocks() -> None:
    text = """graph @f(%s: tensor<4x96xf16>, %v: tensor<96x24xf16>) {
      %y = softmax_matmul(%s, %v)
      return %y
    }"""
    with pytest.raises(ascend_opt.CompileError, match="whole blocks of 16"):
        ascend_opt.compile(text, target="ascend910b")
