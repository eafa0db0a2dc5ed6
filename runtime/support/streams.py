"""Standard streams that whoever started the process has closed."""

import os
import sys


def open_streams() -> None:
    """Let none of the standard streams be closed: those that are read nothing and keep nothing. A file that is opened
    next would be in the place of one, where others write or put another one."""
    while (found := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(found)
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


__all__ = ["open_streams"]
