"""Output files that are complete or untouched, whatever happens while they are written."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file at once: to a temporary file beside it, then rename. Raises OSError."""
    path = Path(path)
    if path.exists() and not path.is_file():
        # A device such as /dev/null or a pipe can only be written in place.
        path.write_bytes(data)
        return
    path = path.resolve()
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        # The name that the user knows, not that of the temporary file.
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def write_text(path: str | Path, text: str) -> None:
    """`write_bytes` of a text in UTF-8."""
    write_bytes(path, text.encode())


def put_text(path: str | Path, text: str) -> None:
    """`write_text`, where `-` is stdout: for options of the command lines."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(path, text)
