"""What roundings on the way to a value can make of it.

A chip may keep either neighbour of a result in its storage type, or the result itself where ops are fused. Beside the
evaluation in f32 there are others, `Value.moved`, in which each result that rounds is off by a unit in its last place:
all up, all down, and each element as drawn. What follows shows how it is conditioned: `exp` of 12 makes 12 times as
much of it, a mean of many elements little. How far these evaluations come apart is the error that roundings explain.
"""

# pyright: basic

from collections.abc import Sequence

import numpy as np

from differential.op_classes import MOVES, SELECTIONS
from differential.program import BOUNDS, FLOATS, Value

WIDENED = 2e-6
"""What accuracy is left to functions in f32."""
UNITS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": WIDENED}
"""A unit in the last place of a storage type, of the size of the number, at most."""
DRAWN = 3
"""Evaluations with signs that are drawn."""
RUNS = 2 + DRAWN
SPREAD = 4
"""An element may be off by as many bounds, of its own size and the root mean square of all."""


def moved_operands(operands: Sequence[Value]) -> list[list[np.ndarray]]:
    """The operands of each evaluation; none where all are known."""
    if not any(o.moved for o in operands):
        return []
    return [[o.moved[run] if o.moved else o.wide for o in operands] for run in range(RUNS)]


def moved(
    op: str, value: Value, runs: Sequence[np.ndarray], numbers: np.random.Generator
) -> tuple[np.ndarray, ...]:
    """What a result is in each evaluation: `runs` of its op, or `value.wide` where there are none, off by a rounding.
    Empty where no rounding is on the way."""
    if value.exact or value.dtype not in FLOATS:
        return ()
    arrays = runs or (value.wide,) * RUNS
    if op in MOVES - {"cast"} | SELECTIONS:
        return tuple(arrays)
    signs = [1.0, -1.0, *(numbers.choice((-1.0, 1.0), value.shape) for _ in range(DRAWN))]
    unit = UNITS[value.dtype]
    return tuple((a * (1 + unit * s)).astype(np.float32) for a, s in zip(arrays, signs, strict=True))


def explained(value: Value) -> float:
    """The relative L2 error that roundings on the way to a value can cause."""
    whole = _norm(value.wide)
    apart = max((_norm(m - value.wide.astype(np.float64)) for m in value.moved), default=0.0)
    return apart / whole if whole else 0.0


def bound(value: Value) -> float:
    """The relative L2 error that a result may have: that of its types, or what roundings cause, the larger."""
    return max(BOUNDS[value.narrow], explained(value))


def tolerance(value: Value) -> np.ndarray:
    """How far each element of a result may be off."""
    if value.exact or value.dtype not in FLOATS:
        return np.zeros(value.shape)
    wide = value.wide.astype(np.float64)
    size = np.abs(wide)
    allowed = SPREAD * BOUNDS[value.narrow] * (size + np.sqrt(np.mean(size**2)) if size.size else size)
    return np.max([allowed, *(np.abs(m - wide) for m in value.moved)], axis=0)


def _norm(array: np.ndarray) -> float:
    """The L2 norm, of one thread."""
    return float(np.sqrt(np.square(array.astype(np.float64)).sum()))
