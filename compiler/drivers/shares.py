"""How the tools read options whose value is a share: 0.1 or 10%."""

from __future__ import annotations

import argparse
from collections.abc import Callable

MOST_TIME = 10.0
"""How much longer something may take at most, as a share of its time."""


def share_up_to(most: float) -> Callable[[str], float]:
    """How argparse reads a share from 0 to `most`. More than the whole is a percentage, as 2 may be meant as 2%."""

    def read(text: str) -> float:
        number = text.removesuffix("%")
        is_percentage = number != text
        try:
            value = float(number) / (100 if is_percentage else 1)
        except ValueError:
            value = -1.0
        if not 0 <= value <= (most if is_percentage else 1):
            raise argparse.ArgumentTypeError(f"a share is 0.1 or 10%, from 0% to {most:.0%}, not {text!r}")
        return value

    return read


share, share_of_time = share_up_to(1.0), share_up_to(MOST_TIME)

__all__ = ["share", "share_of_time"]
