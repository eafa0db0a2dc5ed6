"""The grammar of graph text: no conflicts, and nothing that takes it long to refuse."""

import time
from importlib.resources import files

import pytest
from lark import Lark
from lark.exceptions import GrammarError, LexError
from xdsl.utils.exceptions import ParseError

from ascend_opt.compiler.text.diagnostics import Source
from ascend_opt.compiler.text.graph_syntax import GraphNode, OperationNode, parse_syntax

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
