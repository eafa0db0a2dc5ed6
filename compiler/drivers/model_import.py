"""The module of an ONNX model, for the tool that prints it. With several processes one reads the model while another
imports the passes: that does without the packages which read models, and without weights."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp

from ...passes.support.packed_ops import packed, unpacked
from ..pipeline.explain import UsageError
from ..text.diagnostics import Diagnostic
from ..workers.beside import Beside

if TYPE_CHECKING:
    from ..onnx import ImportedModel

_Packed = tuple[bytes, list[str]]
"""A module, and the notes on it."""


class ModelImport:
    """Reads the model of `file` as `args` say, from now on where there is another process for it. In a context, which
    ends that. UsageError where the model is a pipe, which cannot be read more than once."""

    def __init__(self, file: str, args: Namespace):
        self._file, self._args = file, args
        path = Path(file)
        model = (args.frontend or path.suffix.removeprefix(".")) == "onnx"
        whole = args.weights is None and not args.list_targets and not args.split_input_file
        if model and path.is_fifo():
            raise UsageError("a model is read from a file, not from a pipe")
        several = args.jobs > 1 and hasattr(os, "fork") and path.is_file()
        self._beside = Beside(self._packed) if model and whole and several else None

    def __enter__(self) -> ModelImport:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """Leave nothing of what reads the model."""
        if self._beside is not None:
            self._beside.end()

    def module(self, show: Callable[[Diagnostic], None]) -> ModuleOp:
        """The module; notes on the import are shown. UnsupportedModel, OSError."""
        found = None if self._beside is None else self._beside.take()
        if found is not None:
            data, notes = found[0]
            module = cast(ModuleOp, unpacked(data)[0])
        else:
            imported = self._imported()
            module, notes = imported.module, imported.few_notes
            if self._args.weights is not None:
                from ..onnx.weight_file import with_weight_file

                module = with_weight_file(imported, self._args.weights)
        for note in notes:
            show(Diagnostic(note, "note", self._file))
        return module

    def _packed(self) -> _Packed:
        imported = self._imported(mapped=True)
        return packed([imported.module]), imported.few_notes

    def _imported(self, mapped: bool = False) -> ImportedModel:
        from ..onnx import ImportOptions, import_model

        args = self._args
        options = ImportOptions(args.precision, args.precision_of, args.dims, mapped=mapped)
        return import_model(self._file, options)


__all__ = ["ModelImport"]
