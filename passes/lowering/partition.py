"""Which kinds of cores run a kernel, and what their programs hand to each other.

Where Cube and Vector are one core a kernel is one program. On split chips what has no product runs on the Vector
cores. A product runs on the Cube cores; its result leaves through FixPipe, to the tensor itself where FixPipe can do
what follows, else to the Vector cores beside: through a workspace in GM (`lowering.cores.cube_to_vector_gm`), or where
the chip has a path from L0C to UB, through that (`lowering.cores.cube_to_vector_ub`). What Vector cores lay out for the
Cube core goes through a workspace too, or to L1 itself (`lowering.cores.vector_to_cube`).
"""

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...dialects import tile
from ...dialects.attributes import tensor_type
from ...dialects.element_types import bytes_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, HandOverAttr, layout_of, tile_type
from .base.place import physical
from .base.products import accumulator_of, products_of, steps_of
from .cores.cube_to_vector_gm import rooms_of_operand
from .cores.vector_to_cube import SLOTS
from .product.computed_operand import moved_operand, resident_type
from .product.l1_intermediate import held_elements, stored_chunks
from .product.used_part import yielded
from .rooms import operand_elements
from .stream_hand_overs import hand_overs_of, stream_of
from .transfers.filters import from_vector_cores
from .transfers.table_rows import is_row


@dataclass(frozen=True)
class Partition:
    """The kinds of cores that have a program, and what two programs hand to each other."""

    cores: tuple[str, ...]
    hand_overs: tuple[HandOverAttr, ...] = ()


def plan_partition(source: tile.KernelOp, target: Target) -> Partition:
    """The partition of a kernel."""
    if not target.split:
        return Partition(("core",))
    stream, product = stream_of(source), accumulator_of(source)
    if stream is not None:
        return Partition(("aic", "aiv"), (HandOverAttr.get("part", "gm"),) * len(hand_overs_of(stream)))
    if product is None:
        return Partition(("aiv",))
    first = products_of(source)[0]
    found: list[HandOverAttr] = []
    if not _fixpipe_does(source):
        found.append(HandOverAttr.get("result", "ub" if target.lands else "gm"))
    if moved_operand(first) is not None or (first.window is not None and not _reads_blocks(first)):
        found.append(_operands(source, first, target))
    return Partition(("aic", "aiv") if found else ("aic",), tuple(found))


def _operands(source: tile.KernelOp, product: tile.ContractOp, target: Target) -> HandOverAttr:
    """How feature maps, and filters that are no weights, that Vector cores lay out reach the Cube core: its DMA cannot.
    They go to L1 where Vector cores can write there, with as many slots as leave room for other filters."""
    parts, cross = steps_of(product), target.cross
    assert cross is not None
    if ("ub", "l1") not in target.paths:
        slots = max(SLOTS, min(parts, cross.pending)) if product.schedule.resident is not None else SLOTS
        return HandOverAttr.get("operands", "gm", slots)
    lhs, *right = yielded(product)
    item, beside = bytes_of(tile_type(lhs).element_type), _right_elements(product, right)
    rows = _row_bytes(source)
    if product.schedule.resident is not None:
        whole = physical(resident_type(product), BLOCK)[0]
        rooms = rooms_of_operand(target, parts, whole * item, beside * item, rows)
        return HandOverAttr.get("operands", "l1", rooms)
    elements, others, room = (
        operand_elements(product),
        _held_elements(source),
        target.spaces["l1"].bytes - rows,
    )
    slots = (s for s in (SLOTS, 2, 1) if (s * elements + min(s, 2) * beside + others) * item <= room)
    return HandOverAttr.get("operands", "l1", next(slots, 1))


def _right_elements(product: tile.ContractOp, right: Sequence[SSAValue]) -> int:
    """Elements of L1 of a step's right operands that the Cube core loads itself."""
    first = right[0].owner
    if product.window is not None and from_vector_cores(first):
        return 0
    loads = (tile_type(value) for value in right if isinstance(value.owner, tile.LoadOp))
    return sum(prod(kind.get_shape()) for kind in loads)


def _row_bytes(source: tile.KernelOp) -> int:
    """Bytes of L1 of rows on their way to the tables beside the Cube, or longer than these."""
    rows = (op for op in source.body.walk() if isinstance(op, tile.LoadOp) and is_row(op))
    sizes = ((physical(tile_type(op.result), 1)[0], tensor_type(op.tensor.type).element_type) for op in rows)
    return sum(elements * bytes_of(element) for elements, element in sizes)


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
    return blocked and not from_vector_cores(rhs)


def _fixpipe_does(source: tile.KernelOp) -> bool:
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


__all__ = ["Partition", "plan_partition"]
