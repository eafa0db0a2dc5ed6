"""Whether passes share their work among processes. What starts these is imported when there are several."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from ...passes.support.peers import Peers, peers_made_by

JOBS_HELP = "processes that passes share their work among: same result, earlier (default 1)"

_jobs: ContextVar[int] = ContextVar("ascend_opt_jobs", default=1)


def jobs_now() -> int:
    """How many processes passes share their work among."""
    return _jobs.get()


@contextmanager
def passes_shared(jobs: int) -> Generator[None]:
    """Let passes share their work among `jobs` processes while the context is open. One process alone where the system
    has no fork. Raises `ValueError` for fewer than one job."""
    if jobs < 1:
        raise ValueError(f"jobs is 1 or more, not {jobs}")

    def several() -> AbstractContextManager[Peers]:
        from .forked import forked

        return forked(jobs)

    count = jobs if hasattr(os, "fork") else 1
    token = _jobs.set(count)
    try:
        with peers_made_by(several if count > 1 else None):
            yield
    finally:
        _jobs.reset(token)


__all__ = ["JOBS_HELP", "jobs_now", "passes_shared"]
