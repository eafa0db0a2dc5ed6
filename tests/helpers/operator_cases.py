"""Calls of every op of the graph dialect, on ragged, small and large shapes: graph text in which `DT` is the type."""

from math import prod

import numpy as np
from image_cases import images, lines_and_volumes
from operator_calls import call, plain

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.activations import PReluOp
from ascend_opt.dialects.graph.base import GraphOp
from ascend_opt.dialects.graph.elementwise import BinaryOp, UnaryOp

ROWS = ((7, 1001), (1, 1), (33, 65), (2, 3, 17, 19), (5,), (512, 300))
"""Shapes of ops that take any."""
RANGES = {
    "log": (0.1, 4.0),
    "sqrt": (0.1, 4.0),
    "rsqrt": (0.1, 4.0),
    "reciprocal": (0.5, 2.0),
    "reduce_prod": (0.97, 1.015),
}
"""Values of ops that not every number suits; the others get normal ones."""


def _like_rows(op: type[GraphOp]) -> list[str] | None:
    """Cases of ops that are the same for every shape."""
    name = op.short_name()
    extra = {"compare": 'direction = "le"', "quantize": "scale = 0.05, zero_point = 3", "cast": "to = i32"}
    mask = name.startswith("logical")
    if (
        (issubclass(op, UnaryOp) or name in extra)
        and "b" not in op.operand_names()
        and "affine" not in op.operand_names()
    ):
        return [call(name, [(s, "i1" if mask else "DT")], extra.get(name, "")) for s in ROWS]
    if issubclass(op, BinaryOp):
        others = ((1001,), (1, 1), (33, 1), (3, 1, 1), (5,), (1, 300))
        kind = "i1" if mask else "DT"
        attributes = extra.get(name, "")
        return [call(name, [(s, kind), (o, kind)], attributes) for s, o in zip(ROWS, others, strict=True)]
    if issubclass(op, PReluOp):
        return [call(name, plain(s, s[-1:])) for s in ROWS]
    if issubclass(op, graph.GraphOp) and name.startswith("reduce_"):
        return [
            call(name, plain(s), f"axes = {axes}, keep_dims = {keep}")
            for s, axes, keep in zip(
                ((7, 101), (1, 1), (33, 65), (2, 3, 17, 19), (5,), (512, 30)),
                ([-1], [0], [], [1, 2], [0], [1]),
                ("false", "true", "false", "true", "false", "false"),
                strict=True,
            )
        ]
    return None


def _moves() -> dict[str, list[str]]:
    perms = ([1, 0], [1, 0], [1, 0], [0, 2, 3, 1], [0], [1, 0])
    cuts = (
        "starts = [2, 5], ends = [7, 999]",
        "starts = [0], ends = [1]",
        "starts = [1], ends = [60], axes = [1], steps = [3]",
        "starts = [-9], ends = [100], axes = [3]",
        "starts = [1], ends = [5], steps = [2]",
        "starts = [100], ends = [400]",
    )
    pads = ([1, 0, 2, 3], [0, 0, 0, 1], [0, 7, 0, 0], [0, 0, 1, 2, 0, 1, 0, 0], [3, 0], [0, 0, 4, 4])
    wide = ([2, 7, 1001], [4, 3], [2, 33, 65], [2, 3, 17, 19], [3, 5], [2, 512, 300])
    joins = ((1, (7, 30)), (0, (2, 1)), (0, (3, 65)), (3, (2, 3, 17, 5)), (0, (9,)), (1, (512, 16)))
    sizes = ((1, [1, 1000]), (0, [1]), (1, [16, 48, 1]), (3, [9, 10]), (0, [2, 3]), (0, [500, 12]))
    return {
        "transpose": [call("transpose", plain(s), f"perm = {p}") for s, p in zip(ROWS, perms, strict=True)],
        "slice": [call("slice", plain(s), c) for s, c in zip(ROWS, cuts, strict=True)],
        "pad": [call("pad", plain(s), f"pads = {p}, value = 0.5") for s, p in zip(ROWS, pads, strict=True)],
        "broadcast": [
            call("broadcast", plain(s), f"shape = {w}")
            for s, w in zip(((7, 1001), (1, 1), (33, 1), (3, 1, 19), (5,), (300,)), wide, strict=True)
        ],
        "concat": [call("concat", plain(s, o), f"axis = {a}") for s, (a, o) in zip(ROWS, joins, strict=True)],
        "split": [
            call("split", plain(s), f"axis = {a}, sizes = {n}", len(n))
            for s, (a, n) in zip(ROWS, sizes, strict=True)
        ],
        "tile": [
            call("tile", plain(s), f"repeats = {[2, *[1] * (len(s) - 2), 3][-len(s) :]}") for s in ROWS[:5]
        ]
        + [call("tile", plain((64, 30)), "repeats = [3, 1]")],
        "reshape": [call("reshape", plain(s), f"shape = [{prod(s)}]") for s in ROWS],
        "select": [call("select", [(s, "i1"), (s, "DT"), (s[-1:], "DT")]) for s in ROWS],
        "dequantize": [call("dequantize", [(s, "i8")], "scale = 0.05, to = DT") for s in ROWS],
    }


def _rows() -> dict[str, list[str]]:
    axes = (-1, 0, 0, 2, 0, 1)
    products = (
        ((7, 101), (101, 33), ""),
        ((1, 1), (1, 1), ""),
        ((33, 65), (17, 65), "transpose_b = true"),
        ((2, 3, 17, 19), (19, 40), ""),
        ((20, 5), (20, 9), "transpose_a = true"),
        ((3, 128, 64), (3, 64, 96), ""),
        ((20, 160), (160, 40), "part = 64, out = f32"),
        ((2, 5, 96), (48, 96), "part = 64, transpose_b = true"),
        ((2, 3, 9, 128), (3, 128, 33), "part = 96"),
        ((96, 20), (96, 24), "part = 32, transpose_a = true"),
    )
    turned = (
        ((2, 4, 8, 32), (8, 16)),
        ((1, 2), (1, 1)),
        ((3, 7, 20), (7, 10)),
        ((5, 6), (5, 3)),
        ((2, 2, 9, 64), (9, 32)),
        ((1, 12, 40, 64), (40, 32)),
    )
    found = {
        name: [call(name, plain(s), f"axis = {a}") for s, a in zip(ROWS, axes, strict=True)]
        for name in ("softmax", "log_softmax", "argmax")
    }
    return found | {
        "cumsum": [
            call("cumsum", plain(s), f"axis = {a}, exclusive = {e}, reverse = {r}")
            for s, a, e, r in zip(
                ROWS, axes, ("false", "true") * 3, ("false", "false", "true") * 2, strict=True
            )
        ],
        "layer_norm": [call("layer_norm", plain(s, s[-1:], s[-1:])) for s in ROWS],
        "rms_norm": [call("rms_norm", plain(s, s[-1:])) for s in ROWS],
        "matmul": [call("matmul", [(a, "DT"), (b, "DT!")], t) for a, b, t in products],
        "rope": [
            call("rope", plain(x, c, c), f"interleaved = {i}")
            for (x, c), i in zip(turned, ("false", "true") * 3, strict=True)
        ],
    }


def _indices() -> dict[str, list[str]]:
    tables = (
        ((100, 64), (7,), 0),
        ((9, 77), (2, 5), 0),
        ((5, 33, 20), (4,), 1),
        ((40, 30), (11,), 1),
        ((333,), (40,), 0),
        ((1000, 256), (200,), 0),
    )
    bags = (
        ((100, 64), (8, 5)),
        ((9, 77), (3, 7)),
        ((50, 16), (1, 1)),
        ((30, 5), (2, 3, 4)),
        ((9, 33), (6,)),
        ((500, 256), (60, 20)),
    )
    cut = (
        ((100, 64), (37,), (7,), "sum", "false", False),
        ((9, 77), (40,), (9,), "mean", "true", False),
        ((50, 16), (21,), (1,), "max", "false", False),
        ((30, 5), (100,), (33,), "sum", "true", True),
        ((9, 33), (3,), (6,), "mean", "false", False),
        ((300, 128), (200,), (60,), "max", "true", False),
    )
    hot = (
        ((7,), 10, -1),
        ((3, 5), 100, -1),
        ((4, 6), 7, 0),
        ((1,), 1, -1),
        ((2, 9), 17, 1),
        ((100,), 333, -1),
    )
    most = (
        ((7, 1001), 3, -1),
        ((1, 1), 1, 0),
        ((33, 65), 10, -1),
        ((5, 20), 4, 0),
        ((2, 3, 40), 7, -1),
        ((16, 128), 2, -1),
    )
    put = (
        ((10, 8), (3,)),
        ((1, 5), (1,)),
        ((100, 3, 7), (2, 9)),
        ((333, 40), (17,)),
        ((64, 64), (1,)),
        ((50, 33), (200,)),
    )
    return {
        "gather": [call("gather", [(x, "DT"), (i, "i32")], f"axis = {a}") for x, i, a in tables],
        "embedding_bag": [
            call("embedding_bag", [(x, "DT"), (i, "i32")], f'mode = "{m}"')
            for (x, i), m in zip(bags, ("sum", "mean") * 3, strict=True)
        ]
        + [
            call(
                "embedding_bag",
                [(x, "DT"), (i, "i32"), (o, "i32"), *([(i, "DT")] if weighted else [])],
                f'mode = "{m}", include_last_offset = {last}',
            )
            for x, i, o, m, last, weighted in cut
        ],
        "one_hot": [call("one_hot", [(i, "i32")], f"depth = {d}, axis = {a}, to = DT") for i, d, a in hot],
        "topk": [
            call("topk", plain(x), f"k = {k}, axis = {a}, largest = {most}", 2)
            for (x, k, a), most in zip(most, ("true", "false") * 3, strict=True)
        ],
        "scatter": [
            call("scatter", [(x, "DT"), (i, "i32"), ((*i, *x[1:]), "DT")], f'reduction = "{r}"')
            for (x, i), r in zip(put, ("add", "none", "add", "add", "none", "add"), strict=True)
        ],
    }


def _attention() -> dict[str, list[str]]:
    shapes = (
        ((2, 17, 16), (2, 33, 16), (2, 33, 16), None),
        ((1, 8), (1, 8), (1, 8), None),
        ((2, 4, 33, 40), (2, 2, 20, 40), (2, 2, 20, 9), (33, 20)),
        ((3, 1, 64), (3, 77, 64), (3, 77, 64), (3, 1, 77)),
        ((1, 2, 50, 32), (1, 2, 50, 32), (1, 2, 50, 32), None),
        ((130, 80), (257, 80), (257, 80), None),
    )
    heads = [plain(*(s for s in one if s is not None)) for one in shapes]
    kept = (((7, 1001), (7, 1), (1001,)), ((1,), (1,), (1,)), ((2, 33, 65), (33, 1), (1, 65)), ((5, 20), (1,), (20,)),
            ((2, 3, 40), (3, 1), (40,)), ((16, 128), (16, 128), (1, 1)))  # fmt: skip
    weighed = (((2, 17, 33), (2, 33, 16)), ((1, 8), (8, 16)), ((2, 3, 4, 160), (2, 1, 160, 48)),
               ((130, 257), (257, 80)), ((5, 300), (300, 32)), ((3, 1, 77), (3, 77, 64)))  # fmt: skip
    return {
        "attention": [
            call("attention", given, f"causal = {str(i % 2 == 0).lower()}") for i, given in enumerate(heads)
        ],
        "softmax_matmul": [call("softmax_matmul", plain(*one)) for one in weighed],
        "keep_where": [
            call("keep_where", plain(*one), f'direction = "{d}", value = -2.5')
            for one, d in zip(kept, ("ge", "lt", "le", "gt", "ne", "ge"), strict=True)
        ],
    }


def cases() -> dict[str, list[str]]:
    """Graphs by op: at least six of every op but constants, which are operands of others."""
    found = images() | lines_and_volumes() | _moves() | _rows() | _indices() | _attention()
    for op in graph.OPS:
        name = op.short_name()
        if name not in found and (like := _like_rows(op)) is not None:
            found[name] = like
    return found


def values(name: str, graph_text: str, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Seeded inputs in the range that the op needs."""
    low, high = RANGES.get(name, (0.0, 0.0))
    if not high:
        return inputs
    size = high - low
    return {
        n: (low + size * np.abs(np.sin(a.astype(np.float64) * 3))).astype(a.dtype)
        if a.dtype.kind == "f"
        else a
        for n, a in inputs.items()
    }
