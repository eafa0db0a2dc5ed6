"""What a Triton function is launched with: arguments by name, and what heuristics say of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from inspect import Parameter
from typing import Any, NoReturn, cast

import numpy as np

from .toolchain import TritonError, toolchain

TYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64"),
)
"""Of numpy, that Triton has pointers to."""


class ByName(dict[str, Any]):
    """Arguments by name, for a function that asks for some of them; `who` is named where it asks for others."""

    def __init__(self, who: str, arguments: Mapping[str, Any]):
        super().__init__(arguments)
        self.who = who

    def __missing__(self, name: str) -> NoReturn:
        near = difflib.get_close_matches(name, self, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self)}"
        raise TritonError(f"{self.who} asks for the argument {name}, which is not there; {hint}")


def asked(kernel: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """The function inside of `triton.heuristics`, and the arguments by name with what these say."""
    while hasattr(kernel, "values"):
        for name, value in kernel.values.items():
            known = {**dict(zip(kernel.arg_names, arguments, strict=False)), **named}
            named = {**named, name: value(ByName(f"the heuristic of {name}", known))}
        kernel = kernel.fn
    return kernel, named


def bind(
    kernel: Any, arguments: Sequence[Any], named: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    Arguments by the names of the parameters, constants and defaults with them, and options of Triton-Ascend.

    Raises `TritonError` for what the function does not take, for what is missing, and for arrays that are no pointer.
    """
    toolchain()
    if not hasattr(kernel, "params"):
        raise TritonError(f"a @triton.jit function is expected, not {type(kernel).__name__}")
    name, parameters = kernel.__name__, [p.name for p in kernel.params]
    if len(arguments) > len(parameters):
        raise TritonError(f"{name} takes {len(parameters)} arguments, not {len(arguments)}")
    given = dict(zip(parameters, arguments, strict=False))
    options = dict[str, Any]()
    known = toolchain().ascend.NPUOptions.__dataclass_fields__
    for key, value in named.items():
        if key in given:
            raise TritonError(f"{name} is given {key} twice")
        if key not in parameters and key not in known:
            near = difflib.get_close_matches(key, [*parameters, *known], 1)
            raise TritonError(f"{name} takes no {key}" + "".join(f"; did you mean {n}?" for n in near))
        (given if key in parameters else options)[key] = value
    for p in kernel.params:
        if p.name not in given and p.default is Parameter.empty:
            raise TritonError(f"{name} lacks {p.name}: it takes {', '.join(parameters)}")
        given[p.name] = value = _argument(name, p.name, given.get(p.name, p.default))
        if not p.is_constexpr and not isinstance(value, np.ndarray | int | float | None):
            what = type(value).__name__
            raise TritonError(f"{name}: {p.name} is a {what}; it takes an array of numpy or a number")
    return given, options


def _argument(kernel: str, name: str, value: object) -> object:
    """An array that a pointer can be, or a scalar of Python."""
    if isinstance(value, np.generic):
        return cast("Any", value).item()
    if not isinstance(value, np.ndarray):
        what = type(value).__name__
        if hasattr(value, "data_ptr") or what == "list":
            raise TritonError(f"{kernel}: {name} is a {what}; the emulator takes arrays of numpy")
        return value
    kind = cast("Any", value).dtype
    if kind.name not in TYPES or not kind.isnative:
        what = kind.name if kind.isnative else kind.str
        raise TritonError(f"{kernel}: {name} is an array of {what}, a type that kernels have no pointers to")
    if not value.flags.c_contiguous:
        raise TritonError(
            f"{kernel}: {name} has strides {value.strides} B; a pointer needs rows one after the other, "
            "which np.ascontiguousarray gives"
        )
    return cast("Any", value)
