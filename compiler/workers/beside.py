"""Checks that copies of this process make, while it goes on and changes what they look at.

    with ChecksBeside(1, explain) as checks:
        checks.make(look)         # `look` raises where something is wrong: here or in a copy
        ...                       # goes on at once
                                  # raises what the first check found

Copies take turns: one that has to wait shows the module as it was when its check was asked for. A copy that is killed
is made up for: its check is made once more, of what there is then.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import TracebackType

from ...dialects.records import dataclass
from ..text.diagnostics import Diagnostic, ShownError
from .forked import fork, reap

Look = Callable[[], object]

MOST_COPIES = 16
"""Copies there are at once, those that wait for their turn included: each keeps what the process changes meanwhile."""


@dataclass(frozen=True)
class _Copy:
    """A process that makes a check, and the file that its answer comes from."""

    process: int
    answer: int
    look: Look

    @property
    def is_done(self) -> bool:
        return self._answers(0)

    def wait(self) -> None:
        """Until it is done."""
        self._answers(None)

    def _answers(self, milliseconds: float | None) -> bool:
        poll = select.poll()
        poll.register(self.answer)
        return bool(poll.poll(milliseconds))

    def found(self) -> tuple[Diagnostic | None] | None:
        """What it found, when it is done; None where it was killed."""
        data = b""
        while part := os.read(self.answer, 1 << 16):
            data += part
        return (pickle.loads(data),) if data else None

    def end(self, at_once: bool = True) -> None:
        """Leave nothing of it; `at_once`: whatever it does now."""
        if at_once:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        os.close(self.answer)
        reap(self.process)


class ChecksBeside:
    """Checks of which at most `most` at once are made beside this process. `explain` puts into words what a check
    raised; it knows best while that goes on."""

    def __init__(self, most: int, explain: Callable[[BaseException], Diagnostic]):
        self._most, self._explain = most, explain
        self._copies: list[_Copy] = []

    def __enter__(self) -> ChecksBeside:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._ending():
            if error is None:
                self._settle(lambda copy: True, again=True)
            elif isinstance(error, Exception):  # what was wrong first comes before what that led to
                self._settle(lambda copy: True, again=False)

    def make(self, look: Look) -> None:
        """Make a check, or let it be made. `ShownError` where one before it is done and found something wrong."""
        self._settle(lambda copy: copy.is_done, again=True)
        if len(self._copies) < MOST_COPIES:
            self._copies.append(self._begin(look))
        else:
            look()

    @contextmanager
    def _ending(self) -> Generator[None]:
        """A context behind which no copy is left."""
        try:
            yield
        finally:
            while self._copies:
                self._copies.pop().end()

    def _begin(self, look: Look) -> _Copy:
        answer, told = os.pipe()
        process = fork()
        if process:
            os.close(told)
            return _Copy(process, answer, look)
        try:
            if len(self._copies) >= self._most:
                self._copies[-self._most].wait()
            with open(told, "wb") as file:
                pickle.dump(self._of(look), file)
        finally:
            os._exit(0)  # whatever was raised: this is no second run of the program

    def _of(self, look: Look) -> Diagnostic | None:
        """What a check finds."""
        try:
            look()
        except Exception as error:
            return self._explain(error)
        return None

    def _settle(self, ends: Callable[[_Copy], bool], again: bool) -> None:
        """Take what copies found, in the order of the checks; `again`: make those once more whose copies were killed.
        `ShownError` where something is wrong."""
        while self._copies and ends(self._copies[0]):
            copy = self._copies[0]
            answer = copy.found()
            self._copies.pop(0).end(at_once=False)
            found = answer[0] if answer is not None else self._of(copy.look) if again else None
            if found is not None:
                raise ShownError(found)


__all__ = ["ChecksBeside"]
