"""Vector functions: Vector instructions that follow each other become one, on chips that compute in registers.

    ascend.vec "vmul"(%a, %b) -> %c          ->   ascend.vec "vmul"(%a, %b) -> %c
    ascend.barrier "V"                            ascend.barrier "V" {joined}
    ascend.vec "vadds"(%c) -> %c scalar 1.0       ascend.vec "vadds"(%c) -> %c scalar 1.0 {joined}

Instructions over the same elements are one loop of the function too, with `{joined, looped}`: their values stay in
registers, up to `vector.depth` of them, which keeps them within its 32 registers.

A function starts and drains once (`vector.startup`, `vector.drain`). It ends where the Vector pipe waits for a flag or
raises one, so flags must be there.
"""

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block

from ..dialects import ascend
from ..dialects.ascend.vector_functions import ends_function
from ..dialects.ascend.vector_loops import fits
from ..dialects.records import dataclass
from .support.module import chip_of, lowered_kernels
from .support.options import Pass


@dataclass(frozen=True)
class AscendJoinVectors(Pass):
    """Join the Vector instructions of every kernel."""

    name = "ascend-join-vectors"
    annotates: ClassVar = (ascend.VecOp, ascend.BarrierOp)
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        if not target.vector.loop:
            return
        for kernel in lowered_kernels(op, target):
            for region in (kernel.body, *(r for one in kernel.body.walk() for r in one.regions)):
                for block in region.blocks:
                    _join(block, target.vector.depth)


def _join(block: Block, depth: int) -> None:
    """Mark the instructions of a block that go on in a function or in a loop of `depth` ones, and the barriers between
    them."""
    going = False
    loop: list[ascend.VecOp] = []
    barriers: list[ascend.BarrierOp] = []
    for op in block.ops:
        if isinstance(op, ascend.VecOp):
            if going:
                for one in (op, *barriers):
                    one.joined = UnitAttr()
            if going and fits(op, loop, depth):
                op.looped = UnitAttr()
                loop.append(op)
            else:
                loop = [op]
            going, barriers = True, []
        elif isinstance(op, ascend.BarrierOp) and op.pipe.data == "V":
            barriers.append(op)
        elif ends_function(op):
            going, barriers = False, []
