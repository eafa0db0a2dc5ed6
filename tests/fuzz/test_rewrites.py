"""A random graph written in another way gives the same, and takes as long where `--fuse` finds the same graph.

Seeds are those of test_differential.py.
"""

# pyright: basic

import os
import random

import numpy as np
import pytest
from differential.campaign import CHIPS
from differential.drawing import drawn
from differential.program import Program
from differential.rewrites import PARTS, REWRITES
from differential.running import Clock, difference
from differential.steering import Coverage

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.compiler.api import Program as Compiled
from ascend_opt.dialects.graph.base import GraphOp
from ascend_opt.dialects.target import load_target

SEED = int(os.environ.get("DIFFERENTIAL_SEED", random.SystemRandom().getrandbits(31)))
REPEATED = "DIFFERENTIAL_SEED" in os.environ
SECONDS = float(os.environ.get("DIFFERENTIAL_SECONDS", "2"))
OPS = (
    *PARTS,
    "transpose",
    "slice",
    "matmul",
    "conv2d",
    "add",
    "relu",
    "reduce_sum",
    "pad",
    "concat",
    "max_pool2d",
)


def compiled(program: Program, chip: str) -> tuple[Compiled, list[str]]:
    """The program, and the names of the ops that its graph has after the graph's passes."""
    made = ascend_opt.compile(program.text(), target=chip, tune=1)
    return made, sorted(op.name for op in compile_until(made, "graph").walk() if isinstance(op, GraphOp))


def rewritten(name: str, chip: str, seed: int) -> tuple[Program, Program] | None:
    """A random graph, and the same in another way."""
    rng = random.Random(f"{seed} {name} {chip}")
    table = Coverage(OPS)
    for _ in range(20):
        program = drawn(rng.getrandbits(31), table.path(rng), load_target(chip))
        if program is not None and program.kind != "extreme" and len(program.calls) > 1:
            other = REWRITES[name](program, rng)
            if other is not None:
                return program, other
    return None


def wrong(program: Program, other: Program, chip: str) -> str | None:
    """What differs: values, or the time of what is the same graph to `--fuse`. A graph that the chip refuses as it was
    drawn has nothing to compare; which ones may be, test_differential.py holds."""
    try:
        one, names = compiled(program, chip)
    except CompileError:
        return None
    two, others = compiled(other, chip)
    values = program.values()
    outputs = two.run(other.inputs()).outputs.values()
    for result, got in zip(program.results, outputs, strict=True):
        if found := difference(program.kind, values[result], np.asarray(got)):
            return f"%{result}: {found}"
    before, after = one.time().total_us, two.time().total_us
    if names == others and abs(after - before) > 0.1 * before:
        return f"{before:.2f} us, and {after:.2f} us"
    return None


@pytest.mark.skipif(not SECONDS, reason="DIFFERENTIAL_SECONDS is 0")
@pytest.mark.parametrize("chip", CHIPS)
def test_rewritten_graphs(chip: str) -> None:
    """Some of the rewrites, which the seed draws, or more where there is time; all where a seed is repeated."""
    clock, seed = Clock(SECONDS), SEED
    names = random.Random(f"{seed} {chip}").sample(sorted(REWRITES), len(REWRITES))
    while clock.left:
        for name in names:
            if not clock.left and not REPEATED:
                break
            pair = rewritten(name, chip, seed)
            if pair is not None:
                found = wrong(*pair, chip)
                texts = "\n".join(one.text() for one in pair)
                assert found is None, f"DIFFERENTIAL_SEED={seed}, {name}: {found}\n{texts}"
        seed += 1


@pytest.mark.parametrize("name", REWRITES)
def test_rewrites_keep_what_is_computed(name: str) -> None:
    """By the oracle: each is found a place, and its results are those of the graph as drawn."""
    for seed in range(3):
        pair = rewritten(name, "ascend950", seed)
        assert pair is not None
        program, other = pair
        values, others = program.values(), other.values()
        assert program.text() != other.text()
        for result in program.results:
            assert difference(program.kind, values[result], others[result].stored) is None
