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
IN_F32 = (
    "resnet50", "mobilenet_v1", "mobilenet_v2", "bert", "llama", "yolov5n", "squeezenet", "googlenet",
)  # fmt: skip


def networks() -> tuple[str, ...]:
    """The names that the benchmark has networks for."""
    spec = importlib.util.spec_from_file_location("networks_onnx", BENCHMARK)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.NAMES


CASES = [
    *((name, chip, "f16") for name in networks() for chip in ("ascend910b", "ascend910", "ascend310p")),
    *((name, "ascend910b", "f32") for name in IN_F32),
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
