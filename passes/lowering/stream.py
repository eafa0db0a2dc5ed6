"""`tile.stream`: the loop over the parts of a dimension, with carried tiles in buffers of their own.

A carried tile stays where its first value is. What it becomes in a part is computed there by the last instruction that
gives it, if nothing reads the old one after that, else copied there at the end of the part.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...dialects import tile
from ...dialects.tile import TileType
from .place import Place, blocked_dim
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering


def lower_stream(k: KernelLowering, op: tile.StreamOp) -> None:
    """Emit the loop; the places of its results."""
    at, size, *_ = op.body.block.args
    first, end, step = (p.value.data for p in (op.first, op.end, op.step))
    places = [k.places[value] for value in op.initial]
    with k.emit.loop(first, end, step) as start:
        k.index[at], k.index[size] = start, step
        k.places |= dict(zip(op.carried, places, strict=True))
        k.body(op.body.block)
        carry(k, op, places)
    k.places |= dict(zip(op.outputs, places, strict=True))


def carry(k: KernelLowering, op: tile.StreamOp, places: list[Place]) -> None:
    """Put what the body yields into the places of the carried tiles."""
    for value, place in zip(op.yielded, places, strict=True):
        new = k.places[value]
        if new.base is not place.base:
            emit_vector(k.emit, "vcopy", [new], replace(place, sizes=new.sizes))


def squeezed(source: Place, kind: TileType, dims: tuple[int, ...]) -> Place:
    """A place under the dimensions `dims`, the others having one element."""
    shape, block = kind.get_shape(), blocked_dim(kind)
    return replace(
        source,
        shape=shape,
        sizes=tuple(source.sizes[d] for d in dims),
        strides=tuple(source.strides[d] for d in dims),
        order=kind.get_order(),
        block=block,
    )


__all__ = ["carry", "lower_stream", "squeezed"]
