"""Output files that are complete or untouched, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path


class OutputError(ValueError):
    """An output file that would take the place of an input, or of another output, or for which there is nothing."""


def check_output_files(inputs: Iterable[str | None], outputs: Mapping[str, str | None]) -> None:
    """`OutputError` where an output, by its option, is a file that is read, or that of another option; OSError where it
    cannot be written. `-` and None are no files, and neither are devices and pipes."""
    read = [path for path in inputs if path is not None and path != "-"]
    if "" in read:
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), "")
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or path == "-":
            continue
        check_folder(path)
        if Path(path).exists() and not Path(path).is_file():
            continue
        for other in read:
            if _same_file(path, other):
                raise OutputError(f"{option} would overwrite the input {other}")
        for beside, other in written.items():
            if _same_file(path, other):
                raise OutputError(f"{beside} and {option} are one file: {path}")
        written[option] = path


def check_folder(path: str | Path) -> None:
    """OSError where there is no folder for a file, or nothing may be written there: before work that would be lost."""
    folder = Path(path).parent
    reason = errno.EISDIR if path and Path(path).is_dir() else 0
    if not path or not folder.exists():
        reason = errno.ENOENT
    elif not folder.is_dir():
        reason = errno.ENOTDIR
    elif not Path(path).exists() and not os.access(folder, os.W_OK):
        reason = errno.EACCES
    if reason:
        raise OSError(reason, os.strerror(reason), str(path))


def target_file(chip: str | None) -> str | None:
    """The file that a chip is read from; None for a chip that is named."""
    return chip if chip is not None and chip.endswith(".toml") else None


def _same_file(first: str, second: str) -> bool:
    with suppress(OSError):
        return os.path.samefile(first, second)
    return Path(first).resolve() == Path(second).resolve()


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


class KeptText(StringIO):
    """An output stream whose text outlives `close`, which xDSL's driver calls."""

    text = ""

    def close(self) -> None:
        if not self.closed:
            self.text = self.getvalue()
        super().close()
