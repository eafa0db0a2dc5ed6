"""ascend-opt: an MLIR-style compiler for Huawei Ascend NPUs, in pure Python on xDSL.

`compile` turns graph text, MLIR text, a module or an ONNX model into a `Program` that the emulator runs; `from_onnx`
reads a model alone; `load` reads a program back that was saved; `progress` tells how far they are. Errors are a
`CompileError`, a `ProgramError` or a `HazardError`. They are imported on first use, so that `import ascend_opt` stays
cheap for tools which only want the dialects and passes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .compiler.api import CompileError, Program, ProgramError, compile, from_onnx, load
    from .runtime.support.hazard import HazardError
    from .runtime.support.progress import Progress, progress

__version__ = "0.1.0"

__all__ = [
    "CompileError",
    "HazardError",
    "Program",
    "ProgramError",
    "Progress",
    "__version__",
    "compile",
    "from_onnx",
    "load",
    "progress",
]

_LAZY = {
    **dict.fromkeys(
        ("CompileError", "Program", "ProgramError", "compile", "from_onnx", "load"), "compiler.api"
    ),
    "HazardError": "runtime.support.hazard",
    **dict.fromkeys(("Progress", "progress"), "runtime.support.progress"),
}
"""Names, and the modules that have them."""


def __getattr__(name: str) -> Any:
    """Import the Python API when it is first asked for (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LAZY[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LAZY))
