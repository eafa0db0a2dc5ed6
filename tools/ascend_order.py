"""`ascend-order`: learn from stores of trials which tilings `ascend-tune --order` tries first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .command import Parser, ended, seed


def _arguments() -> argparse.ArgumentParser:
    parser = Parser(
        "ascend-order",
        description="Learn an order of tilings from stores that ascend-tune --store wrote. ascend-tune --order tries "
        "tilings in this order; what is taken is up to the clock. Printed is a card: what was learned from, how many "
        "trials networks need that are left out, and when the order is worse than none.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("stores", nargs="+", metavar="STORE", help="stores of trials, one for each network")
    add("--target", action="append", default=[], metavar="FILE", help="a chip that has no name")
    add("--seed", type=seed, default=0, metavar="N", help="of the training (0)")
    add("-o", "--output", default="order.json", metavar="MODEL", help="where the order goes (order.json)")
    add("--debug", action="store_true", help="show the Python traceback of an error")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-order`; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    return ended(lambda: _run(argv), "--debug" in argv)


def _run(argv: Sequence[str]) -> int:
    options = _arguments().parse_args(argv)
    from ..compiler.drivers.order_driver import learn_order

    learn_order(options.stores, options.output, options.target, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
