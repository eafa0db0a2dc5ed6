"""The known name that a misspelt one most likely stands for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LETTERS = 80
"""So many letters of a word are compared."""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that the fewest edits make of `word`, the shortest of several, upper and lower case alike; None where
    none is as close as `cutoff` (`difflib`'s ratio)."""
    word, choices = word.lower()[:MOST_LETTERS], {name.lower(): name for name in known}
    close = get_close_matches(word, choices, 5, cutoff)
    return choices[min(close, key=lambda name: (_edits(word, name), len(name)))] if close else None


def _edits(first: str, second: str) -> int:
    """How many letters to insert, drop or replace to make one word of another (the Levenshtein distance)."""
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        above, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (letter != other))
    return row[-1]


__all__ = ["nearest"]
