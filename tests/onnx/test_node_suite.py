"""Cases of the `onnx` package's node suite: a sample, all of them with ASCEND_OPT_ALL=1."""

import pytest
from sweeps import ALL

pytest.importorskip("onnx_ir")
from onnx_node_suite import run_case, selected

pytestmark = pytest.mark.xdist_group("node suite")
"""One worker reads the cases."""

CHIPS = ("ascend910b", "ascend910", "ascend310p", "ascend950")
EVERY = 1 if ALL else 32


def test_the_selection_is_the_operator_set():
    assert len(selected()) == 478


@pytest.mark.parametrize("part", range(8))
def test_values(part: int):
    """No case is wrong: what the chip or the importer cannot do is skipped, which few cases are."""
    skipped = 0
    names = selected()[::1][part * EVERY :: 8 * EVERY]
    for index, name in enumerate(names):
        chip = CHIPS[index % len(CHIPS)]
        outcome = run_case(name, chip, "f16")
        assert outcome.kind != "failed", f"{name} on {chip}: {outcome.reason}"
        skipped += outcome.kind == "skipped"
    assert skipped <= 1 + len(names) // 20


def test_values_of_f32():
    for name in selected()[:: 4 * EVERY]:
        outcome = run_case(name, "ascend910b", "f32")
        assert outcome.kind != "failed", f"{name}: {outcome.reason}"
