"""`ascend-plan`: offsets for buffers with known lifetimes, from a CSV table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .command import Parser, ended


def _number(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, 0 or more")
    return value


def _arguments() -> argparse.ArgumentParser:
    parser = Parser(
        "ascend-plan",
        description="Lay out buffers in one memory: a table with columns id,lower,upper,size[,alignment] (bytes, "
        "half-open lifetimes) in, the same with a column offset out. Exit code 0: laid out; 1: wrong input, or "
        "proven not to fit; 2: the limit ended the search before it was known whether the buffers fit.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("file", metavar="CSV", help="the buffers; - reads stdin")
    add(
        "--capacity",
        type=_number,
        metavar="N",
        help="bytes there are (without: the least peak is looked for)",
    )
    add("-o", "--output", metavar="CSV", help="where to write the offsets (stdout)")
    add("--plot", metavar="SVG", help="draw the layout, addresses over time")
    add("--time-limit", type=_seconds, default=60.0, metavar="S", help="CPU seconds to search (60)")
    add("--steps", type=_number, metavar="N", help="limit in search steps instead: the same on every machine")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-plan`; returns the exit code."""
    return ended(lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    options = vars(_arguments().parse_args(argv))
    from ..compiler.drivers.plan_driver import PlanOptions, run

    return run(PlanOptions(**options))


if __name__ == "__main__":
    sys.exit(main())
