"""`ascend-run`: compile a graph, run it on the emulator and print the profile."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-run`; returns the exit code."""
    print("error: ascend-run is not available in this version", file=sys.stderr)
    return 1
