"""Left operands of products that are folded along a dimension which the product lacks (the items of an embedding bag),
or whose rows indices pick."""

import re
from collections.abc import Callable
from math import erf
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sweeps import ALL
from sync_mutants import mutants_of, survivors

import ascend_opt
from ascend_opt.compiler.api import Result

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
Array = NDArray[np.float64]
Inputs = dict[str, NDArray[Any]]
TOLERANCE = 2e-3
SLOWER = 1.02
"""Of the time of the parts: how long one kernel may take."""
V = 60
"""Rows of a table."""
T, B, W = "%t: tensor<60x{k}xf16>", "%i: tensor<{m}x{s}xi32>", "%w: tensor<{k}x{n}xf16> {{weight}}"


def rows(x: Inputs, table: str = "t", indices: str = "i") -> Array:
    return np.take(x[table].astype(np.float64), x[indices], axis=0)


def wide(x: Inputs, name: str) -> Array:
    return x[name].astype(np.float64)


Definition = Callable[[Inputs], Array]
GRAPHS: dict[str, tuple[str, list[str], Definition]] = {
    "sum of a bag": (
        f"{T}, {B}, {W}",
        ['%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%y = matmul(%e, %w)"],
        lambda x: rows(x).sum(1) @ wide(x, "w"),
    ),
    "mean of a bag": (
        f"{T}, {B}, {W}",
        ['%e = embedding_bag(%t, %i) {{mode = "mean"}}', "%y = matmul(%e, %w)"],
        lambda x: rows(x).mean(1) @ wide(x, "w"),
    ),
    "largest of picked rows": (
        f"{T}, {B}, {W}",
        ["%g = gather(%t, %i)", "%e = reduce_max(%g) {{axes = [1]}}", "%y = matmul(%e, %w)"],
        lambda x: rows(x).max(1) @ wide(x, "w"),
    ),
    "weighted bag": (
        f"{T}, {B}, %p: tensor<{{m}}x{{s}}x1xf16>, {W}",
        [
            "%g = gather(%t, %i)", "%h = mul(%g, %p)", "%e = reduce_sum(%h) {{axes = [1]}}",
            "%y = matmul(%e, %w)",
        ],
        lambda x: (rows(x) * wide(x, "p")).sum(1) @ wide(x, "w"),
    ),
    "bag and dense rows, an epilogue": (
        f"{T}, {B}, %z: tensor<{{m}}x{{k}}xf16>, %b: tensor<{{n}}xf16>, {W}",
        [
            '%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%h = add(%e, %z)", "%0 = relu(%h)",
            "%1 = matmul(%0, %w)", "%2 = add(%1, %b)", "%y = gelu(%2)",
        ],
        lambda x: gelu(np.maximum(rows(x).sum(1) + wide(x, "z"), 0) @ wide(x, "w") + wide(x, "b")),
    ),
    "bags of a batch": (
        f"{T}, %i: tensor<3x{{m}}x{{s}}xi32>, {W}",
        ['%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%y = matmul(%e, %w)"],
        lambda x: rows(x).sum(2) @ wide(x, "w"),
    ),
    "two bags": (
        f"{T}, %u: tensor<60x{{k}}xf16>, {B}, %j: tensor<{{m}}x{{s}}xi32>, {W}",
        [
            '%e = embedding_bag(%t, %i) {{mode = "sum"}}', '%f = embedding_bag(%u, %j) {{mode = "mean"}}',
            "%g = add(%e, %f)", "%y = matmul(%g, %w)",
        ],
        lambda x: (rows(x).sum(1) + rows(x, "u", "j").mean(1)) @ wide(x, "w"),
    ),
    "picked rows": (
        f"{T}, %i: tensor<{{m}}xi32>, {W}",
        ["%e = gather(%t, %i)", "%y = matmul(%e, %w)"],
        lambda x: rows(x) @ wide(x, "w"),
    ),
    "some items of each row": (
        f"%x: tensor<{{m}}x60x{{k}}xf16>, %i: tensor<{{s}}xi32>, {W}",
        ["%g = gather(%x, %i) {{axis = 1}}", "%e = reduce_sum(%g) {{axes = [1]}}", "%y = matmul(%e, %w)"],
        lambda x: np.take(wide(x, "x"), x["i"], axis=1).sum(1) @ wide(x, "w"),
    ),
    "mean of the dimension inside": (
        f"%x: tensor<{{m}}x{{s}}x{{k}}xf16>, {W}",
        ["%e = reduce_mean(%x) {{axes = [1]}}", "%y = matmul(%e, %w)"],
        lambda x: wide(x, "x").mean(1) @ wide(x, "w"),
    ),
    "sum of the dimension outside": (
        f"%x: tensor<{{s}}x{{m}}x{{k}}xf16>, {W}",
        ["%e = reduce_sum(%x) {{axes = [0]}}", "%y = matmul(%e, %w)"],
        lambda x: wide(x, "x").sum(0) @ wide(x, "w"),
    ),
    "two dimensions": (
        f"%x: tensor<3x{{m}}x{{s}}x{{k}}xf16>, {W}",
        ["%e = reduce_mean(%x) {{axes = [0, 2]}}", "%y = matmul(%e, %w)"],
        lambda x: wide(x, "x").mean((0, 2)) @ wide(x, "w"),
    ),
    "a norm of a bag": (
        f"{T}, {B}, %c: tensor<{{k}}xf16>, {W}",
        ['%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%f = rms_norm(%e, %c)", "%y = matmul(%f, %w)"],
        lambda x: rms_norm(rows(x).sum(1), wide(x, "c")) @ wide(x, "w"),
    ),
    "a softmax of the items": (
        f"%x: tensor<{{m}}x{{s}}x{{k}}xf16>, {W}",
        [
            "%a = softmax(%x) {{axis = 1}}", "%h = mul(%x, %a)", "%e = reduce_sum(%h) {{axes = [1]}}",
            "%y = matmul(%e, %w)",
        ],
        lambda x: (wide(x, "x") * shares(wide(x, "x"))).sum(1) @ wide(x, "w"),
    ),
    "two products of a bag": (
        f"{T}, {B}, %w: tensor<{{k}}x{{n16}}xf16> {{{{weight}}}}, %v: tensor<{{k}}x{{n16}}xf16> {{{{weight}}}}",
        [
            '%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%0 = matmul(%e, %w)", "%1 = matmul(%e, %v)",
            "%y = mul(%0, %1)",
        ],
        lambda x: (rows(x).sum(1) @ wide(x, "w")) * (rows(x).sum(1) @ wide(x, "v")),
    ),
    "a matrix for each bag of a batch": (
        f"{T}, %i: tensor<3x{{m}}x{{s}}xi32>, %w: tensor<3x{{k}}x{{n}}xf16>",
        ['%e = embedding_bag(%t, %i) {{mode = "sum"}}', "%y = matmul(%e, %w)"],
        lambda x: rows(x).sum(2) @ wide(x, "w"),
    ),
    "shares of a dimension": (
        f"%x: tensor<{{m}}x{{s}}x{{k}}xf16>, %p: tensor<{{m}}x{{s}}x1xf16>, {W}",
        [
            "%q = exp(%p)", "%a = reduce_sum(%q) {{axes = [1], keep_dims = true}}", "%c = div(%q, %a)",
            "%h = mul(%x, %c)", "%e = reduce_sum(%h) {{axes = [1]}}", "%y = matmul(%e, %w)",
        ],
        lambda x: (wide(x, "x") * shares(wide(x, "p"))).sum(1) @ wide(x, "w"),
    ),
}  # fmt: skip
SHAPES = (
    {"m": 33, "s": 5, "k": 100, "n": 70},
    {"m": 128, "s": 8, "k": 64, "n": 128},
    {"m": 1, "s": 2, "k": 16, "n": 16},
    {"m": 130, "s": 3, "k": 17, "n": 200},
    {"m": 77, "s": 7, "k": 48, "n": 50},
    {"m": 7, "s": 33, "k": 40, "n": 7},
    {"m": 512, "s": 4, "k": 128, "n": 512},
)


def gelu(x: Array) -> Array:
    return x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))


def rms_norm(x: Array, scale: Array) -> Array:
    return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * scale


def shares(x: Array) -> Array:
    return np.exp(x) / np.exp(x).sum(1, keepdims=True)


def text_of(name: str, shape: dict[str, int], marks: str = "") -> str:
    """The graph; `marks`: the kernel of what is before the product, and that of the rest. Columns of products side by
    side are whole blocks."""
    shape = shape | {"n16": -(-shape["n"] // 16) * 16}
    arguments, lines, _ = GRAPHS[name]
    product = next(i for i, line in enumerate(lines) if "matmul" in line)
    found: list[str] = []
    for i, line in enumerate(line.format(**shape) for line in lines):
        mark = f', fuse = "{marks[i >= product]}"' if marks else ""
        found.append(f"{line[:-1]}{mark}}}" if line[-1] == "}" else f"{line} {{{mark[2:]}}}")
    body = "\n  ".join(found).replace(" {}", "")
    return f"graph @f({arguments.format(**shape)}) {{\n  {body}\n  return %y\n}}"


def inputs_of(text: str, seed: int = 1) -> Inputs:
    rng = np.random.default_rng(seed)
    found: Inputs = {}
    for name, sizes, dtype in re.findall(r"%(\w+): tensor<([\dx]*)x(f16|i32)>", text.split("{\n")[0]):
        shape = tuple(map(int, sizes.split("x")))
        if dtype == "i32":  # below 0 they count from the end
            found[name] = rng.integers(-V, V, shape).astype(np.int32)
        else:
            by = shape[-2] ** -0.5 if name in "wv" else 0.5
            found[name] = (rng.standard_normal(shape) * by).astype(np.float16)
    return found


def checked(name: str, shape: dict[str, int], chip: str) -> Result:
    """One kernel with the values of the definition, hazards on."""
    text = text_of(name, shape, "aa")
    program = ascend_opt.compile(text, target=chip, tune=1)
    inputs = inputs_of(text)
    result = program.run(inputs)
    assert len(result.profile.kernels) == 1, (name, shape, chip)
    found, want = np.asarray(result.outputs["output0"], np.float64), GRAPHS[name][2](inputs)
    assert found.shape == want.shape
    assert np.linalg.norm(found - want) <= TOLERANCE * np.linalg.norm(want), (name, shape, chip)
    return result


@pytest.mark.sweep(8)
@pytest.mark.parametrize("chip", CHIPS)
def test_values(chip: str):
    """Every graph and shape on every chip; by default each chip sees some of the graphs, each with one shape."""
    for name, shape in _some(chip):
        checked(name, shape, chip)


@pytest.mark.full
@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_no_slower_than_its_parts(chip: str):
    """Fused where that is predicted to be faster, a graph takes no longer than what folds the operand and the product
    apart."""
    for name, shape in _some(chip):
        fused, parts = (
            ascend_opt.compile(text_of(name, shape, marks), target=chip, tune=1).time()
            for marks in ("", "pq")
        )
        assert fused.total_us <= SLOWER * parts.total_us, (name, shape, fused.total_us, parts.total_us)


def _some(chip: str) -> list[tuple[str, dict[str, int]]]:
    first = CHIPS.index(chip)
    return [
        (name, shape)
        for i, name in enumerate(GRAPHS)
        for j, shape in enumerate(SHAPES)
        if ALL or ((i + first) % 4 == 0 and (i + j) % len(SHAPES) == first)
    ]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["sum of a bag", "some items of each row"])
def test_a_dynamic_number_of_rows(name: str):
    """Any number of rows runs, also one that leaves tiles with rows that there are not."""
    text = text_of(name, {"m": 99999, "s": 3, "k": 40, "n": 50}, "aa").replace("99999", "?")
    for chip in ("ascend910", "ascend910b1"):
        program = ascend_opt.compile(text, target=chip, tune=1)
        for count in (1, 37):
            inputs = inputs_of(text.replace("?", str(count)))
            result = program.run(inputs)
            assert len(result.profile.kernels) == 1
            found, want = np.asarray(result.outputs["output0"], np.float64), GRAPHS[name][2](inputs)
            assert np.linalg.norm(found - want) <= TOLERANCE * np.linalg.norm(want), (chip, count)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_every_flag_is_needed(chip: str):
    """Without any one flag or barrier the run is a hazard."""
    for name in ("weighted bag", "sum of the dimension outside"):
        text = text_of(name, {"m": 37, "s": 5, "k": 40, "n": 48}, "aa")
        program = ascend_opt.compile(text, target=chip, tune=1)
        prepared = {n: np.asarray(value) for n, value in inputs_of(text).items()}
        mutants = mutants_of(program.module, program.target, prepared)
        assert any(mutant.kind == "flag removed" for mutant in mutants)
        left = survivors(program.module, mutants if ALL else mutants[::5], program.target, prepared)
        assert not left, [f"{chip} {mutant.kind}: {mutant.name}" for mutant in left]


def test_a_bag_that_ub_does_not_hold():
    """Not one bag fits in UB with its items in f32: two kernels, and the report says why."""
    text = text_of("sum of a bag", {"m": 8, "s": 3000, "k": 32, "n": 16})
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    assert len(program.time().kernels) > 1
    wanted = r"into matmul: .*no tile fits: a tile of 1x16, which comes closest, needs \d+ B of UB"
    assert re.search(wanted, program.report())


def test_a_bag_that_is_slower_with_its_product():
    """Few long bags: apart, more cores fold them. The report says that no time is gained."""
    text = text_of("sum of a bag", {"m": 7, "s": 33, "k": 40, "n": 7})
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    wanted = r"refused: gather \+ reduce_sum into matmul: saves \d+% of the bytes (and no time|, but takes)"
    assert re.search(wanted, program.report())
