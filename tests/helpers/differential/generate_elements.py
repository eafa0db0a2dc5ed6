"""Calls of element-wise ops."""

# pyright: basic

from functools import partial
from typing import Any

import numpy as np

from differential.op_classes import BINARY, UNARY
from differential.program import FLOATS, Value

DIRECTIONS = ("eq", "ne", "lt", "le", "gt", "ge")


def broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1], strict=False))


def beside(g: Any, x: Value, shape: tuple[int, ...], role: str = "", dtype: str = "") -> Value:
    """An argument that broadcasts with a value; dynamic where its first dimension is that of the value."""
    batched = x.batched and len(shape) == x.rank and shape[:1] == x.shape[:1]
    return g.argument(shape, dtype or x.dtype, role, batched=batched)


def partner_shape(g: Any, shape: tuple[int, ...], inside: bool = False) -> tuple[int, ...]:
    """A shape that broadcasts with `shape`; to it, if `inside`."""
    rng = g.rng
    if rng.random() < 0.35:
        return shape
    sizes = [1 if rng.random() < 0.35 else n for n in shape]
    if not inside and not g.dynamic:
        sizes = [rng.randint(2, 7) if n == 1 and rng.random() < 0.15 else n for n in sizes]
    drop = rng.randint(0, len(shape)) if rng.random() < 0.4 else 0
    more = (
        (rng.choice((2, 3)),) if not (inside or g.dynamic) and rng.random() < 0.06 and len(shape) < 4 else ()
    )
    return (*more, *sizes[drop:])


def other(g: Any, x: Value, role: str = "", inside: bool = False) -> Value:
    """A second operand: a value that there is, a constant or an argument."""
    rng = g.rng
    known = [
        v for v in g.values() if v.dtype == x.dtype and broadcasts(v.shape, x.shape) and v.batched <= x.batched
        and (not inside or np.broadcast_shapes(v.shape, x.shape) == x.shape)
    ]  # fmt: skip
    draw = rng.random()
    if known and draw < 0.35:
        return rng.choice(known)
    if draw < 0.5 and x.dtype in (*FLOATS, "i32") and g.kind != "index":
        return g.constant(rng.choice(((), partner_shape(g, x.shape, True))), x.dtype)
    return beside(g, x, partner_shape(g, x.shape, inside), role)


def _unary(op: str, g: Any, x: Value) -> Any:
    return g.apply(op, [x])


def _binary(op: str, g: Any, x: Value) -> Any:
    role = "positive" if op == "div" else ""
    if op == "div" and x.dtype == "i32":  # by 0 it means nothing
        return g.apply("div", [x, beside(g, x, partner_shape(g, x.shape), "positive")])
    if g.kind == "index" and op in ("add", "sub") and g.rng.random() < 0.8:
        role = "zero"
    if g.kind == "index" and op in ("mul", "div"):
        role = "positive"
    y = other(g, x, role)
    left = g.rng.random() < (0.8 if op == "div" else 0.6)
    return g.apply(op, [x, y] if left else [y, x])


def _with(op: str, *choices: dict[str, Any]) -> Any:
    return lambda g, x: g.apply(op, [x], dict(g.rng.choice(choices)))


def _leaky_relu(g: Any, x: Value) -> Any:
    exact = (0.5, 0.25, 2.0, 1.0)
    return g.apply(
        "leaky_relu", [x], {"alpha": g.rng.choice((*exact, 0.1, 0.01) if g.kind == "gaussian" else exact)}
    )


def _clip(g: Any, x: Value) -> Any:
    if x.dtype == "i32":
        low, high = g.rng.choice(((-1, 1), (0, None), (None, 2**24 + 1), (-(2**24) - 1, 2**30), (5, -5)))
        return g.apply("clip", [x], {"min": low, "max": high})
    low, high = g.rng.choice(
        ((-1.0, 1.0), (0.0, 6.0), (None, 2.0), (-2.0, None), (0.0, 0.5), (-0.25, 0.75), (1.0, -1.0))
    )
    return g.apply("clip", [x], {"min": low, "max": high})


def _pow(g: Any, x: Value) -> Any:
    draw = g.rng.random()
    if draw < 0.45:
        return g.apply(
            "pow", [x, g.constant((), x.dtype, g.rng.choice((2.0, 3.0, -1.0, 0.0, 1.0, 0.5, 4.0, -0.5)))]
        )
    if (x.wide <= 0).any():
        return g.apply("pow", [beside(g, x, x.shape, "positive"), x])
    if draw < 0.7:
        return g.apply("pow", [x, beside(g, x, partner_shape(g, x.shape))])
    return g.apply("pow", [beside(g, x, partner_shape(g, x.shape), "positive"), x])


def _prelu(g: Any, x: Value) -> Any:
    if g.rng.random() < 0.2 and x.rank and not x.batched:
        return g.apply("prelu", [g.argument((g.size(), *x.shape), x.dtype), x])
    shape = partner_shape(g, x.shape, inside=True)
    if x.rank == 4 and g.rng.random() < 0.4:
        shape = (x.shape[1], 1, 1)
    return g.apply("prelu", [x, beside(g, x, shape, "positive" if g.kind == "index" else "")])


def _compare(g: Any, x: Value) -> Any:
    y = other(g, x)
    return g.apply(
        "compare", [x, y] if g.rng.random() < 0.6 else [y, x], {"direction": g.rng.choice(DIRECTIONS)}
    )


def _selects(g: Any, dtype: str) -> bool:
    return dtype != "f32" or not g.chip.vector.mask_register


def _select(g: Any, x: Value) -> Any:
    floats = [t for t in g.chip.storage if t in FLOATS and _selects(g, t)]
    if x.dtype == "i1":
        a = beside(g, x, x.shape, dtype=g.rng.choice(floats))
        pair = [a, g.constant((), a.dtype) if g.rng.random() < 0.4 else other(g, a)]
        return g.apply("select", [x, *(pair if g.rng.random() < 0.5 else pair[::-1])])
    if not _selects(g, x.dtype):
        return None
    masks = [
        v for v in g.values() if v.dtype == "i1" and broadcasts(v.shape, x.shape) and v.batched <= x.batched
    ]
    if masks and g.rng.random() < 0.6:
        mask = g.rng.choice(masks)
    else:
        mask = beside(g, x, partner_shape(g, x.shape, True), dtype="i1")
    pair = [x, other(g, x)]
    return g.apply("select", [mask, *(pair if g.rng.random() < 0.5 else pair[::-1])])


def _keep_where(g: Any, x: Value) -> Any:
    rng = g.rng
    far = 1.0 if g.kind == "gaussian" else -65504.0
    attributes = {"direction": rng.choice(DIRECTIONS), "value": rng.choice((0.0, -1.0, 2.5, far))}
    if not _selects(g, x.dtype):
        return None
    if rng.random() < 0.2 and not x.batched:  # the value is compared
        return g.apply("keep_where", [g.argument(x.shape, x.dtype), x, other(g, x, inside=True)], attributes)
    dtype = rng.choice((x.dtype, "f16"))
    if x.rank > 1 and rng.random() < 0.5:  # rows and columns
        rows, columns = x.shape[-2:]
        a = g.given(np.arange(rows).reshape(-1, 1), dtype)
        b = g.given(np.arange(columns), dtype)
        return g.apply("keep_where", [x, a, b], attributes)
    a = beside(g, x, partner_shape(g, x.shape, True), dtype=dtype)
    return g.apply(
        "keep_where", [x, a, beside(g, x, partner_shape(g, x.shape, True), dtype=dtype)], attributes
    )


def _cast(g: Any, x: Value) -> Any:
    """To a type that the next op takes."""
    from differential.types_along import class_of, takes

    wanted = takes(g.following[0]) if g.following else ("f", "f", "i1", "i8", "i32")
    kinds = [t for t in g.chip.storage if class_of(t) in wanted and t != x.dtype]
    return g.apply("cast", [x], {"to": g.rng.choice(kinds)}) if kinds else None


def _quantize(g: Any, x: Value) -> Any:
    scale = g.rng.choice((0.05, 0.1, 0.03, 0.5, 1.0, 0.25) if g.kind == "gaussian" else (1.0, 0.25, 0.5))
    return g.apply("quantize", [x], {"scale": scale, "zero_point": g.rng.choice((0, 0, 3, -7, 100))})


def _dequantize(g: Any, x: Value) -> Any:
    to = g.rng.choice([t for t in g.chip.storage if t in FLOATS])
    scale = g.rng.choice((0.05, 0.1, 0.5, 1.0) if g.kind == "gaussian" else (1.0, 0.5))
    return g.apply("dequantize", [x], {"scale": scale, "zero_point": g.rng.choice((0, 0, 3, -7)), "to": to})


ELEMENTS = {
    **{op: partial(_unary, op) for op in sorted(UNARY)},
    **{op: partial(_binary, op) for op in sorted(BINARY)},
    "dropout": _with("dropout", {"ratio": 0.25}),
    "elu": _with("elu", {}, {"alpha": 0.5}, {"alpha": 1.5}),
    "gelu": _with("gelu", {}, {"approximate": "tanh"}),
    "hard_sigmoid": _with("hard_sigmoid", {}, {"alpha": 1 / 6, "beta": 0.5}, {"alpha": 0.3, "beta": 0.25}),
    "leaky_relu": _leaky_relu,
    "clip": _clip,
    "pow": _pow,
    "prelu": _prelu,
    "compare": _compare,
    "select": _select,
    "keep_where": _keep_where,
    "cast": _cast,
    "quantize": _quantize,
    "dequantize": _dequantize,
}
