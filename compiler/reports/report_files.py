"""Where reports go: text on stderr or in a file, JSON, or an HTML page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ...passes.support.report import Report
from ..text.output_files import put_text

STDERR = "<stderr>"
"""In the place of a file: what a report without one goes to."""
HTML = "html"
"""In the place of a file: a page in `PAGE`."""
PAGE = "report.html"
OPTIONS = ("--report", "--report-json")
EITHER = "<file or input>"
"""Before a word that follows an option of a report."""
INPUTS = (".mlir", ".onnx")
"""Ends of names that are no reports."""


def add_report_options(add: Callable[..., Any]) -> None:
    """`--report`, `--analyze` and both as JSON, by a parser's `add_argument`."""
    add(
        "--report",
        metavar="FILE",
        help="what the passes decided and why, to stderr or to FILE (-: stdout; *.html, or html: a page)",
    )
    add("--report-json", metavar="FILE", help="the same as JSON")
    add(
        "--analyze",
        action="store_true",
        help="print in place of the IR what could be fused, by gain, and the totals of the model, before and after "
        "(--fuse where no passes are named)",
    )
    add("--analyze-json", action="store_true", help="the same as JSON")


def with_report_files(argv: Sequence[str]) -> list[str]:
    """The arguments with `=` after every option of a report, and behind it the file or `STDERR`. A word that follows
    such an option is its file or the input: `settle_report_files` sees which, once all arguments are read."""
    found: list[str] = []
    for before, arg in zip(["", *argv], argv, strict=False):
        if before in OPTIONS and (arg == "-" or not arg.startswith("-")):
            found[-1] = f"{before}={EITHER}{arg}"
        else:
            found.append(f"{arg}={STDERR}" if arg in OPTIONS else arg)
    return found


def settle_report_files(options: argparse.Namespace) -> None:
    """Take words after options of reports for the files of these, or for the input where no other word is one.

    ValueError for a second input.
    """
    for option in OPTIONS:
        name = option.removeprefix("--").replace("-", "_")
        given: str | None = getattr(options, name)
        if given is None or not given.startswith(EITHER):
            continue
        file = given.removeprefix(EITHER)
        if file != "-" and not _is_page(file) and options.input_file is None:
            options.input_file, file = file, STDERR
        elif file.endswith(INPUTS):
            raise ValueError(
                f"two inputs, {options.input_file} and {file}; a report is written to {option}=FILE"
            )
        setattr(options, name, file)


def report_files(file: str | None, json_file: str | None) -> dict[str, str | None]:
    """The files that reports go to, by option; None where that is none."""
    paths = {"--report": PAGE if file == HTML else file, "--report-json": json_file}
    return {option: None if path == STDERR else path for option, path in paths.items()}


def write_reports(reports: Sequence[Report], file: str | None, json_file: str | None, title: str) -> None:
    """Write what was asked for: `file` is a page if its name ends in .html, `title` the page's."""
    if file is not None and (file == HTML or _is_page(file)):
        from .html_report import html_report

        put_text(PAGE if file == HTML else file, html_report(reports, title))
    elif file is not None:
        text = "\n".join(report.to_text().rstrip("\n") for report in reports)
        _put(file, text + "\n" if text else "no pass reported anything\n")
    if json_file is not None:
        data = {report.name: report.to_json() for report in reports}
        _put(json_file, json.dumps(data, indent=2) + "\n")


def _is_page(file: str) -> bool:
    return file.endswith(".html")


def _put(file: str, text: str) -> None:
    if file == STDERR:
        sys.stderr.write(text)
    else:
        put_text(file, text)
