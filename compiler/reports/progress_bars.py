"""Progress on a terminal: a bar for each task under way, one below the other, while the tools work.

    compiling [00:12]
    timing tiles:  32%|███▏      | 12/37 kernels [00:05<00:11, main_graph_12]

tqdm draws them. Without it, without a terminal, in CI and on a dumb terminal nothing is shown, and nobody is told.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...runtime.support.progress import Progress, progress

DELAY = 0.5
"""Seconds of work before anything is shown: what is short needs no bars, and no tqdm."""
BAR = "{desc}: {percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} {unit} [{elapsed}<{remaining}{postfix}]"
TEXT = "{desc} [{elapsed}]"
PHASE = ""
"""The task whose bar is the phase."""


def terminal() -> bool:
    """Whether stderr shows bars."""
    dumb = os.environ.get("CI") or os.environ.get("TERM") == "dumb"
    return not dumb and sys.stderr.isatty() and find_spec("tqdm") is not None


class ProgressBars:
    """What is going on, in bars on stderr; does nothing where there is no terminal."""

    def __init__(self, shown: bool | None = None):
        self._shown = terminal() if shown is None else shown
        self._started = time.monotonic()
        self._phase, self._phase_started = "", time.time()
        self._bars: dict[str, Any] = {}

    @contextmanager
    def watching(self) -> Generator[None]:
        """Show what passes and the emulator tell while the context is open, and no trace of it afterwards."""
        if not self._shown:
            yield
            return
        try:
            with progress(self.show):
                yield
        finally:
            self.phase("")

    def phase(self, what: str) -> None:
        """What the tasks to come are part of; empty where nothing is to come."""
        self.clear()
        self._phase, self._phase_started = what, time.time()
        self._show_phase()

    def show(self, now: Progress) -> None:
        """Draw how far a task is. Tasks that began after it are over."""
        if not self._ready:
            return
        names = list(self._bars)
        if now.task in names:
            self._close(names[names.index(now.task) + 1 :])
        if now.done == now.total:
            self._close([now.task])
            return
        self._show_phase()
        bar = self._bars.get(now.task)
        if bar is None or bar.total != now.total or bar.n > now.done:
            self._close([now.task])
            unit = now.unit if now.total == 1 else f"{now.unit}s"
            bar = self._bars[now.task] = self._bar(desc=now.task, total=now.total, unit=unit, bar_format=BAR)
        us = "" if now.predicted_us is None else f"{now.predicted_us:,.1f} µs, "
        bar.set_postfix_str(us + now.item, refresh=False)
        bar.update(now.done - bar.n)

    def clear(self) -> None:
        """Take all bars off the terminal; the next news brings them back."""
        self._close(list(self._bars))

    def print(self, text: object) -> None:
        """Print a line on stderr, where no bar is in its way."""
        self.clear()
        print(text, file=sys.stderr)

    @property
    def _ready(self) -> bool:
        return self._shown and time.monotonic() - self._started >= DELAY

    def _show_phase(self) -> None:
        if not self._phase or not self._ready:
            return
        if PHASE not in self._bars:
            bar = self._bars[PHASE] = self._bar(desc=self._phase, bar_format=TEXT)
            bar.start_t = self._phase_started
        self._bars[PHASE].update(0)

    def _bar(self, **options: Any) -> Any:
        tqdm: Any = import_module("tqdm").tqdm
        tqdm.monitor_interval = 0  # no thread
        columns, lines = _size()
        fixed = {"file": sys.stderr, "leave": False, "ncols": columns, "nrows": lines, "miniters": 0}
        return tqdm(position=len(self._bars), **fixed, **options)

    def _close(self, tasks: list[str]) -> None:
        for task in reversed(tasks):
            bar = self._bars.pop(task, None)
            if bar is not None:
                bar.close()


def _size() -> tuple[int, int]:
    """Columns and lines of the terminal: 80 and 24 where it does not know."""
    try:
        found = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        found = os.terminal_size((0, 0))
    return found.columns or 80, found.lines or 24


__all__ = ["ProgressBars", "terminal"]
