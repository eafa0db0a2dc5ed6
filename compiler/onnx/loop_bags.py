"""Loops that fold bags of rows, as one op: what exporters make of PyTorch's EmbeddingBag with offsets.

    for b: s, e = o[b], o[b + 1]                                 embedding_bag(t, i, o)
           scan(reduce_sum(gather(t, i[s:e]), axes = [0]))

The body is followed trip by trip (loop_values.py). Its bags are one op where each begins at the place at which the one
before it ends. An empty one is 0 then, as PyTorch defines. Where the model ends the last bag with the list in one place
and at the last offset in another, these are one: PyTorch asks for offsets whose last one, if it begins no bag, is the
number of indices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .builder import Builder
from .convert_sequences import TensorSequence
from .loop_values import Bag, Element, NoBag, Number, Outside, Rows, Trip

if TYPE_CHECKING:
    import onnx_ir as ir

    from .builder import Value

MOST_BAGS = 1 << 16


def bag_of(
    node: ir.Node, values: Mapping[ir.Value, Any], b: Builder, inputs: Sequence[Any]
) -> list[Any] | None:
    """The results of a Loop that folds bags of rows; None where it does something else."""
    outside = Outside(values, b)
    try:
        bags, carried = _trips(node, outside, inputs)
        offsets, last = _offsets(outside, [bag.rows for bag in bags])
        like = [(bag.mode, bag.keep, bag.rows.source, bag.rows.table, bag.rows.weights) for bag in bags]
        if any(one != like[0] for one in like):
            return None
        made = _folded(outside, bags[0], offsets, last)
    except NoBag:
        return None
    return _results(b, made, bags[0].keep, carried)


def _results(b: Builder, made: Value, keep: bool, carried: list[Any]) -> list[Any]:
    """What the Loop gives of rows [bags, width]: stacked, or in the sequence that it carries."""
    count, width = b.shape(made)
    if not any(isinstance(one, TensorSequence) for one in carried):
        return [*carried, b.reshape(made, [count, 1, width]) if keep else made]
    if keep:
        sequence = TensorSequence(whole=made)
    else:
        sequence = TensorSequence(tuple(b.reshape(b.slice(made, 0, i, i + 1), [width]) for i in range(count)))
    return [sequence if isinstance(one, TensorSequence) else one for one in carried]


def _trips(node: ir.Node, outside: Outside, inputs: Sequence[Any]) -> tuple[list[Bag], list[Any]]:
    """The bag of each trip, and what is carried out of the last one: known numbers, and a sequence that takes the
    bags."""
    body = node.attributes["body"].as_graph()
    count, going, *carried = inputs
    known = all(one is None or isinstance(one, np.ndarray) for one in (count, going))
    if not known or any(not isinstance(one, np.ndarray | TensorSequence) for one in carried):
        raise NoBag
    inside = _nodes(body)
    bags: list[Bag] = []
    while (going is None or going.all()) and (count is None or len(bags) < int(count.reshape(-1)[0])):
        if len(bags) == MOST_BAGS:
            raise NoBag
        given = dict(zip(body.inputs, [np.asarray(len(bags)), np.asarray(True), *carried], strict=True))
        trip = Trip(outside, inside, given)
        going = trip.of(body.outputs[0])
        made = [_carried(trip, value, given) for value in body.outputs[1 : 1 + len(carried)]]
        rows: list[Any] = [one for one in made if isinstance(one, Bag)]
        rows += [trip.of(value) for value in body.outputs[1 + len(carried) :]]
        if len(rows) != 1 or not isinstance(rows[0], Bag) or not isinstance(going, np.ndarray):
            raise NoBag
        bags.append(rows[0])
        carried = [TensorSequence() if isinstance(one, Bag) else one for one in made]
        if any(not isinstance(one, np.ndarray | TensorSequence) for one in carried):
            raise NoBag
    if not bags:
        raise NoBag
    return bags, carried


def _carried(trip: Trip, value: ir.Value, given: Mapping[ir.Value, Any]) -> Any:
    """What is carried to the next trip, or the bag that a sequence takes behind the others."""
    node = value.producer()
    if node is None or node.op_type != "SequenceInsert":
        return trip.of(value)
    sequence = node.inputs[0]
    first = given.get(sequence) if sequence is not None else None
    if (
        len(node.inputs) > 2
        or not isinstance(first, TensorSequence)
        or first.tensors
        or first.whole is not None
    ):
        raise NoBag
    return trip.of(node.inputs[1])


def _nodes(graph: ir.Graph) -> set[ir.Node]:
    """The nodes of a graph and of the graphs in it."""
    found: set[ir.Node] = set()
    for node in graph:
        found.add(node)
        for name in ("then_branch", "else_branch"):
            if node.op_type == "If":
                found |= _nodes(node.attributes[name].as_graph())
    return found


def _offsets(outside: Outside, rows: Sequence[Rows]) -> tuple[Value, bool]:
    """Where bags begin, and whether the last offset begins none but ends the last bag."""
    starts, ends = [one.start for one in rows], [one.end for one in rows]
    items = outside.shape(rows[0].source)[0]
    if ends[:-1] != starts[1:]:
        raise NoBag
    places: list[Number] = [*starts, *([ends[-1]] if ends[-1] != items else [])]
    known = [one for one in places if isinstance(one, int)]
    if len(known) == len(places):
        if known != sorted(known) or known[0] < 0 or known[-1] > items:
            raise NoBag
        return np.asarray(known, np.int64), len(places) > len(rows)
    first = places[0]
    if isinstance(first, Element):
        behind = Element(first.source, first.index + len(rows))
        places += [behind] * (len(places) == len(rows) and behind in outside.taken_for_all)
    if not isinstance(first, Element) or places != [
        Element(first.source, first.index + k) for k in range(len(places))
    ]:
        raise NoBag
    found = outside.value(first.source)
    return outside.b.slice(found, 0, first.index, first.index + len(places)), len(places) > len(rows)


def _folded(outside: Outside, bag: Bag, offsets: Value, last: bool) -> Value:
    """The op. Where a Loop folds rows that are picked before it, these are picked by the op."""
    b, rows = outside.b, bag.rows
    source: Any = outside.value(rows.source)
    if rows.table is not None:
        table, indices = outside.value(rows.table), source
        weights = None if rows.weights is None else outside.value(rows.weights)
    else:
        table, indices, weights = _picked(outside, rows.source, bag.mode) or (
            source,
            np.arange(b.shape(source)[0]),
            None,
        )
    if weights is not None and bag.mode != "sum":
        raise NoBag
    given = b.constant(offsets) if isinstance(offsets, np.ndarray) else offsets
    return b.op("embedding_bag", table, indices, given, weights, mode=bag.mode, include_last_offset=last)


def _picked(outside: Outside, value: ir.Value, mode: str) -> tuple[Any, Any, Any] | None:
    """The table, the indices and the weights of rows that were picked, and weighted where they are summed."""
    node = value.producer()
    if node is None or node.domain:
        return None
    if node.op_type == "Gather":
        table, indices = node.inputs
        axis = node.attributes["axis"].as_int() if "axis" in node.attributes else 0
        assert table is not None and indices is not None
        plain = axis == 0 and len(outside.shape(table)) == 2 and len(outside.shape(indices)) == 1
        return (outside.value(table), outside.value(indices), None) if plain else None
    if node.op_type != "Mul":
        return None
    for rows, factor in (node.inputs, node.inputs[::-1]):
        assert rows is not None and factor is not None
        found = _picked(outside, rows, mode)
        column = outside.shape(factor) == (outside.shape(value)[0], 1)
        if found is None or found[2] is not None or not column:
            continue
        weights: Value = outside.value(factor)
        if isinstance(weights, np.ndarray) and (weights == 1).all():
            return found
        if mode == "sum":
            return *found[:2], outside.b.reshape(weights, [outside.shape(value)[0]])
    return None


__all__ = ["bag_of"]
