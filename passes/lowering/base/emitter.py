"""Builds `ascend` ops: folded index arithmetic, loops, buffers, views.

An index is an `Idx`: a Python int where it is known, an SSA value where it is not, so that code for a
static tile carries no arithmetic at all.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import ascend
from ....dialects.attributes import tensor_type
from ....dialects.records import dataclass
from ....dialects.shared_attributes import INDEX, memory_type
from ....dialects.target_types import Target
from ....dialects.tile import physical_shape
from ...support.index_ops import arithmetic, comparison, index_constant
from ...support.indices import Idx

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Generation:
    """One generation of a buffer: the buffer and the slot that it is in."""

    buffer: ascend.BufferOp
    slot: SSAValue | None


class Emitter:
    """Appends ops to the innermost open loop of one kernel; `location` is given to every op."""

    def __init__(self, kernel: ascend.KernelOp, target: Target):
        self.target = target
        self.entry = kernel.body.block
        self.location = kernel.location
        self._head: Operation | None = None
        self._branches: list[scf.IfOp | None] = [None]
        self._builders = [Builder(InsertPoint.at_end(self.entry))]
        self._constants: dict[int, SSAValue] = {}
        self._known: list[dict[tuple[object, ...], SSAValue]] = [{}]
        self._effects: list[Operation] | None = None
        self._generations: list[Generation] | None = None
        self._given: Iterator[Generation | None] = iter(())
        self._bounds: dict[SSAValue, tuple[int, int]] = {}

    @contextmanager
    def noted(
        self, given: Iterable[Generation | None] = ()
    ) -> Generator[tuple[list[Operation], list[Generation]]]:
        """What is emitted meanwhile: copies and Vector instructions, and the generations of new buffers; those `given`
        are taken in place of them, in order (None: a new one)."""
        effects, generations = list[Operation](), list[Generation]()
        self._effects, self._generations, self._given = effects, generations, iter(given)
        try:
            yield effects, generations
        finally:
            self._effects, self._generations, self._given = None, None, iter(())

    def insert(self, op: OpT) -> OpT:
        op.location = self.location
        if self._effects is not None and isinstance(op, ascend.CopyOp | ascend.VecOp | ascend.TransposeOp):
            self._effects.append(op)
        return self._builders[-1].insert(op)

    def _at_start(self, op: OpT) -> OpT:
        """Insert at the kernel's start, after what was put there before."""
        op.location = self.location
        if self._head is not None:
            self.entry.insert_op_after(op, self._head)
        elif self.entry.first_op is not None:
            self.entry.insert_op_before(op, self.entry.first_op)
        else:
            self.entry.add_op(op)
        self._head = op
        return op

    def _pure(self, make: Callable[..., Operation], *key: object) -> SSAValue:
        """The result of a pure op on `key`, made once in each scope. Directly inside a condition it is made in front of
        it, so that code after the condition may use it, unless it needs what the condition's body gives."""
        for scope in self._known:
            if (make, *key) in scope:
                return scope[(make, *key)]
        branch, depth = self._outermost({value.owner for value in key if isinstance(value, SSAValue)})
        if branch is None:
            op = self.insert(make(*key))
        else:
            op = make(*key)
            self._before(branch, op)
        self._known[-1 - depth][(make, *key)] = op.results[0]
        return op.results[0]

    def _outermost(self, needed: Collection[Operation | Block] = ()) -> tuple[scf.IfOp | None, int]:
        """The outermost of the conditions that are directly inside each other here, and how many they are; none that
        has one of the `needed` ops in its body counts."""
        holds = {owner.parent for owner in needed if isinstance(owner, Operation)}
        depth = next(
            i
            for i, branch in enumerate(reversed(self._branches))
            if branch is None or branch.true_region.block in holds
        )
        return (self._branches[-depth] if depth else None), depth

    def _before(self, branch: scf.IfOp, op: Operation) -> None:
        op.location = self.location
        assert branch.parent is not None
        branch.parent.insert_op_before(op, branch)

    # Index arithmetic

    def value(self, index: Idx) -> SSAValue:
        """`index` as an SSA value; constants are made once, at the kernel's start."""
        if isinstance(index, SSAValue):
            return index
        if index not in self._constants:
            self._constants[index] = self._at_start(index_constant(index)).result
        return self._constants[index]

    def add(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if isinstance(a, int) else a
        return self._pure(arithmetic(arith.AddiOp), self.value(a), self.value(b))

    def sub(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return a if b == 0 else self._pure(arithmetic(arith.SubiOp), self.value(a), self.value(b))

    def mul(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 0 or b == 0:
            return 0
        if a == 1 or b == 1:
            return b if a == 1 else a
        return self._pure(arithmetic(arith.MuliOp), self.value(a), self.value(b))

    def div(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a // b
        return a if b == 1 else self._pure(arithmetic(arith.DivUIOp), self.value(a), self.value(b))

    def rem(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a % b
        return 0 if b == 1 else self._pure(arithmetic(arith.RemUIOp), self.value(a), self.value(b))

    def min(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self._pure(arithmetic(arith.MinSIOp), self.value(a), self.value(b))

    def max(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self._pure(arithmetic(arith.MaxSIOp), self.value(a), self.value(b))

    def ceil_to(self, a: Idx, unit: int) -> Idx:
        """`a` rounded up to a multiple of `unit`."""
        return self.mul(self.div(self.add(a, unit - 1), unit), unit)

    def equal(self, a: Idx, b: Idx) -> SSAValue:
        return self._pure(comparison("eq"), self.value(a), self.value(b))

    def bound(self, index: Idx, least: int, most: int) -> None:
        """Note between which numbers an index is, both included."""
        if isinstance(index, SSAValue):
            self._bounds[index] = least, most

    def blocks(self, count: Idx, unit: int) -> Idx:
        """How many blocks of `unit` elements `count` of them take: a number where all that it may be take as many."""
        least, most = self._bounds.get(count, (0, unit)) if isinstance(count, SSAValue) else (count, count)
        if -(-least // unit) == -(-most // unit):
            return -(-most // unit)
        return self.div(self.add(count, unit - 1), unit)

    # Structure

    @contextmanager
    def loop(self, lower: Idx, upper: Idx, step: int = 1) -> Generator[Idx, None, None]:
        """`scf.for`; a loop of one static trip is no loop."""
        if isinstance(lower, int) and isinstance(upper, int) and lower < upper <= lower + step:
            yield lower
            return
        block = Block(arg_types=[INDEX])
        self.insert(scf.ForOp(self.value(lower), self.value(upper), self.value(step), [], Region(block)))
        self._builders.append(Builder(InsertPoint.at_end(block)))
        self._known.append({})
        self._branches.append(None)
        try:
            yield block.args[0]
            self.insert(scf.YieldOp())
        finally:
            self._builders.pop()
            self._known.pop()
            self._branches.pop()

    @contextmanager
    def condition(self, predicate: str, a: Idx, b: Idx) -> Generator[scf.IfOp, None, None]:
        """`scf.if`, without an else."""
        test = self._pure(comparison(predicate), self.value(a), self.value(b))
        block = Block()
        branch = self.insert(scf.IfOp(test, [], Region(block)))
        self._builders.append(Builder(InsertPoint.at_end(block)))
        self._known.append({})
        self._branches.append(branch)
        try:
            yield branch
            self.insert(scf.YieldOp())
        finally:
            self._builders.pop()
            self._known.pop()
            self._branches.pop()

    @contextmanager
    def unless_none(self, count: Idx) -> Generator[None, None, None]:
        """A condition that `count` is not 0; none where it is known, for nothing is emitted for a known 0."""
        if isinstance(count, int):
            yield
            return
        with self.condition("sge", count, 1):
            yield

    def after_this(self, branch: scf.IfOp) -> None:
        """Have what was emitted since a condition, in the same block, come before it; it uses nothing of the
        condition's body."""
        block = branch.parent
        assert block is not None
        branch.detach()
        block.add_op(branch)

    # Memory

    def buffer(self, elements: int, dtype: Attribute, space: str, label: str) -> ascend.BufferOp:
        """A buffer of `elements` elements at the kernel's start; multi-buffering may give it more slots."""
        return self._at_start(ascend.BufferOp([elements], dtype, space, label=label))

    def generation(self, buffer: ascend.BufferOp) -> Generation:
        """The next generation of `buffer`, from here on. Directly inside a condition it starts in front of it, so that
        code after the condition may use it."""
        branch, _ = self._outermost()
        if branch is not None:
            op = ascend.NextSlotOp(buffer.result)
            self._before(branch, op)
            return Generation(buffer, op.result)
        return Generation(buffer, self.insert(ascend.NextSlotOp(buffer.result)).result)

    def previous_generation(self, buffer: ascend.BufferOp, before_branch: bool = False) -> Generation:
        """The generation of `buffer` before the current one, read at this point of the loop's body; directly inside a
        condition, with `before_branch`, in front of it."""
        branch, _ = self._outermost()
        if branch is not None and before_branch:
            op = ascend.PreviousSlotOp(buffer.result)
            self._before(branch, op)
            return Generation(buffer, op.result)
        return Generation(buffer, self.insert(ascend.PreviousSlotOp(buffer.result)).result)

    def fresh(self, elements: int, dtype: Attribute, space: str, label: str) -> Generation:
        """A new buffer and its generation here."""
        given = next(self._given, None)
        made = self.generation(self.buffer(elements, dtype, space, label)) if given is None else given
        if self._generations is not None:
            self._generations.append(made)
        return made

    def view(
        self, base: Generation | SSAValue, sizes: Sequence[Idx], strides: Sequence[int], offset: Idx = 0
    ) -> SSAValue:
        """Elements `offset + sum(i * stride)` of a buffer generation or of a GM tensor."""
        source, slot = (base.buffer.result, base.slot) if isinstance(base, Generation) else (base, None)
        dynamic = None if isinstance(offset, int) else offset
        start = offset if isinstance(offset, int) else 0
        return self._pure(ascend.ViewOp, source, tuple(sizes), tuple(strides), dynamic, start, slot)

    def copy(self, source: SSAValue, destination: SSAValue, nd2nz: bool = False) -> None:
        self.insert(ascend.CopyOp(source, destination, nd2nz))


def gm_type(shape: Sequence[int], element_type: Attribute) -> MemRefType[Attribute]:
    """A tensor in GM."""
    return memory_type(shape, element_type, "gm")


def gm_tensor(kind: Attribute) -> MemRefType[Attribute]:
    """The tensor in GM that holds a value of tensor type `kind`."""
    tensor = tensor_type(kind)
    return gm_type(physical_shape(tensor), tensor.element_type)
