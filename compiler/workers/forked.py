"""Peers of a pass: copies of this process, which see its module as it is, and end with the pass.

    with forked(2) as peers:      # from here on two processes
        ...
                                  # from here on one again

What they tell each other goes through a file for each, which the others read: nobody ever waits. One that is killed
costs what it would have found out.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import tempfile
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from ...runtime.support.progress import progress

_LENGTH = struct.Struct("<Q")


class _Forked:
    """What one of the processes knows of the others: `files` by number, and how far each was read."""

    def __init__(self, number: int, files: Sequence[int]):
        self.number, self.count = number, len(files)
        self._files, self._parent = files, os.getppid()
        self._read = [0] * len(files)
        self._rest = [b""] * len(files)

    def tell(self, found: object) -> None:
        data = pickle.dumps(found)
        os.write(self._files[self.number], _LENGTH.pack(len(data)) + data)
        if self.number and os.getppid() != self._parent:
            os._exit(1)  # nobody is left to be told

    def heard(self) -> Iterator[object]:
        for number, file in enumerate(self._files):
            if number != self.number:
                yield from self._heard_of(number, file)

    def _heard_of(self, number: int, file: int) -> Iterator[object]:
        size = os.fstat(file).st_size - self._read[number]
        if size <= 0:
            return
        data = os.pread(file, size, self._read[number])
        self._read[number] += len(data)
        data, at = self._rest[number] + data, 0
        while len(data) - at >= _LENGTH.size:
            end = at + _LENGTH.size + _LENGTH.unpack_from(data, at)[0]
            if end > len(data):
                break
            yield pickle.loads(data[at + _LENGTH.size : end])
            at = end
        self._rest[number] = data[at:]


@contextmanager
def forked(count: int) -> Generator[_Forked]:
    """The process as `count` ones, each with its peers; one, the first, when the context ends."""
    number, children = 0, list[int]()
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile(buffering=0)).fileno() for _ in range(count)]
        try:
            for one in range(1, count):
                child = fork()
                if child == 0:
                    number, children = one, []
                    stack.enter_context(progress(None))
                    break
                children.append(child)
            yield _Forked(number, files)
        finally:
            if number:
                os._exit(0)
            for child in children:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                reap(child)


def fork() -> int:
    """`os.fork`, in whose new process ctrl-C is for its parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which those of numpy are, too
            process = os.fork()
        if process == 0:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return process
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def reap(process: int) -> None:
    """Wait for a process that ends; somebody else may have done so (SIGCHLD ignored)."""
    with suppress(ChildProcessError):
        os.waitpid(process, 0)


__all__ = ["fork", "forked", "reap"]
