"""Copies of this process: made, silenced, awaited and ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress


class Copies:
    """The copies that a process has made; those that ended are reaped at once."""

    def __init__(self):
        self._there: list[int] = []
        self._ended: list[int] = []

    def add(self, process: int) -> None:
        self._there.append(process)

    def forget(self) -> None:
        """In a copy: these are its parent's."""
        self._there, self._ended = [], []

    def ended(self) -> Sequence[int]:
        """Those that have ended, in no order."""
        for process in [*self._there]:
            if _has_ended(process):
                self._there.remove(process)
                self._ended.append(process)
        return self._ended

    def end(self) -> None:
        """Let none be there."""
        self.ended()
        for process in self._there:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):  # somebody else has waited for it (SIGCHLD ignored)
                os.waitpid(process, 0)
        self._ended += self._there
        self._there = []


def _has_ended(process: int) -> bool:
    """Whether a process that this one has made is no longer there."""
    try:
        return os.waitpid(process, os.WNOHANG)[0] == process
    except ChildProcessError:  # somebody else waits for it
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        return False


@contextmanager
def ctrl_c_later() -> Generator[None]:
    """Let ctrl-C wait until the context ends. It is for this process, not for those that are made inside; and for the
    main thread, so that others do not see it."""
    noted, own = list[int](), os.getpid()
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield
    finally:
        if os.getpid() == own:
            signal.signal(signal.SIGINT, before)
            if noted:
                signal.raise_signal(signal.SIGINT)


def silence() -> None:
    """Let this process neither read nor say anything."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stdout = sys.stderr = os.fdopen(null, "w")  # what these are in a notebook says it elsewhere


def fork() -> int:
    """`os.fork`, whose new process takes no notice of ctrl-C."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which those of numpy are, too
        process = os.fork()
    if process == 0 and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return process


__all__ = ["Copies", "ctrl_c_later", "fork", "silence"]
