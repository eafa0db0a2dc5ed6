"""Which buffers a function has: one for each place in memory, or one with slots for places that a loop takes in turn.

A loop may hand memrefs on, and a condition may give one of two: they are slots of one buffer then, so that what one
trip writes and the next one reads is known to be the same data.
"""

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.hivm.sync import BitcastOp, PointerCastOp
from ...dialects.records import dataclass
from ..support.errors import LocatedError
from .refs import dtype_name, memref_of

VIEWS = (
    memref.CastOp,
    memref.SubviewOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.ReinterpretCastOp,
    memref.ExtractStridedMetaDataOp,
)
"""Ops that give another view of the same bytes."""
WHOLE_VIEWS = (memref.CastOp, memref.CollapseShapeOp, memref.ExpandShapeOp)
"""Those that begin where their source begins."""


@dataclass(frozen=True)
class Place:
    """Buffers that are one: all addresses, bytes, in the order in which they were met, and the elements of a slot."""

    addresses: tuple[int, ...]
    elements: int


class Places:
    """The places of a function's buffers."""

    def __init__(self, function: Operation, addresses: dict[Operation, tuple[int, ...]]):
        self._parents: dict[SSAValue, SSAValue] = {}
        self.addresses = addresses
        ops = list(function.walk())
        for op in ops:
            self._join(op)
        groups: dict[SSAValue, list[Operation]] = {}
        for op in addresses:
            groups.setdefault(self._root(op.results[0]), []).append(op)
        self._places: dict[SSAValue, Place] = {}
        for root, members in groups.items():
            found = [address for op in members for address in addresses[op]]
            kinds = {dtype_name(memref_of(op.results[0])) for op in members}
            if len(kinds) > 1:
                raise LocatedError(members[-1], f"a loop hands on buffers of {' and '.join(sorted(kinds))}")
            most = max(_elements(op) for op in members)
            self._places[root] = Place(tuple(dict.fromkeys(found)), most)

    def of(self, value: SSAValue) -> Place | None:
        """The place that a memref is in; None where it is no buffer's."""
        return self._places.get(self._root(value))

    def root(self, value: SSAValue) -> SSAValue:
        """The same value for all memrefs in one place."""
        return self._root(value)

    def _root(self, value: SSAValue) -> SSAValue:
        while (parent := self._parents.get(value)) is not None:
            value = parent
        return value

    def _union(self, *values: SSAValue) -> None:
        roots = [self._root(value) for value in values]
        for other in roots[1:]:
            if self._root(other) is not self._root(roots[0]):
                self._parents[self._root(other)] = self._root(roots[0])

    def _join(self, op: Operation) -> None:
        """Memrefs that an op says are in one place."""
        if isinstance(op, VIEWS):
            self._union(op.operands[0], op.results[0])
        elif isinstance(op, arith.SelectOp) and is_memref(op.result):
            self._union(op.result, op.lhs, op.rhs)
        elif isinstance(op, scf.ForOp):
            given = op.body.block.last_op
            assert given is not None
            for values in zip(op.iter_args, op.body.block.args[1:], given.operands, op.results, strict=True):
                if is_memref(values[0]):
                    self._union(*values)
        elif isinstance(op, scf.IfOp) and op.results:
            regions = [region.block.last_op for region in op.regions]
            for i, result in enumerate(op.results):
                if is_memref(result):
                    self._union(result, *(last.operands[i] for last in regions if last is not None))


def is_memref(value: SSAValue) -> bool:
    return str(value.type).startswith("memref")


def begins_its_buffer(value: SSAValue, known: frozenset[SSAValue] = frozenset()) -> bool:
    """Whether a memref begins where its buffer's slot begins, as far as its ops say. `known`: what a loop hands on,
    which does if what it was given does."""
    if value in known:
        return True
    owner = value.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if not isinstance(loop, scf.ForOp) or not isinstance(value, BlockArgument):
            return False
        return _all_begin(loop, value.index - 1, known | {value})
    if isinstance(owner, WHOLE_VIEWS):
        return begins_its_buffer(owner.operands[0], known)
    if isinstance(owner, scf.ForOp | scf.IfOp):
        return _all_begin(owner, list(owner.results).index(value), known)  # pyright: ignore[reportArgumentType]
    return isinstance(owner, PointerCastOp | BitcastOp)


def _all_begin(op: scf.ForOp | scf.IfOp, at: int, known: frozenset[SSAValue]) -> bool:
    """Whether number `at` of what a loop or a condition gives begins its buffer, whichever trip or branch gives it."""
    if isinstance(op, scf.ForOp):
        known |= {op.body.block.args[at + 1]}
        if not begins_its_buffer(op.iter_args[at], known):
            return False
    given = [region.block.last_op for region in op.regions]
    return all(last is not None and begins_its_buffer(last.operands[at], known) for last in given)


def _elements(op: Operation) -> int:
    total = 1
    for size in memref_of(op.results[0]).get_shape():
        if size < 0:
            raise LocatedError(op, "a buffer whose size is known at run time only is not taken")
        total *= size
    return total
