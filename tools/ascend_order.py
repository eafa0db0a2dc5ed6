"""`ascend-order`: learn from stores of trials which tilings `ascend-tune --order` tries first."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(1, f"error: {message}; see ascend-order --help\n")


def _arguments() -> argparse.ArgumentParser:
    parser = _Parser(
        "ascend-order",
        description="Learn an order of tilings from stores that ascend-tune --store wrote. ascend-tune --order tries "
        "tilings in this order; what is taken is up to the clock. Printed is a card: what was learned from, how many "
        "trials networks need that are left out, and when the order is worse than none.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("stores", nargs="+", metavar="STORE", help="stores of trials, one for each network")
    add("--target", action="append", default=[], metavar="FILE", help="a chip that has no name")
    add("--seed", type=int, default=0, metavar="N", help="of the training (0)")
    add("-o", "--output", default="order.json", metavar="MODEL", help="where the order goes (order.json)")
    add("--debug", action="store_true", help="show the Python traceback of an error")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-order`; returns the exit code."""
    debug = False
    try:
        options = _arguments().parse_args(argv)
        debug = options.debug
        from ..compiler.drivers.order_driver import learn_order

        learn_order(options.stores, options.output, options.target, options.seed)
        sys.stdout.flush()
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if debug:
            traceback.print_exception(error)
        from ..compiler.reports.hazard_text import explain_error

        print(explain_error(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
