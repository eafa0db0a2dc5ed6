"""What the command line tools share: parsers whose errors are one line, and how a command ends."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from ..runtime.support.streams import open_streams


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"error: {message}; see {self.prog} --help\n")


MOST_SEED = 2**32 - 1
"""The largest number that a search can be seeded with."""


def seed(text: str) -> int:
    """How argparse reads the seed of a search."""
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= value <= MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {MOST_SEED}")
    return value


def ended(work: Callable[[], int], debug: bool = False) -> int:
    """Do the work of a command; its exit code. An error is one message on stderr and 1, with the traceback of `debug`;
    130 after ctrl-C."""
    open_streams()
    try:
        code = work()
        sys.stdout.flush()
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if debug:
            traceback.print_exception(error)
        from ..compiler.reports.hazard_text import explain_error

        print(explain_error(error), file=sys.stderr)
        return 1
    return code


__all__ = ["Parser", "ended", "seed"]
