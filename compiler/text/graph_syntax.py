"""Graph text to a syntax tree: words, shapes and their places, nothing about what they mean.

The grammar is `graph.lark`, and `lalr_parser.py` runs on the tables that Lark makes of it. It calls `_Builder` as it
reduces, so no intermediate tree is made. Every node knows its characters (`start`, `end`), which become locations and
carets. Lark itself is imported only for a text that does not fit, and says where, and what could stand there.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from xdsl.utils.exceptions import ParseError

from .diagnostics import Source, did_you_mean, one_of, printable
from .lalr_parser import Misfit, Tables, Word, read_tables

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput, UnexpectedToken

MAX_NESTING = 32
"""Deepest nesting of `[...]` lists, well above any tensor's rank."""

KEYWORDS = {"GRAPH": "graph", "RETURN": "return", "TENSOR": "tensor"}

_USER_WORDS = {
    "$END": "the end of the file",
    "ARROW": "'->'",
    "COLON": "':'",
    "COMMA": "','",
    "EQUAL": "'='",
    "GRAPH": "'graph'",
    "LBRACE": "'{'",
    "LESSTHAN": "'<'",
    "LPAR": "'('",
    "LSQB": "'['",
    "NAME": "a name",
    "NUMBER": "a number",
    "RANGLE": "'>'",
    "RBRACE": "'}'",
    "RETURN": "'return'",
    "RPAR": "')'",
    "RSQB": "']'",
    "SHAPE": "a shape such as 16x32x",
    "STRING": "a string",
    "SYMBOL": "a graph name such as @main",
    "TENSOR": "a type such as tensor<16x32xf16>",
    "VALUE": "a value name such as %x",
    "__ANON_0": "'->'",
}


class NumberNode(NamedTuple):
    """A number as written: decimal, `0x…` bits, hexadecimal float, or a signed infinity."""

    text: str
    start: int
    end: int


class StringNode(NamedTuple):
    """A string, escapes resolved."""

    value: str
    start: int
    end: int


class ListNode(NamedTuple):
    """`[a, b]`; `depth` counts the levels of nesting."""

    items: tuple[ValueNode, ...]
    start: int
    end: int
    depth: int


class TypeNode(NamedTuple):
    """`tensor<16x?xf16>`: `shape` is the word `16x?x`, None for rank 0."""

    shape: Word | None
    dtype: Word
    start: int
    end: int


ValueNode = Word | NumberNode | StringNode | ListNode | TypeNode
"""The value of an attribute; a bare word is a boolean, a data type, `inf`/`nan` or an enumeration's case."""


class AttributeNode(NamedTuple):
    """`name = value`, or a bare `name` (value None), which means true."""

    name: Word
    value: ValueNode | None


class ArgumentNode(NamedTuple):
    name: Word
    type: TypeNode
    attributes: tuple[AttributeNode, ...]


class OperationNode(NamedTuple):
    """`%a, %b = name(%x, %y) {...} : types`; `types` is None when not stated."""

    results: tuple[Word, ...]
    name: Word
    operands: tuple[Word, ...]
    attributes: tuple[AttributeNode, ...]
    types: tuple[TypeNode, ...] | None


class ReturnNode(NamedTuple):
    keyword: Word
    values: tuple[Word, ...]


class GraphNode(NamedTuple):
    name: Word
    arguments: tuple[ArgumentNode, ...]
    types: tuple[TypeNode, ...] | None
    body: tuple[OperationNode | ReturnNode, ...]
    close: Word


class _TooDeep(Exception):
    def __init__(self, start: int):
        self.start = start


class _Builder:
    """Makes the nodes; one method per rule of the grammar, called with what the rule matched."""

    def start(self, items: list[Any]) -> tuple[GraphNode, ...]:
        return tuple(items)

    def graph(self, items: list[Any]) -> GraphNode:
        name, arguments, types, *body, close = items
        return GraphNode(name, arguments or (), types, tuple(body), close)

    def arguments(self, items: list[Any]) -> tuple[ArgumentNode, ...]:
        return tuple(items)

    def argument(self, items: list[Any]) -> ArgumentNode:
        name, type_, attributes = items
        return ArgumentNode(name, type_, attributes or ())

    def operation(self, items: list[Any]) -> OperationNode:
        results, name, operands, attributes, types = items
        return OperationNode(results, name, operands or (), attributes or (), types)

    def values(self, items: list[Any]) -> tuple[Word, ...]:
        return tuple(items)

    def types(self, items: list[Any]) -> tuple[TypeNode, ...]:
        return tuple(items)

    def type(self, items: list[Any]) -> TypeNode:
        keyword, shape, dtype, close = items
        return TypeNode(shape, dtype, keyword.start, close.end)

    def attributes(self, items: list[Any]) -> tuple[AttributeNode, ...]:
        return tuple(item for item in items if item is not None)

    def attribute(self, items: list[Any]) -> AttributeNode:
        return AttributeNode(items[0], items[1])

    def number(self, items: list[Any]) -> NumberNode:
        return NumberNode(items[0].text, items[0].start, items[0].end)

    def string(self, items: list[Any]) -> StringNode:
        return StringNode(_unescape(items[0].text[1:-1]), items[0].start, items[0].end)

    def word(self, items: list[Any]) -> Word:
        return items[0]

    def list(self, items: list[Any]) -> ListNode:
        opening, *values, closing = items
        values = tuple(value for value in values if value is not None)
        depth = 1 + max((value.depth for value in values if isinstance(value, ListNode)), default=0)
        start = opening.start
        if depth > MAX_NESTING:
            raise _TooDeep(start)
        return ListNode(values, start, closing.end, depth)


# `return` is a Python keyword, so the method of that rule cannot be written with `def`.
def _return(self: _Builder, items: list[Any]) -> ReturnNode:
    return ReturnNode(items[0], items[1])


setattr(_Builder, "return", _return)


def _unescape(text: str) -> str:
    """Resolve `\\n`, `\\t`, `\\"`, `\\\\` and two hexadecimal digits, as in MLIR strings."""
    if "\\" not in text:
        return text
    simple = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
    pieces: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            pieces.append(text[at])
            at += 1
            continue
        digits = text[at + 1 : at + 3]
        if len(digits) == 2 and all(c in "0123456789abcdefABCDEF" for c in digits):
            pieces.append(chr(int(digits, 16)))
            at += 3
        else:
            pieces.append(simple.get(text[at + 1], text[at + 1]))
            at += 2
    return "".join(pieces)


@cache
def _tables() -> Tables:
    return read_tables("graph.lark.json")


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = (files(__name__.rpartition(".")[0]) / "graph.lark").read_text(encoding="utf-8")
    with _unchecked():
        return Lark(grammar, parser="lalr", maybe_placeholders=True)


@contextmanager
def _unchecked() -> Generator[None]:
    """Without Lark's search for terminals that collide, which is most of a short run where `interegular` is installed;
    a test makes it once and for all."""
    lexer: Any = import_module("lark.lexer")
    installed, lexer.has_interegular = getattr(lexer, "has_interegular", False), False
    try:
        yield
    finally:
        lexer.has_interegular = installed


def parse_syntax(source: Source) -> tuple[GraphNode, ...]:
    """The graphs of a text. Raises ParseError at the first character that does not fit the grammar."""
    try:
        return _tables().parse(source.text, _Builder())
    except Misfit:
        raise _misfit(source) from None
    except _TooDeep as error:
        raise source.error(
            error.start, error.start + 1, f"lists are nested deeper than {MAX_NESTING} levels"
        ) from None


def _misfit(source: Source) -> ParseError:
    """What is wrong with a text that does not fit the grammar, as Lark says it."""
    from lark.exceptions import UnexpectedInput

    parser: Any = _lark()
    try:
        parser.parse(source.text)
    except UnexpectedInput as error:
        return _syntax_error(source, error)
    raise AssertionError("the tables are not those of the grammar")


def _syntax_error(source: Source, error: UnexpectedInput) -> ParseError:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedToken):
        return _unexpected_token(source, error)
    if isinstance(error, UnexpectedCharacters):
        start: int = cast(Any, error).pos_in_stream or 0
        return _unexpected_character(source, start, set(error.allowed or ()))
    return source.error(len(source.text), len(source.text), "unexpected end of the file")


def _unexpected_token(source: Source, error: UnexpectedToken) -> ParseError:
    token: Any = error.token
    expected = {str(name) for name in error.expected or ()}
    if token.type == "$END":
        # Lark puts the end at the last token; the end of the text (without trailing blanks) reads better.
        end = len(source.text.rstrip())
        return source.error(end, end, f"expected {_expected(expected)}, found the end of the file")
    start: int = token.start_pos or 0
    text = str(token)
    hint = ""
    if text[:1].isalpha():
        keywords = [KEYWORDS[name] for name in KEYWORDS if name in expected]
        hint = did_you_mean(text, keywords, cutoff=0.75)
    if "EQUAL" in expected and "RETURN" in expected:
        # After `return %a` another line may follow, after `%a` alone only this.
        expected = {"EQUAL", "COMMA"}
    elif "RETURN" in expected and source.text.startswith("(", start + len(text)):
        hint = f"; an operation is written %y = {text}(...)"
    words = _expected(expected)
    if expected == {"NAME"} and source.text[start - 1 : start] == "x":
        words = "an element type such as f16"
    shown = text if len(text) <= 40 else text[:40] + "…"
    message = f"expected {words}, found '{printable(shown)}'{hint}"
    return source.error(start, start + len(text), message)


def _unexpected_character(source: Source, start: int, expected: set[str]) -> ParseError:
    character = source.text[start]
    if character == '"':
        end = source.text.find("\n", start)
        return source.error(
            start, end if end >= 0 else len(source.text), "this string is not closed on its line"
        )
    shown = printable(character) if character.isprintable() else f"U+{ord(character):04X}"
    hint = "; comments start with '//'" if character in "#;" else ""
    return source.error(start, start + 1, f"expected {_expected(expected)}, found '{shown}'{hint}")


def _expected(terminals: set[str]) -> str:
    """What the grammar allows, in user words, the most likely first."""
    order = list(_USER_WORDS)
    if {"SHAPE", "NAME"} <= terminals:
        return "a shape and an element type such as 16x32xf16"
    known = sorted((t for t in terminals if t in _USER_WORDS), key=order.index)
    return one_of(dict.fromkeys(_USER_WORDS[t] for t in known)) or "something else"
