"""Launches of Triton functions on the emulator: arguments by name, the grid, and the compiled module."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from inspect import Parameter
from typing import Any, cast

import numpy as np

from ...dialects.records import dataclass
from ...runtime.support.hazard import ProgramError
from ..hivm import HivmModule, HivmResult, load
from ..hivm.module import blocks_of
from .build import Built, build
from .toolchain import TritonError, toolchain

Grid = int | Sequence[int] | Callable[[Mapping[str, Any]], int | Sequence[int]]
"""Blocks of a launch, up to three numbers, or a function of the arguments by name, as Triton takes it."""

ARCHS = {
    "ascend910b": "Ascend910B1",
    "ascend910b1": "Ascend910B1",
    "ascend910b2": "Ascend910B2",
    "ascend910b3": "Ascend910B3",
    "ascend910b4": "Ascend910B4",
}
"""Chips by our names, and by AscendNPU-IR's."""
TYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64"),
)
"""Of numpy, that Triton has pointers to."""


@dataclass(frozen=True)
class Setting:
    """How launches run; see `emulate`."""

    target: str = "ascend910b"
    flags: str = "count"
    hazards: bool = True
    values: bool = True
    traced_cores: int = 0

    @property
    def arch(self) -> str:
        if self.target not in ARCHS:
            raise TritonError(f"Triton's kernels run on {', '.join(sorted(ARCHS))}, not on {self.target}")
        return ARCHS[self.target]


def launch(
    kernel: Any, setting: Setting, grid: Grid, arguments: Sequence[Any], named: Mapping[str, Any]
) -> HivmResult:
    """
    Compile a function for its arguments, and run it. Arrays that it writes hold what it wrote.

    Raises what `build` and `HivmModule.launch` do.
    """
    if hasattr(kernel, "values"):  # of triton.heuristics
        for name, value in kernel.values.items():
            named = {**named, name: value({**dict(zip(kernel.arg_names, arguments, strict=False)), **named})}
        kernel = kernel.fn
    bound, options = bind(kernel, arguments, named)
    built = build(kernel, bound, options, setting.arch)
    given = {name: bound[name] for name in built.parameters}
    result = _module(built).launch(
        blocks(grid, bound),
        given,
        names=built.parameters,
        target=setting.target,
        flags=setting.flags,
        hazards=setting.hazards,
        values=setting.values,
        traced_cores=setting.traced_cores,
    )
    for name in result.outputs:
        if not bound[name].flags.writeable:
            raise TritonError(f"{kernel.__name__} writes {name}, which is a read-only array")
    for name, array in result.outputs.items():
        bound[name][...] = array.reshape(bound[name].shape)
    return result


@lru_cache(maxsize=64)
def _module(built: Built) -> HivmModule:
    return load(built.text, built.entry)


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
        given[p.name] = _argument(name, p.name, given.get(p.name, p.default))
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


def blocks(grid: Grid, bound: Mapping[str, Any]) -> tuple[int, ...]:
    """The grid of a launch as three numbers, each at least 1. Raises `TritonError` for what is none."""
    found = grid(bound) if callable(grid) else grid
    try:
        return blocks_of(found)
    except ProgramError as error:
        raise TritonError(str(error)) from None
