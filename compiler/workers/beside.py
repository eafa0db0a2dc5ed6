"""Checks that copies of this process make, while it goes on and changes what they look at.

    with ChecksBeside(1, explain) as checks:
        checks.make(look)         # `look` raises where something is wrong: here or in a copy
        ...                       # goes on at once
                                  # raises what the first check found

A copy that is killed is made up for: its check is made once more, of what there is then.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from ...dialects.records import dataclass
from ..text.diagnostics import Diagnostic, ShownError
from .forked import fork

Look = Callable[[], object]


@dataclass(frozen=True)
class _Copy:
    """A process that makes a check, and the file that its answer comes from."""

    process: int
    answer: int
    look: Look

    @property
    def is_done(self) -> bool:
        return bool(select.select([self.answer], [], [], 0)[0])

    def found(self) -> Diagnostic | None:
        """What it found, when it is done."""
        with open(self.answer, "rb") as file:
            data = file.read()
        os.waitpid(self.process, 0)
        if data:
            return pickle.loads(data)
        self.look()
        return None

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.close(self.answer)
        os.waitpid(self.process, 0)


class ChecksBeside:
    """Checks of which at most `most` are made beside this process, the others by it. `explain` puts into words what a
    check raised; it knows best while that goes on."""

    def __init__(self, most: int, explain: Callable[[BaseException], Diagnostic]):
        self._most, self._explain = most, explain
        self._copies: list[_Copy] = []

    def __enter__(self) -> ChecksBeside:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None and not isinstance(error, Exception):
            for copy in self._copies:
                copy.end()
            return
        self._settle(lambda copy: True)  # what was wrong first comes before what that led to

    def make(self, look: Look) -> None:
        """Make a check, or let it be made. `ShownError` where one before it is done and found something wrong."""
        self._settle(lambda copy: copy.is_done)
        if len(self._copies) < self._most:
            self._copies.append(self._begin(look))
        else:
            look()

    def _begin(self, look: Look) -> _Copy:
        answer, told = os.pipe()
        process = fork()
        if process:
            os.close(told)
            return _Copy(process, answer, look)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        found: Diagnostic | None = None
        try:
            look()
        except Exception as error:
            found = self._explain(error)
        with suppress(OSError), open(told, "wb") as file:  # nobody may be left to be told
            pickle.dump(found, file)
        os._exit(0)

    def _settle(self, ends: Callable[[_Copy], bool]) -> None:
        """Take what copies found, in the order of the checks. `ShownError` where that is something wrong."""
        while self._copies and ends(self._copies[0]):
            found = self._copies.pop(0).found()
            if found is not None:
                for copy in self._copies:
                    copy.end()
                self._copies.clear()
                raise ShownError(found)


__all__ = ["ChecksBeside"]
