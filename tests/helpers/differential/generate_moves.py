"""Calls of ops that move elements."""

# pyright: basic

from math import prod
from typing import Any

from differential.generate_elements import beside
from differential.program import FLOATS, Value

FILLS = (0.0, 0.0, 1.0, 0.5, -1.5, 7.0)


def _axis(g: Any, x: Value) -> int | None:
    """A dimension whose rows may be cut, counted from either end."""
    first = 1 if x.batched else 0
    if x.rank <= first:
        return None
    axis = g.rng.randrange(first, x.rank)
    return axis - x.rank if g.rng.random() < 0.3 else axis


def _transpose(g: Any, x: Value) -> Any:
    perm = list(range(x.rank))
    if x.rank < 2:
        return None
    if g.rng.random() < 0.3:
        perm[-1], perm[-2] = perm[-2], perm[-1]
    elif x.batched:
        perm = [0, *g.rng.sample(perm[1:], len(perm) - 1)]
    else:
        g.rng.shuffle(perm)
    return g.apply("transpose", [x], {"perm": tuple(perm)})


def _reshape(g: Any, x: Value) -> Any:
    rng = g.rng
    fixed = [-1] if x.batched else []
    rest, sizes = prod(x.shape[len(fixed) :]), list[int]()
    count = g.wanted_rank - 1 if g.keeps_image else rng.randint(0, 4 - len(fixed))
    for _ in range(count - len(fixed) if g.keeps_image else count):
        factors = [f for f in {*range(1, 10), 16, 31, *x.shape} if rest % f == 0]
        sizes.append(rng.choice(sorted(factors)))
        rest //= sizes[-1]
    if rest > 1 or not sizes or g.keeps_image:
        sizes = [] if rest == 1 and not sizes and not g.keeps_image and rng.random() < 0.5 else [*sizes, rest]
    rng.shuffle(sizes)
    if sizes and not fixed and rng.random() < 0.3:
        sizes[rng.randrange(len(sizes))] = -1
    return g.apply("reshape", [x], {"shape": (*fixed, *sizes)})


def _slice(g: Any, x: Value) -> Any:
    rng = g.rng
    chosen = sorted({a % x.rank for a in (_axis(g, x), _axis(g, x)) if a is not None})
    if not chosen:
        return None
    starts, ends, steps = list[int](), list[int](), list[int]()
    for axis in chosen:
        size = x.shape[axis]
        start = rng.randrange(size)
        end = rng.randint(start + 1, size)
        if rng.random() < 0.2:
            start, end = start - size, (end - size if end < size else 9223372036854775807)
        step = rng.choice((1, 1, 1, 2, 3, -1, -2))
        if step < 0:  # backwards, from the last one on
            start, end = (end - 1 if 0 < end <= size else -1), start - 1 - size if start >= 0 else -size - 1
        starts.append(start)
        ends.append(end)
        steps.append(step)
    attributes = {"starts": tuple(starts), "ends": tuple(ends), "axes": tuple(chosen)}
    return g.apply("slice", [x], attributes | ({"steps": tuple(steps)} if set(steps) != {1} else {}))


def _pad(g: Any, x: Value) -> Any:
    pads = [g.rng.choice((0, 0, 0, 1, 2, 5)) for _ in range(2 * x.rank)]
    if x.rank > 1 and g.rng.random() < 0.5:  # an image's
        pads = [n if d % x.rank >= x.rank - 2 else 0 for d, n in enumerate(pads)]
    if x.batched:
        pads[0] = pads[x.rank] = 0
    return (
        g.apply(
            "pad",
            [x],
            {"pads": tuple(pads), "value": g.rng.choice(FILLS if x.dtype in FLOATS else (0.0, 1.0))},
        )
        if x.rank
        else None
    )


def _concat(g: Any, x: Value) -> Any:
    rng = g.rng
    axis = _axis(g, x)
    if axis is None:
        return None
    at = axis % x.rank
    around = x.shape[:at], x.shape[at + 1 :]
    known = [
        v for v in g.values()
        if v.dtype == x.dtype and v.rank == x.rank and (v.shape[:at], v.shape[at + 1 :]) == around
        and v.batched == x.batched
    ]  # fmt: skip
    parts = [x] if rng.random() < 0.5 or not known else [x, rng.choice(known)]
    if len(parts) == 1 or rng.random() < 0.4:
        parts.append(beside(g, x, (*around[0], rng.choice((1, 3, 8, 16, 17)), *around[1])))
    rng.shuffle(parts)
    return g.apply("concat", parts, {"axis": axis})


def _split(g: Any, x: Value) -> Any:
    axis = _axis(g, x)
    if axis is None:
        return None
    sizes, rest = list[int](), x.shape[axis]
    while rest > 0 and len(sizes) < 3 and g.rng.random() < 0.7:
        sizes.append(g.rng.randint(1, rest))
        rest -= sizes[-1]
    return g.apply("split", [x], {"axis": axis, "sizes": tuple([*sizes, rest] if rest else sizes)})


def _broadcast(g: Any, x: Value) -> Any:
    rng = g.rng
    shape = [rng.choice((2, 3, 5, 16)) if n == 1 and rng.random() < 0.8 else n for n in x.shape]
    if x.batched:
        shape[0] = -1
    elif x.rank < 4 and rng.random() < 0.6:
        shape = [rng.choice((1, 2, 3, 5)) for _ in range(rng.randint(1, 4 - x.rank))] + shape
    return g.apply("broadcast", [x], {"shape": tuple(shape)})


def _tile(g: Any, x: Value) -> Any:
    repeats = [g.rng.choice((1, 1, 2, 3)) for _ in x.shape]
    if x.batched:
        repeats[0] = 1
    return g.apply("tile", [x], {"repeats": tuple(repeats)}) if x.rank else None


def _depth_to_space(g: Any, x: Value) -> Any:
    if x.rank != 4:
        return None
    block = g.rng.choice([b for b in (2, 2, 3, 1) if x.shape[1] % (b * b) == 0])
    return g.apply("depth_to_space", [x], {"block": block, "mode": g.rng.choice(("DCR", "CRD"))})


def _space_to_depth(g: Any, x: Value) -> Any:
    if x.rank != 4:
        return None
    block = g.rng.choice([b for b in (2, 2, 3, 1) if not (x.shape[2] % b or x.shape[3] % b)])
    return g.apply("space_to_depth", [x], {"block": block})


MOVE_OPS = {
    "transpose": _transpose,
    "reshape": _reshape,
    "slice": _slice,
    "pad": _pad,
    "concat": _concat,
    "split": _split,
    "broadcast": _broadcast,
    "tile": _tile,
    "depth_to_space": _depth_to_space,
    "space_to_depth": _space_to_depth,
}
