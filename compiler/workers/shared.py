"""Whether passes share their work among processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from ...passes.support.peers import peers_made_by
from ..text.diagnostics import Diagnostic
from .session import Session

JOBS_HELP = "processes that passes share their work among: same result, earlier (default 1)"

ALWAYS = 2
"""So many processes may run passes on any machine; more than it has CPUs only take time from each other."""

_jobs: ContextVar[int] = ContextVar("ascend_opt_jobs", default=1)


@contextmanager
def passes_shared(jobs: int | None) -> Generator[None]:
    """Let passes share their work among `jobs` processes while the context is open; None: as many as around it. One
    process alone where the system has no fork. Raises `ValueError` for fewer than one job."""
    if jobs is None:
        yield
        return
    if jobs < 1:
        raise ValueError(f"jobs is 1 or more, not {jobs}")
    token = _jobs.set(jobs if hasattr(os, "fork") else 1)
    try:
        yield
    finally:
        _jobs.reset(token)


@contextmanager
def pass_session(explain: Callable[[BaseException], Diagnostic], verifies: bool = True) -> Generator[Session]:
    """A context for passes that run one after the other: the processes that share their work. Passes within passes are
    run by one. `explain` and `verifies` are those of `Session`."""
    jobs = min(_jobs.get(), max(ALWAYS, os.cpu_count() or 1))
    with passes_shared(1), Session(jobs, explain, verifies) as session, peers_made_by(session.peers):
        yield session


__all__ = ["JOBS_HELP", "pass_session", "passes_shared"]
