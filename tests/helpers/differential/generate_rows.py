"""Calls of products, reductions, norms and attention."""

# pyright: basic

from functools import partial
from typing import Any

import numpy as np

from differential.generate_elements import beside
from differential.generate_images import multiplies
from differential.program import Value


def _first(x: Value) -> int:
    return 1 if x.batched else 0


def _matmul(g: Any, x: Value) -> Any:
    rng = g.rng
    if x.rank < 2 or not multiplies(g, x.dtype):
        return None
    ta, tb = rng.random() < 0.25, rng.random() < 0.3
    attributes: dict[str, Any] = {"transpose_a": ta, "transpose_b": tb}
    if rng.random() < 0.1:
        attributes["out"] = "f32"
    depth = x.shape[-2] if ta else x.shape[-1]
    if depth % 32 == 0 < depth // 64 and rng.random() < 0.3:
        return _in_parts(g, x, depth, attributes)
    draw = rng.random()
    if draw < 0.08:
        return g.apply("matmul", [x, x], {"transpose_b": True})
    known = [
        v for v in g.values() if v.rank == x.rank and v.dtype == x.dtype and v.shape[:-2] == x.shape[:-2]
    ]
    if draw < 0.2 and known:
        y = rng.choice(known)
        for pair, flags in (([x, y], (False, False)), ([x, y], (False, True)), ([y, x], (False, False))):
            made = g.apply("matmul", pair, {"transpose_a": flags[0], "transpose_b": flags[1]})
            if made is not None:
                return made
    batch = x.shape[:-2]
    outer = rng.choice(((), (), batch, tuple(1 if rng.random() < 0.4 else n for n in batch)))
    n = rng.choice((1, g.size(), g.size()))
    left = rng.random() < 0.75 or (x.batched and x.rank == 2)
    if left:
        k = x.shape[-2] if ta else x.shape[-1]
    else:
        k = x.shape[-1] if tb else x.shape[-2]
    y = g.array((*outer, k, n), "matrix", x.dtype)  # drawn [K, N], for a right operand
    if tb if left else not ta:
        y = np.ascontiguousarray(np.swapaxes(y, -1, -2))
    if y.size > 4 * g.most:
        return None
    other = g.given(y, x.dtype, 0.4)
    return g.apply("matmul", [x, other] if left else [other, x], attributes)


def _in_parts(g: Any, x: Value, depth: int, attributes: dict[str, Any]) -> Any:
    """Sums of parts of K, the last of which may be shorter."""
    y = g.array((depth, g.size()), "matrix", x.dtype)
    if attributes["transpose_b"]:
        y = np.ascontiguousarray(np.swapaxes(y, -1, -2))
    if y.size > 4 * g.most or x.batched:
        return None
    part = 32 * g.rng.randrange(1, depth // 32)
    return g.apply("matmul", [x, g.given(y, x.dtype, 0.4)], attributes | {"part": part})


def _bias_add(g: Any, x: Value) -> Any:
    role = "zero" if g.kind == "index" else ""
    if x.rank == 1 and not x.batched and g.rng.random() < 0.4:
        return g.apply("bias_add", [g.argument((g.size(), x.shape[0], g.size()), x.dtype, role), x])
    axis = g.rng.randrange(-x.rank + _first(x), x.rank) if x.rank > _first(x) else None
    if axis is None or (x.batched and axis == 0):
        return None
    return g.apply("bias_add", [x, g.argument((x.shape[axis],), x.dtype, role, 0.5)], {"axis": axis})


def _batch_norm(g: Any, x: Value) -> Any:
    if g.rng.random() < 0.12 and x.rank == 1 and not x.batched:
        vectors = [g.argument(x.shape, x.dtype, role) for role in ("", "", "positive")]
        image = g.argument((2, x.shape[0], 5, 7), x.dtype)
        return g.apply("batch_norm", [image, x, *vectors])
    if x.rank < 2:
        return None
    weight = g.rng.choice((0.0, 1.0))
    vectors = [g.argument((x.shape[1],), x.dtype, role, weight) for role in ("", "", "", "positive")]
    return g.apply("batch_norm", [x, *vectors], {"epsilon": g.rng.choice((1e-5, 1e-3))})


def _reduce(op: str, g: Any, x: Value) -> Any:
    if op == "reduce_mean" and not x.stored.size:
        return None  # of nothing: NaN here and in numpy, 0 in onnxruntime
    axes = [d for d in range(_first(x), x.rank) if g.rng.random() < 0.45]
    if not axes and x.rank > _first(x):
        axes = [g.rng.randrange(_first(x), x.rank)]
    if x.batched and not axes:
        return None
    if g.rng.random() < 0.15 and not x.batched:
        axes = []  # all of them
    axes = [d - x.rank if g.rng.random() < 0.3 else d for d in axes]
    keep = g.keeps_image or g.rng.random() < 0.4
    return g.apply(op, [x], {"axes": tuple(axes), "keep_dims": keep})


def _along(op: str, g: Any, x: Value) -> Any:
    if x.rank <= _first(x):
        return None
    axis = g.rng.randrange(_first(x), x.rank)
    axis = -1 if g.rng.random() < 0.4 else axis - x.rank if g.rng.random() < 0.3 else axis
    if x.batched and axis % x.rank == 0:
        return None
    return g.apply(op, [x], {"axis": axis})


def _cumsum(g: Any, x: Value) -> Any:
    if x.rank <= _first(x):
        return None
    axis = g.rng.randrange(_first(x), x.rank) - g.rng.choice((0, x.rank))
    if x.batched and axis % x.rank == 0:
        return None
    flags = {name: True for name in ("exclusive", "reverse") if g.rng.random() < 0.3}
    return g.apply("cumsum", [x], {"axis": axis, **flags})


def _from_axis(op: str, g: Any, x: Value) -> Any:
    """A norm, with gamma and beta or not; the value may be gamma."""
    most = 1 if op == "rms_norm" else 2
    if g.rng.random() < 0.1 and x.rank and not x.batched:
        return g.apply(op, [g.argument((g.size(), *x.shape), x.dtype), x], {"axis": -x.rank})
    if x.rank <= _first(x):
        return None
    axis = -1 if g.rng.random() < 0.5 else g.rng.randrange(_first(x), x.rank)
    shape = x.shape[axis % x.rank :]
    affine = [g.argument(shape, x.dtype, weight=0.5) for _ in range(g.rng.randint(0, most))]
    return g.apply(op, [x, *affine], {"axis": axis, "epsilon": g.rng.choice((1e-5, 1e-3))})


def _of_channels(op: str, g: Any, x: Value) -> Any:
    if x.rank < 3:
        return None
    channels = x.shape[1]
    affine = [g.argument((channels,), x.dtype, weight=0.5) for _ in range(g.rng.choice((0, 2, 2)))]
    attributes: dict[str, Any] = {"epsilon": g.rng.choice((1e-5, 1e-3))}
    if op == "group_norm":
        attributes["groups"] = g.rng.choice([n for n in range(1, channels + 1) if channels % n == 0])
    return g.apply(op, [x, *affine], attributes)


def _softmax_matmul(g: Any, x: Value) -> Any:
    """The value is the rows."""
    if x.rank < 2 or x.batched or 0 in x.shape or not multiplies(g, x.dtype):
        return None
    batch = tuple(1 if g.rng.random() < 0.3 else n for n in x.shape[:-2])
    columns = 16 * g.rng.randrange(1, 5)
    return g.apply("softmax_matmul", [x, g.argument((*batch, x.shape[-1], columns), x.dtype, "matrix", 0.6)])


def _attention(g: Any, x: Value) -> Any:
    """The value is q, k, v or the mask. Where it is a matrix of dynamic rows, q and the mask have these."""
    rng = g.rng
    if x.rank < 2:
        return None

    def argument(shape: tuple[int, ...], rows: bool = False) -> Value:
        return g.argument(shape, dtype, batched=x.batched and (rows or x.rank > 2))

    mask: list[Value] = []
    dtype = x.dtype
    if dtype == "i1" or (rng.random() < 0.15 and multiplies(g, dtype)):
        if dtype == "i1":
            dtype = rng.choice([t for t in g.chip.storage if multiplies(g, t)])
        *outer, rows, columns = x.shape
        mask, depth = [x], rng.choice((4, 8, 16, 17))
        shapes = [
            (*outer, rows, depth),
            (*outer, columns, depth),
            (*outer, columns, rng.choice((3, 8, 16, 20))),
        ]
        return g.apply("attention", [*(argument(s, s is shapes[0]) for s in shapes), *mask])
    if not multiplies(g, dtype):
        return None
    *outer, rows, depth = x.shape
    columns, width = g.size(), rng.choice((depth, 3, 16, 20))
    slot = "q" if x.batched and x.rank == 2 else rng.choice("qqkv")
    heads = list(outer)
    if slot == "q":
        if len(outer) > x.batched and rng.random() < 0.3:
            heads[-1] = rng.choice([n for n in range(1, outer[-1] + 1) if outer[-1] % n == 0])
        shapes = [x.shape, (*heads, columns, depth), (*heads, columns, width)]
    elif slot == "k":
        shapes = [(*outer, columns, depth), x.shape, (*outer, rows, width)]
    else:
        depth_, columns = rng.choice((4, 16, 17)), rows
        shapes = [(*outer, g.size(), depth_), (*outer, columns, depth_), x.shape]
    operands = [x if s is x.shape and c == slot else argument(s) for s, c in zip(shapes, "qkv", strict=True)]
    scores = (*shapes[0][:-1], shapes[1][-2])
    draw = rng.random()
    if draw < 0.35 and not (x.batched and x.rank == 2):
        low = g.numbers.random(scores[-2:]) < 0.3
        low[:, 0] = False
        if draw < 0.15 and (dtype != "f32" or not g.chip.vector.mask_register):
            mask = [g.given(~low, "i1")]
        else:
            mask = [g.given(np.where(low, -65504.0 if dtype == "f16" else -1e9, 0.0), dtype)]
    attributes = {"causal": rng.random() < 0.3, "scale": rng.choice((None, None, 1.0, 0.25))}
    if attributes["causal"] and dtype == "f32" and g.chip.vector.mask_register:
        return None
    return g.apply("attention", [*operands, *mask], attributes)


def _rope(g: Any, x: Value) -> Any:
    rng = g.rng
    if not x.rank or x.shape[-1] % 2:
        if x.rank and not x.batched:  # the value is the cosines
            shape = (g.size(), *x.shape[:-1], 2 * x.shape[-1])
            return g.apply("rope", [g.argument(shape, x.dtype), x, g.argument(x.shape, x.dtype)])
        return None
    half = (*x.shape[:-1], x.shape[-1] // 2)
    shape = rng.choice(
        (half, half[-2:], half[-1:], tuple(1 if d < len(half) - 2 else n for d, n in enumerate(half)))
    )
    if x.batched and len(shape) == x.rank:
        shape = (1, *shape[1:])
        if x.shape[0] == 1:
            return None
    angles = g.numbers.uniform(0, 6, shape)
    if g.kind == "gaussian":
        parts = [g.given(np.cos(angles), x.dtype, 0.5), g.given(np.sin(angles), x.dtype, 0.5)]
    else:
        parts = [
            beside(g, x, shape, role) for role in ("positive", "zero" if g.kind == "index" else "positive")
        ]
    return g.apply("rope", [x, *parts], {"interleaved": rng.random() < 0.5})


ROW_OPS = {
    "matmul": _matmul,
    "bias_add": _bias_add,
    "batch_norm": _batch_norm,
    **{
        op: partial(_reduce, op)
        for op in ("reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum")
    },
    **{op: partial(_along, op) for op in ("softmax", "log_softmax")},
    **{op: partial(_from_axis, op) for op in ("layer_norm", "rms_norm")},
    **{op: partial(_of_channels, op) for op in ("group_norm", "instance_norm")},
    "attention": _attention,
    "softmax_matmul": _softmax_matmul,
    "cumsum": _cumsum,
    "rope": _rope,
}
