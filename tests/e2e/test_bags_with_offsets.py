"""Bags of any sizes, which offsets cut out of a list of indices, against their definition in numpy and PyTorch."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sweeps import ALL
from sync_mutants import mutants_of, survivors

import ascend_opt

CHIPS = ("ascend910b", "ascend910", "ascend310p", "ascend950")
MODES = ("sum", "mean", "max")
BOUNDS = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6}
Array = NDArray[Any]
Inputs = dict[str, Array]
OFFSETS: dict[str, list[int]] = {
    "ragged": [0, 3, 3, 11, 12, 30],
    "one bag": [0],
    "one bag behind others": [7],
    "all empty but the last": [0, 0, 0, 0],
    "empty at both ends": [0, 0, 5, 37, 37],
    "a bag for each index": list(range(37)),
}
"""Of 37 indices."""
ITEMS, ROWS = 37, 50


def graph(
    mode: str, offsets: int, width: int, dtype: str, last: bool, weights: bool = False, tail: str = ""
) -> str:
    given = f"%t: tensor<{ROWS}x{width}x{dtype}>, %i: tensor<{ITEMS}xi32>, %o: tensor<{offsets}xi32>"
    given += (
        f", %p: tensor<{ITEMS}x{dtype}>" * weights
        + f", %w: tensor<{width}x20x{dtype}> {{weight}}" * bool(tail)
    )
    attributes = f"mode = {mode}, include_last_offset = {str(last).lower()}"
    bag = f"%e = embedding_bag(%t, %i, %o{', %p' * weights}) {{{attributes}}}"
    return f"graph @f({given}) {{\n  {bag}\n  {tail}\n  return {'%y' if tail else '%e'}\n}}"


def inputs(name: str, width: int, dtype: str, last: bool, seed: int = 3) -> Inputs:
    """Rows are below 0, so that no 0 passes for the largest. Indices repeat, and some count from the end."""
    from ascend_opt.dialects.storage_types import numpy_dtype

    rng, kind = np.random.default_rng(seed), numpy_dtype(dtype)
    return {
        "t": (-0.5 - rng.random((ROWS, width))).astype(kind),
        "i": rng.integers(-ROWS, ROWS, ITEMS).astype(np.int32) // 4,
        "o": np.array([*OFFSETS[name], *([max(ITEMS - 2, OFFSETS[name][-1])] if last else [])], np.int32),
        "p": rng.standard_normal(ITEMS).astype(kind),
        "w": (rng.standard_normal((width, 20)) / width**0.5).astype(kind),
    }


def defined(x: Inputs, mode: str, last: bool, weights: bool = False) -> Array:
    """Bag by bag, item by item, in f64."""
    ends = [*x["o"][1:], *([] if last else [len(x["i"])])]
    bags: list[Array] = []
    for start, end in zip(x["o"], ends, strict=False):
        rows = [
            x["t"][x["i"][n]].astype(np.float64) * (float(x["p"][n]) if weights else 1)
            for n in range(start, end)
        ]
        empty = np.zeros(x["t"].shape[1])
        if mode == "max":
            bags.append(np.maximum.reduce(rows) if rows else empty)
        else:
            bags.append(sum(rows, empty) / (max(len(rows), 1) if mode == "mean" else 1))
    return np.array(bags)


def distance(found: Any, want: Array) -> float:
    found = np.asarray(found).astype(np.float64)
    assert found.shape == want.shape
    return float(np.linalg.norm(found - want) / max(np.linalg.norm(want), 1e-9))


def ran(text: str, chip: str, x: Inputs, fuse: bool = True) -> tuple[Array, int]:
    """The result, hazards on, and how many kernels there were."""
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    result = program.run({name: array for name, array in x.items() if name in program.inputs})
    return result.outputs["output0"], len(result.profile.kernels)


def some(chip: str) -> list[tuple[str, str, int, bool]]:
    """Offsets, a mode, a width, and whether the last offset begins no bag."""
    first = CHIPS.index(chip)
    every = [
        (name, mode, width, last)
        for name in OFFSETS
        for mode in MODES
        for width in (24, 64)
        for last in (False, True)
    ]
    return every if ALL else every[first::11]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_values(chip: str):
    """Empty bags, one bag, a bag for each index, fused and not; each chip sees some of them."""
    for number, (name, mode, width, last) in enumerate(some(chip)):
        for dtype in ("f16", "f32") if ALL else (("f16", "f16", "f32")[number % 3],):
            x = inputs(name, width, dtype, last)
            want = defined(x, mode, last)
            if not len(want):
                continue
            text = graph(mode, len(x["o"]), width, dtype, last)
            found, _ = ran(text, chip, x, fuse=bool(number % 4))
            assert distance(found, want) <= BOUNDS[dtype], (chip, name, mode, width, last, dtype)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_weights_and_a_product(chip: str):
    """Sums of weighted rows in front of a product, on every chip: one kernel."""
    x = inputs("ragged", 24, "f16", True)
    text = graph("sum", len(x["o"]), 24, "f16", True, weights=True, tail="%y = matmul(%e, %w)")
    found, kernels = ran(text, chip, x)
    assert distance(found, defined(x, "sum", True, weights=True) @ x["w"].astype(np.float64)) <= 2e-3
    assert kernels == 1


def drawn(bags: int, items: int, width: int, seed: int, skew: bool) -> Inputs:
    """A table of 300 rows, and bags of random sizes; with `skew` one of them has three quarters of all items."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, items // 4 if skew else items + 1, bags))
    return {
        "t": rng.standard_normal((300, width)).astype(np.float16),
        "i": rng.integers(-300, 300, items).astype(np.int32),
        "o": cuts.astype(np.int32),
        "p": rng.standard_normal(items).astype(np.float16),
        "w": (rng.standard_normal((width, 20)) / width**0.5).astype(np.float16),
    }


def drawn_text(x: Inputs, mode: str, weights: bool, product: bool) -> str:
    rows, width = x["t"].shape
    given = f"%t: tensor<{rows}x{width}xf16>, %i: tensor<{len(x['i'])}xi32>, %o: tensor<{len(x['o'])}xi32>"
    given += (
        f", %p: tensor<{len(x['i'])}xf16>" * weights + f", %w: tensor<{width}x20xf16> {{weight}}" * product
    )
    bag = f"%e = embedding_bag(%t, %i, %o{', %p' * weights}) {{mode = {mode}}}"
    tail = "\n%y = matmul(%e, %w)\nreturn %y" if product else "\nreturn %e"
    return f"graph @f({given}) {{\n{bag}{tail}\n}}"


LARGER = (
    (100, 700, 40, False), (7, 900, 64, True), (400, 2000, 136, False), (33, 512, 1, False),
    (20, 150, 3000, False), (1, 90, 24, False),
)  # fmt: skip
"""Bags, items, the table's width, and whether they are skewed."""


@pytest.mark.sweep(8)
@pytest.mark.parametrize("chip", CHIPS)
def test_larger_ones_are_one_kernel(chip: str):
    """Bags of several chunks, empty ones, one that has most items, one column, columns that are no whole blocks,
    several tiles of columns, one bag: one kernel by itself, and with a product behind where that is not slower. Coupled
    chips have fewer cores with a product than without."""
    for number, (bags, items, width, skew) in enumerate(LARGER):
        for mode in MODES if ALL else MODES[number % 3 :][:1]:
            for product in (False, True) if ALL else (bool((number + len(chip)) % 2),):
                x, weights = drawn(bags, items, width, number, skew), mode == "sum" and number % 2 == 0
                found, kernels = ran(drawn_text(x, mode, weights, product), chip, x)
                want = defined(x, mode, False, weights)
                want = want @ x["w"].astype(np.float64) if product else want
                assert distance(found, want) <= 2e-3, (chip, mode, bags, items, width, product)
                parted = product and chip in ("ascend910", "ascend310p")
                assert kernels <= 1 + parted or width in (1, 3000), (chip, mode, bags, items, width, product)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("chip", CHIPS)
def test_few_long_bags_are_a_product(chip: str):
    """What one core would load row by row all cores share."""
    x = drawn(2, 700, 40, 5, False)
    for mode, weights in (("sum", True), ("mean", False)):
        found, kernels = ran(drawn_text(x, mode, weights, False), chip, x)
        assert distance(found, defined(x, mode, False, weights)) <= 1e-3 and kernels > 1


def test_time_without_data():
    """Where no data says how long they are, bags are as long as each other; the time is about that of such bags."""
    x = drawn(64, 640, 40, 6, False)
    x["o"] = np.arange(0, 640, 10, dtype=np.int32)
    program = ascend_opt.compile(drawn_text(x, "sum", False, False), tune=1)
    ran_us = program.run({name: x[name] for name in "tio"}).profile.total_us
    assert program.time().total_us == pytest.approx(ran_us, rel=0.1)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_every_flag_is_needed(chip: str):
    """Without any one flag or barrier the run is a hazard; so it is before a product."""
    for mode, weights, product in (("sum", True, False), ("mean", False, True), ("max", False, False)):
        x = drawn(9, 200, 40, 7, True)
        x["o"][4:6] = x["o"][3]  # two empty bags
        program = ascend_opt.compile(drawn_text(x, mode, weights, product), target=chip, tune=1)
        given = {name: array for name, array in x.items() if name in program.inputs}
        mutants = mutants_of(program.module, program.target, given)
        assert any(mutant.kind == "flag removed" for mutant in mutants)
        left = survivors(program.module, mutants if ALL else mutants[::5], program.target, given)
        assert not left, [f"{chip} {mode} {mutant.kind}: {mutant.name}" for mutant in left]


def test_an_offset_past_the_list():
    x = inputs("ragged", 24, "f16", False)
    x["o"][-1] = ITEMS + 1
    program = ascend_opt.compile(graph("sum", 6, 24, "f16", False), tune=1)
    with pytest.raises(ascend_opt.ProgramError, match=r"'o' holds index 38 at \[5\], which is out of range"):
        program.run({name: x[name] for name in "tio"})


def test_bf16():
    for mode in MODES:
        x = inputs("ragged", 24, "bf16", False)
        found, _ = ran(graph(mode, 6, 24, "bf16", False), "ascend910b", x)
        assert distance(found, defined(x, mode, False)) <= BOUNDS["bf16"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_sums_are_in_f32(chip: str):
    """2048 and four ones are 2052 in f16 only where they are added in more digits, and a mean is in range though its
    sum is not."""
    x = inputs("ragged", 24, "f16", False)
    x["t"][:], x["t"][0] = 1, 2048
    x["i"][:12] = [0, 1, 2, 3, 4, *[0] * 7]
    x["o"] = np.array([0, 5, 12, 12, 12, 12], np.int32)
    found, _ = ran(graph("sum", 6, 24, "f16", False), chip, x)
    np.testing.assert_array_equal(found[0], 2052)
    x["i"][:], x["t"][0] = 0, 30000
    found, _ = ran(graph("mean", 6, 24, "f16", False), chip, x)
    np.testing.assert_array_equal(found[[0, 1, 5]], 30000)


def test_constant_offsets():
    """Offsets that are known leave nothing of the numbers of items to the program."""
    text = f"""graph @f(%t: tensor<{ROWS}x24xf16>, %i: tensor<{ITEMS}xi32>) {{
      %o = constant() {{value = [0, 3, 3, 11, 12, 30]}} : tensor<6xi32>
      %y = embedding_bag(%t, %i, %o) {{mode = mean}}
      return %y
    }}"""
    x = inputs("ragged", 24, "f16", False)
    found, kernels = ran(text, "ascend910b", x)
    assert distance(found, defined(x, "mean", False)) <= BOUNDS["f16"]
    assert kernels == 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("mode", MODES)
def test_no_items_and_no_bags(mode: str):
    text = (
        "graph @f(%t: tensor<3x5xf16>, %i: tensor<{n}xi32>, %o: tensor<{b}xi32>) {{\n"
        "%y = embedding_bag(%t, %i, %o) {{mode = {m}, include_last_offset = true}}\nreturn %y\n}}"
    )
    for n, offsets in ((0, [0, 0, 0]), (2, [1])):
        program = ascend_opt.compile(text.format(n=n, b=len(offsets), m=mode), tune=1)
        x = {"t": np.ones((3, 5), np.float16), "i": np.zeros(n, np.int32), "o": np.array(offsets, np.int32)}
        np.testing.assert_array_equal(program.run(x).outputs["output0"], np.zeros((len(offsets) - 1, 5)))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("mode", MODES)
def test_one_size(mode: str):
    """Without offsets the last dimension of the indices is a bag."""
    bag = f"%y = embedding_bag(%t, %i) {{mode = {mode}}}"
    text = f"graph @f(%t: tensor<9x20xf16>, %i: tensor<2x3x4xi32>) {{\n{bag}\nreturn %y\n}}"
    rng = np.random.default_rng(0)
    x = {"t": -rng.random((9, 20)).astype(np.float16), "i": rng.integers(-9, 9, (2, 3, 4)).astype(np.int32)}
    found, _ = ran(text, "ascend910b", x)
    rows: Array = x["t"].astype(np.float64)[np.asarray(x["i"], np.int64)]
    want = {"sum": rows.sum, "mean": rows.mean, "max": rows.max}[mode](axis=2)
    assert distance(found, want) <= BOUNDS["f16"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("last", [False, True])
def test_as_pytorch_defines(mode: str, last: bool):
    """The reference, and the program, give what nn.EmbeddingBag does."""
    torch: Any = pytest.importorskip("torch")
    x = inputs("empty at both ends", 24, "f32", last)
    weights = mode == "sum"
    bag = torch.nn.EmbeddingBag(ROWS, 24, mode=mode, include_last_offset=last, _weight=torch.tensor(x["t"]))
    given = [torch.tensor(x[n].astype(np.int64) % (ROWS if n == "i" else 1000)) for n in "io"]
    want = bag(*given, per_sample_weights=torch.tensor(x["p"]) if weights else None).detach().numpy()
    text = graph(mode, len(x["o"]), 24, "f32", last, weights=weights)
    program = ascend_opt.compile(text, target="ascend950", tune=1)
    x = {name: array for name, array in x.items() if name in program.inputs}
    assert distance(program.run(x).outputs["output0"], want) <= 1e-6
    assert distance(program.reference(x)["output0"], want) <= 1e-6


def test_text_and_ir_give_each_other():
    """Graph text, IR and graph text again, with and without optional operands."""
    for weights in (False, True):
        text = graph("sum", 6, 24, "f16", True, weights=weights)
        x = inputs("ragged", 24, "f16", True)
        x["o"] = x["o"][:6]
        printed = str(ascend_opt.compile(text, tune=1).graph_module)
        again = ascend_opt.compile(printed, tune=1)
        assert str(again.graph_module) == printed and "graph.embedding_bag" in printed
        assert distance(ran(printed, "ascend910b", x)[0], defined(x, "sum", True, weights)) <= BOUNDS["f16"]
