"""The compilers of the extra `triton`, found where pip has put them: nothing to set up, no variables."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...dialects.records import dataclass

LINES = "TRITON_DISABLE_LINE_INFO"


class TritonError(ValueError):
    """The compilers of the extra are missing, or refuse a kernel; `str` is the whole message."""


@dataclass(frozen=True)
class Toolchain:
    """Triton-Ascend's modules, and the folder of AscendNPU-IR's programs."""

    folder: Path
    ascend: Any
    """The back end of Triton-Ascend: from Triton's IR to linalg."""

    @cached_property
    def ir(self) -> Any:
        return import_module("triton._C.libtriton").ir

    @cached_property
    def compiler(self) -> Any:
        return import_module("triton.compiler.compiler")

    @cached_property
    def jit(self) -> Any:
        return import_module("triton.runtime.jit")

    @cached_property
    def library(self) -> Path:
        """The folder of Triton's own functions."""
        return Path(str(import_module("triton").__file__)).parent

    @cached_property
    def versions(self) -> str:
        """The packages, and the commit of AscendNPU-IR."""
        words = self.run("bishengir-compile", "--version").stdout.split()
        commit = next(
            (word for word in words if len(word) == 12 and not set(word) - set("0123456789abcdef")), "?"
        )
        return f"triton-ascend {version('triton-ascend')}, ascendnpu-ir {version('ascendnpu-ir')} ({commit})"

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What one of AscendNPU-IR's programs prints, whether it succeeds or not."""
        return subprocess.run(
            [str(self.folder / program), *arguments], capture_output=True, text=True, check=False
        )


@cache
def toolchain() -> Toolchain:
    """
    The compilers, found once.

    Raises `TritonError` where a package of the extra is missing.
    """
    try:
        ascendnpuir = import_module("ascendnpuir")
        ascend = import_module("triton.backends.ascend.compiler")
    except ImportError as error:
        raise TritonError(
            f"Triton for Ascend is not installed: {error}; pip install 'ascend-opt[triton]' brings triton-ascend, "
            "ascendnpu-ir and pybind11, which exist for Linux on x86-64 and Python 3.11"
        ) from error
    return Toolchain(Path(str(ascendnpuir.__file__)).parent / "bin", ascend)


@contextmanager
def with_lines() -> Generator[None]:
    """Triton-Ascend says of each op which line it comes from, which it leaves out by default."""
    before = os.environ.get(LINES)
    os.environ[LINES] = "false"
    try:
        yield
    finally:
        if before is None:
            del os.environ[LINES]
        else:
            os.environ[LINES] = before
