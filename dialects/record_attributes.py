"""Attributes that are records: `#tile.product<m = 224, n = 128, transpose_rhs>`.

The data of such an attribute is a frozen dataclass, as that of builtin's `affine_map` is an `AffineMap`: passes read
its fields, which are Python values. Each field states how it is written, once, beside its type and default:

    step: int = field(metadata=INTEGER)                                    step = 288
    parts: Parts | None = field(default=None, metadata=nested(Parts))      parts = <dim = 0, depth = 512>
    unit_flag: bool = field(default=False, metadata=FLAG)                  unit_flag

Fields may come in any order, and are printed in that of the dataclass; what has its default is left out.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields
from enum import Enum, StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

from xdsl.ir import Data
from xdsl.utils.exceptions import VerifyException

from .near_names import nearest

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

TEXTS = 4096
"""So many records are kept with their text."""


class Form(NamedTuple):
    """How a field is written. A flag, which has no value, has no `parse`: its name says that it is set. `name` is that
    in the text, if it is another than in Python."""

    parse: Callable[[AttrParser], Any] | None
    text: Callable[[Any], str] = str
    name: str = ""


class Record(Protocol):
    """What an attribute holds: a frozen dataclass whose fields have a `Form`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def verify(self) -> None:
        """`VerifyException` where values contradict each other or are out of range."""
        ...


RecordT = TypeVar("RecordT", bound=Record)
WordT = TypeVar("WordT", bound=Enum)


def syntax(form: Form) -> Mapping[str, Form]:
    """The metadata of a field that is written so."""
    return {"form": form}


def parse_int(parser: AttrParser) -> int:
    """Parse an integer, which may be negative."""
    return parser.parse_integer(allow_boolean=False)


def parse_ints(parser: AttrParser) -> tuple[int, ...]:
    """Parse integers in brackets."""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_int(parser)))


def list_text(values: tuple[Any, ...]) -> str:
    """Values in brackets."""
    return f"[{', '.join(map(str, values))}]"


INTEGER = syntax(Form(parse_int))
INTEGERS = syntax(Form(parse_ints, list_text))
FLAG = syntax(Form(None))


def some_integers(count: int, make: Callable[..., Any] = lambda *values: values) -> Mapping[str, Form]:
    """So many integers in brackets, of which `make` makes the field's value, a tuple."""

    def parse(parser: AttrParser) -> Any:
        start = parser.pos
        values = parse_ints(parser)
        if len(values) != count:
            parser.raise_error(f"expected {count} integers, not {len(values)}", start, parser.pos)
        return make(*values)

    return syntax(Form(parse, list_text))


def parse_word(parser: AttrParser, kind: type[WordT]) -> WordT:
    """Parse one of the words of an enumeration."""
    start, known = parser.pos, {word.value: word for word in kind}
    word = parser.parse_identifier_or_str_literal()
    if word not in known:
        parser.raise_error(f"expected one of {', '.join(known)}, not '{word}'", start, start + len(word))
    return known[word]


def words(kind: type[StrEnum]) -> Mapping[str, Form]:
    """Words in brackets. One that stands for all, or is the only one, has none."""

    def parse(parser: AttrParser) -> tuple[StrEnum, ...]:
        listed = parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_word(parser, kind)
        )
        return (parse_word(parser, kind),) if listed is None else tuple(listed)

    def text(values: tuple[StrEnum, ...]) -> str:
        return values[0].value if len(set(values)) == 1 else list_text(values)

    return syntax(Form(parse, text))


def nested(kind: type[Any]) -> Mapping[str, Form]:
    """A record in a record: `<dim = 2, depth = 512>`."""

    def parse(parser: AttrParser) -> Any:
        return parse_record(parser, kind)

    return syntax(Form(parse, record_text))


@cache
def _forms(kind: type[Any]) -> dict[str, tuple[str, Form, Any]]:
    """Of the fields of a record, by their names in the text, those in Python, the forms and the defaults."""
    found: dict[str, tuple[str, Form, Any]] = {}
    for one in fields(kind):
        form = one.metadata["form"]
        found[form.name or one.name] = one.name, form, one.default
    return found


@lru_cache(TEXTS)
def record_text(record: Any) -> str:
    """A record as it is written, brackets included."""
    parts: list[str] = []
    for name, (attribute, form, default) in _forms(record.__class__).items():
        value = getattr(record, attribute)
        if form.parse is None:
            if value:
                parts.append(name)
        elif value != default:
            parts.append(f"{name} = {form.text(value)}")
    return f"<{', '.join(parts)}>"


def parse_record(parser: AttrParser, kind: type[RecordT]) -> RecordT:
    """Parse what `record_text` writes. `ParseError` at a field that is not known, stated twice, or has no such value;
    at the record where one is missing, or it does not verify."""
    forms, start = _forms(kind), parser.pos
    given: dict[str, Any] = {}

    def parse_field() -> None:
        at = parser.pos
        name = parser.parse_identifier()
        if name not in forms:
            close = nearest(name, forms)
            hint = f"did you mean '{close}'?" if close else f"there are {', '.join(forms)}"
            parser.raise_error(f"unknown field '{name}'; {hint}", at, at + len(name))
        attribute, form, _ = forms[name]
        if attribute in given:
            parser.raise_error(f"field '{name}' is stated twice", at, at + len(name))
        if form.parse is None:
            if parser.parse_optional_punctuation("=") is not None:
                parser.raise_error(
                    f"'{name}' is a flag: it is stated or not, and has no value", at, parser.pos
                )
            given[attribute] = True
            return
        parser.parse_punctuation("=")
        given[attribute] = form.parse(parser)

    parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parse_field)
    missing = [
        name
        for name, (attribute, _, default) in forms.items()
        if default is MISSING and attribute not in given
    ]
    if missing:
        parser.raise_error(f"missing field{'s' * (len(missing) > 1)} {', '.join(missing)}", start, parser.pos)
    record = kind(**given)
    with located(parser, start):
        record.verify()
    return record


@contextmanager
def located(parser: AttrParser, start: int) -> Generator[None]:
    """What does not verify is an error in the text from `start` to where the parser stands."""
    try:
        yield
    except VerifyException as error:
        parser.raise_error(str(error), start, parser.pos)


class RecordAttr(Data[RecordT], ABC):
    """Base of attributes that are a record of kind `KIND`."""

    KIND: ClassVar[type[Any]]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> RecordT:
        return parse_record(parser, cls.KIND)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(record_text(self.data))

    def verify(self) -> None:
        self.data.verify()


__all__ = [
    "FLAG",
    "INTEGER",
    "INTEGERS",
    "Form",
    "RecordAttr",
    "list_text",
    "located",
    "nested",
    "parse_int",
    "parse_ints",
    "parse_record",
    "parse_word",
    "record_text",
    "some_integers",
    "syntax",
    "words",
]
