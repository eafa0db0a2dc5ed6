"""What is written of a kernel as HIVM: its ops, what its values are there, and which slot each buffer is at."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type, space_of
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.hivm.attributes import AddressSpace, Event, Pipe
from ...dialects.hivm.base import HivmOp, segment_sizes
from ...dialects.hivm.sync import PipeBarrierOp, PointerCastOp
from ...dialects.hivm.vector import VBrcOp
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from .forms import Trips
from .l0 import Start
from .product_plan import plan_products
from .product_types import Number

OpT = TypeVar("OpT", bound=Operation)

SPACES = {"gm": "gm", "l1": "cbuf", "l0c": "cc", "ub": "ub"}
"""Memories that memrefs of HIVM are in, by their names at the ascend level. Those of L0A and L0B are `mmadL1`'s own."""
MOST_STATED = 8
"""Event ids below this have names."""


HALVES = "halves of L0"
"""Takes turns as the slots of a buffer do."""


class Writer:
    """Appends ops to the innermost open block. `vectors`: how many Vector cores are beside a Cube core, where the
    kernel is their program; else 0."""

    def __init__(self, kernel: ascend.KernelOp, body: Block, target: Target, vectors: int):
        self.kernel, self.target, self.vectors = kernel, target, vectors
        self.products = plan_products(kernel, target)
        self.values: dict[SSAValue, SSAValue] = {}
        self.slots: dict[SSAValue | str, SSAValue] = {}
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

    def at(self, number: Number) -> SSAValue:
        """A number of the kernel, in loops that are at one trip."""
        found = self._at(number.value, number.trips)
        return self.insert(arith.AddiOp(found, self.constant(number.more))).result if number.more else found

    def _at(self, value: SSAValue, trips: Trips) -> SSAValue:
        if value in trips:
            return self.constant(trips[value])
        if value in self.values:
            return self.values[value]
        op = value.owner
        assert isinstance(op, Operation)
        if isinstance(op, arith.ConstantOp):
            return self.once(op.clone(), "constant", op.value)
        return self.insert(op.clone({operand: self._at(operand, trips) for operand in op.operands})).results[
            0
        ]

    def integer(self, value: SSAValue, kind: Attribute) -> SSAValue:
        """An index as an integer, or the other way around."""
        return self.once(arith.IndexCastOp(value, kind), "cast", value, kind)

    # Order

    def flag(self, kind: type[HivmOp], pipes: tuple[str, str], event: SSAValue | int) -> None:
        """A flag between two pipes, whose event is stated where it is known."""
        number = event if isinstance(event, int) else known(event)
        stated = number is not None and number < MOST_STATED
        computed = [] if stated or isinstance(event, int) else [self.integer(self.number(event), i64)]
        self.emit(
            kind, [computed],
            set_pipe=Pipe(f"PIPE_{pipes[0]}"), wait_pipe=Pipe(f"PIPE_{pipes[1]}"),
            static_event_id=Event(f"EVENT_ID{number}") if stated else None,
        )  # fmt: skip

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None, None, None]:
        """What is done where a condition holds."""
        block = Block()
        with self.inside(block):
            yield
            self.insert(scf.YieldOp())
        self.insert(scf.IfOp(condition, [], Region(block)))

    def opposite(self, condition: SSAValue) -> SSAValue:
        return self.insert(arith.XOrIOp(condition, self.constant(1, i1))).result

    def both(self, first: SSAValue, second: SSAValue) -> SSAValue:
        return self.insert(arith.AndIOp(first, second)).result

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
        if kind.element_type == i1:
            raise LocatedError(op, "a byte for each i1 has no form in HIVM, whose i1 are bits")
        total = op.slot_bytes // ELEMENT_BYTES[str(kind.element_type)]
        element = i1 if bits else kind.element_type
        made = MemRefType(element, [total * 8 if bits else total], NoneAttr(), AddressSpace(SPACES[space]))
        self._places[op.result] = [
            self.emit(PointerCastOp, [[self.constant(address, i64)], []], [made]).results[0]
            for address in addresses
        ]
        if op.slot_count > 1:
            self.slots[op.result] = self.constant(0)
        if op.result in self.products.cleared:
            zero = self.constant(0, kind.element_type)
            for place in self._places[op.result]:
                self.emit(VBrcOp, [[zero], [place], []], broadcast_dims=DenseArrayBase.from_list(i64, []))
            self.emit(PipeBarrierOp, pipe=Pipe("PIPE_MTE2"))

    def _holds_bits(self, op: ascend.BufferOp) -> bool:
        """Whether a buffer has bit masks."""
        return str(memref_type(op.result).element_type) == "i8" and any(
            _is_mask(use.operation, view.result)
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

    def load_index(self, op: ascend.LoadIndexOp) -> None:
        """An index that a tensor holds; a negative one counts from the end."""
        if op.part_count:
            raise LocatedError(op, "ascend.load_index: parts of run-time lengths are not written")
        tensor = self.number(op.tensor)
        if len(memref_type(op.tensor).get_shape()) != 1:
            raise LocatedError(op, "ascend.load_index: of a row of indices alone")
        read = self.insert(memref.LoadOp.get(tensor, [self.number(op.at)])).res
        index = self.insert(arith.IndexCastOp(read, IndexType())).result
        below = self.insert(arith.CmpiOp(index, self.constant(0), "slt")).result
        above = self.insert(arith.AddiOp(index, self.constant(op.size.value.data))).result
        self.values[op.result] = self.insert(arith.SelectOp(below, above, index)).result

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

    def part(self, start: Start, sizes: Sequence[int], strides: Sequence[int]) -> SSAValue:
        """Elements behind a place in a buffer."""
        view = start.view
        behind = view.start.value.data + start.behind
        moving: int | SSAValue = behind
        if view.offset is not None:
            moving = self.at(Number(view.offset, start.trips, behind))
        return self._cast(self._base(view), moving, sizes, strides)

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


def _is_mask(op: Operation, value: SSAValue) -> bool:
    """Whether a view is a bit mask of an instruction."""
    if not isinstance(op, ascend.VecOp):
        return False
    kind = VECTOR_INSTRUCTIONS[op.instruction.data].mask
    return (kind == "result" and op.destination is value) or (kind == "first" and op.sources[0] is value)


__all__ = ["HALVES", "Writer", "known"]
