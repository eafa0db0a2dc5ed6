"""How far a program's outputs are from the reference, and how far they may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.graph import ConstantOp
from ...dialects.records import dataclass
from ...dialects.storage_types import is_float, largest, numpy_dtype
from ...passes.support.values import moves, rule_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

BOUNDS = {"float16": 3e-3, "bfloat16": 2e-2, "float32": 1e-4, "int8": 2e-2}
"""Largest error by storage type: the relative L2 error, of i8 the share of elements that are one step off, past the
first (none may be further off). Other integers must agree exactly."""

FLOATS = ("float16", "bfloat16", "float32")
NUDGE = 2.0**-10
"""Share of it by which what is quantised may be off: a few roundings to f16, or that of FixPipe's factor."""


@dataclass(frozen=True)
class Check:
    """One output: `error` is the norm of the difference over the norm of the reference, of i8 (`steps`) the share of
    elements that are one step off, infinite if some are further off. `compared` of `elements`
    count: those that are finite on both sides. `nans` of the others are NaN on both: they agree, and the report says
    so. An output of which nothing counts was not checked, so it does not pass."""

    error: float
    bound: float
    compared: int
    elements: int
    nans: int = 0
    steps: bool = False

    @property
    def wrong(self) -> bool:
        """Whether the output differs from the reference by more than its bound."""
        return not self.error <= self.bound

    @property
    def passed(self) -> bool:
        """Whether something of the output was compared, and is within its bound."""
        return not self.wrong and (self.compared > 0 or self.elements == 0)

    @property
    def share(self) -> float:
        """The error as a share of its bound."""
        return self.error / self.bound if self.bound else float("inf") if self.error else 0.0

    @property
    def left_out(self) -> str:
        """What the check says of elements that do not count; empty when all do."""
        text, infinite = "", self.elements - self.compared - self.nans
        if self.nans:
            text += f"; {self.nans} of {self.elements} elements are NaN, in the reference too"
        if infinite:
            text += f"; {infinite} of {self.elements} elements are not finite and do not count"
        return text

    @property
    def measured(self) -> str:
        """The error and its bound, in words."""
        if not self.steps:
            return f"relative L2 error against the reference {self.error:.2e} (bound {self.bound:.0e})"
        if self.error > 1:
            return "elements are off the reference by more than a step"
        return f"{self.error:.2%} of the elements are a step off the reference (bound {self.bound:.0%})"

    @property
    def failure(self) -> str:
        """Why the output does not pass; empty when it does."""
        if self.passed:
            return ""
        if self.wrong:
            return (
                self.measured if self.steps else f"is off by {self.error:.2e}, its bound is {self.bound:.0e}"
            )
        return "could not be checked" + self.left_out


def relative_error(actual: Array, expected: Array, overflow: str = "inf") -> float:
    """Relative L2 error of an array in its storage type against a wider reference.

    Numbers past the storage type's range must be what storing makes of them: an infinity, or with
    `overflow` "saturate" the largest number. NaN must meet NaN. Such elements count in neither norm; one
    that is wrong makes the error infinite. Two arrays of zeros agree.
    """
    import numpy as np

    wide, got = np.asarray(expected, np.float64), np.asarray(actual, np.float64)
    limit = largest(actual.dtype) if is_float(actual.dtype) else np.inf
    if overflow == "saturate":
        wide = np.clip(wide, -limit, limit)
    with np.errstate(invalid="ignore"):
        return _error(got, wide, limit)


def output_error(actual: Array, expected: Array, overflow: str = "inf", most: int = 1) -> float:
    """The error that `BOUNDS` limits: `relative_error`, of i8 the share of elements that are one step off, past the
    first; infinite if one is more than `most` off. Where x / scale is next to a half, the last digit of x decides."""
    import numpy as np

    if actual.dtype.name != "int8":
        return relative_error(actual, expected, overflow)
    if not actual.size:
        return 0.0
    distance = np.abs(actual.astype(np.int64) - np.asarray(expected).astype(np.int64))
    return float("inf") if distance.max() > most else max(0, int((distance > 0).sum()) - 1) / distance.size


def _error(got: Array, wide: Array, limit: float) -> float:
    import numpy as np

    special = ~np.isfinite(got) | ~np.isfinite(wide) | (np.abs(wide) > limit)
    # An infinity stands for everything that rounds to it, give or take the errors on the way there.
    overflowed = np.isinf(got) & (np.sign(got) * wide > 0.99 * limit)
    close = np.isfinite(got) & (np.abs(got - wide) < 0.01 * limit)
    right = overflowed | close | (np.isnan(got) & np.isnan(wide))
    if not right[special].all():
        return float("inf")
    reference, difference = np.where(special, 0, wide), np.where(special, 0, got - wide)
    error, norm = float(np.linalg.norm(difference)), float(np.linalg.norm(reference))
    if error == 0:
        return 0.0
    return error / norm if norm else float("inf")


def check_outputs(
    outputs: Mapping[str, Array],
    reference: Mapping[str, Array],
    overflow: str = "inf",
    nudged: Mapping[str, Array] | None = None,
    coarsest: Sequence[str] = (),
) -> dict[str, Check]:
    """The check of every output, by name.

    What a quantisation gives is off by a step wherever the last digit of what it takes decides, and what follows shows
    that: bounds grow by the distance of `nudged` from the reference, which is the reference with what is quantised
    moved by `NUDGE`. `coarsest`: what each output was computed in (see `coarsest_types`), if not in its own type.
    """
    types = coarsest or [array.dtype.name for array in outputs.values()]
    return {
        name: _check(array, reference[name], overflow, None if nudged is None else nudged[name], kind)
        for (name, array), kind in zip(outputs.items(), types, strict=True)
    }


def coarsest_types(function: FuncOp) -> list[str]:
    """For each result of a graph the type with the largest bound in which something that it depends on is computed."""
    end = function.body.block.last_op
    assert end is not None
    return [coarsest_of(value) for value in end.operands]


def coarsest_of(result: SSAValue) -> str:
    """The type with the largest bound in which something that a value depends on is computed."""
    seen, left = set[SSAValue](), [result]
    found = _dtype_name(result)
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        op = value.owner
        if not isinstance(op, Operation):
            continue
        left += op.operands
        name = _dtype_name(value)
        if _rounds(op) and name in FLOATS and found in FLOATS and BOUNDS[name] > BOUNDS[found]:
            found = name
    return found


def _rounds(op: Operation) -> bool:
    """Whether an op computes numbers: constants and moves of exact ones are exact."""
    return not isinstance(op, ConstantOp) and rule_of(op).engine != "view" and not moves(op)


def _dtype_name(value: SSAValue) -> str:
    return numpy_dtype(cast(TensorType[Attribute], value.type).element_type).name


def _check(array: Array, expected: Array, overflow: str, nudged: Array | None, coarsest: str) -> Check:
    import numpy as np

    bound, most, steps = BOUNDS.get(array.dtype.name, 0.0), 1, array.dtype.name == "int8"
    if array.dtype.name in FLOATS:
        bound = max(bound, BOUNDS.get(coarsest, 0.0))
    if nudged is not None and steps:
        most = max(1, int(np.abs(nudged.astype(np.int64) - expected).max(initial=0)))
    if nudged is not None:
        moved = output_error(nudged, expected, overflow, most)
        bound += moved if np.isfinite(moved) else 0.0
    return Check(
        output_error(array, expected, overflow, most),
        bound,
        int((np.isfinite(array) & np.isfinite(expected)).sum()),
        array.size,
        int((np.isnan(array) & np.isnan(expected)).sum()),
        steps,
    )
