"""ascend-opt: an MLIR-style compiler for Huawei Ascend NPUs, in pure Python on xDSL.

`compile` turns graph text, MLIR text or a module into a program that the emulator runs; `load` reads one
back that was saved. Both are imported on first use, so that `import ascend_opt` stays cheap for tools
which only want the dialects and passes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .compiler.api import CompileError, ProgramError, compile, load

__version__ = "0.1.0"

__all__ = ["CompileError", "ProgramError", "__version__", "compile", "load"]

_LAZY = frozenset({"CompileError", "ProgramError", "compile", "load"})


def __getattr__(name: str) -> Any:
    """Import the Python API when it is first asked for (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .compiler import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | _LAZY)
