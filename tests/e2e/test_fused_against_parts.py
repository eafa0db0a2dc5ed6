"""A sample of `benchmarks/fused_against_parts.py`: no fusion is slower than its parts."""

import sys
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.tools import ascend_opt as tool

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import fused_against_parts  # noqa: E402


def test_a_norm_and_what_follows_it():
    text = (BENCHMARKS / "graphs" / "layer_norm_gelu.mlir").read_text().replace("16384", "960")
    assert fused_against_parts.compared("layer_norm_gelu", text, "ascend910b").met


def test_saved_bytes_do_not_pay_for_time(capsys: pytest.CaptureFixture[str]):
    """A pool saves 82 % of the bytes in the kernel of its convolution and takes 3 % longer there: 11.9 us apart by the
    clock, 13.3 together."""
    tool.main([str(BENCHMARKS / "graphs" / "stem.mlir"), "--fuse", "--target", "ascend910b"])
    assert capsys.readouterr().out.count("= tile.kernel ") == 2


@pytest.mark.full
@pytest.mark.parametrize("rows", [256, 384])
def test_cores_that_work_together_read_both_weights_of_siblings_once(rows: int):
    """A column of tiles reads twice as many bytes as of one product, so cores span more rows: with all of them in one
    row of tiles every weight came from HBM in one half of the time, and the kernel took up to 19 % longer than two."""
    text = f"""graph @gated(%x: tensor<{rows}x1024xf16>, %g: tensor<1024x2752xf16> {{weight}},
                    %u: tensor<1024x2752xf16> {{weight}}) {{
  %0 = matmul(%x, %g) {{fuse = "a"}}
  %1 = silu(%0) {{fuse = "a"}}
  %2 = matmul(%x, %u) {{fuse = "b"}}
  %y = mul(%1, %2) {{fuse = "b"}}
  return %y
}}"""
    one, two = (
        ascend_opt.compile(graph, target="ascend310p", tune=1).time()
        for graph in (text.replace('"b"', '"a"'), text)
    )
    assert (len(one.kernels), len(two.kernels)) == (1, 2)
    assert one.total_us < two.total_us
