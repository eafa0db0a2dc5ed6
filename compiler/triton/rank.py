"""`rank`: the configurations of a Triton function by their time on the emulator's clock."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ...dialects.records import dataclass
from ...runtime.support.hazard import HazardError
from ..reports.text_table import table, time_text
from .launching import Grid, Setting, launch
from .refusals import Overflow
from .toolchain import TritonError, toolchain

if TYPE_CHECKING:
    from ...runtime.profile.profile import Profile


@dataclass(frozen=True)
class Ranked:
    """One configuration: its profile, or why it has none."""

    config: Mapping[str, Any]
    """Constants and options that it sets."""
    profile: Profile | None
    failure: Exception | None
    seconds: float
    """That compiling and timing took."""

    @property
    def time_us(self) -> float:
        """Predicted time of a launch with its overhead; infinite where it failed."""
        return float("inf") if self.profile is None else self.profile.total_us

    @property
    def reason(self) -> str:
        """What limits it, or why it failed, in a line."""
        if self.profile is not None:
            kernel = self.profile.kernels[0]
            return f"{kernel.bottleneck.resource} {kernel.bottleneck.share:.0%}"
        if isinstance(self.failure, Overflow):
            return str(self.failure).partition(". In use")[0]
        return str(self.failure).splitlines()[0]


@dataclass(frozen=True)
class Ranking:
    """Configurations, the fastest first; those that failed come last."""

    ranked: tuple[Ranked, ...]

    @property
    def best(self) -> Ranked:
        """The fastest. Raises `TritonError` where every configuration failed."""
        if not self.ranked:
            raise TritonError("there is no configuration to choose from")
        if self.ranked[0].profile is None:
            raise TritonError("no configuration runs:\n" + str(self))
        return self.ranked[0]

    def __str__(self) -> str:
        names = list(dict.fromkeys(name for one in self.ranked for name in one.config))
        rows = [[*names, "time", "limited by"]]
        for one in self.ranked:
            took = "–" if one.profile is None else time_text(one.time_us)
            rows.append([*(str(one.config.get(name, "")) for name in names), took, one.reason])
        return "\n".join(table(rows, remarks=True))


def rank(
    kernel: Any,
    configs: Sequence[Any],
    args: Mapping[str, Any] | Sequence[Any],
    *,
    grid: Grid,
    target: str = "ascend910b",
) -> Ranking:
    """
    Time a `@triton.jit` function with every configuration, on the emulator's clock; no array is touched.

    `configs` are dicts of constants and options, or `triton.Config`; `args` what all of them take, in order or by name.
    `grid` is a function of the arguments by name where it depends on the constants. A configuration that a compiler
    refuses, or that ends in a deadlock, is ranked last, with the reason; races show in a run of `emulate`. Of what
    `triton.autotune` gives, the function inside is timed; its list is `kernel.configs`.
    """
    toolchain()
    setting = Setting(target, values=False)
    setting.check()
    inner = kernel.fn if hasattr(kernel, "configs") else kernel
    if isinstance(args, Mapping):
        return ranking(inner, configs, grid, (), args, setting)
    if not isinstance(args, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TritonError(f"arguments are in order or by name, not {args!r}")
    return ranking(inner, configs, grid, args, {}, setting)


def ranking(
    kernel: Any,
    configs: Sequence[Any],
    grid: Grid,
    arguments: Sequence[Any],
    named: Mapping[str, Any],
    setting: Setting,
) -> Ranking:
    """Each configuration of a launch with arguments in order and by name, as `rank` gives them."""
    found = list[Ranked]()
    if not isinstance(configs, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TritonError(f"configurations are a list, not {configs!r}")
    for config in configs:
        chosen: Any = getattr(config, "kwargs", config)
        if not isinstance(chosen, Mapping):
            raise TritonError(f"a configuration is a dict or triton.Config, not {config!r}")
        chosen = dict(cast("Mapping[str, Any]", chosen))
        begun = time.perf_counter()
        profile, failure = None, None
        try:
            profile = launch(kernel, setting, grid, arguments, {**named, **chosen}).profile
        except (ValueError, HazardError) as error:
            failure = error
        found.append(Ranked(chosen, profile, failure, time.perf_counter() - begun))
    return Ranking(tuple(sorted(found, key=lambda one: one.time_us)))
