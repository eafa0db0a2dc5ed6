"""Ops that take the place of a composite one, in the order in which they are made."""

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue


class OpList:
    """Each call adds an op and gives its result."""

    def __init__(self) -> None:
        self.made: list[Operation] = []

    def __call__(self, op: Operation) -> SSAValue:
        self.made.append(op)
        return op.results[0]

    def all(self, ops: Iterable[Operation]) -> SSAValue:
        """Add several; the result of the last one."""
        self.made += ops
        return self.made[-1].results[0]
