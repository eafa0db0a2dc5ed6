"""The software pipeline: in which order programs take their tiles, and what is issued apart from the rest.

    tile.kernel "k"(…) attributes {programs = [#tile.program<aic>, #tile.program<aiv>], …} {
      %acc = tile.contract attributes {schedule = #tile.product<…>} { … }

    ->

    tile.kernel "k"(…) attributes {programs = [#tile.program<aic streamed>, #tile.program<aiv feed>], …} {
      %acc = tile.contract attributes {schedule = #tile.product<…, prefetch>} { … }

What is decided, and by what, is in `lowering.pipeline`. Whether buffers have room for what is loaded ahead is found by
lowering the program once.
"""

from collections.abc import Hashable
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects import tile
from ..dialects.records import dataclass
from .lowering.pipeline import plan_pipeline
from .lowering.programs import has_room_ahead
from .support.errors import LocatedError
from .support.kernel_signature import kernel_signature
from .support.module import check_made_for, check_unit_flags, chip_of, set_target
from .support.options import Pass
from .support.peers import each


@dataclass(frozen=True)
class TilePipeline(Pass):
    """Set the loops of each kernel's programs, where they do not state them, and what goes with them."""

    name = "tile-pipeline"
    annotates: ClassVar = (tile.KernelOp, tile.ContractOp, tile.LoadOp)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        check_unit_flags(op, target)
        ahead: dict[Hashable, list[tile.KernelOp]] = {}
        for kernel in op.walk():
            if isinstance(kernel, tile.KernelOp):
                if not kernel.program_list:
                    raise LocatedError(
                        kernel, f"{kernel.name}: says not which cores run it; run tile-partition first"
                    )
                if kernel.program_list[0].loop is None:
                    plan, signature = plan_pipeline(kernel, target), kernel_signature(kernel)
                    plan.annotate(kernel)
                    if plan.loads_ahead:
                        ahead.setdefault(signature, []).append(kernel)
        alike = list(ahead.values())
        here, told = each(len(alike), lambda number: has_room_ahead(alike[number][0], target), bool)
        for number, has_room in (*here.items(), *told.items()):
            for kernel in alike[number] if not has_room else ():
                plan_pipeline(kernel, target, ahead=False).annotate(kernel)
        set_target(op, target.name)
