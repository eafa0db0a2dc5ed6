"""What a kernel form is: one way to compute a group of ops as one kernel.

A form is a folder: which groups it computes, its tilings and their predicted time, and the `tile.kernel` that it
builds. The registry (`forms.py`) lists all forms. Nothing else knows which there are: passes ask the form of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import LayoutAttr
from ...regions.regions import Regions
from .stated import FREE, Stated


class Tiling(Protocol):
    """Tile sizes of a kernel, one for each of its dimensions, and how many cores share its tiles."""

    @property
    def tiles(self) -> tuple[int, ...]: ...

    @property
    def cores(self) -> int: ...


@dataclass(frozen=True)
class Group:
    """A group of ops for a chip: its regions, and which tensors are weights (`packable`), which may be laid out before
    the first run."""

    regions: Regions
    packable: frozenset[SSAValue]
    target: Target


@dataclass(frozen=True)
class Work:
    """What a kernel does with a tiling, beside its predicted time.

    `cube_flops`: operations of the Cube. `live`: elements of the result that are in UB at once. `recomputed`:
    operations that tiles do again, over those of the ops once. `again`: GM bytes that are read again, part by part.
    `steps`: Vector instructions for each tile, and `per_element`: bytes of UB an element; None: those that the group's
    trace has. `drained`: the ops that FixPipe does. `goes_round`: whether rows of planes go round. `in_parts`: whether
    one core meets a row part by part.
    """

    cube_flops: int
    live: int
    recomputed: float
    again: int = 0
    steps: int | None = None
    per_element: int | None = None
    drained: tuple[Operation, ...] = ()
    goes_round: bool = False
    in_parts: bool = False


class SlowerError(Exception):
    """No tiling of a group takes as few cycles as were asked for, nor fewer than `cycles`."""

    def __init__(self, cycles: float):
        super().__init__(f"no tiling takes less than {cycles:.0f} cycles")
        self.cycles = cycles


class KernelForm(Protocol):
    """One way to compute groups. Tilings are of the form's own type."""

    def matches(self, regions: Regions) -> bool:
        """Whether this form computes a group; of those that match the first one in the registry does."""
        ...

    def tilings(self, group: Group, count: int, stated: Stated = FREE) -> Sequence[Tiling]:
        """The `count` legal tilings with the least predicted time, best first, of those that have what is stated.
        `NoTileError` where none fits, `NotFusableError` where the chip cannot do it."""
        ...

    def fastest(self, group: Group, most: float = inf, stated: Stated = FREE) -> tuple[float, Tiling]:
        """The tiling with the least predicted time of those that have what is stated, and that time in cycles, without
        the launch. `SlowerError` may be raised where none takes at most `most` cycles: then there is no need to find
        the fastest."""
        ...

    def work(self, group: Group, tiling: Any) -> Work:
        """What the kernel does."""
        ...

    def bytes_per_element(self, group: Group) -> int:
        """UB bytes that the kernel takes for an element of its result, slots included; 0 where that does not come to
        UB. Of an op by itself, whatever its tiling."""
        ...

    def layout_of_result(self, regions: Regions) -> LayoutAttr | None:
        """How the tiles of a group's result lie on chip, as a layout of the tensor; None for rows."""
        ...

    def cannot_write(self, regions: Regions, layout: LayoutAttr | None) -> str:
        """Why the kernel cannot write its result in blocks, `layout` being that of its tiles; nothing if it can."""
        ...

    def cannot_read(self, group: Group, value: SSAValue, layout: LayoutAttr) -> str:
        """Why the kernel cannot read a tensor that is blocked as `layout` says; nothing if it can."""
        ...

    def other_orders(self, tiling: Any) -> Sequence[Tiling]:
        """The same tiles, dealt to cores otherwise: legal, and not among `tilings`."""
        ...

    def build(self, name: str, group: Group, anchor: Operation, tiling: Any) -> tile.KernelOp:
        """The kernel, in front of `anchor`, the group's last op."""
        ...


@runtime_checkable
class SizedForm(KernelForm, Protocol):
    """A form of groups whose first dimension may be known at run time only."""

    def at_all_sizes(self, group: Group, tiling: Any) -> Tiling:
        """A tiling that was found at one run-time size, with the cores that it may need at others."""
        ...

    def cycles(self, group: Group, tiling: Any) -> float:
        """Predicted cycles of the kernel with any tiling, without its launch."""
        ...


__all__ = ["Group", "KernelForm", "SizedForm", "SlowerError", "Tiling", "Work"]
