"""Errors that passes raise about one op."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class LocatedError(DiagnosticException):
    """An error about one op: drivers print the op's place in the source above the message."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op
        self.location = op.location


class WholeSizeError(LocatedError):
    """An op whose results depend on all of a dynamic dimension: its kernels are built for one size each."""
