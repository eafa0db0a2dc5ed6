"""Random graphs of the whole operator set, on three chips, fused and unfused, hazards on, against the reference.

`tests/helpers/random_graphs.py` draws the graphs and says why each kind of inputs makes the comparison fair. A failure
is reported with the smallest graph cut out of the drawn one that fails alike. `PROPERTY_SEEDS=100:400` draws others.
No error is expected: what a chip cannot do (test_values.py, `REFUSED`) is not drawn.
"""

# pyright: basic

import os
import re
from pathlib import Path

import numpy as np
import pytest
from any_tiling import MANY, any_of, chosen
from random_graphs import random_graph
from random_marks import marked
from random_minimize import minimized
from random_nodes import KINDS, Graph

import ascend_opt
import ascend_opt.dialects
from ascend_opt.compiler.checks.run_check import relative_error
from ascend_opt.runtime.reference import evaluate

CHIPS = {"ascend910": ("f16",), "ascend310p": ("f16",), "ascend910b1": ("f16", "f32")}
"""What the products of a chip's graphs multiply."""
MOVING = {**CHIPS, "ascend950": ("f16",)}
"""The chips and products of graphs that move elements."""
SEEDS = range(*map(int, os.environ.get("PROPERTY_SEEDS", "0:8").split(":")))


def problem(graph: Graph, chip: str, fuse: bool, tune: int = 1) -> str | None:
    """What is wrong with the compiled graph's results, or the error that it met; None if nothing."""
    try:
        program = ascend_opt.compile(graph.text(), target=chip, fuse=fuse, tune=tune)
        outputs = [np.asarray(array) for array in program.run(graph.inputs()).outputs.values()]
        expected = list(program.reference(graph.inputs()).values())
        if graph.kind == "extreme":
            module, overflow = program.graph_module, program.target.overflow
            assert module is not None
            expected = evaluate(module, graph.inputs(), round_results=True, overflow=overflow)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for i, (got, want) in enumerate(zip(outputs, expected, strict=True)):
        if wrong := _difference(graph, i, got, np.asarray(want, np.float64)):
            return f"result {i}: {wrong}"
    return None


def _difference(graph: Graph, index: int, got: np.ndarray, want: np.ndarray) -> str | None:
    """How a result differs: by more than its tolerance for normal numbers, at all where every op is exact."""
    if got.shape != want.shape:
        return f"shape {got.shape} for {want.shape}"
    if graph.kind == "gaussian":
        error, bound = relative_error(got, want), graph.bounds()[index]
        return None if error <= bound else f"relative error {error:.1e}, bound {bound:.0e}"
    relative, absolute = (4e-3, 1e-4) if graph.kind == "extreme" and graph.curved()[index] else (0.0, 0.0)
    same = np.isclose(got.astype(np.float64), want, relative, absolute, equal_nan=True)
    if same.all():
        return None
    first = tuple(np.argwhere(~same)[0])
    return (
        f"{(~same).sum()} of {same.size} elements differ, first {list(first)}: {got[first]} for {want[first]}"
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_random_graph(kind: str, seed: int):
    """Each graph runs fused on one coupled chip and unfused on the other; on a chip with f32 products one that has
    them, fused and unfused in turns."""
    for (chip, products), fuse in zip(
        CHIPS.items(), (seed % 2 == 0, seed % 2 == 1, seed % 2 == 0), strict=True
    ):
        graph = random_graph(seed, kind, products)
        wrong = problem(graph, chip, fuse)
        if wrong is not None:
            what = wrong.split(":")[0]
            small = minimized(graph, lambda g, c=chip, f=fuse, w=what: (problem(g, c, f) or "").startswith(w))
            pytest.fail(f"{chip}, {'' if fuse else 'un'}fused: {problem(small, chip, fuse)}\n{small.text()}")


@pytest.mark.parametrize("chip", CHIPS)
def test_saturating(chip: str, tmp_path: Path):
    """On a chip that saturates, what overflows is the largest number, op by op."""
    (dialects,) = ascend_opt.dialects.__path__
    source = (Path(dialects) / "targets" / f"{chip}.toml").read_text(encoding="utf-8")
    target = tmp_path / f"{chip}.toml"
    target.write_text(source.replace('overflow = "inf"', 'overflow = "saturate"'), encoding="utf-8")
    for seed in range(1000, 1006):
        graph = random_graph(seed, "extreme", CHIPS[chip])
        wrong = problem(graph, str(target), seed % 2 == 0)
        assert wrong is None, f"{wrong}\n{graph.text()}"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_moves_and_windows(seed: int):
    """Graphs with ops that move elements, pools and depthwise convolutions, each on one chip, fused."""
    chip, products = list(MOVING.items())[seed % len(MOVING)]
    kind = ("gaussian", "integer", "index")[seed // len(MOVING) % 3]
    graph = random_graph(seed, kind, products, moving=True)
    wrong = problem(graph, chip, fuse=True)
    if wrong is not None:
        what = wrong.split(":")[0]
        small = minimized(graph, lambda g: (problem(g, chip, True) or "").startswith(what))
        pytest.fail(f"{chip}: {problem(small, chip, True)}\n{small.text()}")


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tilings(seed: int):
    """Any tiling that the search offers, not the best one."""
    chip, products = list(MOVING.items())[seed % len(MOVING)]
    graph = random_graph(seed + 500, ("gaussian", "integer")[seed % 2], products, moving=seed % 4 < 2)
    with chosen(any_of(seed)):
        wrong = problem(graph, chip, fuse=True, tune=MANY)
    assert wrong is None, f"{chip}: {wrong}\n{graph.text()}"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_marks(seed: int):
    """Groups that a graph asks for are kernels, or the error says which op of which group cannot be in it."""
    chip, products = list(MOVING.items())[seed % len(MOVING)]
    graph = marked(random_graph(seed + 900, "gaussian", products, moving=seed % 2 > 0), seed)
    wrong = problem(graph, chip, fuse=True)
    refused = wrong is not None and re.match(
        r"CompileError: <string>:\d+:\d+: error: graph\.\w+ in group ", wrong
    )
    assert wrong is None or refused, f"{chip}: {wrong}\n{graph.text()}"
