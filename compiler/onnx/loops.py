"""A Loop whose trips are known when the model is read, as its body so many times; one that folds bags of rows, as one
op.

    for b in range(4): scan(reduce(gather(t, i[o[b] : o[b + 1]])))     ->     embedding_bag(t, i, o)
    for k in range(3): h = f(h, x[k])                                  ->     f(f(f(h, x[0]), x[1]), x[2])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dialects.records import dataclass
from .builder import Builder
from .convert_sequences import joined
from .loop_bags import bag_of
from .unsupported import Unsupported

if TYPE_CHECKING:
    import onnx_ir as ir

    from .builder import Value

MOST_TRIPS = 512
"""So many bodies are put one behind the other."""


@dataclass(frozen=True)
class Scope:
    """What a Loop sees of the graph around it: known and computed values, and `inline`, which converts the nodes of a
    graph and gives the values of its outputs. It raises Unsupported where one of them cannot be imported."""

    values: Mapping[ir.Value, Any]
    builder: Builder
    inline: Callable[[ir.Graph, Mapping[ir.Value, Any]], Sequence[Any]]


def converted_loop(node: ir.Node, scope: Scope, inputs: Sequence[Any]) -> list[Any]:
    """The results of a Loop: values carried from trip to trip, and what each trip gives, stacked."""
    inputs = [*inputs, *[None] * (2 - len(inputs))]  # the number of trips and the condition may be left out
    found = bag_of(node, scope.values, scope.builder, inputs)
    return _unrolled(node, scope, inputs) if found is None else found


def _unrolled(node: ir.Node, scope: Scope, inputs: Sequence[Any]) -> list[Any]:
    b, body = scope.builder, node.attributes["body"].as_graph()
    trips = None if inputs[0] is None else int(b.number(inputs[0], "the number of trips"))
    going = inputs[1] is None or bool(b.number(inputs[1], "the condition"))
    carried: list[Any] = list(inputs[2:])
    scanned: list[list[Value]] = [[] for _ in body.outputs[1 + len(carried) :]]
    trip = 0
    while going and (trips is None or trip < trips):
        if trip == MOST_TRIPS:
            many = "more" if trips is None else f"{trips}"
            raise Unsupported(f"it makes {many} trips; at most {MOST_TRIPS} are unrolled")
        given = [np.asarray(trip, np.int64), np.asarray(True), *carried]
        condition, *made = scope.inline(body, dict(zip(body.inputs, given, strict=True)))
        going = bool(b.number(condition, "the condition"))
        carried, parts = made[: len(carried)], made[len(carried) :]
        for all_, part in zip(scanned, parts, strict=True):
            all_.append(part)
        trip += 1
    if scanned and not trip:
        raise Unsupported("it makes no trip, so the shape of what it gives is not known")
    return [*carried, *(joined(b, parts, 0, new=True) for parts in scanned)]


__all__ = ["MOST_TRIPS", "Scope", "converted_loop"]
