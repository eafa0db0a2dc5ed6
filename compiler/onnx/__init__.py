"""ONNX models as graphs: `import_model` reads a file or a model of the `onnx` package.

Needs the extra `onnx` (`pip install ascend-opt[onnx]`); nothing of it is imported before a model is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .imported import ImportedModel
from .options import ImportOptions
from .unsupported import UnsupportedModel

if TYPE_CHECKING:
    from .importer import import_model

__all__ = ["ImportOptions", "ImportedModel", "UnsupportedModel", "import_model"]


def __getattr__(name: str) -> Any:
    """Import the importer when it is first asked for (PEP 562)."""
    if name != "import_model":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .importer import import_model

    return import_model
