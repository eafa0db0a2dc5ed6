"""Tilings of kernels that were timed, in a file that other models reuse: an SQLite database.

A kernel is known by what it computes, with types, layouts and weights, by the numbers of the chip, and by the version
of the passes. Every trial is kept, so that a search goes on where another one ended. `ascend-tune` keeps launches of
several kernels here, too.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.text_digest import text_digest

VERSION = 3
"""Raised where the same tiling would be another program, or more is known of a trial."""

HELD = ("workspace", "on_chip", "weights")
"""Columns of the bytes that a kernel holds. Files of version 1 have none of them, those of version 2 the first."""
SCHEMA = """
create table if not exists trials (
    key text, chip text, version integer, tiling text, time_us real, text text, workspace integer,
    on_chip integer, weights integer, primary key (key, chip, version, tiling))
"""
COLUMNS = {"key", "chip", "version", "tiling", "time_us", "text"}
"""Columns that files of all versions have."""
Bytes = tuple[int, int, int]
"""Those of `HELD`."""


class StoreError(DiagnosticException):
    """A file that is no store, or that cannot be read or written."""

    of_file = True


def kernel_key(text: str) -> str:
    """What tells a kernel from others, in few characters: of the text of a module that computes it alone."""
    return text_digest(text, 20)


class Store:
    """Trials of kernels on one chip. `digest` is that of its numbers (`digest_of`). A missing file is made; one that is
    only `read` is left as it is."""

    def __init__(self, path: str | Path, digest: str, *, read: bool = False):
        import sqlite3

        self.path, self.digest = str(path), digest
        self._sqlite_error = sqlite3.Error
        with self._used():
            where = f"{Path(path).resolve().as_uri()}?mode=ro" if read else self.path
            self._data = sqlite3.connect(where, timeout=30, uri=read)
            if not read:
                self._data.execute(SCHEMA)
            there = {row[1] for row in self._data.execute("pragma table_info(trials)")}
            if (lacking := COLUMNS - there) and (there or not read):
                raise StoreError(
                    f"'{path}' is no store: its table of trials has no {', '.join(sorted(lacking))}"
                )
            missing = [column for column in HELD if column not in there]
            self._has_trials = not (read and missing)  # files of other versions have none of this one
            if not read:
                self._prepare(missing)

    def _prepare(self, missing: Iterable[str]) -> None:
        """See that the file can be written, and add the columns that it lacks."""
        for column in missing:
            self._data.execute(f"alter table trials add column {column} integer")
        self._data.execute("begin immediate")
        self._data.execute("pragma user_version = 0")
        self._data.rollback()

    @contextmanager
    def _used(self) -> Generator[None]:
        """What goes wrong with the file is said of it: `StoreError`."""
        try:
            yield
        except (self._sqlite_error, ValueError, TypeError) as error:
            raise StoreError(f"cannot use store '{self.path}': {error}") from error

    def add(self, text: str, tiling: Mapping[str, Any], time_us: float, held: Bytes = (0, 0, 0)) -> None:
        """Keep a trial: what a kernel with a tiling takes, infinite where it cannot be built, and bytes that it holds
        alone."""
        stated = json.dumps(dict(tiling), sort_keys=True)
        row = kernel_key(text), self.digest, VERSION, stated, time_us, text, *held
        columns = f"key, chip, version, tiling, time_us, text, {', '.join(HELD)}"
        with self._used(), self._data:
            self._data.execute(
                f"insert or replace into trials ({columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def trials(self, text: str) -> list[tuple[dict[str, Any], float, Bytes]]:
        """All trials of a kernel, the fastest first: tiling, time, bytes that it holds."""
        if not self._has_trials:
            return []
        with self._used():
            rows = self._data.execute(
                f"select tiling, time_us, {', '.join(HELD)} from trials where key = ? and chip = ? and version = ? "
                "order by time_us, tiling",
                (kernel_key(text), self.digest, VERSION),
            )
            return [(_fields(tiling), time, (one, two, three)) for tiling, time, one, two, three in rows]

    def best(self, text: str) -> tuple[dict[str, Any], float, Bytes] | None:
        """The fastest known tiling of a kernel, its time and bytes; None where none is known."""
        found = self.trials(text)
        return found[0] if found and found[0][1] < float("inf") else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known on this chip, of this version."""
        if not self._has_trials:
            return True
        with self._used():
            found = self._data.execute(
                "select 1 from trials where chip = ? and version = ? limit 1", (self.digest, VERSION)
            )
            return found.fetchone() is None

    def all_trials(self) -> list[tuple[str, str, dict[str, Any], float]]:
        """Every trial on this chip: key, text, tiling, time."""
        if not self._has_trials:
            return []
        with self._used():
            rows = self._data.execute(
                "select key, text, tiling, time_us from trials where chip = ? and version = ? order by key, tiling",
                (self.digest, VERSION),
            )
            return [(key, text, _fields(tiling), time) for key, text, tiling, time in rows]

    def close(self) -> None:
        self._data.close()


def known_store(path: str | Path, digest: str) -> Store:
    """A store that is there, to read it; `StoreError` where none is."""
    if not os.path.exists(path):
        raise StoreError(f"cannot read store {str(path)!r}: {os.strerror(errno.ENOENT)}")
    return Store(path, digest, read=True)


def _fields(text: str) -> dict[str, Any]:
    """The fields of a tiling; ValueError where the text has none."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"{text} is no tiling")
    return cast(dict[str, Any], found)


__all__ = ["Store", "StoreError", "kernel_key", "known_store"]
