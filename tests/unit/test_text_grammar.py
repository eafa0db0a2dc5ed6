"""The grammar of graph text: no conflicts, and nothing that takes it long to refuse."""

import json
import random
import re
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Transformer
from lark.exceptions import GrammarError, LexError, UnexpectedInput
from xdsl.utils.exceptions import ParseError

from ascend_opt.compiler.text.diagnostics import Source
from ascend_opt.compiler.text.graph_syntax import GraphNode, OperationNode, parse_syntax
from ascend_opt.compiler.text.lalr_parser import Misfit, Word, read_tables, tables_of
from ascend_opt.compiler.text.lalr_tables import TABLES, tables

GRAMMAR = (files("ascend_opt.compiler.text") / "graph.lark").read_text()


def test_grammar_has_no_conflict_and_no_colliding_terminals() -> None:
    pytest.importorskip("interegular")
    Lark(GRAMMAR, parser="lalr", strict=True)


@pytest.mark.parametrize(
    ("rule", "replacement"),
    [
        # Without parentheses, `return` of nothing and the next line cannot be told apart.
        ("return: RETURN values", "return: RETURN [values]"),
        # Every word number is also a name.
        ("|[+-](inf|nan)/", "|[+-]?(inf|nan)/"),
    ],
)
def test_strict_mode_would_find_a_conflict(rule: str, replacement: str) -> None:
    pytest.importorskip("interegular")
    assert rule in GRAMMAR
    with pytest.raises((GrammarError, LexError)):
        Lark(GRAMMAR.replace(rule, replacement), parser="lalr", strict=True)


def test_the_tables_in_the_package_are_those_of_the_grammar() -> None:
    written = json.loads((files("ascend_opt.compiler.text") / TABLES).read_text())
    assert written == tables(GRAMMAR), "run python -m ascend_opt.compiler.text.lalr_tables"


class Calls:
    """A builder that notes every call: the name of the rule and what it is given."""

    def __getattr__(self, name: str) -> Any:
        def call(values: list[Any]) -> Any:
            return name, tuple(values)

        return call


class LarkCalls(Transformer[Token, Any]):
    """The same by Lark."""

    def __default__(self, data: Any, children: Any, meta: Any) -> Any:
        words = [
            Word(str(one), one.start_pos or 0, one.end_pos or 0) if isinstance(one, Token) else one
            for one in children
        ]
        return (str(data), tuple(words))


def changed(text: str, rng: random.Random) -> str:
    """A text with one of its words, or a few characters, left out, written twice or taken from elsewhere."""
    pieces = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(pieces))
        pieces[at] = rng.choice(
            ["", pieces[at] * 2, rng.choice(pieces), rng.choice('@%"?.x0[]{}()<>:=,-\\/ #')]
        )
    return "".join(pieces)


def test_tables_parse_as_lark_does() -> None:
    lark: Any = Lark(GRAMMAR, parser="lalr", maybe_placeholders=True)
    own, rng = tables_of(tables(GRAMMAR)), random.Random(0)
    texts = [path.read_text() for path in sorted((Path(__file__).parents[2] / "examples").glob("**/*.mlir"))]
    texts.append(
        'graph @g() -> (tensor<f32>, tensor<?x2xi8>) { %a, %b = f() {a, b = [[1, 0x2], []], c = "\\"" } }'
    )
    fitted = 0
    for text in (*texts, *(changed(rng.choice(texts), rng) for _ in range(300))):
        try:
            expected = LarkCalls().transform(lark.parse(text))
        except UnexpectedInput:
            with pytest.raises(Misfit):
                own.parse(text, Calls())
            continue
        fitted += 1
        assert own.parse(text, Calls()) == expected, text
    assert fitted > 40


def test_tables_of_another_grammar_parse_as_lark_does() -> None:
    grammar = """
        start: sum
        ?sum: [SIGN] term ("+" term)*
        term: NUMBER | "(" sum ")" -> inner
        SIGN: "-"
        NUMBER: /[0-9]+/
        %ignore " "
    """
    own = tables_of(tables(grammar))
    lark: Any = Lark(grammar, parser="lalr", maybe_placeholders=True)
    for text in ("1", "- 1 + 2", "(1+(2))", "-(3)"):
        assert own.parse(text, Calls()) == LarkCalls().transform(lark.parse(text))
    with pytest.raises(Misfit):
        own.parse("1 +", Calls())


def test_the_tables_are_read_from_the_package() -> None:
    assert read_tables(TABLES) == tables_of(tables(GRAMMAR))


def parse(text: str) -> tuple[GraphNode, ...]:
    return parse_syntax(Source(text, "test.mlir"))


def test_nodes_know_their_characters() -> None:
    text = "graph @f(%x: tensor<4x8xf16>) {\n  %y = clip(%x) {min = -0x1p3}\n  return %y\n}"
    (graph,) = parse(text)
    operation = graph.body[0]
    assert isinstance(operation, OperationNode)
    value = operation.attributes[0].value
    assert value is not None
    type_ = graph.arguments[0].type
    assert text[type_.start : type_.end] == "tensor<4x8xf16>"
    assert text[operation.name.start : operation.name.end] == "clip"
    assert text[value.start : value.end] == "-0x1p3"


@pytest.mark.parametrize("text", ["", "// nothing\n", "  \n\t\r\n"])
def test_a_file_may_hold_no_graph(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    "garbage",
    [
        "graph @f(" + "(" * 10_000_000,
        "graph @" + "a" * 10_000_000,
        'graph @f() { %0 = f() {a = "' + "\\x" * 5_000_000,
    ],
    ids=["parentheses", "name", "string"],
)
def test_ten_megabytes_of_garbage_are_refused_quickly(garbage: str) -> None:
    parse("graph @f(%x: tensor<f16>) { return %x }")
    start = time.process_time()
    with pytest.raises(ParseError):
        parse(garbage)
    assert time.process_time() - start < 5
