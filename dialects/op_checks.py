"""Checks of ops that know other ops, in modules of their own: registered for a kind of op, run when one is verified.
And what verifiers say of themselves."""

from collections.abc import Callable
from typing import Any, TypeVar

from xdsl.ir import Operation

_CHECKS: dict[tuple[type[Operation], str], Callable[[Any], None]] = {}

CheckT = TypeVar("CheckT", bound=Callable[[Any], None])


def checks(kind: type[Operation], part: str = "") -> Callable[[CheckT], CheckT]:
    """Registers what checks ops of a kind, or a `part` of them. It raises `VerifyException`."""

    def register(check: CheckT) -> CheckT:
        _CHECKS[kind, part] = check
        return check

    return register


def run_check(op: Operation, part: str = "") -> None:
    """Run what is registered for the kind of an op; `KeyError` where nothing is."""
    _CHECKS[type(op), part](op)


_OF_STRUCTURE = "looks_at_structure_alone"


def of_structure(verifier: CheckT) -> CheckT:
    """Says of a `verify_` that it looks at the op's types, properties and attributes alone: ops that have equal ones
    need it once. A class that overrides it says so again, or not."""
    setattr(verifier, _OF_STRUCTURE, True)
    return verifier


def is_of_structure(verifier: Callable[[Any], None]) -> bool:
    """Whether a `verify_` says so."""
    return getattr(verifier, _OF_STRUCTURE, False)
