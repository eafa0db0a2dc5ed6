"""What to tell people about an error, whichever tool or function it ended."""

from __future__ import annotations

import os
from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects.target_fields import TargetError
from ...passes.support.pass_package import is_ours, package_of
from ..onnx.unsupported import UnsupportedModel
from ..text.diagnostics import Diagnostic, ShownError, Source, find_op, from_op, from_parse_error


class UsageError(Exception):
    """The command line makes no sense."""


def explain(
    error: BaseException, sources: Sequence[Source] = (), during: ModulePass | None = None
) -> Diagnostic:
    """What to tell the user about an error that ended a run: where it lies and what is wrong."""
    from ...runtime.support.hazard import ProgramError, location_text

    match error:
        case ParseError():
            return from_parse_error(error)
        case UsageError():
            return Diagnostic(f"{error}; see ascend-opt --help")
        case OSError(filename=str() | bytes() as filename):
            return Diagnostic(f"cannot open '{os.fsdecode(filename)}': {error.strerror or error}")
        case ShownError():
            return error.diagnostic
        case UnsupportedModel():
            return Diagnostic(error.message, file=error.file)
        case RecursionError():
            return Diagnostic("the input is nested too deeply")
        case MemoryError():
            return Diagnostic("the program needs more memory than this machine gives")
        case DiagnosticException(of_file=True):
            return Diagnostic(str(error))
        case DiagnosticException():
            op = find_op(error)
            message = str(error)
            return Diagnostic(message) if op is None else from_op(op, message, sources)
        case ProgramError(op=Operation() as op) if location_text(op):
            return from_op(op, error.message, sources)
        case ValueError() | OSError() if during is None or _is_target_error(error):
            return Diagnostic(str(error))
        case ValueError() if during is not None and not is_ours(during):
            return Diagnostic(f"pass '{during.name}': {error}")
        case _:
            what = f"{type(error).__name__}: {error}".strip().rstrip(":")
            if during is not None and not is_ours(during):
                whose = f"pass '{during.name}' of {package_of(during)}"
                return Diagnostic(f"{whose} failed: {what} (--debug shows the traceback)")
            where = "" if during is None else f" in pass '{during.name}'"
            return Diagnostic(f"internal error{where}: {what} (--debug shows the traceback)")


def _is_target_error(error: BaseException) -> bool:
    """Whether the chip lacks what the module asks of it, or there is no such chip: no fault of the pass."""
    return isinstance(error, TargetError)


__all__ = ["UsageError", "explain"]
