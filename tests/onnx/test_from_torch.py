"""The example that takes a PyTorch module to a profile."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "from_torch.py"


@pytest.mark.slow
def test_a_module_of_torch_is_exported_compiled_and_compared_with_torch() -> None:
    pytest.importorskip("torch")
    done = subprocess.run(
        [sys.executable, EXAMPLE, "ascend910b", "ascend310p"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert re.findall(r"kernels on (\w+):", out) == ["ascend910b", "ascend310p"]
    errors = [float(error) for error in re.findall(r"relative L2 error against PyTorch in f32: (\S+)", out)]
    assert len(errors) == 2 and all(0 < error < 3e-3 for error in errors)
    assert len(re.findall(r"us, limited by [^:]+: .*/features/features.3/MaxPool", out)) == 2
