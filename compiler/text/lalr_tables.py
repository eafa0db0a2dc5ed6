"""Lark's tables of a grammar as plain data, for `lalr_parser.py`.

    python -m ascend_opt.compiler.text.lalr_tables

writes those of `graph.lark`; a test compares the file with the grammar. States are numbered in the order in which they
are reached, so that the file does not depend on Lark's own order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lark import Lark, parse_tree_builder
from lark.parsers.lalr_analysis import Shift

FOLDER = Path(__file__).parent
GRAMMAR, TABLES = "graph.lark", "graph.lark.json"


def tables(grammar: str) -> dict[str, Any]:
    """What `lalr_parser.tables_of` takes, of a grammar whose terminals do not collide."""
    lark: Any = Lark(grammar, parser="lalr", maybe_placeholders=True)
    table, lexer = lark.parser.parser._parse_table, lark.parser.lexer
    order = _states(table)
    lexers: list[Any] = []
    rules: list[Any] = []
    states: list[Any] = []
    for state in order:
        actions: dict[str, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is Shift:
                actions[symbol] = order.index(argument)
            else:
                actions[symbol] = -1 - _place(rules, _rule(argument))
        states.append([_place(lexers, _lexer(lexer.lexers[state])), actions])
    ignored = [lark.get_terminal(name).pattern.to_regexp() for name in lark.ignore_tokens]
    return {
        "ignored": f"(?:{'|'.join(sorted(ignored))})*+",
        "end": order.index(table.end_states["start"]),
        "lexers": lexers,
        "rules": rules,
        "states": states,
    }


def _states(table: Any) -> list[int]:
    """The states, each after one that leads to it."""
    order = [table.start_states["start"]]
    for state in order:
        for _, (action, argument) in sorted(table.states[state].items()):
            if action is Shift and argument not in order:
                order.append(argument)
    return order


def _place(known: list[Any], one: Any) -> int:
    if one not in known:
        known.append(one)
    return known.index(one)


def _rule(rule: Any) -> list[Any]:
    """A rule: what reduces to what, and which values its method takes."""
    size = len(rule.expansion)
    kept, absent = [[i, False, 0] for i in range(size)], 0
    builder: Any = parse_tree_builder
    chosen = builder.maybe_create_child_filter(
        rule.expansion, rule.options.keep_all_tokens, False, rule.options.empty_indices
    )
    if chosen is not None:
        included = chosen.args[0]
        kept = [[one[0], one[1], one[2] if len(one) > 2 else 0] for one in included]
        absent = chosen.args[1] if len(chosen.args) > 1 else 0
    origin = str(rule.origin.name)
    name = "" if origin.startswith("_") else str(rule.alias or rule.options.template_source or origin)
    return [origin, name, size, kept, absent, bool(rule.options.expand1 and not rule.alias)]


def _lexer(lexer: Any) -> list[Any]:
    """Terminals in Lark's order without those that are ignored, and the words among what one matches."""
    scanner = lexer.scanner
    terminals = [
        [one.name, one.pattern.to_regexp()] for one in scanner.terminals if one.name not in lexer.ignore_types
    ]
    words = {
        name: {one.pattern.value: one.name for one in unless.scanner.terminals}
        for name, unless in sorted(lexer.callback.items())
    }
    return [terminals, words]


def main() -> None:
    """Write the tables of `graph.lark`."""
    found = tables((FOLDER / GRAMMAR).read_text(encoding="utf-8"))
    (FOLDER / TABLES).write_text(
        json.dumps(found, indent=None, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
