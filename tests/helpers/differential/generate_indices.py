"""Calls of ops that take or give indices."""

# pyright: basic

from math import prod
from typing import Any

import numpy as np

from differential.program import FLOATS, Value


def _reach(x: Value) -> int:
    """The least count that holds each index of a tensor."""
    return int(max(int(np.max(x.stored, initial=0)) + 1, -int(np.min(x.stored, initial=0)), 1))


def _is_index(x: Value) -> bool:
    """Whether a tensor may hold indices: its numbers are small."""
    return x.dtype == "i32" and _reach(x) <= 300


def _indices(g: Any, count: int, rank: int = 1) -> Value:
    shape = tuple(g.rng.choice((1, 2, 3, 5, 7, 16)) for _ in range(rank))
    array = g.numbers.integers(-count if g.rng.random() < 0.3 else 0, count, shape)
    return g.given(array, "i32", 0.1)


def _gather(g: Any, x: Value) -> Any:
    rng = g.rng
    if _is_index(x) and rng.random() < 0.8:
        dtype = rng.choice([t for t in g.chip.storage if t in (*FLOATS, "i1")])
        axis = rng.choice((0, 0, 1))
        shape = [g.size() for _ in range(rng.choice((1, 2, 2, 3)))]
        axis = min(axis, len(shape) - 1)
        shape[axis] = max(shape[axis], _reach(x))
        return g.apply("gather", [g.argument(shape, dtype), x], {"axis": axis})
    first = 1 if x.batched else 0
    if x.rank <= first:
        return None
    axis = rng.randrange(first, x.rank)
    if x.batched and prod(x.shape[axis + 1 :]) == 1:
        return None  # single elements are picked as columns, which are rows of the dynamic dimension then
    rank = 1 if g.keeps_image else rng.choice((0, 1, 1, 1, 2))
    return g.apply("gather", [x, _indices(g, x.shape[axis], rank)], {"axis": axis})


def _embedding_bag(g: Any, x: Value) -> Any:
    mode = {"mode": g.rng.choice(("sum", "mean", "max"))}
    if x.dtype == "i32" and not _is_index(x):
        return None
    if x.dtype == "i32":
        if not x.rank:
            return None
        dtype = g.rng.choice([t for t in g.chip.storage if t in FLOATS])
        table, indices = g.argument((_reach(x) + 2, g.size()), dtype), x
    elif x.rank != 2 or x.batched:
        return None
    else:
        table, indices = x, _indices(g, x.shape[0], g.rng.choice((1, 1, 2, 2, 3)))
    bags: list[Value] = []
    if indices.rank == 1 and not (table.batched or indices.batched) and g.rng.random() < 0.7:
        last = g.rng.random() < 0.5
        count = g.rng.choice((1, 2, 5, 17)) + last
        bags = [g.given(np.sort(g.numbers.integers(0, indices.shape[0] + 1, count)), "i32", 0.1)]
        mode["include_last_offset"] = last
        if mode["mode"] == "sum" and g.rng.random() < 0.4:
            bags.append(g.argument(indices.shape, table.dtype))
    return g.apply("embedding_bag", [table, indices, *bags], mode)


def _one_hot(g: Any, x: Value) -> Any:
    depth = max(1, _reach(x) + g.rng.choice((-2, 0, 0, 3)))
    first = 1 if x.batched else 0
    attributes = {
        "depth": depth, "axis": g.rng.choice((-1, -1, g.rng.randint(first, x.rank))),
        "to": g.rng.choice([t for t in g.chip.storage if t in FLOATS]),
    }  # fmt: skip
    if g.rng.random() < 0.4:
        attributes |= {"on": g.rng.choice((2.0, 0.5)), "off": g.rng.choice((-1.0, 0.25))}
    return g.apply("one_hot", [x], attributes) if depth <= 300 else None


def _scatter(g: Any, x: Value) -> Any:
    rng = g.rng
    how = rng.choice(("none", "add", "mul", "max", "min"))
    attributes = {"reduction": how}
    if x.batched or (x.dtype == "i32" and not _is_index(x)):
        return None
    if x.dtype == "i32":
        dtype = rng.choice([t for t in g.chip.storage if t in FLOATS])
        row = [g.size() for _ in range(rng.choice((0, 1, 1, 2)))]
        operands = [g.argument((_reach(x), *row), dtype), x, g.argument((*x.shape, *row), dtype)]
        return g.apply("scatter", operands, attributes)
    if not x.rank:
        return None
    if rng.random() < 0.3:  # the value is what is put
        count = x.shape[0] + rng.randint(0, 9)
        places = g.given(g.numbers.integers(-count, count, x.shape[0]), "i32")
        return g.apply("scatter", [g.argument((count, *x.shape[1:]), x.dtype), places, x], attributes)
    count = rng.randint(1, x.shape[0])
    places = g.numbers.permutation(x.shape[0])[:count] - rng.choice((0, 0, x.shape[0]))
    if rng.random() < 0.5:
        places = g.numbers.integers(0, x.shape[0], count)
    role = {"add": "zero", "mul": "positive"}.get(how, "") if g.kind == "index" else ""
    updates = g.argument((count, *x.shape[1:]), x.dtype, role)
    return g.apply("scatter", [x, g.given(places, "i32"), updates], attributes)


def _axis(g: Any, x: Value) -> int | None:
    first = 1 if x.batched else 0
    return None if x.rank <= first else g.rng.randrange(first, x.rank) - g.rng.choice((0, x.rank))


def _argmax(g: Any, x: Value) -> Any:
    axis = _axis(g, x)
    keep = g.rng.random() < (0.9 if g.keeps_image else 0.4)
    return None if axis is None else g.apply("argmax", [x], {"axis": axis, "keep_dims": keep})


def _topk(g: Any, x: Value) -> Any:
    axis = _axis(g, x)
    if axis is None:
        return None
    k = g.rng.randint(1, min(x.shape[axis], g.rng.choice((2, 4, 9))))
    return g.apply("topk", [x], {"k": k, "axis": axis, "largest": g.rng.random() < 0.6})


INDEX_OPS = {
    "gather": _gather,
    "embedding_bag": _embedding_bag,
    "one_hot": _one_hot,
    "scatter": _scatter,
    "argmax": _argmax,
    "topk": _topk,
}
