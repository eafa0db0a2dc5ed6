"""MLIR text for less: what xDSL's printer writes, each attribute and type turned into text once."""

from __future__ import annotations

from io import StringIO
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget


class QuickPrinter(Printer):
    """Looks attributes up by object: a module has few, and each many times."""

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text or self.stream is None:
            super().print_string(text, indent=indent)
            return
        self._current_column += len(text)
        self.stream.write(text)

    def print_attribute(self, attribute: Attribute) -> None:
        key = id(attribute), self.printing_location  # only the outermost location says `loc`
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = attribute, self._text_of(attribute)
        self.print_string(known[1])

    @property
    def _texts(self) -> dict[tuple[int, bool], tuple[Attribute, str]]:
        """By the `id` of an attribute, and whether it is within a location: it, so that nothing else gets its `id`, and
        its text."""
        return vars(self).setdefault("known_texts", {})

    def _text_of(self, attribute: Attribute) -> str:
        stream, place, indent = self.stream, (self._current_line, self._current_column), self._indent
        self.stream, self._indent = StringIO(), 0
        super().print_attribute(attribute)
        text = self.stream.getvalue()
        self.stream, self._indent = stream, indent
        self._current_line, self._current_column = place
        return text


class QuickMLIRTarget(MLIRTarget):
    """The target `mlir`, printed so."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if self.syntax_highlight:
            super().emit(ctx, module, output)
            return
        printer = QuickPrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=output)


__all__ = ["QuickMLIRTarget"]
