"""Flags and barriers of AscendNPU-IR's programs, taken out: each is missed at some size, but for those stated here.

docs/triton.md says why nothing misses these.
"""

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from hivm_flags import DATA, judge

REDUNDANT = {
    "sum_rows_f32": ["barrier ALL", "barrier V"],
    "softmax_f16": ["barrier ALL", "barrier MTE3", "set S->V 0", "set S->V 1"],
    "matmul_f16": ["barrier ALL"],
}
"""By kernel, what can be taken out, with its flag where it is one."""


@pytest.mark.slow
@pytest.mark.parametrize("name", REDUNDANT)
def test_what_is_taken_out_is_missed(name: str):
    kept = judge(DATA / f"{name}.mlir").kept
    assert sorted(re.sub(r" \(.*", "", what) for what, _ in kept) == REDUNDANT[name]
    assert all(same for _, same in kept)


def test_the_page_has_a_row_for_every_program():
    page = (Path(__file__).parents[2] / "docs" / "hivm.md").read_text()
    rows = re.findall(r"^\| (\w+_(?:b?f16|f32)) \| \d", page, re.MULTILINE)
    assert rows == sorted(path.stem for path in DATA.glob("*.mlir"))
