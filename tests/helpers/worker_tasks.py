"""Tasks of tests of workers, where other processes find them by name."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def process(_: int) -> int:
    time.sleep(0.02)
    return os.getpid()


def killed_once(task: tuple[int, Path]) -> int:
    number, mark = task
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def killed(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    raise KeyError(number)
