"""How `ascend-run` words what ended a run: an error of the input, or a hazard with its instructions."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from ...runtime.support.hazard import HazardError, InstructionRef
from ..api import CompileError
from ..pipeline.explain import explain
from ..text.diagnostics import from_location


def explain_error(error: Exception) -> str:
    """The message for whatever ended a run."""
    if isinstance(error, CompileError):
        return str(error)
    if isinstance(error, HazardError):
        return explain_hazard(error)
    return str(explain(error))


def explain_hazard(error: HazardError) -> str:
    """A hazard as it is shown: what happened, then each instruction with its source line."""
    lines = str(error).splitlines()
    head = lines[: len(lines) - len(error.instructions)]
    shown = [f"error: {head[0]}", *head[1:]]
    for instruction in error.instructions:
        shown.append(_instruction(instruction))
    return "\n".join(shown)


def _instruction(instruction: InstructionRef) -> str:
    message = " ".join(instruction.text.split())
    file, line, column = [*instruction.location.rsplit(":", 2), "", ""][:3]
    if not (line.isdigit() and column.isdigit()):
        return f"note: {message}"
    location = FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(int(column)))
    return str(replace(from_location(location, message), severity="note"))


__all__ = ["explain_error", "explain_hazard"]
