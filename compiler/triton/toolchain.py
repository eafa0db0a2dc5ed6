"""The compilers of the extra `triton`, found where pip has put them: no set-up, no variables."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any


class TritonError(Exception):
    """The compilers of the extra are missing, or refuse a kernel."""


@dataclass(frozen=True)
class Toolchain:
    """Triton-Ascend's modules, and the folder of AscendNPU-IR's programs."""

    folder: Path

    @cached_property
    def ir(self) -> Any:
        return import_module("triton._C.libtriton").ir

    @cached_property
    def ascend(self) -> Any:
        """The back end of Triton-Ascend: from Triton's IR to linalg."""
        return import_module("triton.backends.ascend.compiler")

    @cached_property
    def compiler(self) -> Any:
        return import_module("triton.compiler.compiler")

    @cached_property
    def jit(self) -> Any:
        return import_module("triton.runtime.jit")

    @cached_property
    def versions(self) -> str:
        """The packages, and the commit of AscendNPU-IR."""
        out = self.run("bishengir-compile", "--version").stdout.split()
        commit = next((word for word in out if len(word) == 12 and set(word) <= set("0123456789abcdef")), "?")
        return f"triton-ascend {version('triton-ascend')}, ascendnpu-ir {version('ascendnpu-ir')} ({commit})"

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.folder / program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)


_FOUND: dict[str, Toolchain] = {}


def toolchain() -> Toolchain:
    """
    The compilers, found once.

    Raises `TritonError` where a package of the extra cannot be imported.
    """
    if "here" not in _FOUND:
        try:
            folder = Path(str(import_module("ascendnpuir").__file__)).parent / "bin"
            found = Toolchain(folder)
            _ = found.ascend
        except ImportError as error:
            raise TritonError(
                f"no Triton for Ascend: {error}; pip install 'ascend-opt[triton]' (Linux, Python 3.11) "
                "brings triton-ascend, ascendnpu-ir and pybind11"
            ) from error
        _FOUND["here"] = found
    return _FOUND["here"]
