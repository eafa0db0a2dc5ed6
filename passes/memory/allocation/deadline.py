"""The end of the time for a layout. Long loops ask for it, and what was found before stays."""

from collections.abc import Callable


class OutOfTimeError(Exception):
    """The time for a layout is over."""


Check = Callable[[], None]
"""Raises `OutOfTimeError` when the time is over."""


def endless() -> None:
    """The check of a search that has no time limit."""
