"""Products as `mmadL1`, whose loads of L0 and flags between MTE1 and the Cube are its own.

Loads run ahead from one op into the next: two flags from the Cube to MTE1, one for each half of L0, are raised where
the kernel starts, and each op takes the half that the one before left.
"""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr, i64
from xdsl.ir import SSAValue

from ...dialects.ascend.memory import element_bytes
from ...dialects.hivm import sync
from ...dialects.hivm.transfers import MmadL1Op
from ..hivm.products import OWN, room_of
from ..support.errors import LocatedError
from .handover import BEFORE, modes, order, rounded, whole
from .product_types import Matrix, Product, across
from .writer import HALVES, Writer, known

NONE = -1
"""The id that says that an op has no such flag."""


def _run_ahead(write: Writer) -> bool:
    """Whether loads run ahead of the products of ops before. The bias table is one: where each op fills it, and reads
    it in one part, the next op waits."""
    for first, *others in write.products.at.values():
        if first.bias is not None and (others or (first.once and _parts(write, first)[0] == 1)):
            return False
    return bool(write.products.at)


def hand_halves(write: Writer, start: bool) -> None:
    """Raise the flags of both halves of L0 where a kernel starts, wait for them where it ends."""
    if start and write.products.at:
        write.slots[HALVES] = write.constant(0)
    for event in OWN if _run_ahead(write) else ():
        write.flag(sync.SetFlagOp if start else sync.WaitFlagOp, ("M", "MTE1"), event)


def products(write: Writer, found: Sequence[Product]) -> None:
    """The products of a run. Several are beside each other in the same sums: the Cube waits for FixPipe before the
    first one, and hands over behind the last one."""
    first, last = found[0], found[-1]
    full = None
    if last.unit is not None:
        full = whole(write, (write.at(first.sizes[0]), first.rows), (write.at(last.sizes[2]), last.columns))
    if full is not None:
        with write.when(write.both(write.at(first.init), write.opposite(full))):
            order(write, ("FIX", "M"), BEFORE)
    for one in found:
        _product(write, one, full)
    if last.unit is not None and full is not None:
        with write.when(write.both(write.at(last.unit), write.opposite(full))):
            write.flag(sync.SetFlagOp, ("M", "FIX"), BEFORE)


def _product(write: Writer, one: Product, full: SSAValue | None) -> None:
    """A product, with the flags before and behind it that it has no place for."""
    waits, sets = list(one.waits), list(one.sets)
    wait_a = waits.pop() if waits else None
    set_b = sets.pop(0) if sets and one.bias is None else None
    for event in waits:
        write.flag(sync.WaitFlagOp, ("MTE2", "MTE1"), event)
    m, k, n = (write.at(size) for size in one.sizes)
    ids = [_id(write, event) for event in (wait_a, one.wait_b, one.set_a, set_b)]
    ids += [_turn(write, one), *(write.constant(half if _run_ahead(write) else NONE, i64) for half in OWN)]
    mode, conditions = (None, []) if one.unit is None else modes(write, write.at(one.unit), full)
    if one.unit is not None and write.products.units and known(n) != one.columns:
        n = write.constant(one.columns) if known(n) is not None else rounded(write, n)
    sums = [one.columns // 16, one.rows // 16, 16, 16]
    c = write.part(one.c, sums, [one.c.view.element_strides()[0], 256, 16, 1])
    write.emit(
        MmadL1Op,
        [
            [_matrix(write, one.a)], [_matrix(write, one.b)], [write.at(one.init)], [m], [k], [n], [c], ids,
            conditions,
            [] if one.bias is None else [write.part(one.bias, [one.columns], [1])],
        ],
        a_transpose=UnitAttr() if one.a.turned else None,
        b_transpose=None if one.b.turned else UnitAttr(),
        unit_flag_mode=mode,
    )  # fmt: skip
    for event in sets:
        write.flag(sync.SetFlagOp, ("MTE1", "MTE2"), event)


def _id(write: Writer, event: SSAValue | None) -> SSAValue:
    return write.constant(NONE, i64) if event is None else write.integer(write.number(event), i64)


def _turn(write: Writer, one: Product) -> SSAValue:
    """With which half of L0 the loads begin, times the parts of K: an even number of these ends where it began."""
    parts, halves = _parts(write, one)
    if halves == 1 or not parts % 2:
        return write.constant(NONE, i64)
    current = write.slots[HALVES]
    write.slots[HALVES] = write.insert(arith.SubiOp(write.constant(1), current)).result
    return write.integer(current, i64)


def _parts(write: Writer, one: Product) -> tuple[int, int]:
    """In how many parts of K a product is done, and in how many halves of L0."""
    room, halves = room_of(write.target, element_bytes(one.op.lhs), across(one))
    if not room:
        raise LocatedError(
            one.op, "ascend.mmad: no part of K fits L0 beside all rows and columns, as in mmadL1"
        )
    return -(-one.length // room), halves


def _matrix(write: Writer, one: Matrix) -> SSAValue:
    """An operand in L1, `[blocks, rows / 16, 16, c0]`; rows that are no whole fractals are one long one."""
    c0 = 32 // element_bytes(one.start.view.base)
    inner = one.rows if one.rows % 16 else 16
    return write.part(
        one.start, [one.blocks, one.rows // inner, inner, c0], [one.rows * c0, inner * c0, c0, 1]
    )


__all__ = ["hand_halves", "products"]
