"""Whole networks from PyTorch against onnxruntime, hazards on: minutes each, so they run on request.

pip install --editable '.[networks]'
ASCEND_OPT_ALL=1 python -m pytest -m networks tests/onnx
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from sweeps import ALL

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "networks_onnx.py"
NEEDED = ("torch", "torchvision", "onnxruntime", "onnxscript")
NETWORKS = (
    "resnet50", "mobilenet_v1", "mobilenet_v2", "bert", "llama", "yolov5n", "squeezenet", "googlenet",
    "bert_sdpa", "inception_v2", "shufflenet", "densenet121", "lstm", "recommender", "recommender_bags",
)  # fmt: skip
CASES = [
    *((name, chip, "f16") for name in NETWORKS for chip in ("ascend910b", "ascend910", "ascend310p")),
    *((name, "ascend910b", "f32") for name in NETWORKS[:8]),
]


@pytest.mark.networks
@pytest.mark.slow
@pytest.mark.skipif(not ALL, reason="whole networks: ASCEND_OPT_ALL=1")
@pytest.mark.parametrize("name, chip, precision", CASES)
def test_values_of_a_network(name: str, chip: str, precision: str) -> None:
    """The error is within what the network's rounding sets, and two inputs give results that are apart."""
    absent = [module for module in NEEDED if importlib.util.find_spec(module) is None]
    if absent:
        pytest.skip(f"not installed: {', '.join(absent)}")
    command = [sys.executable, str(BENCHMARK), name, "--target", chip, "--precision", precision]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
