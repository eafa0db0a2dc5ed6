"""Copies of this process that run the same passes beside it, share their work, and verify what each leaves.

    with Session(2, explain) as session:
        ...                       # passes; the first that asks for peers makes the copies
                                  # raises what a copy found wrong; from here on one process again

A copy does all that this process does, to equal modules, but says nothing of it, and ends with the session. What the
processes tell each other of their work goes through a file for each, which the others read: nobody waits for long. One
that is killed costs what it would have found out.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import cast

from xdsl.passes import ModulePass

from ...passes.support.pass_package import is_ours
from ...passes.support.peers import Claim
from ...runtime.support.progress import progress
from ...runtime.support.streams import fill_streams
from ..text.diagnostics import Diagnostic, ShownError
from .copies import Copies, ctrl_c_later, fork, silence

_LENGTH = struct.Struct("<Q")
VERDICT = -1
"""The part of what a copy found wrong, or that it found nothing."""
PAUSE = 0.001
"""Seconds between looks at whether a copy is done."""

PIECES = 1 << 20
"""Pieces of work that are noted as begun; later ones may be begun by several."""

Look = Callable[[], object]
"""Raises where something is wrong."""


class _Told:
    """What processes tell each other: `files` by number, and how far each was read. What they tell while they are at
    the same part of their work is of use. `board`: what they have begun, a byte for each piece of work. `copies`: the
    processes that this one has made."""

    def __init__(self, number: int, files: Sequence[int], board: mmap.mmap, copies: Copies):
        self.number, self.count = number, len(files)
        self.verdict: tuple[Diagnostic | None] | None = None
        self._files, self._copies, self._parent = files, copies, os.getppid()
        self._board, self._pieces = board, 0
        self._read = [0] * len(files)
        self._rest = [b""] * len(files)
        self._part = 0
        self._early: list[tuple[int, object]] = []
        """What is of this part or later ones, with their numbers."""

    def begin(self) -> None:
        """The next part."""
        self._part += 1

    def tell(self, found: object) -> None:
        self._write(self._part, found)

    def tell_verdict(self, found: Diagnostic | None) -> None:
        self._write(VERDICT, found)

    def heard(self) -> Iterator[object]:
        self.read()
        now = [found for part, found in self._early if part == self._part]
        self._early = [one for one in self._early if one[0] > self._part]
        yield from now

    def claims(self, count: int) -> Claim:
        first, board = self._pieces, self._board
        self._pieces += count

        def claim(number: int) -> bool:
            place = first + number
            free = place >= PIECES or not board[place]
            if place < PIECES:
                board[place] = 1
            return free

        return claim

    def lost(self) -> bool:
        """Whether somebody may be gone who has begun something."""
        if self.number and os.getppid() != self._parent:
            os._exit(1)  # nobody is left to be told
        return bool(self._copies.ended())

    def read(self) -> None:
        """Take what is new."""
        for number, file in enumerate(self._files):
            for part, found in self._of(number, file) if number != self.number else ():
                if part == VERDICT:
                    self.verdict = (cast(Diagnostic | None, found),)
                else:
                    self._early.append((part, found))

    def _write(self, part: int, found: object) -> None:
        data = pickle.dumps((part, found))
        if self.number and os.getppid() != self._parent:
            os._exit(1)
        try:
            os.write(self._files[self.number], _LENGTH.pack(len(data)) + data)
        except OSError:  # no space is left: the first process goes on by itself
            if self.number:
                os._exit(1)
            self._copies.end()

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
        self._copies = Copies()
        self._checks = 0
        """The copy that checks; 0: none does."""
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
    def peers(self) -> Generator[_Told | None]:
        """The others at the same part of their work, which ends with the context; None where the system gives no more
        processes."""
        if self._told is None and self._count > 1:
            try:
                self._told = self._begin()
            except OSError:
                self._stop()
                self._count = 1
        if self._told is not None:
            self._told.begin()
        yield self._told

    def before(self, one: ModulePass) -> None:
        """A pass runs next: those that are none of ours do more than change a module, maybe, so this process runs them
        alone. `ShownError` as `end`."""
        if not is_ours(one):
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
            assert self._told is not None
            self._unseen = everything
            self._told.read()
            if self._told.verdict is not None or self._checks in self._copies.ended():
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
        with ctrl_c_later():
            fill_streams()
            files = [self._file() for _ in range(self._count)]
            board = mmap.mmap(-1, PIECES)
            for number in range(1, self._count):
                copy = fork()
                if copy == 0:
                    self._copies.forget()
                    silence()
                    self._files.enter_context(progress(None))
                    return _Told(number, files, board, self._copies)
                self._copies.add(copy)
                if number == 1 and self._verifies:
                    self._checks = copy
            return _Told(0, files, board, self._copies)

    def _file(self) -> int:
        return self._files.enter_context(tempfile.TemporaryFile(buffering=0)).fileno()

    def _tell_if_wrong(self, look: Look) -> None:
        try:
            look()
        except Exception as error:
            assert self._told is not None
            self._told.tell_verdict(self._explain(error))
            os._exit(0)

    def _leave(self, whole: bool) -> None:
        """End a copy, which has seen the `whole` run."""
        try:
            if whole and self.checks_here and self._told is not None:
                self._told.tell_verdict(None)
        finally:
            os._exit(0)

    def _hear(self, again: bool = True) -> None:
        """Take what the first copy found, when it is done. Where it ended early, look at everything here, if `again`,
        and make what checks follow."""
        told, checks, self._checks = self._told, self._checks, 0
        if told is None or not checks:
            return
        while told.verdict is None and checks not in self._copies.ended():
            time.sleep(PAUSE)
            told.read()
        told.read()  # what it told at its end
        if told.verdict is None:
            self._verifies = False
            if again and self._unseen is not None:
                self._unseen()
        elif told.verdict[0] is not None:
            raise ShownError(told.verdict[0])

    def _stop(self) -> None:
        """Leave nothing of the copies."""
        self._copies.end()
        self._told, self._unseen, self._checks = None, None, 0
        self._files.close()


__all__ = ["Session"]
