"""What an op gives on values of a graph, where a comparison of the compiled program with it is fair.

A value is `exact` if no order of computation and no rounding in another place changes it: moves, selections, and sums
and products of numbers that storage holds. Others are known to a tolerance, by two evaluations: one in f32, one that
rounds each result to storage (to f32 less two digits). An op is refused where these are further apart than a fifth
of the tolerance, or where an operand lies so near a step of the op (a half for `round`, a tie for `argmax`) that the
tolerance decides. What roundings of all results on the way cause (`roundings.py`) may widen the tolerance, to a point.
"""

# pyright: basic

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from ascend_opt.dialects.graph.resize import COORDINATES, Axis
from differential.op_classes import IEEE, MOVES, NORMS, POSITIVE, SELECTIONS, SMOOTH, STEPS, SUMS
from differential.oracle import evaluated
from differential.program import BOUNDS, FLOATS, Value, rounded
from differential.roundings import WIDENED, explained, moved, moved_operands, tolerance

LARGEST = 2000.0
MOST = 3
"""As many bounds may be explained by roundings: more of them hide mistakes."""


def result_types(op: str, operands: Sequence[Value], attributes: dict[str, Any]) -> tuple[str, ...]:
    if op in ("compare", "is_nan"):
        return ("i1",)
    if op in ("cast", "one_hot", "dequantize"):
        return (attributes.get("to") or {"one_hot": "f32", "dequantize": "f16"}[op],)
    if op == "softmax_matmul":
        return ("f32",)
    if op == "matmul" and attributes.get("out"):
        return (attributes["out"],)
    fixed = {"argmax": ("i32",), "quantize": ("i8",), "topk": (operands[0].dtype, "i32")}
    if op in fixed:
        return fixed[op]
    if op == "split":
        return (operands[0].dtype,) * len(attributes["sizes"])
    return (operands[op == "select"].dtype,)


def computed(
    kind: str, op: str, operands: Sequence[Value], attributes: dict[str, Any], numbers: np.random.Generator
) -> list[Value] | None:
    """The results of an op, unnamed, or None where they make no fair comparison. `numbers` draws the last digits of
    the second evaluation in f32. Raises ValueError where the operands do not fit."""
    if kind == "special" and op not in IEEE:
        return None
    sets = [[o.wide for o in operands], [o.stored for o in operands], *moved_operands(operands)]
    wide, stored, *runs = evaluated(op, attributes, sets)
    types = result_types(op, operands, attributes)
    if op in STEPS and not _clear_of_steps(op, operands, attributes, wide):
        return None
    exactly = all(o.exact for o in operands) and (op not in SMOOTH)
    made: list[Value] = []
    signs = numbers.spawn(1)[0]
    for number, (dtype, one, other) in enumerate(zip(types, wide, stored, strict=True)):
        kept = rounded(other, dtype)
        if dtype not in FLOATS:
            made.append(Value("", dtype, rounded(one, dtype), kept))
            if not np.array_equal(made[-1].wide, kept):
                return None
            continue
        exact = exactly and (
            kind != "gaussian" or op in MOVES or op in SELECTIONS or _selects(op, attributes)
        )
        exact = exact and np.array_equal(kept, one, equal_nan=True)
        if kind == "gaussian" and dtype == "f32" and not exact and op not in MOVES:
            noise = WIDENED * numbers.uniform(-1, 1, kept.shape)
            near = noise if op == "gelu" else 0.0  # its small results are differences
            kept = (kept * (1 + noise) + near).astype(np.float32)
        narrow = max(
            (o.narrow for o in operands if o.dtype in FLOATS), key=lambda n: BOUNDS[n], default="f32"
        )
        if not exact and op not in MOVES - {"cast"}:
            narrow = max(narrow, dtype, key=lambda n: BOUNDS[n])
        value = Value("", dtype, one, kept, exact, narrow)
        if kind == "gaussian":
            value = replace(value, moved=moved(op, value, [run[number] for run in runs], signs))
        made.append(value)
        if not _fair(kind, op, operands, attributes, made[-1]):
            return None
    carried = any(o.dtype in FLOATS and not o.exact for o in operands) and op in MOVES | SELECTIONS | SUMS
    if (
        made[0].dtype in FLOATS
        and kind == "gaussian"
        and (carried or op in POSITIVE | NORMS | SMOOTH)
        and not _clear_of_poles(op, operands, attributes, made, numbers)
    ):
        return None
    return made


def _clear_of_poles(
    op: str,
    operands: Sequence[Value],
    attributes: dict[str, Any],
    made: Sequence[Value],
    numbers: np.random.Generator,
) -> bool:
    """Whether results stay within half their tolerance where operands move by a rounding of the numbers that they are
    sums of: small elements of these have few digits, and the least of them may be all that is kept; the tails of
    functions have fewer digits than what they are of. Elements of a norm move apart. What a batch norm is given is
    made one factor and one summand, which storage rounds, and so are scores of attention."""
    value = made[0]
    kept = op in ("attention", "batch_norm")
    for sign in (1, -1):
        moved: list[np.ndarray] = []
        for i, o in enumerate(operands):
            if o.dtype not in FLOATS or (o.exact and not kept) or not o.wide.size:
                moved.append(o.wide)
                continue
            apart = -sign if i else sign  # one operand twice is no quotient of 1 where it may be 0
            signs = apart if op in POSITIVE else numbers.choice((-1.0, 1.0), o.shape)
            size = np.abs(o.wide) if op == "attention" else np.sqrt(np.mean(np.square(o.wide)))
            by = signs * BOUNDS[value.narrow if kept else o.narrow] / 6 * size
            moved.append(o.wide + np.asarray(by, np.float32))
        (results,) = evaluated(op, attributes, [moved])
        if not all(
            _near(one, again) for one, again in zip(made, results, strict=True) if one.dtype in FLOATS
        ):
            return False
    return True


def _near(value: Value, again: np.ndarray) -> bool:
    """Whether another evaluation is within half the tolerance of a value."""
    difference = np.abs(again.astype(np.float64) - value.wide)
    if not _norm(difference) <= BOUNDS[value.narrow] / 2 * _norm(value.wide.astype(np.float64)):
        return False
    return bool(value.exact or (difference <= tolerance(value) / 2).all())


def _selects(op: str, attributes: dict[str, Any]) -> bool:
    if op == "scatter":
        return attributes.get("reduction", "none") in ("none", "max", "min")
    return op == "resize" and attributes.get("mode") == "nearest"


def _fair(kind: str, op: str, operands: Sequence[Value], attributes: dict[str, Any], value: Value) -> bool:
    if op == "resize" and _between_pixels(operands[0].shape, value.shape, attributes):
        return False
    if kind == "special":
        return op in IEEE and value.exact
    if kind == "extreme":
        return _fair_at_the_ends(op, operands, attributes, value)
    if not np.isfinite(value.stored).all() or not np.isfinite(value.wide).all():
        return False
    if op == "attention" and not _scores_in_range(operands):
        return False
    if kind in ("index", "integer"):
        if op.startswith("avg_pool") and _at_the_border(attributes):
            return False  # where fewer elements count, a mean of all is corrected
        if value.exact and (op in ("div", "embedding_bag", "reduce_mean") or op.startswith("avg_pool")):
            # a quotient is formed in some other way; one in f32 that is rounded ends so, too, where it is large
            ends = (np.fmod(value.wide, 2.0**-6) == 0) & (np.abs(value.wide) < 2.0**14)
            return bool(ends.all())
        ordered = (
            op == "reduce_prod"
            or attributes.get("reduction") == "mul"
            or (op in SUMS and value.dtype == "f32")
        )
        return value.exact and (not ordered or _exact_sums(op, operands, attributes))
    size = np.abs(value.wide.astype(np.float64))
    if size.max(initial=0) > LARGEST:
        return False
    if value.exact:
        return True
    if not explained(value) <= MOST * BOUNDS[value.narrow]:
        return False
    difference, bound = np.abs(value.stored.astype(np.float64) - value.wide), BOUNDS[value.narrow] / 5
    whole = _norm(size)
    if size.size and whole < 1e-3 * np.sqrt(size.size):
        return False  # subnormal numbers have fewer digits
    near = _norm(difference) <= bound * whole
    return bool(near and (difference <= tolerance(value) / 5).all())


def _between_pixels(shape: Sequence[int], sizes: Sequence[int], attributes: dict[str, Any]) -> bool:
    """Whether a result pixel lies at a pixel, or half way between two, so that the rounding of a place decides which
    one is nearest: a third of 3 may be below 1. ONNX leaves that open; onnxruntime computes places in f32."""
    if attributes.get("mode", "nearest") != "nearest":
        return False
    place = COORDINATES[attributes.get("coordinates", "half_pixel")]
    steps = 1 if attributes.get("rounding") in ("floor", "ceil") else 2
    scales = attributes.get("scales") or (None, None)
    for n, m, scale in zip(shape[2:], sizes[2:], scales, strict=True):
        axis = Axis(n, m, n, m) if scale is None else Axis(n, m, 1, Fraction(str(scale)))
        exact = axis.scale.denominator & (axis.scale.denominator - 1) == 0  # what a float holds
        if not exact and any((steps * place(i, axis)).denominator == 1 for i in range(1, m)):
            return True
    return False


def _at_the_border(attributes: dict[str, Any]) -> bool:
    """Whether windows of a mean may hold fewer elements than others, and their number is no power of two."""
    count = prod(attributes["kernel"])
    beside = any(attributes.get("pads", ())) and not attributes.get("count_include_pad")
    return count & (count - 1) != 0 and bool(beside or attributes.get("ceil_mode"))


def _scores_in_range(operands: Sequence[Value]) -> bool:
    """Whether scores of attention, before they are scaled, are numbers of the operands' type, which they are kept in:
    by the longest rows of queries and keys."""
    if operands[0].dtype != "f16":
        return True
    queries, keys = (np.linalg.norm(o.wide.astype(np.float64), axis=-1).max(initial=0) for o in operands[:2])
    return bool(queries * keys < LARGEST_F16)


def _norm(array: np.ndarray) -> float:
    """The L2 norm, of one thread."""
    return float(np.sqrt(np.square(array).sum()))


LARGEST_F16 = 65504.0


def _fair_at_the_ends(op: str, operands: Sequence[Value], attributes: dict[str, Any], value: Value) -> bool:
    """Of the largest numbers: infinite where the evaluation that rounds is, and never NaN. Taps of grouped convolutions
    of f16 are added in f16, where a part of the sum may pass its range."""
    if np.isnan(value.stored).any():
        return False
    if value.dtype == "f16" and op.startswith("conv") and attributes.get("groups", 1) > 1:
        ((total,),) = evaluated(op, attributes, [[np.abs(o.wide) for o in operands]])
        if (total > LARGEST_F16).any():
            return False
    finite = all(np.isfinite(o.stored).all() for o in operands if o.dtype in FLOATS)
    if op in MOVES or op in SELECTIONS:
        return finite or op != "topk"
    if not all(o.exact for o in operands):
        return op in ("relu", "neg", "abs")  # others might enlarge the error
    if op in ("matmul", "conv2d"):
        return len(operands) == 2 and _exact_sums(op, operands, attributes)
    curved = ("softmax", "sigmoid", "tanh", "exp", "gelu", "silu")
    return op in ("add", "sub", "mul", "leaky_relu") or (op in curved and finite)


def _exact_sums(op: str, operands: Sequence[Value], attributes: dict[str, Any]) -> bool:
    """Whether every partial sum of a product is a number of f32, and every part of a product of whole numbers."""
    if op == "reduce_prod" or attributes.get("reduction") == "mul":
        whole = [np.abs(o.stored) if o.dtype in FLOATS else o.stored for o in operands]
        most = evaluated(op, attributes, [[np.maximum(w, 1) if w.dtype == np.float32 else w for w in whole]])[
            0
        ][0]
        return all((w % 1 == 0).all() for w in whole) and bool((most < 2.0**24).all())
    sizes: list[np.ndarray] = []
    unit = 1.0
    for operand in operands:
        if operand.dtype not in FLOATS:
            sizes.append(operand.stored)
            continue
        size = np.abs(np.where(np.isfinite(operand.stored), operand.stored, np.float32(0)))
        step = 2.0**-24
        while step < 2.0**120 and (np.fmod(size, 2 * step) == 0).all():
            step *= 2
        unit *= step
        sizes.append(size)
    ((sums,),) = evaluated(op, attributes, [sizes])
    if float(sums.max(initial=0)) >= min(unit * 2.0**24, 3e38):
        return False
    return all(np.isfinite(o.stored).all() for o in operands if o.dtype in FLOATS)


def _clear_of_steps(
    op: str, operands: Sequence[Value], attributes: dict[str, Any], found: Sequence[np.ndarray]
) -> bool:
    """Whether the result is the same all over the tolerance of the operands."""
    if op == "cast" and attributes["to"] in FLOATS:
        return True
    room = [tolerance(o) for o in operands]
    if op == "quantize":  # the factor has 10 bits on its way out of the Cube's results
        room = [room[0] + np.abs(operands[0].wide) * 2.0**-9]
    elif all(o.exact for o in operands):
        return True
    wide = [o.wide.astype(np.float64) for o in operands]
    if op in ("argmax", "topk"):
        return _apart(attributes, wide[0], room[0])
    apart = [1, -1, -1] if op == "compare" else [0, 1, -1] if op == "keep_where" else [1] * len(wide)
    for sign in (1, -1):
        moved = [w if not s else w + sign * s * r for w, s, r in zip(wide, apart, room, strict=False)]
        moved = [
            m.astype(o.wide.dtype) if o.dtype in FLOATS else o.wide
            for m, o in zip(moved, operands, strict=True)
        ]
        if op == "cast" and attributes["to"] == "i1":  # what is 0 in both evaluations is 0
            moved = [np.where((operands[0].wide == 0) & (operands[0].stored == 0), 0, moved[0])]
            if (np.sign(moved[0]) != np.sign(operands[0].wide)).any():
                return False
        ((again,),) = evaluated(op, attributes, [moved])
        if not np.array_equal(again, found[0]):
            return False
        if attributes.get("direction") in ("eq", "ne") and not np.array_equal(
            _side(moved), _side(wide), equal_nan=True
        ):
            return False  # unequal on both sides, and equal between them
    return True


def _side(operands: Sequence[np.ndarray]) -> np.ndarray:
    """Which of the last two operands is larger."""
    with np.errstate(all="ignore"):
        return np.sign(np.asarray(operands[-2], np.float64) - np.asarray(operands[-1], np.float64))


def _apart(attributes: dict[str, Any], x: np.ndarray, room: np.ndarray) -> bool:
    """Whether those that count along an axis are no nearer to each other than their tolerances."""
    axis, k = attributes.get("axis", -1), attributes.get("k", 1)
    sign = 1 if attributes.get("largest", True) else -1
    ordered = np.sort(sign * x, axis=axis)
    first = np.flip(ordered, axis=axis)
    with np.errstate(invalid="ignore"):
        gaps = -np.diff(first, axis=axis)
    counted = np.take(gaps, np.arange(min(k, gaps.shape[axis])), axis=axis)
    return bool(counted.size == 0 or counted.min() > 2 * room.max(initial=0))
