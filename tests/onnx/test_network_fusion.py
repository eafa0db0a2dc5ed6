"""The table of whole networks in three forms: a row for each chip, of what the profiles say."""

import sys
from pathlib import Path
from typing import Any

import pytest

import ascend_opt

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import network_fusion  # noqa: E402

MODEL = """<ir_version: 8, opset_import: ["": 17]>
net (float[64,32] x, float[32,128] w, float[128] b, float[128,16] v) => (float[64,16] y) {
  h = MatMul(x, w)
  biased = Add(h, b)
  r = Relu(biased)
  y = MatMul(r, v)
}"""


def test_a_row_for_each_chip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "mlp.onnx"
    onnx.save(onnx.parser.parse_model(MODEL), path)
    chips = ["ascend910", "ascend910b"]
    monkeypatch.setattr(sys, "argv", ["", str(path), *(f"--target={chip}" for chip in chips)])
    assert network_fusion.main() == 0
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 and len({line.count("|") for line in (head, rule, *rows)}) == 1
    for row, chip in zip(rows, chips, strict=True):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[:2] == ["mlp", f"`{chip}`"]
        profiles = [ascend_opt.compile(path, chip, fuse, tune=1).time() for fuse in (False, "library", True)]
        apart, library, fused = (profile.total_us for profile in profiles)
        assert cells[2] == " → ".join(str(len(profile.kernels)) for profile in profiles)
        assert len(profiles[0].kernels) > len(profiles[2].kernels)
        moved = [(p.dma_read_bytes + p.dma_write_bytes) / 1e6 for p in profiles]
        assert cells[3] == " → ".join(f"{one:.1f}" for one in moved)
        assert cells[4] == " → ".join(f"{one:.0f}" for one in (apart, library, fused))
        kernels = [sum(kernel.time_us for kernel in p.kernels) for p in profiles]
        assert cells[5] == " → ".join(f"{one:.0f}" for one in kernels)
        assert cells[6] == f"{apart / fused:.2f}, {library / fused:.2f}"
        longest = sum(k.time_us + k.launch_us for k in profiles[2].kernels if k.launch_us > k.time_us)
        assert cells[7] == f"launch ({longest / fused:.0%} of the time)", "most take less than their launch"
