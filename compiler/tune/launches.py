"""What is timed: a launch of a plan, of one kernel or of several that need nothing of each other.

A launch is the text of a module. With one kernel it is the kernel's, and a tiling is as plans have it; with several it
has a group for each, and a tiling has those of all, with what they are predicted to take, which says where they run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.dynamic import is_dynamic
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...passes.launches.share_cores import launched_groups
from ...passes.launches.together import meets_in_group, together_text
from ...passes.plans.store import kernel_key

Blocked = tuple[int, tuple[int, ...]]
"""How a tensor in blocks lies: the blocked dimension, the order of all."""
Fields = Mapping[str, Any]
"""A tiling as a plan has it."""
Part = tuple[Fields, float | None]
"""The tiling of a kernel beside others, and the µs with a launch that it is predicted to take."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of a plan: its name and ops there, and its text, which says what it computes."""

    name: str
    ops: tuple[int, ...]
    text: str
    bytes: int
    """Those of its result."""
    layout: Blocked | None = None
    """How its result may lie in blocks; None: it is row-major only."""

    @property
    def key(self) -> str:
        return kernel_key(self.text)


@dataclass(frozen=True)
class Launch:
    """Kernels that one launch runs, in program order, and the text of a module that computes them alone."""

    kernels: tuple[Kernel, ...]
    text: str


def kernels_of(launches: Iterable[Launch]) -> list[Kernel]:
    """The kernels of some launches, in program order."""
    found = (kernel for launch in launches for kernel in launch.kernels)
    return sorted(found, key=lambda kernel: kernel.ops[-1])


def has_several(text: str) -> bool:
    """Whether a launch has several kernels."""
    return "tile.group" in text


def fields_of(parts: Sequence[Part]) -> Fields:
    """The tiling of a launch of several kernels."""
    return {"parts": [dict(tiling) for tiling, _ in parts], "predicted_us": [us for _, us in parts]}


def parts_of(fields: Fields) -> list[Part]:
    """What each kernel of a launch of several has, from the launch's tiling."""
    tilings, predicted = (
        cast("list[Fields]", fields["parts"]),
        cast("list[float | None]", fields["predicted_us"]),
    )
    return [*zip(tilings, predicted, strict=True)]


@dataclass
class Launches:
    """Which launches run the kernels of plans of one function. Those of the same kernels are found once. `join`:
    whether kernels that need nothing of each other share one."""

    target: Target
    join: bool
    _texts: dict[object, str] = field(default_factory=dict[object, str])

    def of(
        self,
        function: FuncOp,
        groups: Sequence[tuple[Operation, ...]],
        kernels: Sequence[Kernel],
        packable: frozenset[SSAValue],
    ) -> tuple[Launch, ...]:
        """The launches of groups, each of which is a kernel, in the order in which they run. A run-time size has
        launches of its own."""
        sizes = (v for group in groups for op in group for v in (*op.operands, *op.results))
        if not self.join or any(is_dynamic(value.type) for value in sizes):
            return tuple(Launch((kernel,), kernel.text) for kernel in kernels)
        alone = {i for i, group in enumerate(groups) if meets_in_group(group, packable, self.target)}
        found: list[Launch] = []
        for numbers in launched_groups(function.body.block, groups, alone):
            inside = tuple(kernels[i] for i in numbers)
            text = inside[0].text
            if len(inside) > 1:
                key = tuple((kernel.ops, kernel.text) for kernel in inside)
                if key not in self._texts:
                    self._texts[key] = together_text([groups[i] for i in numbers], packable)
                text = self._texts[key]
            found.append(Launch(inside, text))
        return tuple(found)


__all__ = [
    "Blocked",
    "Fields",
    "Kernel",
    "Launch",
    "Launches",
    "Part",
    "fields_of",
    "has_several",
    "kernels_of",
    "parts_of",
]
