"""Launches of Triton functions on the emulator: arguments by name, the grid, and the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...dialects.records import dataclass
from ...runtime.support.hazard import ProgramError
from ..hivm import HivmModule, HivmResult, load
from ..hivm.module import blocks_of
from .binding import ByName, asked, bind
from .build import Built, build
from .toolchain import TritonError

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
        self.check()
        return ARCHS[self.target]

    def check(self) -> None:
        """`TritonError` for a chip that AscendNPU-IR does not compile for."""
        if self.target not in ARCHS:
            raise TritonError(f"Triton's kernels run on {', '.join(sorted(ARCHS))}, not on {self.target}")


def launch(
    kernel: Any, setting: Setting, grid: Grid, arguments: Sequence[Any], named: Mapping[str, Any]
) -> HivmResult:
    """
    Compile a function for its arguments, and run it. Arrays that it writes hold what it wrote.

    Raises what `build` and `HivmModule.launch` do.
    """
    kernel, named = asked(kernel, arguments, named)
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


def blocks(grid: Grid, bound: Mapping[str, Any]) -> tuple[int, ...]:
    """The grid of a launch as three numbers, each at least 1. Raises `TritonError` for what is none."""
    found = grid(ByName("the grid", bound)) if callable(grid) else grid
    try:
        return blocks_of(found)
    except ProgramError as error:
        raise TritonError(str(error)) from None
