"""What all tiles of a core share (`regions.loop_invariant_loads`) comes to UB in front of the loop over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .load import lower_load

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def load_shared(k: LoweringContext) -> None:
    """Emit these loads. What follows leaves them as they are: no result takes their place."""
    if not k.shared:
        return
    rank = len(k.source.extent_list)
    grid = k.source.body.block.args[len(k.tensors) :]
    for d in range(rank):
        k.index[grid[d]], k.index[grid[rank + d]] = 0, k.source.tile_sizes[d]
    for op in k.shared:
        k.emit.location = op.location
        k.places[op.result] = lower_load(k, op)
        k.last_use.pop(op.result, None)
