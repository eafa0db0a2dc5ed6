"""The module of an ONNX model, for the tool that prints it: read by another process, where one is there for that."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import cast

from xdsl.dialects.builtin import ModuleOp

from ...passes.support.packed_ops import unpacked
from ..onnx import ImportOptions
from ..pipeline.explain import UsageError
from ..text.diagnostics import Diagnostic
from .early_model import ModelReader


class ModelImport:
    """Reads the model of `file` as `args` say: `reader`, from now on, or this process. UsageError where the model is a
    pipe, which cannot be read more than once."""

    def __init__(self, file: str, args: Namespace, reader: ModelReader | None):
        self._file, self._args = file, args
        path = Path(file)
        model = (args.frontend or path.suffix.removeprefix(".")) == "onnx"
        if model and path.is_fifo():
            raise UsageError("a model is read from a file, not from a pipe")
        whole = args.weights is None and not args.list_targets and not args.split_input_file
        self._reader = reader if model and whole and path.is_file() else None
        if self._reader is not None:
            self._reader.ask((file, self._options(mapped=True)))

    def module(self, show: Callable[[Diagnostic], None]) -> ModuleOp:
        """The module; notes on the import are shown. UnsupportedModel, OSError."""
        found = None if self._reader is None else self._reader.take()
        if found is not None:
            data, notes = found[0]
            module = cast(ModuleOp, unpacked(data)[0])
        else:
            from ..onnx import import_model

            imported = import_model(self._file, self._options())
            module, notes = imported.module, imported.few_notes
            if self._args.weights is not None:
                from ..onnx.weight_file import with_weight_file

                module = with_weight_file(imported, self._args.weights)
        for note in notes:
            show(Diagnostic(note, "note", self._file))
        return module

    def _options(self, mapped: bool = False) -> ImportOptions:
        args = self._args
        return ImportOptions(args.precision, args.precision_of, args.dims, mapped=mapped)


__all__ = ["ModelImport"]
