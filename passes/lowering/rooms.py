"""Where the cores of a group meet, as `hand_overs` of a kernel say: workspaces in GM, and buffers of the group."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import StringAttr

from ...dialects import tile
from ...dialects.element_types import bytes_of
from ...dialects.tile import BLOCK, HandOverAttr, tile_type
from .base.place import physical
from .base.products import accumulator_of, products_of
from .cores.cube_to_vector_gm import Workspace, workspace_of
from .cores.cube_to_vector_ub import Landing, halves_of
from .cores.vector_to_cube import OPERANDS, FeedRoom, left_elements
from .product.computed_operand import resident_type
from .product.l1_intermediate import stored_chunks
from .product.used_part import yielded
from .transfers.filters import filter_elements, from_vector_cores

Room = Workspace | Landing | FeedRoom
"""Where cores of a group meet."""


def room_of(source: tile.KernelOp, hand_over: HandOverAttr) -> Room:
    """The room for what a kernel with products hands over."""
    if hand_over.what == "operands":
        return _operand_room(source, products_of(source)[0], hand_over)
    product = accumulator_of(source)
    assert product is not None
    workspace = workspace_of(source, product)
    if hand_over.through == "gm":
        return workspace
    return Landing(halves_of(product, stored_chunks(source)), workspace.dtype)


def _operand_room(source: tile.KernelOp, product: tile.ContractOp, hand_over: HandOverAttr) -> Room:
    dtype, slots = tile_type(yielded(product)[0]).element_type, hand_over.slots
    if hand_over.through == "l1" and product.schedule.resident is not None:
        return FeedRoom(physical(resident_type(product), BLOCK)[0], dtype, slots)
    if hand_over.through == "l1":
        return FeedRoom(operand_elements(product), dtype, slots)
    return Workspace(operand_elements(product), dtype, source.schedule.cores, slots, OPERANDS)


def operand_elements(product: tile.ContractOp) -> int:
    """Elements of what Vector cores lay out for a step of a product: its left operand, and filters that are no
    weights."""
    filters = product.window is not None and from_vector_cores(yielded(product)[1].owner)
    return left_elements(product) + (filter_elements(tile_type(yielded(product)[1])) if filters else 0)


def taken(rooms: Sequence[Room]) -> dict[str, int]:
    """Bytes of each on-chip memory that rooms take of it."""
    found: dict[str, int] = {}
    for kind in (room.type for room in rooms):
        space = kind.memory_space
        if isinstance(space, StringAttr) and space.data != "gm":
            size = prod(kind.get_shape()) * bytes_of(kind.element_type)
            found[space.data] = found.get(space.data, 0) + size
    return found


__all__ = ["Room", "operand_elements", "room_of", "taken"]
