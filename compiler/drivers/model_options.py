"""The options of both tools that concern ONNX models."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ..onnx.options import PRECISIONS, checked_size


class _Named(argparse.Action):
    """Collects NAME=VALUE in a dictionary; each name is given once."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        name, value = values
        if name in getattr(namespace, self.dest):
            raise argparse.ArgumentError(self, f"'{name}' is given twice")
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name: value})


def _size(text: str) -> tuple[str, int]:
    name, equals, value = text.rpartition("=")
    if not name or not equals:
        raise ValueError
    try:
        return name, checked_size(name, int(value) if value.lstrip("-").isdecimal() else value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _precision(text: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not name or not equals or value not in PRECISIONS:
        raise ValueError
    return name, value


_size.__name__, _precision.__name__ = "NAME=SIZE", "NODE=PRECISION"


def add_model_options(add: Callable[..., Any]) -> None:
    """`--precision`, `--precision-of` and `--dim`, by a parser's `add_argument`."""
    add(
        "--precision",
        choices=PRECISIONS,
        help="what a model's floats are stored in (f16, or bf16 as the model)",
    )
    add(
        "--precision-of",
        action=_Named,
        type=_precision,
        default={},
        metavar="NODE=PRECISION",
        help="the same for one node of a model, by name; may be given several times",
    )
    add(
        "--dim",
        dest="dims",
        action=_Named,
        type=_size,
        default={},
        metavar="NAME=SIZE",
        help="the size of a symbolic dimension of a model, or of a ? of a graph, by name or as INPUT:AXIS, such as "
        "x:0=4; may be given several times",
    )


def model_options_given(precision: str | None, precision_of: object) -> list[str]:
    """The options that were given and that models alone have."""
    given = {"--precision": precision, "--precision-of": precision_of}
    return [name for name, value in given.items() if value]


__all__ = ["add_model_options", "model_options_given"]
