"""Errors that passes raise about one op."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException


class LocatedError(DiagnosticException):
    """An error about one op: drivers print the op's place in the source above the message."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op
        self.location = op.location
