"""A `tile.kernel` on a chip whose Cube and Vector are cores of their own: one program for each kind that it needs.

What has no product runs on the Vector cores. A product runs on the Cube cores; its result leaves through FixPipe, to
the tensor itself where FixPipe can do what follows, else to the Vector cores beside: through a workspace in GM
(`lowering.cores.cube_to_vector_gm`), or where the chip has a path from L0C to UB, through that (`landing`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects import ascend, tile
from ...dialects.attributes import tensor_type
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, layout_of, tile_type
from ..memory.space_problem import fits
from .base.place import physical
from .base.products import accumulator_of, products_of, steps_of
from .base.tiling_function import tiling_function
from .cores.cube_to_vector_gm import Workspace, rooms_of_operand, workspace_of
from .cores.cube_to_vector_ub import Landing, halves_of
from .cores.vector_to_cube import OPERANDS, SLOTS, FeedRoom, left_elements
from .kernel import KernelLowering, Room
from .product.computed_operand import moved_operand, resident_type
from .product.l1_intermediate import held_elements, stored_chunks
from .product.used_part import yielded
from .stream_partition import lower_streamed, stream_of
from .transfers.filters import filter_elements
from .transfers.load import is_row


@dataclass(frozen=True)
class Lowered:
    """The kernels of one launch, and where they meet: their last arguments. `tiling`: the function that gives them the
    numbers of a dynamic extent."""

    kernels: tuple[ascend.KernelOp, ...]
    workspaces: tuple[Room, ...] = ()
    tiling: FuncOp | None = None

    @property
    def made(self) -> tuple[Operation, ...]:
        """What the module gets."""
        return self.kernels if self.tiling is None else (*self.kernels, self.tiling)


def lower_kernel(source: tile.KernelOp, target: Target) -> Lowered:
    """The programs of one `tile.kernel`."""
    tiling = tiling_function(source) if source.factor else None
    if not target.split and accumulator_of(source) is None and stream_of(source) is None:
        return Lowered((_vector(source, target),), tiling=tiling)
    if not target.split:
        lowering = KernelLowering(source, target)
        kernel = lowering.run()
        if lowering.fetched_ahead and not fits(kernel, target):
            kernel = KernelLowering(source, target, ahead=False).run()
        return Lowered((kernel,), tiling=tiling)
    if stream_of(source) is not None:
        return Lowered(*lower_streamed(source, target))
    product = accumulator_of(source)
    if product is None:
        return Lowered((_vector(source, target, "aiv"),), tiling=tiling)
    first = products_of(source)[0]
    fed = moved_operand(first) is not None or (first.window is not None and not _reads_blocks(first))
    straight = fixpipe_does(source)
    if straight and not fed:
        return Lowered((KernelLowering(source, target, "aic").run(),), tiling=tiling)
    workspaces: list[Room] = []
    if not straight:
        workspaces.append(_landing(source, product, target) or workspace_of(source, product))
    if fed:
        workspaces.append(_feed(source, first, target))
    cube, vector = (KernelLowering(source, target, core, workspaces) for core in ("aic", "aiv"))
    sides = cube.run(), vector.run()
    if vector.fetched_ahead and not fits(sides[1], target, _taken(workspaces)):
        sides = sides[0], KernelLowering(source, target, "aiv", workspaces, ahead=False).run()
    return Lowered(sides, tuple(workspaces), tiling)


def _vector(source: tile.KernelOp, target: Target, core: str | None = None) -> ascend.KernelOp:
    """The program of a kernel without a product: with what its tiles share in UB all the time, where that has room."""
    lowering = KernelLowering(source, target, core)
    kernel = lowering.run()
    if lowering.shared and not fits(kernel, target):
        return KernelLowering(source, target, core, shares=False).run()
    return kernel


def _taken(rooms: Sequence[Room]) -> dict[str, int]:
    """Bytes of each memory that the rooms in which cores meet take of it."""
    found: dict[str, int] = {}
    for kind in (room.type for room in rooms):
        space = kind.memory_space
        if isinstance(space, StringAttr) and space.data != "gm":
            size = prod(kind.get_shape()) * ELEMENT_BYTES[str(kind.element_type)]
            found[space.data] = found.get(space.data, 0) + size
    return found


def _landing(source: tile.KernelOp, product: tile.ContractOp, target: Target) -> Landing | None:
    """Room in UB for tiles of the product, where FixPipe can write there."""
    if not target.lands:
        return None
    chunks = stored_chunks(source)
    return Landing(halves_of(product, chunks), workspace_of(source, product).dtype)


def _feed(source: tile.KernelOp, product: tile.ContractOp, target: Target) -> Workspace | FeedRoom:
    """Room for feature maps, and filters that are no weights, that Vector cores lay out for the Cube core: its DMA
    cannot. It is in L1 where Vector cores can write there, with as many slots as leave room for other filters."""
    elements = left_elements(product)
    lhs, *right = (value.owner for value in yielded(product))
    rhs = right[0]
    if product.window is not None and isinstance(rhs, tile.LoadOp) and rhs.packed is None:
        elements += filter_elements(tile_type(rhs.result))
        beside = 0
    else:
        loads = [tile_type(one.result) for one in right if isinstance(one, tile.LoadOp)]
        beside = sum(prod(kind.get_shape()) for kind in loads)
    assert isinstance(lhs, tile.LoadOp | tile.MoveOp)
    kind = tile_type(lhs.result)
    parts, cross = steps_of(product), target.cross
    assert cross is not None
    if ("ub", "l1") in target.paths and product.resident is not None:
        whole, item = physical(resident_type(product), BLOCK)[0], ELEMENT_BYTES[str(kind.element_type)]
        rooms = rooms_of_operand(target, parts, whole * item, beside * item, _row_bytes(source))
        return FeedRoom(whole, kind.element_type, rooms)
    if ("ub", "l1") in target.paths:
        item, others = ELEMENT_BYTES[str(kind.element_type)], _held_elements(source)
        room = target.spaces["l1"].bytes - _row_bytes(source)
        slots = (s for s in (SLOTS, 2, 1) if (s * elements + min(s, 2) * beside + others) * item <= room)
        return FeedRoom(elements, kind.element_type, next(slots, 1))
    slots = max(SLOTS, min(parts, cross.pending)) if product.resident is not None else SLOTS
    return Workspace(elements, kind.element_type, source.cores.value.data, slots, OPERANDS)


def _row_bytes(source: tile.KernelOp) -> int:
    """Bytes of L1 of rows on their way to the tables beside the Cube, or longer than these."""
    rows = (op for op in source.body.walk() if isinstance(op, tile.LoadOp) and is_row(op))
    sizes = ((physical(tile_type(op.result), 1)[0], tensor_type(op.tensor.type).element_type) for op in rows)
    return sum(elements * ELEMENT_BYTES[str(element)] for elements, element in sizes)


def _held_elements(source: tile.KernelOp) -> int:
    """Elements of L1 that products take which read what another one gives: that, and two steps of filters."""
    total = 0
    for op in source.body.block.ops:
        if isinstance(op, tile.ChunksOp) and op.held is not None:
            total += held_elements(tile_type(op.held))
    for product in products_of(source)[1:]:
        total += 2 * prod(tile_type(yielded(product)[1]).get_shape())
    return total


def _reads_blocks(product: tile.ContractOp) -> bool:
    """Whether a convolution's operands lie in GM as in L1."""
    lhs, rhs = (value.owner for value in yielded(product))
    blocked = isinstance(lhs, tile.LoadOp) and layout_of(lhs.tensor.type) is not None
    return blocked and isinstance(rhs, tile.LoadOp) and rhs.packed is not None


def fixpipe_does(source: tile.KernelOp) -> bool:
    """Whether the result is what leaves the accumulator, and rows of the matrix are the result's rows."""
    chunks = stored_chunks(source)
    body: list[Operation] = [
        op for op in chunks.body.block.ops if not isinstance(op, arith.ConstantOp | arith.AddiOp)
    ]
    if len(body) != 2 or not isinstance(body[0], tile.ExtractOp) or not isinstance(body[1], tile.StoreOp):
        return False
    kind, stored = tile_type(body[0].result), tile_type(body[1].tile)
    straight = kind.blocked == len(kind.get_shape()) - 1 or layout_of(body[1].tensor.type) is not None
    return straight and kind.element_type == stored.element_type and body[1].lead is None
