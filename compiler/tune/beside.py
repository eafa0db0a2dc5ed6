"""What a search knows of launches of several kernels: what each kernel has beside others, and where to go on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import inf

from ...dialects.records import dataclass
from ...passes.plans.plan import KernelPlan
from .kernel_trials import Timed
from .launches import Fields, Launch, Part, fields_of, parts_of


@dataclass
class Beside:
    """Launches of several kernels that a search has met, and what their kernels have in its best plan so far."""

    _texts: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    """The texts of the kernels of each."""
    _parts: dict[str, Part] = field(default_factory=dict[str, "Part"])

    def meet(self, launches: Sequence[Launch]) -> Sequence[Launch]:
        """Note which kernels launches have."""
        for one in launches:
            if len(one.kernels) > 1:
                self._texts[one.text] = tuple(kernel.text for kernel in one.kernels)
        return launches

    def keep(self, launch: Launch, best: Timed | None) -> None:
        """Note what the kernels of a launch of the best plan have."""
        if len(launch.kernels) > 1 and best is not None and best.time_us < inf:
            texts = (kernel.text for kernel in launch.kernels)
            self._parts.update(zip(texts, parts_of(best.tiling), strict=True))

    def as_before(self, text: str, space: Sequence[Fields]) -> list[Fields]:
        """The first tiling of a launch of several kernels, in which those have what they have in the best plan."""
        if text not in self._texts or not space:
            return []
        parts = zip(self._texts[text], parts_of(space[0]), strict=True)
        return [fields_of([self._parts.get(kernel, part) for kernel, part in parts])]


def improved(base: Timed, timed: Iterable[Timed]) -> Fields:
    """A launch in which each kernel has what was fastest for it beside the other kernels of `base`."""
    before = parts_of(base.tiling)
    best = [(base.time_us, part) for part in before]
    for one in timed:
        parts = parts_of(one.tiling)
        others = [i for i, part in enumerate(parts) if part != before[i]]
        if len(others) == 1 and one.time_us < best[others[0]][0]:
            best[others[0]] = one.time_us, parts[others[0]]
    return fields_of([part for _, part in best])


def as_planned(launch: Launch, stated: Mapping[str, KernelPlan]) -> Fields | None:
    """The tiling of a launch as a plan has it, by names of kernels; None where it says none."""
    kernels = [stated[kernel.name] for kernel in launch.kernels]
    if len(kernels) == 1:
        return kernels[0].tiling
    parts = [(one.tiling, one.predicted_us) for one in kernels if one.tiling is not None]
    return fields_of(parts) if len(parts) == len(kernels) else None


def planned(kernels: Sequence[KernelPlan], timed: Timed | None) -> list[KernelPlan]:
    """The kernels of a launch with a tiling of it that was timed; those of one that was not are as they were. Of
    several nobody says how long each takes."""
    if timed is None or timed.time_us == inf:
        return [replace(one, timed_us=None) for one in kernels]
    if len(kernels) == 1:
        return [replace(kernels[0], tiling=dict(timed.tiling), timed_us=round(timed.time_us, 3))]
    parts = zip(kernels, parts_of(timed.tiling), strict=True)
    return [replace(one, tiling=dict(tiling), predicted_us=us, timed_us=None) for one, (tiling, us) in parts]


__all__ = ["Beside", "as_planned", "improved", "planned"]
