"""Programs for `ascend-opt`, and the type of the fixture that runs it."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

GRAPH = "graph @f(%x: tensor<4xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"
MLIR = "func.func @f() {\n  func.return\n}\n"


class Outcome(Protocol):
    """The exit code of a run, what it printed, and its errors."""

    @property
    def code(self) -> int: ...
    @property
    def output(self) -> str: ...
    @property
    def errors(self) -> str: ...


Run = Callable[..., Outcome]


def write(directory: Path, text: str | bytes, name: str = "t.mlir") -> Path:
    """A file of that text."""
    path = directory / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
