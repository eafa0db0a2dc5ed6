"""Start to end of `ascend-opt` on the first example, against `xdsl-opt` on a trivial file."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Row, best_of

EXAMPLE = Path(__file__).parents[1] / "examples" / "conv_bias_leaky_relu.mlir"
TRIVIAL = "func.func @f() {\n  func.return\n}\n"


def _run(*command: str) -> None:
    """Both tools start from byte code, as installed ones do, which the first run leaves behind."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def rows() -> Iterator[Row]:
    tools = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as directory:
        trivial = Path(directory) / "trivial.mlir"
        trivial.write_text(TRIVIAL)
        peer = best_of(lambda: _run(str(tools / "xdsl-opt"), str(trivial)))
    ours = best_of(lambda: _run(str(tools / "ascend-opt"), str(EXAMPLE), "--fuse", "--lower"))
    yield Row("ascend-opt --fuse --lower", ours, peer, "s", "xdsl-opt, trivial file", ours / peer, 5.0)
