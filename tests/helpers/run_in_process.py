"""`ascend-run` in this process, and a graph for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_opt.tools.ascend_run import main

LINEAR = """graph @linear(%x: tensor<64x128xf16>, %w: tensor<128x64xf16> {weight},
              %b: tensor<64xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = add(%p, %b)
  %y = relu(%s)
  return %y
}
"""


def in_process(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `ascend-run` with its arguments: the exit code, what it printed, and its errors, never a traceback."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


def linear_in(folder: Path) -> Path:
    """A file with the graph `LINEAR`."""
    path = folder / "linear.mlir"
    path.write_text(LINEAR)
    return path
