"""ONNX models as graphs: `import_model` reads a file or a model of the `onnx` package.

Needs the extra `onnx` (`pip install ascend-opt[onnx]`); nothing of it is imported before a model is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .importer import ImportedModel, import_model
    from .options import ImportOptions
    from .unsupported import UnsupportedModel

__all__ = ["ImportOptions", "ImportedModel", "UnsupportedModel", "import_model"]


def __getattr__(name: str) -> Any:
    """Import the importer when it is first asked for (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import importer, unsupported

    return getattr(unsupported if name == "UnsupportedModel" else importer, name)
