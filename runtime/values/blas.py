"""One BLAS thread while the emulator runs.

A tile's product takes some 30 µs: a second thread costs more to wake than it saves, and on a busy machine
waits for its turn a hundred times longer. Numpy has no call for this; its wheels bring an OpenBLAS of their
own, which has. With any other BLAS nothing happens.
"""

import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    """Getter and setter of the number of threads."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))
            except OSError:
                continue
            for name in _NAMES:
                getter = getattr(library, name.format("get"), None)
                setter = getattr(library, name.format("set"), None)
                if getter is not None and setter is not None:
                    return getter, setter
    return None


@contextmanager
def single_thread() -> Generator[None, None, None]:
    """Products inside use one thread; the number of before is restored."""
    functions = _functions()
    if functions is None:
        yield
        return
    getter, setter = functions
    before = getter()
    setter(1)
    try:
        yield
    finally:
        setter(before)
