"""`ascend-plan`: offsets for buffers with known lifetimes, from a CSV table."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"error: {message}; see ascend-plan --help\n")


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
    parser = _Parser(
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
    try:
        options = vars(_arguments().parse_args(argv))
        from ..compiler.drivers.plan_driver import PlanOptions, run

        return run(PlanOptions(**options))
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
