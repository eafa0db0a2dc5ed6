"""Builds the `ascend` ops of a kernel from HIVM: folded arithmetic, loops, conditions, buffers and views."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, f32, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import ascend
from ...dialects.target_types import Target
from .numbers import FLOAT, INTEGER, NEUTRAL, PREDICATES, Flag, Idx, Number, Real, single

OpT = TypeVar("OpT", bound=Operation)


class Emitter:
    """Appends ops to the innermost open block; `location` is that of the HIVM op that they come from."""

    def __init__(self, kernel: ascend.KernelOp, target: Target):
        self.kernel = kernel
        self.target = target
        self.location: Attribute = kernel.location
        self._entry = kernel.body.block
        self._head: Operation | None = None
        self._blocks = [self._entry]
        self._constants: dict[tuple[str, str], SSAValue] = {}
        self._known: list[dict[tuple[object, ...], SSAValue]] = [{}]

    def insert(self, op: OpT) -> OpT:
        op.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        return Builder(InsertPoint.at_end(self._blocks[-1])).insert(op)

    def at_start(self, op: OpT) -> OpT:
        """Insert at the kernel's start, behind what was put there before."""
        op.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        if self._head is not None:
            self._entry.insert_op_after(op, self._head)
        elif self._entry.first_op is not None:
            self._entry.insert_op_before(op, self._entry.first_op)
        else:
            self._entry.add_op(op)
        self._head = op
        return op

    def pure(self, make: Callable[[], Operation], *key: object) -> SSAValue:
        """The result of a pure op, made once for each key where it is visible."""
        for scope in self._known:
            if key in scope:
                return scope[key]
        found = self._known[-1][key] = self.insert(make()).results[0]
        return found

    # Numbers

    def constant(self, value: Number) -> SSAValue:
        """A number as a value; constants are made once, at the kernel's start."""
        if isinstance(value, SSAValue):
            return value
        key = type(value).__name__, repr(value)
        if key not in self._constants:
            if isinstance(value, bool):
                attribute: IntegerAttr | FloatAttr = IntegerAttr(int(value), i1)
            elif isinstance(value, int):
                attribute = IntegerAttr(value, IndexType())
            else:
                attribute = FloatAttr(value, f32)
            self._constants[key] = self.at_start(arith.ConstantOp(attribute)).result
        return self._constants[key]

    def integer(self, name: str, a: Idx, b: Idx) -> Idx:
        """`arith.<name>` of two indices."""
        kind, compute = INTEGER[name]
        if isinstance(a, int) and isinstance(b, int):
            return compute(a, b)
        if isinstance(b, int) and NEUTRAL.get(name) == b:
            return a
        if isinstance(a, int) and (a, name) in ((0, "addi"), (1, "muli"), (0, "ori"), (0, "xori")):
            return b
        if name == "muli" and 0 in (a, b):
            return 0
        if name in ("remsi", "remui") and b == 1:
            return 0
        if a is b and name in ("minsi", "maxsi", "minui", "maxui"):
            return a
        first, second = self.constant(a), self.constant(b)
        return self.pure(lambda: kind(first, second), kind, first, second)  # pyright: ignore[reportCallIssue]

    def add(self, a: Idx, b: Idx) -> Idx:
        return self.integer("addi", a, b)

    def sub(self, a: Idx, b: Idx) -> Idx:
        return 0 if a is b else self.integer("subi", a, b)

    def mul(self, a: Idx, b: Idx) -> Idx:
        return self.integer("muli", a, b)

    def div(self, a: Idx, b: Idx) -> Idx:
        """Rounded down."""
        return self.integer("floordivsi", a, b)

    def ceil_div(self, a: Idx, b: Idx) -> Idx:
        return self.integer("ceildivsi", a, b)

    def rem(self, a: Idx, b: Idx) -> Idx:
        """Of numbers that are not negative."""
        return self.integer("remui", a, b)

    def min(self, a: Idx, b: Idx) -> Idx:
        return self.integer("minsi", a, b)

    def real(self, name: str, a: Real, b: Real) -> Real:
        """`arith.<name>` of two floats."""
        kind, compute = FLOAT[name]
        if not isinstance(a, SSAValue) and not isinstance(b, SSAValue):
            return single(compute(a, b))
        first, second = self.constant(a), self.constant(b)
        return self.pure(lambda: kind(first, second), kind, first, second)  # pyright: ignore[reportCallIssue]

    def compare(self, predicate: int, a: Number, b: Number) -> Flag:
        """`arith.cmpi` of two indices or conditions."""
        name, compute = PREDICATES[predicate]
        if not isinstance(a, SSAValue) and not isinstance(b, SSAValue):
            return compute(a, b)
        if a is b:
            return bool(compute(0, 0))
        first, second = self.constant(a), self.constant(b)
        return self.pure(lambda: arith.CmpiOp(first, second, name), "cmpi", name, first, second)

    def logic(self, name: str, a: Flag, b: Flag) -> Flag:
        """`arith.andi`, `ori`, `xori` of two conditions."""
        kind, compute = INTEGER[name]
        if isinstance(a, bool) and isinstance(b, bool):
            return bool(compute(a, b))
        if isinstance(a, bool):
            a, b = b, a
        if isinstance(b, bool):
            if name == "andi":
                return a if b else False
            if name == "ori":
                return True if b else a
            if not b:
                return a
        first, second = self.constant(a), self.constant(b)
        return self.pure(lambda: kind(first, second), kind, first, second)  # pyright: ignore[reportCallIssue]

    def select(self, condition: Flag, then: Number, other: Number) -> Number:
        if isinstance(condition, bool):
            return then if condition else other
        if then is other or (not isinstance(then, SSAValue) and then == other):
            return then
        first, second = self.constant(then), self.constant(other)
        return self.pure(lambda: arith.SelectOp(condition, first, second), "select", condition, first, second)

    def visible(self, value: Number) -> bool:
        """Whether a number may be used here."""
        return not isinstance(value, SSAValue) or self._block_of(value) in self._blocks

    def _block_of(self, value: SSAValue) -> Block | None:
        return value.owner if isinstance(value.owner, Block) else value.owner.parent

    # Structure

    @contextmanager
    def _inside(self, block: Block) -> Generator[Block, None, None]:
        self._blocks.append(block)
        self._known.append({})
        try:
            yield block
        finally:
            self._blocks.pop()
            self._known.pop()

    @contextmanager
    def loop(
        self, bounds: tuple[Idx, Idx, Idx], carried: Sequence[Number] = ()
    ) -> Generator[tuple[SSAValue, scf.ForOp], None, None]:
        """`scf.for` with values that its trips hand on; who opens it yields them."""
        start = [self.constant(value) for value in carried]
        block = Block(arg_types=[IndexType(), *(value.type for value in start)])
        lower, upper, step = (self.constant(one) for one in bounds)
        op = self.insert(scf.ForOp(lower, upper, step, start, Region(block)))
        with self._inside(block):
            yield block.args[0], op
            if not carried:
                self.insert(scf.YieldOp())

    @contextmanager
    def repeated(self, count: Idx) -> Generator[Idx, None, None]:
        """What is done `count` times, with the number of each; one time is no loop."""
        if count == 1:
            yield 0
            return
        with self.loop((0, count, 1)) as (index, _):
            yield index

    @contextmanager
    def block(self, block: Block) -> Generator[Block, None, None]:
        """Append to a block of an op that is made by hand."""
        with self._inside(block):
            yield block

    def give(self, values: Sequence[Number]) -> None:
        """End a loop's or a condition's block with what it hands on."""
        self.insert(scf.YieldOp(*(self.constant(value) for value in values)))

    # Memory

    def view(
        self,
        base: SSAValue,
        sizes: Sequence[Idx],
        strides: Sequence[int],
        offset: Idx = 0,
        slot: Idx | None = None,
    ) -> SSAValue:
        """Elements `offset + sum(i * stride)` of a buffer's slot or of a tensor."""
        moving = None if isinstance(offset, int) else offset
        start = offset if isinstance(offset, int) else 0
        in_slot = None if slot is None else self.constant(slot)
        return self.pure(
            lambda: ascend.ViewOp(base, tuple(sizes), tuple(strides), moving, start, in_slot),
            ascend.ViewOp, base, tuple(sizes), tuple(strides), moving, start, in_slot,
        )  # fmt: skip

    # Order

    def set_flag(self, source: str, destination: str, event: Idx) -> None:
        self.insert(ascend.SetFlagOp(source, destination, self.constant(event)))

    def wait_flag(self, source: str, destination: str, event: Idx) -> None:
        self.insert(ascend.WaitFlagOp(source, destination, self.constant(event)))

    def barrier(self, pipe: str) -> None:
        self.insert(ascend.BarrierOp(pipe))
