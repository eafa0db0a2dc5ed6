"""Values of every op of the graph dialect alone, hazards on, against the reference. Each op sees every shape on one
chip, in turns: two of them here, `ASCEND_OPT_ALL=1` runs every shape on every chip."""

# pyright: basic

import pytest
from operator_cases import cases, values
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import choose_function
from ascend_opt.compiler.checks.kernel_check import KernelChecks
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
CASES = cases()
CHOSEN = (
    ("argmax", 0),
    ("argmax", 3),
    ("cast", 3),
    ("avg_pool1d", 4),
    ("avg_pool3d", 0),
    ("conv1d", 2),
    ("conv3d", 3),
    ("conv3d", 5),
    ("conv_transpose1d", 3),
    ("conv_transpose1d", 5),
    ("max_pool1d", 3),
    ("max_pool3d", 2),
    ("conv_transpose2d", 3),
    ("conv_transpose2d", 5),
    ("cumsum", 3),
    ("cumsum", 5),
    ("embedding_bag", 3),
    ("embedding_bag", 7),
    ("embedding_bag", 9),
    ("gather", 2),
    ("gather", 3),
    ("gather", 4),
    ("group_norm", 0),
    ("group_norm", 2),
    ("matmul", 6),
    ("matmul", 8),
    ("matmul", 9),
    ("one_hot", 4),
    ("reduce_prod", 2),
    ("reduce_prod", 3),
    ("resize", 0),
    ("resize", 3),
    ("rope", 2),
    ("rope", 3),
    ("scatter", 2),
    ("scatter", 4),
    ("softmax_matmul", 2),
    ("softmax_matmul", 3),
    ("topk", 2),
    ("topk", 3),
    ("keep_where", 0),
    ("keep_where", 2),
)
"""Ops that have no other tests of their values, on the shapes that are hard for them."""


def check(name: str, text: str, chip: str, dtype: str) -> None:
    program = ascend_opt.compile(text.replace("DT", dtype), target=chip, tune=1)
    seeded = seeded_inputs(
        program.inputs, 0, choose_function(program.graph_module or program.module, program.name)
    )
    inputs = values(name, text, seeded)
    kernels = KernelChecks(program, inputs)
    result = program.run(inputs, watch=kernels)
    found = check_outputs(result.outputs, program.reference(inputs), program.target.overflow)
    for kernel in kernels.found:
        assert not kernel.check.wrong, f"{chip} {dtype} {kernel.title}: {kernel.check.failure}\n{text}"
    for output, result in found.items():
        assert result.passed, f"{chip} {dtype} %{output}: {result.failure}\n{text}"


NAMES = sorted(CASES) if ALL else [name for name, _ in CHOSEN]


@pytest.mark.parametrize(
    ("name", "index"),
    [(name, i) for name in NAMES for i in range(len(CASES[name]))] if ALL else CHOSEN,
)
def test_values(name: str, index: int):
    chosen = RUNS if ALL else (RUNS[(index + len(name)) % len(RUNS)],)
    for chip, dtype in chosen:
        check(name, CASES[name][index], chip, dtype)


def test_every_op_has_six_shapes():
    assert {op.short_name() for op in graph.OPS} - {"constant"} == set(CASES)
    assert min(map(len, CASES.values())) >= 6
