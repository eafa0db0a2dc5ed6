"""Whether passes share their work among processes. What starts these is imported when there are several."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager

from ...passes.support.peers import Peers, peers_made_by

JOBS_HELP = "processes that passes share their work among: same result, earlier (default 1)"


@contextmanager
def passes_shared(jobs: int) -> Generator[None]:
    """Let passes share their work among `jobs` processes while the context is open. One process alone where the system
    has no fork. Raises `ValueError` for fewer than one job."""
    if jobs < 1:
        raise ValueError(f"jobs is 1 or more, not {jobs}")

    def several() -> AbstractContextManager[Peers]:
        from .forked import forked

        return forked(jobs)

    with peers_made_by(several if jobs > 1 and hasattr(os, "fork") else None):
        yield


__all__ = ["JOBS_HELP", "passes_shared"]
