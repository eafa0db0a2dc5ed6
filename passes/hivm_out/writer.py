"""What is written of a kernel as HIVM: its ops, what its values are there, and which slot each buffer is at."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type, space_of
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.hivm.attributes import AddressSpace
from ...dialects.hivm.base import HivmOp, segment_sizes
from ...dialects.hivm.sync import PointerCastOp
from ..support.errors import LocatedError

OpT = TypeVar("OpT", bound=Operation)

SPACES = {"gm": "gm", "l1": "cbuf", "l0c": "cc", "ub": "ub"}
"""Memories that memrefs of HIVM are in, by their names at the ascend level. Those of L0A and L0B are `mmadL1`'s own."""


class Writer:
    """Appends ops to the innermost open block. `vectors`: how many Vector cores are beside a Cube core, where the
    kernel is their program; else 0."""

    def __init__(self, kernel: ascend.KernelOp, body: Block, vectors: int):
        self.kernel, self.vectors = kernel, vectors
        self.values: dict[SSAValue, SSAValue] = {}
        self.slots: dict[SSAValue, SSAValue] = {}
        """Of each buffer with slots, the one that its next contents take."""
        self.entry = body
        self.location: Attribute = kernel.location
        self._blocks = [body]
        self._places: dict[SSAValue, list[SSAValue]] = {}
        self._known: list[dict[tuple[object, ...], SSAValue]] = [{}]

    def insert(self, op: OpT) -> OpT:
        op.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        return Builder(InsertPoint.at_end(self._blocks[-1])).insert(op)

    def emit(
        self,
        kind: type[HivmOp],
        groups: Sequence[Sequence[SSAValue]] = (),
        results: Sequence[Attribute] = (),
        **properties: Attribute | None,
    ) -> HivmOp:
        """An op of HIVM with its groups of operands."""
        stated = {name: value for name, value in properties.items() if value is not None}
        if len(kind.GROUPS) > 1:
            stated["operandSegmentSizes"] = segment_sizes([len(group) for group in groups])
        operands = [value for group in groups for value in group]
        return self.insert(kind(operands=[operands], result_types=[list(results)], properties=stated))

    @contextmanager
    def inside(self, block: Block) -> Generator[None, None, None]:
        self._blocks.append(block)
        self._known.append({})
        try:
            yield
        finally:
            self._blocks.pop()
            self._known.pop()

    def once(self, make: Operation, *key: object) -> SSAValue:
        """The result of a pure op, made once for each key where it is visible."""
        for scope in self._known:
            if key in scope:
                return scope[key]
        found = self._known[-1][key] = self.insert(make).results[0]
        return found

    # Numbers

    def number(self, value: SSAValue) -> SSAValue:
        return self.values[value]

    def constant(self, value: float, kind: Attribute | None = None) -> SSAValue:
        """A number of a type, an index where none is stated."""
        kind = kind or IndexType()
        is_float = str(kind).startswith(("f", "bf"))
        attribute = FloatAttr(value, kind) if is_float else IntegerAttr(int(value), kind)  # pyright: ignore
        return self.once(arith.ConstantOp(attribute), "constant", attribute)

    def integer(self, value: SSAValue, kind: Attribute) -> SSAValue:
        """An index as an integer, or the other way around."""
        return self.once(arith.IndexCastOp(value, kind), "cast", value, kind)

    # Memory

    def buffer(self, op: ascend.BufferOp) -> None:
        """A place for each of a buffer's slots."""
        space, bits = space_of(op.result), self._holds_bits(op)
        addresses = op.slot_addresses
        assert addresses is not None
        if space not in SPACES:
            self._places[op.result] = []
            return
        kind = memref_type(op.result)
        total = op.slot_bytes // ELEMENT_BYTES[str(kind.element_type)]
        element = i1 if bits else kind.element_type
        made = MemRefType(element, [total * 8 if bits else total], NoneAttr(), AddressSpace(SPACES[space]))
        self._places[op.result] = [
            self.emit(PointerCastOp, [[self.constant(address, i64)], []], [made]).results[0]
            for address in addresses
        ]
        if op.slot_count > 1:
            self.slots[op.result] = self.constant(0)

    def _holds_bits(self, op: ascend.BufferOp) -> bool:
        """Whether a buffer has bit masks."""
        from .vectors import is_mask

        return str(memref_type(op.result).element_type) == "i8" and any(
            is_mask(use.operation, view.result)
            for each in op.result.uses
            if isinstance(view := each.operation, ascend.ViewOp)
            for use in view.result.uses
        )

    def next_slot(self, op: ascend.NextSlotOp) -> None:
        """Slots follow each other: the number of the next one goes along with loops and conditions."""
        current = self.slots.get(op.buffer)
        if current is None:
            self.values[op.result] = self.constant(0)
            return
        count = len(self._places[op.buffer])
        self.values[op.result] = current
        if count == 2:
            self.slots[op.buffer] = self.insert(arith.SubiOp(self.constant(1), current)).result
            return
        above = self.insert(arith.AddiOp(current, self.constant(1))).result
        self.slots[op.buffer] = self.insert(arith.RemUIOp(above, self.constant(count))).result

    def previous_slot(self, op: ascend.PreviousSlotOp) -> None:
        """The slot before the one that the current contents have."""
        following = self.slots.get(op.buffer)
        count = len(self._places[op.buffer])
        if following is None:
            self.values[op.result] = self.constant(0)
            return
        above = self.insert(arith.AddiOp(following, self.constant(2 * count - 2))).result
        self.values[op.result] = self.insert(arith.RemUIOp(above, self.constant(count))).result

    def _base(self, view: ascend.ViewOp) -> SSAValue:
        """The memref of a whole slot or tensor."""
        if view.base in self.values:
            return self.values[view.base]
        if not isinstance(view.base.owner, ascend.BufferOp):
            raise LocatedError(view, "HIVM has no buffer of one type that is read as another of other width")
        places = self._places[view.base]
        if view.slot is None or len(places) == 1:
            return places[0]
        slot, chosen = self.number(view.slot), places[0]
        for at, place in enumerate(places[1:], 1):
            equal = self.once(arith.CmpiOp(slot, self.constant(at), "eq"), "is", slot, at)
            chosen = self.once(arith.SelectOp(equal, place, chosen), "slot", slot, place)
        return chosen

    def view(
        self,
        value: SSAValue,
        sizes: Sequence[int | SSAValue] | None = None,
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """A view as a memref, in another shape where one is stated. A dimension that is repeated is 1 in it."""
        op = value.owner
        assert isinstance(op, ascend.ViewOp)
        if space_of(value) not in SPACES:
            raise LocatedError(op, f"HIVM has no memref in {space_of(value).upper()}: mmadL1 fills it itself")
        base = self._base(op)
        steps = list(op.element_strides() if strides is None else strides)
        given = list(op.mixed_sizes() if sizes is None else sizes)
        bits = str(memref_type(base).element_type) == "i1"
        times = 8 if bits else 1
        for d, step in enumerate(steps):
            if step == 0:
                given[d], steps[d] = 1, 1
        start = op.start.value.data * times
        moving = None if op.offset is None else self.number(op.offset)
        if moving is not None and start:
            moving = self.insert(arith.AddiOp(moving, self.constant(start))).result
        if bits:
            given = [n * 8 if isinstance(n, int) else self._eightfold(n) for n in given]
        else:
            given = [n if isinstance(n, int) else self.number(n) for n in given]
        return self._cast(base, (start if moving is None else moving), given, steps)

    def _eightfold(self, value: SSAValue) -> SSAValue:
        return self.insert(arith.MuliOp(self.number(value), self.constant(8))).result

    def _cast(
        self, base: SSAValue, offset: int | SSAValue, sizes: Sequence[int | SSAValue], steps: Sequence[int]
    ) -> SSAValue:
        kind = memref_type(base)
        static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes]
        if offset == 0 and list(kind.get_shape()) == static and list(steps) == [1]:
            return base
        layout = StridedLayoutAttr(list(steps), offset if isinstance(offset, int) else NoneAttr())
        made = MemRefType(kind.element_type, static, layout, kind.memory_space)
        computed = [n for n in sizes if not isinstance(n, int)]
        op = memref.ReinterpretCastOp(
            base, [] if isinstance(offset, int) else [offset], computed, [],
            [offset if isinstance(offset, int) else DYNAMIC_INDEX], static, list(steps), made,
        )  # fmt: skip
        return self.once(op, "cast", base, offset, tuple(sizes), tuple(steps))


def known(value: SSAValue) -> int | None:
    """The number that a value is, where it is a constant."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


__all__ = ["Writer", "known"]
