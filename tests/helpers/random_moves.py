"""Steps of a random graph that move elements or see them through windows: on ragged sizes, padded on any side."""

# pyright: basic

from dataclasses import replace
from typing import Any

from random_nodes import Node


def transposed(grower: Any, x: Node) -> Node | None:
    perm = list(range(len(x.shape)))
    grower.rng.shuffle(perm)
    return grower.try_op("transpose", [x], {"perm": tuple(perm)}) if len(perm) > 1 else None


def sliced(grower: Any, x: Node) -> Node | None:
    if not x.shape:
        return None
    rng = grower.rng
    axis = rng.randrange(len(x.shape))
    start = rng.randrange(x.shape[axis])
    end = rng.randint(start + 1, x.shape[axis])
    steps = (rng.choice((1, 1, 2, 3)),)
    return grower.try_op("slice", [x], {"starts": (start,), "ends": (end,), "axes": (axis,), "steps": steps})


def padded(grower: Any, x: Node) -> Node | None:
    pads = tuple(grower.rng.choice((0, 0, 1, 2, 5)) for _ in range(2 * len(x.shape)))
    value = grower.rng.choice((0.0, 0.0, 0.5))
    return grower.try_op("pad", [x], {"pads": pads, "value": value}) if x.shape else None


def joined(grower: Any, x: Node) -> Node | None:
    if not x.shape:
        return None
    rng = grower.rng
    axis = rng.randrange(len(x.shape))
    around = x.shape[:axis], x.shape[axis + 1 :]
    known = [
        n
        for n in grower.nodes
        if n.dtype == x.dtype
        and len(n.shape) == len(x.shape)
        and (n.shape[:axis], n.shape[axis + 1 :]) == around
    ]
    parts = [x, rng.choice(known)]
    if rng.random() < 0.5:
        size = rng.choice((1, 3, 8, 16, 17))
        parts.append(replace(grower.argument((*around[0], size, *around[1]), x.dtype), name="aj"))
    rng.shuffle(parts)
    return grower.try_op("concat", parts, {"axis": axis})


def pooled(grower: Any, x: Node) -> Node | None:
    if len(x.shape) != 4:
        return None
    rng = grower.rng
    kernel = tuple(min(n, rng.choice((1, 2, 3))) for n in x.shape[2:])
    pads = tuple(rng.randint(0, kernel[i % 2] - 1) for i in range(4))
    attributes = {
        "kernel": kernel, "strides": (rng.choice((1, 2, 3)), rng.choice((1, 2, 3))), "pads": pads,
        "dilations": (1, 1), "ceil_mode": False,
    }  # fmt: skip
    return grower.try_op("max_pool2d", [x], attributes)


def depthwise(grower: Any, x: Node) -> Node | None:
    if len(x.shape) != 4 or x.dtype not in grower.products or x.shape[1] > 70:
        return None
    rng = grower.rng
    kernel = tuple(min(n, rng.choice((1, 2, 3))) for n in x.shape[2:])
    filters = x.shape[1] * rng.choice((1, 1, 1, 2))
    w = grower.argument((filters, 1, *kernel), x.dtype, "filters", 0.8)
    attributes = {
        "strides": (rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2))),
        "pads": tuple(rng.choice((0, 1, 1, 2)) for _ in range(4)),
        "dilations": (1, 1), "groups": x.shape[1],
    }  # fmt: skip
    return grower.try_op("conv2d", [x, w], attributes)


def softmax(grower: Any, x: Node) -> Node | None:
    if not x.shape or grower.kind != "gaussian":
        return None
    return grower.try_op("softmax", [x], {"axis": grower.rng.randrange(len(x.shape))})


MOVES = ((transposed, 2), (sliced, 2), (padded, 1.5), (joined, 2), (pooled, 3), (depthwise, 3), (softmax, 1))
"""Steps and how often each is taken."""
