"""The networks of `examples/networks`: values with hazards on, and how few kernels they are."""

import re
import sys
from pathlib import Path

import pytest
from sweeps import ALL

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from networks import CHIP, NETWORKS, outcome

CHIPS = (CHIP, "ascend910", "ascend950", "ascend310p")
TOLERANCE = {"bert_layer": 6e-3, "llama_block": 6e-3}
"""Of relative L2 errors; 3e-3 of single blocks."""
MOST_KERNELS = {
    "bert_layer": 9,
    "llama_block": 11,
    "lstm_cell": 4,
    "mla_prolog": 15,
    "recommender": 4,
    "resnet_bottleneck": 3,
    "yolov5_blocks": 15,
}
LARGE = ("bert_layer", "llama_block", "mla_prolog", "yolov5_blocks")
CASES = [
    (path, chip) for i, path in enumerate(NETWORKS) for chip in (CHIPS if ALL else (CHIPS[i % len(CHIPS)],))
]


def test_every_network_is_tested() -> None:
    assert set(MOST_KERNELS) == {path.stem for path in NETWORKS}


@pytest.mark.parametrize(
    ("path", "chip"),
    [
        pytest.param(
            path, chip, id=f"{path.stem}-{chip}", marks=[pytest.mark.full] if path.stem in LARGE else []
        )
        for path, chip in CASES
    ],
)
def test_values_and_kernels(path: Path, chip: str) -> None:
    found = outcome(path, chip)
    assert found.error <= TOLERANCE.get(path.stem, 3e-3)
    assert found.kernels <= MOST_KERNELS[path.stem]


def test_the_documented_table_is_complete() -> None:
    page = (Path(__file__).parents[2] / "docs" / "networks.md").read_text()
    (part,) = re.findall(r"<!-- generated: networks -->\n(.*?)<!-- end -->", page, re.DOTALL)
    rows = re.findall(r"\| `(\w+)` \| (\d+) → \d+ → (\d+) \|", part)
    assert [name for name, _, _ in rows] == [path.stem for path in NETWORKS]
    assert all(int(fused) <= MOST_KERNELS[name] < int(apart) for name, apart, fused in rows)
