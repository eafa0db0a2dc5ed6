"""Packages that another one imports for what it does with few models: imported when that is done."""

from __future__ import annotations

import sys
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType

SYMBOLIC = frozenset(("sympy", "onnx_ir._symbolic_shapes"))
"""What onnx-ir computes with sizes that are expressions; sympy takes longer to import than a small model to read."""


class _LateFinder(MetaPathFinder):
    """Finds some modules so that they are loaded when an attribute of theirs is first asked for."""

    def __init__(self, names: Collection[str]):
        self._names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


@contextmanager
def imported_late(names: Collection[str]) -> Generator[None]:
    """Let modules that are imported while the context is open, and not yet, be loaded on first use."""
    finder = _LateFinder(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


__all__ = ["SYMBOLIC", "imported_late"]
