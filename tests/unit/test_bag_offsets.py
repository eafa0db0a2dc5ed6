"""What `embedding_bag` refuses: operands that do not fit each other, and offsets that cut no bags."""

import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, choose_function
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.runtime.support.hazard import ProgramError

TABLE, INDICES, CUT = "%t: tensor<9x8xf16>", "%i: tensor<7xi32>", "%o: tensor<3xi32>"
PLAIN = f"{TABLE}, {INDICES}, {CUT}"
LAST = "include_last_offset = true"
REFUSED = {
    "rank of indices": (f"{TABLE}, %i: tensor<2x7xi32>, {CUT}", "%t, %i, %o", "", "of rank 1, got 2x7 and 3"),
    "rank of offsets": (f"{TABLE}, {INDICES}, %o: tensor<3x1xi32>", "%t, %i, %o", "", "of rank 1, got 7 and 3x1"),
    "type of offsets": (f"{TABLE}, {INDICES}, %o: tensor<3xf16>", "%t, %i, %o", "", "offsets must be i32, got f16"),
    "type of the table": (
        f"%t: tensor<9x8xi32>, {INDICES}, {CUT}", "%t, %i, %o", "", "floating-point numbers, got i32",
    ),
    "weights of another length": (
        f"{PLAIN}, %p: tensor<6xf16>", "%t, %i, %o, %p", "", "weights must be tensor<7xf16>",
    ),
    "weights of another type": (f"{PLAIN}, %p: tensor<7xf32>", "%t, %i, %o, %p", "", "got tensor<7xf32>"),
    "weighted maxima": (
        f"{PLAIN}, %p: tensor<7xf16>", "%t, %i, %o, %p", "mode = max", 'weights go with mode = "sum", got "max"',
    ),
    "a last offset of none": (f"{TABLE}, {INDICES}", "%t, %i", LAST, "include_last_offset needs offsets"),
    "no offsets": (
        f"{TABLE}, {INDICES}, %o: tensor<0xi32>", "%t, %i, %o", LAST, "needs one offset or more, got none",
    ),
    "too many operands": (
        PLAIN, "%t, %i, %o, %o, %o", "", "takes 2 to 4 operands (table, indices, offsets, weights), found 5",
    ),
    "an unknown mode": (PLAIN, "%t, %i, %o", "mode = min", "sum, mean or max"),
    "a dynamic size": (
        f"{TABLE}, %i: tensor<?xi32>, {CUT}", "%t, %i, %o", "",
        "bags with offsets need static sizes, got indices ? and offsets 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    given, operands, attributes, message = REFUSED[name]
    text = f"graph @f({given}) {{\n%y = embedding_bag({operands}) {{{attributes}}}\nreturn %y\n}}"
    with pytest.raises(CompileError, match=re.escape(message)):
        ascend_opt.compile(text)


CUT_BAGS = """graph @f(%t: tensor<9x8xf16>, %i: tensor<37xi32>, %o: tensor<6xi32>) {
  %y = embedding_bag(%t, %i, %o)
  return %y
}
"""


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        (
            [0, 5, 3, 7, 8, 9],
            r"input 'o' holds 5 at \[1\] and 3 behind it: graph.embedding_bag takes offsets that ascend",
        ),
        ([-1, 5, 6, 7, 8, 9], r"input 'o' holds index -1 at \[0\], which is out of range: .* 0 to 37"),
        ([0, 5, 6, 7, 8, 38], r"input 'o' holds index 38 at \[5\], which is out of range"),
    ],
)
def test_offsets_that_do_not_cut(offsets: list[int], message: str):
    program = ascend_opt.compile(CUT_BAGS, tune=1)
    x = {"t": np.ones((9, 8), np.float16), "i": np.zeros(37, np.int32), "o": np.array(offsets, np.int32)}
    for run in (program.run, program.reference):
        with pytest.raises(ProgramError, match=message):
            run(x)


def test_seeded_offsets_ascend():
    program = ascend_opt.compile(CUT_BAGS, tune=1)
    assert program.graph_module is not None
    function = choose_function(program.graph_module, program.name)
    for seed in range(5):
        offsets = seeded_inputs(program.inputs, seed, function)["o"]
        assert (np.diff(offsets) >= 0).all() and offsets[0] >= 0 and offsets[-1] <= 37
