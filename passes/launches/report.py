"""What `ascend-join-launches` decided: which launches became one, and on which cores each of their kernels runs."""

from collections.abc import Sequence
from typing import Any

from ...dialects.records import dataclass


@dataclass(frozen=True)
class JoinedKernel:
    """A kernel of a joined launch: its kind of core, and the first and last block index that runs it."""

    name: str
    kind: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"@{self.name} on {self.kind} cores {self.first} to {self.last}"


@dataclass(frozen=True)
class JoinedLaunch:
    """A launch of a function that took the place of those with some numbers."""

    function: str
    kernel: str
    numbers: tuple[int, ...]
    kernels: tuple[JoinedKernel, ...]


@dataclass(frozen=True)
class JoinedReport:
    """Which launches became one, for people and programs."""

    launches: tuple[JoinedLaunch, ...]
    name: str = "ascend-join-launches"

    def to_text(self) -> str:
        return "\n".join(line for one in self.launches for line in _lines(one))

    def to_json(self) -> Any:
        return [
            {
                "function": one.function,
                "kernel": one.kernel,
                "launches": list(one.numbers),
                "kernels": [
                    {"name": k.name, "core": k.kind, "blocks": [k.first, k.last]} for k in one.kernels
                ],
            }
            for one in self.launches
        ]


def _lines(one: JoinedLaunch) -> Sequence[str]:
    numbers = ", ".join(map(str, one.numbers[:-1])) + f" and {one.numbers[-1]}"
    head = f"launches {numbers} of @{one.function} are one, @{one.kernel}: none needs anything of another"
    return [head, *(f"    {kernel}" for kernel in one.kernels)]


__all__ = ["JoinedKernel", "JoinedLaunch", "JoinedReport"]
