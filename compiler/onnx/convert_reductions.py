"""Reductions, softmax and its kin, the largest elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import f32, i1
from xdsl.ir import SSAValue

from .builder import Builder, Node, converts, refuses, widely

if TYPE_CHECKING:
    from .builder import Value

PLAIN = {
    "ReduceSum": "reduce_sum",
    "ReduceMean": "reduce_mean",
    "ReduceMax": "reduce_max",
    "ReduceMin": "reduce_min",
    "ReduceProd": "reduce_prod",
}
"""Operators that are an op of the graph dialect; the others have something before or behind a sum."""
INPUTS_SINCE = {"ReduceSum": 13}
"""The opset since which axes are an input, if it is not 18."""


@converts(*PLAIN, "ReduceL1", "ReduceSumSquare")
def _reduction(b: Builder, n: Node) -> Value:
    x, axes, keep = n[0], _axes(b, n), bool(n.get("keepdims", 1))
    if axes is None:
        return _one(b, n, x)
    match n.op:
        case "ReduceL1":
            return b.op("reduce_sum", b.op("abs", x), axes=axes, keep_dims=keep)
        case "ReduceSumSquare":
            return b.op("reduce_sum", b.op("square", x), axes=axes, keep_dims=keep)
        case _:
            if b.is_bool(x):
                return _of_masks(b, n, x, axes, keep)
            return b.op(PLAIN[n.op], x, axes=axes, keep_dims=keep)


@converts("ReduceL2", "ReduceLogSum", "ReduceLogSumExp")
@widely
def _function_of_sums(b: Builder, n: Node) -> Value:
    x, axes, keep = n[0], _axes(b, n), bool(n.get("keepdims", 1))
    if axes is None:
        return _one(b, n, x)
    match n.op:
        case "ReduceL2":
            return b.op("sqrt", b.op("reduce_sum", b.op("square", x), axes=axes, keep_dims=keep))
        case "ReduceLogSum":
            return b.op("log", b.op("reduce_sum", x, axes=axes, keep_dims=keep))
        case _:
            most = b.op("reduce_max", x, axes=axes, keep_dims=True)
            total = b.op("reduce_sum", b.op("exp", b.op("sub", x, most)), axes=axes, keep_dims=keep)
            if not keep:
                most = b.op("reshape", most, shape=list(b.shape(total)))
            return b.op("add", b.op("log", total), most)


def _of_masks(b: Builder, n: Node, x: Value, axes: list[int], keep: bool) -> Value:
    """The largest or least of masks; of none of them false or true."""
    shape = b.shape(x)
    gone = {axis % len(shape) for axis in axes}
    if 0 in (shape[axis] for axis in gone):
        left = [1 if d in gone else size for d, size in enumerate(shape) if keep or d not in gone]
        return np.full(left, n.op == "ReduceMin")
    numbers = b.op("cast", b.tensor(x), to=b.float_type)
    return b.op("cast", b.op(PLAIN[n.op], numbers, axes=axes, keep_dims=keep), to=i1)


def _one(b: Builder, n: Node, x: Value) -> Value:
    """A reduction along no dimension."""
    match n.op:
        case "ReduceL1" | "ReduceL2":
            return b.op("abs", x)
        case "ReduceSumSquare":
            return b.op("square", x)
        case "ReduceLogSum":
            return b.op("log", x)
        case _:
            return x


def _axes(b: Builder, n: Node) -> list[int] | None:
    """None: along no dimension, of a number too; where none is named, along all."""
    rank = b.rank(n[0])
    if n.version < INPUTS_SINCE.get(n.op, 18):
        axes = list(n.get("axes", []))
    else:
        given = n.input(1)
        axes = [] if given is None else b.ints(given, "axes")
        if not axes and n.get("noop_with_empty_axes", 0):
            return None
    return (axes or list(range(rank))) if rank else None


@converts("Softmax", "LogSoftmax")
def _softmax(b: Builder, n: Node) -> Value:
    """Before opset 13 over all dimensions from the axis on."""
    op = {"Softmax": "softmax", "LogSoftmax": "log_softmax"}[n.op]
    if n.version >= 13:
        return b.op(op, n[0], axis=n.get("axis", -1))
    shape = b.shape(n[0])
    axis = n.get("axis", 1) % max(len(shape), 1)
    if axis == len(shape) - 1:
        return b.op(op, n[0], axis=-1)
    if -1 in shape[axis:]:  # no other dimension can take the dynamic one in
        return _softmax_of_all(b, n[0], axis, n.op == "LogSoftmax")
    inner = int(np.prod(shape[axis:]))
    return b.reshape(b.op(op, b.reshape(n[0], [*shape[:axis], inner]), axis=-1), shape)


def _softmax_of_all(b: Builder, x: Value, axis: int, log: bool) -> Value:
    """A softmax over all dimensions from the axis on, in f32: sums of many rows are past the numbers of f16."""
    axes = list(range(axis, b.rank(x)))
    x = b.op("sub", x, b.op("reduce_max", x, axes=axes, keep_dims=True))
    wide = b.op("cast", x, to=f32)
    powers = b.op("exp", wide, like=f32)
    total = b.op("reduce_sum", powers, axes=axes, keep_dims=True, like=f32)
    found = (
        b.op("sub", wide, b.op("log", total, like=f32), like=f32)
        if log
        else b.op("div", powers, total, like=f32)
    )
    return b.op("cast", found, to=b.float_type)


@converts("Hardmax")
def _hardmax(b: Builder, n: Node) -> Value:
    """Before opset 13 over all dimensions from the axis on."""
    shape = b.shape(n[0])
    if n.version >= 13:
        return _hottest(b, n[0], n.get("axis", -1) % len(shape))
    axis = n.get("axis", 1) % max(len(shape), 1)
    outer, inner = shape[:axis], int(np.prod(shape[axis:]))
    return b.reshape(_hottest(b, b.reshape(n[0], [*outer, inner]), axis), shape)


def _hottest(b: Builder, x: Value, axis: int) -> SSAValue:
    """1 at the first of the largest numbers along an axis, 0 elsewhere."""
    best = b.op("argmax", x, axis=axis)
    return b.op("one_hot", best, depth=b.shape(x)[axis], axis=axis, to=b.float_type)


@converts("ArgMax", "ArgMin")
def _arg(b: Builder, n: Node) -> Value:
    axis: int = n.get("axis", 0)
    keep = bool(n.get("keepdims", 1))
    if b.is_float(n[0]):
        x = n[0] if n.op == "ArgMax" else b.op("neg", n[0])
    else:  # floats do not tell all whole numbers apart
        fold = "reduce_max" if n.op == "ArgMax" else "reduce_min"
        best = b.op("compare", n[0], b.op(fold, n[0], axes=[axis], keep_dims=True), direction="eq")
        x = b.op("cast", best, to=b.float_type)
    if not n.get("select_last_index", 0):
        return b.op("argmax", x, axis=axis, keep_dims=keep)
    rank, size = b.rank(x), b.shape(x)[axis]
    turned = b.op("slice", x, starts=[-1], ends=[-size - 1], axes=[axis % rank], steps=[-1])
    return b.op("sub", size - 1, b.op("argmax", turned, axis=axis, keep_dims=keep))


@converts("TopK")
def _topk(b: Builder, n: Node) -> list[Value]:
    k = n.get("k") if n.version < 10 else int(b.number(n.input(1), "k"))
    x, like = (n[0], b.float_type) if b.is_float(n[0]) else (b.op("cast", n[0], to=f32), f32)
    largest = bool(n.get("largest", 1))
    values, indices = b.ops("topk", x, k=k, axis=n.get("axis", -1), largest=largest, like=like)
    return [values if b.is_float(n[0]) else b.op("cast", values, to=b.element(b.tensor(n[0]))), indices]


@converts("CumSum")
def _cumsum(b: Builder, n: Node) -> Value:
    axis = int(b.number(n.input(1), "axis"))
    return b.op(
        "cumsum", n[0], axis=axis, exclusive=bool(n.get("exclusive", 0)), reverse=bool(n.get("reverse", 0))
    )


refuses(
    "NonZero", "Unique", "Compress", "NonMaxSuppression", reason="the shape of its result depends on the data"
)
