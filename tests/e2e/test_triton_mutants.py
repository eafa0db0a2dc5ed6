"""Flags and barriers of AscendNPU-IR's programs, taken out one by one: each is missed, but for stated barriers.

What no size misses:

- `ALL`: the barrier of all pipes at the end of a program. A launch ends when its pipes do.
- `MTE3`: between stores of a program to different bytes of GM.
- `V`: in front of a reduction or a selection whose own instructions have a barrier among them that gives the same order
  (docs/hivm.md says which instructions are assumed).
- `flag`: in attention, in front of the zeros behind the last keys in L1. The block of keys that lay there was read
  before its scores went to the Vector cores, and the wait for the shares of the block between comes first.
"""

from collections import Counter
from pathlib import Path

import pytest
from hivm_mutants import finding, mutants
from triton_cases import CASES

DATA = Path(__file__).parents[1] / "data" / "hivm"
REDUNDANT = {
    "softmax_f16": {"ALL": 1, "MTE3": 1},
    "matmul_f16": {"ALL": 1},
    "matmul_bias_gelu_f16": {"ALL": 2},
    "attention_f16": {"ALL": 2, "V": 3, "flag": 2},
    "chain_f32": {"ALL": 1, "MTE3": 1, "V": 2},
    "layer_norm_f16": {"ALL": 1, "MTE3": 1},
    "rms_norm_f16": {"ALL": 1, "MTE3": 1},
    "sum_rows_f32": {"ALL": 1, "V": 1},
    "sum_columns_f32": {"ALL": 1, "V": 1},
    "batched_matmul_f16": {"ALL": 1},
    "rotary_f32": {"ALL": 1, "MTE3": 1},
    "embedding_f16": {"ALL": 1, "MTE3": 1},
    "prefix_sum_f32": {"ALL": 1},
    "transpose_f16": {"ALL": 1},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REDUNDANT)
def test_what_is_taken_out_is_missed(name: str):
    case = CASES[name]
    text = (DATA / f"{name}.mlir").read_text()
    lines = text.splitlines()
    found = Counter[str]()
    for mutant in mutants(text):
        if finding(mutant, case) is None:
            line = lines[mutant.lines[0] - 1]
            pipe = line.partition("PIPE_")[2].partition(">")[0]
            found[pipe if mutant.op == "pipe_barrier" else mutant.op] += 1
    assert found == REDUNDANT[name]
