"""`emulate`: a Triton function as it is, on the emulator, with arrays of numpy."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ..text.output_files import check_folder, write_text
from .launching import Grid, Setting, launch
from .rank import ranking
from .toolchain import TritonError

if TYPE_CHECKING:
    from ...runtime.profile.profile import Profile

TRACED = 2
"""Cores that a timeline shows."""


@dataclass(frozen=True)
class Emulated:
    """A Triton function on the emulator: `emulated[grid](...)` launches it as on a board."""

    kernel: Any
    setting: Setting
    trace: str | Path | None = None

    def __getitem__(self, grid: Grid) -> Callable[..., Profile]:
        def run(*arguments: Any, **named: Any) -> Profile:
            kernel = self.kernel
            with _written(self.trace):
                if self.trace is not None:
                    check_folder(self.trace)
            if hasattr(kernel, "configs"):
                timed = replace(self.setting, values=False, traced_cores=0)
                named |= ranking(kernel.fn, kernel.configs, grid, arguments, named, timed).best.config
                kernel = kernel.fn
            result = launch(kernel, self.setting, grid, arguments, named)
            if self.trace is not None:
                with _written(self.trace):
                    write_text(self.trace, result.trace_text())
            return result.profile

        return run


@contextmanager
def _written(path: str | Path | None) -> Generator[None]:
    """TritonError where a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise TritonError(f"cannot write '{path}': {error.strerror}") from None


def emulate(
    kernel: Any,
    *,
    target: str = "ascend910b",
    flags: str = "count",
    hazards: bool = True,
    trace: str | Path | None = None,
) -> Emulated:
    """
    A `@triton.jit` function, to be launched on the emulator.

    `emulate(kernel)[grid](x, y, out, n, BLOCK=1024)` takes what a launch takes, with arrays of numpy in the place of
    tensors. It writes the arrays that the function stores to, and gives the profile of the launch. `flags` says what
    happens where a flag is set again before it was waited for: `count` counts them, as AscendNPU-IR's programs need it,
    `strict` stops. Of what `triton.autotune` gives, the configuration runs that is fastest on the emulator's clock, and
    `triton.heuristics` are asked. `trace` names a file for the timeline, in the format of Perfetto.

    The launch raises `TritonError` where a compiler refuses the function, an argument does not fit or `trace` cannot be
    written (which is told before anything runs), `CompileError`
    for what is not taken of HIVM, and `HazardError` where the program does what hardware does not define.
    """
    return Emulated(
        kernel, Setting(target, flags, hazards, traced_cores=TRACED if trace is not None else 0), trace
    )
