"""What Vector instructions of the tile level give, in numpy."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...dialects import tile
from ...dialects.attributes import number_of
from ...dialects.tile import tile_type
from ...runtime.machine.memory import NUMPY_TYPES

Array = NDArray[Any]


def whole_numbers(x: Array, dtype: str = "i8") -> Array:
    """The nearest whole numbers, half to even, held to the range of an integer type; NaN gives 0."""
    limits = np.iinfo(NUMPY_TYPES[dtype])
    whole = np.rint(np.nan_to_num(x.astype(np.float64), posinf=limits.max, neginf=limits.min))
    return np.clip(whole, limits.min, limits.max).astype(limits.dtype)


def _same(x: Array) -> Array:
    return x


def _relu(x: Array) -> Array:
    return np.maximum(x, 0)


def _leaky_relu(x: Array, slope: Any) -> Array:
    return np.where(x >= 0, x, slope * x)


_ONE: dict[str, Callable[[Any], Any]] = {
    "vabs": np.abs, "vexp": np.exp, "vln": np.log, "vsqrt": np.sqrt, "vcopy": _same,
    "vrelu": _relu, "vrsqrt": lambda x: 1 / np.sqrt(x), "vrec": lambda x: 1 / x,
    "vconv": _same,
}  # fmt: skip
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "vadd": np.add, "vsub": np.subtract, "vmul": np.multiply, "vdiv": np.divide, "vmax": np.maximum,
    "vmin": np.minimum,
}  # fmt: skip
_SCALAR: dict[str, Callable[[Any, Any], Any]] = {
    "vadds": lambda x, s: x + s, "vmuls": lambda x, s: x * s, "vmaxs": np.maximum, "vmins": np.minimum,
    "vlrelu": _leaky_relu,
}  # fmt: skip


def vector(op: tile.VecOp, given: Sequence[Array], point: Sequence[int]) -> Array:
    """The result of an instruction on the tiles `given`; `point`: the sizes of the grid point's tile."""
    name = op.instruction.data
    sources: list[Array] = [_computed(x) for x in given]
    scalar = None if op.scalar is None else _number(op)
    shape = [max(sizes) for sizes in zip(*(s.shape for s in sources), strict=True)] if sources else []
    sources = [s[tuple(slice(0, m) for m in shape)] for s in sources]
    if name == "vconv" and str(tile_type(op.result).element_type) == "i32":
        return whole_numbers(sources[0], "i32")
    if name in _TWO:
        return _TWO[name](*sources)
    if name in _ONE:
        found = _ONE[name](*sources)
        full = tile_type(op.result).get_shape()
        if name != "vcopy" or len(full) != len(point):
            return found
        return np.broadcast_to(
            found,
            [min(f, s) if n == 1 else n for f, s, n in zip(full, point, found.shape, strict=False)],
        )
    if name in _SCALAR:
        assert scalar is not None
        if op.sources:  # the instruction takes it in the type that it computes in
            scalar = _computed(given[0].dtype.type(scalar))
        return _SCALAR[name](sources[0], scalar)
    if name.startswith("vcmpv"):
        other = sources[1] if scalar is None else _computed(given[0].dtype.type(scalar))
        return _comparison(name)(sources[0], other)
    if name == "vsel":
        return np.where(sources[0] != 0, sources[1], sources[2])
    if name == "vmadd":
        return sources[0] * sources[1] + sources[2]
    if name == "vaxpy":
        return cast(Any, scalar) * sources[0] + sources[1]
    return np.full(tile_type(op.result).get_shape(), scalar)


def _computed(x: Any) -> Any:
    """In f32; i32 as it is."""
    return x if x.dtype == np.int32 else x.astype(np.float32)


def _number(op: tile.VecOp) -> Any:
    """The scalar of an instruction in the type that it stands beside."""
    assert op.scalar is not None
    number = number_of(op.scalar)
    return np.int32(number) if isinstance(number, int) else np.float32(number)


def reduced(op: tile.ReduceOp, x: Array) -> Array:
    """The result of a reduction; integers wrap around."""
    function = {"add": np.sum, "max": np.max, "min": np.min, "mul": np.prod}[op.kind.data]
    wraps = {"dtype": x.dtype} if x.dtype == np.int32 and op.kind.data in ("add", "mul") else {}
    return cast(Any, function)(x, axis=op.dim_list, keepdims=True, **wraps)


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    return {
        "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
        "ge": np.greater_equal,
    }[name.partition("_")[2]]  # fmt: skip
