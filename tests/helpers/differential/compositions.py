"""Graphs that paths of ops do not reach: what a network computes in two ways and joins, read by two ops."""

# pyright: basic

import random
from typing import Any

from differential.generate_images import multiplies
from differential.program import Value

SHARE = 0.1
"""Of values, how many are joined with others."""
MOVES = ("", "", "doubled", "doubled", "resize", "depth_to_space", "relu", "tanh", "max_pool2d")
"""What may lie between a product and the concatenation that takes its result, where the next op can follow: nothing, an
image twice as large, or one of these ops."""
CHANNELS = (16, 16, 32, 48, 64, 8, 5)


def joined(g: Any, x: Value, rng: random.Random) -> Value | None:
    """A value in a concatenation with what another product gives, which two products read: one of their results; None
    where that does not fit."""
    from differential.generators import GENERATORS

    fits = x.rank in (2, 3, 4) and multiplies(g, x.dtype) and x.stored.size
    if not fits or g.dynamic or g.empty or g.kind == "special":
        return None
    image = x.rank == 4
    first = _product(g, x, rng)
    move = rng.choice(MOVES)
    if image and first is not None and move:
        moved = _doubled(g, first) if move == "doubled" else GENERATORS[move](g, first)
        first = moved[0] if moved else first
    if first is None or first.dtype != x.dtype:
        return None
    axis = 1 if image else rng.choice((0, first.rank - 1))
    shape = list(first.shape)
    if axis == first.rank - 1 and not image:
        shape[axis] = rng.choice((8, 16, 24))
    elif image:
        shape[1] = rng.choice((3, 16))
    second = _product(g, g.argument(shape, x.dtype), rng, image or axis > 0, first.shape[-1])
    if second is None:
        return None
    made = g.apply("concat", [first, second] if rng.random() < 0.5 else [second, first], {"axis": axis})
    if made is None:
        return None
    read = [_product(g, made[0], rng) for _ in range(2)]
    return rng.choice([one for one in read if one is not None] or list(made))


def siblings(g: Any, x: Value, rng: random.Random) -> Value | None:
    """What meets behind three products of one value: attention of heads, or rows by columns; None where that does not
    fit."""
    fits = x.rank in (2, 3) and multiplies(g, x.dtype) and x.stored.size
    if not fits or g.dynamic or g.empty or g.kind != "gaussian":
        return None
    heads, depth, biased = rng.choice((1, 2, 3)), rng.choice((8, 16, 32)), rng.random()
    groups = rng.choice((1, heads))
    rows, parts = x.stored.size // x.shape[-1], list[Value]()
    for count in (heads, groups, groups):
        w = g.argument((x.shape[-1], count * depth), x.dtype, "matrix", 0.9)
        made = g.apply("matmul", [x, w])
        if made and rng.random() < biased:
            made = g.apply(
                "bias_add", [made[0], g.argument((count * depth,), x.dtype, "any", 0.9)], {"axis": -1}
            )
        if made and heads > 1:
            made = g.apply("reshape", made, {"shape": (rows, count, depth)})
            made = made and g.apply("transpose", made, {"perm": (1, 0, 2)})
        if not made:
            return None
        parts += made
    q, k, v = parts
    if heads == groups and rng.random() < 0.3:
        scores = g.apply("matmul", [q, k], {"transpose_b": True})
        made = scores and g.apply("matmul", [scores[0], v])
    else:
        made = g.apply("attention", parts, {"causal": False, "scale": None})
    return made[0] if made else None


def of_bytes(g: Any, x: Value, rng: random.Random) -> Value | None:
    """A product of a value that is quantised, or of bytes where rounding decides these, and of i8 weights, as exporters
    write it; None where that does not fit."""
    fits = x.rank in (2, 3) and multiplies(g, x.dtype) and x.stored.size
    if not fits or g.dynamic or g.empty or g.kind not in ("gaussian", "integer"):
        return None
    scales = (0.05, 0.03, 0.25) if g.kind == "gaussian" else (1.0, 0.5)
    steps = {"scale": rng.choice(scales), "zero_point": rng.choice((0, 0, 3, -7))}
    bytes_ = g.apply("quantize", [x], steps) or [g.argument(x.shape, "i8")]
    left = g.apply("dequantize", bytes_, {**steps, "to": x.dtype})
    if not left:
        return None
    n = rng.choice((1, 7, 16, 32, 48))
    weights = [g.argument((x.shape[-1], n), "i8", weight=0.9)]
    weights += [g.argument((n,), "f32", "positive", 0.9)] * (rng.random() < 0.4)
    factor = {"scale": rng.choice((0.01, 0.004)) if g.kind == "gaussian" else 0.5, "to": x.dtype}
    right = g.apply("dequantize", weights, factor)
    made = right and g.apply("matmul", [left[0], right[0]])
    if made and rng.random() < 0.5:
        made = g.apply("bias_add", [made[0], g.argument((n,), x.dtype, "any", 0.9)], {"axis": -1}) or made
    if made and rng.random() < 0.3:
        made = g.apply("relu", made) or made
    return made[0] if made else None


def _doubled(g: Any, x: Value) -> Any:
    """Each pixel twice along both dimensions, as before the joins of a detector."""
    sizes = tuple(2 * n for n in x.shape[2:])
    return g.apply("resize", [x], {"sizes": sizes, "coordinates": "asymmetric", "rounding": "floor"})


def _product(g: Any, x: Value, rng: random.Random, free: bool = True, width: int = 0) -> Value | None:
    """A product of `x` with weights, which keeps its rows or its image; with `width` columns unless they are `free`."""
    n = rng.choice(CHANNELS) if free else width
    if x.rank == 4:
        kernel = rng.choice((1, 3))
        w = g.argument((n, x.shape[1], kernel, kernel), x.dtype, "filters", 0.6)
        made = g.apply("conv2d", [x, w], {"pads": (kernel // 2,) * 4})
    else:
        made = g.apply("matmul", [x, g.argument((x.shape[-1], n), x.dtype, "matrix", 0.6)])
    return made[0] if made else None
