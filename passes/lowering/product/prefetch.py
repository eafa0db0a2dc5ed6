"""Loads of a left operand that is computed, issued a step before the Vector unit works on them.

The scalar unit issues in program order, and only a queue's worth ahead of a pipe: DMA that stands behind a step's
Vector instructions starts when most of them are done. So its part of a load is emitted for the step after next, then
the rest of the load, which lays out what the DMA of the trip before has brought:

    fetch(s + 2)      DMA                         -> slot of step s
    compute(s + 1)    transposes, taps, move      <- slot of step s + 1
    products of s

Both are the same code, emitted twice: `fetch` keeps the DMA and what fills its buffers before, `load` the rest, on
the previous generation of those buffers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects import ascend, tile
from ....dialects.ascend.memory import space_of
from ....dialects.records import dataclass
from ..base.emitter import Generation
from .computed_operand import computes_operand, moved_operand

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def loads_in_order(product: tile.ContractOp) -> bool:
    """Whether the left operand of a product is computed from tiles that one instruction after the other loads: bags are
    folded as they come."""
    ops = product.body.block.ops
    folds = any(isinstance(op, tile.LoadOp) and op.bags is not None for op in ops)
    return (
        moved_operand(product) is not None
        and not folds
        and not any(isinstance(op, tile.JoinOp) for op in ops)
    )


@dataclass
class _Load:
    """A load of the operand: the generations that it makes, in order, with whether DMA fills them, and which of its
    instructions are issued ahead."""

    generations: list[Generation] = field(default_factory=list[Generation])
    filled: list[bool] = field(default_factory=list[bool])
    early: list[bool] = field(default_factory=list[bool])


class FetchAhead:
    """The loads of one product's left operand."""

    def __init__(self, k: LoweringContext, product: tile.ContractOp):
        self.k = k
        self.ops = [
            op for op in product.body.block.ops if isinstance(op, tile.LoadOp) and computes_operand(op)
        ]
        self.loads: dict[Operation, _Load] = {}

    def fetch(self) -> None:
        """DMA of all loads for the current grid point and step."""
        k = self.k
        for op in self.ops:
            with k.emit.noted() as (effects, generations):
                k.operation(op)
            load = self.loads[op] = _Load(generations)
            brought = [_written(e) if _from_gm(e) else None for e in effects]
            first = {buffer: i for i, buffer in reversed(list(enumerate(brought))) if buffer is not None}
            load.filled = [g.buffer in first for g in generations]
            before = [first.get(buffer, 0) if (buffer := _written(e)) is not None else 0 for e in effects]
            load.early = [brought[i] is not None or i < before[i] for i in range(len(effects))]
            for generation in generations:
                if generation.buffer in first:
                    generation.buffer.slots = IntegerAttr(2, i64)
            _erase(e for e, early in zip(effects, load.early, strict=True) if not early)

    def load(self, op: Operation) -> None:
        """The rest of a load, of what was fetched the last time but one."""
        k, load = self.k, self.loads[op]
        given = [
            k.emit.previous_generation(g.buffer, before_branch=True) if filled else None
            for g, filled in zip(load.generations, load.filled, strict=True)
        ]
        with k.emit.noted(given) as (effects, _):
            k.operation(op)
        _erase(e for e, early in zip(effects, load.early, strict=True) if early)


def _from_gm(op: Operation) -> bool:
    return isinstance(op, ascend.CopyOp) and space_of(op.source.type) == "gm"


def _written(op: Operation) -> ascend.BufferOp | None:
    """The buffer that an instruction writes."""
    assert isinstance(op, ascend.CopyOp | ascend.VecOp | ascend.TransposeOp)
    return buffer_of(op.destination)


def buffer_of(view: SSAValue) -> ascend.BufferOp | None:
    """The buffer that a view shows."""
    owner = view.owner
    source = owner.base.owner if isinstance(owner, ascend.ViewOp) else owner
    return source if isinstance(source, ascend.BufferOp) else None


def _erase(ops: Iterator[Operation]) -> None:
    for op in ops:
        op.detach()
        op.erase()


def sweep(kernel: ascend.KernelOp) -> None:
    """Remove what nothing uses: index arithmetic, picked indices, views, loops and conditions without instructions,
    buffers."""
    changed = True
    while changed:
        changed = False
        for op in list(kernel.body.walk(reverse=True)):
            if _is_dead(op):
                op.detach()
                op.erase()
                changed = True


def _is_dead(op: Operation) -> bool:
    if isinstance(op, scf.ForOp | scf.IfOp):
        return all(
            isinstance(block.first_op, scf.YieldOp) for region in op.regions for block in region.blocks
        )
    if isinstance(op, ascend.NextSlotOp):
        users = (use.operation for use in op.buffer.uses)
        return all(isinstance(user, ascend.NextSlotOp) and not user.result.uses for user in users)
    if any(result.uses for result in op.results):
        return False
    return bool(op.results) and (
        isinstance(op, ascend.BufferOp | ascend.ViewOp | ascend.PreviousSlotOp | ascend.LoadIndexOp)
        or is_side_effect_free(op)
    )
