"""Positions that `argmax` and `topk` give: where elements are alike within their own errors, either is right.

    %n = graph.softmax %x ; %v, %i = graph.topk %n {k = 2}

    row of %n in the reference    0.30001  0.1  0.3  …      %i is [0, 2]; [2, 0] is as good, and [1, 0] is wrong

A result that holds such positions, moved about or counted from the other end, is settled element by element: the value
at the position that was given, in the reference, may differ from the value at the position of the reference by as much
as both may be off. No position may be given twice. Positions among exact values are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import FunctionType, IntegerType, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.graph import (
    AbsOp,
    AddOp,
    ArgmaxOp,
    CastOp,
    ConstantOp,
    MaximumOp,
    MaxPool2dOp,
    MinimumOp,
    NegOp,
    ReduceMaxOp,
    ReduceMinOp,
    ReluOp,
    ReshapeOp,
    SubOp,
    TopkOp,
)
from ...dialects.graph.base import GraphOp
from ...dialects.graph.rules import element_of
from ...dialects.records import dataclass
from ...passes.support.values import moves, rule_of
from ...runtime.reference import evaluate
from .run_check import BOUNDS, coarsest_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

AFFINE = AddOp | SubOp | NegOp
EXACT = NegOp | AbsOp | ReluOp | MaximumOp | MinimumOp | ReduceMaxOp | ReduceMinOp | MaxPool2dOp
"""Ops whose results are some of the numbers that they take, or these with the other sign."""


@dataclass(frozen=True)
class Picks:
    """A result of a function that holds positions along `axis` of `x`: `indices` are what `argmax` or `topk` gives, of
    `shape`, and `bound` is the relative error of x."""

    x: SSAValue
    axis: int
    indices: SSAValue
    shape: tuple[int, ...]
    bound: float


def picks_of(function: FuncOp) -> dict[int, Picks]:
    """The results of a function that hold positions among values that are not exact, by number."""
    end = function.body.block.last_op
    assert isinstance(end, ReturnOp)
    found = {i: _picks(value) for i, value in enumerate(end.operands)}
    return {i: picks for i, picks in found.items() if picks is not None}


def settled(
    function: FuncOp,
    inputs: Mapping[str, Array] | Sequence[Array],
    actual: Sequence[Array],
    expected: Sequence[Array],
    overflow: str = "inf",
) -> list[Array]:
    """The expected results of a function of `inputs`, with the positions of the actual ones where these are as good."""
    import numpy as np

    found = list(expected)
    for i, picks in picks_of(function).items():
        if actual[i].shape == expected[i].shape and not np.array_equal(actual[i], expected[i]):
            (x,) = evaluate(_returning(function, picks.x), inputs, overflow=overflow)
            found[i] = _settle(picks, function, i, x, actual[i], expected[i])
    return found


def _settle(picks: Picks, function: FuncOp, number: int, x: Array, actual: Array, expected: Array) -> Array:
    """One result: elements are `sign` times a position, plus `start`; each is that of an element of `indices`."""
    import numpy as np

    count = int(np.prod(picks.shape))
    tail = _tail(function, number, picks.indices)
    shape = _shape(picks.indices)
    start, one, places = (
        evaluate(tail, [given.reshape(shape).astype(np.int32)])[0].astype(np.int64)
        for given in (np.zeros(count), np.ones(count), np.arange(count))
    )
    sign = one - start
    if (np.abs(sign) != 1).any():
        return expected
    source, got, want = (
        (part - start) * sign for part in (places, actual.astype(np.int64), expected.astype(np.int64))
    )
    axis, size = picks.axis, x.shape[picks.axis]
    inside = (got >= 0) & (got < size)
    at = [np.asarray(c) for c in np.unravel_index(source, picks.shape)]

    def value(index: Array) -> Array:
        place = np.clip(index, 0, size - 1)
        return x[tuple(place if d == axis else c for d, c in enumerate(at))].astype(np.float64)

    finite = np.where(np.isfinite(x), x, 0).astype(np.float64)
    size_of_row = np.sqrt(np.mean(np.square(finite), axis=axis, keepdims=True))
    row = size_of_row[tuple(np.zeros_like(c) if d == axis else c for d, c in enumerate(at))]
    right, given = value(want), value(got)
    with np.errstate(invalid="ignore"):
        near = np.abs(given - right) <= 2 * picks.bound * np.maximum(np.abs(right), row)
    near = (near & np.isfinite(right)) | (given == right)
    rows = np.ravel_multi_index([np.zeros_like(c) if d == axis else c for d, c in enumerate(at)], picks.shape)
    pairs = rows * size + np.clip(got, 0, size - 1)
    return np.where(inside & near & ~_twice(pairs, source), actual, expected)


def _twice(pairs: Array, source: Array) -> Array:
    """Which positions are given for several elements of `indices`."""
    import numpy as np

    distinct = np.unique(np.stack([pairs.reshape(-1), source.reshape(-1)]), axis=1)[0]
    names, times = np.unique(distinct, return_counts=True)
    return np.isin(pairs, names[times > 1])


def _returning(function: FuncOp, value: SSAValue) -> FuncOp:
    """The function with one of its values as the only result."""
    mapping: dict[SSAValue, SSAValue] = {}
    copy = function.clone(mapping)
    block = copy.body.block
    end = block.last_op
    assert end is not None
    block.erase_op(end)
    block.add_op(ReturnOp(mapping[value]))
    for op in reversed(list(block.ops)):
        if not isinstance(op, ReturnOp) and not any(result.first_use for result in op.results):
            block.erase_op(op)
    return copy


def _tail(function: FuncOp, number: int, indices: SSAValue) -> FuncOp:
    """Result `number` of a function as one of `indices` alone."""
    end = function.body.block.last_op
    assert isinstance(end, ReturnOp)
    block = Block(arg_types=[indices.type])
    mapping: dict[SSAValue, SSAValue] = {indices: block.args[0]}
    needed: set[Operation] = set()
    waiting = [end.operands[number]]
    while waiting:
        value = waiting.pop()
        if value is not indices and isinstance(value.owner, Operation) and value.owner not in needed:
            needed.add(value.owner)
            waiting += value.owner.operands
    for op in function.body.block.ops:
        if op in needed:
            block.add_op(op.clone(mapping))
    result = mapping[end.operands[number]]
    block.add_op(ReturnOp(result))
    kind = FunctionType.from_lists([indices.type], [result.type])
    return FuncOp("positions", kind, Region(block))


def _picks(result: SSAValue) -> Picks | None:
    """Back from a result through what moves whole numbers, or counts them from elsewhere."""
    value = result
    while isinstance(op := value.owner, GraphOp) and isinstance(element_of(value), IntegerType):
        if isinstance(op, ArgmaxOp | TopkOp):
            if is_exact(op.x):
                return None
            axis = op.axis.value.data % len(_shape(op.x))
            shape = list(_shape(op.x))
            shape[axis] = op.k.value.data if isinstance(op, TopkOp) else 1
            return Picks(op.x, axis, value, tuple(shape), BOUNDS[coarsest_of(op.x)])
        whole = [v for v in op.operands if not _constant(v)]
        known = isinstance(op, AFFINE | CastOp | ReshapeOp) or moves(op)
        if len(whole) != 1 or not known or (isinstance(op, AFFINE) and _shape(whole[0]) != _shape(value)):
            return None
        value = whole[0]
    return None


def is_exact(value: SSAValue) -> bool:
    """Whether nothing that a value depends on rounds."""
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        one = waiting.pop()
        op = one.owner
        if one in seen or not isinstance(op, GraphOp):
            continue
        seen.add(one)
        widens = isinstance(op, CastOp) and str(element_of(one)) == "f32"
        plain = isinstance(op, ConstantOp | EXACT) or rule_of(op).engine == "view" or moves(op)
        if not (widens or plain):
            return False
        waiting += op.operands
    return True


def _constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp)


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()


__all__ = ["Picks", "is_exact", "picks_of", "settled"]
