"""The known name that a misspelt one most likely stands for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The name that the fewest edits make of `word`, the shortest of several; None where none is close."""
    close = get_close_matches(word, list(known), 5)
    return min(close, key=lambda name: (edits(word, name), len(name)), default=None)


def edits(first: str, second: str) -> int:
    """How many letters to insert, drop or replace to make one word of another (the Levenshtein distance)."""
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        above, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (letter != other))
    return row[-1]


__all__ = ["edits", "nearest"]
