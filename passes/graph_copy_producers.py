"""What several kernels read is computed in each of them, where that is faster than a kernel that stores it.

    %c = mul(sigmoid(%i), tanh(%g))                %c = mul(sigmoid(%i), tanh(%g))
    %h = mul(%o, tanh(%c))                         %h = mul(%o, tanh(%c))
    %d = add(mul(%f, %c), %n)               =>     %e = mul(sigmoid(%i), tanh(%g))
                                                   %d = add(mul(%f, %e), %n)

A kernel gives one tensor, so that a producer with several consumers fuses with none of them. One copy for each consumer
fuses with all. That is for what is computed element by element of tensors that are in GM anyway. A product would be
done again, and what follows one is its epilogue.
"""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import Pointwise
from ..dialects.records import dataclass
from .fusion.weighed_rewrite import Weigher, weighed_functions
from .regions.loads import only_moves
from .support.module import chip_of
from .support.options import Pass
from .support.values import rule_of

MOST_COPIED = 16
"""Ops of a producer."""
MOST_CONSUMERS = 3
"""Ops that read what it gives."""
MOST_OPS = 64
"""Ops that a copy is weighed with."""


def _on_elements(op: object) -> bool:
    """Whether an op computes, or moves, single elements."""
    return isinstance(op, graph.GraphOp) and (isinstance(rule_of(op), Pointwise) or only_moves(op))


def _is_view(value: SSAValue) -> bool:
    return isinstance(value.owner, graph.GraphOp) and rule_of(value.owner).engine == "view"


def _read_inside(value: SSAValue, ops: Collection[Operation]) -> bool:
    return all(use.operation in ops for use in value.uses)


def _producer(last: Operation, weights: AbstractSet[SSAValue]) -> set[Operation] | None:
    """The ops that compute what `last` gives of tensors in GM, element by element; None where there are more than a
    few, or where they follow what they could be in a kernel with."""
    ops, waiting = {last}, [*last.operands]
    while waiting and len(ops) <= MOST_COPIED:
        value = waiting.pop()
        op = value.owner
        if not isinstance(op, graph.GraphOp) or op in ops or value in weights or _is_view(value):
            continue
        if not _read_inside(value, ops):
            continue
        if not _on_elements(op) or is_marked(op):
            return None
        ops.add(op)
        waiting += op.operands
    return ops if len(ops) <= MOST_COPIED else None


def _consumers(last: Operation) -> list[Operation] | None:
    """The ops that read what `last` gives, each of which gets a copy but the first; None where they are no kernels, or
    too many."""
    users = list(dict.fromkeys(use.operation for use in last.results[0].uses))
    known = all(isinstance(user, graph.GraphOp) and rule_of(user).engine != "view" for user in users)
    return users if known and 1 < len(users) <= MOST_CONSUMERS and not is_marked(*users) else None


def _weighed(producer: Collection[Operation], consumers: Sequence[Operation]) -> set[Operation]:
    """The ops whose kernels copies may change: the producer, what follows in the kernels of its consumers, and what
    these read, back to products."""
    ops = {*producer, *consumers}
    for op in consumers:
        while _on_elements(op) and (user := op.results[0].get_user_of_unique_use()) is not None:
            if not _on_elements(user):
                break
            ops.add(user)
            op = user
    waiting = [value for op in ops if op not in producer and _on_elements(op) for value in op.operands]
    while waiting:
        value = waiting.pop()
        op = value.owner
        if isinstance(op, graph.GraphOp) and op not in ops and _read_inside(value, ops):
            ops.add(op)
            waiting += op.operands if _on_elements(op) else []
    return ops


def _copy(producer: Sequence[Operation], consumers: Sequence[Operation]) -> None:
    """Give each consumer but the first a copy of the producer, given in program order."""
    given = producer[-1].results[0]
    for consumer in consumers[1:]:
        mapped: dict[SSAValue, SSAValue] = {}
        copies = [op.clone(mapped) for op in producer]
        for op, copy in zip(producer, copies, strict=True):
            copy.location = op.location
        Rewriter.insert_op(copies, InsertPoint.after(producer[-1]))
        for index, value in enumerate(consumer.operands):
            if value is given:
                consumer.operands[index] = mapped[given]


@dataclass(frozen=True)
class _Copies:
    """A rewrite of weighed ops: which of them are the producer, in program order, and its consumers."""

    producer: tuple[int, ...]
    consumers: tuple[int, ...]

    def __call__(self, ops: Sequence[Operation]) -> None:
        _copy([ops[i] for i in self.producer], [ops[i] for i in self.consumers])


def _copy_producers(function: FuncOp, weigher: Weigher) -> None:
    for last in list(function.body.block.ops):
        if not _on_elements(last) or only_moves(last) or is_marked(last) or is_dynamic(last.results[0].type):
            continue
        consumers = _consumers(last)
        producer = consumers and _producer(last, weigher.weights)
        if not consumers or not producer or last.results[0] in weigher.weights:
            continue
        weighed = _weighed(producer, consumers)
        if len(weighed) > MOST_OPS:
            continue
        ops = [op for op in function.body.block.ops if op in weighed]
        places = {op: i for i, op in enumerate(ops)}
        parts = sorted(places[op] for op in producer)
        copies = _Copies(tuple(parts), tuple(places[op] for op in consumers))
        if weigher.pays(ops, copies):
            copies(ops)


@dataclass(frozen=True)
class GraphCopyProducers(Pass):
    """Compute what several kernels read in each of them, where that is predicted to be faster on `target`."""

    name = "graph-copy-producers"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            _copy_producers(function, weigher)


__all__ = ["GraphCopyProducers"]
