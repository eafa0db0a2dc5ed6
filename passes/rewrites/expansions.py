"""What ops composite ones became: kept beside the graph, for whoever wants the op back.

%y = graph.argmax %x     ->     %m = graph.reduce_max %x ; %e = graph.compare %x, %m ; … ; %y = graph.cast %p
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.graph.base import GraphOp
from ...dialects.records import dataclass


@dataclass(frozen=True, eq=False)
class Expansion:
    """A composite op, `kind` on `operands`, and the `ops` in its place. It holds no use of its operands."""

    kind: type[GraphOp]
    operands: tuple[SSAValue, ...]
    properties: dict[str, Attribute]
    result_types: tuple[Attribute, ...]
    location: LocationAttr
    ops: tuple[Operation, ...]

    @staticmethod
    def of(op: GraphOp, ops: Sequence[Operation]) -> "Expansion":
        types = tuple(result.type for result in op.results)
        return Expansion(type(op), tuple(op.operands), dict(op.properties), types, op.location, tuple(ops))

    @property
    def results(self) -> list[SSAValue]:
        """What took the place of the op's results."""
        return [op.results[0] for op in self.ops[-len(self.result_types) :]]

    def made_by(self, result: SSAValue) -> list[Operation] | None:
        """The ops that one of the results is computed by; None where some have been replaced since, or read other
        values than the composite op did."""
        needed: list[Operation] = []
        read: set[SSAValue] = set()
        waiting: list[SSAValue] = [result]
        while waiting:
            value = waiting.pop()
            owner = value.owner
            if not isinstance(owner, Operation) or owner not in self.ops:
                read.add(value)
            elif owner not in needed:
                needed.append(owner)
                waiting += owner.operands
        if any(op.parent is None for op in needed) or not read <= set(self.operands):
            return None
        return needed

    def build(self, operands: Sequence[SSAValue]) -> GraphOp:
        """The op on other operands."""
        op = self.kind.create(operands=operands, result_types=self.result_types, properties=self.properties)
        op.location = self.location
        return op


_collected: ContextVar[list[Expansion] | None] = ContextVar("ascend_opt_expansions", default=None)


@contextmanager
def collect_expansions() -> Generator[list[Expansion]]:
    """Collect what composite ops become while the context is open."""
    found: list[Expansion] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def collected_expansions() -> Sequence[Expansion]:
    """What has been collected so far."""
    return _collected.get() or ()


def add_expansion(op: GraphOp, ops: Sequence[Operation]) -> None:
    """Keep what a composite op becomes, if anybody collects."""
    found = _collected.get()
    if found is not None:
        found.append(Expansion.of(op, ops))


__all__ = ["Expansion", "add_expansion", "collect_expansions", "collected_expansions"]
