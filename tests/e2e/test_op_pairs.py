"""Every two ops that may be one kernel are one with `fuse`, hazards on: what it gives is what the reference gives, or,
where small errors of the first op are large ones of the second, what the two ops give in kernels of their own.

The pairs come from the op registry. A seeded sample runs here, each pair on one chip; `ASCEND_OPT_ALL=1` runs all
pairs on all chips.
"""

# pyright: basic

import random

import numpy as np
import pytest
from op_pairs import ops, pairs
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import CompileError, choose_function
from ascend_opt.compiler.checks.run_check import check_outputs
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.dialects import graph

RUNS = (
    ("ascend910", "f16"),
    ("ascend310p", "f16"),
    ("ascend910b", "f16"),
    ("ascend950", "f16"),
    ("ascend910b", "f32"),
)
PAIRS = list(pairs())
SAMPLE = 40
REFUSALS = (
    "in group 'g'",
    "fits in the",
    "not one ",
    "no unit computes",
    "selects f16 only",
    "does not multiply",
)
"""What compiling says of a pair that is not to be one kernel, or of an op that the chip lacks."""


def check(text: str, chip: str, dtype: str) -> bool:
    """Whether the pair is one kernel; its values are checked then."""
    stated = text.replace("DT", dtype)
    try:
        program = ascend_opt.compile(stated, target=chip, tune=1)
    except CompileError as error:
        assert any(reason in str(error) for reason in REFUSALS), f"{chip} {dtype}: {error}\n{stated}"
        return False
    inputs = seeded_inputs(
        program.inputs, 0, choose_function(program.graph_module or program.module, program.name)
    )
    outputs, reference = program.run(inputs).outputs, program.reference(inputs)
    overflow = program.target.overflow
    if all(not found.wrong for found in check_outputs(outputs, reference, overflow).values()):
        return True
    apart = ascend_opt.compile(stated, target=chip, tune=1, fuse=False).run(inputs).outputs
    wide = {name: np.asarray(array, reference[name].dtype) for name, array in apart.items()}
    for name, found in check_outputs(outputs, wide, overflow).items():
        assert not found.wrong, f"{chip} {dtype} %{name}: {found.failure}\n{stated}"
    return True


def _chosen() -> list[tuple[str, str, str, str]]:
    if ALL:
        return [(name, text, chip, dtype) for name, text in PAIRS for chip, dtype in RUNS]
    rng = random.Random(3)
    return [(*pair, *rng.choice(RUNS)) for pair in rng.sample(PAIRS, SAMPLE)]


@pytest.mark.parametrize(
    ("name", "text", "chip", "dtype"), _chosen(), ids=lambda v: v if "\n" not in v else ""
)
def test_pair(name: str, text: str, chip: str, dtype: str):
    check(text, chip, dtype)


def test_most_pairs_of_element_wise_ops_are_one_kernel():
    names = ["exp relu", "add tanh", "layer_norm gelu", "matmul relu", "mul softmax", "conv2d leaky_relu"]
    texts = dict(PAIRS)
    assert all(check(texts[name], "ascend910b", "f16") for name in names)


def test_every_op_that_needs_a_kernel_is_in_pairs():
    made = {name.split()[0] for name, _ in PAIRS}
    taken = {name.split()[1] for name, _ in PAIRS}
    wanted = {op.short_name() for op in ops()}
    assert made == wanted
    assert wanted - taken == set()
    assert wanted >= {op.short_name() for op in graph.OPS if op.TILING.engine == "cube"}


def test_conditions_that_do_not_hold_twice_in_a_row():
    """A core that comes to two tiles outside the padded image fills both slots without the flags of what is inside."""
    check(dict(PAIRS)["pad sub"], "ascend310p", "f16")
