"""A flag or barrier that is taken out of a HIVM kernel is found, or it was not needed: values stay as they are."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from hivm_flags import DATA, judge  # pyright: ignore[reportMissingImports]

NOT_NEEDED = {
    "vector_add_f32": ["barrier ALL"],
    "sum_columns_f32": ["barrier V", "barrier ALL"],
    "transpose_f16": ["barrier ALL"],
    "softmax_f32": ["barrier MTE3", "barrier ALL", "set S->V 0", "set S->V 1"],
    "matmul_f16": ["barrier ALL"],
}
"""The end of a kernel waits for all pipes. Stores of different rows need no order, nor do sides of a barrier of V that
share no bytes. The scalar unit reads where it is issued, and issues what follows behind that."""


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_each_flag_is_found_or_not_needed(name: str):
    counts = judge(DATA / f"{name}.mlir")
    assert all(same for _, same in counts.kept)
    assert [kept.partition(" (")[0] for kept, _ in counts.kept] == NOT_NEEDED[name]
    barriers = sum(one.startswith("barrier") for one in NOT_NEEDED[name])
    assert counts.single["none"] == barriers
    assert sum(counts.single.values()) > 5
