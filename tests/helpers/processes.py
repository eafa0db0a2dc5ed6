"""What tests of several processes look at: who is there, who wrote what, which files are open."""

import os
from pathlib import Path

OWN = os.getpid()


def no_children() -> bool:
    try:
        os.wait()
    except ChildProcessError:
        return True
    return False


class Log:
    """Lines that all processes write."""

    def __init__(self, path: Path):
        self.path = path
        path.touch()

    def __call__(self, line: object) -> None:
        with self.path.open("a") as file:
            file.write(f"{os.getpid()} {line}\n")

    @property
    def lines(self) -> list[tuple[bool, str]]:
        """Whether each line is of this process, and what it says."""
        found = (line.split(" ", 1) for line in self.path.read_text().splitlines())
        return [(int(process) == OWN, text) for process, text in found]


def files_open() -> set[str]:
    return set(os.listdir("/proc/self/fd"))
