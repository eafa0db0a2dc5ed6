"""MLIR text to a module, with what xDSL's parser lacks: locations of ops and errors where the cause is.

xDSL leaves an op without `loc(...)` at an unknown location, reports an undefined value at the end of the
file and an unregistered op at the token after it.
"""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from .diagnostics import Source, did_you_mean, find_op
from .other_names import operation_hint

GRAPH = "graph"
"""The dialect whose ops are offered for those of other frameworks."""
FOREIGN = "hivm."
"""How names of ops of AscendNPU-IR begin."""

_RESULTS = re.compile(r'%[^=(){}"\n]*=\s*')
_UNDEFINED = re.compile(r"values? used but not defined: \[?(%[\w$.-]+)")
_UNREGISTERED = re.compile(r"Operation (\S+) is not registered")
_NO_SHORT_FORM = re.compile(r"Operation \S+ does not have a custom format\.?")
_NAME = re.compile(r"[\w.$-]+")
_STRING = r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'
_COMMENT_STRING_OR_QUOTE = re.compile(rf'//[^\n]*|{_STRING}|"')
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


_SPEC_OF_LLVM_19 = re.compile(r'(#dlti\.target_system_spec<"[^"\n]*" ):')
"""What later releases, as xDSL does, write with an equal sign."""

SHORT = 18
"""An integer of so many characters fits 64 bits."""


class LocatedParser(Parser):
    """A parser that gives every op the place of its name, unless the text states a location, and takes no integer
    that is longer than 64 bits."""

    def __init__(self, ctx: Context, text: str, name: str = "<string>"):
        super().__init__(ctx, text, name)
        self.source = Source(text, name)
        self.operation_start = 0

    @property
    def position(self) -> int:
        """Where the parser stands, also when it stopped with an error."""
        return self._current_token.span.start

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        token = super()._consume_token(expected_kind)
        if token.kind is MLIRTokenKind.INTEGER_LIT and len(token.text) > SHORT:
            start, end = token.span.start, token.span.end
            negative = self.source.text[start - 1 : start] == "-"
            if token.kind.get_int_value(token.span) > (1 << 63 if negative else (1 << 64) - 1):
                raise self.source.error(start - negative, end, "this integer does not fit 64 bits")
        return token

    def parse_operation(self) -> Operation:
        start = self.position
        results = _RESULTS.match(self.source.text, start)
        start = start if results is None else results.end()
        around, self.operation_start = self.operation_start, start
        op = super().parse_operation()
        self.operation_start = around  # what is wrong from here on is wrong with the op around this one
        if isinstance(op.location, UnknownLoc):
            op.location = self.source.location(start)
        return op


def parse_mlir_text(
    ctx: Context, text: str, name: str = "<string>", *, implicit_module: bool = True
) -> ModuleOp:
    """The module that an MLIR text describes. Raises ParseError for whatever is wrong with it."""
    _check_strings(Source(text, name))
    parser = LocatedParser(ctx, _SPEC_OF_LLVM_19.sub(r"\1=", text), name)
    try:
        module = parser.parse_module(implicit_module)
    except ParseError as error:
        raise _at_its_cause(ctx, parser, error) from None
    except DiagnosticException as error:
        op = find_op(error)
        start = parser.operation_start if op is None else parser.position
        raise _error_at(parser, start, str(error)) from error
    except RecursionError:
        raise _error_at(parser, parser.position, "this is nested too deeply") from None
    except Exception as error:
        # Attributes and types check themselves with whatever exception they like.
        what = str(error).strip() or type(error).__name__
        raise _error_at(parser, parser.position, f"cannot read this: {what}") from error
    if isinstance(module.location, UnknownLoc):
        module.location = parser.source.location(0)
    return module


def _check_strings(source: Source) -> None:
    """Find a string that is not closed. xDSL 0.74 takes time exponential in the line's length for that."""
    for match in _COMMENT_STRING_OR_QUOTE.finditer(source.text):
        if match[0] == '"':
            end = source.text.find("\n", match.start())
            raise source.error(
                match.start(),
                end if end >= 0 else len(source.text),
                "this string is not closed on its line, or has an escape that strings do not have",
            )


def _error_at(parser: LocatedParser, start: int, message: str) -> ParseError:
    return parser.source.error(start, start + 1, message)


def _at_its_cause(ctx: Context, parser: LocatedParser, error: ParseError) -> ParseError:
    source = parser.source
    if undefined := _UNDEFINED.search(error.msg):
        value = undefined[1]
        start = _undefined_use(source.text, value)
        if start is not None:
            end = start + len(value)
            return source.error(start, end, f"value '{value}' is used but not defined here")
    if unregistered := _UNREGISTERED.fullmatch(error.msg):
        name = unregistered[1]
        start = parser.operation_start
        quoted = source.text.startswith('"', start)
        hint = _similar_operation(ctx, name)
        return source.error(start + quoted, start + quoted + len(name), f"unknown operation '{name}'{hint}")
    if _NO_SHORT_FORM.fullmatch(error.msg) and (bare := _NAME.match(source.text, parser.operation_start)):
        name, start = bare[0], parser.operation_start
        message = f"'{name}' is read in the generic form alone, \"{name}\"(…)"
        if name.startswith(FOREIGN):
            message += ": bishengir-opt --mlir-print-op-generic prints it"
        return source.error(start, start + len(name), message)
    end = len(source.text.rstrip())
    if error.span.start >= end:
        return source.error(end, end, f"the text ends too early: {error.msg.strip()}")
    return error


def _undefined_use(text: str, value: str) -> int | None:
    """Where a value is used that is not visible: its first use, or its last if it is defined elsewhere."""
    # Same length, so that offsets hold; what looks like a value in a comment or string is no use of it.
    code = _COMMENT_OR_STRING.sub(lambda match: " " * len(match[0]), text)
    found = [match.start() for match in re.finditer(re.escape(value) + r"(?![\w$.-])", code)]
    uses = [at for at in found if code[code.rfind("\n", 0, at) + 1 : at].strip()]
    if not uses:
        return found[0] if found else None
    return uses[0] if len(uses) == len(found) else uses[-1]


def _similar_operation(ctx: Context, name: str) -> str:
    """A hint for an unknown op: of a dialect that there is a similar op, a similar dialect, or a graph op."""
    dialect, _, short = name.partition(".")
    known = ctx.get_optional_dialect(dialect)
    if known is not None and dialect != GRAPH:
        return did_you_mean(name, [op.name for op in known.operations])
    if known is None and (similar := did_you_mean(dialect, ctx.registered_dialect_names)):
        return similar.replace("mean", "mean the dialect") if short else ""
    graph = ctx.get_optional_dialect(GRAPH)
    ops = [] if graph is None else [op.name.removeprefix(f"{GRAPH}.") for op in graph.operations]
    return operation_hint(name, ops, f"{GRAPH}.") if short else ""
