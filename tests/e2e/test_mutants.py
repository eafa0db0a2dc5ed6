"""Every single mutant of the synchronisation that the compiler emits is noticed; so nothing that it emits is redundant.

Each example, fused, in small variants whose cores walk 1, 2, 3 and many tiles. By default a sample of the mutants runs;
all of them run with `ASCEND_OPT_ALL=1`.
"""

from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sweeps import ALL
from sync_mutants import mutants_of, survivors
from xdsl.dialects.builtin import ModuleOp

from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import choose_function, make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.programs.program_inputs import graph_inputs
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.reference import evaluate

ROOT = Path(__file__).parents[2]
SAMPLE = 8  # one mutant of so many
MANY = 1000
TRIPS = (1, 2, 3, MANY)

# Replacements in the example's text: the first variant has one step along K, the others have more.
VARIANTS: dict[str, list[dict[str, str]]] = {
    "conv_bias_leaky_relu": [
        {"8x64x56x56": "1x16x12x12", "128x64": "32x16", "<128x": "<32x"},
        {"8x64x56x56": "2x32x16x16", "128x64": "64x32", "<128x": "<64x"},
        {"8x64x56x56": "2x64x28x28", "128x64": "32x64", "<128x": "<32x"},
    ],
    "conv_bn_relu": [
        {"8x3x224x224": "1x3x24x24", "<64x": "<16x"},
        {"8x3x224x224": "2x3x56x56", "<64x": "<32x"},
        {"8x3x224x224": "1x20x56x56", "<64x3x": "<64x20x"},
    ],
    "matmul_add_gelu": [
        {"512x1024": "64x64", "1024x4096": "64x128", "<4096x": "<128x"},
        {"512x1024": "128x256", "1024x4096": "256x256", "<4096x": "<256x"},
        {"512x1024": "256x1024", "1024x4096": "1024x512", "<4096x": "<512x"},
    ],
    "matmul_bias_relu": [
        {"1000x17": "40x17", "17x1000": "17x72", "<1000x": "<72x"},
        {"1000x17": "100x17", "17x1000": "17x200", "<1000x": "<200x"},
        {"1000x17": "100x170", "17x1000": "170x200", "<1000x": "<200x"},
    ],
    "scale_relu_dropout": [
        {"4096x4096": "16x256"},
        {"4096x4096": "256x256"},
        {"4096x4096": "1000x999"},
    ],
    "tanh_muladd": [
        {"1024x2048": "16x128", "<2048x": "<128x", "1024x1x": "16x1x"},
        {"1024x2048": "64x256", "<2048x": "<256x", "1024x1x": "64x1x"},
        {"1024x2048": "100x333", "<2048x": "<333x", "1024x1x": "100x1x"},
    ],
}


@dataclass(frozen=True)
class Case:
    """A variant of an example on a chip; its cores walk `trips` tiles each, as far as there are so many."""

    example: str
    variant: int
    target: str
    trips: int

    def __str__(self) -> str:
        trips = "many" if self.trips == MANY else self.trips
        return f"{self.example}-{self.variant}-{self.target}-{trips}"


CASES = [
    Case(example, variant, target, trips)
    for example, variants in VARIANTS.items()
    for variant in range(len(variants) if ALL else 1)
    for target in ("ascend910", "ascend310p")
    for trips in TRIPS
]


def variant_text(case: Case) -> str:
    text = (ROOT / "examples" / f"{case.example}.mlir").read_text()
    for old, new in VARIANTS[case.example][case.variant].items():
        assert old in text
        text = text.replace(old, new)
    return text


def lower(graph: ModuleOp, case: Case) -> ModuleOp:
    """The fused program with as few cores as `trips` tiles for each need."""
    module, context = graph.clone(), make_context()
    for one in build_passes(UNIVERSE.all_passes, stages("fuse"), case.target):
        one.apply(context, module)
    for kernel in module.walk():
        if isinstance(kernel, tile.KernelOp):
            cores = -(-prod(kernel.grid) // case.trips)
            kernel.schedule = replace(kernel.schedule, cores=min(cores, kernel.schedule.cores))
    for one in build_passes(UNIVERSE.all_passes, stages("lower"), case.target):
        one.apply(context, module)
    module.verify()
    return module


def prepared(case: Case) -> tuple[ModuleOp, ModuleOp, dict[str, Any]]:
    """The graph, its program and inputs."""
    graph = read_module(variant_text(case)).module
    function = choose_function(graph, None)
    return graph, lower(graph, case), seeded_inputs(graph_inputs(function), 0, function)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_variant_is_right(case: Case):
    """What the mutants are made of: right values, no hazard."""
    graph, module, inputs = prepared(case)
    (found,) = Emulator(module, case.target).run(None, inputs).outputs
    (expected,) = evaluate(graph, inputs)
    wide = np.asarray(expected, np.float64)
    assert np.linalg.norm(np.asarray(found, np.float64) - wide) <= 3e-3 * np.linalg.norm(wide)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_mutants_are_noticed(case: Case):
    """A mutant that runs without a hazard means a flag, barrier or slot that nothing needs."""
    _, module, inputs = prepared(case)
    target = load_target(case.target)
    mutants = mutants_of(module, target, inputs)
    assert len({mutant.kind for mutant in mutants}) >= 3
    sample = mutants if ALL else mutants[CASES.index(case) % SAMPLE :: SAMPLE]
    left = survivors(module, sample, target, inputs)
    assert not left, "\n".join(f"{mutant.kind}: {mutant.name}" for mutant in left)


def in_order(module: ModuleOp, target: Target) -> bool:
    """Whether the check that follows insertion finds nothing, without a run."""
    try:
        check_order(module, target)
    except LocatedError:
        return False
    return True


@pytest.mark.sweep(8)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_check_that_follows_insertion_notices_them(case: Case):
    """All of them, on the program alone: it knows nothing of the plan that the mutant departs from."""
    _, module, inputs = prepared(case)
    target = load_target(case.target)
    assert in_order(module, target)
    left: list[str] = []
    for mutant in mutants_of(module, target, inputs):
        clone = module.clone()
        mutant.apply(list(clone.walk()))
        if in_order(clone, target):
            left.append(f"{mutant.kind}: {mutant.name}")
    assert not left, "\n".join(left)
