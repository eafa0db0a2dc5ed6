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

T = TypeVar("T")


class Beside(Generic[T]):
    """What `find` gives, which can be pickled: a copy of this process looks for it from now on.

    It is only there to be earlier: where the copy ends with an error, would have warned of something, or cannot be made
    at all, nothing is found, and this process may look itself."""

    def __init__(self, find: Callable[[], T]):
        self._copies, self._read = Copies(), -1
        with ctrl_c_later(), suppress(OSError):
            fill_streams()
            self._read, write = os.pipe()
            try:
                copy = fork()
                if copy == 0:
                    os.close(self._read)  # who reads may end before all is told
                    _find(find, write)
                self._copies.add(copy)
            finally:
                os.close(write)

    def take(self) -> tuple[T] | None:
        """What was found, when the copy is done; None where that is nothing, and from the second time on."""
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
        if self._read >= 0:
            os.close(self._read)
            self._read = -1
        self._copies.end()


def _find(find: Callable[[], object], write: int) -> None:
    """What the copy does; it does not return."""
    try:
        silence()
        with warnings.catch_warnings(record=True) as said:
            found = pickle.dumps((find(),))
        if not said:
            with os.fdopen(write, "wb") as file:
                file.write(found)
    finally:
        os._exit(0)


__all__ = ["Beside"]
