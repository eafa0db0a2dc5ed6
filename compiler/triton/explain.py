"""`explain`: what limits a Triton function, or why it does not fit, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ...passes.support.words import counted
from ..reports.advice_report import advice_lines
from ..reports.text_table import bytes_text, time_text
from .binding import asked, bind
from .launching import Grid, Setting, launch
from .rank import ranking
from .refusals import Overflow

if TYPE_CHECKING:
    from ...runtime.profile.profile import Profile

HALVINGS = 6
"""Of a constant, until a launch that overflows is given up."""


@dataclass(frozen=True)
class Smaller:
    """A constant with which a launch fits that does not as it is."""

    name: str
    value: int
    profile: Profile


@dataclass(frozen=True)
class Explanation:
    """What is known of a launch; `str` says it in words."""

    name: str
    profile: Profile | None
    overflow: Overflow | None
    smaller: tuple[Smaller, ...] = ()
    """Where it overflows: for each constant the largest half, quarter, … that fits, the fastest first."""

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.profile is not None:
            kernel = self.profile.kernels[0]
            yield f"{self.name}: {time_text(self.profile.total_us)} on {counted(kernel.cores, 'core')}"
            for space, memory in sorted(kernel.memory.items()):
                if memory.peak_bytes:
                    used, room = bytes_text(memory.peak_bytes), bytes_text(memory.capacity_bytes)
                    yield f"  {space.upper()}: {used} of {room}"
            yield from advice_lines([(0, kernel)], alone=True)
        if self.overflow is not None:
            yield f"{self.name}: {self.overflow}"
        for one in self.smaller:
            yield f"  {one.name}={one.value} fits, and takes {time_text(one.profile.total_us)}"
        if self.overflow is not None and not self.smaller:
            yield "  no constant that is halved alone makes it fit"


@dataclass(frozen=True)
class Explainer:
    """A Triton function: `explainer[grid](...)` explains a launch."""

    kernel: Any
    setting: Setting

    def __getitem__(self, grid: Grid) -> Callable[..., Explanation]:
        def run(*arguments: Any, **named: Any) -> Explanation:
            kernel, by_name = self.kernel, named
            if hasattr(kernel, "configs"):
                by_name |= ranking(
                    kernel.fn, kernel.configs, grid, arguments, named, self.setting
                ).best.config
                kernel = kernel.fn
            kernel, by_name = asked(kernel, arguments, by_name)
            name = getattr(kernel, "__name__", "kernel")
            try:
                result = launch(kernel, self.setting, grid, arguments, by_name)
            except Overflow as overflow:
                bound, options = bind(kernel, arguments, by_name)
                return Explanation(name, None, overflow, self._smaller(kernel, grid, bound, options))
            return Explanation(name, result.profile, None)

        return run

    def _smaller(
        self, kernel: Any, grid: Grid, bound: dict[str, Any], options: dict[str, Any]
    ) -> tuple[Smaller, ...]:
        """Launches that fit, with one constant halved until they do."""
        constants = [p.name for p in kernel.params if p.is_constexpr and _halves(bound[p.name])]
        tried = (self._first(kernel, grid, {**bound, **options}, name) for name in constants)
        found = [one for one in tried if one is not None]
        return tuple(sorted(found, key=lambda one: one.profile.total_us))

    def _first(self, kernel: Any, grid: Grid, named: dict[str, Any], name: str) -> Smaller | None:
        value = named[name]
        for _ in range(HALVINGS):
            value //= 2
            if value < 16:
                break
            try:
                result = launch(kernel, self.setting, grid, (), {**named, name: value})
            except Overflow:
                continue
            return Smaller(name, value, result.profile)
        return None


def _halves(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 32


def explain(kernel: Any, *, target: str = "ascend910b") -> Explainer:
    """
    What limits a `@triton.jit` function: `explain(kernel)[grid](x, y, out, n, BLOCK=1024)`.

    The launch is timed without values: no array is written. Where a memory overflows, the explanation says which, by
    how much, and which lines fill it; then each constant is halved until the launch fits, and timed. The grid follows
    where it is a function of the arguments. A constant that is no block size, such as the width of a head, is
    halved too, which makes another function of it. Of what `triton.autotune` gives, the fastest configuration is
    explained, and `triton.heuristics` are asked.
    """
    return Explainer(kernel, Setting(target, values=False))
