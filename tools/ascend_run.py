"""`ascend-run`: compile a graph, run it on the emulator, compare it with the reference, print the profile."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .command import Parser, ended

LAUNCH = ("grid", "scalars", "tensors", "names", "only")
"""Options of launches of HIVM kernels."""
VALUES = ("inputs", "outputs", "check", "repair", "trace", "bisect")
"""Options of runs that compute values."""


class _ListTargets(argparse.Action):
    """Print the chips and exit, whatever else is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from ..compiler.reports.target_list import target_list

        print(target_list())
        parser.exit(0)


def _arguments() -> argparse.ArgumentParser:
    from ..compiler.drivers.model_options import add_model_options

    parser = Parser(
        "ascend-run",
        description="Compile a graph for a Huawei Ascend NPU and run it on the emulator: values are compared "
        "with the reference, times are predicted, fused against unfused. A module at the ascend level runs "
        "as it stands.",
        allow_abbrev=False,
    )
    _add_inputs(parser)
    _add_choices(parser)
    _add_launch(parser)
    _add_checks(parser)
    _add_compare(parser)
    _add_reports(parser)
    add_model_options(parser.add_argument)
    parser.add_argument("--debug", action="store_true", help="show the Python traceback of an error")
    return parser


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    """What is run, where, on which values."""
    from ..dialects.target import DEFAULT_TARGET

    add = parser.add_argument
    add(
        "files",
        metavar="FILE",
        nargs="*",
        help="graph text, MLIR text or an ONNX model (.onnx); - reads stdin; several with --table",
    )
    chip = f"chip to run on: a name or a .toml file (default {DEFAULT_TARGET})"
    add("--target", metavar="CHIP", help=chip)
    add(
        "--list-targets",
        action=_ListTargets,
        nargs=0,
        default=argparse.SUPPRESS,
        help="list the chips and exit",
    )
    add("--graph", metavar="NAME", help="which graph of the file")
    add("--inputs", metavar="NPZ", help="inputs by argument name; those that it lacks are seeded ones")
    add("--outputs", metavar="NPZ", help="write the outputs: output0, output1, ..., or by a model's names")
    add("--seed", type=_seed, default=0, metavar="N", help="seed of the inputs that are not given")


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """How it is compiled."""
    from ..compiler.drivers.choice_options import add_choice_options
    from ..compiler.workers.shared import JOBS_HELP
    from ..passes.kernels.tuner import TUNE_HELP

    add = parser.add_argument
    add(
        "--warm",
        action="store_true",
        help="time a run after others, which have left in L2 what it keeps (else L2 is cold at the start)",
    )
    add("--no-fuse", dest="fuse", action="store_false", help="compile the graph as written")
    add("--tune", type=_count, metavar="N", help=TUNE_HELP)
    add("--jobs", type=_count, default=1, metavar="N", help=JOBS_HELP)
    add_choice_options(add)
    add(
        "--save-plan-apart",
        metavar="FILE",
        help="write the plan in which fused kernels that are slower than their parts are apart, if there are any",
    )
    add(
        "--size",
        type=_count,
        metavar="N",
        help="what the dynamic dimension is (that of the inputs given, else the middle one of --dynamic-sizes)",
    )


def _add_launch(parser: argparse.ArgumentParser) -> None:
    """How a kernel of HIVM is launched."""
    add = parser.add_argument
    add("--grid", type=_grid, default=(), metavar="X,Y,Z", help="launch a HIVM kernel with so many blocks")
    add(
        "--scalar",
        dest="scalars",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=N",
        help="its scalar arguments",
    )
    add(
        "--tensor",
        dest="tensors",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=NxM",
        help="shapes of its tensors that --inputs lacks, which are seeded then",
    )
    add("--names", type=_names, metavar="A,B", help="its arguments' names, in order (else arg3, ...)")
    add(
        "--hazards-only",
        dest="only",
        action="store_true",
        help="FILE is a folder of HIVM files: launch each as launches.json there says, and report hazards as JSON",
    )


def _grid(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


_grid.__name__ = "grid"


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _add_checks(parser: argparse.ArgumentParser) -> None:
    """What is done of it, beside a run."""
    add = parser.add_argument
    add(
        "--check",
        action="store_true",
        help="fail when an output or a kernel, fused or unfused, is out of its bound or an output cannot be checked",
    )
    add(
        "--repair",
        action="store_true",
        help="--check, and compile kernels that are out of their bounds unfused or in f32 until all are right",
    )
    add(
        "--flags",
        choices=("strict", "count"),
        help="a flag set again before it is waited for: a hazard, or counted up and named in the report (strict; for "
        "HIVM count)",
    )
    add(
        "--table",
        action="store_true",
        help="instead: kernels, time and what limits them for every chip (or that of --target) and file, time alone",
    )


def _add_compare(parser: argparse.ArgumentParser) -> None:
    """What compares two runs."""
    from ..compiler.drivers.shares import share_of_time

    add = parser.add_argument
    add(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="instead: what B takes longer for than A, kernel by kernel, in time; each is a profile (.json), a "
        "graph, a model, a saved program, or for FILE a plan (.plan.json) or a revision of this compiler",
    )
    add(
        "--fail-if-slower",
        dest="allowed",
        type=share_of_time,
        metavar="SHARE",
        help="with --compare: fail where B is slower by more than that (2%%, or 0.02)",
    )


def _add_reports(parser: argparse.ArgumentParser) -> None:
    """What is written of it."""
    add = parser.add_argument
    add(
        "--trace",
        metavar="JSON",
        help="write a Chrome trace, which Perfetto opens; - prints it in place of the table",
    )
    add(
        "--trace-cores",
        type=_cores,
        metavar="N",
        help="cores whose instructions are traced, with the Vector cores beside each (1); 0: kernels alone",
    )
    add("--json", metavar="JSON", help="write the profile as JSON; - prints it in place of the table")
    add(
        "--sort",
        choices=("time", "order"),
        help="list the kernels of all programs in their order, or those of the fused one by time, with the nodes that "
        "they came from (time where there are more than 12)",
    )
    add("--rows", type=_count, metavar="N", help="kernels to list (40 in order, 20 by time)")
    add("--bisect", action="store_true", help="name the first instruction that makes the values wrong")


def _at_least(least: int, name: str) -> Callable[[str], int]:
    """How argparse reads a number that is `least` or more; `name` is what it is called in errors."""

    def read(text: str) -> int:
        value = int(text)
        if value < least:
            raise ValueError
        return value

    read.__name__ = name
    return read


_count, _seed, _cores = _at_least(1, "count"), _at_least(0, "seed"), _at_least(0, "number of cores")


def _of_hivm(file: str, options: dict[str, Any], launch: dict[str, Any]) -> bool:
    """Launch a kernel of HIVM, or look for the hazards of a folder of them."""
    from ..compiler.drivers.hivm_driver import HivmOptions, referee, run_hivm
    from ..compiler.drivers.run_driver import RunOptions

    options["flags"] = options["flags"] or "count"
    chosen = RunOptions(file, **options)
    said = HivmOptions(**launch)
    return referee(file, chosen, said) if said.only else run_hivm(chosen, said)


def _compare(parser: argparse.ArgumentParser, files: list[str], options: dict[str, Any]) -> bool:
    """Compare two sources."""
    from ..compiler.drivers.compare_driver import CompareOptions, run_compare
    from ..compiler.drivers.run_options import RunOptions

    taken = ("inputs", "trace")
    given = [f"--{name}" for name in (*VALUES, "table", "sort") if name not in taken and options[name]]
    given += [f"--{name.replace('_', '-')}" for name in ("save_plan", "save_plan_apart") if options[name]]
    if given:
        parser.error(f"--compare is about times: {given[0]} has no place there")
    if len(files) > 1:
        parser.error("--compare takes one FILE, which revisions compile")
    del options["table"]
    first, second = options.pop("compare")
    chosen = CompareOptions((first, second), files[0] if files else None, options.pop("allowed"))
    options["flags"] = options["flags"] or "strict"
    return run_compare(chosen, RunOptions("", **options))


def _tabulate(parser: argparse.ArgumentParser, files: list[str], options: dict[str, Any]) -> bool:
    """How files do on every chip."""
    from ..compiler.drivers.run_driver import RunOptions, tabulate

    given = [f"--{name}" for name in VALUES if options[name]]
    if given:
        parser.error(f"--table runs for the time alone, without values: {given[0]} has no place there")
    listing = [f"--{name}" for name in ("sort", "rows") if options[name]]
    if listing:
        parser.error(f"{listing[0]} is about the kernels of one program: it has no place in a table")
    options["flags"] = options["flags"] or "strict"
    return tabulate(files, RunOptions(files[0], **options))


def _dispatch(parser: argparse.ArgumentParser, options: dict[str, Any]) -> bool:
    """Do what the options ask for; whether it passed."""
    from ..compiler.drivers.run_driver import RunOptions, run
    from ..compiler.text.source_text import is_hivm_file

    files: list[str] = options.pop("files")
    launch = {name: options.pop(name) for name in LAUNCH}
    for name in (name for name in ("inputs", "outputs") if options[name] == "-"):
        parser.error(f"--{name} is a binary file: it needs a name, not -")
    if options["json"] == options["trace"] == "-":
        parser.error("--json and --trace cannot both print on stdout: one of them needs a file")
    if options["trace_cores"] is None:
        options["trace_cores"] = 1
    elif not options["trace"]:
        parser.error("--trace-cores is about the file of --trace, which is not given")
    if options["compare"]:
        return _compare(parser, files, options)
    del options["compare"]
    if options.pop("allowed") is not None:
        parser.error("--fail-if-slower goes with --compare")
    if not files:
        parser.error("the following arguments are required: FILE")
    if options.pop("table"):
        return _tabulate(parser, files, options)
    if len(files) > 1:
        parser.error("several files go with --table alone")
    if launch["only"] or any(launch.values()) or is_hivm_file(files[0]):
        return _of_hivm(files[0], options, launch)
    options["check"] = options["check"] or options["repair"]
    options["flags"] = options["flags"] or "strict"
    return run(RunOptions(files[0], **options))


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-run`; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    return ended(lambda: _run(argv), "--debug" in argv)


def _run(argv: Sequence[str]) -> int:
    parser = _arguments()
    options = vars(parser.parse_args(argv))
    del options["debug"]
    return 0 if _dispatch(parser, options) else 1


if __name__ == "__main__":
    sys.exit(main())
