"""Memrefs: buffers at addresses, parts and other shapes of them, tensors of the workspace, single elements."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, NoneAttr, StringAttr, i8
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import ascend
from ...dialects.attributes import integer_array, integers
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.hivm.base import HivmOp
from ...dialects.hivm.beside import AllocWorkspaceOp
from ...dialects.locations import file_location
from ..support.errors import LocatedError
from .context import Context
from .numbers import Idx
from .refs import Ref, dtype_name, memref_of, row_major, space_of
from .scalars import from_memory, to_memory


def pointer_cast(context: Context, op: Operation) -> None:
    """A buffer: the slot of its place that has the address, or in turn with the trips of the loops around it."""
    value = op.results[0]
    kind = memref_of(value)
    place = context.places.of(value)
    assert place is not None
    root = context.places.root(value)
    made = context.buffers.get(root)
    if made is None:
        made = context.buffers[root] = _buffer(
            context, kind, place.elements, place.addresses, buffer_name(op)
        )
    mine = context.places.addresses[op]
    slot: Idx | None = None
    if len(place.addresses) > 1:
        slots = [place.addresses.index(address) for address in mine]
        slot = slots[0]
        if len(slots) > 1:
            turn = _turn(context, len(slots))
            for number in range(1, len(slots)):
                chosen = context.emit.compare(0, turn, number)
                slot = cast(Idx, context.emit.select(chosen, slots[number], slot))
    sizes = kind.get_shape()
    context.values[value] = Ref(made, space_of(kind), dtype_name(kind), sizes, row_major(sizes), slot=slot)


def buffer_name(op: Operation) -> str:
    """What a buffer is called in messages: its name, or the line of the text where it gets its address."""
    hint, place = op.results[0].name_hint, file_location(op.location)
    if hint is not None:
        return f"%{hint}"
    return "pointer_cast" if place is None else f"pointer_cast:{place.line.data}"


def _buffer(
    context: Context, kind: MemRefType[Attribute], elements: int, addresses: Sequence[int], label: str
) -> SSAValue:
    bits = dtype_name(kind) == "i1"
    shape = [-(-elements // 8) if bits else elements]
    op = ascend.BufferOp(
        shape, i8 if bits else kind.element_type, space_of(kind), slots=len(addresses), label=label
    )
    op.properties["addresses"] = integer_array(addresses)
    return context.emit.at_start(op).result


def _turn(context: Context, slots: int) -> Idx:
    """Which of so many slots the trips of the open loops are at: trips of inner ones follow each other."""
    emit = context.emit
    count: Idx = 0
    for loop in context.loops:
        trip = emit.div(emit.sub(loop.index, loop.lower), loop.step)
        count = emit.add(emit.mul(count, loop.count), trip)
    return emit.rem(count, slots)


def _mixed(context: Context, dynamic: Sequence[SSAValue], static: DenseArrayBase) -> tuple[Idx, ...]:
    """Offsets, sizes or strides, of which some are operands."""
    given = iter(dynamic)
    return tuple(context.index(next(given)) if n == DYNAMIC_INDEX else n for n in integers(static))


def subview(context: Context, op: Operation) -> None:
    assert isinstance(op, memref.SubviewOp)
    ref, emit = context.ref(op.source), context.emit
    offsets = _mixed(context, op.offsets, op.static_offsets)
    sizes = _mixed(context, op.sizes, op.static_sizes)
    steps = _mixed(context, op.strides, op.static_strides)
    if not all(isinstance(step, int) for step in steps):
        raise LocatedError(op, "memref.subview: its strides must be known at launch")
    offset = ref.offset
    for at, stride in zip(offsets, ref.strides, strict=True):
        offset = emit.add(offset, emit.mul(at, stride))
    strides = tuple(a * b for a, b in zip(ref.strides, cast(tuple[int, ...], steps), strict=True))
    kept = _kept(sizes, memref_of(op.result).get_shape())
    context.values[op.result] = replace(
        ref, offset=offset, sizes=tuple(sizes[d] for d in kept), strides=tuple(strides[d] for d in kept)
    )


def _kept(sizes: Sequence[Idx], shape: Sequence[int]) -> list[int]:
    """The dimensions that a result of a smaller rank keeps: those left out are 1."""
    kept: list[int] = []
    drop = len(sizes) - len(shape)
    for d, size in enumerate(sizes):
        wanted = shape[len(kept)] if len(kept) < len(shape) else None
        fits = wanted is not None and (wanted == size or (wanted < 0 and not (size == 1 and drop)))
        if fits or not drop:
            kept.append(d)
        else:
            drop -= 1
    return kept


def reinterpret_cast(context: Context, op: Operation) -> None:
    """Elements of a tensor from its first one on, whatever part of it the source is."""
    assert isinstance(op, memref.ReinterpretCastOp)
    ref = context.ref(op.source)
    (offset,) = _mixed(context, op.offsets, op.static_offsets)
    sizes = _mixed(context, op.sizes, op.static_sizes)
    strides = _mixed(context, op.strides, op.static_strides)
    if not all(isinstance(stride, int) for stride in strides):
        raise LocatedError(op, "memref.reinterpret_cast: its strides must be known at launch")
    context.values[op.result] = replace(
        ref, offset=offset, sizes=sizes, strides=cast(tuple[int, ...], strides)
    )


def strided_metadata(context: Context, op: Operation) -> None:
    """A buffer or tensor as a whole, and the numbers by which a memref is a part of it."""
    assert isinstance(op, memref.ExtractStridedMetaDataOp)
    ref = context.ref(op.source)
    context.values[op.base_buffer] = replace(ref, sizes=(), strides=(), offset=0)
    numbers = (ref.offset, *ref.sizes, *ref.strides)
    context.values.update(zip(op.results[1:], numbers, strict=True))


def cast_shape(context: Context, op: Operation) -> None:
    """The same elements, of which the type says less or more."""
    context.values[op.results[0]] = context.ref(op.operands[0])


def collapse(context: Context, op: Operation) -> None:
    """Dimensions that lie behind each other as one."""
    assert isinstance(op, memref.CollapseShapeOp)
    ref = context.ref(op.src)
    sizes: list[Idx] = []
    strides: list[int] = []
    for group in _groups(op.reassociation):
        size: Idx = 1
        for d in group:
            size = context.emit.mul(size, ref.sizes[d])
        sizes.append(size)
        inner = [ref.strides[d] for d in group if ref.sizes[d] != 1]
        strides.append(inner[-1] if inner else 1)
    context.values[op.result] = replace(ref, sizes=tuple(sizes), strides=tuple(strides))


def expand(context: Context, op: Operation) -> None:
    """One dimension as several."""
    assert isinstance(op, memref.ExpandShapeOp)
    ref = context.ref(op.src)
    shape = _mixed(context, op.output_shape, op.static_output_shape)
    strides: list[Idx] = [0] * len(shape)
    for source, group in enumerate(_groups(op.reassociation)):
        step: Idx = ref.strides[source]
        for d in reversed(group):
            strides[d] = step
            step = context.emit.mul(step, shape[d])
    if not all(isinstance(stride, int) for stride in strides):
        raise LocatedError(op, "memref.expand_shape: its strides must be known at launch")
    context.values[op.result] = replace(ref, sizes=shape, strides=tuple(cast("list[int]", strides)))


def _groups(reassociation: Attribute) -> list[list[int]]:
    return [[one.value.data for one in group.data] for group in reassociation.data]  # pyright: ignore


def workspace(context: Context, op: Operation) -> None:
    """The part of a workspace tensor that a block has."""
    assert isinstance(op, AllocWorkspaceOp)
    value = op.results[0]
    kind = memref_of(value)
    tensor = context.workspaces[workspace_key(context, op)]
    sizes = kind.get_shape()
    strides = row_major(sizes)
    total = sizes[0] * strides[0] if sizes else 1
    offset = context.emit.mul(context.block, total)
    context.values[value] = Ref(tensor, "gm", dtype_name(kind), sizes, strides, offset)


def workspace_key(context: Context, op: AllocWorkspaceOp) -> tuple[int, Attribute]:
    """Where a block's part of a workspace tensor begins, bytes, and what it is."""
    offsets = op.group("offset")
    start = context.known(offsets[0], "where a workspace tensor begins") if offsets else 0
    kind = memref_of(op.results[0])
    return start, MemRefType(kind.element_type, kind.get_shape())


def workspace_type(kind: MemRefType[Attribute], blocks: int) -> MemRefType[Attribute]:
    """The tensor in GM that has the parts of all blocks."""
    total = blocks
    for size in kind.get_shape():
        total *= size
    return MemRefType(kind.element_type, [total], NoneAttr(), StringAttr("gm"))


def element(context: Context, op: Operation, memory: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
    """A view of one element."""
    ref, emit = context.ref(memory), context.emit
    if ref.dtype == "i1":
        raise LocatedError(op, f"{op.name}: single bits are not taken")
    offset = ref.offset
    for index, stride in zip(indices, ref.strides, strict=True):
        offset = emit.add(offset, emit.mul(context.index(index), stride))
    return emit.view(ref.base, (1,), (1,), offset, ref.slot)


def load_element(context: Context, op: Operation) -> None:
    assert isinstance(op, memref.LoadOp)
    view = element(context, op, op.memref, op.indices)
    read = context.emit.insert(ascend.LoadScalarOp(view)).result
    context.values[op.res] = from_memory(context, read)


def store_element(context: Context, op: Operation) -> None:
    assert isinstance(op, memref.StoreOp)
    view = element(context, op, op.memref, op.indices)
    number = to_memory(context, context.number(op.value), memref_of(op.memref).element_type)
    context.emit.insert(ascend.StoreScalarOp(number, view))


def bitcast(context: Context, op: Operation) -> None:
    """The same bytes under another type of the same size."""
    assert isinstance(op, HivmOp)
    source, result = op.operands[0], op.results[0]
    if source not in context.values or not isinstance(context.values[source], Ref):
        raise LocatedError(op, f"{op.name}: taken of memrefs alone")
    ref, kind = context.ref(source), memref_of(result)
    dtype = dtype_name(kind)
    if ELEMENT_BYTES.get(dtype) != ref.itemsize or "i1" in (dtype, ref.dtype):
        raise LocatedError(op, f"{op.name}: from {ref.dtype} to {dtype} is not taken")
    context.values[result] = retyped(context, ref, kind.element_type)


def retyped(context: Context, ref: Ref, kind: Attribute) -> Ref:
    """The bytes of a ref as elements of another type: of one of another width where they follow each other."""
    dtype = str(kind)
    times = Fraction(ref.itemsize, ELEMENT_BYTES[dtype])
    shape = memref_of(ref.base).get_shape()
    made = MemRefType(kind, (*shape[:-1], int(shape[-1] * times)), NoneAttr(), StringAttr(ref.space))
    base = context.emit.pure(lambda: ascend.BitcastOp(ref.base, made), ascend.BitcastOp, ref.base, made)
    if times == 1:
        return replace(ref, base=base, dtype=dtype)
    sizes = (*ref.sizes[:-1], _scaled(context, ref.sizes[-1], times))
    strides = (*(int(step * times) for step in ref.strides[:-1]), 1)
    offset = _scaled(context, ref.offset, times)
    return replace(ref, base=base, dtype=dtype, sizes=sizes, strides=strides, offset=offset)


def _scaled(context: Context, number: Idx, times: Fraction) -> Idx:
    return context.emit.div(context.emit.mul(number, times.numerator), times.denominator)


MEMORY = {
    "hivm.hir.pointer_cast": pointer_cast,
    "hivm.hir.bitcast": bitcast,
    "memref.subview": subview,
    "memref.reinterpret_cast": reinterpret_cast,
    "memref.extract_strided_metadata": strided_metadata,
    "memref.cast": cast_shape,
    "memref.collapse_shape": collapse,
    "memref.expand_shape": expand,
    "memref.load": load_element,
    "memref.store": store_element,
    "memref_ext.alloc_workspace": workspace,
}
