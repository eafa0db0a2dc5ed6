"""What the Vector instructions compute, on numpy views of the operands' own bytes.

A result is rounded once: f16 and bf16 operands are widened to f32, where sums, products, quotients and roots of
such numbers round to the same number as the exact result does (f32 has more than twice the digits and two more).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...dialects.storage_types import is_float
from ...dialects.target_types import Target
from ..machine.memory import Array, CoreMemory, View
from .foreign_values import ROUND, count_from, divide_whole, rounded_by, shift_left
from .rectify import rectify
from .scalar_values import Taken
from .values import Action, bind_copy, finisher
from .widening import bind_widen, scratch

_LARGE = 1024  # elements from which widening by hand beats numpy's own f16 loops

Function = Callable[..., Any]


def _reciprocal(a: Array, out: Array) -> None:
    np.divide(a.dtype.type(1), a, out=out)


def _rsqrt(a: Array, out: Array) -> None:
    wide = a.astype(np.float64) if a.dtype == np.float32 else np.sqrt(a, dtype=np.float32)
    if a.dtype == np.float32:
        np.sqrt(wide, out=wide)
    np.copyto(out, 1.0 / wide, casting="same_kind")


def _rsqrt_wide(a: Array, out: Array) -> None:
    np.sqrt(a, out=out)
    np.divide(np.float32(1), out, out=out)


def _multiply_add(a: Array, b: Array, c: Array, out: Array) -> None:
    """a * b + c, rounded once."""
    total = np.multiply(a, b, dtype=np.float32 if out.dtype == np.float16 else np.float64)
    np.add(total, c, out=total)
    np.copyto(out, total, casting="same_kind")


def _multiply_add_wide(a: Array, b: Array, c: Array, out: Array) -> None:
    np.multiply(a, b, out=out)
    np.add(out, c, out=out)


def _axpy(a: Array, b: Array, scalar: Any, out: Array) -> None:
    _multiply_add(a, scalar, b, out)


def _axpy_wide(a: Array, b: Array, scalar: Any, out: Array) -> None:
    _multiply_add_wide(a, scalar, b, out)


def _relu(a: Array, out: Array) -> None:
    rectify(a, out)


def _leaky_relu(a: Array, scalar: Any, out: Array) -> None:
    np.copyto(out, np.where(a >= 0, a, a * scalar))


def _copy(a: Array, out: Array) -> None:
    np.copyto(out, a)


def _convert(a: Array, out: Array, way: str = "") -> None:
    if out.dtype.kind == "i" and is_float(a.dtype):
        limits = np.iinfo(out.dtype)
        whole = ROUND[way](a.astype(np.float64))
        a = np.clip(np.where(np.isnan(whole), 0, whole), limits.min, limits.max)
    elif way and out.dtype == a.dtype:
        a = ROUND[way](a.astype(np.float64))
    elif way not in ("", "r"):
        a = rounded_by(way, a, out.dtype)
    np.copyto(out, a.reshape(out.shape), casting="unsafe")


def _sum_of_repeats(a: Array, out: Array) -> None:
    """The sum of each repeat by a binary tree, each partial sum rounded to the element type."""
    lanes = a.reshape(a.shape[0], -1)
    while lanes.shape[1] > 1:
        half = lanes.shape[1] // 2
        total = lanes[:, :half] + lanes[:, half : 2 * half]
        if lanes.shape[1] % 2:
            total[:, 0] += lanes[:, -1]
        lanes = total
    out[...] = lanes.reshape(out.shape)


def _most_of_repeats(a: Array, out: Array) -> None:
    out[...] = np.maximum.reduce(a.reshape(a.shape[0], -1), axis=1).reshape(out.shape)


def _least_of_repeats(a: Array, out: Array) -> None:
    out[...] = np.minimum.reduce(a.reshape(a.shape[0], -1), axis=1).reshape(out.shape)


def _place_of_most(a: Array, out: Array) -> None:
    out[...] = a.reshape(out.shape[0], -1).argmax(axis=1).reshape(out.shape)


def _place_of_least(a: Array, out: Array) -> None:
    out[...] = a.reshape(out.shape[0], -1).argmin(axis=1).reshape(out.shape)


# Called as f(*sources, [scalar,] out=result) on arrays of the operands' type.
_FUNCTIONS: Mapping[str, Function] = {
    "vadd": np.add, "vsub": np.subtract, "vmul": np.multiply, "vdiv": np.divide, "vmax": np.maximum,
    "vmin": np.minimum, "vmadd": _multiply_add, "vadds": np.add, "vmuls": np.multiply, "vmaxs": np.maximum,
    "vmins": np.minimum, "vlrelu": _leaky_relu, "vaxpy": _axpy, "vabs": np.absolute, "vrelu": _relu,
    "vexp": np.exp, "vln": np.log, "vsqrt": np.sqrt, "vrsqrt": _rsqrt, "vrec": _reciprocal, "vcopy": _copy,
    "vconv": _convert, **{f"vconv_{way}": partial(_convert, way=way) for way in ROUND if way}, "vnot": np.invert,
    "vand": np.bitwise_and, "vor": np.bitwise_or, "vshls": shift_left, "vshrs": np.right_shift,
    "vcadd": _sum_of_repeats, "vcmax": _most_of_repeats, "vcmin": _least_of_repeats,
    "vcmax_at": _place_of_most, "vcmin_at": _place_of_least,
}  # fmt: skip
# The same on f16 or bf16 operands widened to f32, the result being rounded afterwards. Numpy's own f16 exp and log
# are faster than a detour through f32.
_WIDE: Mapping[str, Function] = {
    **{n: _FUNCTIONS[n] for n in ("vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vadds", "vmuls")},
    **{n: _FUNCTIONS[n] for n in ("vmaxs", "vmins", "vlrelu", "vabs", "vrelu", "vsqrt", "vrec")},
    "vmadd": _multiply_add_wide,
    "vaxpy": _axpy_wide,
    "vrsqrt": _rsqrt_wide,
}
_BF16: Mapping[str, Function] = {**_WIDE, "vexp": np.exp, "vln": np.log}


def bind_vec(
    memory: CoreMemory,
    target: Target,
    name: str,
    sources: Sequence[View],
    destination: View,
    scalar: View | float | None,
) -> Action:
    """One Vector instruction; a scalar is rounded to the element type first."""
    result = memory.array(destination)
    number = Taken(memory, scalar, result.dtype.type) if isinstance(scalar, View) else None
    if number is not None:
        return number.before(
            _bind(memory, target, name, (*sources, destination), (number.value, number.wide))
        )
    extra = () if scalar is None else (result.dtype.type(scalar), np.float32(result.dtype.type(scalar)))
    return _bind(memory, target, name, (*sources, destination), extra)


def _bind(
    memory: CoreMemory, target: Target, name: str, operands: Sequence[View], scalar: Sequence[Any]
) -> Action:
    """`scalar`: that in the element type and in f32, if it takes one."""
    *sources, destination = operands
    *arrays, result = [memory.array(v) for v in operands]
    extra, wide = scalar[:1], scalar[1:]
    if name == "vdup":
        return partial(np.copyto, result, *extra)
    if name == "vci":
        return partial(count_from, *extra, result)
    if name == "vdiv" and result.dtype.kind == "i":
        run = partial(divide_whole, *arrays, out=result)
    elif destination.dtype == "bf16" and name in _BF16:
        run = _bind_wide(_BF16[name], arrays, wide, result)
    elif destination.dtype == "f16" and name in _WIDE and result.size >= _LARGE:
        run = _bind_wide(_WIDE[name], arrays, wide, result)
    else:
        run = partial(_FUNCTIONS[name], *arrays, *extra, out=result)
    if name == "vcopy" and arrays[0].dtype == result.dtype:
        if all(v.strides[-1] == v.itemsize for v in (sources[0], destination)):
            return bind_copy(memory, sources[0], destination)
        return partial(np.copyto, result, arrays[0])
    finish = None if name == "vcopy" else finisher(target, destination.dtype, result)
    if finish is None:
        return run

    def finished() -> None:
        run()
        finish()

    return finished


def _bind_wide(function: Function, arrays: Sequence[Array], extra: Sequence[Any], result: Array) -> Action:
    """Widen, compute in f32, round."""
    wide: list[Array] = []
    loads: list[Action] = []
    for index, array in enumerate(arrays):
        room = scratch(f"operand {index}", array.size).reshape(array.shape)
        wide.append(room)
        loads.append(bind_widen(array, room))
    total = scratch("result", result.size).reshape(result.shape)
    compute = partial(function, *wide, *extra, out=total)

    def run() -> None:
        for load in loads:
            load()
        compute()
        np.copyto(result, total, casting="unsafe")

    return run
