"""`ascend-tune`: search for a better plan of a model on the emulator's clock."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from .command import Parser, ended, seed


def _count(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 1 or more")
    return value


def _minutes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of minutes")
    return value


def _batches(text: str) -> tuple[str, list[int]]:
    name, _, sizes = text.rpartition("=")
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=N,N: a dimension and its sizes")
    return name, list(dict.fromkeys(_count(size) for size in sizes.split(",")))


def _names(text: str) -> list[str]:
    from ..compiler.onnx.options import PRECISIONS

    names = text.split(",")
    if unknown := [name for name in names if name not in PRECISIONS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(PRECISIONS)}")
    return names


def _kinds(text: str) -> tuple[str, ...]:
    from ..compiler.tune.held import KINDS

    names = tuple(dict.fromkeys(text.split(",")))
    if unknown := [name for name in names if name not in KINDS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(KINDS)}")
    return names


def _add_goal(add: Callable[..., object]) -> None:
    """What is looked for, by a parser's `add_argument`."""
    from ..compiler.drivers.shares import share_of_time

    goals = ("latency", "throughput", "memory", "pareto")
    add("--goal", choices=goals, default="latency", help="what is looked for (latency)")
    add(
        "--slower",
        type=share_of_time,
        metavar="SHARE",
        help="of --goal memory: time that may be added (10%%)",
    )
    add(
        "--memory",
        type=_kinds,
        default=(),
        metavar="KIND,KIND",
        help="of --goal memory and pareto, what counts: workspace, on-chip, weights (workspace; all of a front)",
    )
    add(
        "--batches",
        type=_batches,
        metavar="NAME=N,N",
        help="of --goal throughput and pareto: a dimension and its sizes",
    )


def _arguments() -> argparse.ArgumentParser:
    from ..compiler.drivers.model_options import add_model_options

    parser = Parser(
        "ascend-tune",
        description="Search for a better plan of a model: which ops share a kernel, and how each is tiled, tried on "
        "the emulator's clock. The plan is for --plan of ascend-opt and ascend-run. It is never slower than the "
        "default. Ctrl-C ends the search with the best so far.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("file", help="graph text, MLIR or an ONNX model")
    add("--target", metavar="CHIP", help="chip to tune for: a name or a .toml file")
    add("--graph", metavar="NAME", help="the graph, where the file has several")
    _add_goal(add)
    add(
        "--trials",
        type=_count,
        metavar="N",
        help="launches to time at most: the same result for the same seed",
    )
    add("--minutes", type=_minutes, metavar="M", help="how long to search at most (10, without --trials)")
    add(
        "--patience",
        type=_count,
        default=12,
        metavar="N",
        help="trials without a gain after which a launch is left (12)",
    )
    add("--seed", type=seed, default=0, metavar="N", help="of the search (0)")
    add("--jobs", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes (one for each core)")
    add("--dask", metavar="ADDRESS", help="a Dask scheduler in their place")
    add("--store", metavar="FILE", help="keep what launches take here, and begin with what is known")
    add(
        "--order",
        metavar="MODEL",
        help="try tilings in a learned order: a file of ascend-order, or a store to learn from",
    )
    add("-o", "--output", metavar="PLAN", help="where the plan goes (NAME.plan.json)")
    add("--json", metavar="FILE", help="what was found, as JSON (-: stdout)")
    add(
        "--precisions",
        type=_names,
        default=(),
        metavar="P,P",
        help="those allowed: the fastest by default is tuned",
    )
    add_model_options(add)
    add("--debug", action="store_true", help="show the Python traceback of an error")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-tune`; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    return ended(lambda: _run(argv), "--debug" in argv)


def _run(argv: Sequence[str]) -> int:
    parser = _arguments()
    options = vars(parser.parse_args(argv))
    del options["debug"]
    if options["goal"] == "throughput" and options["batches"] is None:
        parser.error("--goal throughput needs --batches: the sizes to choose among")
    if options["batches"] is not None and options["goal"] not in ("throughput", "pareto"):
        parser.error("--batches goes with --goal throughput or pareto")
    if options["memory"] and options["goal"] not in ("memory", "pareto"):
        parser.error("--memory goes with --goal memory or pareto")
    if options["slower"] is None:
        del options["slower"]
    elif options["goal"] != "memory":
        parser.error("--slower goes with --goal memory")
    if options["precisions"] and options["precision"] is not None:
        parser.error("--precisions and --precision do not go together")
    if options["trials"] is None and options["minutes"] is None:
        options["minutes"] = 10.0
    try:
        from ..compiler.drivers.tune_driver import TuneOptions, tune_model

        outcome = tune_model(TuneOptions(**options))
    except KeyboardInterrupt:
        print(
            "note: interrupted before the default program was timed: there is no plan to write",
            file=sys.stderr,
        )
        raise
    outcome.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
