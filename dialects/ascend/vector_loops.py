"""Loops of vector functions: of instructions over the same elements, one behind the other, an element stays in a
register from the one that gives or loads it to those that take it. It is stored where what follows may read it.

    ascend.vec "vmul"(%x, %x) -> %t                    loads %x; %t is written once more
    ascend.vec "vadds"(%t) -> %t scalar 1.0 {looped}   stores nothing where %t is of this loop alone
    ascend.vec "vdiv"(%x, %t) -> %y {looped}           stores %y
"""

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, SSAValue

from ..element_types import ELEMENT_BYTES
from ..isa import VECTOR_INSTRUCTIONS
from ..records import dataclass
from .instructions import CopyOp, VecOp
from .memory import BufferOp, ViewOp, dtype_of, memref_type, rank_of
from .slots import NextSlotOp


@dataclass(frozen=True)
class Place:
    """Elements of a buffer: those with equal fields are the same ones. `sizes` holds numbers and SSA values."""

    base: SSAValue
    start: int = 0
    slot: SSAValue | None = None
    offset: SSAValue | None = None
    sizes: tuple[int | SSAValue, ...] = ()
    itemsize: int = 0


def place_of(value: SSAValue) -> Place:
    """What an operand of an instruction is."""
    itemsize, op = ELEMENT_BYTES[dtype_of(value)], value.owner
    if not isinstance(op, ViewOp):
        return Place(value, sizes=tuple(memref_type(value).get_shape()), itemsize=itemsize)
    return Place(op.base, op.start.value.data, op.slot, op.offset, tuple(op.mixed_sizes()), itemsize)


def elements_of(op: VecOp) -> tuple[int | SSAValue, int] | None:
    """Elements that an instruction runs over, and bytes of the widest; None: it cannot be in a loop with others, for it
    reduces, has a mask or does not work in counter mode."""
    known = VECTOR_INSTRUCTIONS[op.instruction.data]
    if known.reduces or known.mask or op.number is not None or rank_of(op.destination) != 1:
        return None
    places = [place_of(value) for value in op.operands]
    return places[-1].sizes[0], max(place.itemsize for place in places)


def fits(op: VecOp, loop: Sequence[VecOp], depth: int) -> bool:
    """Whether an instruction may be in the loop of those before it, of `depth` instructions at most: over as many
    elements, and nothing but the same elements is both written and touched."""
    if not loop or len(loop) >= depth:
        return False
    over = elements_of(op)
    if over is None or over != elements_of(loop[0]):
        return False
    written = place_of(op.destination)
    for one in loop:
        if not all(_apart(written, place_of(value)) for value in one.operands):
            return False
        if not all(_apart(place_of(one.destination), place_of(value)) for value in op.sources):
            return False
    return True


def _apart(one: Place, other: Place) -> bool:
    """Whether two places have no byte in common, or all of them element by element."""
    if one.base is other.base:
        return one == other or (one.slot is other.slot and _disjoint(one, other))
    if not (isinstance(one.base.owner, BufferOp) and isinstance(other.base.owner, BufferOp)):
        return True  # what cores share has memory of its own
    ours, theirs = one.base.owner, other.base.owner
    if ours.slot_addresses is None or theirs.slot_addresses is None:
        return True
    return all(
        a + ours.slot_bytes <= b or b + theirs.slot_bytes <= a
        for a in ours.slot_addresses
        for b in theirs.slot_addresses
    )


def _disjoint(one: Place, other: Place) -> bool:
    """Whether two places at known distances from one start of a buffer have no element in common."""
    if one.offset is not other.offset:
        return False
    first, last = sorted((one, other), key=lambda place: place.start)
    count = first.sizes[0]
    return isinstance(count, int) and first.start + count <= last.start


def loops_of(block: Block) -> Iterator[list[VecOp]]:
    """The loops of several instructions in a block."""
    loop: list[VecOp] = []
    for op in block.ops:
        if isinstance(op, VecOp):
            if op.looped is None:
                if len(loop) > 1:
                    yield loop
                loop = []
            loop.append(op)
    if len(loop) > 1:
        yield loop


def accesses_of(block: Block) -> dict[Operation, int]:
    """Loads from UB and stores to it in each repeat, of every instruction of a loop of several ones."""
    order = {op: i for i, op in enumerate(block.ops)}
    found: dict[Operation, int] = {}
    for loop in loops_of(block):
        held: set[Place] = set()
        written = [place_of(op.destination) for op in loop]
        for i, op in enumerate(loop):
            loads = {place_of(value) for value in op.sources} - held
            held |= {*loads, written[i]}
            again = written[i] in written[i + 1 :]
            found[op] = len(loads) + (not again and not _dies(written[i].base, loop[-1], order))
    return found


def _dies(base: SSAValue, last: Operation, order: dict[Operation, int]) -> bool:
    """Whether nothing reads a buffer behind a loop that ends with `last`, before it is written anew."""
    if not isinstance(base.owner, BufferOp):
        return False
    users: list[Operation] = []
    for use in base.uses:
        if isinstance(use.operation, ViewOp):
            users += [one.operation for one in use.operation.result.uses]
        elif not isinstance(use.operation, NextSlotOp):
            users.append(use.operation)
    if not all(user in order for user in users):
        return False
    behind = order[last]
    first = min(users, key=order.__getitem__)
    return not _reads(first, base) and not any(_reads(user, base) for user in users if order[user] > behind)


def _reads(user: Operation, base: SSAValue) -> bool:
    """Whether a user of a buffer may read it."""
    match user:
        case VecOp():
            return any(place_of(value).base is base for value in user.vectors)
        case CopyOp():
            return place_of(user.source).base is base
        case _:
            return True


__all__ = ["accesses_of", "elements_of", "fits", "loops_of", "place_of"]
