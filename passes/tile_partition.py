"""Which kinds of cores run a kernel, and what their programs hand to each other.

    tile.kernel "k"(…) attributes {…}   ->   tile.kernel "k"(…) attributes {…,
                                               programs = [#tile.program<aic>, #tile.program<aiv>],
                                               hand_overs = [#tile.hand_over<result through gm slots 2>]}

What is decided, and by what, is in `lowering.partition`.
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp

from ..dialects import tile
from ..dialects.records import dataclass
from .lowering.check_chip import check_chip
from .lowering.partition import plan_partition
from .support.module import check_made_for, chip_of, set_target
from .support.options import Pass


@dataclass(frozen=True)
class TilePartition(Pass):
    """Set the programs of each kernel that does not state them."""

    name = "tile-partition"
    annotates: ClassVar = (tile.KernelOp,)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        check_chip(op, target)
        for kernel in op.walk():
            if isinstance(kernel, tile.KernelOp) and kernel.programs is None:
                plan = plan_partition(kernel, target)
                kernel.programs = ArrayAttr([tile.ProgramAttr.get(core) for core in plan.cores])
                kernel.hand_overs = ArrayAttr(plan.hand_overs) if plan.hand_overs else None
        set_target(op, target.name)
