"""A parser that runs on tables: of a start, making and reading a grammar would be a fifth.

The tables are those of Lark's LALR(1) parser with its lexer that knows the state (`lalr_tables.py` takes them from
Lark and writes them to a file). A text that does not fit is a `Misfit` and no more: Lark itself says what it expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from ...dialects.records import dataclass

END = "$END"


class Misfit(Exception):
    """The text does not fit the grammar."""


class Word(NamedTuple):
    """A name, number or other token of the text."""

    text: str
    start: int
    end: int


class Rule(NamedTuple):
    """What happens when a rule is reduced: `size` values leave the stack, and those in `kept` are what the builder's
    method `callback` is called with (empty: they stay a list).

    `kept`: index, whether its own values take its place, and how many absent ones (None) lie before it; `absent` lie
    behind the last. `single`: a value that is alone stands for the rule.
    """

    origin: str
    callback: str
    size: int
    kept: tuple[tuple[int, bool, int], ...]
    absent: int
    single: bool


@dataclass(frozen=True)
class Tables:
    """`lexers`: names and regular expressions of terminals in the order in which they are tried, and the words that are
    terminals of their own where a terminal matches. `states`: its lexer, and by symbol the state that follows, or
    -1 - the rule that is reduced. The parse begins in state 0."""

    ignored: str
    lexers: tuple[tuple[tuple[tuple[str, str], ...], dict[str, dict[str, str]]], ...]
    states: tuple[tuple[int, dict[str, int]], ...]
    rules: tuple[Rule, ...]
    end: int

    @cached_property
    def _matchers(self) -> list[tuple[list[tuple[str, Callable[..., Any]]], dict[str, dict[str, str]]]]:
        known = {pattern: _late_match(pattern) for terminals, _ in self.lexers for _, pattern in terminals}
        return [
            ([(name, known[pattern]) for name, pattern in terminals], words)
            for terminals, words in self.lexers
        ]

    def parse(self, text: str, builder: object) -> Any:
        """What the builder makes of a text. Raises `Misfit` at the first character that does not fit."""
        matchers, states = self._matchers, self.states
        ignored = re.compile(self.ignored).match
        methods = [getattr(builder, rule.callback, None) if rule.callback else None for rule in self.rules]
        stack, values = [0], list[Any]()
        at = 0
        while True:
            at = ignored(text, at).end()  # type: ignore[union-attr] # may be empty
            if at == len(text):
                kind, word = END, None
            else:
                kind, word = _next_word(matchers[states[stack[-1]][0]], text, at)
                at = word.end
            while True:
                action = states[stack[-1]][1].get(kind)
                if action is None:
                    raise Misfit
                if action >= 0:
                    stack.append(action)
                    values.append(word)
                    break
                rule = self.rules[-1 - action]
                first = len(values) - rule.size
                value = _reduced(rule, methods[-1 - action], values[first:])
                del values[first:], stack[first + 1 :]
                stack.append(states[stack[-1]][1][rule.origin])
                values.append(value)
                if kind == END and stack[-1] == self.end:
                    return value


def read_tables(name: str) -> Tables:
    """The tables in a file beside this module."""
    text = (files(__name__.rpartition(".")[0]) / name).read_text(encoding="utf-8")
    return tables_of(json.loads(text))


def tables_of(data: dict[str, Any]) -> Tables:
    """The tables from what JSON gives."""
    rules = [
        Rule(origin, callback, size, tuple((i, spread, before) for i, spread, before in kept), absent, single)
        for origin, callback, size, kept, absent, single in data["rules"]
    ]
    lexers = [
        (tuple((name, pattern) for name, pattern in terminals), words) for terminals, words in data["lexers"]
    ]
    states = ((lexer, actions) for lexer, actions in data["states"])
    return Tables(data["ignored"], tuple(lexers), tuple(states), tuple(rules), data["end"])


def _late_match(pattern: str) -> Callable[[str, int], re.Match[str] | None]:
    """`match` of a pattern, which is compiled when it is first used: most texts need few."""
    found: list[Callable[[str, int], re.Match[str] | None]] = []

    def match(text: str, at: int) -> re.Match[str] | None:
        if not found:
            found.append(re.compile(pattern).match)
        return found[0](text, at)

    return match


def _next_word(
    lexer: tuple[list[tuple[str, Callable[..., Any]]], dict[str, dict[str, str]]], text: str, at: int
) -> tuple[str, Word]:
    """The terminal at a place, by its name."""
    terminals, words = lexer
    for name, match in terminals:
        found = match(text, at)
        if found is not None:
            word = Word(found[0], at, found.end())
            return words.get(name, {}).get(word.text, name), word
    raise Misfit


def _reduced(rule: Rule, method: Callable[[list[Any]], Any] | None, values: list[Any]) -> Any:
    """The value of a rule from those of its parts."""
    kept: list[Any] = []
    for index, spread, absent in rule.kept:
        kept += [None] * absent
        if spread:
            kept += values[index]
        else:
            kept.append(values[index])
    kept += [None] * rule.absent
    if rule.single and len(kept) == 1:
        return kept[0]
    return kept if method is None else method(kept)
