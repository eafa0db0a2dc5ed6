"""Copies of this process that run the same passes beside it, share their work, and verify what each leaves.

    with Session(2, explain) as session:
        ...                       # passes; the first that asks for peers makes the copies
                                  # raises what a copy found wrong; from here on one process again

A copy does all that this process does, to equal modules, but says nothing of it, and ends with the session. What the
processes tell each other of their work goes through a file for each, which the others read: nobody waits for long. One
that is killed costs what it would have found out.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType

from xdsl.passes import ModulePass

from ...runtime.support.progress import progress
from ..text.diagnostics import Diagnostic, ShownError

_LENGTH = struct.Struct("<Q")

Look = Callable[[], object]
"""Raises where something is wrong."""


class _Told:
    """What processes tell each other: `files` by number, and how far each was read. What they tell while they are at
    the same part of their work is of use."""

    def __init__(self, number: int, files: Sequence[int]):
        self.number, self.count = number, len(files)
        self._files, self._parent = files, os.getppid()
        self._read = [0] * len(files)
        self._rest = [b""] * len(files)
        self._part = 0
        self._early: list[tuple[int, object]] = []
        """What is of later parts, with their numbers."""

    def begin(self) -> None:
        """The next part."""
        self._part += 1

    def tell(self, found: object) -> None:
        data = pickle.dumps((self._part, found))
        os.write(self._files[self.number], _LENGTH.pack(len(data)) + data)
        if self.number and os.getppid() != self._parent:
            os._exit(1)  # nobody is left to be told

    def heard(self) -> Iterator[object]:
        early, self._early = self._early, []
        for part, found in (*early, *self._new()):
            if part == self._part:
                yield found
            elif part > self._part:
                self._early.append((part, found))

    def _new(self) -> Iterator[tuple[int, object]]:
        for number, file in enumerate(self._files):
            if number != self.number:
                yield from self._of(number, file)

    def _of(self, number: int, file: int) -> Iterator[tuple[int, object]]:
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


class Session:
    """A run of passes by `count` processes. `explain` puts into words what a check raised; it knows best while the pass
    that it is about is the last one that ran. `verifies`: copies check what passes leave, so that what is wrong may be
    known when later passes have run."""

    def __init__(self, count: int, explain: Callable[[BaseException], Diagnostic], verifies: bool = True):
        self._count, self._explain, self._verifies = count, explain, verifies
        self._told: _Told | None = None
        self._copies: list[int] = []
        self._verdict = -1
        """Where this process reads what its copy found, or that tells it."""
        self._unseen: Look | None = None
        """What verifies all that copies were to verify."""
        self._files = ExitStack()

    @property
    def is_copy(self) -> bool:
        return self._told is not None and self._told.number > 0

    @property
    def checks_here(self) -> bool:
        """Whether checks are for this process."""
        if self._told is None:
            return True
        return self._told.number == (1 if self._verifies else 0)

    @contextmanager
    def peers(self) -> Generator[_Told]:
        """The others at the same part of their work, which ends with the context."""
        if self._told is None:
            self._told = self._begin()
        self._told.begin()
        yield self._told

    def before(self, one: ModulePass) -> None:
        """A pass runs next: those that are none of ours do more than change a module, maybe, so this process runs them
        alone. `ShownError` as `end`."""
        if type(one).__module__.partition(".")[0] != __name__.partition(".")[0]:
            self.end()

    def check(self, look: Look, everything: Look) -> None:
        """Make a check: here, or, where there are copies, by the first of them. `everything` is what this and all
        checks before it look at, as it is now. `ShownError` where a copy has found something wrong."""
        if self.is_copy:
            if self.checks_here:
                self._tell_if_wrong(look)
        elif self.checks_here:
            look()
        else:
            self._unseen = everything
            if _is_there(self._verdict):
                self._hear()

    def end(self) -> None:
        """Go on alone. `ShownError` where a copy found something wrong."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.is_copy:
            self._leave(error is None)
        try:
            if error is None:
                self._hear()
            elif isinstance(error, Exception):  # what was wrong first comes before what that led to
                self._hear(again=False)
        finally:
            self._stop()

    def _begin(self) -> _Told:
        """Make the copies."""
        files = [self._file() for _ in range(self._count)]
        verdict, told = os.pipe()
        for number in range(1, self._count):
            copy = fork()
            if copy == 0:
                self._copies, self._verdict = [], told
                _silence()
                self._files.enter_context(progress(None))
                return _Told(number, files)
            self._copies.append(copy)
            if number == 1:
                os.close(told)
        self._verdict = verdict
        return _Told(0, files)

    def _file(self) -> int:
        return self._files.enter_context(tempfile.TemporaryFile(buffering=0)).fileno()

    def _tell_if_wrong(self, look: Look) -> None:
        try:
            look()
        except Exception as error:
            self._tell(self._explain(error))

    def _tell(self, found: Diagnostic | None) -> None:
        """Say what a copy has found of all, and end it."""
        try:
            with open(self._verdict, "wb") as file:
                pickle.dump(found, file)
        finally:
            os._exit(0)

    def _leave(self, whole: bool) -> None:
        """End a copy, which has seen the `whole` run."""
        if whole and self.checks_here:
            self._tell(None)
        os._exit(0)

    def _hear(self, again: bool = True) -> None:
        """Take what the first copy found, when it is done. Where it ended early, look at everything here, if `again`,
        and make what checks follow."""
        if self._verdict < 0:
            return
        with open(self._verdict, "rb") as file:
            self._verdict = -1
            data = file.read()
        if data:
            found: Diagnostic | None = pickle.loads(data)
            if found is not None:
                raise ShownError(found)
            return
        self._verifies = False
        if again and self._unseen is not None:
            self._unseen()

    def _stop(self) -> None:
        """Leave nothing of the copies."""
        for copy in self._copies:
            with suppress(ProcessLookupError):
                os.kill(copy, signal.SIGKILL)
            reap(copy)
        if self._verdict >= 0:
            os.close(self._verdict)
        self._copies, self._verdict, self._told, self._unseen = [], -1, None, None
        self._files.close()


def _is_there(file: int) -> bool:
    """Whether something can be read, or never will be."""
    if file < 0:
        return False
    poll = select.poll()
    poll.register(file)
    return bool(poll.poll(0))


def _silence() -> None:
    """Let this process neither read nor say anything."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stdout = sys.stderr = os.fdopen(null, "w")  # what these are in a notebook says it elsewhere


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


__all__ = ["Session"]
