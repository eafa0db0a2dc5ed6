"""The known name that a misspelt one most likely stands for."""

from __future__ import annotations

from collections.abc import Iterable

MOST_LETTERS = 80
"""So many letters of a word are compared."""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that the fewest edits make of `word`, the shortest of several, upper and lower case alike; None where
    none is as close as `cutoff` (`difflib`'s ratio)."""
    from difflib import get_close_matches

    word, choices = word.lower()[:MOST_LETTERS], {name.lower(): name for name in known}
    close = get_close_matches(word, choices, 5, cutoff)
    return choices[min(close, key=lambda name: (_edits(word, name), len(name)))] if close else None


def _edits(first: str, second: str) -> int:
    """How many letters to insert, drop, replace or swap with the next to make one word of another (the
    Damerau-Levenshtein distance; no letter is edited twice)."""
    row, before = list(range(len(second) + 1)), list[int]()
    for i, letter in enumerate(first, 1):
        row, above, two_above = [i], row, before
        for j, other in enumerate(second, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and other == first[i - 2]:
                best = min(best, two_above[j - 2] + 1)
            row.append(best)
        before = above
    return row[-1]


__all__ = ["nearest"]
