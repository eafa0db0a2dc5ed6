"""`mmadL1`: loads of L0, products and the flags between them, as AscendNPU-IR's public template library has them
(`bishengir/lib/Template/lib/Cube/LocalMmad.cpp`).

L0A and L0B are two halves each, taken in turn by the parts of K that fit. Ids of the flags that order the halves are
the operands', or 0 and 1 where those are -1: then all loads of an op wait for the products before it.
"""

from dataclasses import replace

from xdsl.dialects import scf
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import ascend
from ...dialects.attributes import integer_array
from ...dialects.hivm.base import HivmOp
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from .context import Context
from .numbers import Flag, Idx
from .refs import Ref, memref_of
from .transfers import view_of
from .unit_flags import UnitFlags, in_each_mode, unit_flags

OWN = (0, 1)
"""Ids that order the halves of L0 where the op states none."""
LIBRARY = 7
"""The id by which the library hands over from loads to products; no other flag between these pipes has it."""
FEWEST = 10
"""Fractals of a result below which products on it are ordered by a barrier."""
LESS = 2
"""The predicate of `arith.cmpi`."""


@dataclass(frozen=True)
class _Product:
    """An `mmadL1`: its operands, which of them are transposed, and the ids of its flags."""

    op: HivmOp
    a: Ref
    b: Ref
    c: Ref
    turned: tuple[bool, bool]
    extents: tuple[Idx, Idx, Idx]
    init: Flag
    unit: UnitFlags
    bias: Ref | None
    ids: tuple[Idx, ...]

    @property
    def rows(self) -> int:
        """Rows of the result in L0C, all of which are computed."""
        return _known(self.op, self.c.sizes[1], self.c.sizes[2])

    @property
    def columns(self) -> int:
        return _known(self.op, self.c.sizes[0], self.c.sizes[3])

    @property
    def widest(self) -> int:
        """Rows or columns in L1, whichever are more."""
        (a, b), (left, right) = (self.a.sizes, self.b.sizes), self.turned
        rows = _known(self.op, *((a[0], a[3]) if left else a[1:3]))
        return max(rows, _known(self.op, *(b[1:3] if right else (b[0], b[3]))))

    @property
    def length(self) -> int:
        """K as it lies in L1."""
        return _known(self.op, *(self.a.sizes[1:3] if self.turned[0] else (self.a.sizes[0], self.a.sizes[3])))


def _known(op: Operation, *sizes: Idx) -> int:
    total = 1
    for size in sizes:
        if not isinstance(size, int):
            raise LocatedError(
                op, f"{op.name}: its fractals in L1 and L0C have sizes that are known at run time only"
            )
        total *= size
    return total


def product(context: Context, op: Operation) -> None:
    assert isinstance(op, HivmOp)
    if "enable_HF32" in op.properties or "enable_I4" in op.properties:
        raise LocatedError(op, f"{op.name}: HF32 and i4 are not taken")
    ids = tuple(context.index(value) for value in op.group("sync")) or (-1,) * 7
    turned = "a_transpose" in op.properties, "b_transpose" in op.properties
    a, b, c = (context.ref(op.one(name)) for name in "abc")
    m, k, n = (context.index(op.one(name)) for name in "mkn")
    bias = op.optional("bias")
    found = _Product(
        op, a, b, c, turned, (m, k, n), context.flag(op.one("init")), unit_flags(context, op),
        None if bias is None else context.ref(bias), ids,
    )  # fmt: skip
    if found.unit.on is not False and (isinstance(n, int) or found.unit.on is True) and n != found.columns:
        raise LocatedError(op, f"{op.name}: unit flags of columns that are not whole are not taken")
    if any(len(ref.sizes) != 4 for ref in (found.a, found.b, found.c)):
        raise LocatedError(op, f"{op.name}: its operands are 4-D fractals")
    _multiply(context, found)


def _multiply(context: Context, one: _Product) -> None:
    """The parts of K in turn. How many there are is what their whole length gives; those behind the real K are left
    out where it is known."""
    emit = context.emit
    _, k, n = one.extents
    first = emit.mul(emit.div(one.c.offset, one.c.strides[0]), 16)
    context.columns[one.c.base] = emit.add(first, n)
    room, halves = room_of(context.target, one.a.itemsize, one.widest)
    if not room:
        raise LocatedError(one.op, f"{one.op.name}: no part of K fits L0 beside {one.widest} rows or columns")
    back = [own if _is(given, -1) else given for own, given in zip(OWN, one.ids[5:7], strict=True)]
    own = [_is(given, -1) for given in one.ids[5:7]]
    length = min(one.length, k) if isinstance(k, int) else one.length
    parts = max(-(-length // room), 1)
    for mine, event in zip(own, back, strict=True):
        if mine:
            emit.set_flag("M", "MTE1", event)
    turn = emit.integer("muli", 0 if _is(one.ids[4], -1) else one.ids[4], parts)
    for part in range(parts):
        left = emit.sub(k, part * room)
        size = room if part + 1 < parts else left
        if parts > 1 and not isinstance(k, int):
            size = emit.min(room, emit.integer("maxsi", left, 0))
        half = emit.rem(emit.add(turn, part), 2) if halves == 2 else 0
        _part(context, one, (part, parts), (size, n), (half, halves, room, back))
    for mine, event in zip(own, back, strict=True):
        if mine:
            emit.wait_flag("M", "MTE1", event)


def _is(value: Idx, number: int) -> bool:
    return isinstance(value, int) and value == number


def room_of(target: Target, item: int, widest: int) -> tuple[int, int]:
    """How much of K is in L0 at once beside so many rows or columns of `item` bytes, and in how many halves. None fits:
    0 of K."""
    unit = max(32 // item, 16)
    total = target.spaces["l0a"].bytes // item
    for halves in (2, 1):
        room = total // halves // (-(-widest // unit) * unit) // unit * unit
        if room:
            return room, halves
    return 0, 1


def _part(
    context: Context,
    one: _Product,
    which: tuple[int, int],
    size: tuple[Idx, Idx],
    place: tuple[Idx, int, int, list[Idx]],
) -> None:
    """One part of K: both loads, then the product."""
    emit = context.emit
    (part, parts), (k, n) = which, size
    half, halves, room, back = place
    wait_a, wait_b, done_a, done_b = one.ids[:4]
    event = emit.select(emit.compare(0, half, 0), back[0], back[1]) if halves == 2 else None
    for each in back if event is None else [event]:
        emit.wait_flag("M", "MTE1", each)  # pyright: ignore[reportArgumentType]
    if part == 0 and not _is(wait_a, -1):
        emit.wait_flag("MTE2", "MTE1", wait_a)
    left = _load_left(context, one, part * room, min(room, one.length - part * room), (half, halves))
    if part + 1 == parts and not _is(done_a, -1):
        emit.set_flag("MTE1", "MTE2", done_a)
    if part == 0 and not _is(wait_b, -1):
        emit.wait_flag("MTE2", "MTE1", wait_b)
    right = _load_right(context, one, part * room, min(room, one.length - part * room), (half, halves))
    if part + 1 == parts and not _is(done_b, -1):
        emit.set_flag("MTE1", "MTE2", done_b)
    row = None if one.bias is None or part else _load_bias(context, one, one.bias)
    emit.set_flag("MTE1", "M", LIBRARY)
    emit.wait_flag("MTE1", "M", LIBRARY)
    init = one.init if part == 0 else False
    sums = replace(one.c, sizes=(one.c.sizes[0], one.rows, 16), strides=(one.c.strides[0], 16, 1))
    m = one.extents[0]
    filled = m if isinstance(m, int) and one.rows - 16 < m < one.rows else one.rows
    rows, columns, length = (emit.constant(size) for size in (filled, n, k))
    operands = left, right, view_of(emit, sums), rows, columns, length, emit.constant(init), row
    ends = emit.constant(one.unit.ends if part + 1 == parts else False)
    in_each_mode(
        emit, one.unit.on, lambda unit: emit.insert(ascend.MmadOp(*operands, unit=ends if unit else None))
    )
    _settle(context, one, n)
    for each in back if event is None else [event]:
        emit.set_flag("M", "MTE1", each)  # pyright: ignore[reportArgumentType]


def _settle(context: Context, one: _Product, n: Idx) -> None:
    """A barrier behind a product of few fractals: the next one may add to the same sums."""
    emit = context.emit
    few = emit.compare(LESS, emit.mul(one.rows // 16, n), 16 * FEWEST)
    if few is True:
        emit.barrier("M")
    elif few is not False:
        block = Block()
        with emit.block(block):
            emit.barrier("M")
            emit.give([])
        emit.insert(scf.IfOp(few, [], Region(block)))


def _l0(context: Context, one: _Product, space: str, halves: int) -> SSAValue:
    """L0A or L0B, whose halves are slots."""
    kind = memref_of(one.a.base)
    key = f"{space} {one.a.dtype} {halves}"
    made = context.l0.get(key)
    if made is None:
        total = context.target.spaces[space].bytes
        op = ascend.BufferOp(
            [total // halves // one.a.itemsize], kind.element_type, space, slots=halves, label=space
        )
        op.properties["addresses"] = integer_array(range(0, total, total // halves))
        made = context.l0[key] = context.emit.at_start(op).result
    return made


def _load_bias(context: Context, one: _Product, row: Ref) -> SSAValue:
    """The row that sums start from, in the bias table, as f32: loaded with the first part of K of products that start
    sums."""
    emit = context.emit
    most = context.target.spaces["bt"].bytes // 4
    if one.columns > most:
        raise LocatedError(
            one.op, f"{one.op.name}: a bias of {one.columns} columns: the bias table has {most}"
        )
    key = f"bt {one.columns}"
    made = context.l0.get(key)
    if made is None:
        op = ascend.BufferOp([one.columns], f32, "bt", label="bt")
        op.properties["addresses"] = integer_array([0])
        made = context.l0[key] = emit.at_start(op).result
    n = emit.mul(emit.ceil_div(one.extents[2], row.lanes), row.lanes)  # whole blocks of 32 B
    source = view_of(emit, replace(row, sizes=(n,), strides=(1,)))
    to = emit.view(made, (n,), (1,))
    if one.init is True:
        emit.insert(ascend.CopyOp(source, to))
    elif one.init is not False:
        block = Block()
        with emit.block(block):
            emit.insert(ascend.CopyOp(source, to))
            emit.give([])
        emit.insert(scf.IfOp(one.init, [], Region(block)))
    return emit.view(made, (one.columns,), (1,))


def _load_left(context: Context, one: _Product, start: int, length: int, half: tuple[Idx, int]) -> SSAValue:
    """Rows of the left operand, `[m / 16, k / c0, 16, c0]`."""
    emit, a, c0 = context.emit, one.a, one.a.lanes
    m1, k1 = one.rows // 16, -(-length // c0)
    buffer, slot = _l0(context, one, "l0a", half[1]), (half[0] if half[1] == 2 else None)
    if one.turned[0]:
        k1 = -(-length // 16) * 16 // c0
    to = emit.view(buffer, (m1, k1, 16, c0), (k1 * 16 * c0, 16 * c0, c0, 1), 0, slot)
    _load(context, a, to, (start, length), (one.turned[0], m1 * 16))
    return to


def _load_right(context: Context, one: _Product, start: int, length: int, half: tuple[Idx, int]) -> SSAValue:
    """Columns of the right operand, `[k / c0, n / 16, 16, c0]`."""
    emit, b, c0 = context.emit, one.b, one.b.lanes
    n1, k1 = one.columns // 16, -(-length // c0)
    buffer, slot = _l0(context, one, "l0b", half[1]), (half[0] if half[1] == 2 else None)
    if one.turned[1]:
        to = emit.view(buffer, (k1, n1, 16, c0), (n1 * 16 * c0, 16 * c0, c0, 1), 0, slot)
        _fractals(context, b, to, start, (k1, n1))
        return to
    k1 = -(-length // 16) * 16 // c0
    to = emit.view(buffer, (k1, n1, 16, c0), (n1 * 16 * c0, 16 * c0, c0, 1), 0, slot)
    _load(context, b, to, (start, length), (True, n1 * 16))
    return to


def _load(context: Context, source: Ref, to: SSAValue, k: tuple[int, int], shape: tuple[bool, int]) -> None:
    """Load fractals as a map of one line: `[blocks of columns, 1, rows, c0]`. Where its rows are K the load turns it
    over."""
    emit, c0 = context.emit, source.lanes
    start, length = k
    turned, across = shape
    blocks, _, _, _ = source.sizes
    rows = _known_rows(source)
    used = across // c0 if turned else -(-length // c0)
    first = start * c0 if turned else start // c0 * source.strides[0]
    offset = emit.add(source.offset, first)
    lines = min(rows - start, -(-length // 16) * 16) if turned else min(across, rows)
    assert isinstance(blocks, int)
    map_view = emit.view(
        source.base,
        (min(used, blocks), 1, lines, c0),
        (source.strides[0], lines * c0, c0, 1),
        offset,
        source.slot,
    )
    zero = emit.constant(0)
    emit.insert(
        ascend.Load3dOp(map_view, to, [zero] * 4, zero, zero, (1, 1), (1, 1), (1, 1), transpose=turned)
    )


def _known_rows(source: Ref) -> int:
    rows, inner = source.sizes[1:3]
    assert isinstance(rows, int) and isinstance(inner, int)
    return rows * inner


def _fractals(context: Context, source: Ref, to: SSAValue, start: int, shape: tuple[int, int]) -> None:
    """Fractals as they lie, `[k / c0, n / 16, 16, c0]`: one load where they follow each other, else one for
    each block of K."""
    emit, c0 = context.emit, source.lanes
    k1, n1 = shape
    fractal = 16 * c0
    buffer = to.owner
    assert isinstance(buffer, ascend.ViewOp)
    together = source.strides[0] == n1 * fractal
    for block in range(1 if together else k1):
        count = k1 * n1 if together else n1
        offset = emit.add(source.offset, (start // c0 + block) * source.strides[0])
        part = emit.view(source.base, (count, 16, c0), (fractal, c0, 1), offset, source.slot)
        place = emit.view(buffer.base, (count, 16, c0), (fractal, c0, 1), block * n1 * fractal, buffer.slot)
        emit.insert(ascend.Load2dOp(part, place))


PRODUCTS = {"hivm.hir.mmadL1": product}
