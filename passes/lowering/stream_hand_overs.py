"""What both kinds of cores hand to each other of each part of a `tile.stream`, and the rows that a Vector core has."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects import tile
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, TileType, tile_type
from .base.place import ceil_to, physical
from .cores.cube_to_vector_gm import Workspace
from .rooms import Room

SLOTS = 2
"""Parts that one side may be ahead of the other."""
LEAD = 2
"""The rows of so many parts later come before the product of a part: Vector cores have rows while the Cube core
multiplies by weights."""


def stream_of(kernel: tile.KernelOp) -> tile.StreamOp | None:
    """The first stream of a kernel in which there is a product."""
    for op in kernel.body.block.ops:
        if isinstance(op, tile.StreamOp) and any(isinstance(o, tile.ContractOp) for o in op.body.block.ops):
            return op
    return None


def row_dim(stream: tile.StreamOp) -> int:
    """The dimension of a kernel's tiles that its Vector cores share: that along which accumulators are extracted."""
    return next(op.dim.value.data for op in stream.body.block.ops if isinstance(op, tile.ExtractOp))


def share_of(rows: int, target: Target) -> int:
    """Rows of a tile that one Vector core has at most, in whole fractals."""
    return min(rows, ceil_to(-(-rows // target.vectors_beside), BLOCK))


def rooms_of_parts(kernel: tile.KernelOp) -> tuple[Room, ...]:
    """A workspace for each hand-over of a part, in the order of the program; a smaller last part has room in it too."""
    stream, cores = stream_of(kernel), kernel.schedule.cores
    assert stream is not None
    rooms: list[Room] = []
    for op in hand_overs_of(stream):
        kind = tile_type(op.result)
        element: Attribute = kind.element_type
        held = tile_type(op.operands[0]) if isinstance(op, tile.ExtractOp) else kind
        rooms.append(Workspace(physical(held, BLOCK)[0], element, cores, SLOTS))
    return tuple(rooms)


def hand_overs_of(stream: tile.StreamOp) -> list[tile.ExtractOp | tile.MoveOp]:
    """The ops of a part that take a tile from one kind of core to the other."""
    return [
        op
        for op in stream.body.block.ops
        if isinstance(op, tile.MoveOp)
        or (isinstance(op, tile.ExtractOp) and tile_type(op.source).space.data == "l0c")
    ]


def shared_rows(kernel: tile.KernelOp, target: Target) -> tile.KernelOp:
    """A copy of the kernel whose tiles in UB hold the rows of one Vector core only."""
    stream = stream_of(kernel)
    assert stream is not None
    dim = row_dim(stream)
    rows = kernel.tile_sizes[dim]
    share = share_of(rows, target)
    copy = kernel.clone()

    def narrow(value: SSAValue) -> None:
        kind = value.type
        if isinstance(kind, TileType) and kind.space.data == "ub" and kind.get_shape()[dim] == rows:
            shape = tuple(share if d == dim else n for d, n in enumerate(kind.get_shape()))
            new = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
            value._type = new  # pyright: ignore[reportPrivateUsage]

    for op in copy.walk():
        for result in op.results:
            narrow(result)
        for region in op.regions:
            for argument in region.block.args:
                narrow(argument)
    return copy


__all__ = [
    "LEAD",
    "SLOTS",
    "hand_overs_of",
    "rooms_of_parts",
    "row_dim",
    "share_of",
    "shared_rows",
    "stream_of",
]
