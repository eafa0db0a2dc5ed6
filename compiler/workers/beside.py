"""What a copy of this process finds while this one does something else."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar, cast

from ...runtime.support.streams import fill_streams
from .copies import Copies, ctrl_c_later, fork, silence

Q = TypeVar("Q")
T = TypeVar("T")


class Beside(Generic[Q, T]):
    """What a copy of this process finds: it gets ready from now on, and looks when it is asked.

    `get_ready` gives what finds. Questions and what is found can be pickled. The copy is only there to be earlier:
    where it ends with an error, would have warned of something, or cannot be made at all, nothing is found, and this
    process may look itself."""

    def __init__(self, get_ready: Callable[[], Callable[[Q], T]]):
        self._copies, self._write, self._read = Copies(), -1, -1
        with ctrl_c_later(), suppress(OSError):
            fill_streams()
            asked, self._write = os.pipe()
            try:
                self._read, told = os.pipe()
                try:
                    copy = fork()
                    if copy == 0:
                        os.close(self._write)  # who asks and reads may end before all is told
                        os.close(self._read)
                        _serve(get_ready, asked, told)
                    self._copies.add(copy)
                finally:
                    os.close(told)
            finally:
                os.close(asked)

    def ask(self, question: Q) -> None:
        """Let the copy look, once."""
        if self._write >= 0:
            file, self._write = os.fdopen(self._write, "wb"), -1
            with suppress(BrokenPipeError), file:  # it has ended early
                file.write(pickle.dumps(question))

    def take(self) -> tuple[T] | None:
        """What was found, when the copy is done; None where that is nothing, where it was not asked, and from the
        second time on."""
        self._write = _closed(self._write)
        if self._read < 0:
            return None
        file, self._read = os.fdopen(self._read, "rb"), -1
        with file:
            told = file.read()
        try:
            return cast(tuple[T], pickle.loads(told))
        except (EOFError, pickle.UnpicklingError):  # it has ended early
            return None

    def end(self) -> None:
        """Leave nothing of the copy."""
        self._write, self._read = _closed(self._write), _closed(self._read)
        self._copies.end()


def _closed(file: int) -> int:
    """What stands for a file that is closed, now at the latest."""
    if file >= 0:
        os.close(file)
    return -1


def _serve(get_ready: Callable[[], Callable[[Q], object]], asked: int, told: int) -> None:
    """What the copy does; it does not return."""
    try:
        silence()
        with warnings.catch_warnings(record=True) as said:
            find = get_ready()
            with os.fdopen(asked, "rb") as questions:
                question = questions.read()
            if not question:
                return
            found = pickle.dumps((find(pickle.loads(question)),))
        if not said:
            with os.fdopen(told, "wb") as file:
                file.write(found)
    finally:
        os._exit(0)


__all__ = ["Beside"]
