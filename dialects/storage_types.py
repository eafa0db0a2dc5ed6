"""Element types as numpy sees them, and arrays brought to them.

numpy has no bf16: its dtype comes from the package ml_dtypes, imported when a program has bf16. To numpy it is
neither a float nor a number, so whoever asks for the kind of an array asks here.
"""

from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Attribute

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    DType = np.dtype[Any]

_NAMES = {"f16": "float16", "f32": "float32", "f64": "float64", "i1": "bool", "index": "int64"}
_PREFIXES = {"i": "int", "si": "int", "ui": "uint"}
BF16 = "bfloat16"
LARGEST_BF16 = 2.0**128 - 2.0**120
SMALLEST_NORMAL_BF16 = 2.0**-126


def numpy_dtype(element_type: Attribute | str) -> "DType":
    """The numpy dtype of an element type. Raises ValueError if there is none."""
    import numpy as np

    text = str(element_type)
    if text == "bf16":
        from ml_dtypes import bfloat16

        return np.dtype(cast(Any, bfloat16))
    prefix = text.rstrip("0123456789")
    try:
        return np.dtype(_NAMES.get(text, _PREFIXES.get(prefix, prefix) + text[len(prefix) :]))
    except TypeError:
        raise ValueError(f"element type {text} has no numpy dtype") from None


def is_float(dtype: "DType") -> bool:
    """Whether elements of `dtype` are floating-point numbers."""
    return dtype.kind == "f" or dtype.name == BF16


def largest(dtype: "DType") -> float:
    """The largest finite number of a floating dtype."""
    import numpy as np

    return LARGEST_BF16 if dtype.name == BF16 else float(np.finfo(dtype).max)


def smallest_normal(dtype: "DType") -> float:
    """The smallest positive number of a floating dtype that has all its digits."""
    import numpy as np

    return SMALLEST_NORMAL_BF16 if dtype.name == BF16 else float(np.finfo(dtype).smallest_normal)


def rounded(array: "Array", dtype: "DType") -> "Array":
    """`array` in `dtype`, rounded once to nearest even; numbers past the largest become infinite."""
    import numpy as np

    if array.dtype == dtype:
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype.name == BF16 and array.dtype.itemsize > 4:
            array = _odd_f32(array.astype(np.float64))
        return array.astype(dtype)


def _odd_f32(wide: "Array") -> "Array":
    """f64 as f32 for one more rounding: ml_dtypes rounds to f32 on the way to bf16, where a number beside the middle
    of two bf16 would fall onto it. Such a number keeps its side."""
    import numpy as np

    narrow = np.asarray(wide.astype(np.float32))
    middle = (narrow.view(np.uint32) & 0xFFFF) == 0x8000
    side = np.where(wide > narrow, np.float32(np.inf), np.float32(-np.inf))
    return np.where(middle & (wide != narrow), np.nextafter(narrow, side), narrow)


def with_bits(array: "Array", dtype: "DType") -> "Array":
    """`array`, or where `dtype` is bf16 and `array` holds bit patterns (uint16, or the two raw bytes that numpy writes
    of it), the numbers that they are."""
    raw = array.dtype.kind == "V" and array.dtype.itemsize == 2
    if dtype.name == BF16 and (raw or array.dtype.name == "uint16"):
        return array.view(dtype)
    return array
