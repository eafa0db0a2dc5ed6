"""What `-p` says: passes and their options, and where each of them is written, for messages that point there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from xdsl.utils.arg_spec import ArgSpec, PipelineLexer, SpecToken, SpecTokenKind, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, ParseError

from ...dialects.records import dataclass
from ..text.diagnostics import Source

_NESTED = re.compile(r"[\w.-]+\(")
"""How MLIR writes that passes run on ops of a kind: `builtin.module(...)`."""

Place = tuple[int, int]
"""The first character, and the one past the last."""


@dataclass(frozen=True)
class WrittenSpec(ArgSpec):
    """A pass with its options, and where its name and they stand in a text."""

    source: Source = field(default_factory=lambda: Source("", "-p"))
    place: Place = (0, 0)
    options: Mapping[str, Place] = field(default_factory=dict[str, Place])


def parse_passes(text: str) -> tuple[ArgSpec, ...]:
    """The passes of a `-p` text. Raises ParseError where it is none, or gives an option twice."""
    source = Source(text, "-p")
    try:
        specs = tuple(parse_pipeline(text))
    except ArgSpecParseError as error:
        raise _syntax_error(source, error) from None
    written = _places(source)
    return tuple(
        WrittenSpec(spec.name, spec.parameters, source, *place)
        for spec, place in zip(specs, written, strict=True)
    )


def wrong_pass(spec: ArgSpec, message: str, option: str | None = None) -> Exception:
    """An error about a pass, or about an `option` of it by the name of its field; located if its place is known."""
    if not isinstance(spec, WrittenSpec):
        return ValueError(message)
    return spec.source.error(*spec.options.get(option or "", spec.place), message)


def _syntax_error(source: Source, error: ArgSpecParseError) -> ParseError:
    """What is wrong with the text: xDSL's message holds place, line, carets and what it expected."""
    _, place, _, carets, message, *_ = str(error).splitlines()
    line, column = map(int, place.split(":")[-2:])
    start = source.line_starts[line - 1] + column - 1
    nested = next((one for one in _NESTED.finditer(source.text) if one.start() <= start < one.end()), None)
    if nested is not None:
        what = (
            f"passes run on the whole module, and are written a,b{{option=1}}, without '{nested.group()}...)'"
        )
        return source.error(*nested.span(), what)
    message = message.strip()
    if message == "Unknown token":
        message = f"unexpected {source.text[start]!r}"
    return source.error(start, start + carets.count("^"), message)


def _places(source: Source) -> Iterator[tuple[Place, Mapping[str, Place]]]:
    """Where each pass of a valid text has its name, and its options by the names of their fields."""
    tokens = _tokens(source.text)
    for token in tokens:
        if token.kind is not SpecTokenKind.IDENT:
            continue
        options: dict[str, Place] = {}
        following = next(tokens, None)
        if following is not None and following.kind is SpecTokenKind.L_BRACE:
            for name, place in _options(tokens):
                if name in options:
                    option = name.replace("_", "-")
                    raise source.error(
                        *place, f"option '{option}' of pass '{token.span.text}' is given twice"
                    )
                options[name] = place
        yield (token.span.start, token.span.end), options


def _options(tokens: Iterator[SpecToken]) -> Iterator[tuple[str, Place]]:
    """The options up to the closing brace: names of their fields, and places with their values."""
    name, start, end = "", 0, 0
    for token in tokens:
        if token.kind in (SpecTokenKind.SPACE, SpecTokenKind.R_BRACE):
            if name:
                yield name, (start, end)
            name = ""
            if token.kind is SpecTokenKind.R_BRACE:
                return
            continue
        if not name:
            name, start = token.span.text.replace("-", "_"), token.span.start
        end = token.span.end


def _tokens(text: str) -> Iterator[SpecToken]:
    """The tokens of a valid text."""
    lexer: Any = PipelineLexer(text)
    while (token := lexer.lex()).kind is not SpecTokenKind.EOF:
        yield token


__all__ = ["WrittenSpec", "parse_passes", "wrong_pass"]
