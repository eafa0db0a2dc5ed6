"""How every tool words a problem: `file:line:col: error: message`, the source line and a caret.

Errors come from four places (graph text, xDSL's parser, verifiers and passes), which know where they are as
character offsets or as the location of an op. All of them end in `Diagnostic`, so a user sees one form:

    conv.mlir:3:8: error: unknown operation 'conv2b'; did you mean 'conv2d'?
      %0 = conv2b(%x, %w)
           ^~~~~~
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.lexer import Input, Span

from ...dialects.locations import file_location
from ...dialects.near_names import nearest
from ...dialects.records import dataclass

MAX_SHOWN_COLUMNS = 120
"""A longer source line is cut to a window of this many characters around the caret."""

MAX_MESSAGE_LENGTH = 2000
"""A longer message is cut: an error must stay readable whatever the input was."""


@dataclass(frozen=True)
class Source:
    """A text and its name; finds lines and columns (both from 1) of character offsets."""

    text: str
    name: str

    def __post_init__(self) -> None:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        object.__setattr__(self, "_line_starts", starts)

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line."""
        return self.__dict__["_line_starts"]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str | None:
        """The text of a line (from 1) without its end, or None if there is no such line."""
        if not 1 <= number <= len(self.line_starts):
            return None
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")

    def location(self, offset: int) -> FileLineColLoc:
        """The location attribute of an offset."""
        line, column = self.line_and_column(offset)
        return FileLineColLoc(StringAttr(self.name), IntAttr(line), IntAttr(column))

    def error(self, start: int, end: int, message: str) -> ParseError:
        """An error about the characters `start` to `end`, as xDSL's own parser raises them."""
        return ParseError(Span(start, max(end, start), Input(self.text, self.name)), message)


@dataclass(frozen=True)
class Diagnostic:
    """One message about one place. `line` and `column` count from 1; `width` is in characters."""

    message: str
    severity: Literal["error", "warning", "note"] = "error"
    file: str | None = None
    line: int | None = None
    column: int | None = None
    width: int = 1
    source_line: str | None = None

    def __str__(self) -> str:
        message = self.message.strip() or "unknown error"
        if len(message) > MAX_MESSAGE_LENGTH:
            message = message[:MAX_MESSAGE_LENGTH] + " … (cut)"
        place = ""
        if self.file is not None:
            place = f"{self.file}:"
            if self.line is not None:
                place += f"{self.line}:{self.column or 1}:"
            place += " "
        head = f"{place}{self.severity}: {printable(message)}"
        if self.source_line is None:
            return head
        return f"{head}\n{_excerpt(self.source_line, self.column or 1, self.width)}"


def _excerpt(line: str, column: int, width: int) -> str:
    """The line (or a window of it) with a caret under `column` and tildes to `width`."""
    start = 0
    prefix = suffix = ""
    if len(line) > MAX_SHOWN_COLUMNS:
        start = max(0, min(column - 1 - MAX_SHOWN_COLUMNS // 3, len(line) - MAX_SHOWN_COLUMNS))
        prefix = "…" if start else ""
        suffix = "…" if start + MAX_SHOWN_COLUMNS < len(line) else ""
    shown = line[start : start + MAX_SHOWN_COLUMNS]
    at = min(max(column - 1 - start, 0), len(shown))
    # Tabs stay tabs so that the caret lands under its character in any terminal.
    indent = " " * len(prefix) + "".join("\t" if c == "\t" else " " for c in shown[:at])
    length = max(1, min(width, len(shown) - at))
    return f"{prefix}{printable(shown)}{suffix}\n{indent}^{'~' * (length - 1)}"


def printable(text: str) -> str:
    """The text with control characters and the like replaced, so that it cannot upset a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\t\n" else "�" for c in text)


def from_parse_error(error: ParseError) -> Diagnostic:
    """The diagnostic of an error with a span, ours or xDSL's."""
    span = error.span
    content = span.input.content
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    start = min(span.start, len(text))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    if line_end < 0:
        line_end = len(text)
    return Diagnostic(
        error.msg,
        file=span.input.name,
        line=text.count("\n", 0, line_start) + 1 + span.line_offset,
        column=start - line_start + 1,
        width=max(1, min(span.end, line_end) - start),
        source_line=text[line_start:line_end].removesuffix("\r"),
    )


def from_location(location: Attribute, message: str, sources: Iterable[Source] = ()) -> Diagnostic:
    """The diagnostic of a message about an op's location.

    The source line is taken from `sources` when one has the file's name, else read from the file; if
    that fails the message stands without it.
    """
    place = file_location(location)
    if place is None:
        return Diagnostic(message)
    file, line, column = place.filename.data, place.line.data, place.column.data
    diagnostic = Diagnostic(message, file=file, line=line, column=column)
    source = next((source for source in sources if source.name == file), None)
    text = source.line(line) if source is not None else _read_line(file, line)
    if text is None:
        return diagnostic
    return replace(diagnostic, source_line=text, width=_word_length(text, column - 1))


def from_op(op: Operation, message: str, sources: Iterable[Source] = ()) -> Diagnostic:
    """The diagnostic of a message about an op.

    An op without a location lends that of the closest op around it; with none at all its text is shown.
    """
    at: Operation | None = op
    while at is not None:
        location = getattr(at, "location", None)  # an op whose making failed has none
        if location is not None and file_location(location) is not None:
            return from_location(location, message, sources)
        at = at.parent_op()
    return Diagnostic(f"{message}\n  in: {op_line(op)}")


class ShownParseError(ParseError):
    """A parse error that prints as a diagnostic, for drivers that print the exception itself."""

    def __str__(self) -> str:
        return str(from_parse_error(self))


class ShownError(DiagnosticException):
    """An error whose diagnostic is known; prints as that, without the module xDSL would add."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class OpError(DiagnosticException):
    """An error about one op, for messages that its location should introduce."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op


def find_op(error: BaseException) -> Operation | None:
    """The op that an error is about: stated by the error, or the one that was being verified or rewritten.

    xDSL's verifiers and patterns raise errors without their op, whose printed module is too long to show.
    The innermost frame that works on an op knows it.
    """
    stated: object = getattr(error, "op", None)
    if isinstance(stated, Operation):
        return stated
    found: Operation | None = None
    trace = error.__traceback__
    while trace is not None:
        for name in ("self", "op"):
            value = trace.tb_frame.f_locals.get(name)
            if isinstance(value, Operation):
                found = value
                break
        trace = trace.tb_next
    return found


def op_line(op: Operation) -> str:
    """The first line of an op's text in generic form, shortened: cheap to make whatever the op contains."""
    operands = ", ".join(f"%{value.name_hint or '?'}" for value in op.operands)
    types = ", ".join(str(value.type) for value in op.operands)
    results = ", ".join(str(value.type) for value in op.results)
    text = f'"{op.name}"({operands}) : ({types}) -> ({results})'
    return text if len(text) <= 400 else text[:400] + " …"


def _read_line(file: str, number: int) -> str | None:
    try:
        with Path(file).open(encoding="utf-8", errors="replace") as stream:
            for index, line in enumerate(stream, start=1):
                if index == number:
                    return line.rstrip("\r\n")
    except OSError:
        pass
    return None


def _word_length(line: str, start: int) -> int:
    """Length of the word or string at a column, for the tildes after the caret."""
    if line[start : start + 1] == '"' and (closing := line.find('"', start + 1)) > 0:
        return closing + 1 - start
    end = start
    while end < len(line) and (line[end].isalnum() or line[end] in "_.%@"):
        end += 1
    return max(1, end - start)


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`; did you mean 'conv2d'?` when something known is close to `word`, else nothing."""
    near = nearest(word, known, cutoff)
    return "" if near is None else f"; did you mean '{near}'?"


def count(number: int, noun: str) -> str:
    """`1 result`, `2 results`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def one_of(words: Iterable[str], limit: int = 8) -> str:
    """`a, b or c`, for lists of what was expected; at most `limit` of them."""
    words = list(words)
    if len(words) > limit:
        words = [*words[:limit], "…"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
