"""How a pass tells people what it decided: reports, collected by whoever runs the pipeline.

A pass that takes decisions (what to fuse, which buffer goes where) adds a `Report`; outside of
`collect_reports` that does nothing, so passes work unchanged in any other driver.

    with collect_reports() as reports:
        pipeline.apply(ctx, module)
    for report in reports:
        print(report.to_text())

What people should know in any case is a note (`add_note`), of one line.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar


class Report(Protocol):
    """What a pass decided, for people and for programs."""

    @property
    def name(self) -> str:
        """The pass that reports, as it is called in pipelines; the key in JSON."""
        ...

    def to_text(self) -> str:
        """The report as lines of text."""
        ...

    def to_json(self) -> Any:
        """The report as what `json.dumps` takes, in an order that does not change from run to run."""
        ...


_collected: ContextVar[list[Report] | None] = ContextVar("ascend_opt_reports", default=None)


def reports_wanted() -> bool:
    """Whether anybody collects reports: what is costly and only for people may be skipped otherwise."""
    return _collected.get() is not None


def add_report(report: Report) -> None:
    """Hand a report to the innermost `collect_reports`, if there is one."""
    collected = _collected.get()
    if collected is not None:
        collected.append(report)


ReportT = TypeVar("ReportT")


def take_reports(
    kind: type[ReportT], which: Callable[[ReportT], bool] = lambda report: True
) -> list[ReportT]:
    """Take back the reports of a kind that passes before have added, in order, or some of them. Who takes one adds
    another that says more."""
    collected = _collected.get()
    if collected is None:
        return []
    found = [report for report in collected if isinstance(report, kind) and which(report)]
    collected[:] = [report for report in collected if not any(report is one for one in found)]
    return found


@contextmanager
def collect_reports() -> Generator[list[Report]]:
    """Collect the reports that passes add while the context is open, in order."""
    reports: list[Report] = []
    token = _collected.set(reports)
    try:
        yield reports
    finally:
        _collected.reset(token)


@contextmanager
def without_reports() -> Generator[None]:
    """Collect nothing while the context is open: what passes try there is nobody's decision."""
    token = _collected.set(None)
    try:
        yield
    finally:
        _collected.reset(token)


_listener: ContextVar[Callable[[str], None] | None] = ContextVar("ascend_opt_notes", default=None)


def add_note(text: str) -> None:
    """Tell what people should know whether they asked for a report or not, in one line, where somebody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(text)


@contextmanager
def notes_told_to(listener: Callable[[str], None]) -> Generator[None]:
    """Let passes tell notes while the context is open."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
