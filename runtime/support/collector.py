"""Python's garbage collector while a program is compiled: it looks through all of the IR, which stays, so seldom."""

import gc
from collections.abc import Generator
from contextlib import contextmanager

YOUNG = 5_000_000
"""Objects that are made before the collector looks through those that are young: as many as a large network asks for,
of which nearly all stay. 700 are its default, with which a tenth of the time to compile a long chain is its own."""


@contextmanager
def seldom_collecting() -> Generator[None]:
    """Let the collector work less often while the context is open. What the caller set higher, or off, stays."""
    before = gc.get_threshold()
    if 0 < before[0] < YOUNG:
        gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def leave_to_system() -> None:
    """At the end of a process: what is still there is given back with the process, not looked through and freed object
    by object, which for a large network takes a twentieth of the whole run."""
    gc.freeze()
