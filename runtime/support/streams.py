"""Standard streams that whoever started the process has closed."""

import errno
import io
import os
import sys


def fill_streams() -> None:
    """Let the places of the standard streams be taken: a file that is opened next would be in the place of a closed
    one, where others write or put another one."""
    while (found := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(found)


def open_streams() -> None:
    """Let a tool have standard streams: input that is closed is empty, and messages go nowhere. Output has nowhere to
    go either, but to lose it would be an error: whoever writes it meets OSError."""
    fill_streams()
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


class _Closed(io.TextIOBase):
    """A stream that nothing can be written to."""

    def write(self, s: str, /) -> int:
        raise OSError(errno.EBADF, "the standard output is closed")


__all__ = ["fill_streams", "open_streams"]
