"""MLIR text for less: what xDSL's printer writes, each attribute and type turned into text once, and the kernels of a
module by the processes that have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget
from xdsl.traits import IsolatedFromAbove

from ...passes.support.peers import peers, share_out


class QuickPrinter(Printer):
    """Looks attributes up by object: a module has few, and each many times. `ready`: the texts of ops that were printed
    before, each as it is one level inside of the module."""

    ready: Mapping[Operation, str] = {}

    def print_op(self, op: Operation) -> None:
        text = self.ready.get(op)
        if text is None or self.stream is None:
            super().print_op(op)
        else:
            self.stream.write(text)

    def text_inside(self, op: Operation) -> str | None:
        """The text of an op of the module that is isolated from above; None where it refers to what is printed behind
        the module."""
        printer = replace(self, stream=StringIO())
        vars(printer)["known_texts"] = self._texts
        printer._indent = 1
        printer.print_op(op)
        assert isinstance(printer.stream, StringIO)
        return None if printer._dialect_resources else printer.stream.getvalue()

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._ssa_values.get(value)
        if name is None:
            name = self._ssa_values[value] = self._new_name(value.name_hint)
        self.print_string(f"%{name}")
        return name

    def _new_name(self, hint: str | None) -> str:
        """A name that no other value has here. As in xDSL it is the hint, behind the first value with a number; but
        `a_1` may be the hint of one, and the name of the second `a`."""
        if not hint:
            return self._get_new_valid_name_id()
        number, names = self.ssa_names.get(hint, 0), self.ssa_names
        base, _, last = hint.rpartition("_")
        if number == 0 and last.isdecimal() and last[0] != "0" and int(last) < names.get(base, 0):
            number = 1
        while number and names.get(f"{hint}_{number}", 0):
            number += 1
        names[hint] = number + 1
        return f"{hint}_{number}" if number else hint

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
        with peers() as others:
            if others is not None:
                parts = [op for op in module.body.ops if op.has_trait(IsolatedFromAbove)]
                texts = share_out(len(parts), others, lambda number: printer.text_inside(parts[number]))
                printer.ready = {parts[number]: text for number, text in texts.items() if text is not None}
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=output)


__all__ = ["QuickMLIRTarget"]
