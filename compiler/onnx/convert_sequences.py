"""Sequences of tensors whose lengths are known: lists while the model is read, which no op computes.

SequenceEmpty, SequenceInsert in a Loop, ConcatFromSequence     ->     concat of what was inserted
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...dialects.records import dataclass
from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


@dataclass(frozen=True, eq=False)
class TensorSequence:
    """Tensors in order. `whole`: they are the parts of size one of this value along its first dimension, and are cut
    off when one is asked for."""

    tensors: tuple[Value, ...] = ()
    whole: Value | None = None

    def items(self, b: Builder) -> tuple[Value, ...]:
        if self.whole is None:
            return self.tensors
        return tuple(b.slice(self.whole, 0, i, i + 1) for i in range(b.shape(self.whole)[0]))


def joined(b: Builder, tensors: list[Value], axis: int, new: bool = False) -> Value:
    """Tensors one after the other along an axis, or along a `new` one."""
    if not tensors:
        raise Unsupported("it joins no tensors, whose shape is not known")
    if new:
        ranks = [b.rank(one) + 1 for one in tensors]
        axis %= ranks[0]
        tensors = [b.reshape(one, [*b.shape(one)[:axis], 1, *b.shape(one)[axis:]]) for one in tensors]
    arrays = [one for one in tensors if isinstance(one, np.ndarray)]
    if len(arrays) == len(tensors):
        return np.concatenate(arrays, axis)
    return tensors[0] if len(tensors) == 1 else b.op("concat", tensors, axis=axis % b.rank(tensors[0]))


def _sequence(value: Any) -> TensorSequence:
    if not isinstance(value, TensorSequence):
        raise Unsupported("it takes a sequence of tensors")
    return value


@converts("SequenceEmpty")
def _empty(b: Builder, n: Node) -> Any:
    return TensorSequence()


@converts("SequenceConstruct")
def _construct(b: Builder, n: Node) -> Any:
    return TensorSequence(tuple(n[i] for i in range(len(n.inputs))))


@converts("SequenceInsert")
def _insert(b: Builder, n: Node) -> Any:
    items = list(_sequence(n[0]).items(b))
    at = len(items) if n.input(2) is None else int(b.number(n.input(2), "the position"))
    if not -len(items) <= at <= len(items):
        raise Unsupported(f"position {at} is outside of the {len(items)} tensors")
    items.insert(at, n[1])
    return TensorSequence(tuple(items))


@converts("SequenceAt")
def _at(b: Builder, n: Node) -> Value:
    items, at = _sequence(n[0]).items(b), int(b.number(n[1], "the position"))
    if not -len(items) <= at < len(items):
        raise Unsupported(f"position {at} is outside of the {len(items)} tensors")
    return items[at]


@converts("SequenceLength")
def _length(b: Builder, n: Node) -> Value:
    return np.asarray(len(_sequence(n[0]).items(b)), np.int64)


@converts("ConcatFromSequence")
def _concat(b: Builder, n: Node) -> Value:
    sequence, axis, new = _sequence(n[0]), int(n.get("axis")), bool(n.get("new_axis", 0))
    if sequence.whole is not None and not new and axis in (0, -b.rank(sequence.whole)):
        return sequence.whole
    return joined(b, list(sequence.items(b)), axis, new)


TAKE_SEQUENCES = ("SequenceInsert", "SequenceAt", "SequenceLength", "ConcatFromSequence", "Loop", "Identity")
"""Operators that take a sequence; what the others are given are tensors."""

__all__ = ["TAKE_SEQUENCES", "TensorSequence", "joined"]
